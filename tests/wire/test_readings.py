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
    said = await t.whispers(t.ann, "roll", dice="attack +5 crit")
    assert said == "dnd5 attack has no 'crit'. Did you mean `attack +5 # crit` (the words as a label)?"


OFFERS: list[tuple[str, str, list[str]]] = [
    (
        "",
        "attack +5 longsword 1d8+3 slashing + 2d6 fire",
        ["(1d20+5)[attack longsword]; (1d8+3)[slashing]+2d6[fire]"],
    ),
    ("", "longbow +7 1d8+4 ac 14", ["(1d20+7)>=14; 1d8+4 # longbow"]),
    ("", "attack +5 +1d4 ac 15", ["1d20+5 +1d4 ac 15 # attack"]),
    ("", "2d10 percentile", ["1d100", "2d10 # percentile"]),
    ("", "wandering monster 1 in 6", ["(1d6)<=1 # wandering monster"]),
    ("", "dex saving throw", ["1d20 # dex saving throw"]),
    ("dnd5", "attack +5 +1d4 ac 15", ["attack +5 bless ac 15"]),
    ("dnd5", "attack +5 bless 1d4", ["attack +5 bless", "attack +5 bless damage 1d4"]),
    ("dnd5", "attack +5 + D6", ["1d20+5+1d6 # attack"]),
    ("dnd5", "climb +1d4", ["d20+1d4 # climb", "1d4 # climb"]),
    ("daggerheart", "attack +5 +1d6", ["attack +5 adv"]),
    ("cosmere", "test +3+1d6", ["d20+3+1d6 # test"]),
    ("pbta", "move +1 +1d6", []),
    ("shadowrun", "12 > 3", ["test 12 vs 3"]),
    ("wod", "7>=6", ["pool 7 vs 6"]),
    ("dragonbane", "12 > 3", []),
    ("traveller", "+2 d20+5 dc 15 stealth", ["(2d20+5)>=15 # stealth"]),
    ("vampire", "hunger 2", []),
    ("pbta", "+1 forward", ["move +1 # forward"]),
    ("dnd5", "attack +7 1d8+4+3d6+1d4", ["d20+7; 1d8+4+3d6+1d4 # attack"]),
    (
        "dnd5",
        "attack +5 adv ac 15 dmg 1d8+3 slashing + 2d6 fire",
        ["attack +5 adv ac 15 1d8+3 + 2d6 # dmg slashing fire"],
    ),
    ("dnd5", "attack +5 1d8+3 + 2d6 fire ac 15", ["attack +5 1d8+3 + 2d6 ac 15 # fire"]),
    ("dnd5", "+5+1d4 dc 15 # bless", ["d20+5+1d4 dc 15 # bless", "(5+1d4)>=15 # bless"]),
    ("daggerheart", "attack +5 1d8+3+2d6+1d4", []),
    ("dnd5", "attack +5 vs the goblin king ac 15", ["attack +5 vs ac 15 # the goblin king"]),
    ("dnd5", "longbow +7/1d8+4", ["attack +7/1d8+4 # longbow"]),
    ("dnd5", "+5 inspiration dc 12", ["(2d20kh1+5)>=12 # inspiration", "(1d20+5)>=12 # inspiration"]),
    ("dnd5", "wisdom +5 bane dc 12", ["(1d20+5-1d4)>=12 # wisdom", "(1d20+5)>=12 # bane, wisdom"]),
    ("dnd5", "+7 1d8+4", ["attack +7 1d8+4"]),
    ("traveller", "gun combat +1 3d6 vs 8", ["(2d6+1)>=8; 3d6 # gun combat"]),
    ("traveller", "attack +1 adv 3d6", []),
    ("marvel", "edge d616+3", ["check+3 edge", "(1d616+3)[edge]"]),
    ("marvel", "trouble d616 dc 12", ["check dc 12 trouble", "(1d616)>=12 # trouble"]),
    ("dnd5", "attack +9/+4", ["1d20+9; 1d20+4 # attack"]),
    ("pbta", "hack and slash +2", ["move +2 # hack and slash"]),
    ("cthulhu", "dodge 52 hard", ["skill 52 hard # dodge"]),
    ("fate", "great +4", ["fate +4 # great"]),
    ("fate", "+2 vs good", ["fate +2 vs good"]),
    ("fate", "fight 3 vs great", ["fate 3 vs great # fight"]),
    ("blades", "resisting 2", ["resist 2"]),
    ("blades", "3d risky", ["action 3d # risky"]),
    ("blades", "2x action 3", ["2#action 3"]),
    ("cthulhu", "damage 3d6x2", []),
    ("fate", "+3 good", ["fate +3 # good"]),
    ("pathfinder", "flat dc 5 poison", ["flat dc 5 # poison"]),
    ("savage", "damage d8+d6 ap 2", []),
    ("savage", "d6 extra", ["trait d6 extra", "d6 # extra"]),
    ("savage", "d8 wild", ["trait d8 wild", "d8 # wild"]),
    ("savage", "d8+d6 damage", ["damage d8+d6", "d8+d6 # damage"]),
    ("lancer", "d20+2 accuracy", ["check d20+2 accuracy", "d20+2 # accuracy"]),
    ("lancer", "+1 difficulty", ["check +1 difficulty", "d20+1 # difficulty"]),
    ("lancer", "+2 1 acc", ["check +2 1 acc"]),
    ("traveller", "+1 boon", ["check +1 boon"]),
    ("morkborg", "+1 dr 14", ["test +1 dr 14"]),
    ("morkborg", "agility +1 dr 12", ["test +1 dr 12 # agility"]),
    ("pathfinder", "fort dc 20", ["check +fort dc 20"]),
    ("pathfinder", "will save dc 22", ["d20+will save dc 22"]),
    ("cyberpunk", "d10+14 vs 15 # handgun", ["check d10+14 vs 15 # handgun", "(1d10+14)>=15 # handgun"]),
    ("daggerheart", "2d12+2 vs 14", ["duality 2d12+2 vs 14", "(2d12+2)>=14"]),
    ("wod", "7d10 vs 6", ["pool 7d10 vs 6", "(7d10)>=6"]),
    ("dragonbane", "d20 vs 14", ["dragonbane 14", "(d20)<=14", "(d20)>=14"]),
    ("wod", "7 @ 6", ["pool 7 @ 6"]),
    ("dsa", "klettern 12/13/14 7", ["skill 12/13/14 7 # klettern"]),
    ("modiphius", "5 cd", ["cd 5"]),
    ("cthulhu", "55%", ["skill 55"]),
    ("ironsworn", "oracle almost certain", ["oracle certain # almost"]),
    ("cthulhu", "1d100 bonus", ["1d100 # bonus"]),
    ("blades", "2 resist", ["resist 2"]),
    ("cod", "pool 6 rote", ["rote 6"]),
    ("dnd5", "attacks longsword +5", ["d20+5 # attacks longsword"]),
    ("pathfinder", "save +9 dc 20", ["check +9 dc 20 # save"]),
    ("pathfinder", "d20+19 dc 15", ["check +19 dc 15", "(1d20+19)>=15"]),
    ("pathfinder", "d20 dc 15", ["check +0 dc 15", "(1d20)>=15"]),
    ("gurps", "3d vs 12", ["skill 12", "(3d6)<=12", "(3d6)>=12"]),
    ("cthulhu", "bonus 50", ["skill bonus 50"]),
    ("savage", "fighting d8", ["d8 # fighting", "trait d8 # fighting"]),
    ("daggerheart", "agility +3 adv", ["duality +3 adv # agility"]),
    ("dnd5", "save dc 15", ["d20+save dc 15"]),
    ("dnd5", "seven d6", ["7d6"]),
    ("blades", "skirmish 3 desperate", ["action 3 # skirmish desperate"]),
    ("gurps", "parry 10 retreat", ["skill 10 # parry retreat"]),
    ("cod", "6 rote 9-again", ["rote 6 9-again"]),
    ("cod", "6 no again please", ["6 no again # please"]),
    ("vampire", "7 no hunger", []),
    ("wod", "7d10 10 again", []),
    ("savage", "2d8 raise", ["damage 2d8 raise", "2d8 # raise"]),
    ("traveller", "+2 very difficult", ["check +2 very difficult", "2d6+2 # very difficult"]),
    ("traveller", "gun combat +2 difficult", ["check +2 difficult # gun combat"]),
    ("mothership", "d10 [-]", ["2d10kl1"]),
    ("dnd5", "attack +5 thrice", ["3#attack +5"]),
    ("dnd5", "attack three times", ["3#attack"]),
    ("cthulhu", "spot hidden 45%", ["skill 45 # spot hidden"]),
    ("cod", "7d10 again", ["7d10 # again"]),
    ("dnd5", "con save +3 dc 12 adv", ["check +3 dc 12 adv # con save"]),
    ("dnd5", "longsword +5 ac 15 adv", ["attack +5 ac 15 adv # longsword"]),
    ("dnd5", "longsword +5 dc 15 1d8+3", ["attack +5 dc 15 1d8+3 # longsword"]),
    ("dnd5", "longsword +5 vs ac 15, 1d8+3", ["attack +5 vs ac 15, 1d8+3 # longsword"]),
    ("dnd5", "2 attacks +7 ac 15 1d8+4", ["2#attack +7 ac 15 1d8+4"]),
    ("blades", "2 actions 3", ["2#action 3"]),
    ("blades", "action 2, resist 3", []),
    ("dnd5", "attack +5, +3", []),
    ("dsa", "klettern 12/13/14 fw 7", ["skill 12/13/14 fw 7 # klettern"]),
    ("pathfinder", "save +3 dc 15 fortune", ["check +3 dc 15 fortune # save"]),
    ("traveller", "2d6+1 easy # climb", ["check 2d6+1 easy # climb", "2d6+1 # easy, climb"]),
    ("pbta", "roll +2", ["move +2"]),
    ("fate", "create an advantage +3", ["fate +3 # create an advantage"]),
    ("savage", "attack d8 vs 7 d8+d6+d4", []),
    ("shadowrun", "test 12 boost 5", []),
    ("age", "strength (might) +5 tn 15", ["test +5 tn 15 # strength (might)"]),
    ("alien", "6d6 + 2 stress", ["alien 6d6 + 2 stress", "6d6 + 2 # stress"]),
    ("cypher", "attack level 3", ["task level 3 # attack"]),
    ("dsa", "mut 13", ["check 13 # mut"]),
    ("dsa", "12 13", []),
    ("essence", "targeting d8 dif 15", ["skill d8 dif 15 # targeting"]),
    ("essence", "d4 dc 10", ["skill d4 dc 10", "(1d4)>=10"]),
    ("essence", "d20+d8 vs 15", ["skill d20+d8 vs 15", "(1d20+1d8)>=15"]),
    ("fabula", "d10+d8+1 vs 10", ["check d10+d8+1 vs 10", "(1d10+1d8+1)>=10"]),
    ("hero", "stealth 13-", ["skill 13 # stealth"]),
    ("hero", "3d6 vs 13", ["skill 13", "(3d6)<=13", "(3d6)>=13"]),
    ("hero", "2d6+1 killing", ["killing 2d6+1", "2d6+1 # killing"]),
    ("marvel", "d616+5 # smash", ["check+5 # smash", "1d616+5 # smash"]),
    ("openlegend", "agility 4 adv 1", ["edge 4 adv 1 # agility"]),
    ("rolemaster", "attack +65", ["maneuver +65 # attack"]),
    ("hero", "attack 7 vs 5", ["hit 7 vs 5 # attack"]),
    ("cthulhu", "spot 45% hard", ["skill 45% hard # spot"]),
    ("deltagreen", "45% -20", ["test 45% -20"]),
    ("vampire", "strength 3 brawl 2 hunger 1", ["pool 3 +2 hunger 1 # strength, brawl"]),
    ("shadowrun", "agility 5 pistols 6 limit 6", ["test 5 +6 limit 6 # agility, pistols"]),
    ("yearzero", "4b2s1g", ["mixed 4b2s1g"]),
]
"""Games, what is typed where they are played, and the rolls of its buttons; without a game first."""


async def test_a_game_without_usual_dice_offers_its_first_roll(t: Table) -> None:
    """Also with its own dice, and with words; no game is offered another one's d20, or a DC as a bonus."""
    for game, dice, buttons in OFFERS:
        if game:
            await t.says(t.mara, "game use", game=game)
        asked = await t.slash(t.ann, "roll", dice=dice)

        assert labels(reply(asked).components) == [f"Roll {button}" for button in buttons], (game, dice)


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
    assert [labels(answer.components) for answer in refused] == [["Roll 2#attack"], []]


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
