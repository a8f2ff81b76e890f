"""Durable rolls per second: the batching writer against one transaction for each roll, on the same engine.

`python -m benchmarks.writer` prints the table in docs/performance.md. Every roll reads and moves the memory
of a fair roller and is committed, and so synced to the disk, before its caller goes on. Each caller rolls in
a channel of its own; rounds of the two ways alternate, so that other work on the machine falls on both.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import TypeAlias

import typer
from rich.console import Console
from rich.table import Table
from sqlalchemy import make_url

from benchmarks.plainly import PlainWriter
from bot.campaign.command import Caller
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.entropy.supply import Supply
from bot.storage.engine import Database, open_database
from bot.storage.postgresql import PostgresqlConnection, open_pool
from bot.storage.writer import Writer
from bot.systems.registry import read_spec
from bot.times import DISCORD_EPOCH
from tests.support.databases import postgresql_database, sqlite_url

CALLERS = (1, 16, 256)
POSTGRESQL_CONNECTIONS = 10
ROLLER = MakeRoller("bench", read_spec({"system": "fair", "base": {str(n): 1 for n in range(1, 21)}}))
ROLL = RollDice("bench")

Roll: TypeAlias = Callable[[Caller], Awaitable[object]]


@dataclass(slots=True)
class Measured:
    """Rolls per second in each round, and the seconds of each roll."""

    rates: list[float] = field(default_factory=list[float])
    waits: list[float] = field(default_factory=list[float])


class Interactions:
    """Interactions that never come twice."""

    def __init__(self) -> None:
        self._next = count(int(time.time() * 1000) - DISCORD_EPOCH << 22)

    def ask(self, channel: int) -> Caller:
        """Somebody asks for a roll in a channel."""
        return Caller(next(self._next), 1, channel, channel, manages=True)


async def run_round(roll: Roll, interactions: Interactions, callers: int, seconds: float) -> Measured:
    """Let callers roll in sequence, this many at once, for some seconds and at least two rolls."""
    measured = Measured()
    start = time.perf_counter()
    end = start + seconds

    async def call(channel: int) -> None:
        # Quantiles need two.
        while (began := time.perf_counter()) < end or len(measured.waits) < 2:
            await roll(interactions.ask(channel))
            measured.waits.append(time.perf_counter() - began)

    await asyncio.gather(*(call(1 + i) for i in range(callers)))
    measured.rates.append(len(measured.waits) / (time.perf_counter() - start))
    return measured


@asynccontextmanager
async def both_ways(url: str, interactions: Interactions, channels: int) -> AsyncGenerator[dict[str, Roll]]:
    """Open the two ways to write, on one database with a roller in every channel."""
    async with (
        open_database(url) as database,
        aclosing(Writer(database, Supply.local().open)) as writer,
        plain_writer(url, database) as plain,
    ):
        for channel in range(1, 1 + channels):
            writer.delivered(await writer.write(interactions.ask(channel), ROLLER))

        async def batched(caller: Caller) -> None:
            writer.delivered(await writer.write(caller, ROLL))

        yield {"one by one": lambda caller: plain.write(caller, ROLL), "batched": batched}


@asynccontextmanager
async def plain_writer(url: str, database: Database) -> AsyncGenerator[PlainWriter]:
    """Open the plain way: SQLite's one writing connection, or a pool of them to PostgreSQL."""
    draws = Supply.local()
    if database.alone:
        yield PlainWriter(database.writing, database.process, draws.open)
        return
    async with open_pool(make_url(url), POSTGRESQL_CONNECTIONS) as pool:

        @asynccontextmanager
        async def writing() -> AsyncGenerator[PostgresqlConnection]:
            async with pool.acquire() as connection:
                yield PostgresqlConnection(connection)

        yield PlainWriter(writing, database.process, draws.open)


async def measure(
    url: str, callers_at_once: Sequence[int], rounds: int, seconds: float
) -> dict[tuple[int, str], Measured]:
    """Every number of callers, both ways, in alternating rounds after one to warm up."""
    interactions = Interactions()
    results: dict[tuple[int, str], Measured] = {}
    async with both_ways(url, interactions, max(callers_at_once)) as ways:
        for callers in callers_at_once:
            for number in range(rounds + 1):
                for name, roll in ways.items():
                    result = await run_round(roll, interactions, callers, seconds)
                    if number:
                        all_rounds = results.setdefault((callers, name), Measured())
                        all_rounds.rates += result.rates
                        all_rounds.waits += result.waits
    return results


@contextmanager
def engines() -> Generator[dict[str, str]]:
    """Yield the address of a fresh database on each engine."""
    with tempfile.TemporaryDirectory() as folder, postgresql_database() as postgresql:
        yield {"SQLite": sqlite_url(Path(folder)), "PostgreSQL": postgresql}


def show(results: dict[str, dict[tuple[int, str], Measured]]) -> Table:
    """Return the table: medians over the rounds, and the median of their ratios."""
    table = Table("engine", "callers", "one by one /s", "batched /s", "ratio", "p50 ms", "p99 ms")
    for engine, measured in results.items():
        for callers in {callers: None for callers, _ in measured}:
            plain, batched = measured[callers, "one by one"], measured[callers, "batched"]
            ratio = median(b / p for b, p in zip(batched.rates, plain.rates, strict=True))
            cuts = quantiles(batched.waits, n=100)
            rates = (f"{median(plain.rates):,.0f}", f"{median(batched.rates):,.0f}")
            times = (f"{1000 * cuts[49]:.1f}", f"{1000 * cuts[98]:.1f}")
            table.add_row(engine, str(callers), *rates, f"{ratio:.1f}", *times)
    return table


def main(rounds: int = 5, seconds: float = 1.5, most: int = CALLERS[-1]) -> None:
    """Measure both engines with at most so many callers and print the table."""
    callers = [number for number in CALLERS if number <= most]
    with engines() as urls:
        results = {name: asyncio.run(measure(url, callers, rounds, seconds)) for name, url in urls.items()}
    Console().print(show(results))


if __name__ == "__main__":
    typer.run(main)
