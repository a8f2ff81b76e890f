import asyncio
import subprocess
import sys
from pathlib import Path

from bot.storage import reading
from bot.storage.rows import Row
from tests.storage.asking import audited, opened
from tests.support.databases import sqlite_url

ROOT = Path(__file__).parents[2]
ENOUGH = 500
CALLERS = 64


async def read_all(url: str) -> list[Row]:
    """The whole history, newest first, once it was checked."""
    async with opened(url) as storage:
        await audited(storage)
        return await storage.reader.do(reading.page(1, limit=1_000_000))


def test_killed_process_loses_no_answered_roll(tmp_path: Path) -> None:
    """Every roll that a process had answered when it was killed is in the history, and the tree is whole."""
    url = sqlite_url(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.storage.crashing", url, str(CALLERS)], cwd=ROOT, stdout=subprocess.PIPE
    ) as rolling:
        assert rolling.stdout
        answered = [rolling.stdout.readline() for _ in range(ENOUGH)]
        rolling.kill()
        answered += rolling.stdout.readlines()
    rows = asyncio.run(read_all(url))

    stored = {f"{row.event.seq} {row.event.seal.leaf.hex()}\n".encode() for row in rows}
    assert {line for line in answered if line.endswith(b"\n")} <= stored
