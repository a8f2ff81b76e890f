"""A slip of typing: refused in private, with a button that rolls what was meant."""

import re

import pytest

from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply


async def test_a_suggestion_is_a_button_that_rolls_it(t: Table) -> None:
    """Nothing is rolled before the press; then it is rolled as often and with the label as asked for."""
    refused = reply(await t.slash(t.ann, "roll", dice="2w6 + 1", times=2, label="fire"))
    said = reply(await t.press(refused, "Roll 2d6+1 # fire", t.ann)).content

    assert refused.ephemeral
    assert refused.content == "I can't read 'w6'. Here: `2▸w6◂ + 1`. Did you mean `2d6+1`?"
    assert said.startswith("**fire**\n")
    assert len(totals(said)) == 2
    assert numbered(said) == 1
    assert t.seen_by(t.bob) == [said]


async def test_a_suggestion_is_hidden_as_it_was_asked_for(t: Table) -> None:
    """The button keeps the visibility; the history has the roll that was hidden."""
    refused = reply(await t.slash(t.ann, "roll", dice="1w20 # to hit", visibility="self"))
    rolled = await t.press(refused, "Roll 1d20 # to hit", t.ann)

    assert reply(rolled).ephemeral
    assert reply(rolled).content.splitlines()[-1].startswith(f"-# {t.ann.mention} · to hit · ")
    assert t.seen_by(t.bob) == []


async def test_a_comment_is_the_label(t: Table) -> None:
    """What stands behind a # is shown as the roll's label, unless a label is given."""
    assert (await t.says(t.ann, "roll", dice="d20 # to hit")).splitlines()[-1].startswith("-# to hit · ")
    assert (
        (await t.says(t.ann, "roll", dice="d20 # to hit", label="axe"))
        .splitlines()[-1]
        .startswith("-# axe · ")
    )


async def test_a_reading_too_long_for_a_button_is_told(t: Table) -> None:
    """A button's id has room for 100 characters; a longer roll stands in the sentence."""
    said = await t.whispers(t.ann, "roll", dice="1w6" + "+1d6" * 25)

    assert said.endswith(f"Did you mean `1d6{'+1d6' * 25}`?")


async def test_counts_say_successes(t: Table) -> None:
    """A count is no sum, and a target met is told beside what was rolled."""
    assert (await t.says(t.ann, "roll", dice="(1d1)>=1")).startswith("**1** ← 1d1 (1) vs 1\n**Just passes**")
    assert (await t.says(t.ann, "roll", dice="(1d1)>1")).startswith("**failure** ← ")
    assert "success" in (await t.says(t.ann, "roll", dice="5d10>=7")).split(" ← ")[0]


async def test_what_another_program_passes_over_is_shown_as_a_comment(t: Table) -> None:
    """Nobody takes words that it only keeps for words that it understood."""
    refused = reply(await t.slash(t.ann, "roll", dice="5d1 go on"))
    said = reply(await t.press(refused, "Roll 5d1 # go on", t.ann)).content

    assert "Did you mean `5d1 # go on` (in Avrae and Roll20)?" in refused.content
    assert re.match(r"\*\*5\*\* ← .*\n-# <@\d+> · go on · ", said)


async def test_a_games_words_take_a_comment(t: Table) -> None:
    """So that a reading of them keeps the label that was asked for."""
    await t.says(t.mara, "game use", game="gurps")
    refused = await t.slash(t.ann, "roll", dice="Broadsword 12-2")
    said = reply(await t.press(refused, "Roll skill 12-2 # Broadsword", t.ann)).content

    assert " · Broadsword · **skill 10** · " in said
    again = reply(await t.slash(t.ann, "roll", dice="12", label="dodge"))
    assert " · dodge · **skill 12** · " in reply(await t.press(again, "Roll skill 12 # dodge", t.ann)).content


async def test_a_label_behind_a_games_roll_is_offered(t: Table) -> None:
    """Its unknown words stand behind a #; dice never do. Words that may change a roll are called a label."""
    await t.says(t.mara, "game use", game="dnd5")
    asked = await t.slash(t.ann, "roll", dice="attack +5 longsword")
    named = await t.slash(t.ann, "roll", dice="!check stealth")

    assert labels(reply(asked).components) == ["Roll attack +5 # longsword"]
    assert "longsword" in await t.pressed(asked, "Roll attack +5 # longsword", t.ann)
    assert labels(reply(named).components) == ["Roll d20+stealth"]
    assert not labels(reply(await t.slash(t.ann, "roll", dice="attack +5 2d20 twice")).components)
    assert not labels(reply(await t.slash(t.ann, "roll", dice="lancer 2d6")).components)
    said = await t.whispers(t.ann, "roll", dice="attack +5 crit")
    assert said == "dnd5 attack has no 'crit'. Did you mean `attack +5 # crit` (the words as a label)?"


@pytest.mark.parametrize(
    ("game", "text", "buttons"),
    [
        ("vampire", "7d10 hunger 2", ["pool 7d10 hunger 2"]),
        ("vampire", "hunger 2", []),
        ("pbta", "+1 forward", ["move +1 # forward"]),
        ("pbta", "hack and slash +2", ["move +2 # hack and slash"]),
        ("cthulhu", "50 hard", ["skill 50 # hard"]),
        ("cthulhu", "bonus 50", ["skill bonus 50"]),
        ("savage", "fighting d8", ["d8 # fighting", "trait d8 # fighting"]),
        ("daggerheart", "+3 adv", []),
        ("dnd5", "save dc 15", ["d20+save dc 15"]),
        ("dnd5", "seven d6", []),
    ],
)
async def test_a_game_without_usual_dice_offers_its_first_roll(
    t: Table, game: str, text: str, buttons: list[str]
) -> None:
    """Also with its own dice, and with words; no game is offered another one's d20, or a DC as a bonus."""
    await t.says(t.mara, "game use", game=game)
    asked = await t.slash(t.ann, "roll", dice=text)

    assert labels(reply(asked).components) == [f"Roll {button}" for button in buttons]


async def test_a_games_roll_is_repeated_as_dice_are(t: Table) -> None:
    """With its number before a #; what else may repeat it is never taken for a label."""
    await t.says(t.mara, "game use", game="dnd5")
    said = await t.says(t.ann, "roll", dice="3#attack +5 vs 12")
    refused = [reply(await t.slash(t.ann, "roll", dice=text)) for text in ("attack x2", "attack +5 3x")]

    assert said.count("vs AC 12") == 3
    assert "1 to 20 times, not 21" in await t.whispers(t.ann, "roll", dice="21#attack")
    assert [labels(answer.components) for answer in refused] == [[], []]
