"""The command `game check`, started as the command line does it."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.parsing.texts import shipped
from bot.words.cards import plain
from cogs.game.words import listing
from tests.support.cli import evenhand

COINS: dict[str, Any] = {
    "key": "coins",
    "name": "Coins",
    "help": "A handful of d6.",
    "rolls": {
        "dare": {
            "help": "5 and 6 succeed",
            "options": {"dice": [1, 12], "need": [1, 6, 1]},
            "dice": [{"pool": "dice", "count": "dice", "faces": 6}],
            "measures": {"hits": {"count": "x >= 5"}, "ones": {"count": "x == 1"}},
            "classes": {"hurt": "ones > hits", "failure": "hits < need", "success": ""},
        },
        "loot": {
            "help": "gold",
            "dice": [{"pool": "d6", "faces": 6}],
            "measures": {"gold": {"sum": "x"}},
            "number": "gold",
        },
    },
    "buttons": ["coins 1"],
}


def checked(tmp_path: Path, value: object) -> tuple[int, str, str]:
    """Check a file that holds this, one field a line; return the code, and both outputs."""
    file = tmp_path / "coins.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))
    result = evenhand("game", "check", str(file))
    return result.exit_code, result.stdout, result.stderr.replace(str(tmp_path), "")


def changed(roll: str, field: str, **entries: object) -> dict[str, Any]:
    """Return the game with something else in one field of a roll."""
    game = json.loads(json.dumps(COINS))
    game["rolls"][roll][field].update(entries)
    return game


def test_a_good_file_shows_the_exact_odds_of_its_rolls(tmp_path: Path) -> None:
    """Each button's classes with their chances, and a roll without one with small numbers."""
    code, said, wrong = checked(tmp_path, COINS)

    assert (code, wrong) == (0, "")
    assert "  coins dare 1 need 1\n    hurt: 16.7%, 1/6\n    failure: 50.0%, 1/2\n" in said
    assert "  coins loot\n    1 to 6, 3.50 on average, exactly 7/2" in said
    assert said.endswith("Nothing is wrong with this file.\n")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{", ":1: The game's file is no JSON"),
        ("[]", ":1: The game is an object in braces"),
        (
            changed("dare", "classes", hurt="one > hits"),
            ":35: rolls.dare.classes.hurt: 'one > hits' uses one",
        ),
        (changed("dare", "classes", hurt="ones >"), ":35: rolls.dare.classes.hurt: 'ones >' is no formula"),
        (changed("dare", "measures", hits={"count": "y"}), "rolls.dare.measures.hits: 'y' uses y"),
        (changed("dare", "options", need=[6, 1]), "rolls.dare.options.need"),
        (changed("loot", "measures", gold={"sum": "x // (x - x)"}), "rolls.loot: with 'coins loot': "),
        (
            changed("dare", "classes", never="hits > dice", success="1"),
            "rolls.dare.classes.never: never never came out",
        ),
        ({**COINS, "buttons": ["coins 13"]}, "buttons: 'coins 13': In Coins dare dice is 1 to 12, not 13."),
        ({**COINS, "buttons": ["coin 1"]}, "buttons: 'coin 1' does not begin with coins."),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, value: object, said: str) -> None:
    """A plain sentence behind the file, the line and the field; the code is 1."""
    code, _, wrong = checked(tmp_path, value)

    assert code == 1
    assert said in wrong


def test_a_mark_that_an_editor_writes_first_is_no_fault(tmp_path: Path) -> None:
    """`/game import` takes such a file."""
    file = tmp_path / "blades.json"
    shipped = Path(__file__).parents[2] / "bot" / "games" / "blades.json"
    file.write_text(shipped.read_text("utf-8"), "utf-8-sig")

    assert evenhand("game", "check", str(file)).exit_code == 0


def test_each_roll_tells_a_fault_of_its_own(tmp_path: Path) -> None:
    """Two rolls with faults are told at once."""
    game = changed("dare", "classes", hurt="one > hits")
    game["rolls"]["loot"]["number"] = "silver"
    code, _, wrong = checked(tmp_path, game)

    assert code == 1
    assert len(wrong.splitlines()) == 2
    assert "rolls.loot shows 'silver'" in wrong


@pytest.mark.parametrize("key", shipped())
def test_every_shipped_game_passes(key: str) -> None:
    """Each file that comes with Evenhand is as good as its contributors' must be."""
    result = evenhand("game", "check", f"bot/games/{key}.json")

    assert (result.exit_code, result.stderr) == (0, "")


def test_the_list_names_every_game() -> None:
    """However many there are."""
    text = plain(listing(shipped().values(), None))

    assert len(text) < 2_000
    assert all(game.short in text for game in shipped().values())
