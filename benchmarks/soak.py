"""An evening at full length: mixed commands, three processes on PostgreSQL, rolling restarts all the while.

`make soak`, or `python -m benchmarks.soak --minutes 10`. Each interaction goes to another process in turn,
every fifth to two of them at once, and to all while one is being replaced, as Discord does. All but the first
process are replaced by newer ones, one after the other. At the end everybody rolls until nothing is told late
any more; the database says what was rolled, and the messages what was told, at once or late. The exit code is
1 if anything was lost, doubled, untold or unanswered, or if the process that was never restarted grew by more
than 3 % in the second half: its caches fill in the first minutes.
"""

import asyncio
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import asyncpg
import typer
from rich.console import Console

from benchmarks.calling import Calling, calling
from benchmarks.fleet import Fleet, fleet
from bot.play.interactions import OpenInteraction
from bot.storage.transactions import PATIENCE_SECONDS
from tests.support.databases import postgresql_database

PROCESSES, MEMBERS = 3, 24
DISCORDS_PATIENCE = 3.0
"""Seconds after which Discord takes no answer."""
GROWTH = 0.03
OWED_SECONDS = PATIENCE_SECONDS + 1
"""Seconds after which other processes send the replies that a stopped one owed."""
_NUMBER = re.compile(r"^-# (?:.*· )?#(\d+)(?= sealed | ·|$)", re.MULTILINE)
_LATE = re.compile(r"^-# #(\d+) of <@", re.MULTILINE)
_STOPPING = ("being stopped or restarted", "too late to answer")
_ROLLS = ("roll 2d6+3", "roll Luck", "roll Cards", "d100 roll", "check 1d20 dc:11", "roll 6#4d6kh3")
_QUESTIONS = ("history", "stats", "odds Luck", "lab sources", "verify", "roller list", "help")


@dataclass(slots=True)
class Soak:
    """The commands of a run, and their outcomes."""

    waits: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """When each command was sent, and the seconds until its answer."""
    told: dict[int, int] = field(default_factory=dict[int, int])
    """Interaction to the number of the roll in its answer."""
    late: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Channel and number of rolls that a later answer showed."""
    refused: int = 0
    """As many were refused in words, because a process was stopping."""
    unanswered: list[str] = field(default_factory=list[str])
    faults: Counter[str] = field(default_factory=Counter[str])
    """Other private answers to commands that should have none."""
    restarts: int = 0
    replacing: bool = False
    memory: list[int] = field(default_factory=list[int])
    """Of the first process, in bytes, every five seconds."""


async def soak(discord: Calling, running: Fleet, seconds: float, a_second: float) -> Soak:
    """Have members send commands at this rate, and replace processes meanwhile."""
    result_counts, chance = Soak(), random.Random(1)
    end = time.monotonic() + seconds

    async def play(member: int) -> None:
        while time.monotonic() < end:
            await asyncio.sleep(chance.expovariate(a_second / MEMBERS))
            rolls = chance.random() < 0.75
            await ask(result_counts, running, member, chance.choice(_ROLLS if rolls else _QUESTIONS), chance)

    async def replace() -> None:
        while True:
            await asyncio.sleep(15)
            await running.add()
            result_counts.replacing = True
            code = await running.members.pop(1).stop()
            result_counts.replacing = False
            assert code == 0, f"a process ended with {code}"
            result_counts.restarts += 1

    async def weigh() -> None:
        while True:
            result_counts.memory.append(running.members[0].resident_bytes)
            await asyncio.sleep(5)

    others = [asyncio.create_task(replace()), asyncio.create_task(weigh())]
    await asyncio.gather(*(play(member) for member in range(len(discord.members))))
    for task in others:
        task.cancel()
    for result in await asyncio.gather(*others, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    return result_counts


async def ask(counts: Soak, running: Fleet, member: int, line: str, chance: random.Random) -> None:
    """Have a member ask once, and note what came of it."""
    table, (person, channel) = running.discord.table, running.discord.members[member]
    running.turn()
    began = time.monotonic()
    interaction = await table.acts.line(person, channel, f"/{line}")
    assert interaction is not None, line
    others = running.live()[1:] if counts.replacing else running.live()[1:2] if chance.random() < 0.2 else []
    for session in others:
        session.send("INTERACTION_CREATE", table.interactions.payload(interaction))
    outcome = await interaction.outcome
    counts.waits.append((began, time.monotonic() - began))
    if outcome.ok:
        await hear(counts, running.discord, interaction, rolls=line in _ROLLS)
    else:
        counts.unanswered.append(line)


async def hear(counts: Soak, discord: Calling, interaction: OpenInteraction, *, rolls: bool) -> None:
    """Note what the bot said."""
    message = discord.table.posts.find(interaction.original or 0)
    text = message.text if message else ""
    counts.late |= {(interaction.channel.id, int(number)) for number in _LATE.findall(text)}
    if any(words in text for words in _STOPPING):
        counts.refused += 1
    elif rolls and (number := _NUMBER.search(text)):
        counts.told[interaction.id] = int(number[1])
    elif rolls:
        counts.faults[text[:80]] += 1


async def settle(counts: Soak, running: Fleet) -> None:
    """Have everybody roll, until nothing is owed to them any more."""
    await asyncio.sleep(OWED_SECONDS)
    chance = random.Random(2)
    for member in range(len(running.discord.members)):
        late = -1
        while len(counts.late) > late:
            late = len(counts.late)
            await ask(counts, running, member, _ROLLS[0], chance)


async def stored(url: str) -> dict[int, list[tuple[int, int]]]:
    """Return the channels and numbers of each interaction's rolls."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            "SELECT interaction_id, channel_id, seq FROM event WHERE kind = 'roll' ORDER BY seq"
        )
    finally:
        await connection.close()
    events: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        events.setdefault(row["interaction_id"], []).append((row["channel_id"], row["seq"]))
    return events


def report(
    counts: Soak, events: dict[int, list[tuple[int, int]]], begun: set[int]
) -> Generator[tuple[str, bool]]:
    """Return the lines of the report, each with whether it is as it should be."""
    lost = {i: n for i, n in counts.told.items() if n not in [seq for _, seq in events.get(i, [])]}
    doubled = {i: places for i, places in events.items() if len(places) > 1}
    unsaid = [places for i, places in events.items() if i not in counts.told and i not in begun]
    untold = [places for places in unsaid if not counts.late.issuperset(places)]
    first, last = (counts.waits[: len(counts.waits) // 3], counts.waits[-len(counts.waits) // 3 :])
    p99 = [1000 * quantiles([wait for _, wait in part], n=100)[98] for part in (first, last)]
    memory = counts.memory
    growth = memory[-1] / memory[len(memory) // 2] - 1
    yield f"{len(counts.waits):,} commands, {len(counts.told):,} rolls told, {counts.restarts} restarts", True
    yield f"{counts.refused} refused in words, as a process was stopping", True
    yield f"{len(lost)} lost: told, and not in the database", not lost
    yield f"{len(doubled)} doubled: one press, two rolls", not doubled
    unanswered = f" {counts.unanswered}" if counts.unanswered else ""
    yield (
        f"{len(counts.unanswered)} unanswered within {DISCORDS_PATIENCE:g} s{unanswered}",
        not counts.unanswered,
    )
    yield f"{len(unsaid) - len(untold)} told late", True
    yield f"{len(untold)} untold: in the database, and neither told at once nor late", not untold
    yield f"{sum(counts.faults.values())} answered otherwise: {dict(counts.faults)}", not counts.faults
    steps = ", ".join(f"{memory[len(memory) * n // 8] / 2**20:.0f}" for n in range(8))
    yield (
        f"memory {steps}, {memory[-1] / 2**20:.0f} MB, in the second half {100 * growth:+.1f} %",
        growth <= GROWTH,
    )
    yield f"p99 {p99[0]:,.0f} ms in the first third, {p99[1]:,.0f} ms in the last", True


async def run(url: str, folder: Path, seconds: float, a_second: float) -> tuple[Soak, set[int]]:
    """Set the members up, and let them play."""
    async with (
        calling(folder / "table", MEMBERS) as discord,
        fleet(discord, url, folder, PROCESSES) as running,
    ):
        for member in range(MEMBERS):
            await discord.call(member, "roller fair", {"name": "Luck", "dice": "2d6"})
            await discord.call(member, "roller deck", {"name": "Cards", "refill": 1})
            # What draws charts is loaded with the first one, and no leak.
            running.turn()
            await discord.call(member, "roll", {"dice": "40d20"})
            await discord.call(member, "stats")
        begun = set(await stored(url))
        discord.table.interactions.patience = DISCORDS_PATIENCE
        result = await soak(discord, running, seconds, a_second)
        await settle(result, running)
        return result, begun


def main(minutes: float = 10, a_second: float = 15) -> None:
    """Soak for so many minutes with so many commands a second, and report."""
    console, good = Console(highlight=False), True
    with postgresql_database() as url, tempfile.TemporaryDirectory() as folder:
        result, begun = asyncio.run(run(url, Path(folder), 60 * minutes, a_second))
        for line, well in report(result, asyncio.run(stored(url)), begun):
            good = good and well
            console.print(line, style="" if well else "red")
    raise typer.Exit(not good)


if __name__ == "__main__":
    typer.run(main)
