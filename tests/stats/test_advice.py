"""Advice: which system wins at exactly n rolls, and which one where n is uncertain."""

from fractions import Fraction

from bot.stats.curves import curve
from bot.stats.tuner import advise, equal_faces
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic


def test_the_articles_example() -> None:
    """Four values: the deck wins at 30 rolls, the dice over 20 to 40, with the spec's mean variances."""
    advice = advise(4, 30, Fraction(9, 10))
    deck, dice = advice.deck, advice.dice

    assert advice.lengths == range(20, 41)
    assert (advice.deck_wins_at_n, advice.deck_wins_over_lengths) == (True, False)
    assert deck is not None
    assert f"{deck.over.mean:.3f} {dice.over.mean:.3f}" == "0.805 0.496"
    assert deck.over.worst_at == 20


def test_its_evenings_are_those_of_the_systems() -> None:
    """The evenings are the tuned systems' own, and at n rolls they have the tuner's figures."""
    advice = advise(6, 25, Fraction(9, 10))
    tuning, base = advice.tuning, equal_faces(6)

    assert tuning.deck
    assert advice.deck
    assert advice.deck.evening == curve(Deck(base, tuning.deck.size, tuning.deck.refill), 33)
    assert advice.dice.evening == curve(Dynamic(base, tuning.optimum.factor), 33)
    assert abs(advice.dice.evening.variance[24] - tuning.optimum.variance) < 1e-9
    assert (advice.deck_wins_at_n, advice.deck_wins_over_lengths) == (False, False)


def test_the_shortest_and_the_longest_evening() -> None:
    """One roll is a range of itself, and no range goes beyond 200 rolls."""
    assert advise(2, 1, Fraction(1, 2)).lengths == range(1, 2)
    assert advise(3, 180, Fraction(8, 10)).lengths == range(120, 201)


def test_equals_are_no_winners() -> None:
    """Where deck and dice can't be told apart, the deck is not called the better one."""
    advice = advise(2, 3, Fraction(1, 2))

    assert not advice.deck_wins_at_n
    assert not advice.deck_wins_over_lengths
