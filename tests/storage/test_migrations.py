import asyncio
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from bot.storage.engine import open_database
from bot.storage.schema import metadata
from tests.support.databases import sqlite_url


def differences(connection: Connection) -> list[object]:
    """What would have to be done to bring the tables to what `schema` says."""
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


async def test_revisions_lead_to_the_schema(database_url: str) -> None:
    """The tables that the revisions make are those that the statements are built on."""
    async with open_database(database_url) as database, database.reader.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_opening_again_changes_nothing(database_url: str) -> None:
    """A database that is up to date opens as it is."""
    async with open_database(database_url):
        pass
    async with open_database(database_url) as database, database.reader.connect() as connection:
        versions = await connection.execute(text("SELECT version_num FROM alembic_version"))

        assert versions.scalars().all() == ["0006"]


async def test_processes_that_start_together_both_open(postgresql_url: str) -> None:
    """Of two that find an empty PostgreSQL database, one makes the tables and the other waits for it."""

    async def start() -> str:
        async with open_database(postgresql_url) as database:
            return database.process

    processes = await asyncio.gather(*(start() for _ in range(3)))

    assert len(set(processes)) == 3


async def test_sqlite_tables_are_strict(tmp_path: Path) -> None:
    """Every table of ours refuses values of another type, and the history is stored in its own order."""
    async with open_database(sqlite_url(tmp_path)) as database, database.reader.connect() as connection:
        rows = await connection.execute(text("SELECT name, strict, wr FROM pragma_table_list"))
        tables = {row.name: (row.strict, row.wr) for row in rows if row.name in metadata.tables}

    assert tables.keys() == metadata.tables.keys()
    assert all(strict for strict, _ in tables.values())
    assert tables["event"] == (1, 1)
