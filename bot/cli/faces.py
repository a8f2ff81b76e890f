"""`faces`: pictures of dice for the bot's application, which Discord then shows in results and on keys."""

import discord
import typer

from bot.charts.faces import all_faces, draw_face
from bot.cli.run import given_token
from bot.cli.serving import PASSING, REFUSED_BY_DISCORD, point
from bot.cli.stopping import Refusal, run_until_stopped, told
from bot.dice.errors import Unavailable
from bot.settings import SettingsError, load
from bot.words.pictures import face_name

_LIMIT = 2_000
"""How many pictures Discord keeps for an application."""


def faces() -> None:
    """Draw the dice that Discord shows in results, and give the bot those that it has not yet."""
    with told(SettingsError):
        settings = load()
        token = given_token(settings)
        point(settings)
        run_until_stopped(_upload(token))


async def _upload(token: str) -> None:
    """Upload what is missing; Refusal where the token is wrong or there is no room, Unavailable else."""
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(token)
            there = {emoji.name for emoji in await client.fetch_application_emojis()}
            wanted = {face_name(*face): face for face in all_faces()}
            missing = wanted.keys() - there
            if len(there) + len(missing) > _LIMIT:
                raise Refusal(f"Discord keeps {_LIMIT:,} pictures for a bot, so there is no room.")
            for name, face in wanted.items():
                if name in missing:
                    await client.create_application_emoji(name=name, image=draw_face(*face))
    except discord.LoginFailure:
        raise Refusal(REFUSED_BY_DISCORD) from None
    except (*PASSING, discord.HTTPException) as error:
        raise Unavailable(
            f"Discord did not take the pictures: {error}. What it took stays; run this again for the others."
        ) from None
    typer.echo(f"{len(missing)} pictures uploaded, {len(wanted) - len(missing)} were there. Restart the bot.")
