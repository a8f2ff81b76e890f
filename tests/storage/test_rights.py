"""Who may is decided on the state that the command changes: nobody's right outlives their dismissal."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from itertools import permutations, product

import pytest

from bot.campaign.call_commands import (
    CancelCall,
    CloseCall,
    OpenCall,
    ReopenCall,
    RevealCall,
    RollForNames,
)
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Terms
from bot.campaign.campaign_commands import (
    ArchiveCampaign,
    ChangeMaster,
    CreateCampaign,
    MarkSession,
    RenameCampaign,
    SetRules,
    UseCampaign,
)
from bot.campaign.campaigns import Master, MasterKind
from bot.campaign.command import Caller, Command, Drawing, Plain, RollOptions
from bot.campaign.events import MasterChanged, RollerReset
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Mark, Visibility
from bot.campaign.proof_commands import CommitKeys, DropKeys
from bot.campaign.roller_commands import RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import Source
from bot.dice.errors import DiceError, NotAllowed, Unavailable
from bot.storage import reading
from bot.storage.transactions import Written
from tests.storage.asking import Storage, fair, gm, opened, player

BOB, ROUNDS = 5, 96
MASTER = Master(MasterKind.USER, BOB)
NAME, DISMISS = ChangeMaster(None, MASTER, named=True), ChangeMaster(None, MASTER, named=False)


def bob(channel: int = 1) -> Caller:
    """Somebody whose only right is that they are named."""
    return player(channel, BOB)


async def begun(storage: Storage) -> None:
    """A campaign with a roller, a call and a session, which Bob leads too; and a channel of its own."""
    for command in (CreateCampaign("Keep", fresh=False), fair("evil"), OpenCall("1d20", Terms()), NAME):
        await storage.writer.write(gm(), command)
    await storage.writer.write(gm(2), CreateCampaign("Tower", fresh=True))


async def test_a_reset_never_comes_after_the_dismissal(database_url: str) -> None:
    """In every order in which they are asked for together, of one process or of two, each of them twice."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(opened(database_url))
        apart = database_url.startswith("postgresql")
        two = await stack.enter_async_context(opened(database_url)) if apart else one
        await begun(one)
        asked = ((gm, DISMISS), (bob, ResetRoller("evil")), (gm, NAME))
        ways = [*product(permutations(asked), product((one, two), repeat=3))]
        for turn in range(ROUNDS):
            order, places = ways[turn % len(ways)]
            await asyncio.gather(
                *(place.writer.write(who(), what) for (who, what), place in zip(order, places, strict=True)),
                return_exceptions=True,
            )
            with suppress(DiceError, Unavailable):
                await one.writer.write(gm(), NAME)
        rows = await one.reader.do(reading.page(1, limit=5 * ROUNDS))

    # What stands in the history counts, whatever was answered.
    led, resets = False, list[bool]()
    for event in (row.event for row in reversed(rows)):
        if isinstance(event.body, MasterChanged):
            led = event.body.named
        elif isinstance(event.body, RollerReset):
            resets.append(led)

    assert resets
    assert resets.count(False) == 0


FOR_GMS: tuple[Command, ...] = (
    fair("new"),
    ResetRoller("evil"),
    UndoRoller("evil"),
    RemoveRoller("evil"),
    SetRules(None, {"pace": 3}),
    MarkSession(Mark.START),
    RenameCampaign(None, "Hall"),
    ArchiveCampaign(None),
    ChangeMaster(None, Master(MasterKind.USER, 6), named=True),
    UseCampaign(None),
    OpenCall("1d20", Terms()),
    CloseCall(1, 3),
    ReopenCall(1, 3),
    CancelCall(1, 3),
    RevealCall(1, 3),
    RollForNames("1d20", ("Orc",)),
    CommitKeys(None, "", b"", Source.LOCAL),
    DropKeys(),
)
"""Each command that is for game masters, as Bob asks for it."""
IN_PART: tuple[type[Command], ...] = (AnswerCall, Reveal)
"""Those that are for everybody, but not in everything; they have tests of their own."""
FOR_ALL = {
    *("ChooseCard", "ChooseDice", "CreateCampaign", "DealCards", "GiveRound", "GiveSalt", "PushRoll"),
    *("DiscardCard", "PlayCard", "ResetRegister", "ReturnCard", "ReturnOffered", "TakeBack"),
    *("RollCheck", "RollDestination", "RollDice", "RollMethod", "ShowKeys"),
}
"""Those that everybody may ask for, or nobody: time and the bot itself ask for rounds and shown keys."""


def test_every_command_says_who_may() -> None:
    """A new one stands in one of these lists, and what is for game masters says so."""
    known = {type(command) for command in FOR_GMS} | {*IN_PART}
    found = {
        one.__name__
        for one in _commands(Plain, Drawing)
        if one.__module__.startswith("bot.") and one.__name__[0] != "_"
    }

    assert found == {one.__name__ for one in known} | FOR_ALL
    assert {one for one in known if not one.gm} == {Reveal}


def _commands(*bases: type[Command]) -> Iterator[type[Command]]:
    for base in bases:
        below = base.__subclasses__()
        if not below:
            yield base
        yield from _commands(*below)


async def test_the_dismissed_may_do_none_of_it(storage: Storage) -> None:
    """Asked for beside the dismissal, in one batch, all is refused, and nothing of it is written."""
    await begun(storage)
    dismissed, *refused = await asyncio.gather(
        storage.writer.write(gm(), DISMISS),
        *(storage.writer.write(bob(), command) for command in FOR_GMS),
        return_exceptions=True,
    )
    count = await storage.numbers("SELECT count(*) FROM event WHERE campaign_id = 1")

    assert isinstance(dismissed, Written)
    assert [one for one in refused if not isinstance(one, NotAllowed)] == []
    assert count == [5]


async def test_rolling_for_others_and_showing_is_for_who_leads_now(storage: Storage) -> None:
    """What everybody may do for themselves they may not for others, nor show what is hidden from them."""
    others = replace(player(user=7), hand=BOB)
    await begun(storage)
    blind = RollDice("2d6", options=RollOptions(visibility=Visibility.BLIND))
    hidden = [(await storage.writer.write(gm(), blind)).event.seq for _ in range(2)]
    await storage.writer.write(bob(), Reveal(None, hidden[0]))
    await storage.writer.write(gm(), DISMISS)
    with pytest.raises(NotAllowed, match="hidden from you"):
        await storage.writer.write(bob(), Reveal(None, hidden[1]))
    with pytest.raises(NotAllowed, match="Only game masters can do that"):
        await storage.writer.write(others, AnswerCall(1, 3))

    assert (await storage.writer.write(player(user=7), AnswerCall(1, 3))).event.seq == 9
