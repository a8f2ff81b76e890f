"""All tables as `bot.storage.schema` has them.

Until version 1.0.0 nothing stored has to be read by a later version. Whoever changes a table until then
raises the number, so that an older database is refused. At 1.0.0 the tables are written out here, and every
later change is a revision of its own.
"""

from alembic import op

from bot.storage.schema import metadata

revision = "0022"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    metadata.create_all(op.get_bind(), checkfirst=False)
