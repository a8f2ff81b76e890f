"""`run`: the bot on Discord."""

import logging
import re
from typing import Annotated

import typer

from bot.cli.logs import configure
from bot.cli.stopping import Refusal, run_until_stopped, told
from bot.settings import SettingsError, load, readable_by_others

NOTHING_GIVEN = (
    "There is no bot token: put DISCORD_TOKEN=... into the file .env. You get one in the Discord developer "
    "portal (discord.com/developers/applications) under Bot, Reset Token. "
    "To try the dice without Discord, `make play` needs none."
)
NOT_ONE = (
    "What is given as the bot token can't be one: there is a blank or a strange character in it. "
    "Copy it anew from the Discord developer portal. To try the dice without Discord, `make play` needs none."
)
_log = logging.getLogger(__name__)
_CHARACTERS = re.compile(r"[\x21-\x7e]+")  # what can stand in a header


def run(
    *,
    sync: Annotated[
        bool, typer.Option("--sync", help="Tell Discord the commands even if unchanged.")
    ] = False,
) -> None:
    """Serve Discord with the token from .env."""
    with told(SettingsError):
        settings = load()
        token = settings.discord_token()
        if not token:
            raise Refusal(NOTHING_GIVEN)
        if not _CHARACTERS.fullmatch(token):
            raise Refusal(NOT_ONE)
        configure(settings.log_level, settings.log_format)
        if readable_by_others():
            _log.warning("Other users of this machine can read the token in .env: chmod 600 .env")
        from bot.cli.serving import serve

        run_until_stopped(serve(settings, token, sync=sync))
