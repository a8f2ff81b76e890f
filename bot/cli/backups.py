"""Automatic backups of the running bot into a folder that its operator names.

The newest one is put through `check`, in a process of its own, once a week: a backup that was never tried is
a hope, not a backup.
"""

import asyncio
import logging
import re
import shlex
import shutil
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from subprocess import DEVNULL
from typing import NamedTuple

from bot.child import COMMAND_LINE
from bot.cli.stopping import FAILED, background_task
from bot.dice.errors import Unavailable
from bot.storage.backup import back_up
from bot.times import DAY

_FORM = "evenhand-{:06d}-%Y%m%dT%H%M%S.db"
_NAME = re.compile(r"evenhand-(\d{6,})-(\d{8}T\d{6})\.db")
_UNFINISHED = re.compile(rf"{_NAME.pattern}\.part|evenhand-check-.*")
_CHECKED, _TAKEN = "last-check", "last-taken"
_WEEK = 7 * DAY
_HOUR = 3_600
_PATIENCE_SECONDS = _HOUR
"""The most that a check or the hook may take."""
_AHEAD_SECONDS = _HOUR
"""The most that a clock may be set back without a word."""
_LOOK_SECONDS = 600

_log = logging.getLogger(__name__)


class _Made(NamedTuple):
    """A backup, by its number; clocks go wrong, and numbers only rise."""

    number: int
    time: float
    file: Path


@dataclass(slots=True)
class Keeper:
    """Makes backups of the database at `url`, one in `hours` hours, and keeps the newest `keep` of them.

    `hook` is a command that takes each of them elsewhere.
    """

    url: str
    folder: Path
    hours: int
    keep: int
    hook: str | None = None
    failed: bool = False
    """Whether the last one could not be made, taken or checked."""
    broken: bool = False
    """Whether the one that was checked last does not hold."""
    newest: float | None = None
    """When the newest one was made, in seconds since 1970; None where none is known of."""

    def step(self, now: float) -> Path | None:
        """Make a backup if one is due, and delete the oldest where there are too many; return it.

        `now` is in seconds since 1970. Unavailable where it can't be made: then none is deleted.
        """
        for one in self._made():
            if one.time > now + _AHEAD_SECONDS:
                aside = one.file.rename(one.file.with_name(f"{one.file.name}.ahead"))
                _log.warning("The clock was ahead: delete %s yourself once its date has passed", aside)
        made = self._made()
        self.newest = made[-1].time if made else None
        if made and now - made[-1].time < self.hours * _HOUR:
            return None
        number = max(made[-1].number if made else 0, self._last_taken()) + 1
        new = self.folder / datetime.fromtimestamp(now, UTC).strftime(_FORM.format(number))
        back_up(self.url, new)
        self.newest = now
        for old in made[: max(0, len(made) + 1 - self.keep)]:
            old.file.unlink(missing_ok=True)
        for left in self.folder.glob("evenhand-*"):
            # What a killed process has begun holds as much as a whole one.
            if _UNFINISHED.fullmatch(left.name) and now - left.stat().st_mtime > DAY:
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        return new

    def age(self, now: float) -> float | None:
        """Return how old the newest backup is, in seconds; None where there is none."""
        return None if self.newest is None else now - self.newest

    def problems(self, now: float) -> list[str]:
        """Return what is wrong, a sentence each."""
        age = self.age(now)
        told = {
            "The last backup could not be made, taken elsewhere or checked.": self.failed,
            "The backup that was checked last does not hold.": self.broken,
            "The newest backup is too old.": age is not None and age > 2 * self.hours * _HOUR,
        }
        return [sentence for sentence, wrong in told.items() if wrong]

    def unchecked(self, now: float) -> Path | None:
        """Return the newest backup, if none was checked within a week."""
        made, mark = self._made(), self.folder / _CHECKED
        if not made or (mark.exists() and 0 <= now - mark.stat().st_mtime < _WEEK):
            return None
        return made[-1].file

    def checked(self) -> None:
        """Note that a backup was checked now."""
        (self.folder / _CHECKED).touch()

    def untaken(self) -> list[tuple[int, Path]]:
        """Return the backups that the hook has yet to take, with their numbers."""
        last = self._last_taken()
        return [(one.number, one.file) for one in self._made() if one.number > last]

    def taken(self, number: int) -> None:
        """Note that the hook has taken the backup of this number."""
        (self.folder / _TAKEN).write_text(f"{number}\n", encoding="ascii")

    def _last_taken(self) -> int:
        try:
            return int((self.folder / _TAKEN).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0

    def _made(self) -> list[_Made]:
        """Return the backups that are there, the first one first."""
        files = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted(
            _Made(int(found[1]), _time(found[2]), file)
            for file in files
            if (found := _NAME.fullmatch(file.name))
        )


def backups(keeper: Keeper | None) -> AbstractAsyncContextManager[None]:
    """Make backups until the block ends; none without a keeper."""
    return background_task(_run(keeper), "backups") if keeper else nullcontext()


async def _run(keeper: Keeper) -> None:
    while True:
        keeper.failed = False in [await _done(one(keeper)) for one in (_make, _check, take)]
        await asyncio.sleep(_LOOK_SECONDS)


async def _done(work: Coroutine[object, object, None]) -> bool:
    """Return whether it could be done; otherwise log why, for the next time it may be."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 (whatever it is, the next one may succeed)
        known = isinstance(error, Unavailable)
        _log.error("%s", error if known else "The backups have a problem", exc_info=not known)
        return False
    return True


async def _make(keeper: Keeper) -> None:
    if made := await asyncio.to_thread(keeper.step, time.time()):
        _log.info("Backup %s", made)


async def take(keeper: Keeper) -> None:
    """Have the hook take what it has yet to take; Unavailable at the first one that it does not."""
    if keeper.hook is None:
        return
    for number, file in await asyncio.to_thread(keeper.untaken):
        code, _ = await _call(*shlex.split(keeper.hook), str(file))
        if code:
            raise Unavailable(
                "The backup {waiting} was not taken elsewhere: code {code}.", waiting=file, code=code
            )
        await asyncio.to_thread(keeper.taken, number)


async def _check(keeper: Keeper) -> None:
    if found := await asyncio.to_thread(keeper.unchecked, time.time()):
        keeper.broken = not await _holds(found)
        await asyncio.to_thread(keeper.checked)


async def _holds(file: Path) -> bool:
    """Roll a backup's campaigns again, in a process that takes nothing from the bot's own time.

    Unavailable where that can't be done, such as for want of room.
    """
    code, wrong = await _call(*COMMAND_LINE, "check", str(file))
    # What does not hold is told on the other stream: here is what kept the check from its end, or a warning.
    if code and (wrong or code != FAILED):
        why = wrong.splitlines()[-1] if wrong else f"the check ended with code {code}."
        raise Unavailable("The backup {file} could not be checked: {why}", file=file, why=why)
    if code:
        _log.error("The backup %s does not hold: see `evenhand check %s`", file, file)
    else:
        _log.info("The backup %s was rolled again and holds", file)
    return not code


async def _call(*command: str) -> tuple[int, str]:
    """Return a command's exit code, and what it said on standard error; 127 where there is none."""
    try:
        child = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=DEVNULL, stderr=asyncio.subprocess.PIPE
        )
    except OSError as error:
        return 127, str(error)
    wrong = ""
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                wrong = (await child.communicate())[1].decode(errors="replace").strip()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return child.returncode or 0, wrong


def _time(name: str) -> float:
    return datetime.strptime(name, "%Y%m%dT%H%M%S").replace(tzinfo=UTC).timestamp()
