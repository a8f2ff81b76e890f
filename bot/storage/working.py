"""A piece of work on the station that writes, in a transaction of its own between two batches."""

import logging
from typing import TypeVar

from bot.storage.asking import Control, Piece
from bot.storage.engine import Database
from bot.storage.faults import Fault, note, unsaved

_T = TypeVar("_T")
_TRIES = 3
_log = logging.getLogger(__name__)


async def work(database: Database, piece: Piece[_T]) -> _T:
    """Do a piece, commit and return its result; Unavailable where the database fails."""
    try:
        async with database.writing() as station:
            return await station.do(committed(piece))
    except Fault as error:
        note(error)
        raise unsaved(error) from error


async def scrub(database: Database) -> None:
    """Let what was erased leave the database's journal too."""
    try:
        async with database.writing() as station:
            for _ in range(_TRIES):
                if await station.do(_scrubbed()):
                    return
    except Fault as error:
        note(error)
    _log.warning("What was deleted stays in the database's journal until the next deletion, or a restart")


def _scrubbed() -> Piece[bool]:
    """Return whether the journal could be emptied: not while somebody reads what stands in it."""
    rows = yield Control.SCRUB
    return not any(row[0] for row in rows)


def committed(piece: Piece[_T]) -> Piece[_T]:
    """Do a piece in a transaction and commit it."""
    yield Control.BEGIN
    result = yield from piece
    yield Control.COMMIT
    return result
