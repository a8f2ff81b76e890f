"""Counts of faces, and an index of evenings."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table and the index."""
    op.create_table(
        "tally",
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("die", sa.Text, nullable=False),
        sa.Column("face", sa.Text, nullable=False),
        sa.Column("n", ID, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", "die", "face", name="pk_tally"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tally_user_id", "tally", ["user_id"])
    sessions = sa.text("kind = 'session'")
    op.create_index(
        "ix_event_session", "event", ["campaign_id", "seq"], sqlite_where=sessions, postgresql_where=sessions
    )
