"""Two who ask in the same instant get what they get one after the other, in one order or the other."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import pytest
from sqlalchemy import text

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller
from bot.campaign.roller_commands import MakeRoller
from bot.dice.errors import DiceError
from bot.services.calls import Calls
from bot.services.campaigns import Campaigns
from bot.services.characters import Characters
from bot.services.games import Games
from bot.services.hands import Dealing
from bot.services.histories import Histories
from bot.services.imports import Imports
from bot.services.leading import Leading
from bot.services.pace import Pace
from bot.services.rollers import Rollers
from bot.services.saved import Saved
from bot.services.sessions import Sessions
from bot.storage.queries import one
from bot.systems.registry import read_spec
from tests.storage.asking import Storage, caller, opened


@dataclass
class Services:
    """The use cases of one process."""

    storage: Storage

    def __post_init__(self) -> None:
        storage = self.storage
        self.sessions, self.hands = Sessions(storage), Dealing(storage, Pace())
        self.rollers, self.saved = Rollers(storage), Saved(storage)
        self.calls = Calls(storage, self.saved)
        self.leading, self.campaigns = Leading(storage, self.calls), Campaigns(storage)
        self.characters, self.games = Characters(storage), Games(storage)
        self.histories = Histories(storage)
        self.imports = Imports(storage, self.rollers, self.saved)


Ask: TypeAlias = Callable[[Services, Caller], Awaitable[object]]


class Pair(NamedTuple):
    """Two things that are asked for at once, by whom, and what was asked for before, one after another."""

    first: Ask
    second: Ask
    before: Sequence[Ask] = ()
    users: tuple[int, int] = (1, 2)


def twice(ask: Ask, *before: Ask, users: tuple[int, int] = (1, 2)) -> Pair:
    """The same from both."""
    return Pair(ask, ask, before, users)


def _deck(services: Services, who: Caller) -> Awaitable[object]:
    system = read_spec({"system": "deck", "base": {str(n): 1 for n in range(40)}})
    return services.storage.writer.write(who, MakeRoller("Cards", system, Remembers.TABLE))


def _hand(size: int) -> Ask:
    return lambda services, who: services.hands.draw(who, "cards", size)


def _start(services: Services, who: Caller) -> Awaitable[object]:
    return services.sessions.start(who)


def _end(services: Services, who: Caller) -> Awaitable[object]:
    return services.sessions.end(who)


PAIRS = {
    "session start": twice(_start),
    "session start after one": twice(_start, _start, _end),
    "session end": twice(_end, _start),
    "session start and end": Pair(_start, _end, [_start]),
    "hand": twice(_hand(5), _deck, users=(1, 1)),
    "hands": twice(_hand(5), _deck),
    "other hand": Pair(_hand(5), _hand(3), [_deck], (1, 1)),
}

_IDS = text("SELECT id FROM campaign WHERE home = :home ORDER BY id")
_STANDS = (
    "SELECT seq, kind, user_id, visibility, roller_key, target, label FROM event WHERE campaign_id = :it",
    "SELECT user_id, count(*) FROM hand WHERE campaign_id = :it GROUP BY user_id",
    "SELECT key, name, spec_id, memory, epoch FROM roller WHERE campaign_id = :it",
    "SELECT user_id, key, name, text FROM saved WHERE campaign_id = :it",
    "SELECT user_id, key, numbers FROM character WHERE campaign_id = :it",
    "SELECT seq, due FROM board WHERE campaign_id = :it",
    "SELECT seq, user_id FROM seat WHERE campaign_id = :it",
    "SELECT name, archived, rules, evening, seq FROM campaign WHERE id = :it",
)


@asynccontextmanager
async def processes(url: str) -> AsyncGenerator[tuple[Services, Services]]:
    """Two that share a database where the engine allows that; else one is both."""
    async with AsyncExitStack() as stack:
        one = Services(await stack.enter_async_context(opened(url)))
        other = one if url.startswith("sqlite") else Services(await stack.enter_async_context(opened(url)))
        yield one, other


async def told(asked: Awaitable[object]) -> str:
    """What somebody is told where they are refused."""
    try:
        await asked
    except DiceError as error:
        return str(error)
    return ""


async def stands(storage: Storage, home: int) -> list[object]:
    """All that is there of a server's campaigns."""
    asked = [
        (sql, {"it": row[0]}) for row in await storage.reader.do(one(_IDS, {"home": home})) for sql in _STANDS
    ]
    return [sorted(map(repr, map(tuple, await storage.reader.do(one(text(sql), it))))) for sql, it in asked]


async def outcome(here: tuple[Services, Services], pair: Pair, place: int, order: int) -> list[object]:
    """What both were told and what stands after it, on a server of its own; `order` 0 is at once."""

    def who(user: int) -> Caller:
        return replace(caller(place, user), guild_id=place)

    for ask in pair.before:
        await ask(here[0], who(9))
    asked = [(pair.first, here[0], who(pair.users[0])), (pair.second, here[1], who(pair.users[1]))]
    if order == 0:
        said = await asyncio.gather(*(told(ask(services, user)) for ask, services, user in asked))
    else:
        said = ["", ""]
        for turn in (0, 1)[::order]:
            ask, services, user = asked[turn]
            said[turn] = await told(ask(services, user))
    return [said, await stands(here[0].storage, place)]


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS.keys())
async def test_at_once_is_one_after_the_other(database_url: str, pair: Pair) -> None:
    """What both are told, and all that stands then."""
    async with processes(database_url) as here:
        after = [await outcome(here, pair, place, order) for place, order in ((11, 1), (12, -1))]
        at_once = await outcome(here, pair, 13, 0)

    assert at_once in after
