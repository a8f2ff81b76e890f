"""A character's numbers: what they may be called, what they come to, and what of a sheet is read."""

import json

import pytest

from bot.campaign.characters import Character
from bot.campaign.sheets import bonuses, read_sheet
from bot.dice.errors import SpecError


def _values(text: str) -> dict[str, int]:
    return dict(Character("", dict(read_sheet(text).numbers)).values)


@pytest.mark.parametrize(
    "text",
    [
        "str 3, dex +2, sleight of hand dex+3",
        "str 3 dex +2 sleight of hand 5",
        "str+3, dex +2, sleight of hand dex + 3",
        "str: 3\ndex = 2\n\nsleight of hand: dex + str",
        "str,3\r\ndex,2\r\nsleight of hand,5",
        "str;dex;sleight of hand\n3;2;5",
        "name,str,dex,sleight of hand\nMira,3,2,5",
        "\ufeffstr\t3\ndex\t2\nsleight of hand\t5",
        '{"character": {"str": 3, "dex": 2, "sleight of hand": 5, "name": "Mira", "xp": 0.5, "dead": false}}',
        "STR 3, Dex 2, sleight of hand: 2*str-1",
        "str=3 dex:2 sleight of hand = 5",
        "str3, dex2\nsleight of hand 5",
    ],
)
def test_a_sheet_is_read_as_it_comes(text: str) -> None:
    """Lines, commas, blanks, CSV both ways, and JSON at any depth."""
    assert _values(text) == {"str": 3, "dex": 2, "sleight of hand": 5}


def test_leaves_of_one_name_get_their_parents() -> None:
    """So do those whose own name means something in dice."""
    sheet = {"str": {"score": 16, "bonus": 3}, "dex": {"score": 14}, "hp": {"max": 30}, "max": 2}

    assert dict(read_sheet(json.dumps(sheet)).numbers) == {
        "str_score": "16", "bonus": "3", "dex_score": "14", "hp_max": "30", "my_max": "2",
    }  # fmt: skip


def test_what_does_not_fit_is_counted() -> None:
    """The first hundred numbers are read, and none that is too large."""
    sheet = {"xp": 23_000, **{f"skill {chr(97 + n // 26)}{chr(97 + n % 26)}q": n for n in range(120)}}
    read = read_sheet(json.dumps(sheet))

    assert (len(read.numbers), read.skipped) == (100, 21)


def test_scores_become_bonuses() -> None:
    """Of 16 the bonus is 3, of 9 it is -1; what is a bonus already stays."""
    scores = ("str", "dex")

    assert bonuses((("Str", "16"), ("dex", "9"), ("hp", "16")), scores) == (
        ("Str", "3"), ("Str_score", "16"), ("dex", "-1"), ("dex_score", "9"), ("hp", "16"),
    )  # fmt: skip
    assert bonuses((("str", "3"),), scores) == (("str", "3"),)


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ({"a": "b", "b": "a+1"}, "These numbers need each other: a → b → a."),
        ({"a": "a"}, "a → a"),
        ({"a": "10001"}, "a is 10,001."),
        ({"a": "101*100"}, "a is 10,100."),
        ({"a": "b+1"}, "a uses b"),
        ({"a": "1 d"}, "I can't read the value of a."),
        ({"a": "d8"}, "a can't have d8 in it. Type 8 for a die of 8 sides, or keep dice with `/save`."),
        ({"a": "2", "b": "a+1W6"}, "b can't have 1w6 in it. Type 6 for a die of 6 sides"),
        ({"a": "1/0"}, "can't work out"),
        ({f"n{n}x": "1" for n in range(101)}, "at most 100 numbers"),
    ],
)
def test_numbers_that_can_not_be(numbers: dict[str, str], why: str) -> None:
    """Circles, strangers, dice and what is too large or too many."""
    with pytest.raises(SpecError, match=why.replace("+", r"\+").replace(".", r"\.")):
        Character("", numbers)


def test_a_formula_follows_its_numbers() -> None:
    """Halves go down, a name stands for itself inside no longer one, and upper case is the same."""
    before = Character("Mira", {"dex": "2", "dexterity": "9", "init": "-(Dex+1)/2"})
    after = before.having([("DEX", "6")])

    assert (before.values["init"], after.values["init"]) == (-2, -4)
    assert after.numbers == {"dex": "6", "dexterity": "9", "init": "-(Dex+1)/2"}


@pytest.mark.parametrize(
    "name", ["2x", "max", "hp max", "adv", "coin", "x_", "-x", "a" * 33, "`", "d20", "a.b"]
)
def test_names_that_none_may_have(name: str) -> None:
    """What means something in dice, or begins or ends with no letter."""
    with pytest.raises(SpecError):
        read_sheet(f"{name}: 3")


@pytest.mark.parametrize(
    ("text", "numbers"),
    {
        "Str 18 (+4) Dex 14 (+2), Con 9 (-1)": {
            "str": 4,
            "str_score": 18,
            "dex": 2,
            "dex_score": 14,
            "con": -1,
            "con_score": 9,
        },
        "STR 18(+4)|DEX 14(+2)": {"str": 4, "str_score": 18, "dex": 2, "dex_score": 14},
        "**Animal Handling**: 14 [+2]": {"animal handling": 2, "animal handling_score": 14},
        "Spot Hidden 45%\nFirearms (Handgun): 40": {"spot hidden": 45, "firearms handgun": 40},
        "- Str: 18\n* Stealth +7 (proficient)\n• Dex (+2)": {"str": 18, "stealth": 7, "dex": 2},
        "Stealth......7\nArcana 3.": {"stealth": 7, "arcana": 3},
        "Str 8 (\u22121), Dex \u22122, Con: \u20133": {"str": -1, "str_score": 8, "dex": -2, "con": -3},
        "Brawl ●●●○○, Melee •": {"brawl": 3, "melee": 1},
        "con 2, hp 10+(con)": {"con": 2, "hp": 12},
        "hp 23/30 str 3": {"hp": 23, "hp_max": 30, "str": 3},
        "HP: 23 / 30; ki 0/4": {"hp": 23, "hp_max": 30, "ki": 0, "ki_max": 4},
        "level 5, prof (level + 7) / 4": {"level": 5, "prof": 3},
        "level 5, half a level level/2, more (2*level)": {"level": 5, "half a level": 2, "more": 10},
    }.items(),
)
def test_a_copied_sheet_is_read(text: str, numbers: dict[str, int]) -> None:
    """With its lists, bold names, percent signs and dots; beside a score the bonus is the number."""
    assert _values(text) == numbers


@pytest.mark.parametrize("text", ["", "str", "{", '{"a": "b"}', "3 str", "[" * 9_999, "a:b:c", "x" * 70_000])
def test_sheets_without_numbers(text: str) -> None:
    """Each is refused with a sentence."""
    with pytest.raises(SpecError):
        read_sheet(text)
