"""Charts of luck: drawn for any faces and any names."""

import pytest

from bot.charts.luck import luck_chart, ranks_chart
from bot.stats.evenings import Player
from bot.stats.luck import Luck, judge, plain_die
from tests.support.systems import make


@pytest.mark.parametrize(
    "luck",
    [
        judge(plain_die("d6"), (10, 20, 1, 9, 9, 9)),
        judge(plain_die("d100"), (1,) * 100),
        judge(make("deck", {"🗡️": 3, "$x_{$": 2, "W" * 80: 1}), (9, 9, 9)),
        judge(make("dice", {"a": 1}), (9,)),
    ],
)
def test_charts_of_luck_are_drawn(luck: Luck) -> None:
    """For numbers, many faces and labels alike."""
    assert luck_chart("d6", "60 rolls", luck).startswith(b"\x89PNG")


def test_an_evening_is_drawn() -> None:
    """A player is a row, with dice enough or not; the number of rolls changes the picture."""
    ann, bob = Player(1, 80, 58.2, 6.4), Player(2, 9, 70.0, 19.0)
    both, one = ranks_chart("Dice", ["Ann", "Bob"], [ann, bob]), ranks_chart("Dice", ["Ann"], [ann])

    assert both.startswith(b"\x89PNG")
    assert both != one
