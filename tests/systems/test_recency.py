"""Recency: worked weights, both forms, and faces that stay equally likely."""

from fractions import Fraction
from itertools import product

import pytest

from bot.dice.errors import SpecError
from bot.dice.system import Json, System
from bot.systems.odds import odds
from bot.systems.registry import read_spec
from tests.support.systems import make


def recency(base: Json = "1d6", **parameters: Json) -> System:
    """The rule of a spec."""
    return make("recency", base, **parameters)


def test_never_twice_and_half_the_time_before() -> None:
    """After a 4 and before it a 2: the 4 never, the 2 half as likely."""
    rule = recency(weights=["0", "0.5"])

    assert odds(rule, (4, 2)) == tuple(Fraction(n, 9) for n in (2, 1, 2, 0, 2, 2))
    assert rule.advance((4, 2), 0) == (1, 4)


def test_the_newest_place_counts() -> None:
    """A face that is twice in the window goes by its newest place."""
    rule = recency(weights=["0.25", "0.5"], full="1")

    assert rule.weights((3, 3)) == (4, 4, 1, 4, 4, 4)
    assert rule.weights(rule.start()) == (4,) * 6


def test_four_tries_of_four() -> None:
    """The console game's bag of seven."""
    rule = recency("1d7", last=4, tries=4)

    assert rule.weights((1, 2, 3, 4)) == (64, 64, 64, 64, 715, 715, 715)
    assert sum(rule.weights((1, 2, 3, 4))) == 2401


def test_tries_are_throws() -> None:
    """By hand: all throws of three dice, the first that is not in the window counts, else the last."""
    rule = recency("1d4", last=2, tries=3)
    for memory in ((1, 2), (3, 3), (0, 0)):
        counted = [0] * 4
        for throws in product(range(1, 5), repeat=3):
            counted[next((t for t in throws if t not in memory), throws[-1]) - 1] += 1
        assert odds(rule, memory) == tuple(Fraction(n, 64) for n in counted)


@pytest.mark.parametrize("rule", [recency("1d4", weights=["0", "0.5"]), recency("1d3", last=2, tries=3)])
def test_all_faces_stay_equally_likely(rule: System) -> None:
    """At every throw, before anything is known of the others."""
    states = {rule.start(): Fraction(1)}
    for _ in range(6):
        mean = [Fraction(0)] * len(rule.faces)
        after: dict[tuple[int, ...], Fraction] = {}
        for memory, p in states.items():
            for chosen, share in enumerate(odds(rule, memory)):
                mean[chosen] += p * share
                key = rule.advance(memory, chosen)
                after[key] = after.get(key, Fraction(0)) + p * share
        assert {*mean} == {Fraction(1, len(rule.faces))}
        states = after


def test_specs_come_back() -> None:
    """In both forms; one goes on from the other where the window is as long."""
    weighed, tried = recency(weights=["0", "0.5"], full="2"), recency(last=2, tries=4)

    assert read_spec(weighed.as_spec()) == weighed
    assert read_spec(tried.as_spec()) == tried
    assert weighed.continues(tried)
    assert not weighed.continues(recency(last=3, tries=4))


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"base": "2d6"}, "equally likely"),
        ({"weights": []}, "1 to 20"),
        ({"weights": ["0.1"] * 21}, "1 to 20"),
        ({"weights": ["1.5"]}, "at most the full"),
        ({"weights": ["0"], "full": "0"}, "at most the full"),
        ({"base": "1d2", "weights": ["0", "0"]}, "fewer"),
        ({"weights": ["0"], "tries": 2}, "not by both"),
        ({"tries": 11}, "tries"),
        ({"last": 21}, "last"),
    ],
)
def test_what_is_no_recency_is_refused(parameters: dict[str, Json], named: str) -> None:
    """With the parameter that is wrong."""
    with pytest.raises(SpecError, match=named):
        read_spec({"system": "recency", "base": "1d6", **parameters})
