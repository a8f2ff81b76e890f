"""Formatting of log records as lines of text or JSON, without tokens."""

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from math import inf
from typing import Literal

from bot.newest import Newest

Format = Literal["text", "json"]

# At DEBUG discord.py logs every interaction's token, with which anybody can answer in the bot's name, and the
# database's drivers log each statement with its values: ids, names and typed texts.
_AT_LEAST_INFO = ("discord", "aiosqlite", "asyncpg", "aiohttp", "asyncio", "PIL", "matplotlib")
# SQLAlchemy does that at INFO already, and Alembic logs its setup at every start.
_AT_LEAST_WARNING = ("sqlalchemy", "alembic")
_FIGURES = ("campaign", "number", "ms")
"""Extra fields of a record: where something was written, and how long that took."""
_LONGEST = 8_000
"""Most characters of one record; some errors contain a remote service's answer, which may be a whole page."""
_RECENT_LINES = 1_000

# The token in a webhook's or an interaction's address; the bot's token; an interaction's token.
_SECRET = re.compile(
    r"(?P<prefix>/(?:webhooks|interactions)/\d+/)[^/\s?]+"
    r"|\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}"
    r"|\baW50ZXJhY3Rpb246[\w=+/-]{16,}"
)


def configure(level: str, form: Format) -> None:
    """Log to standard error from `level` on, and libraries never below INFO or WARNING."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    handler.addFilter(_shorten_closes)
    handler.addFilter(once_a_second())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for lowest, libraries in ((logging.INFO, _AT_LEAST_INFO), (logging.WARNING, _AT_LEAST_WARNING)):
        for library in libraries:
            logging.getLogger(library).setLevel(max(root.level, lowest))
    logging.captureWarnings(capture=True)


def once_a_second(clock: Callable[[], float] = time.monotonic) -> Callable[[logging.LogRecord], bool]:
    """Return a filter that passes the same line once a second, with its count since then.

    At overload the same line comes thousands of times. A line with an error is the same if its error is.
    """
    recent = Newest[tuple[str, str], tuple[float, int]](_RECENT_LINES)

    def passes(record: logging.LogRecord) -> bool:
        try:
            now, text = clock(), record.getMessage()
            key = text, repr(record.exc_info and record.exc_info[1])
        except (TypeError, ValueError, KeyError):
            # The values do not fit the line; the handler reports that without an exception.
            return True
        at, dropped = recent.get(key, (-inf, 0))
        is_repeat = now - at < 1
        recent[key] = (at, dropped + 1) if is_repeat else (now, 0)
        if dropped and not is_repeat:
            record.msg, record.args = f"{text} ({dropped + 1:,} times)", None
        return not is_repeat

    return passes


def _shorten_closes(record: logging.LogRecord) -> bool:
    """Shorten a gateway's close to one line: discord.py logs it as an error, but reconnects by itself."""
    if record.exc_info and str(record.msg).startswith("Attempting a reconnect"):
        error = record.exc_info[1]
        closed = type(error).__name__ == "ConnectionClosed"
        level = logging.INFO if closed else logging.WARNING
        record.levelno, record.levelname = level, logging.getLevelName(level)
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error}", (), None
    return record.levelno >= logging.getLogger().level


def masked(text: str) -> str:
    """Return the text without tokens, and without its middle if it is very long."""
    text = _SECRET.sub(lambda match: f"{match['prefix'] or ''}***", text)
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]} ... {len(text) - _LONGEST:,} characters ... {text[-half:]}"


class TextLines(logging.Formatter):
    """Formatter of time, level, logger and message; a traceback follows on its own lines."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, masked."""
        return masked(super().format(record))


class JsonLines(logging.Formatter):
    """Formatter of one JSON object a record: time, level, logger, message and, if any, the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, masked."""
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        line |= {name: str(getattr(record, name)) for name in _FIGURES if hasattr(record, name)}
        if record.exc_info:
            line["traceback"] = masked(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)
