"""Count the evenings within the usual range: 93 % or more, and under 97 % of the next narrower range.

    python -m benchmarks.coverage [--evenings 2000] [--dice 30,100,600,2000] [--only fair]

For each system and situation: the evenings whose worst face, and whose player's average rank, is within the
band of 19 in 20 (/ within the next narrower one), in per cent. Counts are whole, so bands can hold more than
95 %. A figure beyond the limits is marked with an exclamation mark, and makes the exit code 1. The full table
takes about ten minutes of processor time, `--dice 30,100` one.
"""

import argparse
import sys

from rich.console import Console
from rich.table import Table

from bot.systems.registry import read_spec
from tests.support.coverage import SITUATIONS, Within, covered

SYSTEMS: dict[str, dict[str, object]] = {
    "plain d6": {"system": "dice", "base": "1d6"},
    "plain d20": {"system": "dice", "base": "1d20"},
    "plain 2d6": {"system": "dice", "base": "2d6"},
    **{
        f"fair 2d6, t = {t}": {"system": "fair", "base": "2d6", "tightness": t}
        for t in ("0", "0.05", "0.5", "1", "1.6")
    },
    **{
        f"slow {base}, t = {t}": {"system": "fair", "base": base, "tightness": t}
        for base in ("1d6", "1d20", "2d6", "10d6")
        for t in ("0.01", "0.02", "0.3")
    },
    "deck d6 (1, 1)": {"system": "deck", "base": "1d6", "size": 1, "refill": 1},
    "deck d6 (1, 4) reset": {"system": "deck", "base": "1d6", "size": 1, "refill": 4, "mode": "reset"},
    "deck d6 (1, 6)": {"system": "deck", "base": "1d6", "size": 1, "refill": 6},
    "deck d6 (8, 1)": {"system": "deck", "base": "1d6", "size": 8, "refill": 1},
    "dynamic d6, f = 0.355": {"system": "dynamic", "base": "1d6", "factor": "0.355"},
    "register, 4d6": {"system": "register", "dice": 4, "sides": 6, "values": 100},
    "pool": {"system": "pool", "sides": 6, "values": 100},
}


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--evenings", type=int, default=2_000)
    arguments.add_argument("--dice", default="30,100,600,2000")
    arguments.add_argument("--only", default="")
    chosen = arguments.parse_args()
    table = Table("", "dice", *SITUATIONS, title="worst face · average rank")
    holds = True
    for name, spec in SYSTEMS.items():
        if chosen.only not in name:
            continue
        system = read_spec(spec)
        for dice in map(int, chosen.dice.split(",")):
            results = [covered(system, situation, dice, chosen.evenings) for situation in SITUATIONS]
            holds = holds and all(result.worst.holds and result.rank.holds for result in results)
            cells = [f"{_cell(result.worst)} · {_cell(result.rank)}" for result in results]
            table.add_row(name, f"{dice:,}", *cells)
            print(f"| {name} | {dice:,} | {' | '.join(cells)} |", flush=True)
    Console(width=200).print(table)
    sys.exit(not holds)


def _cell(within: Within) -> str:
    mark = "" if within.holds else "!"
    band, narrower = (100 * n / within.evenings for n in (within.band, within.narrower))
    return f"{band:.1f} / {narrower:.1f}{mark}"


if __name__ == "__main__":
    main()
