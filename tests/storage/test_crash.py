import asyncio
import os
import subprocess
import sys
from pathlib import Path

from bot.storage import reading
from bot.storage.rows import Row
from tests.storage.asking import audited, opened

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "3"))
"""How often; `make faults` does it twenty times."""
ENOUGH = 300
CALLERS = 64


async def read_all(url: str) -> list[Row]:
    """The whole history, newest first, once it was checked."""
    async with opened(url) as storage:
        await audited(storage)
        return await storage.reader.do(reading.page(1, limit=1_000_000))


def test_killed_process_loses_no_answered_roll(database_url: str) -> None:
    """Every roll that a process had answered when it was killed is in the history, and the tree is whole."""
    answered: list[bytes] = []
    for _ in range(KILLS):
        answered += rolled_until_killed(database_url)
    rows = asyncio.run(read_all(database_url))

    stored = {f"{row.event.seq} {row.event.seal.leaf.hex()}\n".encode() for row in rows}
    assert len(answered) >= KILLS * ENOUGH
    assert {line for line in answered if line.endswith(b"\n")} <= stored


def rolled_until_killed(url: str) -> list[bytes]:
    """What a process has answered until it was killed amid its work."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.storage.crashing", url, str(CALLERS)], cwd=ROOT, stdout=subprocess.PIPE
    ) as rolling:
        assert rolling.stdout
        answered = [rolling.stdout.readline() for _ in range(ENOUGH)]
        rolling.kill()
        return answered + rolling.stdout.readlines()
