"""A piece of work on the connection that writes, in a transaction of its own between two batches."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.engine import Database
from bot.storage.faults import unsaved

_P = ParamSpec("_P")
_T = TypeVar("_T")


async def work(
    database: Database,
    piece: Callable[Concatenate[Connection, _P], _T],
    /,
    *arguments: _P.args,
    **more: _P.kwargs,
) -> _T:
    """What the piece returns, which commits by itself; Unavailable where the database fails."""
    try:
        async with database.writer.connect() as connection:
            return await connection.run_sync(piece, *arguments, **more)
    except (SQLAlchemyError, OSError) as error:
        raise unsaved(error) from error
