"""Measure the time to a command's first reply, after a long history and with the largest rollers.

    python -m benchmarks.first_word [--rolls 1000000]

A campaign with rollers of 1,000 faces and of 120 cards without repeats, and an evening of that many rolls:
the last 6,000 are real, those before are copies of plain ones. The bot is a process of its own on a Discord
on loopback. While a command is answered somebody else rolls 2d6 again and again, whose longest wait tells
what it keeps from others. The first word may take a second; all of the answer takes what it takes.

The copies' dice are judged first, as the bot does each day. Their hashes are those of other rolls, so the
bot logs that the campaign does not hold.
"""

import asyncio
import contextlib
import sqlite3
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.calling import Calling
from benchmarks.serving import MEASURED, Served, serving
from bot.campaign.campaign_commands import MarkSession
from bot.campaign.campaigns import Remembers
from bot.campaign.kinds import Mark
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.system import Spec
from bot.services.pace import FIGURES, FIGURES_SECONDS
from bot.services.rigging import Rigging
from bot.storage.engine import open_database
from bot.storage.queries import Reader
from bot.storage.writer import Writer
from bot.systems.registry import read_spec
from tests.storage.asking import caller, gm, seeded_draws
from tests.support.databases import sqlite_url

LIMIT = 1.0
_FIGURE_SECONDS = FIGURES_SECONDS / FIGURES
"""The pause after which one person is answered a chart or a judgement, however often they ask."""
_PATIENCE_SECONDS = 180
_REAL, _AT_ONCE = 6_000, 200
# A roller's rolls go on from one another, so they can't be copied.
_PLAIN = "SELECT * FROM event WHERE kind = 'roll' AND roller_key = ''"
ROLLERS: Mapping[str, Spec] = {
    "Fair": {"system": "fair", "base": "1d1000", "tightness": "1.5"},
    "Sums": {"system": "fair", "base": "9d100", "tightness": "1.5"},
    "Dynamic": {"system": "dynamic", "base": "1d1000", "factor": "0.355"},
    "Deck": {"system": "deck", "base": "1d1000", "size": 4, "refill": 900},
    "Apart": {"system": "deck", "base": {f"card {n}": 3 for n in range(40)}, "no_repeat": True},
}
TEXTS = (*ROLLERS, "4d6kh3", "100d6", "1d20+5")


def commands() -> list[tuple[str, Mapping[str, str | int]]]:
    """Return the commands to measure."""
    lines: list[tuple[str, Mapping[str, str | int]]] = [
        ("history", {}),
        ("history", {"label": "zz"}),
        ("stats", {}),
        ("rigged", {}),
        ("odds", {"what": "100d6", "at_least": 350, "versus": "50d12"}),
        ("export", {}),
        ("export", {"format": "json"}),
    ]
    for name in ROLLERS:
        lines += [("stats", {"roller": name}), ("rigged", {"roller": name}), ("odds", {"what": name})]
        lines += [("lab tune", {"roller": name, "samples": 200}), ("roll", {"dice": name, "times": 20})]
    return [*lines, ("lab tune", {"values": 100, "samples": 200}), ("session end", {})]


async def play(folder: Path, rolls: int) -> None:
    """Play the evening, copies in its middle."""
    for first in (True, False):
        async with (
            open_database(sqlite_url(folder)) as database,
            contextlib.aclosing(Writer(database, seeded_draws())) as writer,
        ):
            if first:
                for name, spec in ROLLERS.items():
                    memory = Remembers.PLAYER if name == "Dynamic" else Remembers.TABLE
                    await writer.write(gm(), MakeRoller(name, read_spec(spec), memory))
                await writer.write(gm(), MarkSession(Mark.START))
            for start in range(0, _AT_ONCE if first else _REAL, _AT_ONCE):
                commands = (RollDice(TEXTS[n % len(TEXTS)]) for n in range(start, start + _AT_ONCE))
                await asyncio.gather(
                    *(writer.write(caller(user=1 + n % 5), command) for n, command in enumerate(commands))
                )
        if first:
            copy(folder / "evenhand.db", rolls - _REAL)
    async with open_database(sqlite_url(folder)) as database:
        await Rigging(database, Reader(database.reader)).advance_all()


def copy(database: Path, rolls: int) -> None:
    """Copy the rolls that are there until there are so many events, numbered on from the last."""
    with contextlib.closing(sqlite3.connect(database)) as file, file:
        names = [name for _, name, *_ in file.execute("PRAGMA table_info(event)")]
        rows = [dict(zip(names, row, strict=True)) for row in file.execute(_PLAIN)]
        last, first = file.execute("SELECT max(seq), max(interaction_id) FROM event").fetchone()
        rolls = max(rolls, last)
        slots = ", ".join(f":{name}" for name in names)
        copies = (
            rows[seq % len(rows)] | {"seq": seq, "interaction_id": first - (rolls - seq + 1 << 22)}
            for seq in range(last + 1, rolls + 1)
        )
        file.executemany(f"INSERT INTO event ({', '.join(names)}) VALUES ({slots})", copies)  # noqa: S608
        # A tree of as many leaves; nobody asks for a proof.
        file.execute("UPDATE campaign SET seq = ?, frontier = ?", (rolls, bytes(32 * rolls.bit_count())))


def move(database: Path, channel: int, guild: int) -> int:
    """Move the evening to a member's channel; return its number of events."""
    with contextlib.closing(sqlite3.connect(database)) as file, file:
        file.execute("UPDATE channel SET channel_id = ?", (channel,))
        file.execute("UPDATE campaign SET guild_id = ?", (guild,))
        (existing,) = file.execute("SELECT count(*) FROM event").fetchone()
    return existing


async def first_word(
    discord: Calling, member: int, name: str, options: Mapping[str, str | int]
) -> tuple[float, float]:
    """Seconds until the first word, and until all of the answer."""
    person, channel = discord.members[member][0], discord.members[0][1]
    typed = "".join(f' {option}:"{value}"' for option, value in options.items())
    began = time.perf_counter()
    interaction = await discord.table.acts.line(person, channel, f"/{name}{typed}")
    assert interaction is not None
    assert (await interaction.outcome).ok, f"/{name}{typed} was not answered"
    answered = time.perf_counter() - began
    while (message := discord.table.posts.find(interaction.original or 0)) is None or message.waiting:
        await discord.wait_for_edit(_PATIENCE_SECONDS)
    return answered, time.perf_counter() - began


async def measure(bot: Served, name: str, options: Mapping[str, str | int]) -> tuple[float, float, float]:
    """Seconds until the first word, until all of it, and the longest of other people's rolls meanwhile."""
    rolls: list[float] = []

    async def roll() -> None:
        while True:
            rolls.append((await first_word(bot.discord, 1, "roll", {"dice": "2d6"}))[0])
            await asyncio.sleep(0.02)

    others = asyncio.create_task(roll())
    first, whole = await first_word(bot.discord, 0, name, options)
    others.cancel()
    return first, whole, max(rolls, default=0.0)


async def run(rolls: int, table: Table) -> bool:
    """Fill the table; whether any first word took too long."""
    late = False
    with tempfile.TemporaryDirectory() as folder:
        await play(Path(folder), rolls)
        async with serving(MEASURED, Path(folder), 2) as bot:
            world = bot.discord.table.world
            existing = move(Path(folder) / "evenhand.db", bot.discord.members[0][1].id, world.guild_id)
            print(f"{existing:,} events", file=sys.stderr)
            for name, options in commands():
                await asyncio.sleep(_FIGURE_SECONDS)
                first, whole, others = await measure(bot, name, options)
                command = " ".join([f"/{name}", *(str(value)[:12] for value in options.values())])
                table.add_row(command, f"{first:.3f}", f"{whole:.2f}", f"{others:.3f}")
                print(command, f"{first:.3f} {whole:.2f} {others:.3f}", file=sys.stderr)
                late |= max(first, others) > LIMIT
    return late


def main(rolls: int = 1_000_000) -> None:
    """Print the table; exit code 1 if a first word took over a second."""
    table = Table(
        "", f"first word, s (at most {LIMIT:.0f})", "all of it, s", "others' rolls meanwhile, s at most"
    )
    late = asyncio.run(run(rolls, table))
    Console().print(table)
    raise typer.Exit(late)


if __name__ == "__main__":
    typer.run(main)
