"""The two ways that keep something for the next roll: the pool, and the leftovers that are shifted."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log

import pytest

from bot.d100.leftovers import LeftoversMethod
from bot.d100.pool import PoolMethod, average
from bot.d100.ways import best_score
from bot.dice.by_hand import ByHand
from bot.dice.draws import Replayer, ReplayError, seeded
from bot.dice.errors import SpecError
from bot.dice.system import Memory, step
from bot.systems.registry import read_spec

POOL = PoolMethod(6, 10)


@pytest.mark.parametrize("size", [1, 7, 60, 166, 600])
def test_the_pool_is_one_to_one(size: int) -> None:
    """From every v below m and all dice, each pair of a value and a rest comes out exactly once."""
    dice, grown = 0, size
    while grown < POOL.cap:
        grown, dice = grown * 6, dice + 1
    ends: Counter[tuple[str, Memory]] = Counter()
    open_ones = 0
    for number in range(size):
        for faces in product(range(6), repeat=dice):
            try:
                outcome, memory = step(POOL, (number, size), Replayer([(6, face) for face in faces]))
            except ReplayError:
                open_ones += 1
            else:
                ends[outcome.face, memory] += 1

    assert ends == Counter({(face, (v, grown // 10)): 1 for face in POOL.faces for v in range(grown // 10)})
    assert open_ones == grown % 10


def stationary(sides: int, values: int) -> Fraction:
    """The pool's dice per roll, from the stationary chances of its sizes by Gauss's elimination."""
    sizes, leads = [1], list[tuple[int, Fraction, dict[int, Fraction]]]()
    for size in sizes:
        grown, dice = size, 0
        while grown < 100 * values:
            grown, dice = grown * sides, dice + 1
        rest = Fraction(grown % values, grown)
        after = dict.fromkeys((grown // values, grown % values), Fraction(0))
        after[grown // values] += 1 - rest
        after[grown % values] += rest
        after = {s: p for s, p in after.items() if p}
        leads.append((dice, 1 - rest, after))
        sizes += [s for s in after if s not in sizes]
    n = len(sizes)
    rows = [
        [leads[j][2].get(sizes[i], Fraction(0)) - (i == j) for j in range(n)] + [Fraction(0)]
        for i in range(n)
    ]
    rows[0] = [Fraction(1)] * (n + 1)
    for column in range(n):
        pivot = next(r for r in range(column, n) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [x / head for x in rows[column]]
        for r in range(n):
            if r != column and (factor := rows[r][column]):
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[column], strict=True)]
    chances = [row[-1] for row in rows]
    thrown = sum(p * dice for p, (dice, _, _) in zip(chances, leads, strict=True))
    mean_dice = sum(p * count for p, (_, count, _) in zip(chances, leads, strict=True))
    return Fraction(thrown / mean_dice)


@pytest.mark.parametrize(("sides", "values"), [(6, 10), (4, 3), (9, 4)])
def test_the_average_by_a_second_way(sides: int, values: int) -> None:
    """Taking sizes out one by one, and solving for their stationary chances, give the same fraction."""
    assert average(PoolMethod(sides, values)) == stationary(sides, values)


def test_the_average_of_a_d100() -> None:
    """2.579 dice for a d100, hardly more than the 2.570 below which nothing can be."""
    found = PoolMethod().figures.expected

    assert found
    assert f"{float(found):.3f}" == "2.579"
    assert float(found) > log(100, 6)
    assert PoolMethod().figures.exact


def test_the_average_is_left_out_where_it_takes_long() -> None:
    """A d997 would take long: there is no figure, and no wait for it."""
    assert average(PoolMethod(7, 997)) is None


def test_a_memory_nobody_can_have() -> None:
    """A v that is not below m, and more uses than the period has, are refused."""
    with pytest.raises(ValueError, match="3 is not below 3"):
        PoolMethod().throw((3, 3), seeded(0))
    with pytest.raises(ValueError, match="100 uses are not below 100"):
        LeftoversMethod().throw((100,), seeded(0))


@pytest.mark.parametrize("use", [0, 1, 6, 99])
def test_every_throw_of_the_leftovers(use: int) -> None:
    """At each use the weights are what the 216 throws give, and the score is that of three dice."""
    system = LeftoversMethod()
    counted = Counter(step(system, (use,), ByHand(faces))[0].face for faces in product(range(1, 7), repeat=3))

    assert [counted[face] for face in system.faces] == [*system.weights((use,))]
    assert system.figures.score == best_score(216, 100)


def test_the_leftovers_are_spread() -> None:
    """As the text has it: 0, 6, 12 ... 90 at the first use, 1, 7, 13 ... at the next one."""
    first, second = LeftoversMethod().weights((0,)), LeftoversMethod().weights((1,))

    assert [v for v in range(100) if first[v] == 3] == [*range(0, 96, 6)]
    assert [v for v in range(100) if second[v] == 3] == [*range(1, 96, 6)]
    assert LeftoversMethod().throw((0,), ByHand((6, 6, 6)))[0].total == 100


@pytest.mark.parametrize(("sides", "values"), [(6, 100), (6, 10), (4, 7), (10, 999)])
def test_a_period_of_uses_treats_all_values_alike(sides: int, values: int) -> None:
    """Over as many uses as there are values each one gets as many of all throws."""
    system = LeftoversMethod(sides, values)
    memory, total = system.start(), [0] * values
    for _ in range(system.values):
        total = [t + w for t, w in zip(total, system.weights(memory), strict=True)]
        memory = system.advance(memory, 0)

    assert {*total} == {sides**system.dice}
    assert memory == system.start()


def test_where_nothing_is_left_over() -> None:
    """Two d10 for a d100 leave nothing to shift."""
    with pytest.raises(SpecError, match="leave nothing over for a d100"):
        read_spec({"system": "leftovers", "sides": 10})


@pytest.mark.parametrize(
    ("die", "mean"), [(4, "0.780"), (8, "1.165"), (10, "1.290"), (12, "1.391"), (20, "1.680"), (100, "2.579")]
)
def test_the_mean_number_of_d6s(die: int, mean: str) -> None:
    """As docs/d100.md has it, by the pool's own exact average."""
    found = average(PoolMethod(6, die))

    assert found
    assert f"{float(found):.3f}" == mean
