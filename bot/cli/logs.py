"""Format log records, one line each, as text or JSON, with tokens left out."""

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from math import inf
from typing import Literal

Format = Literal["text", "json"]

# At DEBUG discord.py logs every interaction's token, with which anybody can answer in the bot's name, and the
# database's drivers log each statement with its values: ids, names and what people typed.
_AT_LEAST_INFO = ("discord", "aiosqlite", "asyncpg", "aiohttp", "asyncio", "PIL", "matplotlib")
# SQLAlchemy does that at INFO already, and Alembic tells at every start what it has.
_AT_LEAST_WARNING = ("sqlalchemy", "alembic")
_FIGURES = ("campaign", "number", "ms")
"""What a record may have besides: where something was written, and how long that took."""
_LONGEST = 8_000
"""Characters of one record: what a remote service answers is in some errors, and may be a whole page."""
_LINES_IN_MIND = 1_000

# What stands behind the id in a webhook's or an interaction's address; the bot's token; an interaction's.
_SECRET = re.compile(
    r"(?P<kept>/(?:webhooks|interactions)/\d+/)[^/\s?]+"
    r"|\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}"
    r"|\baW50ZXJhY3Rpb246[\w=+/-]{16,}"
)


def configure(level: str, form: Format) -> None:
    """Send the log to standard error, from `level` on; libraries from INFO or WARNING on at the lowest."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    handler.addFilter(_calm)
    handler.addFilter(once_a_second())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for lowest, libraries in ((logging.INFO, _AT_LEAST_INFO), (logging.WARNING, _AT_LEAST_WARNING)):
        for library in libraries:
            logging.getLogger(library).setLevel(max(root.level, lowest))
    logging.captureWarnings(capture=True)


def once_a_second(clock: Callable[[], float] = time.monotonic) -> Callable[[logging.LogRecord], bool]:
    """Return a filter that lets the same line through once a second, with how often it came since.

    At overload thousands are told the same.
    """
    said: dict[str, tuple[float, int]] = {}

    def passes(record: logging.LogRecord) -> bool:
        try:
            now, text = clock(), record.getMessage()
        except (TypeError, ValueError, KeyError):
            # A line whose values do not fit: the handler says so, and whoever wrote it goes on.
            return True
        at, held = said.pop(text, (-inf, 0))
        again = now - at < 1 and not record.exc_info
        said[text] = (at, held + 1) if again else (now, 0)
        if len(said) > _LINES_IN_MIND:
            del said[next(iter(said))]
        if held and not again:
            record.msg, record.args = f"{text} ({held + 1:,} times)", None
        return not again

    return passes


def _calm(record: logging.LogRecord) -> bool:
    """Make a gateway's close one line: discord.py calls it an error, and comes back by itself."""
    if record.exc_info and str(record.msg).startswith("Attempting a reconnect"):
        error = record.exc_info[1]
        closed = type(error).__name__ == "ConnectionClosed"
        level = logging.INFO if closed else logging.WARNING
        record.levelno, record.levelname = level, logging.getLevelName(level)
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error}", (), None
    return record.levelno >= logging.getLogger().level


def masked(text: str) -> str:
    """Return the text without tokens, and its two ends where it is very long."""
    text = _SECRET.sub(lambda found: f"{found['kept'] or ''}***", text)
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]} ... {len(text) - _LONGEST:,} characters ... {text[-half:]}"


class TextLines(logging.Formatter):
    """Time, level, logger and message; a traceback follows on lines of its own."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, masked."""
        return masked(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object a record: time, level, logger, message and, where there is one, the traceback."""

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
