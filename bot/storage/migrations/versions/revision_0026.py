"""Find a roller's hidden rolls and its resets without reading its whole history."""

from alembic import op

from bot.storage.schema import event

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Make the two indexes; a new database has them already."""
    for index in event.indexes:
        if index.name in {"ix_event_hidden", "ix_event_forgets"}:
            index.create(op.get_bind(), checkfirst=True)
