"""Automatic backups of the running bot into a folder that its operator names.

The newest one is put through `check`, in a process of its own, once a week: a backup that was never tried is
a hope, not a backup.
"""

import asyncio
import logging
import re
import shutil
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.cli.stopping import FAILED
from bot.dice.errors import Unavailable
from bot.storage.backup import backup

_FORM = "evenhand-%Y%m%dT%H%M%S.db"
_NAME = re.compile(r"evenhand-\d{8}T\d{6}\.db")
_UNFINISHED = re.compile(rf"{_NAME.pattern}\.part|evenhand-check-.*")
_CHECKED = "last-check"
_DAY = 86_400
_WEEK = 7 * _DAY
_LOOK_SECONDS = 600

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Makes backups of the database at `url`, one in so many hours, and keeps so many of them."""

    url: str
    folder: Path
    hours: int
    keep: int

    def step(self, now: float) -> Path | None:
        """Make a backup if one is due, and delete those that are too many; return it.

        `now` is in seconds since 1970. Unavailable where it can't be made: then none is deleted.
        """
        made = self._made(now)
        if made and now - _time(made[-1]) < self.hours * 3_600:
            return None
        new = self.folder / _called(now)
        backup(self.url, new)
        for old in self._made()[: -self.keep]:
            old.unlink(missing_ok=True)
        for left in self.folder.glob("evenhand-*"):
            # What a killed process has begun holds as much as a whole one.
            if _UNFINISHED.fullmatch(left.name) and now - left.stat().st_mtime > _DAY:
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        return new

    def unchecked(self, now: float) -> Path | None:
        """Return the newest backup, if none was checked within a week."""
        made, mark = self._made(now), self.folder / _CHECKED
        if not made or (mark.exists() and 0 <= now - mark.stat().st_mtime < _WEEK):
            return None
        return made[-1]

    def checked(self) -> None:
        """Note that a backup was checked now."""
        (self.folder / _CHECKED).touch()

    def _made(self, now: float | None = None) -> list[Path]:
        """Return the backups that are there, the oldest first; with `now` none from the future."""
        if not self.folder.is_dir():
            return []
        last = "~" if now is None else _called(now)
        return sorted(p for p in self.folder.iterdir() if _NAME.fullmatch(p.name) and p.name <= last)


@asynccontextmanager
async def backups(keeper: Keeper | None) -> AsyncGenerator[None]:
    """Make backups until the block ends; none without a keeper."""
    if keeper is None:
        yield
        return
    task = asyncio.create_task(_run(keeper), name="backups")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _run(keeper: Keeper) -> None:
    while True:
        try:
            made = await asyncio.to_thread(keeper.step, time.time())
            if made:
                _log.info("Backup %s", made)
            if found := await asyncio.to_thread(keeper.unchecked, time.time()):
                await _check(found)
                await asyncio.to_thread(keeper.checked)
        except Unavailable as error:
            _log.error("%s", error)
        except Exception:  # noqa: BLE001 (whatever it is, the next one may succeed)
            _log.exception("The backup could not be made")
        await asyncio.sleep(_LOOK_SECONDS)


async def _check(file: Path) -> None:
    """Roll a backup's campaigns again, in a process that takes nothing from the bot's own time.

    Unavailable where that can't be done, such as for want of room.
    """
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "check", str(file)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        wrong = (await child.communicate())[1].decode(errors="replace").strip()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    # What does not hold is told on the other stream: here is what kept the check from its end, or a warning.
    if child.returncode and (wrong or child.returncode != FAILED):
        why = wrong.splitlines()[-1] if wrong else f"the check ended with code {child.returncode}."
        raise Unavailable(f"The backup {file} could not be checked: {why}")
    if child.returncode:
        _log.error("The backup %s does not hold: see `evenhand check %s`", file, file)
    else:
        _log.info("The backup %s was rolled again and holds", file)


def _called(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).strftime(_FORM)


def _time(file: Path) -> float:
    return datetime.strptime(file.name, _FORM).replace(tzinfo=UTC).timestamp()
