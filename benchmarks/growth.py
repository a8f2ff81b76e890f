"""Measure the cost of a roll and of a page after 1,000 and after 1,000,000 rolls.

`python -m benchmarks.growth [rolls]` prints the table in docs/performance.md. Both histories are SQLite files
of real rolls by 20 players in one campaign; rounds on the two alternate, so that other work on the machine
falls on both. The ratio of the medians may be 1.3 at most.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import median
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

from benchmarks.filling import copied, fill
from bot.campaign.command import Caller
from bot.campaign.d100_rolls import roll_register
from bot.campaign.replay import read_roll
from bot.campaign.rolls import RollDice
from bot.services.access import DataStore
from bot.services.dice_questions import DiceQuestions, StatsQuery
from bot.services.histories import Filter, Histories
from bot.services.reports import Reports
from bot.services.sessions import Sessions
from bot.services.visibility import hide_revealing_dice
from bot.storage.engine import open_database, transact
from bot.storage.queries import Reader
from bot.storage.writer import Writer
from bot.times import DISCORD_EPOCH
from tests.storage.asking import seeded_draws
from tests.support.databases import sqlite_url

SMALL, LARGE = 1_000, 1_000_000
PLAYERS = 20
ROUNDS = 300
LIMIT = 1.3
SOMEBODY = Caller(0, 1, 1, 1)

Work: TypeAlias = Callable[[], Awaitable[object]]


@asynccontextmanager
async def history(folder: Path, rolls: int) -> AsyncGenerator[dict[str, Work]]:
    """Yield the work to measure, by name, on a database with this number of rolls."""
    numbers = count(int(time.time() * 1000) - DISCORD_EPOCH << 22)
    async with (
        open_database(sqlite_url(folder)) as database,
        aclosing(Writer(database, seeded_draws())) as writer,
    ):
        caller = Caller(next(numbers), 1, 1, 1)
        await writer.write(caller, RollDice("4d6kh3"))  # only the first event names the log
        event = (await writer.write(replace(caller, interaction_id=next(numbers)), RollDice("4d6kh3"))).event
        kept = (await writer.write(replace(caller, interaction_id=next(numbers)), roll_register(3))).event
        rows = [
            copied(rolled) | {"user_id": 1 + player} for player in range(PLAYERS) for rolled in (event, kept)
        ]
        first = (event.interaction_id or 0) - (rolls + 1 << 22)
        await transact(database, fill(rows, kept.seq, rolls, first, 1 << 22))
        reader = Reader(database.reader)
        store = DataStore.of(database, writer)
        histories, reports = Histories(store), Reports(DiceQuestions(reader, Sessions(store)))

        async def roll() -> None:
            writer.delivered(
                await writer.write(replace(caller, interaction_id=next(numbers)), RollDice("4d6kh3"))
            )

        async def roll_hundred() -> None:
            written = await writer.write(replace(caller, interaction_id=next(numbers)), roll_register(3))
            await reader.do(hide_revealing_dice(read_roll(written.event)))
            writer.delivered(written)

        async def report() -> None:
            await reports.report(await reports.questions.ask(SOMEBODY, StatsQuery(1)))

        yield {
            "a durable roll": roll,
            "a register's d100": roll_hundred,
            "the newest page": lambda: histories.page(SOMEBODY, Filter()),
            "a page in the middle": lambda: histories.page(SOMEBODY, Filter(before=rolls // 2)),
            "a player's page in the middle": lambda: histories.page(SOMEBODY, Filter(3, before=rolls // 2)),
            "/stats without its chart": report,
        }


async def measure(large: int) -> dict[str, tuple[float, float]]:
    """Return the median milliseconds of each, after few rolls and after many."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        works = [
            await stack.enter_async_context(history(folder / str(rolls), rolls)) for rolls in (SMALL, large)
        ]
        results: dict[str, tuple[float, float]] = {}
        for name in works[0]:
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(ROUNDS if "/stats" not in name else ROUNDS // 10):
                for side, way in zip(times, works, strict=True):
                    start = time.perf_counter()
                    await way[name]()
                    side.append(1000 * (time.perf_counter() - start))
            results[name] = (median(times[0]), median(times[1]))
    return results


def main() -> None:
    """Print the table; exit code 1 if anything grew by more than the limit."""
    large = int(sys.argv[1]) if len(sys.argv) > 1 else LARGE
    results = asyncio.run(measure(large))
    table = Table("", f"after {SMALL:,}, ms", f"after {large:,}, ms", f"ratio (at most {LIMIT})")
    for name, (few, many) in results.items():
        table.add_row(name, f"{few:.2f}", f"{many:.2f}", f"{many / few:.2f}")
    Console().print(table)
    sys.exit(any(many / few > LIMIT for few, many in results.values()))


if __name__ == "__main__":
    main()
