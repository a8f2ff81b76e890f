"""Every interaction gets an answer: what went wrong is told to the asker alone, in a sentence.

An error of the core is the asker's and says so itself. Anything else is ours: they get an apology with a
number, the log gets the number and the traceback, without the words the asker typed.
"""

import logging
import secrets
from collections.abc import Iterator
from traceback import format_exception
from typing import cast

import aiohttp
import discord
from discord import app_commands

from bot.dice.errors import Unavailable
from bot.render.errors import apology, words

_log = logging.getLogger(__name__)

# Discord gave up waiting, or already has an answer. In both cases what was done stands.
_GONE = {10062, 40060}
_MESSAGE_LIMIT = 2_000

_OUT_OF_DATE = "Your Discord still shows an older form of that command. Please reload it, and try again."
_UNKNOWN_VALUE = "I can't take that value for one of the options. Choose one of those that are offered."
_NOT_HERE = "That can't be done here, or not by you."


async def report(interaction: discord.Interaction, error: BaseException) -> None:
    """Answer an error, privately; never raises."""
    cause = _cause(error)
    if isinstance(cause, discord.HTTPException) and cause.code in _GONE:
        _log.warning("Discord no longer took the answer (%s); what was done stands", cause.code)
        return
    sentence = words(cause) or _words(cause)
    if isinstance(cause, Unavailable):
        _log.error("Unavailable: %s", cause)
    if sentence is None:
        number = secrets.token_hex(4)
        _log.error("Error %s\n%s", number, _trace(cause, interaction))
        sentence = apology(number)
    await tell(interaction, sentence)


async def tell(interaction: discord.Interaction, sentence: str) -> None:
    """Say something to the asker alone; never raises, for Discord may no longer take it."""
    if interaction.type is discord.InteractionType.autocomplete:
        return
    sentence = sentence[:_MESSAGE_LIMIT]
    try:
        if interaction.response.is_done():
            await interaction.followup.send(sentence, ephemeral=True)
        else:
            await interaction.response.send_message(sentence, ephemeral=True)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        _log.warning("An answer could not be given: %s", type(error).__name__)


def _cause(error: BaseException) -> BaseException:
    """What a command's or a converter's wrapper hides."""
    if isinstance(error, app_commands.CommandInvokeError):
        return error.original
    if isinstance(error, app_commands.TransformerError) and error.__cause__ is not None:
        return error.__cause__
    return error


def _words(error: BaseException) -> str | None:
    """The sentence for a refusal by discord.py itself."""
    match error:
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return _OUT_OF_DATE
        case app_commands.TransformerError():
            return _UNKNOWN_VALUE
        case app_commands.CheckFailure():
            return _NOT_HERE
        case _:
            return None


def _trace(error: BaseException, interaction: discord.Interaction) -> str:
    text = "".join(format_exception(error))
    for typed in sorted(set(_typed(interaction.data)), key=len, reverse=True):
        text = text.replace(typed, "[typed]").replace(repr(typed)[1:-1], "[typed]")
    return text


def _typed(data: object) -> Iterator[str]:
    """The texts that the asker typed or chose, of at least two characters."""
    if isinstance(data, dict):
        for key, part in cast("dict[str, object]", data).items():
            if key == "value" and isinstance(part, str) and len(part) > 1:
                yield part
            else:
                yield from _typed(part)
    elif isinstance(data, list):
        for part in cast("list[object]", data):
            yield from _typed(part)
