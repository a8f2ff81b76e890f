"""Measure hostile texts: 200 characters with a fault at the end, as dice in the commands that take them.

`python -m benchmarks.hostile` prints a table: the slowest reading and the slowest command in processor time,
how many were over the limits (20 ms and 100 ms), and how long a neighbour on another server waited for a roll
that was asked for at the same moment. The real bot runs on the simulated Discord of the tests, on SQLite; the
texts take turns in a server and alone with the bot. A command's time includes the simulation's.
"""

import asyncio
import gc
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from statistics import quantiles

import typer
from rich.console import Console
from rich.table import Table as Printed

from bot.campaign.command import Caller
from bot.dice.errors import DiceError
from tests.support.hostile import hostile, readings
from tests.support.realm import Seat
from tests.support.table import Table, table

READING, COMMAND = 0.02, 0.1
"""The limits, in seconds of processor time."""
_EACH = 500
"""Texts per bot: the simulated Discord remembers all that was sent."""
COMMANDS = {"roll": "dice", "odds": "what", "save": "dice", "check": "dice"}


@dataclass(slots=True)
class Taken:
    """Seconds of each kind of work, and what was worked on."""

    limit: float
    times: list[float] = field(default_factory=list[float])
    slowest: str = ""

    def add(self, seconds: float, text: str) -> None:
        """Count one."""
        if seconds >= max(self.times, default=0):
            self.slowest = text
        self.times.append(seconds)


def read_all(text: str, timing: Taken) -> None:
    """Read a text in every way."""
    for read in readings(text):
        began = time.thread_time()
        with suppress(DiceError):
            read()
        timing.add(time.thread_time() - began, text)


async def run_commands(
    t: Table, text: str, *, alone: bool, timings: dict[str, Taken], ids: Iterator[int]
) -> None:
    """Send a text through every command and every list of what is offered; a neighbour rolls meanwhile."""
    seat = Seat("player", t.ann.user if alone else t.ann, None if alone else t.channel, t.bob)
    more: dict[str, dict[str, object]] = {"save": {"name": "Keep"}, "check": {"dc": 12}}
    for name, option in COMMANDS.items():
        await _timed(seat.slash(name, **{option: text}, **more.get(name, {})), f"/{name}", text, timings)
    for name in COMMANDS.keys() - {"save"}:
        offered = (
            t.ann.user.autocomplete(name, COMMANDS[name], text)
            if alone
            else t.ann.autocomplete(t.channel, name, COMMANDS[name], text)
        )
        await _timed(offered, f"what /{name} offers", text, timings)
    began = time.perf_counter()
    rolled = asyncio.create_task(t.app.rolling.roll(Caller(next(ids) << 22, 99, 98, 97), "2d6"))
    rolled.add_done_callback(lambda _: timings["neighbour"].add(time.perf_counter() - began, text))
    await seat.slash("roll", dice=text)
    await rolled


async def _timed(awaitable: Awaitable[object], name: str, text: str, timings: dict[str, Taken]) -> None:
    began = time.thread_time()
    await awaitable
    timings.setdefault(name, Taken(COMMAND)).add(time.thread_time() - began, text)


async def measure(texts: int, seed: int) -> dict[str, Taken]:
    """Return what everything took."""
    timings = {"reading": Taken(READING), "neighbour": Taken(COMMAND)}
    ids = count(10**12)
    waiting = hostile(texts, seed)
    for number, some in enumerate(iter(lambda: [*islice(waiting, _EACH)], [])):
        with tempfile.TemporaryDirectory() as folder:
            async with table(Path(folder)) as t:
                for place, text in enumerate(some):
                    gc.collect() if place % 100 == 0 else None
                    read_all(text, timings["reading"])
                    await run_commands(t, text, alone=bool((number + place) % 2), timings=timings, ids=ids)
    return timings


def main(texts: int = 10_000, seed: int = 0) -> None:
    """Measure and print the table."""
    gc.disable()
    printed = Printed(
        "what", "times", "p50 ms", "p99 ms", "slowest ms", "over the limit", "slowest text", box=None
    )
    for name, timing in asyncio.run(measure(texts, seed)).items():
        cuts = quantiles(timing.times, n=100)
        over = sum(seconds > timing.limit for seconds in timing.times)
        columns = [f"{1000 * seconds:.2f}" for seconds in (cuts[49], cuts[98], max(timing.times))]
        printed.add_row(
            name,
            f"{len(timing.times):,}",
            *columns,
            f"{over} of {1000 * timing.limit:.0f} ms",
            timing.slowest[:40],
        )
    Console(width=120).print(printed)


if __name__ == "__main__":
    typer.run(main)
