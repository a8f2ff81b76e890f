"""Faults of the database in words that can be shown: never its own text, which may quote data."""

import logging
from collections.abc import Iterator
from traceback import format_tb

from bot.dice.errors import LocalizedError, Unavailable

_GONE = LocalizedError("it does not answer")
_OUTDATED = LocalizedError("a newer Evenhand has updated it")
UNKNOWN = LocalizedError("there was an unexpected fault, which is in the log")

# SQLite's names of result codes, longest match first; https://www.sqlite.org/rescode.html
_SQLITE = {
    "SQLITE_FULL": LocalizedError("its disk is full"),
    "SQLITE_READONLY_DBMOVED": LocalizedError("its file was moved, replaced or deleted"),
    "SQLITE_READONLY": LocalizedError("it can only be read"),
    "SQLITE_PERM": LocalizedError("its file may not be used"),
    "SQLITE_CANTOPEN": LocalizedError("its file can't be opened"),
    "SQLITE_NOTADB": LocalizedError("its file is no SQLite database"),
    "SQLITE_CORRUPT": LocalizedError("its file is damaged"),
    "SQLITE_BUSY": LocalizedError("another program holds it"),
    "SQLITE_LOCKED": LocalizedError("another program holds it"),
    "SQLITE_IOERR": LocalizedError("its disk is full or fails"),
    "SQLITE_TOOBIG": LocalizedError("that is too long"),
}
_DAMAGED = ("Could not decode to UTF-8", "no such column", "no such table")
"""So begins what is said of damaged texts and tables, for which SQLite has no code of its own."""
# Trying the next one soon is in vain too.
_HOPELESS_SQLITE = tuple(_SQLITE.keys() - {"SQLITE_TOOBIG"})
# PostgreSQL's codes or classes of codes; https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRESQL = {
    "08": _GONE,
    "25006": LocalizedError("it can only be read"),
    "28": LocalizedError("the user's name or password is wrong"),
    "3D": LocalizedError("the server has no database of that name"),
    "42501": LocalizedError("the user may not do that there"),
    "53100": LocalizedError("its disk is full"),
    "53300": LocalizedError("its server has too many connections"),
    "55000": LocalizedError("its server takes no connections"),
    "55P03": LocalizedError("another program holds it"),
    "57014": _GONE,
    "57P": LocalizedError("its server is stopping or starting"),
    "58": LocalizedError("its disk is full or fails"),
    "XX001": LocalizedError("its file is damaged"),
    "XX002": LocalizedError("its file is damaged"),
}
# Trying the next one soon is in vain too.
_HOPELESS_POSTGRESQL = ("25006", "53", "55P03", "57014", "58", "XX00")
_log = logging.getLogger(__name__)


class Fault(Exception):
    """The database failed; the driver's own error is the cause."""


class Lost(Fault):
    """The connection is of no use any more."""


class Outdated(Fault):
    """A newer version has changed the tables since this process opened them."""


class Doubtful(Lost):
    """The database was asked to commit and did not answer: nobody knows yet whether it did."""


def reason(error: BaseException) -> LocalizedError:
    """Why the database did not do it, to stand after "because"; never empty."""
    for part in _parts(error):
        if isinstance(part, Outdated):
            return _OUTDATED
        if isinstance(part, UnicodeError) or str(part).startswith(_DAMAGED):
            return _SQLITE["SQLITE_CORRUPT"]
        for code, codes in ((_code(part), _SQLITE), (_state(part), _POSTGRESQL)):
            for start, words in codes.items():
                if code.startswith(start):
                    return words
    return _GONE if gone(error) else UNKNOWN


def gone(error: BaseException) -> bool:
    """Return whether the connection is lost or can't be made; once lost, another one may do."""
    return any(
        isinstance(part, OSError | Lost) or _state(part).startswith(("08", "57P")) for part in _parts(error)
    )


def hopeless(error: BaseException) -> bool:
    """Return whether others would wait in vain: it is held, frozen, full, closed, damaged or newer."""
    return any(
        isinstance(part, TimeoutError | Outdated)
        or _code(part).startswith(_HOPELESS_SQLITE)
        or _state(part).startswith(_HOPELESS_POSTGRESQL)
        for part in _parts(error)
    )


def is_repeated(error: BaseException) -> bool:
    """Return whether what is unique was there already, apart from a table's primary key."""
    return any(
        _code(part) == "SQLITE_CONSTRAINT_UNIQUE"
        or (_state(part) == "23505" and str(getattr(part, "constraint_name", "")).startswith("uq_"))
        for part in _parts(error)
    )


def unsaved(error: BaseException, *, doubtful: bool = False) -> Unavailable:
    """Return what to tell somebody whose request could not be saved, or is not known to be."""
    if doubtful:
        return Unavailable(
            "That may or may not be in the history, because {reason}: `/history` tells. Please "
            "look there before you try again.",
            reason=reason(error),
        )
    return Unavailable(
        "I can't write the history now, because {reason}. Try again later.", reason=reason(error)
    )


def unread(error: BaseException) -> Unavailable:
    """Return what to tell somebody whose question could not be looked up."""
    return Unavailable(
        "I can't read the history now, because {reason}. Try again later.", reason=reason(error)
    )


def note(error: BaseException) -> None:
    """Say in the log what went wrong: kinds, codes and places, but no text, which may quote data."""
    parts = list(_parts(error))
    kinds = " from ".join(" ".join(filter(None, (type(p).__name__, _code(p), _state(p)))) for p in parts)
    places = ["\n", *format_tb(parts[-1].__traceback__)] if reason(error) is UNKNOWN else []
    _log.error("The database failed, because %s (%s)%s", reason(error), kinds, "".join(places))


def _code(error: BaseException) -> str:
    """SQLite's name of an error; empty for others."""
    return str(getattr(error, "sqlite_errorname", ""))


def _state(error: BaseException) -> str:
    """PostgreSQL's code of an error; empty for others."""
    return str(getattr(error, "sqlstate", None) or "")


def _parts(error: BaseException) -> Iterator[BaseException]:
    """Return the error, and those that caused it."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__
