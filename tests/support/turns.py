"""Measure how long the event loop is blocked, in processor time."""

import asyncio
import gc
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass
class Turns:
    """`longest` is the most processor time, in seconds, that passed between two turns of the loop."""

    longest: float = 0.0


@asynccontextmanager
async def turns() -> AsyncGenerator[Turns, None]:
    """Watches the loop until the block ends.

    Processor time of this thread alone: what other programs do to the machine doesn't count, and the
    collector of garbage, which goes through everything the tests left behind, is held back.
    """
    counter = Turns()
    gc.disable()
    probe = asyncio.create_task(_watch(counter))
    try:
        yield counter
    finally:
        probe.cancel()
        gc.enable()


async def _watch(counter: Turns) -> None:
    before = time.thread_time()
    while True:
        await asyncio.sleep(0)
        now = time.thread_time()
        counter.longest = max(counter.longest, now - before)
        before = now
