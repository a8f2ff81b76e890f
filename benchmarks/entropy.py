"""Measure a draw: bits against Shannon's entropy and other exact methods, time against Python's own.

    python -m benchmarks.entropy [draws]

Bits are counted over 1,000,000 draws unless said otherwise, net of what the register still holds. Because
the outcomes of one run are a sample, they are compared with the information of exactly these outcomes,
which tends to the entropy; for equal faces it is the entropy. Times are the best of five.
"""

import math
import random
import secrets
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

from rich.console import Console
from rich.table import Table

from bot.dice.draws import RecyclingDraws
from bot.entropy.supply import Kernel, Lane, Supply, WordPool
from bot.systems.fair import Fair

DRAWS = 1_000_000
TIMED = 100_000
LIMIT = 1.0001


def fair_weights(rolled: Sequence[int]) -> tuple[int, ...]:
    """Return the weights of a fair 2d6 of tightness 1 after these rolls."""
    fair = Fair.from_spec({"system": "fair", "base": "2d6", "tightness": "1"})
    memory = fair.start()
    for total in rolled:
        memory = fair.advance(memory, total - 2)
    return fair.weights(memory)


TWO_DICE = Fair.from_spec({"system": "fair", "base": "2d6", "tightness": "0"}).base.weights
FAIR_DIE = fair_weights(rolled=(2, 4, 7, 7))


class Counted:
    """Words of the kernel, counted."""

    def __init__(self) -> None:
        self.words = 0
        self._kernel = Kernel()

    def word(self) -> int:
        """Return the next word."""
        self.words += 1
        return self._kernel.word()


def entropy(weights: Sequence[int]) -> float:
    """Shannon's entropy in bits."""
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights)


def spent(weights: Sequence[int], draws: int) -> tuple[float, float]:
    """Return the bits used and the information of the outcomes, both per draw."""
    counted = Counted()
    register = RecyclingDraws(counted.word)
    total, counts = sum(weights), [0] * len(weights)
    equal = len(set(weights)) == 1
    for _ in range(draws):
        counts[register.below(total) if equal and total == len(weights) else register.choose(weights)] += 1
    bits_in_register = math.log2(register._m)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    information = -sum(
        count * math.log2(weight / total) for count, weight in zip(counts, weights, strict=True) if count
    )
    return (64 * counted.words - bits_in_register) / draws, information / draws


def naive(total: int) -> Fraction:
    """Return the expected bits if the least power of two is drawn whole and too large values are dropped."""
    k = (total - 1).bit_length()
    return Fraction(k * 2**k, total)


def early(total: int) -> Fraction:
    """Return the same where a number is thrown away as soon as its first bits make it too large."""
    k = (total - 1).bit_length()
    bits, end = Fraction(0), 2**k
    while end > total:
        # The longest run of too large numbers at the end that one prefix stands for.
        run = 1 << ((end - total).bit_length() - 1)
        run = min(run, end & -end)
        bits += Fraction(run * (k - (run.bit_length() - 1)), 2**k)
        end -= run
    return (bits + Fraction(k * total, 2**k)) / Fraction(total, 2**k)


def dice_roller(total: int) -> Fraction:
    """Return the expected bits of the Fast Dice Roller: (2^t mod n) / 2^t, summed over its period."""
    state, positions, terms = 1 % total, dict[int, int](), list[Fraction]()
    while state not in positions:
        positions[state] = len(terms)
        terms.append(Fraction(state, 2 ** len(terms)))
        state = state * 2 % total
    begin, period = positions[state], len(terms) - positions[state]
    once = sum(terms[begin:], Fraction(0))
    return sum(terms[:begin], Fraction(0)) + once / (1 - Fraction(1, 2**period))


def nanoseconds(draw: Callable[[], object]) -> float:
    """Return the time of one call: the best of five runs."""
    best = math.inf
    for _ in range(5):
        started = time.perf_counter()
        for _ in range(TIMED):
            draw()
        best = min(best, time.perf_counter() - started)
    return best / TIMED * 1e9


def fed() -> Supply:
    """Return a supply with more remote bytes than the timing needs."""
    lanes = Lane(Kernel()), Lane(Kernel())
    for lane in lanes:
        lane.add(secrets.token_bytes(8 * TIMED))
    return Supply(WordPool(*lanes))


def bits_table(draws: int) -> tuple[Table, bool]:
    """Bits per draw, and whether every ratio keeps the limit."""
    table = Table(title=f"Bits per draw, over {draws:,} draws")
    for heading in ("draw", "entropy", "register", "ratio", "naive", "early rejection", "Fast Dice Roller"):
        table.add_column(heading, justify="left" if heading == "draw" else "right")
    is_kept = True
    cases: dict[str, Sequence[int]] = {f"1 of {n}": [1] * n for n in (2, 6, 10, 20, 72, 100)}
    for name, weights in (cases | {"2d6": TWO_DICE, "fair 2d6": FAIR_DIE}).items():
        bits, information = spent(weights, draws)
        ratio = bits / information
        is_kept = is_kept and ratio <= LIMIT
        # The other ways draw a table as one die with as many sides as there are weights in all.
        others = [f"{float(cost(sum(weights))):.4f}" for cost in (naive, early)]
        period = dice_roller(sum(weights)) if sum(weights) < 1_000_000 else None
        others.append(f"{float(period):.4f}" if period is not None else "-")
        table.add_row(name, f"{entropy(weights):.6f}", f"{bits:.6f}", f"{ratio:.7f}", *others)
    return table, is_kept


def ways(weights: Sequence[int]) -> list[Callable[[], object]]:
    """Return the same draw from a true roll, a local roll, `secrets` and `random`."""
    true, local, n = fed().open(), Supply.local().open(), len(weights)
    if len(set(weights)) == 1:
        return [
            lambda: true.below(n),
            lambda: local.below(n),
            lambda: secrets.randbelow(n),
            lambda: random.randrange(n),
        ]
    ends = list(accumulate(weights))
    return [
        lambda: true.choose(weights),
        lambda: local.choose(weights),
        lambda: bisect_right(ends, secrets.randbelow(ends[-1])),
        lambda: random.choices(range(n), cum_weights=ends),
    ]


def time_table() -> Table:
    """Nanoseconds per draw."""
    table = Table(title="Nanoseconds per draw, best of five")
    table.add_column("draw")
    for heading in ("true roll", "local roll", "secrets", "random", "true / secrets", "true / random"):
        table.add_column(heading, justify="right")
    cases: dict[str, Sequence[int]] = {f"1 of {n}": [1] * n for n in (6, 20, 100)}
    for name, weights in (cases | {"2d6": TWO_DICE, "fair 2d6": FAIR_DIE}).items():
        times = [nanoseconds(way) for way in ways(weights)]
        ratios = [f"{times[0] / times[2]:.2f}", f"{times[0] / times[3]:.2f}"]
        table.add_row(name, *(f"{t:.0f}" for t in times), *ratios)
    return table


def main() -> int:
    """Print both tables; 1 if a ratio of bits is over the limit."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    console = Console(width=110)
    bits, is_kept = bits_table(draws)
    console.print(bits)
    console.print(time_table())
    console.print(f"Every ratio is at most {LIMIT}: {'yes' if is_kept else 'NO'}.")
    return 0 if is_kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
