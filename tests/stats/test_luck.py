"""Somebody's luck: where counts usually are, how common a mean and a streak is."""

from fractions import Fraction
from itertools import groupby, product

import pytest

from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.dice.system import System, step
from bot.stats.bands import Band
from bot.stats.best import longest_streak, streak_chance
from bot.stats.luck import find_faces, judge, plain_die
from tests.support.stretches import fresh
from tests.support.systems import make

D4 = plain_die("d4")


def rolled(system: System, rolls: int, seed: int) -> list[int]:
    """How often each face came out of so many rolls."""
    draws, memory, counts = seeded(seed), system.start(), dict.fromkeys(system.faces, 0)
    for _ in range(rolls):
        outcome, memory = step(system, memory, draws)
        counts[outcome.face] += 1
    return [*counts.values()]


def test_dice_go_by_their_names() -> None:
    """A tally's names are read as one die each."""
    assert plain_die("d20").faces == tuple(map(str, range(1, 21)))
    assert plain_die("dF").faces == ("-1", "0", "1")


def test_what_comes_for_owners_of_faces() -> None:
    """Against all sequences of six: what came, what is expected, and how many have as little or as much."""
    luck = judge(D4, (3, 1, 1, 1), owners=(("Ann", ("1", "3")), ("Bob", ("2", "2"))))
    ann, bob = luck.gains
    sequences = [*product("1234", repeat=6)]
    anns = [sum(face in "13" for face in one) for one in sequences]

    assert (ann.observed, ann.expected, bob.observed, bob.expected) == (4, 3, 2, 3)
    assert ann.usual.at_least == pytest.approx(sum(n >= 4 for n in anns) / len(anns))
    assert ann.usual.at_most == pytest.approx(sum(n <= 4 for n in anns) / len(anns))
    assert bob.usual.at_least == pytest.approx(1 - (3 / 4) ** 6)
    assert sum(ann.usual.low <= n <= ann.usual.high for n in anns) >= 0.95 * len(anns)
    with pytest.raises(SpecError, match="5 can't come out here"):
        judge(D4, (3, 1, 1, 1), owners=(("Ann", ("5",)),))
    with pytest.raises(SpecError, match="These can: Treffer, Patzer"):
        find_faces(D4, (("Ann", ("5",)),), ("Treffer", "Patzer"))


def test_the_mean_and_how_common_it_is() -> None:
    """Against all sequences: how many are as low or lower, and as high or higher; it is in both."""
    luck = judge(D4, (3, 1, 1, 1))
    sums = [sum(sequence) for sequence in product(range(1, 5), repeat=6)]

    assert luck.mean
    assert (luck.mean.value, luck.mean.expected) == (Fraction(12, 6), Fraction(5, 2))
    assert luck.mean.at_most == pytest.approx(sum(s <= 12 for s in sums) / len(sums))
    assert luck.mean.at_least == pytest.approx(sum(s >= 12 for s in sums) / len(sums))
    assert luck.mean.low < 2.5 < luck.mean.high
    assert not luck.enough


@pytest.mark.parametrize("table", [(1, 1, 1), (3, 2, 1)])
@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_how_common_a_streak_is(table: tuple[int, ...], length: int) -> None:
    """The same as counting all sequences of seven rolls, weighed."""
    weight = 0
    for sequence in product(range(3), repeat=7):
        one = 1
        for face in sequence:
            one *= table[face]
        longest = max(sum(1 for _ in run) for _, run in groupby(sequence))
        weight += one * (longest >= length)

    assert streak_chance(table, 7, length) == pytest.approx(weight / sum(table) ** 7, rel=1e-12)


def test_a_run_of_four_in_a_hundred() -> None:
    """The spec's figure for a d6: 0.3162."""
    assert round(streak_chance((1,) * 6, 100, 4), 4) == 0.3162


def test_the_longest_streak_is_found() -> None:
    """The first of the longest, with its face; a die of one face has none worth telling."""
    streak = longest_streak(D4, [*"1224441333"])

    assert streak
    assert (streak.face, streak.length, streak.dice) == ("4", 3, 10)
    assert longest_streak(D4, ["1"]) is None
    assert longest_streak(plain_die("d1"), ["1", "1"]) is None


def test_a_fair_die_is_measured_by_its_own_evenness() -> None:
    """Its bands stay as narrow as they are, however many rolls there are; its own rolls lie in them."""
    fair = make("fair", "1d6", tightness="1")
    counts = rolled(fair, 900, 1)
    luck, others = judge(fair, counts, fresh(fair, 900)), judge(fair, counts)

    assert luck.mean
    assert not luck.runs
    assert luck.worst.error <= 2 * luck.worst.most
    assert luck.counts[luck.faces.index(luck.furthest)] - 150 in {luck.worst.error, -luck.worst.error}
    assert all(band.high - band.low <= 8 for band in luck.bands)
    assert luck.inside >= 5
    assert all(band.high - band.low > 30 for band in others.bands)
    assert not others.runs


def test_without_effect_a_memory_is_none() -> None:
    """A fair die of tightness 0 is judged exactly as plain dice are, and so is a pool."""
    loose, plain = make("fair", "1d6", tightness="0"), make("dice", "1d6")
    counts = rolled(loose, 300, 2)
    one, other = judge(loose, counts, fresh(loose, 300)), judge(plain, counts)

    assert (one.bands, one.worst, one.mean, one.runs) == (other.bands, other.worst, other.mean, 0)


def test_most_faces_of_fair_dice_are_inside() -> None:
    """Of 40 stretches of a d20 about 19 faces of 20 are where they usually are, and never all outside."""
    insides = [judge(plain_die("d20"), rolled(plain_die("d20"), 200, seed)).inside for seed in range(40)]

    assert 18 <= sum(insides) / len(insides) <= 20
    assert judge(D4, (0, 0, 0, 60)).inside == 0
    assert judge(D4, (0, 0, 0, 60)).bands == (Band(9, 22),) * 4


def test_there_is_no_luck_in_nothing() -> None:
    """No rolls are an error of ours."""
    with pytest.raises(ValueError, match="no dice"):
        judge(D4, (0, 0, 0, 0))
