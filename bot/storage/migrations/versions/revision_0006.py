"""Memories by their owner, so that a person's are found without reading everybody's."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_memory_owner_id", "memory", ["owner_id"])
