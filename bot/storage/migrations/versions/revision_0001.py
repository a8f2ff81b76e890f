"""The first tables: campaigns, rollers, their memories, the history and the outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    _state()
    _history()


def _state() -> None:
    op.create_table(
        "campaign",
        sa.Column("id", ID, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("guild_id", ID),
        sa.Column("name", sa.Text),
        sa.Column("seq", ID, nullable=False),
        sa.Column("head", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_campaign"),
        sa.UniqueConstraint("key", name="uq_campaign_key"),
        sqlite_strict=True,
    )
    op.create_table(
        "channel",
        sa.Column("channel_id", ID, autoincrement=False, nullable=False),
        sa.Column("campaign_id", ID, nullable=False),
        sa.PrimaryKeyConstraint("channel_id", name="pk_channel"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_channel_campaign_id"),
        sqlite_strict=True,
    )
    op.create_index("ix_channel_campaign_id", "channel", ["campaign_id"])
    op.create_table(
        "spec",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_spec"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "roller",
        sa.Column("id", ID, nullable=False),
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("spec_id", sa.Text),
        sa.Column("memory", sa.Text, nullable=False),
        sa.Column("epoch", ID, nullable=False),
        sa.Column("last", ID, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_roller"),
        sa.UniqueConstraint("campaign_id", "channel_id", "key", name="uq_roller_campaign_id_channel_id_key"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_roller_campaign_id"),
        sa.ForeignKeyConstraint(["spec_id"], ["spec.id"], name="fk_roller_spec_id"),
        sa.CheckConstraint("memory IN ('table', 'player')", name=op.f("ck_roller_memory")),
        sqlite_strict=True,
    )
    op.create_table(
        "memory",
        sa.Column("roller_id", ID, nullable=False),
        sa.Column("epoch", ID, nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("roller_id", "epoch", "owner_id", name="pk_memory"),
        sa.ForeignKeyConstraint(["roller_id"], ["roller.id"], name="fk_memory_roller_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _history() -> None:
    op.create_table(
        "event",
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("seq", ID, nullable=False),
        sa.Column("interaction_id", ID, nullable=False),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("user_id", ID),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("roller", sa.Text, nullable=False),
        sa.Column("roller_key", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("label", sa.Text),
        sa.Column("source", sa.Text),
        sa.Column("results", sa.Text, nullable=False),
        sa.Column("spec_id", sa.Text),
        sa.Column("target", ID),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("salt", sa.LargeBinary),
        sa.Column("person", sa.LargeBinary, nullable=False),
        sa.Column("head", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "seq", name="pk_event"),
        sa.UniqueConstraint("interaction_id", name="uq_event_interaction_id"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_event_campaign_id"),
        sa.ForeignKeyConstraint(["spec_id"], ["spec.id"], name="fk_event_spec_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    aimed = sa.text("target IS NOT NULL")
    op.create_index("ix_event_user", "event", ["campaign_id", "user_id", "seq"])
    op.create_index("ix_event_roller", "event", ["campaign_id", "roller_key", "seq"])
    op.create_index(
        "ix_event_target", "event", ["campaign_id", "target"], sqlite_where=aimed, postgresql_where=aimed
    )
    op.create_index("ix_event_person", "event", ["user_id", "interaction_id"])
    op.create_table(
        "outbox",
        sa.Column("campaign_id", ID, nullable=False),
        sa.Column("seq", ID, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "seq", name="pk_outbox"),
        sa.ForeignKeyConstraint(
            ["campaign_id", "seq"], ["event.campaign_id", "event.seq"], name="fk_outbox_campaign_id_seq"
        ),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
