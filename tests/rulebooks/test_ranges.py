"""Numbers in a game's file that can't be are refused with their place, before anybody rolls."""

import json
from typing import Any

import pytest

from bot.dice.errors import SpecError
from bot.rulebooks.book import read_game
from bot.rulebooks.words import understand


def file(**dice: Any) -> str:
    """A game of one roll with one pool, whose fields are as given."""
    pool = {"pool": "d", "count": 1, "faces": 6, **dice}
    options = {dice.pop("name", "bonus"): dice.pop("option", [0, 5])}
    for field in ("name", "option", "letters"):
        pool.pop(field, None)
    measure = dice.pop("measure", {"sum": "x"})
    pool.pop("measure", None)
    roll = {
        "help": "One die.",
        "options": options,
        "letters": dice.pop("letters", {}),
        "dice": [pool],
        "measures": {"total": measure},
        "number": "total",
    }
    return json.dumps({"key": "mine", "name": "Mine", "help": "My game.", "rolls": {"roll": roll}})


@pytest.mark.parametrize(
    "ways",
    [
        {},
        {"letters": {"b": "bonus", "very hard": "bonus 3"}},
        {"faces": 1},
        {"faces": 1000},
        {"count": 100},
        {"faces": [-10000, 10000]},
    ],
)
def test_the_ends_of_each_range_are_read(ways: dict[str, Any]) -> None:
    """What is refused below is one further."""
    assert read_game(file(**ways)).key == "mine"


@pytest.mark.parametrize(
    ("ways", "where"),
    [
        ({"faces": 0}, "rolls.roll.dice[0].faces"),
        ({"faces": -6}, "rolls.roll.dice[0].faces"),
        ({"faces": "2 - 2"}, "rolls.roll.dice[0].faces"),
        ({"faces": 1001}, "rolls.roll.dice[0].faces"),
        ({"faces": [1, 10001]}, "rolls.roll.dice[0].faces"),
        ({"count": 0}, "rolls.roll.dice[0].count"),
        ({"count": 101}, "rolls.roll.dice[0].count"),
        ({"most": 0, "explode": "x == 6"}, "rolls.roll.dice[0].most"),
        ({"option": [5, 0]}, "rolls.roll.options.bonus[1]"),
        ({"option": [0, 10001]}, "rolls.roll.options.bonus[1]"),
        ({"option": [0, 5, 6]}, "rolls.roll.options.bonus[2]"),
        ({"measure": {"highest": 0}}, "rolls.roll.measures.total.highest"),
        ({"measure": {"lowest": 101}}, "rolls.roll.measures.total.lowest"),
    ],
)
def test_a_number_out_of_its_range_is_refused(ways: dict[str, Any], where: str) -> None:
    """The sentence begins with the field."""
    with pytest.raises(SpecError) as refused:
        read_game(file(**ways))

    assert str(refused.value).startswith(f"{where} is an integer of ")


@pytest.mark.parametrize(
    ("ways", "where"),
    [
        ({"faces": "9999999999"}, "rolls.roll.dice[0].faces: '9999999999' is more than "),
        ({"count": "1 // 0"}, "rolls.roll.dice[0].count: '1 // 0' can't be worked out here"),
        ({"letters": {"b": "boost"}}, "rolls.roll.letters gives 'boost'"),
        ({"letters": {"hard": "bonus x"}}, "rolls.roll.letters gives 'bonus x'"),
        ({"name": ""}, "rolls.roll.options has the name ''"),
    ],
)
def test_what_has_no_value_or_no_name_is_refused(ways: dict[str, Any], where: str) -> None:
    """The sentence begins with the field here too."""
    with pytest.raises(SpecError) as refused:
        read_game(file(**ways))

    assert str(refused.value).startswith(where)


def test_letters_are_read_in_any_case() -> None:
    """As players' words are."""
    game = read_game(file(letters={"B": "bonus", "Hard": "bonus 3"}))
    words = [request.words for text in ("mine b", "mine Hard") if (request := understand(text, {}, game))]

    assert words == ["mine roll 1", "mine roll 3"]
