"""Proof mode: the keys in use, and the hashes of all keys that were committed to.

A new database has both tables from the first revision on, which makes all that `schema` says.
"""

from alembic import op

from bot.storage.schema import epoch, keyhash

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the tables, where they are missing."""
    for table in (epoch, keyhash):
        table.create(op.get_bind(), checkfirst=True)
