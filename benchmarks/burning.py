"""How far throwing rolls away lifts the chance of a 16 or more on a d20, system by system.

    python -m benchmarks.burning [evenings]

After 40 rolls of play somebody may burn up to 5 or 20 rolls before the one that counts, looks at the odds
after each, and stops when that is best. Decks are exact: dynamic programming over the cards left, high
and low, begun at that one of the following rolls, a whole deck long, that suits the burner best. For the
others the policy is learnt from one set of seeded evenings by backward induction on the shown chance, and
judged on another set: a policy that can be played, with a standard error of about 0.1 points.

A second table has luck accounts, exactly: how much free checks after an evening lift the chance of the one
that counts, whatever that is, in full and where a player's own checks count a fifth.
"""

import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.checks import MIXED, accounts
from bot.stats.check_evenings import lift, play_checks
from bot.stats.tuner import DIAL, best_deck, presets
from bot.systems.luck import MINOR

FACES, HIGH = 20, 5
PLAYED = 40
BURNED = (0, 5, 20)
LIMIT = 5.0
EVENINGS = 40_000
_BINS = 60


@dataclass(frozen=True)
class Chances:
    """The chance of a high roll after up to so many burned rolls, in percent."""

    name: str
    by_burned: tuple[float, ...]


def shown(tightness: float, evenings: int, seed: int) -> NDArray[np.float64]:
    """The chances shown before the roll that counts, after 0 to 20 burned rolls: one row an evening."""
    generator = np.random.Generator(np.random.Philox(key=seed))
    counts = np.zeros((evenings, FACES))
    rows = np.arange(evenings)
    found = np.empty((evenings, BURNED[-1] + 1))
    for n in range(PLAYED + BURNED[-1] + 1):
        weights = np.exp2(-tightness * (counts - counts.min(axis=1, keepdims=True)))
        ends = np.cumsum(weights, axis=1)
        if n >= PLAYED:
            found[:, n - PLAYED] = weights[:, -HIGH:].sum(axis=1) / ends[:, -1]
        at = generator.random(evenings)[:, None] * ends[:, -1:]
        counts[rows, np.minimum((ends <= at).sum(axis=1), FACES - 1)] += 1
    return found


def policy(learnt: NDArray[np.float64], judged: NDArray[np.float64], burned: int) -> float:
    """What the learnt policy gets on evenings that it was not learnt from."""
    value = learnt[:, burned]
    choices: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    for n in range(burned - 1, -1, -1):
        edges = np.unique(np.quantile(learnt[:, n], np.linspace(0, 1, _BINS + 1)[1:-1]))
        bins = np.searchsorted(edges, learnt[:, n], side="right")
        sizes = np.bincount(bins, minlength=len(edges) + 1)
        sums = np.bincount(bins, weights=value, minlength=len(edges) + 1)
        going_on = sums / np.maximum(sizes, 1)
        value = np.where(learnt[:, n] >= going_on[bins], learnt[:, n], value)
        choices.append((edges, going_on))
    got = judged[:, burned].copy()
    for n, (edges, going_on) in zip(range(burned - 1, -1, -1), choices, strict=True):
        stop = judged[:, n] >= going_on[np.searchsorted(edges, judged[:, n], side="right")]
        got = np.where(stop, judged[:, n], got)
    return float(got.mean())


def weighted(name: str, tightness: float, evenings: int) -> Chances:
    """Dynamic dice, or a fair d20, of this tightness."""
    learnt, judged = shown(tightness, evenings, 1), shown(tightness, evenings, 2)
    return Chances(name, tuple(100 * policy(learnt, judged, burned) for burned in BURNED))


State = tuple[int, int]
"""A deck's cards left, high and low."""


@dataclass(frozen=True)
class DeckRule:
    """A generalized deck, as far as high and low cards go."""

    size: int
    refill: int
    mode: str

    @property
    def full(self) -> State:
        """A new set."""
        return HIGH * self.size, (FACES - HIGH) * self.size

    def after(self, state: State) -> list[tuple[State, float]]:
        """The states one roll later, with their chances: first that of a high card."""
        high, low = state
        cards = high + low
        drawn = [((high - 1, low), high / cards), ((high, low - 1), low / cards)]
        return [(self._refilled(left), chance) for left, chance in drawn if chance]

    def _refilled(self, state: State) -> State:
        high, low = state
        if high + low >= self.refill:
            return state
        return self.full if self.mode == "reset" else (high + self.full[0], low + self.full[1])


def deck(name: str, size: int, refill: int, mode: str = "add") -> Chances:
    """A generalized deck, exactly: the best policy there is, begun at the moment that suits it best."""
    rule = DeckRule(size, refill, mode)

    @cache
    def best(state: State, left: int) -> float:
        stop = state[0] / sum(state)
        return max(stop, sum(p * best(then, left - 1) for then, p in rule.after(state))) if left else stop

    laws: list[dict[State, float]] = [{rule.full: 1.0}]
    for _ in range(PLAYED + FACES * size):
        following: dict[State, float] = {}
        for state, chance in laws[-1].items():
            for then, p in rule.after(state):
                following[then] = following.get(then, 0.0) + chance * p
        laws.append(following)
    starts = laws[PLAYED:]
    by_burned = tuple(
        100 * max(sum(p * best(state, burned) for state, p in law.items()) for law in starts)
        for burned in BURNED
    )
    return Chances(name, by_burned)


def every_system(evenings: int) -> list[Chances]:
    """All that the table shows."""
    found = [Chances("plain dice", (25.0,) * 3)]
    for unpredictability, preset in zip(DIAL, presets(FACES), strict=True):
        name = f"fair, {float(unpredictability):.0%} (f {float(preset.factor):.3f}, t {preset.tightness:.2f})"
        found.append(weighted(name, preset.tightness, evenings))
    found += [
        weighted(f"fair, tightness {tightness:g}", tightness, evenings) for tightness in (0.1, 0.25, 0.5, 1.0)
    ]
    found.append(deck("plain deck (1, 1)", 1, 1))
    found += [deck(f"deck ({size}, {refill}), {mode}", size, refill, mode) for size, refill, mode in DECKS]
    for unpredictability in DIAL:
        tuned = best_deck(FACES, 25, Fraction(unpredictability))
        if tuned:
            name = f"deck tuned to {float(unpredictability):.0%} ({tuned.size}, {tuned.refill})"
            found.append(deck(name, tuned.size, tuned.refill))
    return found


DECKS = (
    (1, 11, "add"),
    (1, 20, "add"),
    (1, 11, "reset"),
    (2, 21, "add"),
    (4, 41, "add"),
    (4, 80, "add"),
    (4, 61, "reset"),
    (10, 101, "add"),
)


def main(evenings: int) -> None:
    """Prints the table."""
    table = Table(title="Chance of 16 or more on a d20, in percent, when up to so many rolls may be burned")
    table.add_column("system")
    for column in (
        *(str(burned) for burned in BURNED),
        "lift at 20",
        "against plain",
        "within 5 points",
    ):
        table.add_column(column, justify="right")
    for chances in every_system(evenings):
        lift = chances.by_burned[-1] - 25
        table.add_row(
            chances.name,
            *(f"{chance:.1f}" for chance in chances.by_burned),
            f"{lift:+.1f}",
            f"{chances.by_burned[-1] / 25:.2f} ×",
            "yes" if lift <= LIMIT else "no",
        )
    Console(width=120).print(table)


def burn_checks() -> None:
    """Print the table of luck accounts."""
    table = Table(title="Luck accounts: lift of a check by up to 5 and 20 free checks, in points")
    table.add_column("account")
    for column in ("5, in full", "20, in full", "5, a fifth each", "20, a fifth each"):
        table.add_column(column, justify="right")
    for name, account in accounts():
        ends = play_checks(account, MIXED).accounts
        full = (f"{lift(account, ends, n):.1f}" if not account.drought else "–" for n in (5, 20))
        minor = (f"{lift(account, ends, n, MINOR):.1f}" for n in (5, 20))
        table.add_row(name, *full, *minor)
    Console(width=120).print(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENINGS)
    burn_checks()
