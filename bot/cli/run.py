"""`run`: serve Discord."""

import asyncio
import logging
import re
from typing import Annotated

import typer

from bot.cli.logs import configure
from bot.cli.stopping import TRY_WITHOUT_DISCORD, Refusal, exit_with_error, run_until_stopped
from bot.settings import Settings, SettingsError, load, readable_by_others

_NO_TOKEN = (
    "There is no bot token: put DISCORD_TOKEN=... into the file .env. You get one in the Discord developer "
    f"portal (discord.com/developers/applications) under Bot, Reset Token. {TRY_WITHOUT_DISCORD}"
)
_MALFORMED_TOKEN = (
    "That is no bot token: it has a blank or a strange character in it. Copy it again from the Discord "
    f"developer portal. {TRY_WITHOUT_DISCORD}"
)
_COMPLAINT_SECONDS = 600
_log = logging.getLogger(__name__)
_CHARACTERS = re.compile(r"[\x21-\x7e]+")  # the characters that a header can hold


def run(
    *,
    sync: Annotated[
        bool, typer.Option("--sync", help="Register the commands again, even if unchanged.")
    ] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Stay with a wrong token, and say so every ten minutes.")
    ] = False,
) -> None:
    """Serve Discord with the token from .env."""
    with exit_with_error(SettingsError):
        settings = load()
        configure(settings.log_level, settings.log_format)
        if readable_by_others():
            _log.warning("Other users of this machine can read the secrets in .env: chmod 600 .env")
        try:
            token = require_token(settings)
            from bot.cli.serving import serve

            run_until_stopped(serve(settings, token, sync=sync))
        except Refusal as refusal:
            if not stay:
                raise
            run_until_stopped(_repeat_error(str(refusal)))


def require_token(settings: Settings) -> str:
    """Return the token of the settings; Refusal if it is missing or malformed."""
    token = settings.discord_token()
    if not token:
        raise Refusal(_NO_TOKEN)
    if not _CHARACTERS.fullmatch(token):
        raise Refusal(_MALFORMED_TOKEN)
    return token


async def _repeat_error(sentence: str) -> None:
    """Log an error until stopped; a container that ended would be restarted at once, in vain."""
    while True:
        _log.error("%s", sentence)
        await asyncio.sleep(_COMPLAINT_SECONDS)
