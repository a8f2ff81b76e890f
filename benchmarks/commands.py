"""What a slash command costs: the bot against a minimal one that answers a fixed text.

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

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.serving import MEASURED, MINIMAL, Served, serving

IN_FLIGHT = (1, 16, 64)


@dataclass(frozen=True, slots=True)
class Command:
    """One command of one bot."""

    bot: str
    name: str
    options: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def title(self) -> str:
        """What is typed."""
        return " ".join(("/" + self.name, *self.options.values()))


FIXED = Command(MINIMAL, "fixed")
COMMANDS = (
    FIXED,
    Command(MEASURED, "roll", {"dice": "2d6+3"}),
    Command(MEASURED, "roll", {"dice": "Luck"}),
    Command(MEASURED, "d100 roll"),
)


@dataclass(slots=True)
class Measured:
    """What each round's commands cost and how many a second they were, and how long each answer took."""

    costs: list[float] = field(default_factory=list[float])
    """Seconds of processor time for one command."""
    rates: list[float] = field(default_factory=list[float])
    waits: list[float] = field(default_factory=list[float])


async def run_round(bot: Served, command: Command, in_flight: int, seconds: float) -> Measured:
    """Let so many members run the command, each as soon as the last answer is in, for so long."""
    measured = Measured()
    start, cpu = time.perf_counter(), bot.cpu_seconds
    end = start + seconds

    async def play(member: int) -> None:
        while (began := time.perf_counter()) < end:
            await bot.discord.call(member, command.name, command.options)
            measured.waits.append(time.perf_counter() - began)

    await asyncio.gather(*(play(member) for member in range(in_flight)))
    measured.costs.append((bot.cpu_seconds - cpu) / len(measured.waits))
    measured.rates.append(len(measured.waits) / (time.perf_counter() - start))
    return measured


async def measure(rounds: int, seconds: float) -> dict[tuple[int, str], Measured]:
    """Every command at every number in flight, in alternating rounds after one to warm up."""
    results: dict[tuple[int, str], Measured] = {}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bots = {
            bot: await stack.enter_async_context(serving(bot, folder, max(IN_FLIGHT)))
            for bot in (MINIMAL, MEASURED)
        }
        for member in range(max(IN_FLIGHT)):
            await bots[MEASURED].discord.call(member, "roller fair", {"name": "Luck", "dice": "2d6"})
        for number in range(rounds + 1):
            for in_flight in IN_FLIGHT:
                for command in COMMANDS:
                    one = await run_round(bots[command.bot], command, in_flight, seconds)
                    if number:
                        all_rounds = results.setdefault((in_flight, command.title), Measured())
                        all_rounds.costs += one.costs
                        all_rounds.rates += one.rates
                        all_rounds.waits += one.waits
    return results


def rows(results: dict[tuple[int, str], Measured]) -> Generator[tuple[str, ...]]:
    """The table's rows: medians over the rounds, and the median of their ratios to the fixed text's."""
    for in_flight in IN_FLIGHT:
        fixed = results[in_flight, FIXED.title]
        for command in COMMANDS:
            measured = results[in_flight, command.title]
            ratio = median(f / m for m, f in zip(measured.costs, fixed.costs, strict=True))
            cost = (f"{1e6 * median(measured.costs):,.0f}", f"{ratio:.2f}")
            cuts = quantiles(measured.waits, n=100)
            times = (f"{1000 * cuts[49]:.1f}", f"{1000 * cuts[98]:.1f}")
            yield str(in_flight), command.title, *cost, f"{median(measured.rates):,.0f}", *times


def main(rounds: int = 5, seconds: float = 1.5) -> None:
    """Measure and print the table; it takes about 12 seconds a round and one more."""
    table = Table("in flight", "command", "CPU µs", "ratio", "commands /s", "p50 ms", "p99 ms")
    for row in rows(asyncio.run(measure(rounds, seconds))):
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
