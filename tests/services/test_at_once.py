"""Two who ask in the same instant get what they get one after the other, in one order or the other."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import aiohttp
import pytest
import pytest_asyncio

from bot.campaign.call_commands import CancelCall, CloseCall, ReopenCall
from bot.campaign.call_terms import Form, Terms
from bot.campaign.campaign_commands import ChangeMaster, SetRules
from bot.campaign.campaigns import Master, MasterKind, Remembers
from bot.campaign.command import Caller, RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.deals import DealCards
from bot.campaign.hand_commands import PlayCard
from bot.campaign.imports import Bundle
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError
from bot.systems.registry import read_spec
from tests.services.using import Ask, Services, stands, write
from tests.storage.asking import caller, fair, opened
from tests.support.databases import postgresql_database, sqlite_url, tables

TERMS, HELD, TURNS = Terms(), Terms(hold=True), Terms(Form.INITIATIVE)
DEAL = Terms(Form.DEAL, cards=2, visibility=Visibility.SELF)
HIDDEN = RollOptions(visibility=Visibility.SELF)
_DIE, _CARDS = read_spec({"system": "dice", "base": "1d6"}), {str(n): 1 for n in range(40)}
DECK = write(MakeRoller("Cards", read_spec({"system": "deck", "base": _CARDS}), Remembers.TABLE))


class Pair(NamedTuple):
    """Two things that are asked for at once, by whom, and what was asked for before, one after another."""

    first: Ask
    second: Ask
    before: Sequence[Ask] = ()
    users: tuple[int, int] = (1, 2)


def twice(ask: Ask, *before: Ask, users: tuple[int, int] = (1, 2)) -> Pair:
    """The same from both."""
    return Pair(ask, ask, before, users)


def _start(services: Services, who: Caller) -> Awaitable[object]:
    return services.sessions.start(who)


def _end(services: Services, who: Caller) -> Awaitable[object]:
    return services.sessions.end(who)


def hand(size: int | None) -> Ask:
    """Draw up to so many cards."""
    return lambda services, who: services.hands.draw(who, "cards", size)


def in_campaign(act: Callable[[Services, Caller, int], Awaitable[object]]) -> Ask:
    """Do something in the campaign that is played there."""

    async def ask(services: Services, who: Caller) -> None:
        await act(services, who, await services.histories.played(who))

    return ask


def play(number: int) -> Ask:
    """Play the card of that number."""
    return in_campaign(lambda services, who, at: services.hands.move(who, at, PlayCard(at, number)))


_choose = in_campaign(lambda services, who, at: services.hands.choose(who, at, 2, 0))
_return_others = in_campaign(lambda services, who, at: services.hands.return_others(who, at, 2))
_reveal = in_campaign(lambda services, who, at: services.histories.reveal(who, at, 1))


def call(terms: Terms = TERMS, dice: str = "1d20", seconds: int = 3_600) -> Ask:
    """Call the first two players, for so many seconds."""
    return lambda services, who: services.leading.open(who, terms, dice, seats=(1, 2), seconds=seconds)


async def _expire(services: Services, who: Caller) -> None:
    campaign_id = await services.histories.played(who)
    for board in await services.calls.timed():
        if board.campaign_id == campaign_id:
            await services.calls.expire(board)


def on_call(act: Callable[[Services, Caller, int, int], Awaitable[object]]) -> Ask:
    """Do something with the newest call."""

    async def ask(services: Services, who: Caller) -> None:
        await act(services, who, *(await services.leading.find(who, None)).call.event.at)

    return ask


def lead(command: type[CloseCall | ReopenCall | CancelCall]) -> Ask:
    """Close it, reopen it or call it off."""
    return on_call(lambda services, who, at, seq: services.leading.lead(who, command(at, seq)))


def choose(*seats: int) -> Ask:
    """Call others instead."""
    return on_call(lambda services, who, at, seq: services.leading.choose(who, at, seq, seats))


_answer = on_call(lambda services, who, at, seq: services.calls.answer(who, at, seq))
_answer_for = on_call(lambda services, who, at, seq: services.leading.roll_for_missing(who, at, seq))
_take_hand = on_call(lambda services, who, at, seq: services.calls.take_hand(who, at, seq))
_next = on_call(lambda services, who, at, seq: services.leading.next(who, at, seq, 0))


async def _answer_first(services: Services, who: Caller) -> None:
    """Roll as the first player alone, so that no dice decide the order of turns."""
    await _answer(services, replace(who, user_id=1))


def _undo(services: Services, who: Caller) -> Awaitable[object]:
    return services.rollers.undo(who, "evil")


def _reset(services: Services, who: Caller) -> Awaitable[object]:
    return services.rollers.reset(who)


def _instead(services: Services, who: Caller) -> Awaitable[object]:
    return services.rollers.make_instead(who, "evil", _DIE, Remembers.TABLE)


def create(name: str, *, fresh: bool = True) -> Ask:
    """Make a campaign."""
    return lambda services, who: services.campaigns.create(who, name, fresh=fresh)


def save(text: str, *, shared: bool = False) -> Ask:
    """Save dice under one name."""
    return lambda services, who: services.saved.save(who, "fire", text, shared=shared)


def _remove(services: Services, who: Caller) -> Awaitable[object]:
    return services.saved.remove(who, "fire", shared=True)


def bring(text: str) -> Ask:
    """Bring in dice under that name that all share."""
    return lambda services, who: services.imports.bring(who, Bundle((), shared=(("fire", text),)))


def number(text: str) -> Ask:
    """Set numbers of one's own."""
    return lambda services, who: services.characters.set(who, text)


def _new(services: Services, who: Caller) -> Awaitable[object]:
    return services.characters.new(who, "Lia")


PAIRS = {
    "session start": twice(_start),
    "session start after one": twice(_start, _start, _end),
    "session end": twice(_end, _start),
    "session start and end": Pair(_start, _end, [_start]),
    "hand": twice(hand(5), DECK, users=(1, 1)),
    "hand of one": twice(hand(1), DECK, users=(1, 1)),
    "hands": twice(hand(5), DECK),
    "other hand": Pair(hand(5), hand(3), [DECK], (1, 1)),
    "hand and one": Pair(hand(5), hand(None), [DECK], (1, 1)),
    "play": twice(play(2), DECK, hand(3), users=(9, 9)),
    "play and fill": Pair(play(2), play(3), [DECK, hand(3), write(SetRules(None, {"hand": 4}))], (9, 9)),
    "choose": twice(_choose, DECK, write(DealCards("cards", 3, offer=True)), users=(9, 9)),
    "return": twice(_return_others, DECK, write(DealCards("cards", 3, offer=True)), _choose, users=(9, 9)),
    "reveal": twice(_reveal, write(RollDice("1d6", options=HIDDEN)), users=(9, 9)),
    "call": twice(call()),
    "answer": twice(_answer, call(), users=(1, 1)),
    "answers held": twice(_answer, call(HELD)),
    "answer and for the rest": Pair(_answer, _answer_for, [call()]),
    "for the last": twice(_answer_for, call(), choose(1)),
    "for the rest": twice(_answer_for, call(HELD)),
    "answer and close": Pair(_answer, lead(CloseCall), [call()]),
    "close": twice(lead(CloseCall), call()),
    "close and reopen": Pair(lead(CloseCall), lead(ReopenCall), [call()]),
    "close and cancel": Pair(lead(CloseCall), lead(CancelCall), [call()]),
    "time and close": Pair(_expire, lead(CloseCall), [call(seconds=-1)]),
    "time and reopen": Pair(_expire, lead(ReopenCall), [call(seconds=-1)]),
    "reopen": twice(lead(ReopenCall), call(), lead(CloseCall)),
    "dealt": twice(_take_hand, DECK, call(DEAL, "cards")),
    "choose others": Pair(choose(3), choose(1, 4), [call()]),
    "turn": twice(_next, call(TURNS), _answer_first),
    "roller": Pair(write(fair()), write(fair(tightness="2"))),
    "roller twice": twice(write(fair())),
    "roller instead": twice(_instead, write(fair())),
    "undo": twice(_undo, write(fair()), write(RollDice("evil")), write(RollDice("evil"))),
    "undo the last": twice(_undo, write(fair())),
    "reset": twice(_reset, write(fair()), write(RollDice("evil"))),
    "reset and undo": Pair(_reset, _undo, [write(fair()), write(RollDice("evil"))]),
    "register": twice(write(roll_register(4)), users=(1, 1)),
    "registers": twice(write(roll_register(4))),
    "campaign": twice(create("Keep")),
    "campaigns": Pair(create("Keep"), create("Tower"), [write(RollDice("1d6"))]),
    "campaigns of a history": Pair(
        create("Keep", fresh=False), create("Tower", fresh=False), [write(RollDice("1d6"))]
    ),
    "campaign and game master": Pair(
        write(ChangeMaster(None, Master(MasterKind.USER, 1), named=True)),
        create("Keep", fresh=False),
        [write(RollDice("1d6"))],
    ),
    "rules": Pair(write(SetRules(None, {"pace": 3})), write(SetRules(None, {"hand": 5}))),
    "saved": Pair(save("1d6"), save("2d6"), users=(1, 1)),
    "shared": Pair(save("1d6", shared=True), save("2d6", shared=True)),
    "shared and brought": Pair(save("1d6", shared=True), bring("2d6")),
    "removed and brought": Pair(_remove, bring("2d6"), [save("1d6", shared=True)]),
    "own": twice(save("1d6"), users=(1, 1)),
    "brought": Pair(bring("1d6"), bring("2d6")),
    "numbers": Pair(number("str 3"), number("dex 2"), [number("int 1")], (9, 9)),
    "first numbers": Pair(number("str 3"), number("dex 2"), users=(1, 1)),
    "character": twice(_new, users=(1, 1)),
    "character and numbers": Pair(_new, number("dex 2"), users=(1, 1)),
}


@asynccontextmanager
async def processes(url: str) -> AsyncGenerator[tuple[Services, Services]]:
    """Two that share a database where the engine allows that; else one is both."""
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        one = Services(await stack.enter_async_context(opened(url)), session)
        if url.startswith("sqlite"):
            yield one, one
        else:
            yield one, Services(await stack.enter_async_context(opened(url)), session)


async def told(asked: Awaitable[object]) -> str:
    """What somebody is told where they are refused, with any moment as one."""
    try:
        await asked
    except DiceError as error:
        return re.sub(r"<t:\d+", "<t:", str(error))
    return ""


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


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Return the address of one database for all pairs, on each engine in turn."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path_factory.mktemp("at_once"))
        return
    with postgresql_database(tables()) as url:
        yield url


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def here(shared_url: str) -> AsyncGenerator[tuple[Services, Services]]:
    """Return two processes for all pairs, each of which has servers of its own."""
    async with processes(shared_url) as both:
        yield both


_places = count(11)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS.keys())
async def test_at_once_is_one_after_the_other(here: tuple[Services, Services], pair: Pair) -> None:
    """What both are told, and all that stands then."""
    after = [await outcome(here, pair, next(_places), order) for order in (1, -1)]
    at_once = await outcome(here, pair, next(_places), 0)

    assert at_once in after
