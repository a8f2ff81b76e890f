"""Names as terms: what a text with names becomes, what is asked, what is refused, and what can be a name."""

import re

import pytest

from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import NotationError
from bot.dice.naming import Resolved, UnknownName, Vocabulary, is_taken, resolve

NAMES = Vocabulary(
    numbers={
        "str": "3",
        "dex": "-1",
        "prof": "2",
        "level": "3",
        "wounds": "2",
        "stealth": "dex+prof",
        "a": "b",
        "b": "a",
        "str-dex": "9",
        "ghost": "1+nobody",
        "dice": "d6",
    },
    saved={
        "sneak": "1d20+7 # quietly",
        "great axe": "1d12+3",
        "two": "1d20; 2d6",
        "deep": "Sneak+1d4",
        "game": "attack +7",
        "c1": "c2+1",
        "c2": "c1+d6",
        "duel": "d20 vs d20+1",
        "str": "1d100",
    },
    rollers={"luck": "Luck", "luck (gm)": "Luck (GM)", "sneak": "Sneak"},
)


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("Sneak+2", "1d20+7+2"),
        ("/r SNEAK +2 # ow", "1d20+7+2 # ow"),
        ("Sneak", "1d20+7"),
        ("2*Sneak", "2*(1d20+7)"),
        ("sneak  adv", "2d20kh1+7"),
        ("Sneak; 1d8+3", "1d20+7; 1d8+3"),
        ("Two; d6", "1d20; 2d6; 1d6"),
        ("3#Sneak", "3#1d20+7"),
        ("Sneak vs d20+3", "1d20+7 vs 1d20+3"),
        ("d20+3 vs Sneak", "1d20+3 vs 1d20+7"),
        ("Sneak vs 15", "(1d20+7)>=15"),
        ("Sneak adv dc 12", "(2d20kh1+7)>=12"),
        ("Sneak fire + 1d8 cold", "(1d20+7)[fire]+1d8[cold]"),
        ("Deep+1", "1d20+7+1d4+1"),
        ('"Great Axe"+2', "1d12+3+2"),
        ("great axe + 2", "1d12+3+2"),
        ("{Sneak, 1d20+5}kh1", "{1d20+7,1d20+5}kh1"),
        ("1d20+str+prof", "1d20+3+2"),
        ("d20 + stealth", "1d20+1"),
        ("(level)d6", "3d6"),
        ("d20-2*wounds", "1d20-2*2"),
        ("-2*wounds+d20", "-2*2+1d20"),
        ("d20+level//2", "1d20+3//2"),
        ("d20+{str}", "1d20+3"),
        ("d20+$str", "1d20+3"),
        ("d20+dex", "1d20-1"),
        ("d20-dex", "1d20+1"),
        ("d20 - str - prof", "1d20-3-2"),
        ('d20+"str-dex"', "1d20+9"),
    ],
)
def test_a_name_is_a_term(text: str, ours: str) -> None:
    """What is recorded is notation, and holds no name."""
    assert resolve(text, NAMES) == Resolved(ours)


@pytest.mark.parametrize(
    ("text", "around", "times"),
    [
        ("Luck+5", "5", 1),
        ("Luck + 1d4", "1d4", 1),
        ("Luck - 1d4", "- 1d4", 1),
        ("1d4+Luck-2", "1d4 -2", 1),
        ("Luck+str", "3", 1),
        ("Luck adv", "adv", 1),
        ("Luck >= 15", ">= 15", 1),
        ("3#Luck+2", "2", 3),
    ],
)
def test_a_roller_is_a_summand(text: str, around: str, times: int) -> None:
    """What stands around it is added to each of its results."""
    assert resolve(text, NAMES) == Resolved(around, "Luck", times)


@pytest.mark.parametrize(
    "text",
    [
        "foo",
        "2d6 sneak",
        "{2d6,1d8}kh1",
        "d{1,2}",
        "1d20+",
        "dragon fire",
        "",
        '"',
        "d20+{",
        "x" * 201,
        "\0luck",
    ],
)
def test_without_a_known_name_there_is_nothing_to_resolve(text: str) -> None:
    """Behind a complete term words are a tag, and what can't be read with numbers for names is left."""
    assert resolve(text, NAMES) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Two+1", "'two' is `1d20; 2d6`, which is rolled alone."),
        ("Duel+1", "'duel' is `1d20 vs 1d20+1`, which is rolled alone."),
        ("game+1", "'game' is `attack +7`, which is rolled alone."),
        ("c1", "These names need each other: c1 → c2 → c1."),
        ("d20+a", "These names need each other: a → b → a."),
        ("d20+dice", "'dice' is no number."),
        ("d20+ghost", "'ghost' is no number."),
        ("Great Axe adv", "'adv' goes with exactly one d20, which adds to the total."),
        ("2*Luck", "To Luck you can add, as in Luck + 1d4, and nothing else."),
        ("(Luck+1)", "To Luck you can add, as in Luck + 1d4, and nothing else."),
        ("Luck; d6", "To Luck you can add, as in Luck + 1d4, and nothing else."),
        ("Luck+Luck", "A roll takes one roller, once. Roll a saved roll with a roller alone."),
        ("Luck+nobody", "I don't know `nobody`."),
        ("Sneak+nobody", "I don't know `nobody`."),
    ],
)
def test_what_can_not_be_read_with_its_names_says_why(text: str, says: str) -> None:
    """In one sentence, which names the name."""
    with pytest.raises(NotationError, match=re.escape(says)):
        resolve(text, NAMES)


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("Sneak 2", ["Sneak+2", "2#Sneak", "Sneak dc 2"]),
        ("d20+str 2", ["d20+str+2"]),
        ("d20+str-dex", ['d20+"str-dex"', "d20+str - dex"]),
    ],
)
def test_what_may_be_two_things_is_asked(text: str, readings: list[str]) -> None:
    """Each of the readings is read, and none of them asks again."""
    with pytest.raises(NotationError) as refused:
        resolve(text, NAMES)

    assert [reading.text for reading in refused.value.readings] == readings
    assert all(resolve(reading, NAMES) for reading in readings)


def test_an_unknown_name_is_told_with_its_place() -> None:
    """It ends before a word that changes a roll."""
    with pytest.raises(UnknownName) as refused:
        resolve("d20 + sleight of hand adv", NAMES)

    assert (refused.value.names, refused.value.column) == (("sleight of hand",), 7)


def test_numbers_can_be_left_for_later() -> None:
    """Rolls of others are put in their place at once; numbers stay, known or not, in braces."""
    later = resolve("Sneak+stealth+courage", NAMES, later=True)

    assert later == Resolved("(1d20+7)+{stealth}+{courage}")
    own = resolve("(1d20+7)+{stealth}+{courage}", Vocabulary({"stealth": "4", "courage": "0"}))
    assert own == Resolved("1d20+7+4+0")


def test_names_stand_in_names_eight_deep() -> None:
    """One more is refused; that many of each are worked out once."""
    saved = {f"name{n}": "+".join([f"name{n + 1}"] * 2) for n in range(20)} | {"name8": "0", "name9": "d6"}

    assert resolve("name1+d6", Vocabulary(saved | {"name8": "1"})) == Resolved(f"{2**7}+1d6")
    with pytest.raises(NotationError, match="at most 8 deep"):
        resolve("name0+d6", Vocabulary(saved))


def test_in_a_dialect_the_rest_is_read_as_that_dialect() -> None:
    """Dropping is Roll20's there, and a saved roll is what it is everywhere."""
    names = Vocabulary(saved={"sneak": "4d6kh3"})

    assert resolve("Sneak+4d6d1", names, Dialect.ROLL20) == Resolved("4d6kh3+4d6dl1")


_NO_NAMES = "d|kh|k2|dl1|d6k3|d6 vs|adv|hp max|Attack with|stats|d20adv|2d6|d66|coin|2d6 hidden|d20+adv"


@pytest.mark.parametrize("name", _NO_NAMES.split("|"))
def test_what_may_be_notation_is_no_name(name: str) -> None:
    """Nor what ends in a word that changes a roll."""
    assert is_taken(name)


def test_in_a_dialect_its_words_are_taken_too() -> None:
    """Elsewhere they are names like others."""
    assert is_taken("sr6", Dialect.DICE_MAIDEN)
    assert not is_taken("sr6")


_OTHERS = "Sneak|str|kl|con|dex|wis|fur|hp_max|dwarf|Rolf|Great Axe|Удар|str-dex|Plan D|skill cs"


@pytest.mark.parametrize("name", _OTHERS.split("|"))
def test_other_words_are_names(name: str) -> None:
    """In any script."""
    assert not is_taken(name)
