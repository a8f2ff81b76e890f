"""Measure several processes on one PostgreSQL: rolls a second, and the cost of a roll to each.

`python -m benchmarks.cluster` prints the table in docs/performance.md: whole commands, from the event on the
gateway to the answer's POST, as in benchmarks/commands.py. On few cores the processes, the server and the
Discord that asks all share them: that shows what it costs to be several, and no growth.
"""

import asyncio
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.calling import Calling, calling
from benchmarks.fleet import Fleet, fleet, server_seconds
from tests.support.databases import postgresql_database

PROCESSES = (1, 2, 4)
IN_FLIGHT = 64


@dataclass(slots=True)
class Measured:
    """Figures of each round."""

    rates: list[float] = field(default_factory=list[float])
    bot: list[float] = field(default_factory=list[float])
    """Seconds of processor time for one roll, of all processes together."""
    server: list[float] = field(default_factory=list[float])
    waits: list[float] = field(default_factory=list[float])


async def run_round(running: Fleet, url: str, seconds: float, into: Measured) -> None:
    """Let the members roll for some seconds, each as soon as its last answer is in."""
    discord, rolled = running.discord, 0
    cpu, server, start = running.cpu_seconds, await server_seconds(url), time.perf_counter()

    async def play(member: int) -> None:
        nonlocal rolled
        while (began := time.perf_counter()) < start + seconds:
            running.turn()
            await discord.call(member, "roll", {"dice": "2d6+3"})
            into.waits.append(time.perf_counter() - began)
            rolled += 1

    await asyncio.gather(*(play(member) for member in range(IN_FLIGHT)))
    into.rates.append(rolled / (time.perf_counter() - start))
    into.bot.append((running.cpu_seconds - cpu) / rolled)
    into.server.append((await server_seconds(url) - server) / rolled)


async def measure(url: str, folder: Path, rounds: int, seconds: float) -> dict[int, Measured]:
    """Every number of processes, with a round to warm up."""
    measured: dict[int, Measured] = {}
    async with calling(folder / "table", IN_FLIGHT) as discord:
        for count in PROCESSES:
            measured[count] = await _count(discord, url, folder / str(count), count, rounds, seconds)
    return measured


async def _count(
    discord: Calling, url: str, folder: Path, count: int, rounds: int, seconds: float
) -> Measured:
    measured = Measured()
    async with fleet(discord, url, folder, count) as running:
        await run_round(running, url, seconds, Measured())
        for _ in range(rounds):
            await run_round(running, url, seconds, measured)
    return measured


def main(rounds: int = 5, seconds: float = 2.0) -> None:
    """Measure and print the table; it takes about a minute and a half."""
    with postgresql_database() as url, tempfile.TemporaryDirectory() as folder:
        results = asyncio.run(measure(url, Path(folder), rounds, seconds))
    table = Table("processes", "rolls /s", "bot CPU µs", "server CPU µs", "p50 ms", "p99 ms")
    for count, result in results.items():
        cuts = quantiles(result.waits, n=100)
        costs = (f"{1e6 * median(result.bot):,.0f}", f"{1e6 * median(result.server):,.0f}")
        waits = (f"{1000 * cuts[49]:,.0f}", f"{1000 * cuts[98]:,.0f}")
        table.add_row(str(count), f"{median(result.rates):,.0f}", *costs, *waits)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
