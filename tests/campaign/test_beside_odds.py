"""The odds of a roller with something added: exactly those of the rolls, one by one."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest

from bot.campaign.adjustments import read_modifiers, summand
from bot.dice.system import Memory, System
from bot.systems.odds import Span, after, odds
from bot.systems.registry import read_spec

FAIR = read_spec({"system": "fair", "base": "1d4", "tightness": "1"})
DECK = read_spec({"system": "deck", "base": "1d4", "size": 2, "refill": 1})
ADDED: Mapping[str, tuple[tuple[int, ...], Callable[[tuple[int, ...]], int]]] = {
    "+5": ((), lambda _: 5),
    "+ 1d4 - 1": ((4,), lambda dice: dice[0] - 1),
    "-2d2": ((2, 2), lambda dice: -sum(dice)),
}


def _paths(system: System, memory: Memory, rolls: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every series of faces with its chance."""
    if not rolls:
        return [((), Fraction(1))]
    return [
        ((int(system.faces[i]), *rest), p * q)
        for i, p in enumerate(odds(system, memory))
        if p
        for rest, q in _paths(system, system.advance(memory, i), rolls - 1)
    ]


@pytest.mark.parametrize("system", [FAIR, DECK], ids=["fair", "deck"])
@pytest.mark.parametrize("way", ["", "adv", "dis"])
@pytest.mark.parametrize("text", ADDED)
def test_the_law_is_that_of_all_its_rolls(system: System, way: str, text: str) -> None:
    """Both draws of an advantage move the memory, so the second is drawn from what the first left."""
    memory = after(system, ["4", "2"])
    dice, total = ADDED[text]
    expected: dict[int, Fraction] = {}
    thrown = [*product(*(range(1, sides + 1) for sides in dice))]
    for faces, p in _paths(system, memory, 2 if way else 1):
        better = max(faces) if way == "adv" else min(faces)
        for faces_thrown in thrown:
            value = better + total(faces_thrown)
            expected[value] = expected.get(value, Fraction(0)) + p / len(thrown)

    for typed in (f"{way} {text}", f"{text} {way}"):
        law = summand(read_modifiers(typed)).law(system, memory)

        assert {value: p for value, p in law.items() if p} == expected
        assert sum(law.values()) == 1


def test_without_memory_both_draws_have_the_long_run_shares() -> None:
    """Each of the four faces is a quarter of all rolls."""
    law = summand(read_modifiers("adv +1")).law(DECK, None)

    assert law == {face + 1: Fraction(2 * face - 1, 16) for face in range(1, 5)}


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("+5", Span()),
        ("+5 dc 15", Span(15)),
        (">= 15", Span(15)),
        ("<= 5", Span(None, 5)),
        ("adv > 5", Span(6)),
    ],
)
def test_a_dc_asks_for_its_totals(text: str, span: Span) -> None:
    """Low rolls pass where the sign says so."""
    assert summand(read_modifiers(text)).span == span
