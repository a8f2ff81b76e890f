from fractions import Fraction

import pytest

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.roller_commands import ResetRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError, NotationError, Unknown
from bot.dice.system import Json, System
from bot.services.rollers import Rollers
from bot.systems.registry import read_spec
from cogs.kit.options import choice_list
from tests.storage.asking import Storage, caller, gm

FAIR: dict[str, Json] = {"system": "fair", "base": "1d2", "tightness": "1"}


async def make(
    rollers: Rollers, who: Caller, name: str, spec: dict[str, Json], memory: Remembers
) -> tuple[Event, System]:
    """A roller is made of its parameters."""
    return await rollers.make_of(who, name, lambda: read_spec(dict(spec)), memory)


async def test_an_undo_delivered_twice_is_one(storage: Storage) -> None:
    """The second delivery is answered the same, and takes nothing more back."""
    rollers = Rollers(storage)
    await make(rollers, gm(), "evil", FAIR, Remembers.TABLE)
    for _ in range(2):
        await storage.writer.write(caller(), RollDice("evil"))
    press = gm()

    assert await rollers.undo(press, "evil") == await rollers.undo(press, "evil")
    assert await storage.numbers("SELECT last FROM roller") == [2]


async def test_what_makes_no_roller_is_refused(storage: Storage) -> None:
    """A name or a rule that is none is refused in words, and leaves no campaign behind."""
    rollers = Rollers(storage)
    refused: list[tuple[str, dict[str, Json]]] = [
        ("\u3164\u200b``", FAIR),
        ("2d6", FAIR),
        ("evil", {"system": "evil"}),
        ("evil", {**FAIR, "base": "999999d999999"}),
        ("evil", {**FAIR, "tightness": "much"}),
        ("evil", {**FAIR, "colour": "red"}),
    ]
    for name, spec in refused:
        with pytest.raises(DiceError):
            await make(rollers, gm(), name, spec, Remembers.TABLE)
    for name in ("evil", "\0", "x" * 5_000, ""):
        with pytest.raises(Unknown):
            await storage.writer.write(gm(), ResetRoller(name))
        with pytest.raises(Unknown):
            await rollers.get(gm(), name, for_masters=True)
        with pytest.raises(NotationError):
            await rollers.odds(caller(), name)

    assert await storage.numbers("SELECT count(*) FROM campaign") == [0]


async def test_rollers_are_found_and_suggested(storage: Storage) -> None:
    """What was typed is found anywhere in a name, in any case; 25 at most, of this channel alone."""
    rollers = Rollers(storage)
    for n in range(30):
        await make(rollers, gm(), f"Roller {n}", FAIR, Remembers.TABLE)
    await make(rollers, gm(channel=2), "other", FAIR, Remembers.TABLE)

    assert await rollers.suggest(caller(), " ER 1") == ["Roller 1", *(f"Roller 1{n}" for n in range(10))]
    assert len(choice_list(await rollers.suggest(caller(), ""))) == 25
    assert await rollers.suggest(caller(), "other") == []
    assert await rollers.suggest(caller(9), "") == []
    assert (await rollers.get(gm(), " roller 7 ", for_masters=True))[0].name == "Roller 7"


@pytest.mark.parametrize("memory", Remembers)
async def test_odds_are_those_of_the_next_roll(storage: Storage, memory: Remembers) -> None:
    """After one roll of a fair coin of tightness 1, what came out has 1/3: for all, or for who rolled."""
    rollers = Rollers(storage)
    await make(rollers, gm(), "Penny", FAIR, memory)
    before = await rollers.odds(caller(), "penny")
    face = (await storage.writer.write(caller(user=1), RollDice("penny"))).event.roll.results[0]
    mine, others = await rollers.odds(caller(), "PENNY"), await rollers.odds(caller(user=2), "penny")

    even = (Fraction(1, 2), Fraction(1, 2))
    moved = (Fraction(1, 3), Fraction(2, 3)) if face == "1" else (Fraction(2, 3), Fraction(1, 3))
    assert (before.chances().base, before.chances().now) == (even, even)
    assert (mine.name, mine.chances().base, mine.chances().now, mine.memory) == (
        "Penny",
        even,
        moved,
        memory,
    )
    assert others.chances().now == (moved if memory is Remembers.TABLE else even)
