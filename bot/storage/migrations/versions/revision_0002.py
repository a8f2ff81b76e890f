"""Campaigns with names, rules and game masters; saved rolls; servers that the bot has left."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# A channel's own campaign outside of servers is at home in that channel: its key is "channel:<id>".
_HOMES = "UPDATE campaign SET home = COALESCE(guild_id, -CAST(substr(key, 9) AS BIGINT))"


def upgrade() -> None:
    """Widen campaign and channel, and make the new tables."""
    _campaigns()
    _people()


def _campaigns() -> None:
    op.add_column("campaign", sa.Column("home", ID, nullable=False, server_default="0"))
    op.add_column("campaign", sa.Column("name_key", sa.Text))
    op.add_column("campaign", sa.Column("archived", ID, nullable=False, server_default="0"))
    op.add_column("campaign", sa.Column("rules", sa.Text, nullable=False, server_default="{}"))
    op.execute(_HOMES)
    op.create_index("ix_campaign_home", "campaign", ["home", "name_key"], unique=True)
    op.create_index("ix_campaign_guild_id", "campaign", ["guild_id"])
    follows = sa.text("follows IS NOT NULL")
    op.add_column("channel", sa.Column("follows", ID))
    op.create_index(
        "ix_channel_follows", "channel", ["follows"], sqlite_where=follows, postgresql_where=follows
    )


def _people() -> None:
    op.create_table(
        "master",
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("id", ID, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "kind", "id", name="pk_master"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_master_campaign_id"),
        sa.CheckConstraint("kind IN ('user', 'role')", name=op.f("ck_master_kind")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_master_id", "master", ["id"])
    op.create_table(
        "saved",
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", "key", name="pk_saved"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_saved_campaign_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_saved_user_id", "saved", ["user_id"])
    op.create_table(
        "departure",
        sa.Column("guild_id", ID, autoincrement=False, nullable=False),
        sa.Column("at", ID, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_departure"),
        sqlite_strict=True,
    )
