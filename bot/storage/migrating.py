"""Brings a database's tables up to what this version knows, in one transaction: all or nothing."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from bot.dice.errors import Unavailable

_SCRIPTS = Path(__file__).parent / "migrations"
# Any number will do, as long as every Evenhand takes the same: "evenhand" in ASCII.
_LOCK = int.from_bytes(b"evenhand")


def migrate(connection: Connection) -> None:
    """Run the revisions that are missing; Unavailable for a database that a newer version made."""
    if connection.dialect.name == "postgresql":
        # Two processes that start together: the second one finds everything done.
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    there = set(MigrationContext.configure(connection).get_current_heads())
    if there == set(scripts.get_heads()):
        connection.rollback()
        return
    unknown = there - {script.revision for script in scripts.walk_revisions()}
    if unknown:
        raise Unavailable(
            f"A newer Evenhand made this database (its tables are at {', '.join(sorted(unknown))}). "
            "Update Evenhand, or use a backup from before."
        )
    command.upgrade(config, "head")
    connection.commit()
