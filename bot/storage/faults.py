"""Database errors in words that can be shown; never the driver's own text, which may quote data."""

import errno
import logging
from collections.abc import Iterator
from traceback import format_tb

from bot.dice.errors import LocalizedError, Unavailable

NO_ANSWER = LocalizedError("it does not answer")
WRONG_ADDRESS = LocalizedError("its address is wrong: `evenhand doctor` says more")
_NOT_ALLOWED = LocalizedError("its files are another user's (Permission denied)")
_NO_TLS = LocalizedError("its address asks for TLS, which the server has not")
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
"""Beginnings of SQLite's messages about damaged texts and tables, for which it has no code of its own."""
# Errors that the next request would meet as well.
_PERSISTENT_SQLITE = tuple(_SQLITE.keys() - {"SQLITE_TOOBIG"})
# PostgreSQL's codes or classes of codes; https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRESQL = {
    "08": NO_ANSWER,
    "25006": LocalizedError("it can only be read"),
    "28": LocalizedError("the user's name or password is wrong"),
    "3D": LocalizedError("the server has no database of that name"),
    "42501": LocalizedError("the user may not do that there"),
    "53100": LocalizedError("its disk is full"),
    "53300": LocalizedError("its server has too many connections"),
    "55000": LocalizedError("its server takes no connections"),
    "55P03": LocalizedError("another program holds it"),
    "57014": NO_ANSWER,
    "57P": LocalizedError("its server is stopping or starting"),
    "58": LocalizedError("its disk is full or fails"),
    "XX001": LocalizedError("its file is damaged"),
    "XX002": LocalizedError("its file is damaged"),
}
# Errors that the next request would meet as well.
_PERSISTENT_POSTGRESQL = ("25006", "53", "55P03", "57014", "58", "XX00")
_log = logging.getLogger(__name__)


# What a system refuses about a file itself.
_ERRNOS = {
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EROFS: _SQLITE["SQLITE_READONLY"],
    errno.ENOSPC: _SQLITE["SQLITE_FULL"],
    errno.EDQUOT: _SQLITE["SQLITE_FULL"],
    errno.EIO: _SQLITE["SQLITE_IOERR"],
}


class Fault(Exception):
    """The database failed; its `__cause__` is the driver's error."""

    words: LocalizedError | None = None
    """Why, if the kind of fault says it."""


class Lost(Fault):
    """The connection is unusable."""


class WrongAddress(Fault):
    """A server can't be reached as its address says; the text is the driver's."""

    words = WRONG_ADDRESS


class Outdated(Fault):
    """A newer version has changed the tables since this process opened them."""

    words = LocalizedError("a newer Evenhand has updated it")


class Moved(Fault):
    """The file was moved; SQLite itself notices that only without a log, else it writes on."""

    words = _SQLITE["SQLITE_READONLY_DBMOVED"]


class Doubtful(Lost):
    """A commit was not answered, so it is unknown whether it happened."""


def reason(error: BaseException) -> LocalizedError:
    """Return why the database failed, as words to follow "because"; never empty."""
    for part in _chain_of(error):
        if isinstance(part, Fault) and part.words:
            return part.words
        if isinstance(part, OSError) and (words := _ERRNOS.get(part.errno or 0)):
            return words
        # asyncpg has no class of its own for it.
        if str(part).endswith("rejected SSL upgrade"):
            return _NO_TLS
        if isinstance(part, UnicodeError) or str(part).startswith(_DAMAGED):
            return _SQLITE["SQLITE_CORRUPT"]
        for code, codes in ((_sqlite_code(part), _SQLITE), (_sql_state(part), _POSTGRESQL)):
            for prefix, words in codes.items():
                if code.startswith(prefix):
                    return words
    return NO_ANSWER if is_disconnected(error) else UNKNOWN


def is_full(error: BaseException) -> bool:
    """Return whether a disk is full or fails."""
    return reason(error) in {_SQLITE["SQLITE_FULL"], _SQLITE["SQLITE_IOERR"]}


def is_disconnected(error: BaseException) -> bool:
    """Return whether the connection is lost or can't be made; if lost, a new one may work."""
    return any(
        isinstance(part, OSError | Lost) or _sql_state(part).startswith(("08", "57P"))
        for part in _chain_of(error)
    )


def is_persistent(error: BaseException) -> bool:
    """Return whether other requests would fail too: it is locked, frozen, full, closed, damaged or newer."""
    return any(
        isinstance(part, TimeoutError | Outdated | Moved)
        or _sqlite_code(part).startswith(_PERSISTENT_SQLITE)
        or _sql_state(part).startswith(_PERSISTENT_POSTGRESQL)
        for part in _chain_of(error)
    )


def is_repeated(error: BaseException) -> bool:
    """Return whether a unique constraint was violated, other than a primary key."""
    return any(
        _sqlite_code(part) == "SQLITE_CONSTRAINT_UNIQUE"
        or (_sql_state(part) == "23505" and str(getattr(part, "constraint_name", "")).startswith("uq_"))
        for part in _chain_of(error)
    )


def unsaved(error: BaseException, *, doubtful: bool = False) -> Unavailable:
    """Return the error for a caller whose request could not be saved, or perhaps was not if `doubtful`."""
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
    """Return the error for a caller whose query failed."""
    return Unavailable(
        "I can't read the history now, because {reason}. Try again later.", reason=reason(error)
    )


def note(error: BaseException) -> None:
    """Log an error by its classes, codes and stack, without its text, which may quote data."""
    parts = list(_chain_of(error))
    kinds = " from ".join(
        " ".join(filter(None, (type(part).__name__, _sqlite_code(part), _sql_state(part)))) for part in parts
    )
    places = ["\n", *format_tb(parts[-1].__traceback__)] if reason(error) is UNKNOWN else []
    _log.error("The database failed, because %s (%s)%s", reason(error), kinds, "".join(places))


def _sqlite_code(error: BaseException) -> str:
    """Return SQLite's name of an error; "" for others."""
    return str(getattr(error, "sqlite_errorname", ""))


def _sql_state(error: BaseException) -> str:
    """Return PostgreSQL's code of an error; "" for others."""
    return str(getattr(error, "sqlstate", None) or "")


def _chain_of(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__
