"""A process that restores a backup and is killed at a step on the disk, or whose disk fails there."""

import asyncio
import errno
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from bot.dice.errors import Unavailable
from bot.storage.backup import restore
from bot.storage.engine import open_database, transact
from bot.storage.moving import note_restored

STEPS = {"os.link", "os.remove", "os.rename", "shutil.copyfile"}
KILLED, ONCE, ON = "killed", "once", "on"
"""What happens at the step: the process is killed, the disk fails once, or from then on."""


def main(how: str, backup: Path, folders: list[str]) -> None:
    """Restore to the database of each folder up to the step with the folder's number, from 1 on."""
    for step, folder in enumerate(folders, 1):
        if os.fork() == 0:
            _cut(how, step, backup, Path(folder))
        os.wait()


def check(url: str) -> None:
    """Write to the copy, as a check does, and take a step while its log is open."""

    async def note() -> None:
        async with open_database(url) as database:
            await transact(database, note_restored(1, 1))
            sys.audit("os.remove")

    asyncio.run(note())


def _cut(how: str, step: int, backup: Path, folder: Path) -> NoReturn:
    """Leave what is said in the file `said`; nothing where the process is killed."""
    left = step

    def watch(event: str, _arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event not in STEPS:
            return
        left -= 1
        if left == 0 and how == KILLED:
            os.kill(os.getpid(), signal.SIGKILL)
        if left == 0 or (left < 0 and how == ON):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    sys.addaudithook(watch)
    try:
        restore(f"sqlite:///{folder / 'evenhand.db'}", backup, check)
        said = "Done."
    except (Unavailable, OSError) as error:
        said = str(error)
    (folder / "said").write_text(said, encoding="utf-8")
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
