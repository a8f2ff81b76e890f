"""The open database as use cases have it: what writes, what reads, and what reads at length."""

from dataclasses import dataclass
from typing import TypeVar

from bot.campaign.command import Caller, Command
from bot.storage.asking import Piece, Reader
from bot.storage.engine import Database, work
from bot.storage.writer import Writer, Written

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class DataStore:
    """What use cases stand on."""

    database: Database
    writer: Writer
    reader: Reader
    reports: Reader
    """For what takes long."""

    async def ask(self, caller: Caller, command: Command) -> Written:
        """Return what a command came to, once it is durable; it raises what `Writer.write` does."""
        return await self.writer.write(caller, command)

    async def read(self, piece: Piece[_T]) -> _T:
        """Return what a question comes to, in one trip; Unavailable where the database fails."""
        return await self.reader.do(piece)

    async def work(self, piece: Piece[_T]) -> _T:
        """Do a piece in a transaction of its own; Unavailable where the database fails."""
        return await work(self.database, piece)
