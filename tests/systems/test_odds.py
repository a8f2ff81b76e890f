"""Odds, against the rollers' own weights and histories done by hand."""

from fractions import Fraction

import pytest
from hypothesis import given

from bot.dice.errors import SpecError
from bot.systems.odds import after, odds
from tests.support.systems import CHOICES, WEIGHTS, cards, make, played


def test_base_odds() -> None:
    """The odds of a first roll are those of the base: 2d6 has 1 to 6 and back, over 36."""
    ways = (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    fair = make("fair", "2d6", tightness="1")

    assert odds(fair, fair.start()) == tuple(Fraction(n, 36) for n in ways)


@given(WEIGHTS, CHOICES)
def test_odds_add_up(weights: list[int], choices: list[int]) -> None:
    """Odds add up to exactly 1, and are in proportion to the weights."""
    deck = make("deck", cards(weights), size=2, refill=2)
    _, memory = played(deck, choices)
    found = odds(deck, memory)

    assert sum(found) == 1
    assert [p * sum(deck.weights(memory)) for p in found] == [*deck.weights(memory)]


@given(WEIGHTS, CHOICES)
def test_after_folds(weights: list[int], choices: list[int]) -> None:
    """The memory after some faces is the one that rolling them leaves."""
    fair = make("fair", cards(weights), tightness="2")
    chosen, memory = played(fair, choices)

    assert after(fair, [fair.faces[i] for i in chosen]) == memory
    assert after(fair, []) == fair.start()


def test_unknown_face() -> None:
    """A face that isn't there is refused by name, with those that are."""
    with pytest.raises(SpecError, match=r"'9' is no face of this roller\. Its faces are: 1, 2, 3, 4, 5, 6\."):
        after(make("dice", "1d6"), ["1", "9"])


def test_unknown_face_of_many() -> None:
    """Of many faces only the first and the last are named."""
    with pytest.raises(SpecError, match=r"9, 10 … 1000 \(1,000 in all\)\."):
        after(make("dice", "1d1000"), ["0"])


def test_card_that_was_out() -> None:
    """A card that was out of the deck can't have come out, and its place in the history is said."""
    deck = make("deck", {"king": 1, "ace": 2})

    with pytest.raises(SpecError, match="'king' can't have come out as number 3"):
        after(deck, ["king", "ace", "king"])

    assert after(deck, ["king", "ace", "ace", "king"]) == (0, 2)


def test_hat_takes_every_history() -> None:
    """A roller tuned to the hat in mid-game goes on with a history that a hat alone would not have."""
    hat = make("fair", "1d6", tightness="inf")

    assert odds(hat, after(hat, ["1", "1", "2"])) == (0, 0, *[Fraction(1, 4)] * 4)
