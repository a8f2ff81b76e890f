"""The table's own SQLite file: everything that outlives a run.

The table is one process with one thread, and a commit to the write-ahead log takes some ten microseconds. So
statements run in the event loop, and each is committed by itself.
"""

import json
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, cast

from bot.dice.errors import Unavailable
from bot.storage.faults import reason

Object: TypeAlias = dict[str, Any]
"""A JSON object, as Discord and the page send them."""

VERSION = 4
LATEST = 1 << 62
"""Above every id."""
_MESSAGES_KEPT = 5_000
_FILE_BYTES_KEPT = 500_000_000
_SCHEMA = Path(__file__).with_name("table.sql")
_SAVE_MESSAGE = "INSERT INTO message VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data"
_VISIBLE = """
SELECT data FROM message WHERE channel = ? AND id > ? AND id < ? AND (viewer IS NULL OR viewer = ?)
"""
_EXCESS_MESSAGES = """
SELECT id FROM
    (SELECT id, viewer, row_number() OVER (PARTITION BY channel ORDER BY id DESC) AS place FROM message)
WHERE place > ? OR (viewer IS NOT NULL AND id < ?)
"""
_DELETE_FILES = """
DELETE FROM file WHERE id IN (
    SELECT id FROM (SELECT id, message, sum(length(content)) OVER (ORDER BY id DESC) AS total FROM file)
    WHERE total > ? OR (message IS NULL AND id < ?)
) AND id NOT IN (SELECT id FROM document WHERE kind = 'emoji')
"""


def listed(value: object) -> list[Any]:
    """Return a JSON value if it is a list, else []."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def mapped(value: object) -> Object:
    """Return a JSON value if it is an object, else {}."""
    return cast("Object", value) if isinstance(value, dict) else {}


class TableError(Exception):
    """The table can't be opened; the text is a sentence for the person who starts it."""


@contextmanager
def _saving() -> Generator[None]:
    """Raise Unavailable if the block's statements can't be saved, as on a full disk."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise Unavailable(
            "The table can't save that, because {reason}. Try again later.", reason=reason(error)
        ) from error


class Store:
    """JSON documents by kind and id, messages by channel, and files; what can't be saved is Unavailable."""

    def __init__(self, folder: Path) -> None:
        path = folder / "table.db"
        try:
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the bot's data folder
            folder.mkdir(mode=0o700, exist_ok=True)
            path.touch(mode=0o600)
            self._connection = sqlite3.connect(path, timeout=1, isolation_level=None)
            for pragma in (
                "locking_mode = EXCLUSIVE",
                "journal_mode = WAL",
                "synchronous = NORMAL",
                "foreign_keys = ON",
            ):
                self._connection.execute(f"PRAGMA {pragma}")
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                script = f"{_SCHEMA.read_text('utf-8')} PRAGMA user_version = {VERSION};"
                self._connection.executescript(f"BEGIN; {script} COMMIT;")
        except (OSError, sqlite3.Error) as error:
            is_busy = getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")
            why = "it is open already" if is_busy else getattr(error, "strerror", None) or error
            raise TableError(f"The table's file {path} can't be opened: {why}.") from None
        if version not in {0, VERSION}:
            raise TableError(f"{folder} holds a table of another version. Move it away, and start again.")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Run the block in one transaction."""
        with _saving(), self._connection:
            self._connection.execute("BEGIN")
            yield

    def _write(self, statement: str, *values: object) -> None:
        with _saving():
            self._connection.execute(statement, values)

    def _read(self, query: str, *values: object) -> list[Object]:
        return [json.loads(data) for (data,) in self._connection.execute(query, values)]

    def put(self, kind: str, key: int, data: object) -> None:
        """Save a document."""
        self._write("REPLACE INTO document VALUES (?, ?, ?)", kind, key, json.dumps(data))

    def document(self, kind: str, key: int) -> Object | None:
        """Return a document, or None."""
        return next(iter(self._read("SELECT data FROM document WHERE kind = ? AND id = ?", kind, key)), None)

    def documents(self, kind: str) -> list[Any]:
        """Return all documents of a kind, ordered by id."""
        return self._read("SELECT data FROM document WHERE kind = ? ORDER BY id", kind)

    def save(self, message: int, channel: int, viewer: int | None, data: Object) -> None:
        """Save a message with its files; only `viewer` sees it, None: everybody."""
        with self.transaction():
            self._write(_SAVE_MESSAGE, message, channel, viewer, json.dumps(data))
            for file in data["attachments"]:
                self._write("UPDATE file SET message = ? WHERE id = ?", message, int(file["id"]))

    def message(self, message: int) -> Object | None:
        """Return a message by its id, or None."""
        return next(iter(self._read("SELECT data FROM message WHERE id = ?", message)), None)

    def messages(
        self, channel: int, viewer: int | None, low: int = 0, high: int = LATEST, limit: int = 1, *,
        oldest: bool = False,
    ) -> list[Object]:  # fmt: skip
        """Return the newest (or oldest) messages that a person sees between two ids, ordered by id."""
        query = f"{_VISIBLE} ORDER BY id {'ASC' if oldest else 'DESC'} LIMIT ?"
        messages = self._read(query, channel, low, high, viewer, limit)
        return messages if oldest else messages[::-1]

    def unfinished(self) -> list[Object]:
        """Return the messages that still wait for their answer."""
        return self._read("SELECT data FROM message WHERE data LIKE '%\"waiting\": true%'")

    def delete(self, column: str, number: int) -> None:
        """Delete a message (column "id") or those of a channel (column "channel"), with their files."""
        self._write(f"DELETE FROM message WHERE {column} = ?", number)  # noqa: S608 (one of two constants)

    def add_file(self, file: int, data: Object, content: bytes) -> None:
        """Save a file that belongs to no message yet."""
        self._write("INSERT INTO file VALUES (?, ?, ?, NULL)", file, json.dumps(data), content)

    def file(self, file: int) -> tuple[int | None, Object, bytes] | None:
        """Return the message id of a file (None if it has none), its description and bytes; or None."""
        query = "SELECT message, data, content FROM file WHERE id = ?"
        row = self._connection.execute(query, (file,)).fetchone()
        return (row[0], json.loads(row[1]), row[2]) if row else None

    def drop_file(self, file: int) -> None:
        """Delete a file."""
        self._write("DELETE FROM file WHERE id = ?", file)

    def tidy(self, private_before: int, unused_before: int) -> list[int]:
        """Delete files beyond their limit, and unused ones with lower ids than `unused_before`.

        Return the ids of messages beyond their limit, and of private ones below `private_before`.
        """
        self._write(_DELETE_FILES, _FILE_BYTES_KEPT, unused_before)
        rows = self._connection.execute(_EXCESS_MESSAGES, (_MESSAGES_KEPT, private_before))
        return [number for (number,) in rows]
