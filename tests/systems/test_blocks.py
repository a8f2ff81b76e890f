"""Blocks: the law of a drawn and shuffled composition, and the bounds that follow from it."""

import math
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.dice.system import Memory, Spec
from bot.systems.blocks import Blocks
from bot.systems.registry import load_spec, print_spec
from tests.support.orders import orders


def blocks(sizes: tuple[int, ...], block: int) -> Blocks:
    """Blocks of categories of these sizes."""
    return Blocks.from_spec(
        {"categories": {f"c{j}": [f"{j}.{i}" for i in range(n)] for j, n in enumerate(sizes)}, "block": block}
    )


def drawn_first(sizes: tuple[int, ...], block: int) -> dict[tuple[int, ...], Fraction]:
    """The law as the text tells it: a composition is drawn, then shuffled."""
    starts = [sum(sizes[:j]) for j in range(len(sizes))]
    categories = [range(start, start + n) for start, n in zip(starts, sizes, strict=True)]
    law: dict[tuple[int, ...], Fraction] = {}
    for picks in product(*categories):
        others = [card for card in range(sum(sizes)) if card not in picks]
        rests = [*combinations(others, block - len(sizes))]
        for rest in rests:
            for order in permutations((*picks, *rest)):
                chance = Fraction(1, math.prod(sizes) * len(rests) * math.factorial(block))
                law[order] = law.get(order, Fraction(0)) + chance
    return law


@pytest.mark.parametrize("block", [2, 3, 4])
def test_copies_weigh_the_blocks(block: int) -> None:
    """A block is as likely as the product of its copies, times the ways to pick one of each category."""
    copies = {"x": {"a": 3, "b": 1}, "y": {"c": 2, "d": 5, "e": 1}}
    each = [3, 1, 2, 5, 1]
    law: dict[tuple[int, ...], int] = {}
    for cards in combinations(range(5), block):
        ways = sum(card < 2 for card in cards) * sum(card >= 2 for card in cards)
        for order in permutations(cards) if ways else ():
            law[order] = ways * math.prod(each[card] for card in cards)
    total = sum(law.values())
    spec: Spec = {"categories": {name: {**cards} for name, cards in copies.items()}, "block": block}
    system = Blocks.from_spec(spec)

    assert orders(system, block) == {order: Fraction(weight, total) for order, weight in law.items()}
    assert load_spec(print_spec(system)) == system


@pytest.mark.parametrize(
    ("sizes", "block"),
    [((2, 2), 2), ((2, 3), 3), ((1, 3), 3), ((2, 2, 2), 4), ((1, 1, 1), 3), ((3, 1, 2), 5), ((2, 2), 4)],
)
def test_dealing_card_by_card_is_drawing_the_block_first(sizes: tuple[int, ...], block: int) -> None:
    """The chances card by card give exactly the law of a composition that is drawn and then shuffled."""
    assert orders(blocks(sizes, block), block) == drawn_first(sizes, block)


def test_published_figures_of_six_by_five() -> None:
    """Of 6 categories of 5 cards in blocks of 10, a category has 1 to 5 cards with the spec's chances."""
    sizes, block = (5,) * 6, 10
    counts: dict[tuple[int, tuple[int, ...]], Fraction] = {(0, (0,) * 6): Fraction(1)}
    system = blocks(sizes, block)
    for _ in range(block):
        after: dict[tuple[int, tuple[int, ...]], Fraction] = {}
        for (first, dealt), chance in counts.items():
            memory = tuple(5 * j + i for j, d in enumerate((first, *dealt[1:])) for i in range(d))
            weights = system.weights(memory)
            for j in range(6):
                share = Fraction(sum(weights[5 * j : 5 * j + 5]), sum(weights))
                new = [first, *dealt[1:]]
                new[j] += 1
                key = (new[0], (0, *sorted(new[1:])))
                after[key] = after.get(key, Fraction(0)) + chance * share
        counts = {key: chance for key, chance in after.items() if chance}
    law = [sum(chance for (first, _), chance in counts.items() if first == m) for m in range(6)]

    assert [round(float(p), 6) for p in law] == [0, 0.455957, 0.429136, 0.107284, 0.007529, 0.000094]
    assert sum(m * p for m, p in enumerate(law)) == Fraction(5, 3)
    # The widest gap: the only card first in one block, and last in the next.
    assert (law[1] / 10) ** 2 / Fraction(5, 3) == Fraction(312_987, 250_915_280)


SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4).flatmap(
    lambda sizes: st.tuples(st.just(tuple(sizes)), st.integers(len(sizes), sum(sizes)))
)


@given(SHAPES, st.integers(0, 1_000))
def test_the_bounds_hold(shape: tuple[tuple[int, ...], int], seed: int) -> None:
    """Gaps of at most 2B-2, a whole window of 2B-1, few of a kind a block, no card twice in one block."""
    sizes, block = shape
    system, draws = blocks(sizes, block), seeded(seed)
    memory: Memory = system.start()
    cards: list[int] = []
    for _ in range(8 * block):
        card = draws.choose(system.weights(memory))
        memory = system.advance(memory, card)
        cards.append(card)
    category = [j for j, n in enumerate(sizes) for _ in range(n)]
    kinds = [category[card] for card in cards]

    for start in range(0, len(cards), block):
        assert len({*cards[start : start + block]}) == block
        for j, n in enumerate(sizes):
            assert 1 <= kinds[start : start + block].count(j) <= 1 + min(block - len(sizes), n - 1)
    for j in range(len(sizes)):
        places = [at for at, kind in enumerate(kinds) if kind == j]
        assert places[0] < block
        assert all(b - a - 1 <= 2 * block - 2 for a, b in pairwise(places))
    for start in range(len(cards) - 2 * block + 2):
        assert {*kinds[start : start + 2 * block - 1]} == {*range(len(sizes))}
    for at, (a, b) in enumerate(pairwise(cards), start=1):
        assert a != b or at % block == 0


def test_the_widest_gap_is_attained() -> None:
    """A card first in one block and last in the next is possible: 2B-2 cards lie between."""
    law = orders(blocks((1, 2), 2), 4)

    assert any(order[0] == 0 and order[3] == 0 and 0 not in order[1:3] for order in law)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            {"categories": {"a": ["x"], "b": ["y"]}, "block": 1},
            "A block of 1 can't hold one card of each of 2",
        ),
        ({"categories": {"a": ["x"], "b": ["y"]}, "block": 3}, "A block of 3 is more than the 2 cards"),
        ({"categories": {"a": ["x"], "b": []}, "block": 2}, "The category b has no cards"),
        ({"categories": {"a": ["x", "y"], "b": ["y"]}, "block": 2}, "The card y is in a and again in b"),
        ({"categories": {"a": ["x", 7]}, "block": 1}, "7 can't be a card"),
        ({"categories": {"a": ["x", "y\n"]}, "block": 1}, r"'y\\n' can't be a card"),
        ({"categories": {"a": ["x", "x"]}, "block": 1}, "The card x is in a and again in a"),
        ({"categories": {}, "block": 1}, "categories is an object"),
        ({"categories": {"a": {"x": 0}}, "block": 1}, "x is an integer of 1 to 1,000, not 0"),
        ({"categories": {"a": ["x"]}, "block": 41}, "not 41"),
    ],
)
def test_bad_blocks_are_refused(spec: Spec, words: str) -> None:
    """What makes no sense is refused with the reason and the offending value."""
    with pytest.raises(SpecError, match=words):
        Blocks.from_spec(spec)
