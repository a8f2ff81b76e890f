"""What is logged is one line a record, and has no token in it."""

import json
import logging
from collections.abc import Generator
from types import TracebackType
from typing import TypeAlias

import pytest

from bot.cli.logs import JsonLines, TextLines, configure, masked
from tests.support.discord import TOKEN

Failed: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None]
INTERACTION = "aW50ZXJhY3Rpb246MTQyMDAwMDAwMDAwMDAwMDAwMDpzZWNyZXQ"


def failed() -> Failed:
    """An error whose text is a token."""
    error = RuntimeError(TOKEN)
    return RuntimeError, error, error.__traceback__


@pytest.fixture
def _put_back() -> Generator[None]:
    """Undoes what `configure` does to the whole process."""
    root, discord = logging.getLogger(), logging.getLogger("discord")
    before = (root.handlers[:], root.level, discord.level)
    yield
    root.handlers[:], level, discord_level = before
    root.setLevel(level)
    discord.setLevel(discord_level)
    logging.captureWarnings(capture=False)


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


@pytest.mark.usefixtures("_put_back")
@pytest.mark.parametrize(("level", "discords"), [("DEBUG", "INFO"), ("INFO", "INFO"), ("ERROR", "ERROR")])
def test_discord_is_never_heard_below_info(level: str, discords: str) -> None:
    """At DEBUG the library would log every interaction's token."""
    configure(level, "text")

    assert logging.getLevelName(logging.getLogger("discord").level) == discords
    assert logging.getLevelName(logging.getLogger().level) == level
