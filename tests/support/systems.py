"""Systems made in one line, and histories for them."""

from collections.abc import Sequence

from hypothesis import strategies as st

from bot.dice.system import Json, Memory, Spec, System
from bot.record.hashing import Value
from bot.systems.registry import read_spec

WEIGHTS = st.lists(st.integers(1, 4), min_size=2, max_size=5)
CHOICES = st.lists(st.integers(0, 10**6), max_size=60)
"""What is chosen each time: a number that counts round the faces that are possible."""


def make(system: str, base: Json = "2d6", **parameters: Json) -> System:
    """Return the system of a spec."""
    return read_spec({"system": system, "base": base, **parameters})


def cards(weights: Sequence[int]) -> Json:
    """Return a base of labels with these weights."""
    return {f"card {i}": w for i, w in enumerate(weights)}


def played(system: System, choices: Sequence[int]) -> tuple[list[int], Memory]:
    """Return the faces that choices among the possible ones give, and the memory after them."""
    memory, chosen = system.start(), list[int]()
    for choice in choices:
        possible = [i for i, w in enumerate(system.weights(memory)) if w]
        chosen.append(possible[choice % len(possible)])
        memory = system.advance(memory, chosen[-1])
    return chosen, memory


SPECS: dict[str, dict[str, Value]] = {
    "dice": {"system": "dice", "base": "2d6"},
    "labels": {"system": "dice", "base": {"rain": 1, "sun": 3, "snow": 0}},
    "fair": {"system": "fair", "base": "2d6", "tightness": "1"},
    "tight": {"system": "fair", "base": "1d20", "tightness": "12.345"},
    "begun": {"system": "fair", "base": "2d6", "tightness": "1", "after": ["2", "4", "7", "7"]},
    "hat": {"system": "fair", "base": "1d6", "tightness": "inf"},
    "charted": {
        "system": "fair",
        "base": {
            "dice": "2d6",
            "labels": {"bandits": [2, 3, 4], "nothing": [5, 6, 7, 8, 9, 10], "gold": [11, 12]},
        },
        "tightness": "1",
    },
    "charted die": {
        "system": "dice",
        "base": {"dice": "1d6", "labels": {"rain": [1, 6], "sun": [2, 3, 4, 5]}},
    },
    "fair words": {"system": "fair", "base": {"a": 2, "b": 1}, "tightness": "0"},
    "dynamic": {"system": "dynamic", "base": "1d6", "factor": "0.355"},
    "deck": {"system": "deck", "base": "1d6", "size": 2, "refill": 3, "mode": "add"},
    "reset deck": {"system": "deck", "base": {"a": 2, "b": 1}, "size": 1, "refill": 1, "mode": "reset"},
    "two dice deck": {"system": "deck", "base": "2d4", "size": 1, "refill": 6, "mode": "add"},
}
"""Rules that both verifiers make again."""

DESTINATOR: Spec = {
    "system": "destinator",
    "regions": [*"ns" * 11],
    "cities": {"n": [*"p" * 22], "s": [*"qr" * 11]},
}
EXAMPLES: dict[str, Spec] = {
    "chart": {"system": "dice", "base": {"a": 1, "b": 3}},
    "fair": {"system": "fair", "base": {"a": 1, "b": 2, "c": 3}, "tightness": "1.5"},
    "begun": {"system": "fair", "base": {"a": 1, "b": 2}, "tightness": "1", "after": ["b", "b"]},
    "hat": {"system": "fair", "base": {"a": 1, "b": 2, "c": 3}, "tightness": "inf"},
    "dynamic": {"system": "dynamic", "base": {"a": 1, "b": 1, "c": 1}, "factor": "0.355"},
    "deck": {"system": "deck", "base": {"a": 1, "b": 2}, "size": 2, "refill": 4, "mode": "add"},
    "reset deck": {"system": "deck", "base": {"a": 1, "b": 2}, "size": 2, "refill": 4, "mode": "reset"},
    "cards": {"system": "deck", "base": {"a": 3, "b": 3, "c": 3}, "no_repeat": True},
    "decks": {"system": "decks", "decks": {"x": {"a": 3, "b": 3}, "y": {"c": 1, "d": 1}}, "no_repeat": True},
    "blocks": {"system": "blocks", "categories": {"x": ["a", "b"], "y": ["c", "d"]}, "block": 3},
    "destinator": DESTINATOR,
    "game": {
        "system": "game",
        "game": "pool",
        "roll": "roll",
        "given": {"dice": 3},
        "rule": {
            "dice": [{"pool": "dice", "count": "dice", "faces": 6}],
            "measures": {"sixes": {"count": "x == 6"}},
            "classes": {"failure": "not sixes", "success": ""},
        },
    },
    "luck": {"system": "luck", "drought": "1"},
    "renewal": {"system": "renewal", "table": ["0.25", "0.5", "1"]},
    "recency": {"system": "recency", "base": "1d6", "last": 2, "tries": 3},
    "register": {"system": "register", "dice": 3, "sides": 6, "values": 10},
    "method": {"system": "method", "method": "table", "sides": [6, 4], "values": 20},
    "pool": {"system": "pool", "sides": 6, "values": 10},
    "leftovers": {"system": "leftovers", "sides": 6, "values": 10},
}
"""Each system of the registry at least once, by a name of its own; a new system adds a line at the end."""
