import os
import signal
from pathlib import Path

import pytest

from bot.services.exports import ExportFormat, Exports
from bot.services.privacy import Privacy
from bot.services.retention import Retention
from bot.storage import reading
from tests.storage.asking import audited, gm, opened
from tests.storage.crashing import CUT, DAYS, ERASED
from tests.support.cli import run_beside
from tests.support.forked import forked

KILLS = int(os.environ.get("KILLS", "2"))
"""How often; `make faults` does it forty times, twice on each database."""
MOST = 2
ENOUGH = 200
CALLERS = 64
HOLDS_UNANCHORED = 3


async def read_all(url: str, folder: Path) -> tuple[dict[int, str], tuple[Path, ...]]:
    """The leaf of each event that is left, and an export of them.

    Before that it is checked as it was left, and what was begun is finished, as a start of the bot does.
    """
    async with opened(url) as storage:
        await audited(storage)
        await Privacy(storage.database, storage.reader).finish()
        rows = (await storage.reader.do(reading.page(1, limit=1_000_000)))[::-1]
        oldest = next(row.event.time for row in rows if row.event.interaction_id)
        await Retention(storage.database, storage.reader, DAYS).tidy(oldest + DAYS * 86_400 + 0.002)
        rows = (await storage.reader.do(reading.page(1, limit=1_000_000)))[::-1]
        assert ERASED not in {row.event.user_id for row in rows}
        export = await Exports(storage.reader).export(gm(), ExportFormat.JSON, folder, 1 << 30, watch)
    return {row.event.seq: row.event.seal.leaf.hex() for row in rows}, export.files


def watch(_done: int, _of: int) -> None:
    """Progress that nobody watches."""


@pytest.mark.parametrize("first", range(0, KILLS, MOST))
async def test_killed_process_loses_no_answered_roll(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Killed while it rolls, reveals, plays cards, erases and cuts: each answered event is there, all holds.

    Every second time it is killed amid a cut, a few answers after that began.
    """
    answered: dict[int, str] = {}
    kills = range(first, min(first + MOST, KILLS))
    for kill in kills:
        for line in await answered_until_killed(database_url, after_cut=None if kill % 2 else kill * 7 % 60):
            seq, leaf = line.split()
            answered[int(seq)] = leaf
    left, files = await read_all(database_url, tmp_path)

    assert len(answered) >= len(kills) * ENOUGH
    begins = min(left)
    assert begins > 1
    assert [*left] == [*range(begins, max(left) + 1)]
    assert {seq: leaf for seq, leaf in answered.items() if seq >= begins} == {
        seq: left[seq] for seq in answered if seq >= begins
    }
    monkeypatch.setenv("EVENHAND_DATABASE", database_url)
    assert (await run_beside("check")).exit_code == 0
    assert (await run_beside("verify", *map(str, files))).exit_code == HOLDS_UNANCHORED


async def answered_until_killed(url: str, after_cut: int | None) -> list[str]:
    """What a process has answered until it was killed amid its work, or so many answers after a cut began."""
    child = await forked(["-m", "tests.storage.crashing", url, str(CALLERS)], {})
    answered = [await child.stderr.readline() for _ in range(ENOUGH)]
    if after_cut is not None:
        while answered[-1] not in {CUT, b""}:
            answered.append(await child.stderr.readline())
        answered += [await child.stderr.readline() for _ in range(after_cut)]
    child.send_signal(signal.SIGKILL)
    rest = await child.said()
    answered += rest.encode().splitlines(keepends=True)
    return [line.decode() for line in answered if line.endswith(b"\n") and line != CUT]
