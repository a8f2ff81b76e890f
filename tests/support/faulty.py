"""A cog whose commands fail in every way, for tests of the client."""

from collections.abc import Awaitable, Callable
from typing import Any, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.dice.errors import DiceReading, NotAllowed, NotationError, Unavailable


class Faulty(commands.Cog):
    """Commands that fail; tests set `wait`, which never returns."""

    wait: Callable[[], Awaitable[None]]

    @app_commands.command()
    async def misread(self, _interaction: discord.Interaction[Any], dice: str) -> None:
        """Fail to read notation."""
        refused = NotationError(f"I can't read '{dice}'.", column=3, readings=(DiceReading("2d6"),))
        refused.typed = dice
        raise refused

    @app_commands.command()
    async def refuse(self, interaction: discord.Interaction[Any]) -> None:
        """Defer the answer, then refuse."""
        await interaction.response.defer(ephemeral=True)
        raise NotAllowed("Only a game master may do that.")

    @app_commands.command()
    async def full(self, _interaction: discord.Interaction[Any]) -> None:
        """Fail as a full disk does."""
        raise Unavailable("The disk is full: nothing was rolled.")

    @app_commands.command()
    async def crash(self, _interaction: discord.Interaction[Any], secret: str) -> None:
        """Fail unexpectedly, with the person's words in the error."""
        raise RuntimeError(f"cannot handle {secret!r}")

    @app_commands.command()
    async def broken(self, _interaction: discord.Interaction[Any]) -> None:
        """Fail with an error of Discord's server."""

        class Response:
            status = 503
            reason = "Service Unavailable"

        raise discord.DiscordServerError(cast("Any", Response()), "upstream is away")

    @app_commands.command()
    async def forbidden(self, interaction: discord.Interaction[Any]) -> None:
        """Fail a check."""
        raise app_commands.CheckFailure(str(interaction.id))

    @app_commands.command()
    async def twice(self, interaction: discord.Interaction[Any]) -> None:
        """Answer, and fail afterwards."""
        await interaction.response.send_message("Here you are, @everyone.")
        raise KeyError("gone")

    @app_commands.command()
    async def late(self, interaction: discord.Interaction[Any]) -> None:
        """Defer a public answer, then fail."""
        await interaction.response.defer(thinking=True)
        raise KeyError("gone")

    @app_commands.command()
    async def endless(self, interaction: discord.Interaction[Any]) -> None:
        """Defer the answer, and never send it."""
        await interaction.response.defer(thinking=True)
        await self.wait()


async def setup(bot: commands.Bot) -> None:
    """Add the cog."""
    await bot.add_cog(Faulty())
