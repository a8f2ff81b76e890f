"""What is logged is one line a record, and has no token in it."""

import json
import logging
from types import TracebackType
from typing import Any, TypeAlias, cast

import discord
import pytest

from bot.cli.logs import JsonLines, TextLines, configure, masked, once_a_second
from tests.support.discord import TOKEN

Failed: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None]


class _Socket:
    """As much of a closed connection as discord.py's error reads."""

    close_code = 1000


INTERACTION = "aW50ZXJhY3Rpb246MTQyMDAwMDAwMDAwMDAwMDAwMDpzZWNyZXQ"


def failed() -> Failed:
    """An error whose text is a token."""
    error = RuntimeError(TOKEN)
    return RuntimeError, error, error.__traceback__


@pytest.mark.parametrize(
    "secret",
    [
        TOKEN,
        INTERACTION,
        "https://discord.com/api/v10/webhooks/1420000000000000000/any-token_at.all/messages/@original",
        "/interactions/1420000000000000000/any-token_at.all/callback",
    ],
)
def test_tokens_are_masked(secret: str) -> None:
    """The bot's token, an interaction's, and those in addresses are gone; the words around them stay."""
    text = masked(f"before {secret} after")

    assert text.startswith("before ")
    assert text.endswith(" after")
    assert "***" in text
    assert not any(part in text for part in (TOKEN, INTERACTION, "any-token"))


def test_ordinary_text_is_left_alone() -> None:
    """A sentence, a traceback's path and a chain's hash are no tokens."""
    text = "File bot/core/draws.py, line 41: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    assert masked(text) == text


def test_a_json_line_is_one_object() -> None:
    """Newlines and tracebacks stay inside the object, masked as well."""
    record = logging.LogRecord("bot", logging.ERROR, "", 1, "a\nb %s", (INTERACTION,), failed())
    line = JsonLines().format(record)
    read = json.loads(line)

    assert "\n" not in line
    assert read["message"] == "a\nb ***"
    assert read["level"] == "ERROR"
    assert read["traceback"].endswith("RuntimeError: ***")


def test_a_text_line_is_masked_with_its_traceback() -> None:
    """A token in an error's text is masked too."""
    record = logging.LogRecord("bot", logging.ERROR, "", 1, "failed", (), failed())

    assert TextLines().format(record).endswith("RuntimeError: ***")


@pytest.mark.parametrize(
    ("error", "level", "told"),
    [
        (discord.ConnectionClosed(cast("Any", _Socket()), shard_id=0, code=1000), "INFO", ["INFO"]),
        (discord.ConnectionClosed(cast("Any", _Socket()), shard_id=0, code=1000), "ERROR", []),
        (ConnectionRefusedError("no route"), "INFO", ["WARNING"]),
    ],
)
def test_a_gateway_that_goes_is_one_line(
    error: Exception, level: str, told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """discord.py logs each as an error with a traceback, and then comes back by itself."""
    configure(level, "text")
    logging.getLogger("discord.shard").error(
        "Attempting a reconnect for shard ID %s in %.2fs", 0, 1.5, exc_info=error
    )
    lines = capsys.readouterr().err.splitlines()

    assert [line.split()[2] for line in lines] == told
    assert all("for shard ID 0 in 1.50s: " in line for line in lines)


@pytest.mark.parametrize(
    ("level", "discords", "databases"),
    [("DEBUG", "INFO", "WARNING"), ("INFO", "INFO", "WARNING"), ("ERROR", "ERROR", "ERROR")],
)
def test_libraries_are_never_heard_too_low(level: str, discords: str, databases: str) -> None:
    """At DEBUG discord.py would log interactions' tokens; at INFO SQLAlchemy logs statements with values."""
    configure(level, "text")
    heard = [
        logging.getLogger(name).getEffectiveLevel() for name in ("", "discord", "sqlalchemy.engine.Engine")
    ]

    assert [logging.getLevelName(found) for found in heard] == [level, discords, databases]


def test_a_line_comes_once_a_second_with_its_count() -> None:
    """At overload the same is said to thousands; other lines are not held back by it."""
    now, said = [0.0], list[str]()
    passes = once_a_second(lambda: now[0])
    for at, text in [(0, "full"), (0, "other"), (0.5, "full"), (0.9, "full"), (1.2, "full"), (9, "full")]:
        now[0] = at
        record = logging.LogRecord("bot", logging.ERROR, "", 1, "%s", (text,), None)
        if passes(record):
            said.append(record.getMessage())

    assert said == ["full", "other", "full (3 times)", "full"]


def test_an_error_comes_once_a_second_too() -> None:
    """One that comes thousands of times, such as for lack of open files, does not stop whoever writes it."""
    now, said = [0.0], list[str]()
    passes = once_a_second(lambda: now[0])
    for at, error in [(0, OSError(24)), (0, OSError(28)), (0.5, OSError(24)), (1.2, OSError(24))]:
        now[0] = at
        record = logging.LogRecord("bot", logging.ERROR, "", 1, "failed", (), (OSError, error, None))
        if passes(record):
            said.append(f"{record.getMessage()}: {error}")

    assert said == ["failed: 24", "failed: 28", "failed (2 times): 24"]


def test_a_line_whose_values_do_not_fit_fails_nobody() -> None:
    """Libraries write such lines; whoever does so goes on, and the handler says what is wrong with it."""
    configure("INFO", "text")
    handler = logging.getLogger().handlers[0]
    wrong = logging.LogRecord("library", logging.ERROR, "", 1, "%d of them", ("many",), None)
    thrown = logging.LogRecord("library", logging.ERROR, "", 1, cast("Any", OSError("x")), None, None)

    assert handler.filter(wrong)
    assert handler.filter(thrown)
