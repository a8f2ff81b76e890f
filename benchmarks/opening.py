"""Measure how soon the table opens in the browser, and how soon others see a roll.

`python -m benchmarks.opening` prints the table in docs/performance.md. `python -m bot play` is a process of
its own, as people start it; the browser is Debian's Chromium, two windows of it. A roll's time lasts from the
key press on one page to the frame that draws the answer on the other.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from playwright.async_api import Browser
from rich.console import Console
from rich.table import Table

from bot.storage.leases import IDENTIFY_SECONDS
from tests.support.chromium import ANOTHER, Seat, chromium
from tests.support.playing import Playing

_BETWEEN_SECONDS = 0.25
"""The table takes five lines a second from one person."""
_PRESSED = """() => document.querySelector("[role=combobox]").addEventListener("keydown", (event) => {
    if (event.key === "Enter") window.pressedAt = performance.timeOrigin + event.timeStamp;
}, true)"""
_SEEN = """() => new Promise((done) => new MutationObserver((changes, observer) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    if (!added.some((node) => node.querySelector?.("article"))) return;
    observer.disconnect();
    requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
}).observe(document.querySelector("[role=log]"), { childList: true, subtree: true }))"""
_PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
    done(list.getEntriesByName("first-contentful-paint")[0].startTime);
}).observe({ type: "paint", buffered: true }))"""


def main(
    *,
    rounds: Annotated[int, typer.Option(help="Starts, and times that the page is opened.")] = 5,
    rolls: Annotated[int, typer.Option(help="Rolls that the other page waits for.")] = 30,
) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        results = asyncio.run(_measure(Path(folder), rounds, rolls))
    table = Table("what", "median ms", "longest ms", "at most, ms", box=None)
    for title, (times, limit) in results.items():
        table.add_row(title, f"{median(times):,.0f}", f"{max(times):,.0f}", f"{limit:,}")
    Console().print(table)


async def _measure(folder: Path, rounds: int, rolls: int) -> dict[str, tuple[list[float], int]]:
    """Return the times of each row in milliseconds, and what the median may be."""
    table, address, usable = Playing(folder, ("-m", "bot")), list[float](), list[float]()
    async with chromium() as browser:
        await table.start()
        mara = await Seat.take(browser, table.link, "Mara")
        for _ in range(rounds):
            await table.stop()
            await asyncio.sleep(IDENTIFY_SECONDS)  # else the bot waits for its turn
            began = time.perf_counter()
            await table.start()
            address.append(1000 * (time.perf_counter() - began))
            await mara.page.goto(mara.page.url)
            await mara.ready()
            usable.append(1000 * (time.perf_counter() - began))
        painted = [await _painted(mara) for _ in range(rounds)]
        shown_at = await _rolled(browser, mara, rolls)
        await table.stop()
    return {
        "from `play` to its address": (address, 3_000),
        "from `play` to a page that can roll": (usable, 4_000),
        "first paint of a page": (painted, 300),
        "from Enter to seen by another": (shown_at, 50),
    }


async def _painted(seat: Seat) -> float:
    await seat.page.reload()
    await seat.ready()
    return float(await seat.page.evaluate(_PAINTED))


async def _rolled(browser: Browser, mara: Seat, rolls: int) -> list[float]:
    ann = await Seat.take(browser, await mara.link(ANOTHER), "Ann")
    await mara.page.evaluate(_PRESSED)
    times: list[float] = []
    for _ in range(rolls):
        waiting = asyncio.create_task(ann.page.evaluate(_SEEN))
        await asyncio.sleep(_BETWEEN_SECONDS)
        await mara.say("/roll 2d6+3")
        times.append(await waiting - await mara.page.evaluate("() => window.pressedAt"))
    return times


if __name__ == "__main__":
    typer.run(main)
