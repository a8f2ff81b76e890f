"""Open the database, a SQLite file of one process or PostgreSQL shared by many, and run queries on it."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from sqlalchemy.engine import URL

from bot.dice.errors import SpecError, Unavailable
from bot.storage.faults import NO_ANSWER, UNKNOWN, Doubtful, Fault, note, reason, unsaved
from bot.storage.files import (
    check_not_moved,
    check_own,
    check_usable,
    close_to_others,
    drop_unfinished,
    is_in_use,
    make_file,
    make_folder,
    read_address,
    sole_use,
    sqlite_file,
    stamp,
)
from bot.storage.migrating import examine_file, examine_server, migrate
from bot.storage.queries import Connections, Control, Queries
from bot.storage.sqlite import open_sqlite

log = logging.getLogger(__name__)
_OLDEST_SQLITE = 3, 38, 0
"""The first version with strict tables and with PostgreSQL's JSON operator."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Database(Connections):
    """An open database: its connections, and whether other processes may write."""

    outdated: asyncio.Event
    """Set once a newer version has changed the tables; nothing can be written from then on."""
    alone: bool
    """Whether no other process can write; then replies owed by other processes are lost."""
    process: str = field(default_factory=lambda: uuid4().hex)
    """A unique name of this opening."""
    unscrubbed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while the journal still holds erased data, since a reader kept it from being emptied."""


@asynccontextmanager
async def open_database(url: str, *, receiving: bool = False) -> AsyncGenerator[Database]:
    """Open the database at `sqlite:///<file>` or `postgresql://...`, with its tables; close it at the end.

    `receiving` is for a database that another one is moved to: its transactions may take longer than an
    answer. A missing SQLite file is created, with its folder, unless it was moved elsewhere.

    Raise Unavailable, with a sentence for the host of the bot, if another process has the file, it can't be
    opened, the server refuses, or another version made it; SpecError for an invalid address, another
    program's data, or a missing driver.
    """
    address = read_address(url)
    path = sqlite_file(address)
    async with AsyncExitStack() as stack:
        if path:
            _check_version(sqlite3.sqlite_version_info)
            _make_folder(path.parent)
            # Needed: before 3.51.3, two programs that write at the same instant can damage the file.
            stack.enter_context(sole_use(path))
            log.info("SQLite %s at %s", sqlite3.sqlite_version, path)
        with _explained(address, path):
            if path:
                if not receiving:
                    check_not_moved(path)
                drop_unfinished(path)
                if not check_own(path):
                    log.warning(
                        "%s was replaced by a copy; `evenhand restore` would say so in each history", path
                    )
                # Created here with its permissions, so that nobody else can open it.
                make_file(path)
            revision = await migrate(address, path)
            outdated = asyncio.Event()
            if path:
                close_to_others(path)
                stamp(path)
                opening = open_sqlite(path)
            else:
                from bot.storage.postgresql import open_postgresql

                opening = open_postgresql(address, revision, outdated, patient=receiving)
            opened = await stack.enter_async_context(opening)
        yield Database(opened.writing, opened.reader, opened.reports, outdated, alone=path is not None)


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """What opening a database would meet."""

    engine: str
    """The engine's name and version; "" if there is no database yet."""
    revision: str
    """The revision of its tables; "" if it has none yet."""
    is_own: bool = True
    """False if a copy lies in the place of the file that was opened last."""
    is_in_use: bool = False
    """Whether another process has the file now; of a server nobody asks that."""


async def examine(url: str) -> DatabaseState:
    """Look at the database that `open_database` would open, change nothing, and refuse as that would."""
    address = read_address(url)
    path = sqlite_file(address)
    with _explained(address, path):
        if not path:
            return DatabaseState(*await examine_server(address))
        _check_version(sqlite3.sqlite_version_info)
        check_not_moved(path)
        is_own = check_own(path)
        if not path.exists():
            return DatabaseState("", "")
        check_usable(path)
        in_use = is_in_use(path)
        return DatabaseState(f"SQLite {sqlite3.sqlite_version}", await examine_file(path), is_own, in_use)


@contextmanager
def _explained(address: URL, path: Path | None) -> Generator[None]:
    """Turn each error of opening a database into SpecError or Unavailable."""
    try:
        yield
    except (SpecError, Unavailable):
        raise
    except ImportError as error:
        raise SpecError(
            "PostgreSQL needs more than is installed: pipx install --force '.[postgres]'."
        ) from error
    except Exception as error:
        why = reason(error)
        if why is UNKNOWN:
            note(error)
        name = path or address.difference_update_query(["password"]).render_as_string()
        if why is NO_ANSWER:
            raise Unavailable(
                "The database {name} can't be opened, because {reason}. Start this again when it does.",
                name=name,
                reason=why,
            ) from error
        raise Unavailable(
            "The database {name} can't be opened, because {reason}.", name=name, reason=why
        ) from error


def _check_version(version: tuple[int, ...]) -> None:
    if version < _OLDEST_SQLITE:
        has = ".".join(map(str, version))
        raise Unavailable(
            "This Python has SQLite {has}, and Evenhand needs 3.38. Take a newer Python, such as "
            "the container's, or PostgreSQL.",
            has=has,
        )


def _make_folder(folder: Path) -> None:
    try:
        make_folder(folder)
    except OSError as error:
        raise Unavailable(
            "The folder {folder} can't be made: {why}.", folder=folder, why=error.strerror or error
        ) from error


async def transact(database: Database, queries: Queries[_T]) -> _T:
    """Run queries, commit and return their result; raise Unavailable if the database fails."""
    try:
        async with database.writing() as connection:
            return await connection.do(in_transaction(queries))
    except Fault as error:
        note(error)
        raise unsaved(error, doubtful=isinstance(error, Doubtful)) from error


async def scrub(database: Database) -> None:
    """Empty the database's journal of erased data, or leave it to `scrub_again` later."""
    database.unscrubbed.set()
    await scrub_again(database)
    if database.unscrubbed.is_set():
        log.warning("Deleted data stays in the database's journal until nothing reads the journal")


async def scrub_again(database: Database) -> None:
    """Empty the journal, if it holds erased data and nobody reads it any more."""
    if not database.unscrubbed.is_set():
        return
    try:
        async with database.writing() as connection:
            if await connection.do(_empty_journal()):
                database.unscrubbed.clear()
    except Fault as error:
        note(error)


def _empty_journal() -> Queries[bool]:
    """Empty the journal; return False if a reader kept it from being emptied."""
    rows = yield Control.SCRUB
    return not any(row[0] for row in rows)


def in_transaction(queries: Queries[_T]) -> Queries[_T]:
    """Run queries in a transaction and commit it."""
    yield Control.BEGIN
    result = yield from queries
    yield Control.COMMIT
    return result
