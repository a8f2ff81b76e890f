"""A slip of typing: refused in private, with a button that rolls what was meant."""

import re

import pytest

from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.tongues import speak
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


async def test_a_refusal_quotes_what_was_typed(t: Table) -> None:
    """And not the English words that another language's become; a repeat is never a label."""
    speak(t, person="de")
    under = reply(await t.slash(t.ann, "roll", dice="W20 unter 14"))
    unknown = reply(await t.slash(t.ann, "roll", dice="2W6 foo 3"))
    repeated = reply(await t.slash(t.ann, "roll", dice="zweimal W20"))

    assert under.content.startswith("„W20 unter 14“ kann ich nicht lesen. Meinst du `(1d20)<=14`")
    assert unknown.content.startswith("„foo“ kann ich nicht lesen. Hier: `2W6 ▸foo◂ 3`.")
    assert labels(repeated.components) == ["2#1d20 würfeln", "2*1d20 würfeln"]


async def test_an_unknown_number_is_asked_for_in_each_language(t: Table) -> None:
    """Its name is no English word."""
    speak(t, person="de")

    assert (await t.slash(t.ann, "roll", dice="W20+Heimlichkeit")).modal


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", "Vorteil gegen"),
        ("es", "ventaja contra"),
        ("fr", "avantage contre"),
        ("pt-BR", "vantagem contra"),
    ],
)
async def test_an_advantage_against_a_number_of_ones_own_is_read(t: Table, code: str, words: str) -> None:
    """In each language, also where the game has an option of that name."""
    await t.says(t.mara, "game use", game="dnd5")
    await t.whispers(t.ann, "me", set="ge 40")
    speak(t, person=code)

    assert re.search(r"2d20kh1 .* vs 40\n", await t.says(t.ann, "roll", dice=f"d1 + d20 {words} ge"))


async def test_usual_dice_behind_a_sign_are_rolled(t: Table) -> None:
    """Nobody adds them to themselves."""
    for game, dice in (("dnd5", "+1d20+5"), ("traveller", "+2D6+1 # gun combat")):
        await t.says(t.mara, "game use", game=game)

        assert "←" in await t.says(t.ann, "roll", dice=dice), dice


async def test_words_that_only_other_dice_of_the_game_have_are_a_tag(t: Table) -> None:
    """No roll of the game takes these dice."""
    await t.says(t.mara, "game use", game="coriolis")

    assert "[sixes]" in await t.says(t.ann, "roll", dice="1d1 sixes")


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
    assert (await t.says(t.ann, "roll", dice="(1d1)>1")).startswith("**1** ← 1d1 (1) vs 2\n**Fails by 1**")
    assert (await t.says(t.ann, "roll", dice="(1d1)=1")).startswith("**success** ← ")
    assert "success" in (await t.says(t.ann, "roll", dice="5d10>=7")).split(" ← ")[0]


async def test_one_die_against_a_number_is_a_check(t: Table) -> None:
    """So is each of several sums: the total comes first. Only dice of a pool are counted."""
    for text in ("1d2>=2", "2d2kh1>=2", "(1d2)>=2 dex save"):
        said = await t.says(t.ann, "roll", dice=text)
        verdict = r"\*\*(1\*\* ← .* vs 2\n\*\*Fails by 1|2\*\* ← .* vs 2\n\*\*Just passes)\*\*\n"
        assert re.match(verdict, said), said
    several = await t.says(t.ann, "roll", dice="3#1d1+5 vs 15")
    history = await t.whispers(t.ann, "history")

    assert several.startswith("**6** ← 1d1 (1) + 5 vs 15 · fails by 9\n" * 3 + "**0 of 3 pass.**\n")
    assert re.search(r"\*\*[12]\*\* \(`1d2 vs 2`\)", history)
    assert "success" in (await t.says(t.ann, "roll", dice="2d2>=2")).split(" ← ")[0]


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
    twice = reply(await t.slash(t.ann, "roll", dice="attack +5 2d20 twice"))
    assert labels(twice.components) == ["Roll 2#attack +5 2d20"]
    lancer = reply(await t.slash(t.ann, "roll", dice="lancer 2d6"))
    assert labels(lancer.components) == ["Roll 2d6 # lancer"]
    said = await t.whispers(t.ann, "roll", dice="check +5 crit")
    assert said == "D&D check has no 'crit'. Did you mean `check +5 # crit` (the words as a label)?"
    said = await t.whispers(t.ann, "roll", dice="attack +5 crit")
    assert said == "In D&D attack crit takes a number, 15 to 20."


async def test_no_word_hides_names_or_a_games_roll(t: Table) -> None:
    """As none hides dice; of the numbers in these Ann has said her stealth."""
    await t.whispers(t.ann, "me", set="stealth 4")
    for game, text, button in (
        ("", "d20+stealth hidden", "d20+stealth # hidden"),
        ("", "d20+climb gm only", "d20+climb # gm only"),
        ("", "!rh d20+stealth", "d20+stealth # rh"),
        ("dnd5", "/w gm stealth adv", "stealth adv # w gm"),
        ("dnd5", "/gmroll attack +5", "attack +5 # gmroll"),
        ("dnd5", "stealth dc 15 secretly", "stealth dc 15 # secretly"),
        ("dnd5", "climb hidden", "d20+climb # hidden"),
        ("dnd5", "attack +5 ac 15 hidden", "attack +5 ac 15 # hidden"),
        ("cthulhu", "skill 55 (secret)", "skill 55 # secret"),
    ):
        if game:
            await t.says(t.mara, "game use", game=game)
        asked = reply(await t.slash(t.ann, "roll", dice=text))

        assert asked.content.startswith("No word hides a roll. For a hidden one, choose its `visibility`. ")
        assert labels(asked.components) == [f"Roll {button}"], text


async def test_a_games_roll_is_repeated_as_dice_are(t: Table) -> None:
    """With its number before a #; what else may repeat it is never taken for a label."""
    await t.says(t.mara, "game use", game="dnd5")
    said = await t.says(t.ann, "roll", dice="3#attack +5 vs 12")
    refused = [reply(await t.slash(t.ann, "roll", dice=text)) for text in ("attack x2", "attack +5 3x")]

    assert said.count("vs AC 12") == 3
    assert "1 to 20 times, not 21" in await t.whispers(t.ann, "roll", dice="21#attack")
    assert [labels(answer.components) for answer in refused] == [["Roll 2#attack"], ["Roll 3#attack +5"]]


async def test_a_reading_for_monsters_keeps_names_label_and_visibility(t: Table) -> None:
    """Only what is one roll is offered; the press rolls it for each of them, as it was asked for."""
    options = {"count": 2, "names": "Orc, Wolf", "label": "Ambush", "visibility": "self"}
    refused = reply(await t.slash(t.mara, "group npc", dice="d20+5 d8", **options))
    rolled = reply(await t.press(refused, "Roll 1d20+5d8", t.mara))

    assert refused.ephemeral
    assert labels(refused.components) == ["Roll 1d20+5d8"]
    assert rolled.ephemeral
    assert [line.split(" **")[0] for line in rolled.content.splitlines()[:3]] == ["**Ambush**", "Orc", "Wolf"]


async def test_a_reading_of_odds_keeps_what_was_asked(t: Table) -> None:
    """The press answers in public, with the ends that were given."""
    refused = reply(await t.slash(t.ann, "odds", what="d20 d20", at_least=15))
    answer = reply(await t.press(refused, "Odds of 1d20+1d20", t.ann))

    assert refused.ephemeral
    assert not answer.ephemeral
    assert answer.content == reply(await t.slash(t.ann, "odds", what="1d20+1d20", at_least=15)).content
    assert labels(reply(await t.slash(t.ann, "odds", what="d20 d20", after="3")).components) == []
    assert "**39.9%** · shaken" in await t.says(t.ann, "odds", what="savage damage d8+d6+2 vs 7")
