"""The generalized deck, against a pile of cards."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bot.dice.system import read_base
from bot.systems.deck import Deck
from bot.systems.odds import after, odds
from tests.support.systems import CHOICES, WEIGHTS, cards, make, played


@given(CHOICES)
def test_hat_is_deck(choices: list[int]) -> None:
    """The hat on equal faces is a deck of one card each, shuffled when empty."""
    hat, deck = make("fair", "1d6", tightness="inf"), make("deck", "1d6")
    chosen, memory = played(hat, choices)

    assert odds(hat, memory) == odds(deck, after(deck, [deck.faces[i] for i in chosen]))


@given(WEIGHTS, st.integers(1, 3), st.integers(1, 30), st.sampled_from(["add", "reset"]), CHOICES)
def test_deck_law(weights: list[int], size: int, refill: int, mode: str, choices: list[int]) -> None:
    """A deck is a pile of cards; a draw that leaves fewer than `refill` adds one set or begins a new one."""
    deck = Deck(read_base(cards(weights)), size, refill, mode)
    chosen, memory = played(deck, choices)
    whole = [i for i, w in enumerate(weights) for _ in range(size * w)]
    pile = whole[:]
    for i in chosen:
        pile.remove(i)
        if len(pile) < refill:
            pile = pile + whole if mode == "add" else whole[:]

    assert deck.weights(memory) == tuple(pile.count(i) for i in range(len(weights)))


def test_deck_refill_is_below() -> None:
    """Ten cards and refill constant 4: at 4 left nothing happens, at 3 left ten come, which makes 13."""
    deck = make("deck", "1d10", refill=4)
    faces = deck.faces

    assert sum(after(deck, faces[:6])) == 4
    assert sum(after(deck, faces[:7])) == 13


def test_deck_refill_is_once() -> None:
    """A refill constant over the set, as on the tuner's grid, adds one set a draw, never two."""
    deck = Deck(read_base("1d4"), 1, 11)

    assert [sum(after(deck, (deck.faces * 2)[:n])) for n in range(6)] == [4, 7, 10, 13, 12, 11]


@given(WEIGHTS, st.permutations(range(20)))
def test_plain_deck_is_true(weights: list[int], order: list[int]) -> None:
    """A deck refilled when empty gives its whole base in each round, card by card."""
    deck = make("deck", cards(weights))
    chosen, memory = played(deck, (order * 2)[: 2 * sum(weights)])

    assert Counter(chosen) == {i: 2 * w for i, w in enumerate(weights)}
    assert memory == deck.start()
