"""Count what a stretch of the running bot goes through: its files, calls of its functions, SQL statements."""

import sqlite3
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import ParamSpec

import pytest

_P = ParamSpec("_P")

_INLINED = {"<listcomp>", "<setcomp>", "<dictcomp>"}
"""Functions of their own up to Python 3.11 only; counted on no version, so that versions can be compared."""
_BRACKETS = ("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA")
"""Beginnings of statements that neither read nor change rows."""


@dataclass(slots=True)
class Stretch:
    """The counts of one stretch."""

    files: set[str] = field(default_factory=set[str])
    """Files in which anything ran."""
    calls: int = 0
    """Functions that began; a coroutine that goes on does not begin again."""
    hops: int = 0
    """Those among them that were called from another file."""
    statements: list[str] = field(default_factory=list[str])
    """SQL as SQLite ran it, each row of an `executemany` by itself."""


class Tracer:
    """Watches the code below some folders, on all threads that start while it is installed."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._inside = tuple(f"{folder.resolve()}/" for folder in folders)
        self._stretch: Stretch | None = None

    @contextmanager
    def installed(self) -> Generator[None]:
        """Watch threads and connections to SQLite from their beginning, so enter this before they begin."""
        observed = _observed(sqlite3.connect, self._ask)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sqlite3.connect", observed)
            patch.setattr("sqlite3.dbapi2.connect", observed)  # where SQLAlchemy looks
            threading.setprofile(self._enter)
            try:
                yield
            finally:
                threading.setprofile(None)

    @contextmanager
    def stretch(self) -> Generator[Stretch]:
        """Count until the block ends."""
        self._stretch = stretch = Stretch()
        sys.setprofile(self._enter)
        try:
            yield stretch
        finally:
            sys.setprofile(None)
            self._stretch = None

    def _ask(self, statement: str) -> None:
        if self._stretch and not statement.startswith(_BRACKETS):
            self._stretch.statements.append(statement)

    def _enter(self, frame: FrameType, event: str, _: object) -> None:
        stretch, code = self._stretch, frame.f_code
        if stretch is None or event != "call" or code.co_name in _INLINED:
            return
        if not code.co_filename.startswith(self._inside):
            return
        stretch.files.add(code.co_filename)
        if _is_resumed(frame):
            return
        stretch.calls += 1
        if frame.f_back is None or frame.f_back.f_code.co_filename != code.co_filename:
            stretch.hops += 1


def _observed(
    connect: Callable[_P, sqlite3.Connection], tell: Callable[[str], None]
) -> Callable[_P, sqlite3.Connection]:
    def observed(*args: _P.args, **kwargs: _P.kwargs) -> sqlite3.Connection:
        connection = connect(*args, **kwargs)
        connection.set_trace_callback(tell)
        return connection

    return observed


def _is_resumed(frame: FrameType) -> bool:
    """Return whether a frame resumes a coroutine, not begins, by the argument of RESUME (see `dis`)."""
    return frame.f_code.co_code[frame.f_lasti + 1] & 3 != 0
