"""Check the promises of /rigged: false signs in fair histories, and dice needed to notice biased ones.

    python -m benchmarks.rigged [--histories 400] [--runs 101]

A history is of one d6 an event, by five players in turn, looked at after each event. "Carried" is the bot's
own code, which keeps how the bets stand every 500 events. "Windows" is what is not done any more: bets of
one strength on values, on the newest 5,000 to 10,000 events alone. If over 5 % of the carried ones show one,
they are marked, and the exit code is 1. It takes about five minutes of processor time.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from math import log
from statistics import median
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from bot.services.rigging import STEP
from bot.stats.processes import (
    ENOUGH,
    FRESH,
    ROLLS_LIMIT,
    bet_on_memory,
    bet_on_plain_dice,
    bet_on_repeats,
    bet_on_values,
)

Faces: TypeAlias = NDArray[np.intp]
EVENTS = (10_000, 20_000, 40_000, 80_000)
PLAYERS = 5
WINDOW, MOVED = 10_000, 5_000
NEVER = ROLLS_LIMIT + 1
BIASES = (1.1, 1.2, 1.5)
SIGN = log(ENOUGH)


def in_windows(faces: Faces, events: Faces) -> float:
    """After which event there was a sign in one of the windows; infinite for none."""
    minima = [float("inf")]
    for start in range(0, EVENTS[-1], MOVED):
        at = (events >= start) & (events < start + WINDOW)
        reached = np.flatnonzero(_one_strength(faces[at], 6) >= SIGN)
        # A window that comes after others is looked at once it is half full.
        used = start + MOVED if start else 0
        minima += [max(int(events[at][first]), used) for first in reached[:1]]
    return min(minima)


def carried(faces: Faces, events: Faces) -> float:
    """After which event there was a sign, to the step in which it was, if the bets are carried on."""
    state = FRESH
    for start in range(0, EVENTS[-1], STEP):
        state = bet_on_plain_dice(
            (1,) * 6, faces[(events >= start) & (events < start + STEP)].tolist(), state
        )
        if state.log_most >= SIGN:
            return start
    return float("inf")


def _one_strength(counts: Faces, kinds: int) -> NDArray[np.float64]:
    share, none = np.full(kinds, 1 / kinds), np.zeros(kinds)
    memory = bet_on_memory(share, counts, none)
    sorts = (
        bet_on_values(share, counts, none)[0],
        np.logaddexp.reduce(memory, axis=0) - log(len(memory)),
        bet_on_repeats(share, counts)[0],
    )
    return np.logaddexp.reduce(sorts, axis=0) - log(len(sorts))


def signs(way: Callable[[Faces, Faces], float], histories: int) -> dict[str, list[float]]:
    """When there was a sign in each history: in all dice, in each player's, in any of five players'."""
    strengths: dict[str, list[float]] = {"all dice": [], "one of five players": [], "any of five players": []}
    every = np.arange(EVENTS[-1])
    for seed in range(histories):
        faces = np.random.Generator(np.random.Philox(key=seed)).integers(0, 6, len(every))
        theirs = [way(faces[player::PLAYERS], every[player::PLAYERS]) for player in range(PLAYERS)]
        for name, when in zip(strengths, ([way(faces, every)], theirs, [min(theirs)]), strict=True):
            strengths[name] += when
    return strengths


def needed(kinds: int, bias: float, runs: int) -> tuple[float, float]:
    """Return the median number of dice until a face with this bias is noticed: in windows, and carried."""
    truth = np.full(kinds, (1 - bias / kinds) / (kinds - 1))
    truth[-1] = bias / kinds
    before: list[int] = []
    after: list[int] = []
    for seed in range(runs):
        generator = np.random.Generator(np.random.Philox(key=seed))
        faces = generator.choice(kinds, ROLLS_LIMIT, p=truth)
        reached = np.flatnonzero(_one_strength(faces[:WINDOW], kinds) >= SIGN)
        before.append(int(reached[0]) + 1 if len(reached) else NEVER)
        after.append(_carried_dice(faces, kinds))
    return median(before), median(after)


def _carried_dice(faces: Faces, kinds: int) -> int:
    state, done = FRESH, 0
    while state.log_most < SIGN:
        step = max(10, done // 100)
        if done + step > len(faces):
            return NEVER
        state = bet_on_plain_dice((1,) * kinds, faces[done : done + step].tolist(), state)
        done += step
    return done


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--histories", type=int, default=400)
    arguments.add_argument("--runs", type=int, default=101)
    chosen = arguments.parse_args()
    console = Console(width=140)
    signs_table = Table("fair histories with a sign", *(f"{events:,} events" for events in EVENTS))
    holds = True
    for way, name in ((in_windows, "windows"), (carried, "carried")):
        for reader, counts in signs(way, chosen.histories).items():
            shares = [sum(when < events for when in counts) / len(counts) for events in EVENTS]
            is_kept = way is in_windows or reader.startswith("any") or shares[-1] <= 1 / ENOUGH
            holds &= is_kept
            signs_table.add_row(f"{name}: {reader}", *_percents(shares, is_kept=is_kept))
    console.print(signs_table)
    dice_table = Table("dice needed to notice a face", *(f"+ {bias - 1:.0%}" for bias in BIASES))
    for kinds in (6, 20):
        counts = [needed(kinds, bias, chosen.runs) for bias in BIASES]
        for name, dice in zip(("windows", "carried"), zip(*counts, strict=True), strict=True):
            dice_table.add_row(f"d{kinds}, {name}", *("never" if n >= NEVER else f"{n:,.0f}" for n in dice))
    console.print(dice_table)
    sys.exit(not holds)


def _percents(shares: Sequence[float], *, is_kept: bool) -> list[str]:
    return [f"{share:.1%}{'' if is_kept else '!'}" for share in shares]


if __name__ == "__main__":
    main()
