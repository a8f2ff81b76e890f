"""The bar of a long search: a few edits, none on the heels of another, and none after the answer."""

import asyncio

from cogs.kit.throttle import Progress
from cogs.lab.tuning import bar


async def test_edits_are_few() -> None:
    """One in two seconds at most, by a clock that goes on half a second a step."""
    shown: list[int] = []
    times = iter(n / 2 for n in range(100))

    async def edit(done: int, _of: int) -> None:
        shown.append(done)

    progress = Progress(edit, lambda: next(times))
    for step in range(1, 11):
        await asyncio.to_thread(progress.tell, step, 11)
        await progress.end()

    assert shown == [4, 8]


async def test_none_comes_after_the_answer() -> None:
    """The end waits for the edit that is on its way, with no other meanwhile; a failed one is let go."""
    shown: list[int] = []
    answered = asyncio.Event()
    times = iter(range(0, 100, 5))

    async def edit(done: int, _of: int) -> None:
        await answered.wait()
        shown.append(done)
        raise OSError("Discord is away")

    progress = Progress(edit, lambda: next(times))
    await asyncio.to_thread(progress.tell, 1, 11)
    await asyncio.to_thread(progress.tell, 2, 11)
    ending = asyncio.create_task(progress.end())
    await asyncio.sleep(0)
    assert not ending.done()
    answered.set()
    await ending

    assert shown == [1]


def test_the_bar_fills() -> None:
    """From empty to full, with the figures."""
    assert bar(0, 11) == "▱▱▱▱▱▱▱▱▱▱▱▱ step 0 of 11"
    assert bar(11, 11) == "▰▰▰▰▰▰▰▰▰▰▰▰ step 11 of 11"
