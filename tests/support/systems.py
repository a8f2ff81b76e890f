"""Systems made in one line, and histories for them."""

from collections.abc import Sequence

from hypothesis import strategies as st

from bot.dice.system import Json, Memory, System
from bot.systems.registry import read_spec

WEIGHTS = st.lists(st.integers(1, 4), min_size=2, max_size=5)
CHOICES = st.lists(st.integers(0, 10**6), max_size=60)
"""What is chosen each time: a number that counts round the faces that are possible."""


def make(system: str, base: Json = "2d6", **parameters: Json) -> System:
    """The system of a spec."""
    return read_spec({"system": system, "base": base, **parameters})


def cards(weights: Sequence[int]) -> Json:
    """A base of labels with these weights."""
    return {f"card {i}": w for i, w in enumerate(weights)}


def played(system: System, choices: Sequence[int]) -> tuple[list[int], Memory]:
    """The faces that some choices among the possible ones give, and the memory after them."""
    memory, chosen = system.start(), list[int]()
    for choice in choices:
        possible = [i for i, w in enumerate(system.weights(memory)) if w]
        chosen.append(possible[choice % len(possible)])
        memory = system.advance(memory, chosen[-1])
    return chosen, memory
