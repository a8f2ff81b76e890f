"""Read, roll and add up a dice text: Evenhand's engine against the library d20, in processor time.

    python -m benchmarks.dice [--rounds 15]

Both keep what they have parsed; the texts are warm. d20 pins `lark-parser`, which overwrites our `lark`, so
it is installed into a temporary virtual environment. Each library runs in a process of its own; their turns
alternate within a round, and the ratio is the median of the rounds' ratios. At most a half is the target.
"""

import asyncio
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from statistics import median

import typer
from rich.console import Console
from rich.table import Table

PEER = "d20==1.1.2"
TEXTS = {"2d6+3": "2d6+3", "4d6kh3": "4d6kh3", "8d6": "8d6", "d20 adv": "2d20kh1"}
"""Our text, and d20's for the same dice."""
ROLLS = 2_000
LIMIT = 0.5

OURS = """
from bot.dice.notation import parse
from bot.dice.draws import seeded
from bot.dice.throws import roll
draws = seeded(1)
def total(text): return roll(parse(text), draws).total
"""
THEIRS = """
import d20
def total(text): return d20.roll(text).total
"""
TIMER = """
import sys, time
for text in sys.stdin:
    start = time.process_time()
    for _ in range(%d):
        total(text.rstrip())
    print(time.process_time() - start, flush=True)
"""


async def install(folder: Path) -> Path | None:
    """Return the Python of a new environment with d20; None if it can't be installed."""
    python = folder / "bin" / "python"
    for command in (
        (sys.executable, "-m", "venv", str(folder)),
        (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PEER),
    ):
        process = await asyncio.create_subprocess_exec(*command)
        if await process.wait():
            return None
    return python


async def start(python: str, total: str) -> Process:
    """Start a process that times the rolls of each line it is given."""
    code = total + TIMER % ROLLS
    return await asyncio.create_subprocess_exec(python, "-c", code, stdin=PIPE, stdout=PIPE)


async def microseconds(process: Process, text: str) -> float:
    """Return the processor time of one roll, the mean of so many."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{text}\n".encode())
    await process.stdin.drain()
    return float(await process.stdout.readline()) / ROLLS * 1e6


async def measure(python: Path, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Return the microseconds of both libraries for each text and round, after one round that warms up."""
    own, theirs = await start(sys.executable, OURS), await start(str(python), THEIRS)
    try:
        times: dict[str, list[tuple[float, float]]] = {text: [] for text in TEXTS}
        for n in range(rounds + 1):
            for text, peer_text in TEXTS.items():
                pair = await microseconds(own, text), await microseconds(theirs, peer_text)
                if n:
                    times[text].append(pair)
        return times
    finally:
        for process in (own, theirs):
            process.kill()
            await process.wait()


async def compare(rounds: int) -> None:
    """Print the table; exit with 1 where there is no d20 to compare with."""
    with tempfile.TemporaryDirectory() as folder:
        python = await install(Path(folder))
        if python is None:
            print(f"{PEER} can't be installed here, so there is nothing to compare with.", file=sys.stderr)
            raise typer.Exit(1)
        times = await measure(python, rounds)
    table = Table(title=f"Parse, roll and total: microseconds, medians of {rounds} rounds of {ROLLS:,}")
    for column in ("text", "evenhand", "d20", "ratio", f"at most {LIMIT}"):
        table.add_column(column, justify="left" if column == "text" else "right")
    for text, pairs in times.items():
        ratio = median(own / theirs for own, theirs in pairs)
        own, theirs = (median(column) for column in zip(*pairs, strict=True))
        table.add_row(text, f"{own:.1f}", f"{theirs:.1f}", f"{ratio:.2f}", "yes" if ratio <= LIMIT else "no")
    Console(width=110).print(table)


def main(rounds: int = 15) -> None:
    """Compare the two libraries."""
    asyncio.run(compare(rounds))


if __name__ == "__main__":
    typer.run(main)
