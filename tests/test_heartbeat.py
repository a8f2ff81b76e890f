"""The health check's file is touched while the bot is well, and only then."""

import asyncio
from pathlib import Path

from bot.cli.watch import heartbeat


async def test_the_file_is_touched_while_all_is_well(tmp_path: Path) -> None:
    """At the third beat the first two have been written."""
    file = tmp_path / "alive"

    await beats(3, file, well=True)

    assert file.exists()


async def test_the_file_is_left_alone_otherwise(tmp_path: Path) -> None:
    """A bot without a connection leaves the file to grow old."""
    file = tmp_path / "alive"

    await beats(3, file, well=False)

    assert not file.exists()


async def test_a_directory_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    """A file that can't be touched is no reason to end."""
    await beats(3, tmp_path / "absent" / "alive", well=True)


async def beats(count: int, file: Path, *, well: bool) -> None:
    """Return when the heart has beaten so often."""
    counted = 0
    enough = asyncio.Event()

    async def healthy() -> bool:
        nonlocal counted
        counted += 1
        if counted == count:
            enough.set()
        return well

    async with heartbeat(file, healthy, every=0):
        await enough.wait()
