"""A stop between the transactions of one request leaves all of what it does, or nothing."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest

from bot.campaign.call_commands import CloseCall
from bot.campaign.call_terms import Form, Terms
from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller
from bot.campaign.hand_commands import DiscardCard
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.storage.engine import Database
from bot.storage.faults import Lost
from bot.storage.queries import Connection
from bot.systems.registry import read_spec
from tests.services.using import Ask, Services, stands, write
from tests.storage.asking import caller, deck, fair, opened
from tests.support.databases import sqlite_url

DECK, OTHER = write(MakeRoller("Cards", deck())), read_spec({"system": "dice", "base": "1d6"})


class Stops:
    """Lets so many transactions through and then none; all of them with None."""

    left: int | None = None

    def watch(self, database: Database) -> Database:
        """The same database, which stops."""

        @asynccontextmanager
        async def writing() -> AsyncGenerator[Connection]:
            if self.left == 0:
                raise Lost
            if self.left:
                self.left -= 1
            async with database.writing() as connection:
                yield connection

        return replace(database, writing=writing)


class Case(NamedTuple):
    """What is asked for, and what was before, one after another."""

    ask: Ask
    before: Sequence[Ask] = ()


async def _call(services: Services, who: Caller) -> None:
    await services.leading.open(who, Terms(dc=10), "1d20", seats=(1, 2), seconds=3_600)


async def _deal(services: Services, who: Caller) -> None:
    terms = Terms(Form.DEAL, visibility=Visibility.SELF, cards=2)
    await services.leading.open(who, terms, "cards", seats=(1, 2))


async def _close(services: Services, who: Caller) -> None:
    found = await services.leading.find(who, None)
    await services.leading.lead(who, CloseCall(*found.call.event.at))


async def _hand(services: Services, who: Caller) -> None:
    await services.hands.draw(who, "cards", 2)


async def _discard(services: Services, who: Caller) -> None:
    campaign_id = await services.histories.played(who)
    await services.hands.move(who, campaign_id, DiscardCard(campaign_id, 3))


async def _prove(services: Services, who: Caller) -> None:
    await services.proving.commit(who, await services.proving.prepare(who), 5)


async def _instead(services: Services, who: Caller) -> None:
    await services.rollers.make_instead(who, "evil", OTHER, Remembers.TABLE)


async def _reset(services: Services, who: Caller) -> None:
    await services.rollers.reset(who)


async def _session(services: Services, who: Caller) -> None:
    await services.sessions.start(who)


async def _create(services: Services, who: Caller) -> None:
    await services.campaigns.create(who, "Keep")


async def _character(services: Services, who: Caller) -> None:
    await services.characters.new(who, "Lia")


async def _save(services: Services, who: Caller) -> None:
    await services.saved.save(who, "fire", "8d6")


ROLL, ROLLERS = write(RollDice("1d6")), [write(fair("evil")), write(fair("own"))]
CASES = {
    "call": Case(_call),
    "deal": Case(_deal, [DECK]),
    "close": Case(_close, [_call]),
    "hand": Case(_hand, [DECK]),
    "discard": Case(_discard, [DECK, write(SetRules(None, {"hand": 2})), _hand]),
    "proof": Case(_prove, [ROLL]),
    "instead": Case(_instead, ROLLERS),
    "reset": Case(_reset, ROLLERS),
    "session": Case(_session),
    "campaign": Case(_create, [ROLL]),
    "character": Case(_character),
    "save": Case(_save),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_a_stop_leaves_all_or_nothing(tmp_path: Path, case: Case) -> None:
    """Whichever of its transactions is the last one."""
    stops, after = Stops(), list[list[list[str]]]()
    async with (
        aiohttp.ClientSession() as session,
        opened(sqlite_url(tmp_path), watched=stops) as storage,
    ):
        services, done, before = Services(storage, session), False, list[list[str]]()
        while not done:
            server = 7 + len(after)
            for ask in case.before:
                await ask(services, _on(server))
            before = await stands(storage, server)
            stops.left = len(after)
            with suppress(Unavailable):
                await case.ask(services, _on(server))
                done = True
            stops.left = None
            after.append(await stands(storage, server))
    *cut_short, whole = after

    assert cut_short
    assert [half for half in cut_short if half not in (before, whole)] == []


def _on(server: int) -> Caller:
    """A game master of a server."""
    return replace(caller(server, 9), guild_id=server)
