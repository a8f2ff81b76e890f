"""Callers with interactions of their own, and open databases for their commands."""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Protocol, TypeVar

from sqlalchemy import text

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller, RollOptions
from bot.campaign.deals import DealCards
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.dice.draws import RecyclingDraws, Source, SourcedDraws, seeded
from bot.dice.system import System
from bot.record.audit import Findings
from bot.services.access import DataStore
from bot.services.privacy import Privacy
from bot.services.verifying import Verifying
from bot.storage.engine import Database, open_database, transact
from bot.storage.erasing import Erased
from bot.storage.queries import Queries, execute
from bot.storage.writer import IDLE_SECONDS, Writer
from bot.systems.registry import read_spec
from bot.times import DISCORD_EPOCH
from tests.support.databases import lay_tables

_T = TypeVar("_T")
_numbers = count(1)


def caller(
    channel: int = 1, user: int = 1, *, ago: float = 0, parent: int | None = None, manages: bool = True
) -> Caller:
    """Somebody who asks for something, so many seconds ago; `parent` is the channel of a thread."""
    moment = int((time.time() - ago) * 1000) - DISCORD_EPOCH
    return Caller((moment << 22) + next(_numbers), 7, channel, user, parent, manages)


def player(channel: int = 1, user: int = 1) -> Caller:
    """Somebody who manages nothing."""
    return caller(channel, user, manages=False)


def gm(channel: int = 1) -> Caller:
    """Return a game master who asks for something, and who manages the server."""
    return caller(channel, user=9, manages=True)


def nobody(channel: int = 1, *, ago: float = 0) -> Caller:
    """Return who asks where time makes an event, so many seconds ago."""
    return Caller.nobody(int((time.time() - ago) * 1000), channel)


def fair(name: str = "evil", memory: Remembers = Remembers.TABLE, tightness: str = "1") -> MakeRoller:
    """Make a fair roller of two faces."""
    system = read_spec({"system": "fair", "base": {"a": 1, "b": 2}, "tightness": tightness})
    return MakeRoller(name, system, memory)


def deck() -> System:
    """Return a deck of four cards."""
    return read_spec({"system": "deck", "base": {"ace": 2, "king": 2}})


def draw() -> DealCards:
    """Draw a card of it into the caller's hand."""
    return DealCards("Cards", options=RollOptions(visibility=Visibility.SELF), hand=True)


@dataclass
class Sourced:
    """Draws that a seed decides, as if their bits were true ones."""

    register: RecyclingDraws
    source: Source = Source.TRUE

    def below(self, n: int) -> int:
        """As the register's."""
        return self.register.below(n)

    def choose(self, weights: Sequence[int]) -> int:
        """As the register's."""
        return self.register.choose(weights)


def seeded_draws(seed: int = 0) -> Callable[[], SourcedDraws]:
    """Return a function that opens draws, roll after roll, on one register with this seed."""
    register = seeded(seed)
    return lambda: Sourced(register)


class Storage(DataStore):
    """An open database, and what stands on it."""

    async def transact(self, queries: Queries[_T]) -> _T:
        """Return the result of queries in a transaction of its own."""
        return await transact(self.database, queries)

    async def numbers(self, sql: str) -> list[int]:
        """Return the integers that a statement of one column selects."""
        return [row[0] for row in await self.reader.do(execute(text(sql)))]


async def forget(storage: Storage, who: Caller) -> Erased:
    """Erase a person, and return what was erased."""
    return await Privacy(storage.database, storage.reader).forget(who)


async def audited(storage: Storage, campaign_id: int = 1) -> Findings:
    """Return the findings of an audit of a campaign's whole history against its ledger."""
    return (await Verifying(storage.reader).check(campaign_id)).findings


class Watching(Protocol):
    """Looks at a database, or stands in its way."""

    def watch(self, database: Database) -> Database:
        """Return the same database, watched."""
        ...


@asynccontextmanager
async def opened(
    url: str, seed: int = 0, idle_seconds: float = IDLE_SECONDS, watched: Watching | None = None
) -> AsyncGenerator[Storage]:
    """Yield the database at an address, with its writer and its reader."""
    lay_tables(url)
    async with open_database(url) as plain:
        database = watched.watch(plain) if watched else plain
        async with aclosing(Writer(database, seeded_draws(seed), idle_seconds)) as writer:
            yield Storage.of(database, writer)
