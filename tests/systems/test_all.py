"""What every system promises, whatever it is."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.dice.draws import Recorder, Replayer, seeded
from bot.dice.system import Memory, Outcome, Spec, System, step
from bot.systems.odds import long_run, shares
from bot.systems.registry import SYSTEMS, load_spec, print_spec, read_spec
from tests.support.systems import EXAMPLES
from tools.events import MEMORY

EVERY = pytest.mark.parametrize("spec", EXAMPLES.values(), ids=EXAMPLES)


def play(system: System, rolls: int, draws: Recorder | Replayer) -> tuple[list[Outcome], list[Memory]]:
    """Rolls from the start, and the memory before each and after the last."""
    outcomes, memories = list[Outcome](), [system.start()]
    for _ in range(rolls):
        outcome, memory = step(system, memories[-1], draws)
        outcomes.append(outcome)
        memories.append(memory)
    return outcomes, memories


def test_every_system_is_tested_here() -> None:
    """No system of the registry is missing from this file."""
    assert {str(spec["system"]) for spec in EXAMPLES.values()} == {*SYSTEMS}


def test_the_verifiers_know_which_systems_remember() -> None:
    """The two that are written from the page have lists of their own."""
    remembering = {name for name, system in SYSTEMS.items() if system.has_state}
    script = (Path(__file__).parents[2] / "tools" / "verify.js").read_text("utf-8")
    listed = re.search(r'WITH_MEMORY = new Set\("([a-z0-9 ]+)"', script)

    assert listed
    assert MEMORY == remembering == {*listed[1].split()}


@EVERY
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_a_record_replays_to_the_same_memory(spec: Spec, seed: int) -> None:
    """Draws fed back give the same outcomes and memories, through a memory written as JSON too."""
    system = read_spec(spec)
    record = Recorder(seeded(seed))
    outcomes, memories = play(system, 30, record)
    replayer = Replayer(record.drawn)
    again, remembered = play(load_spec(print_spec(system)), 30, replayer)
    replayer.finish()

    assert load_spec(print_spec(system)) == system
    assert again == outcomes
    assert remembered == memories
    for memory in memories:
        written = json.dumps(memory, separators=(",", ":"))
        assert tuple(json.loads(written)) == memory
        assert len(written) < 200


@EVERY
def test_weights_belong_to_faces(spec: Spec) -> None:
    """There is a weight for each face, none is negative, and what has weight can be dealt."""
    system = read_spec(spec)
    _, memories = play(system, 40, Recorder(seeded(7)))

    for memory in memories:
        weights = system.weights(memory)
        assert len(weights) == len(system.faces)
        assert min(weights) >= 0
        assert sum(weights) > 0
        for chosen, weight in enumerate(weights):
            if weight:
                assert min(system.weights(system.advance(memory, chosen))) >= 0


@pytest.mark.parametrize("name", ["chart", "fair", "dynamic", "luck", "recency", "register"])
def test_soft_systems_keep_every_face_possible(name: str) -> None:
    """Dice, fair dice of finite tightness, dynamic dice and the register never rule a face out."""
    system = read_spec(EXAMPLES[name])
    memory = system.start()
    for _ in range(200):
        memory = system.advance(memory, 0)

        assert min(system.weights(memory)) > 0


@EVERY
def test_what_odds_are_compared_with_is_the_long_run(spec: Spec) -> None:
    """Not the first roll's chance: a renewal roller begins a few tries in, a register at some value."""
    system = read_spec(spec)
    table = shares(system)

    assert tuple(p / system.hand for p in long_run(system)) == tuple(Fraction(a, sum(table)) for a in table)


@EVERY
def test_a_system_goes_on_from_its_own_memory(spec: Spec) -> None:
    """A system continues itself and no system of another kind."""
    system = read_spec(spec)

    assert system.continues(read_spec(spec))
    others = [other for other in EXAMPLES.values() if other["system"] != spec["system"]]
    assert not any(system.continues(read_spec(other)) for other in others)
    assert system.hand == (2 if spec["system"] == "decks" else 1)


PROPERTIES: dict[str, list[Spec]] = {
    "independent": [
        {"system": "dice", "base": "1d6"},
        {"system": "fair", "base": "2d6", "tightness": "0"},
        {"system": "dynamic", "base": "1d6", "factor": "1"},
        {"system": "pool", "sides": 6, "values": 10},
        {"system": "leftovers", "sides": 6, "values": 10},
        {"system": "luck", "cap": "0"},
        {"system": "renewal", "table": ["0.5", "0.5"]},
        {"system": "recency", "base": "1d6", "weights": ["2"], "full": "2"},
    ],
    "evens_out": [
        {"system": "fair", "base": "2d6", "tightness": "0.05"},
        {"system": "fair", "base": "2d6", "tightness": "inf"},
        {"system": "dynamic", "base": "1d6", "factor": "0.355"},
        {"system": "deck", "base": "1d6", "size": 2, "refill": 1, "mode": "reset"},
        {"system": "deck", "base": "1d6", "size": 1, "refill": 6},
        {"system": "deck", "base": {"a": 2, "b": 2}, "no_repeat": True},
        {"system": "decks", "decks": {"x": {"a": 3, "b": 3}, "y": {"c": 1, "d": 1}}},
        {"system": "blocks", "categories": {"x": ["a", "b"], "y": ["c"]}, "block": 3},
        {"system": "luck"},
    ],
    "neither": [
        {"system": "deck", "base": "1d6", "size": 1, "refill": 4, "mode": "reset"},
        {"system": "blocks", "categories": {"x": ["a", "b"], "y": ["c"]}, "block": 2},
        {"system": "register", "dice": 3, "sides": 6, "values": 10},
        {"system": "luck", "tightness": "0", "drought": "1"},
        {"system": "renewal", "prd": "0.25"},
        {"system": "recency", "base": "1d6", "weights": ["0"]},
    ],
}


@pytest.mark.parametrize("which", [*PROPERTIES])
def test_what_evens_out_is_not_what_has_a_state(which: str) -> None:
    """Whether errors stay bounded, and whether rolls are independent, is said apart from having a state."""
    for spec in PROPERTIES[which]:
        system = read_spec(spec)
        assert system.evens_out is (which == "evens_out"), spec
        assert system.independent is (which == "independent"), spec
        assert system.has_state or not system.evens_out


@EVERY
@given(rolls=st.integers(0, 10**6))
def test_a_settled_number_of_rolls(spec: Spec, rolls: int) -> None:
    """It is at most the number, settles once, and only where errors stay bounded is it ever less."""
    system = read_spec(spec)
    settled = system.settled(rolls)

    assert 0 <= settled <= rolls
    assert system.settled(settled) == settled
    assert settled == rolls or system.evens_out
