"""Of a game's dice, those that don't count are struck out, as in every other roll."""

import pytest

from bot.words.text import dice_shown
from tests.rulebooks.test_games import rolled
from tests.support.tapes import Tape


@pytest.mark.parametrize(
    ("words", "fell", "shown"),
    [
        ("dnd5 check +5 adv", [11, 16], "2d20 (~~12~~, 17)"),
        ("dnd5 check +5 adv dc 12", [16, 11], "2d20 (17, ~~12~~)"),
        ("dnd5 check +5 dis", [11, 16], "2d20 (12, ~~17~~)"),
        ("dnd5 check +5 adv dis", [11], "1d20 (12)"),
        ("dnd5 attack +5 ac 10 adv 1d8", [11, 11, 3], "2d20 (12, ~~12~~) · weapon 1d8 (4)"),
        ("pbta boon", [0, 0, 3], "3d6 (1, ~~1~~, 4)"),
        ("demonlord challenge boons 3", [4, 1, 3, 3], "1d20 (5) · 3d6 (~~2~~, 4, ~~4~~)"),
        ("savage trait 8", [2, 3], "trait 1d8 (~~3~~) · wild 1d6 (4)"),
        ("savage trait 8 plus 1", [0, 0], "trait 1d8 (1) · wild 1d6 (1)"),
        ("blades action 3", [5, 0, 2], "3d6 (6, ~~1~~, ~~3~~)"),
        ("blades action 3", [5, 5, 2], "3d6 (6, 6, ~~3~~)"),
        ("blades resist 2", [0, 4], "2d6 (~~1~~, 5)"),
        ("cthulhu 45 bonus 2", [0, 7, 5, 5], "units (0) · tens (~~70~~, 50, ~~50~~)"),
        ("cthulhu 45 penalty", [3, 7, 5], "units (3) · tens (70, ~~50~~)"),
        ("trophy risk 2 1", [3, 5, 5], "light dice 2d6 (~~4~~, 6) · dark dice 1d6 (6)"),
    ],
)
def test_dice_that_do_not_count_are_struck_out(words: str, fell: list[int], shown: str) -> None:
    """They stay where they fell, and of equal ones the earlier counts."""
    throw, _ = rolled(words).throw((), Tape(fell))

    assert dice_shown(throw, 200).startswith(shown)


@pytest.mark.parametrize(
    ("words", "fell"),
    [
        ("age test", [0, 0, 3]),
        ("splittermond risk 3", [3, 3, 1, 6]),
        ("blades action 2", [5, 5]),
        ("ironsworn action 2", [4, 7, 7]),
        ("cortex pool 2d8 d6", [2, 6, 1]),
    ],
)
def test_dice_that_count_in_another_way_stay(words: str, fell: list[int]) -> None:
    """The lowest with the highest, all sixes, how many are beaten, or a count that is shown."""
    throw, _ = rolled(words).throw((), Tape(fell))

    assert all(die.kept for pool in throw.pools for die in pool.dice)
