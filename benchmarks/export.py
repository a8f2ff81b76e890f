"""Measure the longest turn of the event loop while a long export is written.

    python -m benchmarks.export [rolls]

A campaign with so many rolls (100,000 unless said) in an SQLite file: plain dice, and a fair roller that some
rolls of are hidden. It is exported in each form, for a game master and for a player, while a task on the same
loop asks for its turn every millisecond; the longest that it waits may be 50 ms. Beside it the same task with
nothing else on the loop, which is what the machine's other work does, and the memory that the export takes.
"""

import asyncio
import gc
import sys
import tempfile
import time
import tracemalloc
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.filling import copied, fill
from bot.campaign.command import Caller, RollOptions
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import RollDice
from bot.services.exports import Export, ExportFormat, Exports
from bot.storage.engine import open_database, transact
from bot.storage.queries import Reader
from bot.storage.writer import Writer
from tests.storage.asking import caller, fair, seeded_draws
from tests.support.databases import sqlite_url

ROLLS = 100_000
LIMIT = 0.05
ROOM = 10_000_000
PATTERN = 200
PEOPLE = (("game master", caller(user=9, manages=True)), ("player", caller(user=99)))


@dataclass
class Waits:
    """Seconds that a task waited for its turn beyond the millisecond that it asked for."""

    longest: float = 0.0
    turns: int = 0


@asynccontextmanager
async def ticking() -> AsyncGenerator[Waits]:
    """Run a task that asks for its turn every millisecond, until the block ends."""
    waits = Waits()

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            waits.longest = max(waits.longest, time.perf_counter() - before - 0.001)
            waits.turns += 1

    task = asyncio.create_task(tick())
    await asyncio.sleep(0)
    try:
        yield waits
    finally:
        task.cancel()


def command_for(n: int) -> RollDice:
    """Make the n-th roll: every other one with the fair roller, every tenth hidden."""
    visibility = Visibility.BLIND if n % 10 == 9 else Visibility.PUBLIC
    return RollDice("evil" if n % 2 else "4d6kh3", options=RollOptions(visibility=visibility))


async def run(rolls: int, folder: Path, table: Table) -> bool:
    """Fill the table; whether any wait was over the limit."""
    over = False
    async with (
        open_database(sqlite_url(folder)) as database,
        aclosing(Writer(database, seeded_draws())) as writer,
    ):
        await writer.write(caller(), fair())
        events = [(await writer.write(caller(user=n % 5), command_for(n))).event for n in range(PATTERN)]
        last = events[-1]
        rows = [copied(event) for event in events]
        await transact(database, fill(rows, last.seq, rolls, last.interaction_id or 0, 1 << 12))
        exports = Exports(Reader(database.reports))
        gc.collect()
        gc.freeze()
        for form in ExportFormat:
            for name, reader in PEOPLE:
                before = time.perf_counter()
                async with ticking() as waits:
                    export = await written(exports, reader, form, folder)
                seconds = time.perf_counter() - before
                async with ticking() as idle:
                    await asyncio.sleep(seconds)
                size = sum(file.stat().st_size for file in export.files)
                peak = await memory(exports, reader, form, folder)
                table.add_row(
                    f"{form}, {name}",
                    f"{rolls / seconds:,.0f}",
                    f"{size / 1e6:.1f} ({len(export.files)})",
                    f"{peak / 1e6:.1f}",
                    f"{1000 * waits.longest:.1f}",
                    f"{1000 * idle.longest:.1f}",
                )
                over |= waits.longest > LIMIT
    return over


async def written(exports: Exports, reader: Caller, form: ExportFormat, folder: Path) -> Export:
    """Make the export."""

    def progress(done: int, of: int) -> None:
        assert done <= of

    return await exports.export(reader, form, folder, ROOM, progress)


async def memory(exports: Exports, reader: Caller, form: ExportFormat, folder: Path) -> int:
    """Return the most bytes that an export holds at a time, besides what was there before."""
    tracemalloc.start()
    await written(exports, reader, form, folder)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main() -> None:
    """Print the table; exit code 1 if a wait was over the limit."""
    rolls = int(sys.argv[1]) if len(sys.argv) > 1 else ROLLS
    table = Table(
        "",
        "rolls/s",
        "MB (files)",
        "memory, MB",
        f"longest wait, ms (at most {1000 * LIMIT:.0f})",
        "idle, ms",
    )
    with tempfile.TemporaryDirectory() as folder:
        over = asyncio.run(run(rolls, Path(folder), table))
    Console().print(table)
    sys.exit(over)


if __name__ == "__main__":
    main()
