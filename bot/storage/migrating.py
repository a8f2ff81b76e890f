"""Upgrade a database's tables to this version's revision in one transaction."""

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, inspect, text

from bot.dice.errors import SpecError, Unavailable
from bot.storage import schema
from bot.storage.files import files_of

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

_SCRIPTS = Path(__file__).parent / "migrations"
# An arbitrary number, the same for every Evenhand: "evenhand" in ASCII.
_LOCK = int.from_bytes(b"evenhand")
IN_USE = _LOCK + 1
"""Advisory lock of a PostgreSQL database that every process shares while it may write."""
_ADD_STATISTIC = "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:table, :index, :rows)"
# For each index: its rows, and how many of them share the first column, the first two, and so on.
_STATISTICS = {
    "event": "1000000 10000 1",
    "ix_event_user": "1000000 10000 500 1",
    "ix_event_roller": "1000000 10000 1000 1",
    "ix_event_target": "200000 2000 5 4",
    "ix_event_person": "1000000 5000 1",
    "ix_event_hidden": "100000 1000 100 1",
    "ix_event_forgets": "10000 100 10 1",
}


async def migrate(address: URL, path: Path | None) -> str:
    """Run the missing revisions on a SQLite file or a server, and return the last revision.

    Raise Unavailable if another version made the database, or processes of an older version use it; SpecError
    for another program's database, ImportError if the server's driver is missing.
    """
    if path:
        return await asyncio.to_thread(_migrate_file, path)
    return await _migrate_server(address)


def _migrate_file(path: Path) -> str:
    with _file_engine(str(path)).connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return _upgrade(connection)


async def _migrate_server(address: URL) -> str:
    async with _server_engine(address).connect() as connection:
        # If two processes start together, the second one waits and finds everything done.
        await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        return await connection.run_sync(_upgrade)


async def examine_file(path: Path) -> str:
    """Return the revision of a SQLite file's tables, "" for none; refuse as `migrate` would."""

    def examine() -> str:
        _, log, _, journal, _ = files_of(path)
        options = {"mode": "ro", "uri": "true"}
        if not log.exists() and not journal.exists():
            options["immutable"] = "1"  # nobody has the file, and SQLite would make a log and leave it
        with _file_engine(path.as_uri(), **options).connect() as connection:
            return _find_revision(connection)

    return await asyncio.to_thread(examine)


async def examine_server(address: URL) -> tuple[str, str]:
    """Return a server's name and version, and the revision of its tables; refuse as `migrate` would."""
    async with _server_engine(address).connect() as connection:
        version = await connection.scalar(text("SHOW server_version"))
        revision = await connection.run_sync(_find_revision)
        return f"PostgreSQL {version.split()[0]}", revision


def _file_engine(database: str, **options: str) -> Engine:
    # Python's own transaction handling would begin the transaction too late, after the tables are made.
    url = URL.create("sqlite", database=database, query=options)
    return create_engine(url, poolclass=NullPool, connect_args={"isolation_level": None})


def _server_engine(address: URL) -> "AsyncEngine":
    from sqlalchemy.ext.asyncio import create_async_engine

    from bot.storage.postgresql import connect

    return create_async_engine(
        "postgresql+asyncpg://", poolclass=NullPool, async_creator=partial(connect, address)
    )


def newest() -> str:
    """Return this version's revision of the tables."""
    (head,) = ScriptDirectory(_SCRIPTS).get_heads()
    return head


def _find_revision(connection: Connection) -> str:
    """Return the revision of a database's tables, "" if it is empty.

    Raise Unavailable for that of another version or if tables are missing, SpecError for another program's.
    """
    scripts = ScriptDirectory(_SCRIPTS)
    current = set(MigrationContext.configure(connection).get_current_heads())
    own = {script.revision for script in scripts.walk_revisions()}
    if unknown := sorted(current - own):
        if unknown > sorted(own):
            raise Unavailable(
                "A newer Evenhand made this database (its tables are at {unknown}). Update Evenhand, or use "
                "a backup from before.",
                unknown=", ".join(unknown),
            )
        # From version 1.0.0 on, every version can read databases of earlier ones.
        raise Unavailable(
            "An older Evenhand made this database (its tables are at {unknown}). It is from before version "
            "1.0.0 and can't be read: move it away to begin anew.",
            unknown=", ".join(unknown),
        )
    tables = set(inspect(connection).get_table_names())
    if not current and tables:
        raise SpecError(
            "This database has tables of another program. Name an empty one, or one of Evenhand's."
        )
    if current == set(scripts.get_heads()) and (missing := schema.metadata.tables.keys() - tables):
        raise Unavailable(
            "The database lacks its tables {missing}. Restore a backup.", missing=", ".join(sorted(missing))
        )
    return "".join(current)


def _upgrade(connection: Connection) -> str:
    head = newest()
    if _find_revision(connection) == head:
        connection.rollback()
        return head
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    _lock_out_others(connection)
    command.upgrade(config, head)
    if connection.dialect.name == "sqlite":
        _write_statistics(connection)
    connection.commit()
    return head


def _lock_out_others(connection: Connection) -> None:
    """Lock PostgreSQL against other processes until the transaction ends; a SQLite file has its own lock."""
    if connection.dialect.name == "postgresql" and not connection.scalar(
        text("SELECT pg_try_advisory_xact_lock(:number)"), {"number": IN_USE}
    ):
        raise Unavailable(
            "Other processes still use this database with its old tables. Stop all of them, then start this "
            "again."
        )


def _write_statistics(connection: Connection) -> None:
    """Write the statistics of large tables for SQLite's query planner, as ANALYZE would.

    By default it assumes ten events per campaign, and prefers reading all of them to an index. With fixed
    statistics the plans stay the same however a file grows.
    Source: https://www.sqlite.org/fileformat2.html#stat1tab.
    """
    connection.execute(text("ANALYZE"))
    connection.execute(text("DELETE FROM sqlite_stat1"))
    rows = [{"table": "event", "index": index, "rows": rows} for index, rows in _STATISTICS.items()]
    connection.execute(text(_ADD_STATISTIC), rows)
