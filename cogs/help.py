"""/help: what there is, on one screen, and what "fair" means."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.render.helping import HELP


class HelpCog(commands.Cog, name="Help"):
    """Explain the bot."""

    @app_commands.command()
    async def help(self, interaction: discord.Interaction[Evenhand]) -> None:
        """What there is, and what "fair" means; only you see the answer."""
        await interaction.response.send_message(HELP, ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(HelpCog())
