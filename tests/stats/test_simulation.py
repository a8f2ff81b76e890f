"""A simulated evening: its counts, its entropy and its variance."""

from collections import Counter
from math import log

from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import seeded
from bot.dice.system import step
from bot.stats.simulation import Playthrough
from tests.support.systems import WEIGHTS, cards, make


@given(st.integers(0, 99), st.integers(1, 40), WEIGHTS)
def test_it_rolls_what_the_table_rolls(seed: int, rolls: int, weights: list[int]) -> None:
    """The counts are those of the very faces that steps on the same draws give."""
    deck = make("deck", cards(weights), size=2, refill=3)
    tally = Playthrough(deck, seeded(seed))
    tally.play(rolls)
    draws, memory, faces = seeded(seed), deck.start(), list[str]()
    for _ in range(rolls):
        outcome, memory = step(deck, memory, draws)
        faces.append(outcome.face)

    assert dict(zip(deck.faces, tally.counts, strict=True)) == {f: Counter(faces)[f] for f in deck.faces}


def test_in_pieces() -> None:
    """Rolls played in two goes are those of one."""
    one, two = (Playthrough(make("fair", "2d6", tightness="1"), seeded(5)) for _ in range(2))
    one.play(50)
    two.play(20)
    two.play(30)

    assert (one.counts, one.entropy, one.variance) == (two.counts, two.entropy, two.variance)


def test_entropy_and_variance_by_hand() -> None:
    """A deck of two cards: the first is open, the second certain; after three rolls one is half ahead."""
    tally = Playthrough(make("deck", "1d2"), seeded(1))
    fresh = (tally.entropy, tally.variance)
    tally.play(3)

    assert fresh == (1.0, 0.0)
    assert abs(tally.entropy - 2 * log(2) / (3 * log(2))) < 1e-15
    assert tally.variance == 0.25


def test_huge_weights() -> None:
    """Dynamic dice whose weights have thousands of digits have an entropy all the same."""
    dice = make("dynamic", "1d6", factor="0.000001")
    tally = Playthrough(dice, seeded(1))
    tally.play(600)

    assert 0 < tally.entropy < 0.8
    assert sum(tally.counts) == 600
