"""The minimal bot to compare with: one cog with one command, which answers a fixed text."""

import os

import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route


class Fixed(commands.Cog):
    """Says the same every time."""

    @app_commands.command()
    async def fixed(self, interaction: discord.Interaction) -> None:
        """Answer."""
        await interaction.response.send_message("You rolled a **7**.")


class Minimal(commands.AutoShardedBot):
    """A bot with that cog, and the class and intents of the measured one."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))

    async def setup_hook(self) -> None:
        """Load the cog and tell Discord the command."""
        await self.add_cog(Fixed())
        await self.tree.sync()


if __name__ == "__main__":
    Route.BASE = os.environ["EVENHAND_DISCORD_API"]
    Minimal().run(os.environ["DISCORD_TOKEN"], log_handler=None)
