"""/roll: what each option does, what is offered while one types, and the button under the result."""

import re

import pytest
from simcord import SetupError

from tests.support.table import Table, numbered, totals
from tests.support.wire import reply

NOTATIONS = [
    *("2d6+3", "4d6kh3", "d%", "4dF", "2d20kl1", "8d6!", "2d6ro<2", "5d10>=7", "6#4d6kh3", "adv", "dis"),
    *("(1d6+1)*2-1", "7d6//2", "2d6[fire]+1d4", "1d20 adv", "1d20dis+5"),
]


async def test_every_notation_is_rolled(t: Table) -> None:
    """Each way of writing dice that the issue names gives a numbered public result."""
    for number, dice in enumerate(NOTATIONS, start=1):
        said = await t.says(t.ann, "roll", dice=dice)

        assert numbered(said) == number, said
        assert all(re.fullmatch(r"-?\d+( success(es)?)?", total) for total in totals(said)), said
        assert len(totals(said)) == (6 if "#" in dice else 1), said
        assert t.seen_by(t.bob)[-1] == said


async def test_the_result_is_first_and_the_dice_add_up(t: Table) -> None:
    """The total is bold and first, the dice follow, and those that were dropped are struck."""
    for _ in range(10):
        said = await t.says(t.ann, "roll", dice="4d6kh3 + 3")
        shown = re.match(r"\*\*(\d+)\*\* ← 4d6kh3 \((.*?)\) \+ 3\n", said)

        assert shown, said
        dice = shown[2].split(", ")
        kept = [int(die) for die in dice if "~~" not in die]
        dropped = [int(die.strip("~")) for die in dice if "~~" in die]
        assert (len(kept), len(dropped)) == (3, 1)
        assert int(shown[1]) == sum(kept) + 3
        assert min(kept) >= dropped[0]


async def test_times_gives_each_roll_its_own_result(t: Table) -> None:
    """Five times is five results under one number, and one entry of the history."""
    said = await t.says(t.ann, "roll", dice="1d20", times=5)
    after = await t.says(t.ann, "roll", dice="1d20")

    assert len(totals(said)) == 5
    assert len(said.splitlines()) == 6
    assert numbered(after) == numbered(said) + 1


async def test_discord_holds_back_what_is_too_much(t: Table) -> None:
    """The limits are part of the command, so that a wrong value can't even be sent."""
    for option, value in (("times", 0), ("times", 21), ("label", "x" * 81)):
        with pytest.raises(SetupError):
            await t.slash(t.ann, "roll", dice="1d6", **{option: value})


async def test_a_label_stands_under_the_result_and_mentions_nobody(t: Table) -> None:
    """It has none of the characters that mention people."""
    said = await t.says(t.ann, "roll", dice="1d6", label="Fire `@everyone` <@1>\u202e!")

    assert said.endswith("\n-# Fire everyone 1! · #1")


async def test_a_roller_is_rolled_by_its_name_in_any_case(t: Table) -> None:
    """A roller's name is taken before notation, and the result carries the roller's tag."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6", tightness="1.5")
    said = await t.says(t.ann, "roll", dice=" lUCK ")

    assert "**Luck** · fair 2d6" in said


async def test_plain_dice_carry_no_tag(t: Table) -> None:
    """Nothing of a fair roller shows on plain dice, though there is one of the same dice."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    said = await t.says(t.ann, "roll", dice="2d6")

    assert "fair" not in said


async def test_only_who_rolled_rolls_again(t: Table) -> None:
    """The button repeats dice, times and label for the roller; anybody else is refused in private."""
    first = await t.slash(t.ann, "roll", dice="1d20+1", times=2, label="Sneak")
    refused = reply(await t.press(first, "Again", t.bob))
    mara = reply(await t.press(first, "Again", t.mara))
    again = await t.press(first, "Again", t.ann)
    third = await t.pressed(again, "Again", t.ann)

    assert refused.ephemeral
    assert mara.ephemeral
    assert "somebody else's" in refused.content
    assert not reply(again).ephemeral
    assert [numbered(reply(again).content), numbered(third)] == [2, 3]
    assert third.startswith("**Sneak**\n")
    assert len(totals(third)) == 2


async def test_rolling_a_roller_again_moves_its_memory_on(t: Table) -> None:
    """Six presses on a deck of a d6 draw the six cards: the button rolls the roller, not its dice."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards", dice="1d6")
    drawn = await t.slash(t.ann, "roll", dice="cards")
    faces = totals(reply(drawn).content)
    for _ in range(5):
        drawn = await t.press(drawn, "Again", t.ann)
        faces += totals(reply(drawn).content)

    assert sorted(faces) == ["1", "2", "3", "4", "5", "6"]


async def test_the_longest_result_is_one_message(t: Table) -> None:
    """Twenty rolls of many tagged terms with a long label are still a reply that Discord takes."""
    dice = "+".join(["1d4[abcdefgh]"] * 14)
    said = await t.says(t.ann, "roll", dice=dice, times=20, label="x" * 80)

    assert len(totals(said)) == 20
    assert len(said) <= 2_000


async def test_rolls_against_each_other_say_who_wins(t: Table) -> None:
    """The first side is whoever rolls; a plain number is a target to meet."""
    assert (await t.says(t.ann, "roll", dice="1d1+4 vs 1d1")).startswith(
        "**wins by 4** ← 1d1 (1) + 4 = 5 vs 1d1 (1) = 1\n"
    )
    assert (await t.says(t.ann, "roll", dice="1d1+4 vs 12")).startswith(
        "**5** ← 1d1 (1) + 4 vs 12\n**Fails by 7**\n"
    )
    assert (await t.says(t.ann, "roll", dice="1d1 vs 1d1")).startswith("**a tie** ←")
