"""What people type in evenings of several games: it is rolled as the game has it, or asked about."""

import pytest

from tests.support.groups import labels, text
from tests.support.table import Table, totals
from tests.support.tongues import speak
from tests.support.wire import reply

SKILLS = "dodge 4, spot hidden 55"


async def _asked(t: Table, game: str, numbers: str, dice: str) -> list[str]:
    """Return the buttons below what Ann typed."""
    await t.says(t.mara, "game use", game=game)
    await t.whispers(t.ann, "me", set=numbers)
    return labels(await t.slash(t.ann, "roll", dice=dice))


async def test_ones_own_numbers_make_the_games_roll(t: Table) -> None:
    """Added up, except for what is added to a die's sides."""
    for game, numbers, dice, shown in (
        ("shadowrun", "agi 5, pistols 4", "agi+pistols", "**test 9 need 1**"),
        ("shadowrun", "agi 5, pistols 4", "agi + pistols - 2", "**test 7 need 1**"),
        ("pbta", "cool 2", "+cool", "**move +2**"),
        ("pbta", "cool 2", "roll +cool", "**move +2**"),
        ("pbta", "cool 2", "move+cool+1", "**move +3**"),
        ("savage", "fighting 10, parry 6", "fighting-2", "**trait 10 plus -2 target 4**"),
        ("savage", "fighting 10, parry 6", "trait fighting vs parry", "**trait 10 target 6**"),
        ("fate", "fight 4", "fate+fight", "**fate 4**"),
    ):
        await t.says(t.mara, "game use", game=game)
        await t.whispers(t.ann, "me", set=numbers)

        assert shown in await t.says(t.ann, "roll", dice=dice), dice


@pytest.mark.parametrize(
    ("game", "numbers", "dice", "buttons"),
    [
        ("pbta", "dex 1", "defy danger dex", ["Roll move +1 # defy danger"]),
        ("pbta", "cool 2", "act under fire +cool", ["Roll move +2 # act under fire"]),
        ("pbta", "cool 2", "move +cool +1 forward", ["Roll move +2 +1 # forward"]),
        ("cthulhu", SKILLS, "dodge 40 hard", ["Roll skill 40 hard # dodge"]),
        ("cthulhu", SKILLS, "hard spot hidden", ["Roll spot hidden hard"]),
        ("cthulhu", SKILLS, "spto hidden", ["Roll spot hidden"]),
        ("fate", SKILLS, "dodge good", ["Roll fate +4 # good"]),
        (
            "savage",
            "fighting 10",
            "fighting d8",
            ["Roll d8 # fighting", "Roll trait d8 # fighting", "Roll (fighting)d8"],
        ),
    ],
)
async def test_no_number_becomes_a_label(
    t: Table, game: str, numbers: str, dice: str, buttons: list[str]
) -> None:
    """What is offered keeps each of them, or nothing is; nor is it added to a number of one's own."""
    assert await _asked(t, game, numbers, dice) == buttons


async def test_a_number_that_nobody_knows_is_asked_for(t: Table) -> None:
    """As one behind dice is; the roll does not go without it."""
    await t.says(t.mara, "game use", game="pbta")
    for dice in ("2d6+hot", "hot+cool", "move +hot", "move+hot+1", "roll+hot"):
        asked = await t.slash(t.ann, "roll", dice=dice)

        assert asked.modal, dice


async def test_low_rolls_pass_against_named_numbers_too(t: Table) -> None:
    """So the roll is asked about, label or not."""
    for dice, number in (
        ("3d6 vs sword", 14),
        ("3d6 vs dx-2", 10),
        ("3d6 vs 12-2", 10),
        ("3d6 dc 9 mace", 9),
    ):
        buttons = await _asked(t, "gurps", "dx 12, sword 14", dice)

        assert [button.partition(" # ")[0] for button in buttons] == [
            f"Roll {each}" for each in (f"skill {number}", f"(3d6)<={number}", f"(3d6)>={number}")
        ], dice
        assert all(button.endswith(" # mace") for button in buttons) is ("mace" in dice), dice


async def test_dice_of_another_language_are_asked_about_too(t: Table) -> None:
    """A German W6 is a d6, in rollers and figures as well."""
    await t.says(t.mara, "game use", game="gurps")
    speak(t, person="de")
    asked = await t.slash(t.ann, "roll", dice="3w6 gegen 12")
    made = await t.says(t.mara, "roller fair", name="Luck", dice="2w6")
    await t.says(t.ann, "roll", dice="2w6")

    assert len(labels(asked)) == 3
    assert "2d6" in made
    assert "`d6`" in await t.whispers(t.ann, "stats", roller="2w6")


async def test_a_check_puts_its_dc_into_the_games_roll(t: Table) -> None:
    """Where the roll has a target; in Cyberpunk the total must come above it."""
    shown = [
        await t.says(t.ann, "check", dice=dice, dc=3)
        for dice in ("fate 3", "shadowrun 12", "cyberpunk 10", "traveller +1", "dnd5 attack +5")
    ]

    for words, line in zip(
        ("fate 3 diff 3", "test 12 need 3", "check 10 dv 3", "check +1 target 3", "attack +5 ac 3"),
        shown,
        strict=True,
    ):
        assert words in line
    called = text(await t.slash(t.mara, "group call", check="Fight", dice="shadowrun 12", dc=3))
    assert "`test 12 need 3`" in called


async def test_a_call_says_which_dice_it_lacks(t: Table) -> None:
    """With an example of the game, or a button for what was meant."""
    lacking = await t.slash(t.mara, "group call", check="Prowl", dc=12)
    called = await t.press(lacking, "Call for 1d20+Prowl", t.mara)
    await t.says(t.mara, "game use", game="blades")
    by_name = text(await t.slash(t.mara, "group call", check="Prowl"))
    pool = await t.slash(t.mara, "group call", check="Prowl", dice="2d")
    order = text(await t.slash(t.mara, "group initiative"))
    await t.says(t.mara, "game use", game="fabula")
    unnamed = text(await t.slash(t.mara, "group call", check="Might"))
    await t.says(t.mara, "game use", game="pathfinder")
    save = await t.slash(t.mara, "group call", check="Reflex", dice="save +7", dc=22)

    assert "Which dice are for `Prowl`? Give them, such as `dice:1d20`." in text(lacking)
    assert labels(lacking) == ["Call for 1d20", "Call for 1d20+Prowl"]
    assert "**Prowl** · `1d20+Prowl` against DC 12" in text(called)
    assert "**Prowl** · `action Prowl`" in by_name
    assert unnamed.startswith("Which dice are for `Might`? Give them, such as `dice:fabula ")
    assert labels(pool) == ["Call for action 2d"]
    assert order == "Which dice decide the order? Add `dice:`, such as `dice:1d10`."
    assert labels(save) == ["Call for d20+7 # save"]


async def test_an_initiative_is_on_the_games_usual_dice(t: Table) -> None:
    """On a d20 without a game."""
    plain = text(await t.slash(t.mara, "group initiative"))
    await t.says(t.mara, "game use", game="traveller")

    assert "`1d20`" in plain
    assert "`2d6`" in text(await t.slash(t.mara, "group initiative"))


async def test_odds_take_the_results_behind_dice(t: Table) -> None:
    """One, a range, or so many and more; a name stays without its sign."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    for what, answer in (
        ("2d6 = 7", "**16.7%** · 7 on `2d6`"),
        ("Luck==7", "**16.7%** · 7 on **Luck**"),
        ("Luck 6-8", "**44.4%** · 6 to 8 on **Luck**"),
        ("2d6 6 to 8", "**44.4%** · 6 to 8 on `2d6`"),
        ("Luck 8+", "**41.7%** · 8 or more on **Luck**"),
        ("Luck >= 8", "**41.7%** · 8 or more on **Luck**"),
        ("Luck+1 > 8", "**41.7%** · 9 or more on **Luck+1**"),
    ):
        assert (await t.says(t.ann, "odds", what=what)).startswith(answer), what


async def test_what_odds_and_figures_lack_is_offered(t: Table) -> None:
    """A name that is nearly right, and the die of several."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.says(t.ann, "roll", dice="2d6")
    near = text(await t.slash(t.ann, "odds", what="Lukc"))
    successes = text(await t.slash(t.ann, "odds", what="12d6 5+"))

    assert near.endswith("Did you mean `Luck`?")
    assert successes.endswith("Did you mean `12d6>=5` (each die) or `(12d6)>=5` (the total)?")
    assert await t.whispers(t.ann, "stats", roller="2d6+1") == "Plain dice count one by one. Take `d6`."


async def test_a_roller_several_times_is_offered(t: Table) -> None:
    """As dice are, with one button."""
    await t.says(t.mara, "roller fair", name="Luck", dice="1d1+4")
    for dice in ("2 Luck", "Luck x2", "2x Luck", "Luck times 2"):
        asked = await t.slash(t.ann, "roll", dice=dice)

        assert labels(asked) == ["Roll 2#Luck"], dice
        assert totals(reply(await t.press(asked, "Roll 2#Luck", t.ann)).content) == ["5", "5"], dice


async def test_what_stands_behind_a_roller_is_not_made_up(t: Table) -> None:
    """Two numbers are no bonus."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")

    assert labels(await t.slash(t.ann, "roll", dice="Luck 5 2")) == []
