"""Files and folders that are for this user alone: a history is no business of others on the same machine."""

from contextlib import suppress
from pathlib import Path

_FOLDER, _FILE = 0o700, 0o600


def make_private(folder: Path) -> None:
    """Make a folder, or close one that is there to others; OSError where it can't be made."""
    folder.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
    with suppress(OSError):  # somebody else's folder, which we may use
        folder.chmod(_FOLDER)


def close_to_others(file: Path) -> None:
    """Have nobody else read a database; what SQLite puts beside it later gets the same rights."""
    for path in (file, *(file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm"))):
        with suppress(OSError):
            path.chmod(_FILE)
