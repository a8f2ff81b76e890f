import asyncio
import os
import subprocess
import sys
from pathlib import Path

from bot.services.privacy import Privacy
from bot.storage import reading
from bot.storage.rows import Row
from tests.storage.asking import audited, opened

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "3"))
"""How often; `make faults` does it forty times."""
ENOUGH = 300
CALLERS = 64


async def read_all(url: str) -> list[Row]:
    """The whole history, newest first, once erasures were finished and it was checked."""
    async with opened(url) as storage:
        await Privacy(storage.database, storage.reader).finish()
        await audited(storage)
        assert await storage.numbers("SELECT count(*) FROM event WHERE user_id = 1") == [0]
        return await storage.reader.do(reading.page(1, limit=1_000_000))


def test_killed_process_loses_no_answered_roll(database_url: str) -> None:
    """Killed while it rolls and erases: each answered roll has its leaf in the history, which holds."""
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
