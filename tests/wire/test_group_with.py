"""Roll with …: what a player adds to a called roll, and what is refused."""

import pytest

from tests.support.groups import adds, call, text
from tests.support.table import Table, entries
from tests.support.tongues import speak

NAME = "A saved roll of yours or a game's words will do too."


async def test_what_is_added_counts(t: Table) -> None:
    """A modifier, a bare number, further dice."""
    for added, shown in (
        ("+5", "**25** ← 20d1 ("),
        ("5", "**25** ← 20d1 ("),
        ("-25", "**-5** ← 20d1 ("),
        ("+1d1", "**21** ← 20d1 ("),
    ):
        called = await call(t, "20d1")
        answer = await adds(t, called, t.ann, added)

        assert answer.content.startswith(shown), added
        assert f"{t.ann.mention} **" in text(called), added


async def test_advantage_and_saved_rolls(t: Table) -> None:
    """The history says what was rolled: the call's die doubled, a saved roll in their place, or as called."""
    await t.whispers(t.ann, "save", name="Fang", dice="3d6+1")
    for added, text_of in (
        ("adv", "2d20kh1+2"),
        (" DIS -1 ", "2d20kl1+2-1"),
        ("adv +1d4", "2d20kh1+2+1d4"),
        ("fang", "3d6+1"),
    ):
        called = await call(t, "1d20+2")
        await adds(t, called, t.ann, added)
        newest = entries(await t.whispers(t.bob, "history"))[0]

        assert newest.endswith(f"(`{text_of}`)"), added


@pytest.mark.parametrize("tongue", ["en-US", "de"])
async def test_the_same_in_other_words_is_the_same(t: Table, tongue: str) -> None:
    """Advantage behind what is added, "with" before it, one's own number alone, a German die."""
    speak(t, person=tongue)
    await t.whispers(t.ann, "me", set="dex 3")
    await t.whispers(t.ann, "save", name="Fang", dice="3d6+1")
    die, advantage = ("1d4", "with advantage") if tongue == "en-US" else ("1W4", "mit Vorteil")
    texts = {
        "2d20kh1+2+1d4": [f"+{die} {advantage}", f"{advantage} +{die}"],
        "1d20+2+3": ["dex", "+dex"],
        "2d20kh1+2+3": [f"+dex {advantage}", f"{advantage} +dex"],
        "3d6+1+1d4": [f"Fang+{die}"],
    }
    for dice, typed in texts.items():
        for added in typed:
            await adds(t, await call(t, "1d20+2"), t.ann, added)
            assert f"(`{dice}`)" in (await t.whispers(t.bob, "history")).partition("\n")[0]


async def test_what_can_not_be_added_is_told_and_nothing_rolled(t: Table) -> None:
    """A private sentence without columns that nobody typed; another's saved roll is none of one's own."""
    await t.whispers(t.bob, "save", name="Fang", dice="3d6+1")
    await t.whispers(t.ann, "save", name="Thrice", dice="3#d6")
    called = await call(t, "1d20+2")
    for added, says in (
        ("nonsense", "Type something like +5, +1d4, adv, dis or adv +5. " + NAME),
        ("+", "I can't roll that with + added. Something is missing after `"),
        ("+1000d6", "I can't roll that with +1000d6 added. At most 100 dice"),
        ("fang", NAME),
        ("thrice", "Everybody rolls once for a call."),
    ):
        answer = (await adds(t, called, t.ann, added)).content
        history = await t.whispers(t.bob, "history")

        assert says in answer, added
        assert "column" not in answer, added
        assert "already" not in answer, added
        assert len(entries(history)) == 1, added


async def test_the_best_outcome_of_a_games_roll_counts(t: Table) -> None:
    """In a group action, without dice too, and with a rating of one's own; a number is no such outcome."""
    worst_first = ("failure", "partial", "success", "critical")
    await t.says(t.mara, "game use", game="blades")
    await t.whispers(t.bob, "save", name="Prowl", dice="action 4")
    await t.whispers(t.mara, "save", name="Leap", dice="1d6+6")
    called = await call(t, "action 0", rule="highest")
    answers = [await t.pressed(called, "Roll", t.ann), (await adds(t, called, t.bob, "Prowl")).content]
    outcomes = [next(name for name in worst_first if name in answer.splitlines()[0]) for answer in answers]
    await adds(t, called, t.mara, "Leap")
    refused = await adds(t, await call(t, "1d20", rule="lowest"), t.bob, "Prowl")

    assert f"So far: the highest is {max(outcomes, key=worst_first.index)}." in text(called)
    assert "shows no number to compare" in refused.content
