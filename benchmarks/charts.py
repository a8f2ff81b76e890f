"""Measure charts at overload: waiting times, and the bot's memory.

    python -m benchmarks.charts [--waves 3]

Three hundred charts are asked for in five seconds, by three hundred people and by one, wave after wave. The
bot is a process of its own on a Discord on loopback, with the pace that it has unless told otherwise. Ends
with 1 where somebody waits longer than the limit, or the bot takes more memory.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.calling import Calling
from benchmarks.serving import MEASURED, serving

ASKED, SECONDS = 300, 5.0
LONGEST_SECONDS, MOST_BYTES = 10.0, 220 * 10**6
_PATIENCE_SECONDS = 120
_TEXTS = ("/stats", "/odds what:4d6kh3", "/odds what:20d6 versus:10d12", "/stats roller:d6")


async def ask(discord: Calling, member: int, text: str, got: Counter[str]) -> float:
    """Have a member ask for a chart, and count the answer; return the seconds until it came."""
    person, channel = discord.members[member][0], discord.members[0][1]
    began = time.perf_counter()
    interaction = await discord.table.acts.line(person, channel, text)
    assert interaction is not None
    async with asyncio.timeout(_PATIENCE_SECONDS):
        assert (await interaction.outcome).ok, "it was not answered in time"
        while (message := discord.table.posts.find(interaction.original or 0)) is None or message.waiting:
            await discord.wait_for_edit(_PATIENCE_SECONDS)
    got["pictures" if message.attachments else "refused" if "too fast" in message.text else "text"] += 1
    return time.perf_counter() - began


async def wave(discord: Calling, people: int) -> tuple[float, Counter[str]]:
    """Ask for all charts, evenly; return the longest wait, and what came."""
    got, tasks = Counter[str](), list[asyncio.Task[float]]()
    for n in range(ASKED):
        tasks.append(asyncio.create_task(ask(discord, n % people, _TEXTS[n % len(_TEXTS)], got)))
        await asyncio.sleep(SECONDS / ASKED)
    return max(await asyncio.gather(*tasks)), got


async def run(waves: int, table: Table) -> bool:
    """Fill the table; whether a limit was passed."""
    over = False
    with tempfile.TemporaryDirectory() as folder:
        async with serving(MEASURED, Path(folder), ASKED, EVENHAND_USER_ROLLS="20") as bot:
            for _ in range(5):
                await bot.discord.call(0, "roll", {"dice": "20d6"})
            for number in range(1, waves + 1):
                for people in (ASKED, 1):
                    longest, got = await wave(bot.discord, people)
                    # A person's pace is full again.
                    await asyncio.sleep(20)
                    most = bot.memory_bytes
                    over |= longest > LONGEST_SECONDS or most > MOST_BYTES
                    figures = (got["pictures"], got["text"], got["refused"], f"{longest:.1f}", most // 10**6)
                    table.add_row(str(number), str(people), *map(str, figures))
    return over


def main(waves: int = 3) -> None:
    """Measure, print the table, and exit."""
    limits = f"at most {LONGEST_SECONDS:g} s and {MOST_BYTES // 10**6} MB"
    table = Table("wave", "people", "pictures", "text alone", "refused", "longest wait, s", "most memory, MB")
    over = asyncio.run(run(waves, table))
    Console().print(table, f"{ASKED} charts in {SECONDS:g} s: {limits}: {'over' if over else 'kept'}")
    sys.exit(over)


if __name__ == "__main__":
    typer.run(main)
