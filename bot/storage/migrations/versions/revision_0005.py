"""Where calls are shown, and who was named in them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "board",
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("seq", ID, nullable=False),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("message_id", ID),
        sa.Column("remind", ID),
        sa.Column("due", ID),
        sa.Column("turn", sa.Text, nullable=False, server_default="[]"),
        sa.PrimaryKeyConstraint("campaign_id", "seq", name="pk_board"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_board_campaign_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    there = sa.text("due IS NOT NULL")
    op.create_index("ix_board_due", "board", ["due"], sqlite_where=there, postgresql_where=there)
    op.create_table(
        "seat",
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("seq", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "seq", "user_id", name="pk_seat"),
        sa.ForeignKeyConstraint(
            ["campaign_id", "seq"], ["board.campaign_id", "board.seq"], name="fk_seat_campaign_id_seq"
        ),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seat_user_id", "seat", ["user_id"])
