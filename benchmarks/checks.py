"""Compute an evening of 25 checks by system: spread, runs of misses, surprise, and bias.

    python -m benchmarks.checks [evenings]

The mixed evening has checks of 30, 65, 45, 80, 60, 40, 75, 55, 35, 70 and 50 %, over and over; the easy one
has 65 % throughout. Luck accounts are exact; systems that balance the faces of the d20 are played, with a
standard error of the spread of half a per cent. `benchmarks.burning` prints what burning gains.
"""

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, sqrt

import numpy as np
from rich.console import Console
from rich.table import Table

from bot.dice.system import Memory, Spec, System
from bot.stats.check_evenings import chance, place_of
from bot.stats.crowds import choose, crowd
from bot.systems.checks import CheckTerms, Outcomes, outcomes
from bot.systems.luck import ACCOUNT_UNIT, LuckAccount
from bot.systems.registry import read_spec

DIE, SIDES = "1d20", 20
TWENTIETHS = [6 + 7 * (i % 11) % 11 for i in range(25)]
"""The chance of each check of the mixed evening."""
MIXED = [outcomes(DIE, CheckTerms(SIDES + 1 - q)) for q in TWENTIETHS]
EASY = [outcomes(DIE, CheckTerms(8))] * 25
RULES: list[tuple[str, str, str]] = [
    ("0", "0", "64"),
    ("0.1", "0", "64"),
    ("0.25", "0", "64"),
    ("0.5", "0", "64"),
    ("1", "0", "64"),
    ("1", "0", "3"),
    ("1.25", "0", "4"),
    ("1", "0.35", "3"),
    ("0.5", "1", "3"),
    ("0.25", "1", "3"),
]
"""Tightness, drought and cap."""
FACES: dict[str, Spec] = {
    "deck of a d20 (1, 1)": {"system": "deck", "base": DIE},
    "deck of a d20 (1, 11)": {"system": "deck", "base": DIE, "refill": 11},
    "fair d20, tightness 0.5": {"system": "fair", "base": DIE, "tightness": "0.5"},
    "fair d20, tightness 1": {"system": "fair", "base": DIE, "tightness": "1"},
}
"""Systems that balance the faces of the die."""
EVENINGS = 20_000
RUN = 5
"""The length of a streak of misses that people remember."""


@dataclass(frozen=True, slots=True)
class CheckEvening:
    """Figures of an evening of checks, exact except for rounding."""

    expected: float
    """Passes of plain dice."""
    bias: float
    """Passes too many, on the mean."""
    spread: float
    """The standard deviation of the passes."""
    run: float
    """The chance of five misses in a row, or more, somewhere."""
    bits: float
    """The mean entropy of a check."""
    plain_bits: float


def play_checks(account: LuckAccount, checks: Sequence[Outcomes]) -> CheckEvening:
    """Compute the figures of checks of pass and miss, one after another at full stake."""
    start = account.start()
    # The account, and the run of misses, for good once it was as long as was looked for.
    states = {(start, 0): 1.0}
    bits = 0.0
    for check in checks:
        now = account.on(check)
        places = [place_of(check, score) for score in (0, 1)]
        after: defaultdict[tuple[Memory, int], float] = defaultdict(float)
        for (memory, missed), p in states.items():
            up = chance(now, memory)
            bits += p * entropy(up)
            miss, passed = (now.advance(memory, place) for place in places)
            after[passed, RUN if missed == RUN else 0] += p * up
            after[miss, min(missed + 1, RUN)] += p * (1 - up)
        states = after
    # What was passed beyond what was expected stands on the account.
    ends = [((memory[0] - start[0]) / ACCOUNT_UNIT, missed, p) for (memory, missed), p in states.items()]
    bias = sum(p * gained for gained, _, p in ends)
    return CheckEvening(
        float(sum(check.expected for check in checks)),
        bias,
        sqrt(sum(p * (gained - bias) ** 2 for gained, _, p in ends)),
        sum(p for _, missed, p in ends if missed == RUN),
        bits / len(checks),
        sum(entropy(float(check.expected)) for check in checks) / len(checks),
    )


def entropy(p: float) -> float:
    """Return the entropy of a check with this chance to pass, in bits."""
    return -p * log2(p) - (1 - p) * log2(1 - p) if 0 < p < 1 else 0.0


def accounts() -> list[tuple[str, LuckAccount]]:
    """Every rule of the table with its name."""
    tasks: list[tuple[str, LuckAccount]] = []
    for tightness, drought, cap in RULES:
        rule = read_spec({"system": "luck", "tightness": tightness, "drought": drought, "cap": cap})
        if isinstance(rule, LuckAccount):
            more = (f", drought {drought}" if rule.drought else "") + (f", cap {cap}" if cap != "64" else "")
            tasks.append((f"tightness {tightness}{more}" if rule.tightness else "plain dice", rule))
    return tasks


def play_faces(system: System, twentieths: list[int], evenings: int) -> CheckEvening:
    """Play checks with a die whose faces are balanced: the highest ones pass."""
    generator = np.random.Generator(np.random.Philox(key=1))
    dice = crowd(system, system.start(), evenings)
    passed, missed = np.zeros(evenings), np.zeros(evenings)
    bits = 0.0
    for q in twentieths:
        weights = dice.weights()
        up = weights[:, SIDES - q :].sum(axis=1) / weights.sum(axis=1)
        inside = up[(up > 0) & (up < 1)]
        bits -= float((inside * np.log2(inside) + (1 - inside) * np.log2(1 - inside)).sum()) / evenings
        chosen = choose(weights, generator)
        dice.advance(chosen)
        passes = chosen >= SIDES - q
        passed += passes
        missed = np.where(missed == RUN, RUN, np.where(passes, 0, missed + 1))
    expected = sum(twentieths) / SIDES
    plain = play_checks(LuckAccount(), MIXED if twentieths is TWENTIETHS else EASY).plain_bits
    run = float((missed == RUN).mean())
    bias = float(passed.mean()) - expected
    return CheckEvening(expected, bias, float(passed.std()), run, bits / len(twentieths), plain)


def main(evenings: int) -> None:
    """Print the table."""
    table = Table(title="25 checks: mixed, and in brackets easy ones alone")
    table.add_column("system")
    for column in ("spread of passes", "five misses in a row, %", "entropy, %", "bias, passes"):
        table.add_column(column, justify="right")
    results = [(name, play_checks(rule, MIXED), play_checks(rule, EASY)) for name, rule in accounts()]
    for name, spec in FACES.items():
        system = read_spec(spec)
        easy = play_faces(system, [13] * 25, evenings)
        results.append((name, play_faces(system, TWENTIETHS, evenings), easy))
    for name, mixed, easy in results:
        table.add_row(
            name,
            f"{mixed.spread:.2f} ({easy.spread:.2f})",
            f"{100 * mixed.run:.1f} ({100 * easy.run:.2f})",
            f"{100 * mixed.bits / mixed.plain_bits:.1f}",
            f"{mixed.bias:+.3f} ({easy.bias:+.3f})",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENINGS)
