"""What holds for every system: specs, refusals, and memories that stay small."""

import json

import pytest
from hypothesis import given

from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.dice.system import Json, System, step
from bot.systems.odds import odds
from bot.systems.registry import load_spec, print_spec, read_spec
from tests.support.systems import CHOICES, WEIGHTS, cards, make, played


@given(WEIGHTS, CHOICES)
def test_no_memory_at_the_ends(weights: list[int], choices: list[int]) -> None:
    """Tightness 0 and factor 1 are plain dice after any rolls."""
    plain, loose = make("dice", cards(weights)), make("fair", cards(weights), tightness="0")
    even, still = make("dice", "1d6"), make("dynamic", "1d6", factor="1")

    assert odds(loose, played(loose, choices)[1]) == odds(plain, plain.start())
    assert odds(still, played(still, choices)[1]) == odds(even, even.start())


@pytest.mark.parametrize(
    "system",
    [
        make("fair", tightness="1"),
        make("fair", tightness="50"),
        make("fair", "1d20", tightness="inf"),
        make("dynamic", "1d6", factor="0.355"),
        make("deck", "1d6", size=8, refill=6),
    ],
    ids=print_spec,
)
def test_memory_stays_small(system: System) -> None:
    """After three thousand rolls a memory is below 200 bytes of JSON."""
    draws, memory = seeded(7), system.start()
    for _ in range(3_000):
        _, memory = step(system, memory, draws)

    assert len(json.dumps(memory)) < 200


@pytest.mark.parametrize(
    ("short", "changed"),
    [
        ({"system": "fair", "base": "2D6"}, {"base": "2d6", "tightness": "1"}),
        ({"system": "fair", "base": "2d6", "tightness": 1.50}, {"tightness": "1.5"}),
        ({"system": "fair", "base": "2d6", "tightness": "Infinity"}, {"tightness": "inf"}),
        ({"system": "dynamic", "base": "1d6", "factor": ".50"}, {"factor": "0.5"}),
        ({"system": "deck", "base": "1d6"}, {"size": 1, "refill": 1, "mode": "add"}),
        ({"system": "register"}, {"dice": 4, "sides": 6, "values": 100}),
    ],
)
def test_specs_become_canonical(short: dict[str, Json], changed: dict[str, Json]) -> None:
    """What is left out has its default, and every way to write a number is one."""
    assert read_spec(short).as_spec() == short | changed


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ({"system": "fair", "base": "2d6", "tightness": "-1"}, "'-1'"),
        ({"system": "fair", "base": "2d6", "tightness": "1001"}, "not 1,001"),
        ({"system": "fair", "base": "2d6", "tightness": "1e3"}, "'1e3'"),
        ({"system": "fair", "base": "2d6", "tightness": True}, "True"),
        ({"system": "fair", "base": "2d6", "tightness": float("nan")}, "nan"),
        ({"system": "dynamic", "base": "1d6", "factor": "0"}, "not 0"),
        ({"system": "dynamic", "base": "1d6", "factor": "1.01"}, "1.01"),
        ({"system": "dynamic", "base": "1d6"}, "None"),
        ({"system": "dynamic", "base": "2d6", "factor": "0.5"}, "equal weight"),
        ({"system": "deck", "base": "1d6", "size": 0}, "size .* not 0"),
        ({"system": "deck", "base": "1d6", "refill": 0}, "refill .* not 0"),
        ({"system": "deck", "base": "1d6", "refill": 1.5}, "1.5"),
        ({"system": "deck", "base": "1d6", "mode": "shuffle"}, "'shuffle'"),
        ({"system": "deck", "base": "1d6", "mode": ["add"]}, "add"),
        ({"system": "deck", "base": {"a": 0, "b": 0}}, "every weight is 0"),
        ({"system": "deck", "base": {"a": -1}}, "-1"),
        ({"system": "deck", "base": {" ": 1}}, "' '"),
        ({"system": "dice", "base": 6}, "A base is"),
        ({"system": "dice"}, "A base is"),
        ({"system": "dice", "base": "1d6", "tightness": "1"}, "tightness"),
        ({"system": "register", "dice": 10}, "dice .* not 10"),
        ({"system": "register", "values": 1}, "values .* not 1"),
        ({"system": "hat", "base": "1d6"}, "'hat'"),
        ({}, "A roller is an object"),
        (["fair"], "A roller is an object"),
    ],
)
def test_refused(spec: object, named: str) -> None:
    """A parameter that makes no sense is refused with a sentence that names it or what was given."""
    with pytest.raises(SpecError, match=named):
        read_spec(spec)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "nul"])
def test_not_json(text: str) -> None:
    """What is no JSON is refused, however deep."""
    with pytest.raises(SpecError, match="not written as JSON"):
        load_spec(text)


def test_what_goes_on() -> None:
    """A memory goes on under another tightness or factor of the same base, but not under another rule."""
    fair = make("fair", tightness="1")

    assert make("fair", tightness="inf").continues(fair)
    assert not make("fair", "1d6", tightness="1").continues(fair)
    assert not make("dice").continues(fair)
    assert make("dynamic", "1d6", factor="1").continues(make("dynamic", "1d6", factor="0.5"))
    assert not make("deck", "1d6", refill=2).continues(make("deck", "1d6"))
    assert make("deck", "1d6").continues(make("deck", "1d6"))
    assert read_spec({"system": "register", "dice": 3}).continues(read_spec({"system": "register"}))
