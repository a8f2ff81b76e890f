"""Several decks by category, and their offers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.dice.system import Memory, Outcome, Spec, step
from bot.systems.decks import Decks
from bot.systems.registry import load_spec, print_spec
from tests.support.orders import orders

SPEC: Spec = {
    "system": "decks",
    "decks": {"attack": {"sword": 2, "bow": 2}, "other": {"spy": 1, "map": 1, "rest": 2}},
    "no_repeat": True,
}


def test_an_offer_has_one_card_of_each_category() -> None:
    """Two steps make an offer: each category deals one card, in turn."""
    system = Decks.from_spec(SPEC)

    for cards in orders(system, 2 * system.hand):
        assert [card < 2 for card in cards] == [True, False] * 2


def test_each_category_is_its_own_deck() -> None:
    """The law of an offer is the product of the laws of the decks, each by itself."""
    system = Decks.from_spec(SPEC)
    law = orders(system, 6)
    attack, other = (orders(deck, 3) for deck in system.decks)

    assert law == {
        (a[0], 2 + o[0], a[1], 2 + o[1], a[2], 2 + o[2]): p * q
        for a, p in attack.items()
        for o, q in other.items()
    }
    assert sum(law.values()) == Fraction(1)


@given(st.booleans(), st.integers(0, 1_000))
def test_every_deck_gives_what_it_holds(no_repeat: bool, seed: int) -> None:  # noqa: FBT001
    """In ten offers, from the first card to the last."""
    system, draws = Decks.from_spec({**SPEC, "no_repeat": no_repeat}), seeded(seed)
    first: list[Outcome] = []
    memory: Memory = system.start()
    for _ in range(20):
        outcome, memory = step(system, memory, draws)
        first.append(outcome)
    for deck in range(2):
        dealt = [o.face for o in first[deck::2]]
        for start in (0, 4):
            assert {face: dealt[start : start + 4].count(face) for face in system.decks[deck].faces} == dict(
                zip(system.decks[deck].faces, system.decks[deck].base.weights, strict=True)
            )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"decks": {"a": {"x": 1}, "b": {"x": 1}}}, "The card x is in a and again in b"),
        ({"decks": {"a": {"x": 3}}, "no_repeat": True}, "x has 3 of the 3 cards"),
        ({"decks": {}}, "1 to 10 categories"),
        ({"decks": {"a": ["x"]}}, "The category a lists"),
        ({"decks": {"a": {"x": 1}}, "no_repeat": 1}, "not 1"),
        ({"decks": {"a": {"x": 0}}}, "every weight is 0"),
        ({"decks": {"a": {"x": 1}}, "refill": 0}, "refill is an integer of 1"),
        ({"decks": {"a": {"x": 1}}, "mode": "throw"}, "add or reset, not 'throw'"),
    ],
)
def test_bad_decks_are_refused(spec: Spec, words: str) -> None:
    """What makes no sense is refused with the reason and the offending value."""
    with pytest.raises(SpecError, match=words):
        Decks.from_spec(spec)


def test_every_deck_is_refilled_as_said() -> None:
    """Size, refill and mode are those of each deck, with and without repeats."""
    how: Spec = {"size": 2, "refill": 3, "mode": "reset"}
    for no_repeat in (True, False):
        system = Decks.from_spec({**SPEC, **how, "no_repeat": no_repeat})

        assert {(deck.size, deck.refill, deck.mode) for deck in system.decks} == {(2, 3, "reset")}
        assert load_spec(print_spec(system)) == system
