"""A piece of work on the station that writes, in a transaction of its own between two batches."""

from typing import TypeVar

from bot.storage.asking import Control, Piece
from bot.storage.engine import Database
from bot.storage.faults import Fault, unsaved

_T = TypeVar("_T")


async def work(database: Database, piece: Piece[_T]) -> _T:
    """Do a piece, commit and return its result; Unavailable where the database fails."""
    try:
        async with database.writing() as station:
            return await station.do(committed(piece))
    except Fault as error:
        raise unsaved(error) from error


async def scrub(database: Database) -> None:
    """Let what was erased leave the database's journal too."""
    async with database.writing() as station:
        await station.do(_scrubbed())


def _scrubbed() -> Piece[None]:
    yield Control.SCRUB


def committed(piece: Piece[_T]) -> Piece[_T]:
    """Do a piece in a transaction and commit it."""
    yield Control.BEGIN
    result = yield from piece
    yield Control.COMMIT
    return result
