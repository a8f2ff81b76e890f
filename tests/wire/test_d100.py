"""/d100: the dice shown, read to base six and added to the value before, are the result shown."""

import re
from functools import reduce

import pytest
from simcord import MemberActor, SetupError

from tests.support.table import Table
from tests.support.tongues import speak
from tests.support.wire import reply

_ROLL = re.compile(r"^\*\*(\d+)\*\* ← (\d)d6 \(([1-6, ]+)\)\n.*read ([\d,]+), start (\d+) → \1 ")


async def rolled(t: Table, actor: MemberActor, **options: int) -> tuple[int, list[int], int, int]:
    """The result, the dice, what they read and the value before, as a reply tells them."""
    said = await t.says(actor, "d100 roll", **options)
    found = _ROLL.match(said)
    assert found, said
    dice = [int(die) for die in found[3].split(", ")]
    assert len(dice) == int(found[2])
    return int(found[1]), dice, int(found[4].replace(",", "")), int(found[5])


def read(dice: list[int]) -> int:
    """The dice as digits to base six, each one less than its face."""
    return reduce(lambda number, die: 6 * number + die - 1, dice, 0)


async def test_under_without_a_dc_asks_for_it(t: Table) -> None:
    """Nothing is rolled, so that no register moves for a check that was none."""
    refused = await t.whispers(t.ann, "d100 roll", under=True)

    assert refused == "At or under what? Add `dc:45`."
    assert (await rolled(t, t.ann, dice=4))[3] == 0


async def test_the_register_is_called_as_it_is_shown(t: Table) -> None:
    """In each language where its name is typed, and in the list and in what is told of an undo."""
    speak(t, person="de", server="de")
    await t.says(t.ann, "d100 roll")
    rolled_again = await t.says(t.ann, "roll", dice="d100-Register")
    undone = await t.says(t.mara, "roller undo", name="d100-register")

    assert " · d100-Register · #2" in rolled_again
    assert "**d100-Register** · " in await t.whispers(t.ann, "roller list")
    assert "`d100-Register` ist wieder wie vorher." in undone
    assert "**d100-Register**" in await t.says(t.ann, "odds", what="d100-Register")


async def test_the_arithmetic_can_be_followed(t: Table) -> None:
    """Each roll adds what its dice read to the value before, modulo 100, and 0 is shown as 100."""
    value = 0
    for number in (*range(1, 10), *[1] * 6):
        shown, dice, reads, before = await rolled(t, t.ann, dice=number)

        assert before == value
        assert len(dice) == number
        assert reads == read(dice)
        value = (value + reads) % 100
        assert shown == (value or 100)


async def test_four_dice_unless_said(t: Table) -> None:
    """Without the option four dice are thrown."""
    assert len((await rolled(t, t.ann))[1]) == 4


async def test_one_to_nine_dice(t: Table) -> None:
    """Discord holds back any other number."""
    for dice in (0, 10):
        with pytest.raises(SetupError):
            await t.slash(t.ann, "d100 roll", dice=dice)


async def test_each_player_and_channel_has_a_register(t: Table) -> None:
    """Bob begins at 0 whatever Ann rolled, and so does Ann in another channel."""
    shown, *_ = await rolled(t, t.ann)
    bobs = await rolled(t, t.bob)
    again = await rolled(t, t.ann)
    other = t.guild.create_text_channel("other")
    elsewhere = reply(await t.ann.slash(other, "d100 roll")).content

    assert bobs[3] == 0
    assert again[3] == shown % 100
    assert ", start 0 → " in elsewhere


async def test_rolling_again_throws_as_many_dice(t: Table) -> None:
    """The button adds to the register with the number of dice that was asked for."""
    first = await t.slash(t.ann, "d100 roll", dice=7)
    shown = _ROLL.match(reply(first).content)
    again = _ROLL.match(await t.pressed(first, "Again", t.ann))

    assert shown
    assert again
    assert again[2] == "7"
    assert int(again[5]) == int(shown[1]) % 100
