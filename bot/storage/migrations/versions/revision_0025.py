"""Give no campaign on SQLite the number of a deleted one; on PostgreSQL none ever got it."""

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Make SQLite's table anew, for no statement changes how it numbers rows."""
    if op.get_context().dialect.name == "sqlite":
        options = {"sqlite_strict": True, "sqlite_autoincrement": True}
        with op.batch_alter_table("campaign", recreate="always", table_kwargs=options):
            pass
