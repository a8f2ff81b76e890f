"""A lock that one process holds on a database file, so that a second one is refused.

The system drops it when its holder dies, however it dies: who has it knows that no other process lives.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bot.dice.errors import Unavailable

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def sole_use(database: Path) -> Generator[None]:
    """Hold the lock beside a database file; Unavailable where another process has it or it can't be made."""
    path = database.with_name(database.name + ".lock")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable(f"The database {database} can't be used: {error.strerror or error}.") from error
    try:
        try:
            _lock(descriptor)
        except OSError as error:
            raise Unavailable(
                f"Another Evenhand is using {database}. Stop it, or give this one a database of its own."
            ) from error
        yield
    finally:
        os.close(descriptor)
