"""Dice against a number in games where low rolls pass: at most, unless somebody says otherwise."""

from fractions import Fraction
from typing import Any

import pytest

from bot.campaign.command import Caller
from bot.parsing.texts import shipped
from tests.support.groups import call, labels, rolls, text
from tests.support.table import Table
from tests.support.tongues import speak
from tests.support.wire import reply


async def test_a_dc_is_at_most_where_low_rolls_pass(t: Table) -> None:
    """In checks and calls on the dice of the game that is played, and only there."""
    before = await t.says(t.ann, "check", dice="d100", dc=100)
    await t.slash(t.mara, "game use", game="cthulhu")
    low = await t.says(t.ann, "check", dice="d100", dc=100)
    behind = await t.says(t.ann, "check", dice="d100+10 vs 110")
    high = await t.says(t.ann, "check", dice="d100", dc=100, under=False)
    other = await t.says(t.ann, "check", dice="d20", dc=30)
    called = text(await call(t, dice="d100", dc=45))
    by_d6 = await t.says(t.ann, "d100 roll", method="table", dc=100)
    by_d6_high = await t.says(t.ann, "d100 roll", method="table", dc=100, under=False)
    await t.slash(t.mara, "game stop")
    after = await t.says(t.ann, "check", dice="d100", dc=100)
    history = await t.whispers(t.ann, "history")

    assert "at most" not in before + high + other + by_d6_high + after
    assert history.count("(`1d100 vs 100`)") == 2
    assert history.count("(`1d100 at most 100`)") == 1
    assert "at most 100" in low
    assert "at most 100" in by_d6
    assert "at most 110" in behind
    assert "at most 45" in called


async def test_a_dc_on_a_luck_account_is_at_most_too(t: Table) -> None:
    """Wherever the account is named: behind the dice or as an option, in rolls, checks, calls and odds."""
    await t.says(t.mara, "roller luck", name="Luck")
    await t.slash(t.mara, "game use", game="cthulhu")
    text_form = "d100 on Luck dc 45"
    option: dict[str, Any] = {"dice": "d100", "roller": "Luck", "dc": 45}
    rolled = [await t.says(t.ann, command, dice=text_form) for command in ("roll", "check")]
    rolled.append(await t.says(t.ann, "check", **option))
    called = [text(await call(t, dice=text_form)), text(await call(t, **option))]
    chances = [
        await t.says(t.ann, "odds", what=text_form),
        await t.says(t.ann, "odds", what="d100", account="Luck", at_most=45),
    ]

    assert all("← 1d100 (" in said and ") at most 45\n" in said for said in rolled)
    assert all("`1d100` on `Luck`, at most 45 passes" in said for said in called)
    assert all(said.startswith("**45%** · `1d100` against at most 45 on **Luck**") for said in chances)


@pytest.mark.parametrize(
    ("game", "dice", "most"), [("cthulhu", "1w100", 100), ("dsa", "1w20", 20), ("gurps", "3w6", 18)]
)
async def test_low_rolls_pass_in_the_dice_of_a_language(t: Table, game: str, dice: str, most: int) -> None:
    """In German a die is a W; checks and calls judge it as a d."""
    await t.slash(t.mara, "game use", game=game)
    speak(t, person="de", server="de")
    check = await t.says(t.ann, "check", dice=dice, dc=most)
    called = text(await t.slash(t.mara, "group call", dice=dice, dc=most))

    assert f"höchstens {most}" in check
    assert f"bestanden bis {most}" in called


async def test_a_roll_against_a_number_is_asked_about(t: Table) -> None:
    """With the game's own roll, and both ways as notation."""
    await t.slash(t.mara, "game use", game="cthulhu")
    refused = await t.slash(t.ann, "roll", dice="d100 vs 45")
    plus = text(await t.slash(t.ann, "roll", dice="d100-10 dc 45"))

    assert text(refused).startswith("In Call of Cthulhu (seventh edition) low rolls pass. Did you mean")
    assert labels(refused) == ["Roll skill 45", "Roll (d100)<=45", "Roll (d100)>=45"]
    assert "at most 45" in reply(await t.press(reply(refused), "Roll (d100)<=45", t.ann)).content
    assert "skill 45" in reply(await t.press(reply(refused), "Roll skill 45", t.ann)).content
    assert plus.endswith("Did you mean `(d100-10)<=45` or `(d100-10)>=45`?")


@pytest.mark.parametrize("key", [game.key for game in shipped().values() if " at or under " in game.help])
def test_every_game_of_low_rolls_names_its_dice(key: str) -> None:
    """But for those that roll several dice, each against the number."""
    assert bool(shipped()[key].under) is not (key in {"modiphius", "dsa"})


@pytest.mark.parametrize("is_earlier", [False, True])
async def test_an_evenings_best_answer_is_a_low_one_where_low_rolls_pass(
    t: Table, *, is_earlier: bool
) -> None:
    """The summary ranks it by what its call asks for, also by one from before the session."""
    if is_earlier:
        called = await call(t, dice="1d100", dc=30, under=True)
        await t.says(t.mara, "session start")
    else:
        await t.says(t.mara, "session start")
        called = await call(t, dice="1d100", dc=30, under=True)
    await rolls(t, called, t.ann)
    await t.says(t.mara, "session end")
    caller = Caller(1, t.guild.id, t.channel.id, t.ann.id)
    (ended,) = await t.app.sessions.latest(caller)
    best = (await t.app.sessions.look_back(1, ended)).best

    assert best
    assert best.chance == Fraction(int(best.result), 100)


@pytest.mark.parametrize("dice", ["skill 45 vs 2", "cthulhu 45 dc 1", "45 dc 2", "skill 45 target 1"])
async def test_a_second_target_is_no_bonus(t: Table, dice: str) -> None:
    """In Call of Cthulhu the skill is the target, and what stands behind "vs" no number of bonus dice."""
    await t.says(t.mara, "game use", game="cthulhu")

    assert (await t.whispers(t.ann, "roll", dice=dice)).startswith("skill is there twice.")


async def test_a_dc_beside_a_roll_that_has_its_target_is_refused(t: Table) -> None:
    """In a check as in a call; where the roll has none yet, the DC is its target."""
    await t.says(t.mara, "game use", game="cthulhu")
    checked = await t.whispers(t.ann, "check", dice="skill 45", dc=2)
    called = await t.whispers(t.mara, "group call", check="Spot", dice="skill 45", dc=2)
    alone = await t.says(t.ann, "roll", dice="skill vs 45")

    assert checked == called
    assert checked.startswith("cthulhu skill 45 shows no number to compare. Leave the DC or the rule out")
    assert "**skill 45**" in alone
