"""`faces`: upload pictures of dice, which Discord shows in results and on keys."""

import discord
import typer

from bot.cli.run import require_token
from bot.cli.serving import REFUSED_BY_DISCORD, TEMPORARY_ERRORS, upload_missing, use_api_of
from bot.cli.stopping import Refusal, exit_with_error, run_until_stopped
from bot.dice.errors import Unavailable
from bot.settings import SettingsError, load


def faces() -> None:
    """Upload the pictures of dice that the bot does not have yet."""
    with exit_with_error(SettingsError):
        settings = load()
        token = require_token(settings)
        use_api_of(settings)
        run_until_stopped(_upload(token))


async def _upload(token: str) -> None:
    """Upload missing pictures; Refusal if the token is wrong or there is no room, Unavailable otherwise."""
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(token)
            uploaded, existing = await upload_missing(client)
    except discord.LoginFailure:
        raise Refusal(REFUSED_BY_DISCORD) from None
    except (*TEMPORARY_ERRORS, discord.HTTPException) as error:
        raise Unavailable(
            "Discord did not take the pictures: {error}. What it took stays; run this again for the others.",
            error=error,
        ) from None
    typer.echo(f"{uploaded} pictures uploaded, {existing} were there. Restart the bot.")
