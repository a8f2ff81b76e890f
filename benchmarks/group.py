"""A whole table presses one call's button: the cost of a press, the waits, and the edits of the message.

`python -m benchmarks.group` prints the table in docs/performance.md. The bot is `python -m bot run` as a
process of its own, connected to a Discord on loopback. The cost is the processor time of that process, with
the edits of the shared message; a wait lasts from the event on the gateway to the answer's POST. Afterwards
the database file is looked at: one roll for each player and call, no number missing, and the whole history
replayed.
"""

import asyncio
import re
import tempfile
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.calling import Calling, Edit, Said
from benchmarks.serving import MEASURED, Served, serving
from bot.campaign.histories import Filter
from bot.campaign.kinds import Kind
from bot.services.verifying import Verifying
from bot.storage.engine import open_database
from bot.storage.queries import Reader
from bot.storage.reading import page as page_of
from tests.support.databases import sqlite_url

if TYPE_CHECKING:
    from bot.campaign.events import Event

PLAYERS = (50, 200)
LIMIT_SECONDS = 3
"""Discord gives an answer this long."""
CALL: dict[str, str | int] = {"check": "Stealth", "dice": "1d20+2", "dc": 12}
_QUIET_SECONDS = 2
"""Seconds without an edit after which the edits are over."""
_NUMBER = re.compile(r"#(\d+)(?= ·|$)")


@dataclass(frozen=True, slots=True)
class Way:
    """How a table presses."""

    title: str
    seconds: float
    """Over which they press, one after another."""
    times: int
    """How often each."""


WAYS = (Way("within a second", 1, 1), Way("in one instant", 0, 1), Way("twice each, in one instant", 0, 2))


@dataclass(slots=True)
class Measured:
    """One way of pressing, over its rounds; all times in seconds."""

    waits: list[float] = field(default_factory=list[float])
    costs: list[float] = field(default_factory=list[float])
    """Of each round, processor time for one press."""
    edits: list[int] = field(default_factory=list[int])
    """Of each round."""
    gaps: list[float] = field(default_factory=list[float])
    """Between one edit and the next."""
    filled: list[float] = field(default_factory=list[float])
    """From the last answer of a round until the message showed them all."""


async def run_round(bot: Served, players: int, way: Way, measured: Measured) -> None:
    """One call that all answer; AssertionError unless each gets one roll, however often they press."""
    discord = bot.discord
    called = await discord.call(0, "group call", CALL)
    discord.edits.clear()
    cpu = bot.cpu_seconds

    async def press(place: int) -> Said:
        await asyncio.sleep(way.seconds * (place // way.times) / players)
        began = time.perf_counter()
        answer = await discord.press(1 + place // way.times, called, "Roll")
        measured.waits.append(time.perf_counter() - began)
        return answer

    answers = await asyncio.gather(*(press(place) for place in range(players * way.times)))
    ended = time.perf_counter()
    rolls = [_rolled(answer) for answer in answers]
    assert len(set(rolls)) == players
    assert all(rolls[place] == rolls[place - place % way.times] for place in range(len(rolls)))
    # Where not all rolls fit the message, the others stand in a second one.
    edits = [edit for edit in await _settled(discord) if edit.message_id == called.message.id]
    measured.costs.append((bot.cpu_seconds - cpu) / len(answers))
    assert f"of {players} pass" in edits[-1].content, edits[-1].content
    measured.edits.append(len(edits))
    measured.gaps += [after.at - before.at for before, after in pairwise(edits)]
    measured.filled.append(edits[-1].at - ended)


def _rolled(answer: Said) -> int:
    match = _NUMBER.search(answer.content)
    assert match, answer.content
    assert answer.private
    return int(match[1])


async def _settled(discord: Calling) -> list[Edit]:
    """All edits, once no more come."""
    while True:
        try:
            await discord.wait_for_edit(_QUIET_SECONDS)
        except TimeoutError:
            return discord.edits


async def measure(rounds: int) -> dict[tuple[int, Way], Measured]:
    """Every way of pressing by every number of players, in alternating rounds after one to warm up."""
    results: dict[tuple[int, Way], Measured] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with serving(MEASURED, folder, 1 + max(PLAYERS)) as bot:
            for number in range(rounds + 1):
                for players in PLAYERS:
                    for way in WAYS:
                        measured = results.setdefault((players, way), Measured())
                        await run_round(bot, players, way, measured if number else Measured())
        await check(folder, sorted(PLAYERS * len(WAYS) * (rounds + 1)))
    return results


async def check(folder: Path, players: list[int]) -> None:
    """Broken unless the history holds; AssertionError unless as many people rolled in its calls, once."""
    async with open_database(sqlite_url(folder)) as database:
        reader = Reader(database.reader)
        await Verifying(reader).check(1)
        events: list[Event] = []
        while page := await reader.do(page_of(1, Filter(after=len(events)), limit=1_000)):
            events += [row.event for row in page]
    rolled: dict[int | None, list[int | None]] = {e.seq: [] for e in events if e.kind is Kind.CALL}
    for event in events:
        if event.kind is Kind.ROLL:
            rolled[event.target].append(event.user_id)
    assert all(len(people) == len(set(people)) for people in rolled.values())
    assert sorted(len(people) for people in rolled.values()) == players


def rows(results: dict[tuple[int, Way], Measured]) -> Generator[tuple[str, ...]]:
    """Return the table's rows; the share is that of the p99 in the three seconds that Discord gives."""
    for (players, way), measured in results.items():
        cuts = quantiles(measured.waits, n=100)
        times = (f"{1000 * wait:.0f}" for wait in (cuts[49], cuts[98], max(measured.waits)))
        share = f"{cuts[98] / LIMIT_SECONDS:.0%}"
        edits = f"{median(measured.edits):.0f} to {max(measured.edits)}"
        gap = f"{min(measured.gaps, default=0):.2f}"
        cost = f"{1e6 * median(measured.costs):,.0f}"
        yield str(players), way.title, cost, *times, share, edits, gap, f"{median(measured.filled):.2f}"


def main(rounds: int = 5) -> None:
    """Measure, look at the database, and print the table; it takes about 25 seconds a round and one more."""
    table = Table(
        *("players", "they press", "CPU µs a press", "p50 ms", "p99 ms", "longest ms", "p99 of 3 s"),
        *("edits", "least gap s", "all shown after s"),
    )
    for row in rows(asyncio.run(measure(rounds))):
        table.add_row(*row)
    # It is wider than what a pipe is taken for.
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(main)
