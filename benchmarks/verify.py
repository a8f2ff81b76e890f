"""Measure the check of a long export: `evenhand verify` of files of 20,000 and 100,000 events.

`python -m benchmarks.verify` prints the table in docs/performance.md. Half of the events roll plain dice, the
others a fair roller of 2d6, by four players. The time and the memory are those of the process that checks,
its start too; those of a million events are reckoned from the difference between the two files. Last come the
seconds that pass for 30,000 events on the page, in Chromium.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller, Command, decide
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.campaign.state import State, evolve
from bot.dice.draws import seeded
from bot.record.exchange import EVERY, Heading, print_checkpoint, print_heading
from bot.record.hashing import Keys, Tree
from bot.record.ledger import Ledger, write_line
from tests.support.play import Local
from tests.support.systems import make

EVENTS = (20_000, 100_000)
WANTED = 1_000_000
ON_THE_PAGE = 30_000
HOLDS_UNANCHORED = 3
"""The exit code of a history that agrees with itself."""
_FIRST = 1_000_000_000_000_000_000
_SECOND = 1000 << 22
_KEYS = Keys(bytes(32), bytes(range(32)))
_LOG = "0f" * 16


@dataclass(frozen=True, slots=True)
class Checked:
    """Cost of one run."""

    seconds: float
    """Of processor time."""
    memory_bytes: int
    """The most that it had."""


def evening(events: int) -> Iterator[bytes]:
    """Give the lines of an honest export of so many events, as a game master gets it."""
    ledger, roller, draws = Ledger(1, _LOG, _KEYS.campaign), State(played=True), Local(seeded(1))
    yield print_heading(Heading("Test", _LOG, Tree(), events))
    for number in range(events):
        caller = Caller(_FIRST + number * _SECOND, 9, 7, 1 + number % 4, manages=True)
        command: Command = RollDice("Luck" if number % 2 else "2d6+3")
        if not number:
            command = MakeRoller("Luck", make("fair", "2d6", tightness="1"), Remembers.TABLE)
        before = roller if number % 2 or not number else State(played=True)
        body = decide(command, caller, before, lambda: draws)
        appended = ledger.append(caller, command.options, body, _KEYS.person)
        ledger, event = appended.ledger, appended.event
        if before is roller:
            roller = evolve(roller, event)
        yield write_line(event, _KEYS).encode() + b"\n"
        if event.seq % EVERY == 0 or event.seq == events:
            yield print_checkpoint(_LOG, ledger.tree)


def check(path: Path) -> Checked:
    """Verify a file in a process of its own; AssertionError unless it holds."""
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "bot", "verify", str(path)],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, used = os.wait4(process, 0)
    assert os.waitstatus_to_exitcode(status) == HOLDS_UNANCHORED
    return Checked(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def main(rounds: int = 3) -> None:
    """Write both files, check each this many times, and print the table."""
    table = Table("events", "MB", "CPU s", "µs an event", "memory MB")
    with tempfile.TemporaryDirectory() as folder:
        checked_by_size: dict[int, Checked] = {}
        for events in EVENTS:
            path = Path(folder) / f"{events}.jsonl"
            with path.open("wb") as stream:
                stream.writelines(evening(events))
            checked = checked_by_size[events] = min(
                (check(path) for _ in range(rounds)), key=lambda run: run.seconds
            )
            table.add_row(f"{events:,}", f"{path.stat().st_size / 1e6:.0f}", *_figures(checked, events))
    from tests.support.browsing import browsing  # large, and a process counts what its parent had

    file = b"".join(evening(ON_THE_PAGE))
    with browsing() as page:
        began = time.monotonic()
        assert page.told([file])[0] == HOLDS_UNANCHORED
        passed = time.monotonic() - began
    microseconds = 1e6 * passed / ON_THE_PAGE
    few, many = (checked_by_size[events] for events in EVENTS)
    times = (WANTED - EVENTS[1]) / (EVENTS[1] - EVENTS[0])
    more = Checked(
        many.seconds + times * (many.seconds - few.seconds),
        round(many.memory_bytes + times * (many.memory_bytes - few.memory_bytes)),
    )
    table.add_row(f"{WANTED:,}, reckoned", "", *_figures(more, WANTED))
    table.add_row(
        f"{ON_THE_PAGE:,}, page", f"{len(file) / 1e6:.0f}", f"{passed:.1f} passed", f"{microseconds:.0f}", ""
    )
    Console().print(table)


def _figures(checked: Checked, events: int) -> tuple[str, ...]:
    return (
        f"{checked.seconds:.1f}",
        f"{1e6 * checked.seconds / events:.0f}",
        f"{checked.memory_bytes / 1e6:.0f}",
    )


if __name__ == "__main__":
    typer.run(main)
