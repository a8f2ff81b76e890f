"""The table's own SQLite file: everything that is there again tomorrow.

The table is one process with one thread, so statements run in its event loop: a commit to the write-ahead log
takes some ten microseconds. A message is committed at once, everything else within 200 ms.
"""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, cast

Object: TypeAlias = dict[str, Any]
"""A JSON object, as Discord and the page send them."""

VERSION = 1
_COMMIT_SECONDS = 0.2
_MESSAGES_KEPT = 5_000
_FILE_BYTES_KEPT = 500_000_000
_SCHEMA = """
CREATE TABLE document (kind TEXT, id INTEGER, data TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE TABLE message (
    id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, author INTEGER NOT NULL, viewer INTEGER,
    data TEXT NOT NULL
);
CREATE INDEX message_channel ON message (channel, id);
CREATE INDEX message_viewer ON message (viewer) WHERE viewer IS NOT NULL;
CREATE TABLE file (
    id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, message INTEGER, data TEXT NOT NULL, content BLOB NOT NULL
);
CREATE INDEX file_message ON file (message);
CREATE TABLE mark (person INTEGER, channel INTEGER, message INTEGER NOT NULL, PRIMARY KEY (person, channel))
    WITHOUT ROWID;
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
    """Documents by kind and id, messages, files and read marks."""

    def __init__(self, folder: Path) -> None:
        path = folder / "table.db"
        if not path.exists() and (folder / "evenhand.db").exists():
            raise TableError(
                f"{folder} holds a table of an older version, which can't be read. "
                "Move that folder away, and start again."
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level="DEFERRED")
            self._prepare(path)
        except (OSError, sqlite3.Error) as error:
            raise TableError(f"The table's file {path} can't be opened: {error}.") from None
        self._pending: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Commit and close."""
        self.commit()
        self._connection.close()

    def commit(self) -> None:
        """Commit all that was written."""
        if self._pending:
            self._pending.cancel()
            self._pending = None
        self._connection.commit()

    def put(self, kind: str, key: int, data: object) -> None:
        """Keep a document."""
        self._write("REPLACE INTO document VALUES (?, ?, ?)", kind, key, json.dumps(data))

    def remove(self, kind: str, key: int) -> None:
        """Forget a document."""
        self._write("DELETE FROM document WHERE kind = ? AND id = ?", kind, key)

    def documents(self, kind: str) -> list[Object]:
        """Return all documents of a kind, the oldest id first."""
        rows = self._connection.execute("SELECT data FROM document WHERE kind = ? ORDER BY id", (kind,))
        return [json.loads(data) for (data,) in rows]

    def save(self, message: int, channel: int, author: int, viewer: int | None, data: Object) -> None:
        """Keep a message, durable when this returns; `viewer` is the only person who sees it, or None."""
        row = (message, channel, author, viewer, json.dumps(data))
        self._connection.execute("REPLACE INTO message VALUES (?, ?, ?, ?, ?)", row)
        self.commit()

    def message(self, message: int) -> Object | None:
        """Return a message."""
        row = self._connection.execute("SELECT data FROM message WHERE id = ?", (message,)).fetchone()
        return json.loads(row[0]) if row else None

    def messages(self, channel: int, viewer: int | None, low: int, high: int, limit: int) -> list[Object]:
        """Return the newest `limit` messages that `viewer` sees between two ids, the oldest first."""
        rows = self._seen("data", channel, viewer, low, high, f"DESC LIMIT {int(limit)}")
        return [json.loads(data) for (data,) in reversed(rows)]

    def messages_after(self, channel: int, viewer: int | None, low: int, limit: int) -> list[Object]:
        """Return the oldest `limit` messages that `viewer` sees with an id above `low`, the oldest first."""
        rows = self._seen("data", channel, viewer, low, 1 << 62, f"ASC LIMIT {int(limit)}")
        return [json.loads(data) for (data,) in rows]

    def unread(self, channel: int, viewer: int, low: int) -> list[Object]:
        """Return the newest messages of others above `low`, 100 at most."""
        rows = self._seen("author, data", channel, viewer, low, 1 << 62, "DESC LIMIT 100")
        return [json.loads(data) for author, data in rows if author != viewer]

    def latest(self, channel: int, viewer: int) -> int | None:
        """Return the id of the newest message that `viewer` sees."""
        rows = self._seen("id", channel, viewer, 0, 1 << 62, "DESC LIMIT 1")
        return rows[0][0] if rows else None

    def unfinished(self) -> list[Object]:
        """Return the messages that still stand for an answer to come."""
        rows = self._connection.execute("SELECT data FROM message WHERE data LIKE '%\"waiting\": true%'")
        return [json.loads(data) for (data,) in rows]

    def delete(self, message: int) -> None:
        """Delete a message and its files."""
        self._connection.execute("DELETE FROM file WHERE message = ?", (message,))
        self._connection.execute("DELETE FROM message WHERE id = ?", (message,))
        self.commit()

    def clear(self, channel: int) -> None:
        """Delete all messages of a channel and their files."""
        of_channel = "message IN (SELECT id FROM message WHERE channel = ?)"
        self._connection.execute(f"DELETE FROM file WHERE {of_channel}", (channel,))  # noqa: S608 (a constant)
        self._connection.execute("DELETE FROM message WHERE channel = ?", (channel,))
        self.commit()

    def add_file(self, file: int, owner: int, data: Object, content: bytes) -> None:
        """Keep a file that belongs to no message yet."""
        self._write("INSERT INTO file VALUES (?, ?, NULL, ?, ?)", file, owner, json.dumps(data), content)

    def attach(self, file: int, message: int) -> None:
        """Say which message a file belongs to."""
        self._write("UPDATE file SET message = ? WHERE id = ?", message, file)

    def file(self, file: int) -> tuple[int, int | None, Object, bytes] | None:
        """Return a file's owner, its message, its description and its bytes."""
        query = "SELECT owner, message, data, content FROM file WHERE id = ?"
        row = self._connection.execute(query, (file,)).fetchone()
        return (row[0], row[1], json.loads(row[2]), row[3]) if row else None

    def drop_file(self, file: int) -> None:
        """Delete a file."""
        self._write("DELETE FROM file WHERE id = ?", file)

    def mark(self, person: int, channel: int, message: int) -> None:
        """Say up to which message somebody has read a channel."""
        self._write("REPLACE INTO mark VALUES (?, ?, ?)", person, channel, message)

    def marks(self, person: int) -> dict[int, int]:
        """Return the newest message that somebody has read, by channel."""
        rows = self._connection.execute("SELECT channel, message FROM mark WHERE person = ?", (person,))
        return dict(rows)

    def tidy(self, private_before: int) -> Iterator[int]:
        """Return the messages beyond the limits, and private ones before an id; drop files beyond theirs."""
        for (channel,) in self._connection.execute("SELECT DISTINCT channel FROM message").fetchall():
            query = "SELECT id FROM message WHERE channel = ? ORDER BY id DESC LIMIT -1 OFFSET ?"
            yield from (
                row[0] for row in self._connection.execute(query, (channel, _MESSAGES_KEPT)).fetchall()
            )
        query = "SELECT id FROM message WHERE viewer IS NOT NULL AND id < ?"
        yield from (row[0] for row in self._connection.execute(query, (private_before,)).fetchall())
        total = 0
        for file, size in self._connection.execute(
            "SELECT id, length(content) FROM file ORDER BY id DESC"
        ).fetchall():
            total += size
            if total > _FILE_BYTES_KEPT:
                self.drop_file(file)

    def _seen(
        self, columns: str, channel: int, viewer: int | None, low: int, high: int, order: str
    ) -> list[Any]:
        query = (
            f"SELECT {columns} FROM message WHERE channel = ? AND id > ? AND id < ? "  # noqa: S608
            f"AND (viewer IS NULL OR viewer = ?) ORDER BY id {order}"
        )
        return self._connection.execute(query, (channel, low, high, viewer)).fetchall()

    def _write(self, statement: str, *values: object) -> None:
        self._connection.execute(statement, values)
        if self._pending is None:
            with suppress(RuntimeError):  # no loop is running yet: who opens the table commits
                loop = asyncio.get_running_loop()
                self._pending = loop.call_later(_COMMIT_SECONDS, self.commit)

    def _prepare(self, path: Path) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version == 0:
            self._connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise TableError(
                f"{path} is of another version of the table. Move that file away, and start again."
            )
