"""A game's roll as people type it at the table: its own dice, words in full, numbers before their words."""

import pytest

from bot.dice.errors import SpecError
from bot.parsing.texts import shipped
from bot.rulebooks.played import split_unknown
from bot.rulebooks.words import understand


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("dnd5 attack d20+5 vs 15", "dnd5 attack bonus 5 ac 15"),
        ("dnd5 attack 1d20+5 vs 15 1d8+3", "dnd5 attack bonus 5 ac 15 1d8+3"),
        ("dnd5 attack +5 damage 1d20", "dnd5 attack bonus 5 damage 1d20"),
        ("dnd5 attack +5 1d8+3 with advantage vs AC 15", "dnd5 attack bonus 5 ac 15 adv 1d8+3"),
        ("dnd5 attack +5 ac 15, 1d8+3", "dnd5 attack bonus 5 ac 15 1d8+3"),
        ("vampire 7, hunger 2", "vampire pool 7 hunger 2 diff 1"),
        ("dnd5 attack +5 dc 15", "dnd5 attack bonus 5 ac 15"),
        ("dnd5 check +5 guidance d4 bless 1d4 dc 15", "dnd5 check bonus 5 dc 15 bless guidance"),
        ("dnd5 attack +5 bless d4 ac 15 1d8+3", "dnd5 attack bonus 5 ac 15 bless 1d8+3"),
        ("dnd5 attack +5 bless +1d4 ac 15", "dnd5 attack bonus 5 ac 15 bless"),
        ("dnd5 attack +5 bless damage 1d4", "dnd5 attack bonus 5 bless damage 1d4"),
        ("daggerheart attack +3 adv d6 vs 14 1d8", "daggerheart attack bonus 3 diff 14 adv 1d8"),
        ("savage trait extra d6", "savage trait 6 target 4 extra"),
        ("daggerheart attack +3 2d12+4 vs 14", "daggerheart attack bonus 3 diff 14 2d12+4"),
        ("daggerheart 3 dc 15", "daggerheart duality bonus 3 diff 15"),
        ("savage attack d8 d6", "savage attack 8 target 4 1d6"),
        ("savage d8+2 tn 6", "savage trait 8 plus 2 target 6"),
        ("fabula d8 d10 +2 vs 12", "fabula check 8 10 bonus 2 dl 12"),
        ("hero 12d6", "hero body 12"),
        ("pbta 2d6+2", "pbta move stat 2"),
        ("daggerheart 2d12+3", "daggerheart duality bonus 3"),
        ("gurps 3d6 12", "gurps skill 12"),
        ("vampire 7d10 difficulty 3 hunger 2", "vampire pool 7 hunger 2 diff 3"),
        ("vampire 7 2 hunger", "vampire pool 7 hunger 2 diff 1"),
        ("cthulhu 50 2 bonuses", "cthulhu skill 50 bonus 2"),
        ("l5r 2 rings 3 skills tn 2", "l5r check 2 skill 3 tn 2"),
        ("drawsteel +2 2 edges", "drawsteel power bonus 2 edge 2"),
        ("cthulhu 50 2 bonus", "cthulhu skill 50 bonus 2"),
        ("drawsteel power 5 edge", "drawsteel power bonus 5 edge 1"),
        ("cthulhu bonus 50", "cthulhu skill 50 bonus 1"),
        ("cthulhu 50 bonus", "cthulhu skill 50 bonus 1"),
        ("demonlord +2 1 boon", "demonlord challenge bonus 2 target 10 boons 1"),
        ("savage d8+2 tn4", "savage trait 8 plus 2 target 4"),
        ("savage trait +10 -2", "savage trait 10 plus -2 target 4"),
        ("dnd5 attack +7 1d8+4+3d6 ac 15", "dnd5 attack bonus 7 ac 15 1d8+3d6+4"),
        ("dnd5 attack +7 2d6+4 1d6", "dnd5 attack bonus 7 3d6+4"),
        ("dnd5 attack +7 2d6 + 4 + 1d8 - 1", "dnd5 attack bonus 7 2d6+1d8+3"),
        ("dnd5 attack +7 damage 1d8 +1d6 vs 15", "dnd5 attack bonus 7 ac 15 1d8+1d6"),
        ("savage attack d8 d8+d6", "savage attack 8 target 4 1d8+1d6"),
        ("savage damage d8+d6", "savage damage d6 1 d8 1"),
        ("savage damage 2d6+d8+2 vs 7", "savage damage plus 2 toughness 7 d6 2 d8 1"),
        ("savage damage d8 +2", "savage damage plus 2 d8 1"),
        ("savage damage d12 + d6 + 1 raise", "savage damage plus 1 d6 1 d12 1 raised"),
        ("cthulhu 52 hard", "cthulhu skill 52 hard"),
        ("shadowrun 12 edge", "shadowrun test 12 need 1 edge 1"),
        ("shadowrun 12 edge 3", "shadowrun test 12 need 1 edge 3"),
        ("warhammer 45 very hard", "warhammer test 45 hard very"),
        ("ironsworn fulfill 7", "ironsworn progress 7"),
        ("savage d8 wild", "savage trait 8 target 4 wild"),
        ("savage dmg 2d6+d6", "savage damage d6 3"),
        ("pathfinder strike +9 ac 18", "pathfinder attack bonus 9 ac 18"),
        ("blades engagement 2d", "blades fortune 2"),
        ("dnd5 deathsave adv", "dnd5 death adv"),
        ("vampire rouse check", "vampire rouse"),
        ("cthulhu improvement check 45", "cthulhu improve 45"),
        ("dcc attack +3 1d8 deed d4", "dcc attack bonus 3 deed 4 1d8"),
        ("dcc attack +3 d4 deed 1d8", "dcc attack bonus 3 deed 4 1d8"),
        ("pathfinder attack +9 1d8 + 4 deadly d10 ac 20", "pathfinder attack bonus 9 ac 20 deadly 10 1d8+4"),
        ("dnd5 attack +5 2d6+19 crit 19", "dnd5 attack bonus 5 crit 19 2d6+19"),
        ("dnd5 attack +12 crit 19-20 ac 15", "dnd5 attack bonus 12 ac 15 crit 19"),
        ("dnd5 attack +12 crits on 19", "dnd5 attack bonus 12 crit 19"),
        ("dnd5 attack +12 critical 18+ 1d8", "dnd5 attack bonus 12 crit 18 1d8"),
        ("dnd5 check +5 reliable talent dc 12", "dnd5 check bonus 5 dc 12 reliable"),
        ("dnd5 attack +5 halfling luck great weapon fighting 2d6", "dnd5 attack bonus 5 halfling gwf 2d6"),
        ("cyberpunk 14 difficult", "cyberpunk check 14 dv 15"),
        ("warhammer 45 challenging", "warhammer test 45"),
        ("coc 50 regular bonus", "cthulhu skill 50 bonus 1"),
        ("dnd5 death saving throw adv", "dnd5 death adv"),
        ("dnd5 check +3 bless", "dnd5 check bonus 3 bless"),
        ("fate great vs good", "fate roll 4 diff 3"),
        ("fate Fair -1", "fate roll 1"),
        ("fate diff superb 2", "fate roll 2 diff 5"),
        ("savage d6 extra", "savage trait 6 target 4 extra"),
        ("shadowrun 12 threshold 3", "shadowrun test 12 need 3"),
        ("shadowrun 12 vs 3 limit 5", "shadowrun test 12 need 3 limit 5"),
        ("cyberpunk +7+6 dv15", "cyberpunk check 13 dv 15"),
        ("cpr 14", "cyberpunk check 14"),
        ("traveller dm-2", "traveller check dm -2 target 8"),
        ("traveller +1 difficulty 10", "traveller check dm 1 target 10"),
        ("cod 7 9-again", "cod pool 7 again 9"),
        ("exalted 10 double 9", "exalted pool 10 diff 1 double 9"),
        ("pbta +1 with advantage", "pbta move stat 1 boon"),
        ("dw +2 dis", "pbta move stat 2 bane"),
        ("pathfinder attack +9 map -5 ac 18", "pathfinder attack bonus 9 ac 18 map -5"),
        ("blades resist 3d", "blades resist 3"),
        ("blades action 2d+1d", "blades action 3"),
        ("blades 2 +1d", "blades action 3"),
        ("blades 3 dice", "blades action 3"),
        ("fabula d8+d10+2 vs 12", "fabula check 8 10 bonus 2 dl 12"),
        ("twilight d10+d8", "twilight roll 10 skill 8"),
        ("essence d20+d6 dif 12", "essence skill 6 many 1 dif 12"),
        ("essence d6 specialized", "essence skill 6 many 1 special"),
        ("dcc attack d24+3 1d8+2 ac 14", "dcc attack bonus 3 ac 14 step 1 1d8+2"),
        ("dcc attack +2 deed d5 1d8 ac 15", "dcc attack bonus 2 ac 15 deed 5 1d8"),
        ("dcc attack +2 + d5 deed 1d8 ac 15", "dcc attack bonus 2 ac 15 deed 5 1d8"),
        ("dcc check d16+2 dc 15", "dcc check plus 2 dc 15 step -1"),
        ("5cd", "modiphius challenge 5"),
        ("3r2s", "l5r check 3 skill 2"),
        ("L2SR 15", "tunnels save 15 level 2"),
        ("genesys y y g pp", "genesys check ability 1 proficiency 2 difficulty 2"),
    ],
)
def test_a_roll_is_read_as_it_is_typed(text: str, ours: str) -> None:
    """Its words in their own form are read as the same roll."""
    request = understand(text, shipped(), None)

    assert request
    assert request.words == ours
    assert understand(ours, shipped(), None) == request


@pytest.mark.parametrize(
    "text",
    [
        "dnd5 attack +5 disarm",
        "dnd5 attack +5 bless 1d4",
        "dnd5 attack +5 2d6+3 crit",
        "dnd5 attack +5 2d6+19 crit",
        "pathfinder attack +9 1d8+4 deadly",
        "dnd5 attack d20+5+1d4 ac 15",
        "dcc attack d20+d4 ac 14",
        "shadowrun 12d8",
        "cthulhu 50 bonus 5",
        "daggerheart 1d12+3",
        "alien 6 st 2",
    ],
)
def test_what_the_roll_does_not_have_is_refused(text: str) -> None:
    """Other dice, words that only begin like one of its own, numbers out of range."""
    with pytest.raises(SpecError):
        understand(text, shipped(), None)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("attack +5 Longsword", ("attack +5", "Longsword")),
        ("dnd5 check animal handling +5 dc 12", ("dnd5 check +5 dc 12", "animal handling")),
        ("attack +5", ("attack +5", "")),
        ("attack +99 axe", ("", "")),
        ("stealth +5", ("", "")),
        ("attack +5 tn7", ("attack +5 tn7", "")),
        ("attack +5 d8+d6", ("attack +5 d8+d6", "")),
        ("attack +5 d8+d6+d4", ("", "")),
        ("attack +5 9lives", ("", "")),
        ("attack 5 power 3", ("", "")),
        ("attack +5 @", ("", "")),
        ("attack +5 risky/standard", ("attack +5", "risky/standard")),
    ],
)
def test_unknown_words_are_told_apart(text: str, parts: tuple[str, str]) -> None:
    """From the roll that stays; a text that is none then has no parts."""
    assert split_unknown(text, shipped(), shipped()["dnd5"]) == parts
