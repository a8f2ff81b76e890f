"""Automatic backups of the running bot to its operator's backup folder.

Once a week `check` tries the newest one, in a process of its own.
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
_UNFINISHED = re.compile(rf"{_NAME.pattern}\.part(-journal)?|evenhand-check-.*")
_CHECKED, _TAKEN = "last-check", "last-taken"
_HOUR = 3_600
_PATIENCE_SECONDS = _HOUR
"""The longest run of a check or the hook."""
_LONGEST_ERROR = 300
"""Most characters of a hook's last line of standard error in the log."""
_AHEAD_SECONDS = _HOUR
"""A backup further in the future than this is set aside, with a warning."""
_LOOK_SECONDS = 600

_log = logging.getLogger(__name__)


class _Backup(NamedTuple):
    """A backup; they are ordered by `number`, which only rises, because clocks can be wrong."""

    number: int
    time: float
    file: Path


@dataclass(slots=True)
class Keeper:
    """Makes a backup of the database at `url` every `hours` hours, and keeps the newest `keep` of them.

    `hook` is a command that copies each backup elsewhere.
    """

    url: str
    folder: Path
    hours: int
    keep: int
    hook: str | None = None
    failed: bool = False
    """True if the last backup could not be made, taken elsewhere or checked."""
    broken: bool = False
    """True if the backup that was checked last does not hold."""
    newest: float | None = None
    """Time of the newest backup, in seconds since 1970; None if none is known."""

    def step(self, now: float) -> Path | None:
        """Make a backup if one is due, and delete the oldest ones beyond `keep`; return the new one or None.

        `now` is in seconds since 1970. Raise Unavailable if it can't be made; then none is deleted.
        """
        for backup in self._existing():
            if backup.time > now + _AHEAD_SECONDS:
                aside = backup.file.rename(backup.file.with_name(f"{backup.file.name}.ahead"))
                _log.warning("The clock was ahead: delete %s yourself once its date has passed", aside)
        existing = self._existing()
        self.newest = existing[-1].time if existing else None
        if existing and now - existing[-1].time < self.hours * _HOUR:
            return None
        number = max(existing[-1].number if existing else 0, self._last_taken()) + 1
        new = self.folder / datetime.fromtimestamp(now, UTC).strftime(_FORM.format(number))
        back_up(self.url, new)
        self.newest = now
        for old in existing[: max(0, len(existing) + 1 - self.keep)]:
            old.file.unlink(missing_ok=True)
        for path in self.folder.glob("evenhand-*"):
            # A killed process leaves files as sensitive as a whole backup.
            if _UNFINISHED.fullmatch(path.name) and now - path.stat().st_mtime > DAY:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return new

    def age(self, now: float) -> float | None:
        """Return the age of the newest backup in seconds, or None if there is none."""
        return None if self.newest is None else now - self.newest

    def problems(self, now: float) -> list[str]:
        """Return the problems of the backups, a sentence each."""
        age = self.age(now)
        problems = {
            "The last backup could not be made, taken elsewhere or checked.": self.failed,
            "The backup that was checked last does not hold.": self.broken,
            "The newest backup is too old.": age is not None and age > 2 * self.hours * _HOUR,
        }
        return [sentence for sentence, is_true in problems.items() if is_true]

    def unchecked(self, now: float) -> Path | None:
        """Return the newest backup, if none was checked within a week."""
        existing, mark = self._existing(), self.folder / _CHECKED
        if not existing or (mark.exists() and 0 <= now - mark.stat().st_mtime < 7 * DAY):
            return None
        return existing[-1].file

    def mark_checked(self) -> None:
        """Record that a backup was checked now."""
        (self.folder / _CHECKED).touch()

    def untaken(self) -> list[tuple[int, Path]]:
        """Return the numbers and files of the backups that the hook has not taken yet."""
        last = self._last_taken()
        return [(backup.number, backup.file) for backup in self._existing() if backup.number > last]

    def mark_taken(self, number: int) -> None:
        """Record that the hook has taken the backup of this number."""
        (self.folder / _TAKEN).write_text(f"{number}\n", encoding="ascii")

    def _last_taken(self) -> int:
        try:
            return int((self.folder / _TAKEN).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0

    def _existing(self) -> list[_Backup]:
        """Return the backups in the folder, ordered by number."""
        files = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted(
            _Backup(int(match[1]), datetime.fromisoformat(f"{match[2]}Z").timestamp(), file)
            for file in files
            if (match := _NAME.fullmatch(file.name))
        )


def backups(keeper: Keeper | None) -> AbstractAsyncContextManager[None]:
    """Make backups until the block ends, if there is a keeper."""
    return background_task(_run(keeper), "backups") if keeper else nullcontext()


async def _run(keeper: Keeper) -> None:
    while True:
        keeper.failed = False in [await _succeeds(step(keeper)) for step in (_make, _check, take)]
        await asyncio.sleep(_LOOK_SECONDS)


async def _succeeds(work: Coroutine[object, object, None]) -> bool:
    """Await work, and log its error; return whether it succeeded."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 (whatever it is, the next try may succeed)
        is_expected = isinstance(error, Unavailable)
        _log.error("%s", error if is_expected else "The backups have a problem", exc_info=not is_expected)
        return False
    return True


async def _make(keeper: Keeper) -> None:
    if file := await asyncio.to_thread(keeper.step, time.time()):
        _log.info("Backup %s", file)


async def take(keeper: Keeper) -> None:
    """Run the hook for each backup that it has not taken yet; raise Unavailable at the first failure."""
    if keeper.hook is None:
        return
    for number, file in await asyncio.to_thread(keeper.untaken):
        code, errors = await _call(*shlex.split(keeper.hook), str(file))
        if code:
            raise Unavailable(
                "The backup {waiting} was not taken elsewhere: code {code}, {said}.",
                waiting=file,
                code=code,
                said=repr(errors.splitlines()[-1][:_LONGEST_ERROR]) if errors else "without a word",
            )
        await asyncio.to_thread(keeper.mark_taken, number)


async def _check(keeper: Keeper) -> None:
    if file := await asyncio.to_thread(keeper.unchecked, time.time()):
        keeper.broken = not await _holds(file)
        await asyncio.to_thread(keeper.mark_checked)


async def _holds(file: Path) -> bool:
    """Return whether a backup holds, by a check in a process of its own.

    Raise Unavailable if the check can't be done, such as on a full disk.
    """
    code, errors = await _call(*COMMAND_LINE, "check", str(file))
    # The check prints what does not hold on standard output; standard error tells why it broke off.
    if code and (errors or code != FAILED):
        reason = errors.splitlines()[-1] if errors else f"the check ended with code {code}."
        raise Unavailable("The backup {file} could not be checked: {why}", file=file, why=reason)
    if code:
        _log.error("The backup %s does not hold: see `evenhand check %s`", file, file)
    else:
        _log.info("The backup %s was rolled again and holds", file)
    return not code


async def _call(*command: str) -> tuple[int, str]:
    """Return a command's exit code and its standard error; 127 and the reason if it can't be started."""
    try:
        child = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=DEVNULL, stderr=asyncio.subprocess.PIPE
        )
    except OSError as error:
        return 127, str(error)
    errors = ""
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                errors = (await child.communicate())[1].decode(errors="replace").strip()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return child.returncode or 0, errors
