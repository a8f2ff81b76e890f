"""Measure how much throwing away rolls raises a chance: of 16 or more on a d20, and of a check on luck.

    python -m benchmarks.burning [evenings]

After 40 rolls of play, or 25 checks, somebody may burn up to 5 or 20 rolls before the one that counts, looks
at the odds after each, and stops when that is best. Decks are exact: dynamic programming over the cards left,
high and low, begun at that one of the following rolls, a whole deck long, that suits the burner best. For
fair dice the policy is learnt from one set of seeded evenings by backward induction on the shown chance, and
judged on another set: a policy that can be played, with a standard error of about 0.1 points.

On luck accounts the burner chooses the chance of each burnt check, 1 to 19 twentieths, and the check that
counts has the chance that is lifted most. That is exact, but for burnt checks in full where there is a
drought: what plain dice would have of it is then interpolated between tenths.
"""

import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.checks import DIE, FACES, MIXED, SIDES, accounts
from bot.dice.system import Memory, Spec, System
from bot.stats.check_evenings import after_checks
from bot.stats.crowds import choose, crowd
from bot.stats.tuner import best_deck, best_factors
from bot.systems.deck import Deck
from bot.systems.luck import FULL, MINOR, SCORE_UNIT, LuckAccount
from bot.systems.registry import read_spec

HIGH, PLAYED = 5, 40
BURNED = (0, 5, 20)
LIMIT = 5.0
EVENINGS = 40_000
TARGETS = range(4, 10)
"""The chances, in twentieths, of checks that burning lifts most."""
FACE_TARGETS = (5, 10)
"""The same for the faces of a d20: 16 or more, and 11 or more."""
_BINS = 60
_STEP = SCORE_UNIT // SIDES
_FURTHEST, _LONGEST = 5 * SIDES, 4 * SIDES
"""Accounts and droughts beyond so many twentieths of a pass are taken for so many."""
_TENTHS = 11

Grid = NDArray[np.float64]
"""A value at each account: by balance, drought, and what plain dice would have of it."""

Steps = NDArray[np.int64]


@dataclass(frozen=True)
class Chances:
    """The chance of a high roll after up to so many burned rolls, in percent."""

    name: str
    by_burned: tuple[float, ...]


def shown(system: System, high: int, played: int, evenings: int, seed: int) -> NDArray[np.float64]:
    """Return the chances of the highest faces after play and 0 to 20 burned rolls: one row an evening."""
    generator = np.random.Generator(np.random.Philox(key=seed))
    dice = crowd(system, system.start(), evenings)
    shares = np.empty((evenings, BURNED[-1] + 1))
    for n in range(played + BURNED[-1] + 1):
        weights = dice.weights()
        if n >= played:
            shares[:, n - played] = weights[:, -high:].sum(axis=1) / weights.sum(axis=1)
        dice.advance(choose(weights, generator))
    return shares


def policy(learnt: NDArray[np.float64], judged: NDArray[np.float64], burned: int) -> float:
    """Return the success of the learnt policy on new evenings."""
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


def burn_faces(spec: Spec, evenings: int, high: int = HIGH, played: int = PLAYED) -> tuple[float, ...]:
    """Return the best chance of a d20's highest faces with up to 0, 5 and 20 burned rolls, in percent."""
    if spec["system"] == Deck.name:
        return tuple(100 * best_of_deck(spec, high, played, n) for n in BURNED)
    system = read_spec(spec)
    learnt, judged = (shown(system, high, played, evenings, seed) for seed in (1, 2))
    return tuple(100 * policy(learnt, judged, n) for n in BURNED)


def best_of_deck(spec: Spec, high: int, played: int, burned: int) -> float:
    """Return a deck's exact figures under the best policy, begun at the moment that suits it best."""
    deck = read_spec({**spec, "base": {"high": high, "low": SIDES - high}})

    def after(cards: Memory) -> list[tuple[Memory, float]]:
        return [(deck.advance(cards, i), n / sum(cards)) for i, n in enumerate(cards) if n]

    @cache
    def best(cards: Memory, rest: int) -> float:
        stop = cards[0] / sum(cards)
        return max(stop, sum(p * best(then, rest - 1) for then, p in after(cards))) if rest else stop

    laws: list[dict[Memory, float]] = [{deck.start(): 1.0}]
    for _ in range(played + sum(deck.start())):
        following: defaultdict[Memory, float] = defaultdict(float)
        for cards, chance in laws[-1].items():
            for then, p in after(cards):
                following[then] += chance * p
        laws.append(following)
    return max(sum(p * best(cards, burned) for cards, p in law.items()) for law in laws[played:])


def every_system(evenings: int) -> list[Chances]:
    """All that the table of faces shows."""
    specs: dict[str, Spec] = {}
    for unpredictability in DIAL:
        preset, _ = best_factors(SIDES, 25, unpredictability)
        name = f"fair, {float(unpredictability):.0%} (f {float(preset.factor):.3f}, t {preset.tightness:.2f})"
        specs[name] = {"system": "fair", "base": DIE, "tightness": f"{preset.tightness:.6f}"}
    for tightness in ("0.1", "0.25", "0.5", "1"):
        specs[f"fair, tightness {tightness}"] = {"system": "fair", "base": DIE, "tightness": tightness}
    for size, refill, mode in DECKS:
        name = f"deck ({size}, {refill}), {mode}"
        specs[name] = {"system": "deck", "base": DIE, "size": size, "refill": refill, "mode": mode}
    for unpredictability in DIAL:
        tuned = best_deck(SIDES, 25, unpredictability)
        if tuned:
            name = f"deck tuned to {float(unpredictability):.0%} ({tuned.size}, {tuned.refill})"
            specs[name] = {"system": "deck", "base": DIE, "size": tuned.size, "refill": tuned.refill}
    chances = [Chances(name, burn_faces(spec, evenings)) for name, spec in specs.items()]
    return [Chances("plain dice", (25.0,) * 3), *chances]


DIAL = tuple(Fraction(percent, 100) for percent in (80, 85, 90, 95, 99))
"""Unpredictabilities that systems are tuned to."""
DECKS = (
    (1, 1, "add"),
    (1, 11, "add"),
    (1, 20, "add"),
    (1, 11, "reset"),
    (2, 21, "add"),
    (3, 1, "add"),
    (4, 41, "add"),
    (4, 80, "add"),
    (4, 61, "reset"),
    (10, 101, "add"),
)


def lift(account: LuckAccount, ends: Mapping[Memory, float], stake: int = FULL) -> list[float]:
    """How much burning up to 0, 5 and 20 checks lifts the chance of the one that counts, in points."""
    if stake == FULL and account.drought:
        droughts, tenths = np.arange(_LONGEST + 1) * _STEP, np.linspace(0, SCORE_UNIT, _TENTHS)
        among = [(ends, droughts, tenths)]
    else:
        rests: defaultdict[tuple[int, int], dict[Memory, float]] = defaultdict(dict)
        for memory, p in ends.items():
            rests[memory[1], memory[2]][memory] = p
        among = [(some, np.array([d]), np.array([float(b)])) for (d, b), some in rests.items()]
    balances = np.arange(-_FURTHEST * FULL, _FURTHEST * FULL + 1, stake) * _STEP
    gains = np.array([[-target / SIDES for _ in BURNED] for target in TARGETS])
    for some, droughts, tenths in among:
        counting = _factors(account.on(MIXED[0]), balances, droughts, tenths)
        burning = _factors(account.on(MIXED[0], stake), balances, droughts, tenths)
        for place, target in enumerate(TARGETS):
            value = _chances(target, counting)
            for n in range(BURNED[-1] + 1):
                if n in BURNED:
                    among_them = sum(p * _at(value, memory, stake) for memory, p in some.items())
                    gains[place, BURNED.index(n)] += among_them
                value = _burn(value, burning, tenths)
    return [100 * float(gain) for gain in gains.max(axis=0)]


def _burn(value: Grid, factors: Grid, tenths: NDArray[np.float64]) -> Grid:
    """Return the better of stopping and of burning one check, where drought counts with all that it moves."""
    found = value
    moves = value.shape[1] > 1
    for q in range(1, SIDES):
        up = _chances(q, factors)
        later = _after_check(value, q, tenths) if moves else value
        passed = np.concatenate([later[SIDES - q :], np.repeat(later[-1:], SIDES - q, axis=0)])
        missed = np.concatenate([np.repeat(later[:1], q, axis=0), later[:-q]])
        if moves:
            passed = passed[:, :1]
            missed = np.concatenate([missed[:, q:], np.repeat(missed[:, -1:], q, axis=1)], axis=1)
        found = np.maximum(found, up * passed + (1 - up) * missed)
    return found


def _after_check(value: Grid, q: int, tenths: NDArray[np.float64]) -> Grid:
    """Return the values once plain dice have had this check too: (1 - p)(b + p), between tenths."""
    moved = (SIDES - q) / SIDES * (tenths / SCORE_UNIT + q / SIDES) * (_TENTHS - 1)
    low = np.minimum(moved.astype(int), _TENTHS - 2)
    return value[..., low] * (1 - (moved - low)) + value[..., low + 1] * (moved - low)


def _at(value: Grid, memory: Memory, stake: int) -> float:
    """Return the value where an account stands."""
    n, d, b = memory
    middle = len(value) // 2
    line: Grid = value[middle + max(-middle, min(middle, n // _STEP // stake))]
    if len(line) == 1:
        return float(line[0, 0])
    place = b / SCORE_UNIT * (_TENTHS - 1)
    return float(np.interp(place, range(_TENTHS), list(line[min(d // _STEP, _LONGEST)])))


def _factors(account: LuckAccount, balances: Steps, droughts: Steps, tenths: NDArray[np.float64]) -> Grid:
    """Factors of plain odds."""
    bits = [
        float(account.bits((int(n), int(d), round(b)))) for n in balances for d in droughts for b in tenths
    ]
    return np.exp2(-np.array(bits)).reshape(len(balances), len(droughts), len(tenths))


def _chances(twentieths: int, factors: Grid) -> Grid:
    """Return the chance to pass a check."""
    odds = twentieths * factors
    return odds / (odds + SIDES - twentieths)


def main(evenings: int) -> None:
    """Print the table of faces."""
    table = Table(title="Chance of 16 or more on a d20, in percent, when up to so many rolls may be burned")
    table.add_column("system")
    columns = (*map(str, BURNED), "lift at 20", "against plain", "within 5 points")
    for column in columns:
        table.add_column(column, justify="right")
    for chances in every_system(evenings):
        lifted = chances.by_burned[-1] - 25
        table.add_row(
            chances.name,
            *(f"{chance:.1f}" for chance in chances.by_burned),
            f"{lifted:+.1f}",
            f"{chances.by_burned[-1] / 25:.2f} ×",
            "yes" if lifted <= LIMIT else "no",
        )
    Console(width=120).print(table)


def burn_checks(evenings: int) -> None:
    """Print the table of checks."""
    table = Table(title="Lift of a check by up to 5 and 20 free ones after an evening of 25, in points")
    table.add_column("system", no_wrap=True)
    for column in ("none", "5", "20", "5 of a fifth", "20 of a fifth"):
        table.add_column(column, justify="right")
    for name, account in accounts():
        ends = after_checks(account, MIXED, account.start())
        gains = [*lift(account, ends), *lift(account, ends, MINOR)[1:]]
        table.add_row(name, *(f"{max(gain, 0):.1f}" for gain in gains))
    for name, spec in FACES.items():
        lifts = [
            [got - 100 * high / SIDES for got in burn_faces(spec, evenings, high, len(MIXED))]
            for high in FACE_TARGETS
        ]
        table.add_row(name, *(f"{max(both):.1f}" for both in zip(*lifts, strict=True)))
    Console(width=120).print(table)


if __name__ == "__main__":
    evening_count = int(sys.argv[1]) if len(sys.argv) > 1 else EVENINGS
    main(evening_count)
    burn_checks(evening_count)
