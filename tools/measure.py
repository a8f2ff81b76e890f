"""Measure the tree: its size, what a command goes through, and habits that the design forbids.

`python -m tools.measure` prints one table, and `--names` the modules behind the counts. Everything is found
by search, so that trees of different shapes can be compared; `--root` measures another checkout. What a
command goes through is measured by running it: the real bot on the simulated Discord of the tests, on SQLite
and without remote bits. Each command runs once before it is measured, so no import is counted.
"""

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tools import source
from tools.source import Module
from tools.tracing import Stretch, Tracer

PROGRAM = ("bot", "cogs")
EVERYTHING = (*PROGRAM, "tests", "benchmarks", "tools")
FEATURES = {
    "group calls": {"call", "calls", "calling", "group", "groups"},
    "d100": {"d100"},
    "exports": {"export", "exports", "exchange"},
    "saved rolls": {"save", "saved", "saving"},
    "the tuner": {"tune", "tuner", "tuning"},
}
"""Features, and the words that name their modules."""


def measure(
    root: Annotated[Path, typer.Option(help="The checkout to measure.")] = Path(),
    *,
    names: Annotated[bool, typer.Option("--names", help="Print the modules behind the counts too.")] = False,
) -> None:
    """Print the table."""
    root = root.resolve()
    program, everything = source.read(root, PROGRAM), source.read(root, EVERYTHING)
    table = Table("what", "figure", box=None, title=f"{', '.join(PROGRAM)}: the measure of the tree")
    tests = [module for module in everything if module.path.parts[0] == "tests"]
    table.add_row("lines of code in tests", f"{sum(module.code for module in tests):,}")
    for row in (*_sizes(program), *asyncio.run(_runs(root)), *_habits(program, everything)):
        table.add_row(*row)
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table)
    if names:
        for title, modules in _habit_modules(program).items():
            console.print(f"\n{title}: {', '.join(str(module.path) for module in modules)}")
        for name, paths in source.shared_names(program).items():
            console.print(f"{name}: {', '.join(map(str, paths))}")


def _sizes(program: list[Module]) -> Iterator[tuple[str, str]]:
    yield "lines; files that are not empty", f"{source.lines(program):,}; {len(program)}"
    rooms = Counter[str]()
    for module in program:
        rooms["/".join(module.path.parent.parts[:2])] += module.code
    yield "lines of code", f"{rooms.total():,}"
    yield "of these by room", ", ".join(f"{room} {lines:,}" for room, lines in rooms.most_common())
    for name, words in FEATURES.items():
        modules = source.feature(program, words)
        yield (
            f"{name}: files named by it or importing one that is; folders",
            f"{len(modules)}; {len(source.folders(modules))}",
        )


async def _runs(root: Path) -> list[tuple[str, str]]:
    """Run three commands, and return a row for each with what it went through."""
    sys.path.insert(0, str(root))
    from tests.support.groups import group_table

    tracer = Tracer([root / folder for folder in PROGRAM])
    stretches: dict[str, Stretch] = {}
    with tempfile.TemporaryDirectory() as folder, tracer.installed():
        async with group_table(Path(folder)) as table:
            await table.slash(table.mara, "roller fair", name="Luck", dice="2d6")
            called = await table.slash(table.mara, "group call", check="Stealth", dice="1d20", dc=12)
            for actor in (table.bob, table.ann):
                for title, dice in (("/roll 2d6", "2d6"), ("/roll of a fair roller", "Luck")):
                    with tracer.stretch() as stretches[title]:
                        await table.slash(actor, "roll", dice=dice)
                with tracer.stretch() as stretches["a press on a call, with the edit of its message"]:
                    await table.press(called, "Roll", actor)
    return [
        (
            f"{title}: files entered; calls (from another file); SQL statements",
            f"{len(run.files)}; {run.calls} ({run.hops}); {len(run.statements)}",
        )
        for title, run in stretches.items()
    ]


def _habits(program: list[Module], everything: list[Module]) -> Iterator[tuple[str, str]]:
    for title, modules in _habit_modules(program).items():
        yield title, str(len(modules))
    yield "public class names with two meanings", str(len(source.shared_names(program)))
    everywhere = f"with {', '.join(EVERYTHING[len(PROGRAM) :])}"
    yield f"noqa; {everywhere}", f"{source.silenced(program)}; {source.silenced(everything)}"
    for name in ("Any", "cast"):
        yield (
            f"{name}; {everywhere}",
            f"{source.count_name(program, name)}; {source.count_name(everything, name)}",
        )


def _habit_modules(program: Iterable[Module]) -> dict[str, list[Module]]:
    program = list(program)
    return {
        "modules that change a state": source.changing_states(program),
        "modules that read a record by its keys": source.reading_records(program),
    }


if __name__ == "__main__":
    typer.run(measure)
