"""Dice that make a given total, against all the throws that do."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.dice.distribution import arrange, can_arrange, distribution
from bot.dice.draws import Recorder, RecyclingDraws, Replayer
from bot.dice.errors import SpecError
from bot.dice.expressions import Expression
from bot.dice.notation import parse
from bot.dice.throws import Throw, roll
from tests.support.expressions import small_rolls, terms
from tests.support.tapes import law


def given_totals(expression: Expression) -> dict[int, dict[Throw, Fraction]]:
    """For each total, the chances of the throws that make it, by walking through all throws."""
    by_total: dict[int, dict[Throw, Fraction]] = {}
    for throw, chance in law(lambda draws: roll(expression, draws)).items():
        by_total.setdefault(throw.total, {})[throw] = chance
    return {
        total: {throw: chance / sum(throws.values()) for throw, chance in throws.items()}
        for total, throws in by_total.items()
    }


def arranged(expression: Expression) -> dict[int, dict[Throw, Fraction]]:
    """For each total, the chances of the throws that `arrange` makes."""
    return {
        total: law(lambda draws, total=total: arrange(expression, total, draws))
        for total in distribution(expression)
    }


@pytest.mark.parametrize(
    "text",
    [
        "2d6",
        "3d4",
        "2dF",
        "3d4kh1",
        "3d3kh2",
        "4d2kl2",
        "3d3dh1",
        "3d3dl2",
        "d6 adv",
        "2d4ro<3",
        "2d3ro>=2kh1",
        "d3ro<4",
        "2d2!",
        "2d2!kh1",
        "d3ro3!",
        "4d3>=2",
        "3d3kh2>=2",
        "2d2!>=2",
        "2dF!kh1>=0",
        "2dF!kl1=0",
        "d4+d4+d4",
        "d4-2*d3",
        "(d4-2)*(d3-2)",
        "0*2d3",
        "2d4//3",
        "2d3//(1-3)",
        "-d4*-(d3[a]+1)[b]",
        "(d4+d3)>=5",
        "((2d3)=4)+d2",
        "2d4rr<3",
        "2d3r2{1}kh1",
        "2d2!p",
        "2d3!o{>=2}kl1",
        "3d3!i{1}",
        "3d3min2kh2",
        "3d4km1",
        "4d3dl1dh1",
        "4d2km2",
        "3d4k{>2}",
        "3d4>=3x2{4}f{1}",
        "2d{1,1,2}ro1",
        "d4 vs d6",
    ],
)
def test_arranged_dice_fall_as_rolled_ones_would(text: str) -> None:
    """For every total, each throw has exactly the chance it has among the rolls that make the total."""
    expression = parse(text)

    assert arranged(expression) == given_totals(expression)


@settings(max_examples=40, deadline=None)
@given(small_rolls().filter(can_arrange).filter(lambda expression: len(list(distribution(expression))) <= 60))
def test_any_small_arrangement_falls_as_rolled_ones_would(expression: Expression) -> None:
    """So it is for every combination of features small enough to walk through."""
    assert arranged(expression) == given_totals(expression)


@settings(max_examples=60, deadline=None)
@given(terms(most_dice=30, most_sides=20).map(Expression), st.randoms(), st.data())
def test_whatever_has_a_distribution_can_be_arranged(
    expression: Expression, random: Random, data: st.DataObject
) -> None:
    """Any total of a distribution can be made; replaying the draws makes it again."""
    try:
        totals = list(distribution(expression)) if can_arrange(expression) else []
    except SpecError:
        return
    if not totals:
        return
    total = data.draw(st.sampled_from(totals))
    recorder = Recorder(RecyclingDraws(lambda: random.getrandbits(64)))
    throw = arrange(expression, total, recorder)
    replayer = Replayer(recorder.drawn)
    again = arrange(expression, total, replayer)
    replayer.finish()

    assert throw.total == total
    assert again == throw


@pytest.mark.parametrize(
    ("text", "total", "sizes"), [("2d6", 7, [6]), ("2d6+2d6", 5, [2, 2]), ("2d6", 2, [])]
)
def test_draws_on_record_are_small(text: str, total: int, sizes: list[int]) -> None:
    """A draw is among as few as possible, and what is certain is not drawn."""
    recorder = Recorder(RecyclingDraws(lambda: 0))
    arrange(parse(text), total, recorder)

    assert [size for size, _ in recorder.drawn] == sizes


@pytest.mark.parametrize(("text", "total"), [("2d6", 1), ("2d6", 13), ("2*d6", 5), ("d6*d6", 7)])
def test_a_total_that_never_comes_is_refused(text: str, total: int) -> None:
    """There are no dice for an impossible total."""
    with pytest.raises(SpecError, match=f"never makes {total}"):
        arrange(parse(text), total, RecyclingDraws(lambda: 0))
