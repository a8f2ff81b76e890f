"""Brings a database's tables up to what this version knows, in one transaction: all or nothing."""

import asyncio
from functools import partial
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, NullPool, create_engine, inspect, text

from bot.dice.errors import SpecError, Unavailable

_SCRIPTS = Path(__file__).parent / "migrations"
# Any number will do if every Evenhand takes the same: "evenhand" in ASCII.
_LOCK = int.from_bytes(b"evenhand")
IN_USE = _LOCK + 1
"""The lock of a PostgreSQL database that each process shares while it may write."""
_ROWS = "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:table, :index, :rows)"
# Of each index: its rows, and how many of them share the first column, the first two, and so on.
_EVENTS = {
    "event": "1000000 10000 1",
    "ix_event_user": "1000000 10000 500 1",
    "ix_event_roller": "1000000 10000 1000 1",
    "ix_event_target": "200000 2000 5 4",
    "ix_event_person": "1000000 5000 1",
}


async def migrate(address: URL, path: Path | None) -> str:
    """Run the revisions that are missing, on a SQLite file or a server, with an engine of their own.

    Return the last revision. Unavailable for a database that another version made, or that other processes
    of an older one use, SpecError for another program's, ImportError for a
    server without its driver.
    """
    if path:
        return await asyncio.to_thread(_migrate_file, path)
    return await _migrate_server(address)


def _migrate_file(path: Path) -> str:
    # Python's own way of beginning transactions would begin them too late, after the tables are made.
    engine = create_engine(
        URL.create("sqlite", database=str(path)), poolclass=NullPool, connect_args={"isolation_level": None}
    )
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return _upgrade(connection)


async def _migrate_server(address: URL) -> str:
    from sqlalchemy.ext.asyncio import create_async_engine

    from bot.storage.postgresql import connect

    engine = create_async_engine(
        "postgresql+asyncpg://", poolclass=NullPool, async_creator=partial(connect, address)
    )
    async with engine.connect() as connection:
        # Two processes that start together: the second one finds everything done.
        await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        return await connection.run_sync(_upgrade)


def newest() -> str:
    """Return the revision of the tables that this version knows."""
    (head,) = ScriptDirectory.from_config(_config()).get_heads()
    return head


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config


def _upgrade(connection: Connection) -> str:
    config = _config()
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    (head,) = scripts.get_heads()
    there = set(MigrationContext.configure(connection).get_current_heads())
    if there == {head}:
        connection.rollback()
        return head
    known = {script.revision for script in scripts.walk_revisions()}
    if unknown := sorted(there - known):
        if unknown > sorted(known):
            raise Unavailable(
                "A newer Evenhand made this database (its tables are at {unknown}). Update Evenhand, or use "
                "a backup from before.",
                unknown=", ".join(unknown),
            )
        # From version 1.0.0 on, every later one can read what an earlier one stored.
        raise Unavailable(
            "An older Evenhand made this database (its tables are at {unknown}). It is from before version "
            "1.0.0 and can't be read: move it away to begin anew.",
            unknown=", ".join(unknown),
        )
    if not there and inspect(connection).get_table_names():
        raise SpecError(
            "This database has tables of another program. Name an empty one, or one of Evenhand's."
        )
    _must_be_unused(connection)
    command.upgrade(config, head)
    if connection.dialect.name == "sqlite":
        _tell_planner(connection)
    connection.commit()
    return head


def _must_be_unused(connection: Connection) -> None:
    """Keep other processes out until the end of the transaction; a file has a lock beside it for that."""
    if connection.dialect.name == "postgresql" and not connection.scalar(
        text("SELECT pg_try_advisory_xact_lock(:number)"), {"number": IN_USE}
    ):
        raise Unavailable(
            "Other processes still use this database with its old tables. Stop all of them, then start this "
            "again."
        )


def _tell_planner(connection: Connection) -> None:
    """Tell SQLite's planner, as ANALYZE would, what the tables hold once they are large.

    Without it a campaign is taken for ten events, and reading all of them for as good as an index. Told once,
    the plans stay the same however a file grows. Source: https://www.sqlite.org/fileformat2.html#stat1tab.
    """
    connection.execute(text("ANALYZE"))
    connection.execute(text("DELETE FROM sqlite_stat1"))
    rows = [{"table": "event", "index": index, "rows": rows} for index, rows in _EVENTS.items()]
    connection.execute(text(_ROWS), rows)
