"""The deck that never gives the same card twice in a row, against every order there is."""

from fractions import Fraction
from itertools import pairwise, permutations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.dice.system import Memory, Spec, System, step
from bot.systems.deck import Deck, NoRepeat, ways_from
from bot.systems.registry import load_spec, print_spec, read_spec
from tests.support.orders import orders

COPIES = st.lists(st.integers(1, 3), min_size=2, max_size=4).filter(
    lambda c: sum(c) <= 7 and 2 * max(c) <= sum(c)
)


def deck(*copies: int) -> NoRepeat:
    """A deck with so many copies of a, b, c..."""
    return NoRepeat.from_spec({"base": {chr(97 + i): c for i, c in enumerate(copies)}})


def valid(cards: tuple[int, ...], last: int | None = None) -> bool:
    """Whether no card comes twice in a row."""
    dealt = cards if last is None else (last, *cards)
    return all(a != b for a, b in pairwise(dealt))


@given(COPIES)
def test_every_valid_order_is_equally_likely(copies: list[int]) -> None:
    """A whole deck dealt by the weights is a uniform draw from all orders without repeats."""
    cards = [i for i, c in enumerate(copies) for _ in range(c)]
    expected = {order for order in permutations(cards) if valid(order)}

    law = orders(deck(*copies), len(cards))

    assert law == dict.fromkeys(expected, Fraction(1, len(expected)))


@given(COPIES, st.data())
def test_the_law_holds_across_a_refill(copies: list[int], data: st.DataObject) -> None:
    """After the last card, the next deck is uniform over the valid orders that do not begin with it."""
    last = data.draw(st.integers(0, len(copies) - 1))
    cards = [i for i, c in enumerate(copies) for _ in range(c)]
    expected = {order for order in permutations(cards) if valid(order, last)}

    law = orders(deck(*copies), len(cards), (*copies, last + 1))

    assert law == dict.fromkeys(expected, Fraction(1, len(expected)))


@pytest.mark.parametrize(
    ("copies", "orders_without_repeats", "all_orders"),
    [((3,) * 3, 174, 1_680), ((3,) * 4, 41_304, 369_600), ((3,) * 6, 16_438_575_600, 137_225_088_000)],
)
def test_published_numbers_of_orders(
    copies: tuple[int, ...], orders_without_repeats: int, all_orders: int
) -> None:
    """The numbers of valid orders are those of the spec."""
    ways = ways_from(copies)
    factorials = {3: 6, 9: 362_880, 12: 479_001_600, 18: 6_402_373_705_728_000}

    assert len(copies) * ways[3] == orders_without_repeats
    assert factorials[sum(copies)] // prod(factorials[c] for c in copies) == all_orders


def test_orders_that_may_not_begin_with_the_last_card() -> None:
    """Of three cards with three copies, 116 orders can follow a given last card."""
    assert 2 * ways_from((3, 3, 3))[3] == 116


def test_glueing_agrees_with_counting_card_by_card() -> None:
    """Inclusion and exclusion gives what going through all next cards gives, for a whole pack of 13 x 4."""
    known: dict[tuple[tuple[int, ...], int], int] = {}

    def count(left: tuple[int, ...], last: int) -> int:
        """Valid orders of these cards and of `last` more, of the face that may not come first."""
        key = (left, last)
        if key not in known:
            total = 0 if any((*left, last)) else 1
            for at, c in enumerate(left):
                if c:
                    others = [*left[:at], *left[at + 1 :], last]
                    total += count(tuple(sorted(others)), c - 1)
            known[key] = total
        return known[key]

    for left in ((4,) * 13, (1, 2, 3, 4, 4), (1, 1, 1, 5)):
        for cards, ways in ways_from(left).items():
            others = [*left]
            others.remove(cards)
            assert ways == count(tuple(sorted(others)), cards - 1)


def test_it_is_never_stuck_and_never_repeats() -> None:
    """Over a thousand cards of the tightest decks no card follows itself."""
    for copies in ((3, 3), (4, 2, 2), (4,) * 13):
        system, draws = deck(*copies), seeded(1)
        memory: Memory = system.start()
        dealt: list[str] = []
        for _ in range(1_000):
            outcome, memory = step(system, memory, draws)
            dealt.append(outcome.face)

        assert all(a != b for a, b in pairwise(dealt))


@pytest.mark.parametrize(("copies", "face"), [((3,), "a"), ((1, 3, 1), "b"), ((2, 3), "b")])
def test_infeasible_decks_are_refused(copies: tuple[int, ...], face: str) -> None:
    """A face with more than half of the cards could get stuck: the deck is refused, and the face named."""
    with pytest.raises(SpecError, match=f"^{face} has 3 of the {sum(copies)} cards"):
        deck(*copies)


def test_the_word_no_repeat_picks_the_deck() -> None:
    """`no_repeat` is true or false; false is the plain deck, anything else is refused."""
    base: dict[str, int] = {"a": 2, "b": 2}
    with_it: System = read_spec({"system": "deck", "base": base, "no_repeat": True})

    assert isinstance(with_it, NoRepeat)
    assert load_spec(print_spec(with_it)) == with_it
    assert isinstance(read_spec({"system": "deck", "base": base, "no_repeat": False}), Deck)
    with pytest.raises(SpecError, match="'yes'"):
        read_spec({"system": "deck", "base": base, "no_repeat": "yes"})
    with pytest.raises(SpecError, match="121"):
        read_spec({"system": "deck", "base": {"a": 60, "b": 61}, "no_repeat": True})
    with pytest.raises(SpecError, match="at once, not 122"):
        read_spec({"system": "deck", "base": {"a": 1, "b": 1}, "no_repeat": True, "size": 60, "refill": 3})


@given(COPIES, st.integers(1, 3), st.integers(1, 9), st.sampled_from(["add", "reset"]), st.integers(0, 1_000))
def test_refills_and_no_repeats_together(
    copies: list[int], size: int, refill: int, mode: str, seed: int
) -> None:
    """With any refill the cards there are those of a deck that repeats, and no card ever follows itself."""
    base: dict[str, int] = {chr(97 + i): c for i, c in enumerate(copies)}
    refill = min(refill, size * sum(copies))
    spec: Spec = {"system": "deck", "base": {**base}, "size": size, "refill": refill, "mode": mode}
    system, plain = NoRepeat.from_spec({**spec, "no_repeat": True}), Deck.from_spec(spec)
    draws, memory, cards, last = seeded(seed), system.start(), plain.start(), -1
    for _ in range(60):
        chosen = draws.choose(system.weights(memory))
        memory, cards = system.advance(memory, chosen), plain.advance(cards, chosen)
        assert chosen != last
        assert memory[:-1] == cards
        last = chosen


@pytest.mark.parametrize("mode", ["add", "reset"])
def test_all_orders_of_what_is_there_are_equally_likely(mode: str) -> None:
    """Right after an early refill the old cards and the new ones are dealt in a uniform order."""
    system = NoRepeat.from_spec({"base": {"a": 2, "b": 2, "c": 1}, "refill": 3, "mode": mode})
    memory = system.start()
    for card in (0, 1, 0):
        memory = system.advance(memory, card)
    pool = (2, 3, 2) if mode == "add" else (2, 2, 1)
    found = {
        order
        for order in {*permutations(card for card in range(3) for _ in range(pool[card]))}
        if valid(order, 0)
    }
    share = [Fraction(sum(order[0] == card for order in found), len(found)) for card in range(3)]
    weights = system.weights(memory)

    assert memory == (*pool, 1)
    assert [Fraction(w, sum(weights)) for w in weights] == share
