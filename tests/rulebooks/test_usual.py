"""A bonus alone is on the dice that are usual in the game that is played, and asked about elsewhere."""

from pathlib import Path

import pytest

import bot
from bot.dice.errors import SpecError
from bot.dice.notation import parse
from bot.parsing.texts import shipped
from bot.rulebooks.book import read_game
from bot.rulebooks.played import on_usual
from bot.rulebooks.words import understand


@pytest.mark.parametrize(
    ("text", "key", "ours"),
    [
        ("+7", "dnd5", "1d20+7"),
        (" - 2 ", "traveller", "2d6-2"),
        ("+7-5", "dnd5", "1d20+7-5"),
        ("+7 adv vs 15", "dnd5", "(2d20kh1+7)>=15"),
    ],
)
def test_a_bonus_alone_is_on_the_usual_dice(text: str, key: str, ours: str) -> None:
    """Of the game that is played."""
    assert str(parse(on_usual(text, shipped()[key]))) == ours


@pytest.mark.parametrize("text", ["2d6", "d20+7", "7", "+7+1d4", "attack +7"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    """Also where the game says what is usual."""
    assert on_usual(text, shipped()["dnd5"]) == text
    assert on_usual("+8 dc 20", shipped()["pathfinder"]) == "check +8 dc 20"
    assert on_usual("+1 vs 14", shipped()["morkborg"]) == "test +1 vs 14"
    assert on_usual("+7", None) == on_usual("+7", shipped()["wod"]) == "+7"


@pytest.mark.parametrize("text", ["dnd5 attack +5 ac", "wod 7 diff", "dnd5 check +5 dc adv"])
def test_a_target_without_its_number_is_asked_for(text: str) -> None:
    """It is no 1."""
    with pytest.raises(SpecError, match=r" (ac|diff|dc) takes a number, \d"):
        understand(text, shipped(), None)


def test_every_game_that_says_so_says_dice() -> None:
    """What else stands there is refused."""
    assert {game.usual for game in shipped().values()} == {"", "d20", "2d6"}
    blades = (Path(bot.__file__).parent / "games" / "blades.json").read_text(encoding="utf-8")
    with pytest.raises(SpecError, match="usual is dice"):
        read_game(blades.replace('"rolls"', '"usual": "two dice", "rolls"', 1))


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("attack+5", "dnd5", "dnd5 attack bonus 5"),
        ("attack +5 vs 15", "dnd5", "dnd5 attack bonus 5 ac 15"),
        ("attack + 5", "dnd5", "dnd5 attack bonus 5"),
        ("attack +5 vs dc 15", "dnd5", "dnd5 attack bonus 5 ac 15"),
        ("check +5 against dc 15", "dnd5", "dnd5 check bonus 5 dc 15"),
        ("attack +5 1d8+3 +2", "dnd5", "dnd5 attack bonus 7 1d8+3"),
        ("fate 3 vs 2", "fate", "fate roll 3 diff 2"),
        ("trait d8 +2 vs 6", "savage", "savage trait 8 plus 2 target 6"),
        ("move+1 +1", "pbta", "pbta move stat 2"),
        ("skill 12-4", "gurps", "gurps skill 8"),
        ("skill 12 +2 -1", "gurps", "gurps skill 13"),
        ("attack 12 -5 vs 20", "pathfinder", "pathfinder attack bonus 7 ac 20"),
        ("pool 4 + 3 6", "wod", "wod pool 7 diff 6"),
        ("pool d8 d6 d8", "cortex", "cortex pool d6 1 d8 2"),
        ("pool 2d8 d6", "cortex", "cortex pool d6 1 d8 2"),
        ("yygppb", "genesys", "genesys check ability 1 proficiency 2 difficulty 2 boost 1"),
        ("2g 1y 2p", "starwars", "starwars check ability 2 proficiency 1 difficulty 2"),
        ("check 2y1r", "genesys", "genesys check proficiency 2 challenge 1"),
        ("check 3+2", "l5r", "l5r check 3 skill 2"),
        ("3 ring 2 skill", "l5r", "l5r check 3 skill 2"),
        ("pool 3+2", "vampire", "vampire pool 5 diff 1"),
        ("pool 7+3", "cod", "cod pool 10"),
        ("pool 7-2", "cod", "cod pool 5"),
        ("fate 3 +2", "fate", "fate roll 5"),
        ("3+2 hunger 1", "vampire", "vampire pool 5 hunger 1 diff 1"),
        ("7 h2", "vampire", "vampire pool 7 hunger 2 diff 1"),
        ("7 h 2", "vampire", "vampire pool 7 hunger 2 diff 1"),
        ("7 h 2 diff 3", "vampire", "vampire pool 7 hunger 2 diff 3"),
        ("5 s 2", "alien", "alien roll 5 stress 2"),
        ("2d light", "trophy", "trophy risk light 2"),
        ("1d light 2d dark", "trophy", "trophy risk light 1 dark 2"),
        ("skill 13 12 11 +6 -2", "dsa", "dsa skill 13 12 11 points 6 mod -2"),
        ("6 no 10 again", "cod", "cod pool 6 again 11"),
        ("7h2 diff 3", "vampire", "vampire pool 7 hunger 2 diff 3"),
        ("5 dice 2 hunger", "vampire", "vampire pool 5 hunger 2 diff 1"),
        ("7 2 hunger dice", "vampire", "vampire pool 7 hunger 2 diff 1"),
        ("55 1b", "cthulhu", "cthulhu skill 55 bonus 1"),
        ("55 pp", "cthulhu", "cthulhu skill 55 penalty 2"),
        ("55 bonus die", "cthulhu", "cthulhu skill 55 bonus 1"),
        ("12 [6]", "shadowrun", "shadowrun test 12 need 1 limit 6"),
        ("pool 7@8", "wod", "wod pool 7 diff 8"),
        ("7 diff6", "wod", "wod pool 7 diff 6"),
        ("5d6 stress 2", "alien", "alien roll 5 stress 2"),
        (
            "2 ability 1 proficiency 2 difficulty",
            "genesys",
            "genesys check ability 2 proficiency 1 difficulty 2",
        ),
        ("2 green 1 yellow 2 purple", "starwars", "starwars check ability 2 proficiency 1 difficulty 2"),
        ("skill 12/13/14 fw 7 -2", "dsa", "dsa skill 12 13 14 points 7 mod -2"),
        ("attack 12 -2", "dsa", "dsa check 12 mod -2"),
        ("check 12 mod -2", "dsa", "dsa check 12 mod -2"),
        ("skill 12/13/14 7 -2", "dsa", "dsa skill 12 13 14 points 7 mod -2"),
        ("3d20 tn 11 focus 3", "modiphius", "modiphius test 11 focus 3 diff 1 dice 3"),
        ("cd 5", "modiphius", "modiphius challenge 5"),
        ("chance die", "cod", "cod chance"),
        ("10 attacks 3+ 4+ 5+", "wh40k", "wh40k attacks 10 hit 3 wound 4 save 5"),
        ("10 attacks hit 3+ wound 4+ save 5+", "wh40k", "wh40k attacks 10 hit 3 wound 4 save 5"),
        ("2 yellow 1 green vs 2 purple", "genesys", "genesys check ability 1 proficiency 2 difficulty 2"),
        ("yyg simple", "genesys", "genesys check ability 1 proficiency 2"),
        ("6 + 2 stress", "alien", "alien roll 6 stress 2"),
        ("3 + 2 stress 1", "alien", "alien roll 5 stress 1"),
        ("7+2 hunger", "vampire", "vampire pool 7 hunger 2 diff 1"),
        ("check +2 +1 accuracy", "lancer", "lancer check bonus 2 accuracy 1 target 10"),
        ("power 2d10+2 edge", "drawsteel", "drawsteel power bonus 2 edge 1"),
        ("test 10 + karma", "earthdawn", "earthdawn test 10 karma 1"),
        ("4 dice 12 diff 3", "modiphius", "modiphius test 12 focus 1 diff 3 dice 4"),
        ("test 4 dice 3", "modiphius", "modiphius test 4 focus 1 diff 1 dice 3"),
        ("damage 6", "modiphius", "modiphius challenge 6"),
        ("14 comp 19", "modiphius", "modiphius test 14 focus 1 diff 1 dice 2 complication 19"),
        ("stress 18 vs level 20", "arsmagica", "arsmagica stress bonus 18 ease 20 botch 1"),
        ("7 no again", "cod", "cod pool 7 again 11"),
        ("test +5 stakes", "cosmere", "cosmere test bonus 5 plot"),
        ("4 eased 1", "cypher", "cypher task 4 eased 1"),
        ("power +2 double edge skill", "drawsteel", "drawsteel power bonus 2 edge 2 skill"),
        ("12 dn 9", "earthdawn", "earthdawn test 12 difficulty 9"),
        ("8 tn 6", "exalted", "exalted pool 8 diff 1 tn 6"),
        ("join battle 7", "exalted", "exalted join 7"),
        ("skill 13-", "hero", "hero skill 13"),
        ("rka 2d6+1", "hero", "hero killing 2 plus 1"),
        ("lethality 15%", "deltagreen", "deltagreen lethality 15"),
        ("panic check 4", "mothership", "mothership panic 4"),
        ("3 tn 14 ill-favored", "onering", "onering roll 3 tn 14 ill"),
        ("maneuver +40 very hard", "rolemaster", "rolemaster maneuver bonus 40 target 111 mod -20"),
        ("sicherheitswurf 12", "splittermond", "splittermond safe 12 diff 20"),
        ("hit 7 vs 5", "hero", "hero hit 7 5"),
        ("hit ocv 7 vs dcv 5", "hero", "hero hit 7 5"),
        ("test +5 vs physical defense 13", "cosmere", "cosmere test bonus 5 dc 13"),
        ("test +5 raise the stakes", "cosmere", "cosmere test bonus 5 plot"),
        ("test +1 vs 14", "morkborg", "morkborg test ability 1 dr 14"),
        ("sr 15", "tunnels", "tunnels save 15 level 1"),
        ("10 2 karma", "earthdawn", "earthdawn test 10 karma 2"),
        ("mixed 4b2s1g", "yearzero", "yearzero mixed 4 skill 2 gear 1"),
        ("1 dark", "trophy", "trophy risk dark 1"),
        ("1l2d", "trophy", "trophy risk light 1 dark 2"),
        ("b c", "twilight", "twilight roll 10 skill 8"),
        ("4c1", "wildsea", "wildsea roll 4 cut 1"),
        ("damage 10 + 3ed", "wrathglory", "wrathglory damage 10 3"),
        ("5 dice 2 diff 3", "vampire", "vampire pool 5 hunger 2 diff 3"),
        ("check +1 8+", "traveller", "traveller check dm 1 target 8"),
        ("35 [+]", "mothership", "mothership check 35 adv"),
        ("+3 dis", "daggerheart", "daggerheart duality bonus 3 dis"),
        ("+2 adv", "pbta", "pbta move stat 2 boon"),
        ("check very difficult +2", "traveller", "traveller check dm 2 target 12"),
        ("check +1 difficult", "traveller", "traveller check dm 1 target 10"),
        ("1y 2g vs 2p", "genesys", "genesys check ability 2 proficiency 1 difficulty 2"),
        ("yyg hard", "genesys", "genesys check ability 1 proficiency 2 difficulty 3"),
        ("Great (+4) vs fair (+2)", "fate", "fate roll 4 diff 2"),
        ("flat check dc 5", "pathfinder", "pathfinder flat 5"),
        ("stress die + 7 ef 15", "arsmagica", "arsmagica stress bonus 7 ease 15 botch 1"),
    ],
)
def test_a_games_words_are_read_as_they_are_said(text: str, key: str, words: str) -> None:
    """Without a blank, with "vs" for the target, with numbers that add up; also behind the game's word."""
    asked = understand(text, shipped(), shipped()[key])

    assert asked
    assert asked.words == words
    assert understand(f"{key} {text.removeprefix(key)}", shipped(), None) == asked


@pytest.mark.parametrize("text", ["attack vs", "attack +5 vs dc", "attack ( =+x"])
def test_a_target_needs_its_number(text: str) -> None:
    """And other words are no target."""
    with pytest.raises(SpecError, match="D&D attack has no"):
        understand(text, shipped(), shipped()["dnd5"])


def test_a_number_alone_turns_no_switch_on() -> None:
    """`move 2 1` has one number too many."""
    with pytest.raises(SpecError, match="one number too many"):
        understand("move 2 1", shipped(), shipped()["pbta"])


@pytest.mark.parametrize("text", ["yyg hard=1", "yyg hard1", "yyg 2hard"])
def test_a_word_that_is_a_number_takes_none(text: str) -> None:
    """Hard is a difficulty of 3, and never 1."""
    with pytest.raises(SpecError, match=r"has no '2?hard1?'"):
        understand(f"check {text}", shipped(), shipped()["genesys"])


@pytest.mark.parametrize(
    ("text", "key"), [("attack 5 15 18", "dnd5"), ("attack 5 15 18", "mutants"), ("action 3 2", "ironsworn")]
)
def test_a_number_alone_is_not_for_an_option_that_needs_its_name(text: str, key: str) -> None:
    """A third number would be a critical range, and a bonus of 2 a momentum."""
    with pytest.raises(SpecError, match="one number too many"):
        understand(text, shipped(), shipped()[key])


def test_a_roll_without_options_takes_no_number() -> None:
    """`rouse 2` is told so."""
    with pytest.raises(SpecError, match="one number too many"):
        understand("rouse 2", shipped(), shipped()["vampire"])


@pytest.mark.parametrize(
    ("text", "key"), [("12 limit", "shadowrun"), ("6 again", "cod"), ("7 double", "exalted")]
)
def test_what_has_no_usual_number_needs_one(text: str, key: str) -> None:
    """It is no 1: a limit of 1 leaves one hit."""
    with pytest.raises(SpecError, match=f"In {shipped()[key].short} .* {text.split()[1]} takes a number"):
        understand(text, shipped(), shipped()[key])


def test_a_sum_has_the_limits_of_its_option() -> None:
    """And to a number with a name, such as a target, no bonus is added."""
    with pytest.raises(SpecError, match="1 to 30, not 32"):
        understand("skill 12+20", shipped(), shipped()["gurps"])
    with pytest.raises(SpecError, match="one number too many"):
        understand("pool 7 diff 6+1", shipped(), shipped()["wod"])
