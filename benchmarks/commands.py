"""Compare the cost of a slash command with a minimal bot that answers a fixed text, or stores a roll.

`python -m benchmarks.commands` prints the table in docs/performance.md. Each bot is a process of its own that
discord.py connects to a Discord on loopback, gateway and HTTP; ours is `python -m bot run` with its database.
Every member rolls in a channel of their own. The cost is the processor time of the bot's process; a wait
lasts from the event on the gateway to the answer's POST. Rounds of all commands alternate, so that other
work on the machine falls on all of them.
"""

import asyncio
import tempfile
import time
from collections.abc import Generator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.serving import MEASURED, MINIMAL, Served, serving


class Load(NamedTuple):
    """Number of members with a command in flight, and their pause after an answer."""

    members: int
    rest_ms: int = 0

    def __str__(self) -> str:
        return f"{self.members}, {self.rest_ms} ms between" if self.rest_ms else str(self.members)


LOADS = (Load(1, rest_ms=20), Load(1), Load(16), Load(64))
MEMBERS = max(load.members for load in LOADS)


@dataclass(frozen=True, slots=True)
class Command:
    """One command of one bot."""

    bot: str
    name: str
    options: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def title(self) -> str:
        """The line to type."""
        return " ".join(("/" + self.name, *self.options.values()))


FIXED = Command(MINIMAL, "fixed")
COMMANDS = (
    FIXED,
    Command(MINIMAL, "stored", {"dice": "2d6+3"}),
    Command(MEASURED, "roll", {"dice": "2d6+3"}),
    Command(MEASURED, "roll", {"dice": "Luck"}),
    Command(MEASURED, "d100 roll"),
)


@dataclass(slots=True)
class Measured:
    """Per round: cost of a command and commands a second; and the time of each answer."""

    costs: list[float] = field(default_factory=list[float])
    """Seconds of processor time for one command."""
    rates: list[float] = field(default_factory=list[float])
    waits: list[float] = field(default_factory=list[float])


async def run_round(bot: Served, command: Command, load: Load, seconds: float) -> Measured:
    """Let each member repeat the command for some seconds, and one of them do it once at least."""
    measured = Measured()
    start, cpu = time.perf_counter(), bot.cpu_seconds
    end = start + seconds

    async def play(member: int) -> None:
        while (began := time.perf_counter()) < end or not measured.waits:
            await bot.discord.call(member, command.name, command.options)
            measured.waits.append(time.perf_counter() - began)
            if load.rest_ms:
                await asyncio.sleep(load.rest_ms / 1000)

    await asyncio.gather(*(play(member) for member in range(load.members)))
    measured.costs.append((bot.cpu_seconds - cpu) / len(measured.waits))
    measured.rates.append(len(measured.waits) / (time.perf_counter() - start))
    return measured


async def measure(rounds: int, seconds: float) -> dict[tuple[Load, str], Measured]:
    """Every command under every load, in alternating rounds after one to warm up."""
    results: dict[tuple[Load, str], Measured] = {}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bots = {
            bot: await stack.enter_async_context(serving(bot, folder, MEMBERS)) for bot in (MINIMAL, MEASURED)
        }
        for member in range(MEMBERS):
            await bots[MEASURED].discord.call(member, "roller fair", {"name": "Luck", "dice": "2d6"})
        for number in range(rounds + 1):
            for load in LOADS:
                for command in COMMANDS:
                    result = await run_round(bots[command.bot], command, load, seconds)
                    if number:
                        all_rounds = results.setdefault((load, command.title), Measured())
                        all_rounds.costs += result.costs
                        all_rounds.rates += result.rates
                        all_rounds.waits += result.waits
    return results


def rows(results: dict[tuple[Load, str], Measured]) -> Generator[tuple[str, ...]]:
    """Return the table's rows: medians over the rounds, and of their ratios to the fixed text's."""
    for load in LOADS:
        fixed = results[load, FIXED.title]
        for command in COMMANDS:
            measured = results[load, command.title]
            ratio = median(f / m for m, f in zip(measured.costs, fixed.costs, strict=True))
            cost = (f"{1e6 * median(measured.costs):,.0f}", f"{ratio:.2f}")
            cuts = quantiles(measured.waits, n=100)
            times = (f"{1000 * cuts[49]:.1f}", f"{1000 * cuts[98]:.1f}")
            yield str(load), command.title, *cost, f"{median(measured.rates):,.0f}", *times


def main(rounds: int = 5, seconds: float = 1.5) -> None:
    """Measure and print the table; it takes about 25 seconds a round and one more."""
    table = Table("in flight", "command", "CPU µs", "ratio", "commands /s", "p50 ms", "p99 ms")
    for row in rows(asyncio.run(measure(rounds, seconds))):
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
