"""What somebody's own names mean with words behind them, in the game that is played."""

from dataclasses import replace

import pytest

from bot.campaign.campaigns import USUAL, Remembers, Roller, Rules
from bot.dice.errors import NotationError, SpecError
from bot.dice.naming import Vocabulary
from bot.parsing.names import CampaignNames
from bot.parsing.offers import suggest_readings

NAMES = Vocabulary(
    numbers={"stealth": "dex+2", "dex": "2", "spot": "45", "cool": "2", "hot": "-1"},
    saved={
        "sword": "attack +5 1d8+3",
        "twice": "1d20; 1d8",
        "blast": "8d6",
        "bolt": "1d20+7 to hit; 2d10 fire",
    },
)


def meant(text: str, game: str) -> str:
    """Return what a text means there."""
    found = CampaignNames({}, Rules(game=game), NAMES).resolve_text(text)
    assert found
    return found.text


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("stealth", "1d20+4"),
        ("stealth adv", "2d20kh1+4"),
        ("Stealth with disadvantage", "2d20kl1+4"),
        ("stealth dc 15", "(1d20+4)>=15"),
        ("stealth+2", "1d20+4+2"),
        ("dex save", "1d20+2"),
        ("d20>=stealth", "1d20>=4"),
        ("dex save # quiet", "1d20+2 # quiet"),
    ],
)
def test_a_number_goes_on_the_usual_dice_with_all_that_a_bonus_takes(text: str, dice: str) -> None:
    """Where the text has no dice itself."""
    assert meant(text, "dnd5") == dice


@pytest.mark.parametrize(
    ("typed", "moved"),
    [
        ("adv sneak", "sneak adv"),
        ("with advantage sneak+2 dc 15", "sneak+2 adv dc 15"),
        ("dis on luck", "luck dis"),
        ("sneak adv +2", "sneak +2 adv"),
        ("stealth dc 15 with adv", "stealth adv dc 15"),
        ("adv dex save", "dex save adv"),
        *((text, text) for text in ("sneak+2 adv", "adv", "adv+2", "adv climb", "d20 adv", "luck+1d4 dis")),
        # Of a comment, a tag or another roll nothing moves.
        *(
            (text, text)
            for text in ("sneak # lost adv again", "sneak; luck adv dc 15", "sneak [with adv] dc 9")
        ),
    ],
)
def test_an_advantage_stands_behind_its_name(typed: str, moved: str) -> None:
    """In front of it the name was a label, and before a bonus it could not be read."""
    names = replace(NAMES, saved={"sneak": "1d20+7"}, rollers={"luck": "Luck"})

    assert CampaignNames({}, USUAL, names).in_notation(typed) == moved


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("attack +dex vs 15", "dnd5", "attack +2 vs 15"),
        ("check stealth dc 15", "pathfinder", "check +4 dc 15"),
        ("attack - stealth", "dnd5", "attack -4"),
        ("pool dex + Cool 7", "wod", "pool +2 +2 7"),
        ("move hot boon", "pbta", "move -1 boon"),
        ("skill dex/cool/stealth 7 -2", "dsa", "skill 2/2/4 7 -2"),
        ("skill dex + 1 cool stealth", "dsa", "skill 2 + 1 2 4"),
        # A number alone is the first roll of a game without usual dice, with the roll's own words behind it.
        ("spot", "cthulhu", "skill +45"),
        ("spot bonus", "cthulhu", "skill +45 bonus"),
        ("hot boon", "pbta", "move -1 boon"),
        ("cool + 1", "pbta", "move +2 + 1"),
        # Against a DC it is the roll with degrees, where the game has one.
        ("stealth dc 20", "pathfinder", "check +4 dc 20"),
        ("stealth dc 20", "dnd5", "(1d20+4)>=20"),
    ],
)
def test_a_games_words_take_ones_own_numbers(text: str, game: str, words: str) -> None:
    """With the sign that stands before the name."""
    assert meant(text, game) == words


@pytest.mark.parametrize(
    ("text", "game", "readings"),
    [
        ("stealht", "dnd5", ["stealth", "d20+stealht"]),
        ("Lukc+1", "", ["Luck+1"]),
        ("swrod adv", "dnd5", ["sword adv", "d20+swrod adv"]),
        ("skil 12", "gurps", ["skill 12"]),
        ("broadsword 12", "gurps", ["skill 12 # broadsword"]),
        ("dexterity 3 + melee 2", "wod", ["pool 3 +2 # dexterity, melee"]),
        ("strike +12 ac 20", "pathfinder", ["check +12 ac 20 # strike"]),
        ("arcana 5", "", ["1d20+5 # arcana"]),
        ("ws 45", "warhammer", ["test 45 # ws"]),
        ("pool 12", "shadowrun", []),
        ("k 12", "gurps", []),
        ("fire ball 8d6", "", ["8d6 # fire ball"]),
        ("half 8", "", []),
        ("arcana 5 7", "gurps", []),
        ("arcana", "", ["1d20+arcana"]),
        ("fireball", "", []),
        ("arcana check", "", ["1d20 # arcana check"]),
        ("arcana vs dc 15", "", ["1d20 vs dc 15 # arcana"]),
        ("hit 5 check", "", []),
        ("arcana check", "gurps", ["skill arcana check"]),
        ("luck x3", "", ["3#luck"]),
        ("2x Luck", "", ["2#Luck"]),
        ("luck twice", "dnd5", ["2#luck"]),
        ("twice adv", "", ["1d20 adv; 1d8 # twice"]),
        ("twice +2", "dnd5", ["1d20 +2; 1d8 # twice"]),
        ("twice x2", "", []),
        ("blast half", "", ["8d6//2 # blast"]),
        ("blast dex save for half", "", ["8d6//2 # blast"]),
        ("dex x2", "", []),
        ("half blast", "", ["8d6//2 # blast"]),
        ("crit blast", "", ["8d6+8d6 # blast", "8d6*2 # blast"]),
        ("bolt adv", "", ["(1d20+7)[to hit] adv; 2d10 fire # bolt"]),
        ("bolt disadvantage", "", ["(1d20+7)[to hit] disadvantage; 2d10 fire # bolt"]),
        ("save +5 dc 15", "dnd5", ["d20+5 dc 15 # save"]),
        ("dexterity save dc 12", "dnd5", ["dex save dc 12", "d20+dexterity save dc 12"]),
        ("dexterity adv", "", ["1d20+dex adv"]),
        ("dexterity save", "", ["1d20+dex # dex save"]),
        ("strength save", "", ["1d20 # strength save"]),
    ],
)
def test_what_is_refused_may_mean_something(text: str, game: str, readings: list[str]) -> None:
    """Repeats or more for a first roll, a known name with a slip, a label before numbers, a bonus by name."""
    names = replace(NAMES, rollers={"luck": "Luck"})
    luck = Roller("Luck", "fair 2d6", Remembers.TABLE, epoch=0)
    offered = suggest_readings(CampaignNames({"luck": luck}, Rules(game=game), names), text)

    assert [one.text for one in offered] == readings


@pytest.mark.parametrize("text", ["stealth+1d4", "dex + 1d8 vs 9"])
def test_a_bonus_and_dice_may_be_on_the_usual_dice_or_not(text: str) -> None:
    """The person says which; where nothing is usual, they are what they are."""
    with pytest.raises(NotationError, match="With d20 or without") as refused:
        meant(text, "dnd5")

    assert refused.value.readings[0].text == f"d20+{text}"
    assert meant("stealth+1d4", "gurps") == "4+1d4"


@pytest.mark.parametrize("text", ["stealth + 1d4 with advantage", "stealth + 1d4 adv"])
def test_an_advantage_beside_a_bonus_and_dice_may_be_that_of_the_usual_die(text: str) -> None:
    """It comes first, and the last die thrown twice second."""
    with pytest.raises(NotationError, match="With d20 or without") as refused:
        meant(text, "dnd5")

    assert [reading.text for reading in refused.value.readings] == ["d20 adv+stealth + 1d4", "4+2d4kh1"]
    assert meant("d20 adv+stealth + 1d4", "dnd5") == "2d20kh1+4+1d4"


@pytest.mark.parametrize("more", ["adv", "ac 15", "vs 15", "+2", "adv vs ac 15"])
def test_a_saved_roll_of_a_game_takes_its_words(more: str) -> None:
    """Right behind the name or after a blank; what the roll has no word for is refused."""
    assert meant(f"sword {more}", "dnd5") == f"attack +5 1d8+3 {more}"
    assert meant("sword+2", "dnd5") == "attack +5 1d8+3 +2"
    with pytest.raises(SpecError, match="'goblin'"):
        meant("sword goblin", "dnd5")


@pytest.mark.parametrize(
    ("text", "game", "said"),
    [
        ("perception", "dnd5", "d20+perception"),
        ("stealth adv", "dnd5", "d20+stealth adv"),
        ("death save", "dnd5", "d20+death save"),
        ("perception", "cthulhu", ""),
        ("perception", "", ""),
        ("2d6 and", "dnd5", ""),
        ("perception +2", "dnd5", "d20+perception +2"),
        ("stealthy adv", "dnd5", "d20+stealthy adv"),
        ("fire bolt vs 15", "dnd5", "d20+fire bolt vs 15"),
        ("2d6+luck", "dnd5", ""),
        ("perception+sight", "dnd5", "d20+perception+sight"),
    ],
)
def test_an_unknown_name_may_be_a_bonus(text: str, game: str, said: str) -> None:
    """Where there are usual dice for it."""
    assert CampaignNames({}, Rules(game=game), NAMES).with_bonus(text) == said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("twice adv", "rolled alone"),
        ("stealth 15", "can't tell what 15"),
        *((f"stealth {word}", word) for word in ("guidance", "crit", "hidden", "advantge")),
    ],
)
def test_what_may_mean_two_things_is_still_refused(text: str, why: str) -> None:
    """In the words that say why."""
    with pytest.raises(NotationError, match=why):
        meant(text, "dnd5")
