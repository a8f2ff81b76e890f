"""The table's own SQLite file: everything that is there again tomorrow.

The table is one process with one thread, so statements run in its event loop: a commit to the write-ahead log
takes some ten microseconds, so each statement is committed as it stands.
"""

import json
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, cast

Object: TypeAlias = dict[str, Any]
"""A JSON object, as Discord and the page send them."""

VERSION = 4
LATEST = 1 << 62
"""Above every id."""
_MESSAGES_KEPT = 5_000
_FILE_BYTES_KEPT = 500_000_000
_SCHEMA = Path(__file__).with_name("table.sql")
_KEEP = "INSERT INTO message VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data"
_SEEN = """
SELECT data FROM message WHERE channel = ? AND id > ? AND id < ? AND (viewer IS NULL OR viewer = ?)
"""
_BEYOND = """
SELECT id FROM
    (SELECT id, viewer, row_number() OVER (PARTITION BY channel ORDER BY id DESC) AS place FROM message)
WHERE place > ? OR (viewer IS NOT NULL AND id < ?)
"""
_DROP = """
DELETE FROM file WHERE id IN (
    SELECT id FROM (SELECT id, message, sum(length(content)) OVER (ORDER BY id DESC) AS total FROM file)
    WHERE total > ? OR (message IS NULL AND id < ?)
) AND id NOT IN (SELECT id FROM document WHERE kind = 'emoji')
"""


def listed(value: object) -> list[Any]:
    """Return a JSON value that should be a list; [] if it is none."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def mapped(value: object) -> Object:
    """Return a JSON value that should be an object; {} if it is none."""
    return cast("Object", value) if isinstance(value, dict) else {}


class TableError(Exception):
    """The table can't be opened; the text is a sentence for whoever starts it."""


class Store:
    """JSON documents by kind and id, messages by channel, and files."""

    def __init__(self, folder: Path) -> None:
        path = folder / "table.db"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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
                made = f"{_SCHEMA.read_text('utf-8')} PRAGMA user_version = {VERSION};"
                self._connection.executescript(f"BEGIN; {made} COMMIT;")
        except (OSError, sqlite3.Error) as error:
            held = getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")
            why = "it is open already" if held else getattr(error, "strerror", None) or error
            raise TableError(f"The table's file {path} can't be opened: {why}.") from None
        if version not in {0, VERSION}:
            raise TableError(f"{folder} holds a table of another version. Move it away, and start again.")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def whole(self) -> Generator[None]:
        """Write all that the block writes, or nothing of it."""
        with self._connection:
            self._write("BEGIN")
            yield

    def _write(self, statement: str, *values: object) -> None:
        self._connection.execute(statement, values)

    def _read(self, query: str, *values: object) -> list[Object]:
        return [json.loads(data) for (data,) in self._connection.execute(query, values)]

    def put(self, kind: str, key: int, data: object) -> None:
        """Keep a document."""
        self._write("REPLACE INTO document VALUES (?, ?, ?)", kind, key, json.dumps(data))

    def documents(self, kind: str) -> list[Any]:
        """Return all documents of a kind, the oldest id first."""
        return self._read("SELECT data FROM document WHERE kind = ? ORDER BY id", kind)

    def save(self, message: int, channel: int, viewer: int | None, data: Object) -> None:
        """Keep a message with its files; `viewer` alone sees it, None: all do."""
        with self.whole():
            self._write(_KEEP, message, channel, viewer, json.dumps(data))
            for file in data["attachments"]:
                self._write("UPDATE file SET message = ? WHERE id = ?", message, int(file["id"]))

    def message(self, message: int) -> Object | None:
        """Return a message."""
        return next(iter(self._read("SELECT data FROM message WHERE id = ?", message)), None)

    def messages(
        self, channel: int, viewer: int | None, low: int = 0, high: int = LATEST, limit: int = 1, *,
        oldest: bool = False,
    ) -> list[Object]:  # fmt: skip
        """Return the newest (or oldest) messages that somebody sees between two ids, the oldest first."""
        query = f"{_SEEN} ORDER BY id {'ASC' if oldest else 'DESC'} LIMIT ?"
        found = self._read(query, channel, low, high, viewer, limit)
        return found if oldest else found[::-1]

    def unfinished(self) -> list[Object]:
        """Return the messages that still stand for an answer to come."""
        return self._read("SELECT data FROM message WHERE data LIKE '%\"waiting\": true%'")

    def delete(self, column: str, number: int) -> None:
        """Delete a message (column "id") or those of a channel (column "channel"), with their files."""
        self._write(f"DELETE FROM message WHERE {column} = ?", number)  # noqa: S608 (one of two constants)

    def add_file(self, file: int, data: Object, content: bytes) -> None:
        """Keep a file that belongs to no message yet."""
        self._write("INSERT INTO file VALUES (?, ?, ?, NULL)", file, json.dumps(data), content)

    def file(self, file: int) -> tuple[int | None, Object, bytes] | None:
        """Return a file's message, its description and its bytes."""
        query = "SELECT message, data, content FROM file WHERE id = ?"
        row = self._connection.execute(query, (file,)).fetchone()
        return (row[0], json.loads(row[1]), row[2]) if row else None

    def drop_file(self, file: int) -> None:
        """Delete a file."""
        self._write("DELETE FROM file WHERE id = ?", file)

    def tidy(self, private_before: int, unused_before: int) -> list[int]:
        """Return messages beyond the limits, and private ones before an id.

        Drop files beyond theirs, and those before an id that no message has.
        """
        self._write(_DROP, _FILE_BYTES_KEPT, unused_before)
        return [number for (number,) in self._connection.execute(_BEYOND, (_MESSAGES_KEPT, private_before))]
