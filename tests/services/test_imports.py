"""Bringing in, on real databases: once for each interaction, and also where nothing was played yet."""

import asyncio

import pytest

from bot.campaign.campaigns import Remembers
from bot.campaign.imports import Bundle, ImportedRoller
from bot.campaign.roller_commands import MakeRoller, RemoveRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import NotationError
from bot.services.imports import Imports
from bot.services.rollers import Rollers
from bot.services.saved import Saved
from bot.systems.registry import load_spec
from tests.storage.asking import Storage, caller, gm, opened

FAIR = '{"system":"fair","base":"2d6","tightness":"1"}'
DIE = '{"system":"dice","base":"1d6"}'
BUNDLE = Bundle(
    (
        ImportedRoller("evil", FAIR, Remembers.PLAYER),
        ImportedRoller("evil", DIE),
        ImportedRoller("odd", "{}"),
        ImportedRoller("die", DIE),
        ImportedRoller("die", DIE),
    ),
    (("fire", "8d6"), ("malice", "evil"), ("fire", "9d6")),
)


def imports(storage: Storage) -> tuple[Imports, Saved]:
    """The use cases."""
    saved = Saved(storage)
    return Imports(storage, Rollers(storage), saved), saved


async def test_an_interaction_brings_in_once(storage: Storage) -> None:
    """A second delivery comes to the same; a command of its own finds that all is there."""
    service, saved = imports(storage)
    press = gm()
    first = await service.bring(press, BUNDLE)
    again = await service.bring(press, BUNDLE)
    later = await service.bring(gm(), BUNDLE)
    numbers = await storage.numbers("SELECT seq FROM event ORDER BY seq")
    kept = await saved.all(press)

    assert repr(first) == repr(again)  # errors are equal to themselves alone
    assert [(event.seq, event.roller) for event, _ in first.rollers] == [(1, "evil"), (2, "die")]
    assert [system for _, system in first.rollers] == [load_spec(FAIR), load_spec(DIE)]
    assert first.saved == ("fire", "malice")
    assert [one.name for one in first.skipped] == ["evil", "odd", "fire"]
    assert numbers == [1, 2]
    assert later.rollers == ()
    assert [one.name for one in later.skipped] == ["evil", "odd", "evil", "die", "fire"]
    assert kept == [("fire", "8d6"), ("malice", "evil")]


async def test_a_roller_that_was_removed_can_be_brought_in(storage: Storage) -> None:
    """What was made by somebody else under its name meanwhile stays."""
    service, _ = imports(storage)
    await storage.writer.write(caller(), MakeRoller("Die", load_spec(FAIR)))
    kept_out = await service.bring(gm(), BUNDLE)
    await storage.writer.write(gm(), RemoveRoller("die"))
    brought = await service.bring(gm(), BUNDLE)

    assert [event.roller for event, _ in kept_out.rollers] == ["evil"]
    assert [event.roller for event, _ in brought.rollers] == ["die"]


async def test_a_roll_is_saved_where_nothing_was_played(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The campaign is made for it, for a thread its parent's; it stays though commands come to nothing."""
    async with opened(database_url) as storage:
        _, saved = imports(storage)
        thread = caller(channel=5, parent=4)
        await saved.save(thread, "fire", "8d6")
        failed, rolled = await asyncio.gather(
            storage.writer.write(caller(channel=4), RollDice("nothing")),
            storage.writer.write(caller(channel=3), RollDice("1d6")),
            return_exceptions=True,
        )
        after = await storage.writer.write(caller(channel=4), RollDice("1d6"))
        kept = [await saved.all(place) for place in (thread, caller(channel=4), caller(channel=3))]
        joined = await storage.numbers("SELECT channel_id FROM channel ORDER BY channel_id")

    assert isinstance(failed, NotationError)
    assert not isinstance(rolled, BaseException)
    assert "redone" not in caplog.text
    assert kept == [[("fire", "8d6")], [("fire", "8d6")], []]
    assert after.event.seq == 1
    assert joined == [3, 4, 5]
