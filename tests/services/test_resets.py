"""Resets of all rollers at once: one event each, found again by the interaction that made them."""

import asyncio

import pytest

from bot.campaign.campaign_commands import CreateCampaign, UseCampaign
from bot.campaign.kinds import Kind
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError, NotAllowed, Unknown
from bot.services.rollers import Rollers
from bot.storage import reading
from tests.storage.asking import Storage, caller, fair, gm, player

NAMES = ["ale", "evil", "own"]


async def fill(storage: Storage) -> Rollers:
    """A campaign of two channels with three rollers, each rolled once."""
    await storage.writer.write(gm(1), CreateCampaign("Dragons", fresh=False))
    await storage.writer.write(gm(2), UseCampaign(1))
    for name in NAMES:
        await storage.writer.write(gm(1), fair(name))
        await storage.writer.write(caller(2), RollDice(name))
    return Rollers(storage)


async def memories(storage: Storage) -> list[bool]:
    """For each roller, whether it remembers anything."""
    found = [await storage.reader.do(reading.find_roller(1, name, 1)) for name in NAMES]
    return [memory is not None for _, memory in found]


async def test_a_reset_delivered_twice_is_one(storage: Storage) -> None:
    """All rollers of the campaign forget, wherever they were rolled; the second delivery finds it done."""
    rollers, press = await fill(storage), gm(2)
    before = await memories(storage)
    both = await asyncio.gather(*(rollers.reset(press, why="A new season") for _ in range(2)))
    later = await rollers.reset(press, why="A new season")
    after = await memories(storage)
    count = await storage.numbers("SELECT count(*) FROM event WHERE kind = 'reset'")

    first = both[0]
    assert first == both[1] == later
    assert (before, after, count) == ([True] * 3, [False] * 3, [3])
    assert [(event.kind, event.roller, event.part) for event in first] == [
        (Kind.RESET, name, part) for part, name in enumerate(NAMES, start=1)
    ]
    assert {(event.interaction_id, event.label) for event in first} == {
        (press.interaction_id, "A new season")
    }


async def test_an_undo_spares_what_was_used_since(storage: Storage) -> None:
    """The others come back, from whichever channel; delivered twice, it is one undo."""
    rollers = await fill(storage)
    done = await rollers.reset(gm(1))
    await storage.writer.write(caller(1), RollDice("evil"))
    await storage.writer.write(caller(1), fair("ale", tightness="2"))
    press, made_by = gm(2), done[0].interaction_id or 0
    undone = [await rollers.undo_resets(press, 1, made_by) for _ in range(2)]
    with pytest.raises(DiceError, match="used since then"):
        await rollers.undo_resets(gm(2), 1, made_by)

    assert undone[0] == undone[1]
    assert [(event.roller, event.target, event.part) for event in undone[0]] == [("own", done[2].seq, 0)]


async def test_rollers_are_for_game_masters(storage: Storage) -> None:
    """Nobody else rollers or undoes one; what nobody reset can't be undone."""
    rollers = await fill(storage)
    done = await rollers.reset(gm())
    made_by = done[0].interaction_id or 0
    for doing in (rollers.reset(player()), rollers.undo_resets(player(), 1, made_by)):
        with pytest.raises(NotAllowed, match="Only game masters can do that"):
            await doing
    with pytest.raises(Unknown, match="gone from the history"):
        await rollers.undo_resets(gm(), 1, gm().interaction_id or 0)
    with pytest.raises(Unknown, match="no roller `nobody's` here"):
        await rollers.reset(gm(), "nobody's")
