"""The index of targets holds the kind as well, so that a page is read without the events it is about."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the index anew."""
    targets = sa.text("target IS NOT NULL")
    op.drop_index("ix_event_target", "event")
    op.create_index(
        "ix_event_target",
        "event",
        ["campaign_id", "target", "kind"],
        sqlite_where=targets,
        postgresql_where=targets,
    )
