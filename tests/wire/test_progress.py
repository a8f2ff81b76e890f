"""Progress of long work: few edits, and none after the answer."""

import asyncio

from cogs.kit.throttle import EVERY_SECONDS, Progress


async def test_its_end_waits_for_an_edit_that_still_goes_on() -> None:
    """Also for one that fails; edits in quick succession are left out."""
    begun, may_end, shown = asyncio.Event(), asyncio.Event(), list[tuple[int, int]]()

    async def show(done: int, total: int) -> None:
        shown.append((done, total))
        begun.set()
        await may_end.wait()
        raise RuntimeError

    times = iter((0.0, EVERY_SECONDS, EVERY_SECONDS + 0.1, 3 * EVERY_SECONDS))
    progress = Progress(show, lambda: next(times))
    for done in range(1, 4):
        progress.tell(done, 3)
    await begun.wait()
    end = asyncio.create_task(progress.end())
    for _ in range(5):
        await asyncio.sleep(0)
    ended_early = end.done()
    may_end.set()
    await end

    assert not ended_early
    assert shown == [(1, 3)]
