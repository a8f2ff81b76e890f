"""Measure one roll under each system, and the figures of a million rolls in a row.

    python -m benchmarks.systems [rolls]

Microseconds for one roll: weights, draw and new memory, after warm-up, the median of seven runs, with
seeded draws, in processor time; the draw alone is in a column of its own. Dice that show a result cost
extra and are not in it.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from itertools import cycle

from rich.console import Console
from rich.table import Table

from bot.dice.draws import seeded
from bot.dice.system import Memory, System
from bot.systems.registry import read_spec

ROLLS = 20_000
MILLION = 1_000_000
MEMORY_LIMIT = 200

SYSTEMS: dict[str, tuple[dict[str, object], float | None]] = {
    "plain d20": ({"system": "dice", "base": "1d20"}, 2),
    "plain 2d6": ({"system": "dice", "base": "2d6"}, 2),
    "fair 2d6, t = 1.5": ({"system": "fair", "base": "2d6", "tightness": "1.5"}, 25),
    "fair 2d6, hat": ({"system": "fair", "base": "2d6", "tightness": "inf"}, 25),
    "fair d20, t = 1": ({"system": "fair", "base": "1d20", "tightness": "1"}, None),
    "dynamic d6, f = 0.355": ({"system": "dynamic", "base": "1d6", "factor": "0.355"}, None),
    "deck d6 (1, 6)": ({"system": "deck", "base": "1d6", "size": 1, "refill": 6}, None),
    "no repeats, 3 x 3": ({"system": "deck", "base": {"a": 3, "b": 3, "c": 3}, "no_repeat": True}, None),
    "no repeats, 13 x 4": (
        {"system": "deck", "base": {str(i): 4 for i in range(13)}, "no_repeat": True},
        None,
    ),
    "two decks": ({"system": "decks", "decks": {"a": {"x": 3, "y": 3}, "b": {"u": 3, "v": 3}}}, None),
    "blocks of 10, 6 x 5": (
        {"system": "blocks", "categories": {c: [f"{c}{i}" for i in range(5)] for c in "abcdef"}, "block": 10},
        None,
    ),
    "d100 register, 4d6": ({"system": "register", "dice": 4, "sides": 6, "values": 100}, None),
}


def rolls_of(system: System, rolls: int) -> Callable[[], None]:
    """Return what makes this number of rolls, one after the other."""
    draws = seeded(1)

    def play() -> None:
        memory = system.start()
        for _ in range(rolls):
            memory = system.advance(memory, draws.choose(system.weights(memory)))

    return play


def draws_of(system: System, rolls: int) -> Callable[[], None]:
    """Return a function that makes the draws of `rolls` rolls alone."""
    draws, memory, weights = seeded(1), system.start(), list[tuple[int, ...]]()
    for _ in range(min(rolls, 1_000)):
        weights.append(system.weights(memory))
        memory = system.advance(memory, draws.choose(weights[-1]))

    def play() -> None:
        around = cycle(weights)
        for _ in range(rolls):
            draws.choose(next(around))

    return play


def microseconds(play: Callable[[], None], rolls: int) -> float:
    """Return the median time of a roll."""
    play()
    times: list[float] = []
    for _ in range(7):
        start = time.process_time()
        play()
        times.append(time.process_time() - start)
    return statistics.median(times) / rolls * 1e6


def largest_memory(system: System, rolls: int) -> tuple[int, Memory]:
    """Return the longest and the last memory of `rolls` rolls, in bytes of JSON."""
    draws, memory, most = seeded(2), system.start(), 0
    for _ in range(rolls):
        memory = system.advance(memory, draws.choose(system.weights(memory)))
        most = max(most, len(json.dumps(memory, separators=(",", ":"))))
    return most, memory


def main(rolls: int) -> None:
    """Print both tables."""
    console = Console(width=110)
    table = Table(title=f"One roll, in microseconds (median of 7 x {rolls:,})")
    for column in (
        "system",
        "roll",
        "draw alone",
        "without draw",
        "limit",
        "share of the limit",
        "memory, bytes",
    ):
        table.add_column(column, justify="left" if column == "system" else "right")
    for name, (spec, limit) in SYSTEMS.items():
        system = read_spec(spec)
        whole, draw = (
            microseconds(rolls_of(system, rolls), rolls),
            microseconds(draws_of(system, rolls), rolls),
        )
        most, _ = largest_memory(system, 2_000)
        assert most < MEMORY_LIMIT
        share = f"{whole / limit:.0%}" if limit else ""
        table.add_row(
            name, f"{whole:.2f}", f"{draw:.2f}", f"{whole - draw:.2f}", f"{limit or ''}", share, str(most)
        )
    console.print(table)

    table = Table(title=f"{MILLION:,} rolls in a row, exact integers throughout")
    for column in ("system", "seconds", "largest memory, bytes", "sum of the memory"):
        table.add_column(column, justify="left" if column == "system" else "right")
    for name, spec in (
        ("fair 2d6, t = 50", {"system": "fair", "base": "2d6", "tightness": "50"}),
        ("dynamic d6, f = 0.355", {"system": "dynamic", "base": "1d6", "factor": "0.355"}),
    ):
        start = time.process_time()
        most, memory = largest_memory(read_spec(spec), MILLION)
        assert most < MEMORY_LIMIT
        assert all(type(n) is int for n in memory)
        table.add_row(name, f"{time.process_time() - start:.0f}", str(most), str(sum(memory)))
    console.print(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROLLS)
