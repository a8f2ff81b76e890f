"""The minimal bot to compare with: one command answers a fixed text, one stores a roll first."""

import os
from pathlib import Path
from random import randint

import aiosqlite
import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route

_SETUP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "CREATE TABLE rolls (id INTEGER PRIMARY KEY, user_id INTEGER, channel_id INTEGER, dice TEXT, total INT)",
)
_STORE = "INSERT INTO rolls (user_id, channel_id, dice, total) VALUES (?, ?, ?, ?)"


class Minimal(commands.AutoShardedBot):
    """A bot with these two commands, the class and intents of the measured one, and a file of rolls."""

    def __init__(self, rolls: aiosqlite.Connection) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))
        self.rolls = rolls

    async def setup_hook(self) -> None:
        """Open the file, load the commands and tell Discord of them."""
        await self.rolls
        for statement in _SETUP:
            await self.rolls.execute(statement)
        await self.add_cog(Plain())
        await self.tree.sync()

    async def close(self) -> None:
        """Leave Discord, and close the file."""
        await super().close()
        await self.rolls.close()


class Plain(commands.Cog):
    """The commands."""

    @app_commands.command()
    async def fixed(self, interaction: discord.Interaction[Minimal]) -> None:
        """Answer."""
        await interaction.response.send_message("You rolled a **7**.")

    @app_commands.command()
    async def stored(self, interaction: discord.Interaction[Minimal], dice: str) -> None:
        """Roll 2d6+3, store it so that it survives a power cut, and answer with a button."""
        faces, rolls = [randint(1, 6), randint(1, 6)], interaction.client.rolls
        total = sum(faces) + 3
        await rolls.execute(_STORE, (interaction.user.id, interaction.channel_id, dice, total))
        await rolls.commit()
        view = discord.ui.View(timeout=None)
        view.add_item(discord.ui.Button(label="Again", custom_id="again"))
        await interaction.response.send_message(f"**{total}** ← {faces} + 3", view=view)


if __name__ == "__main__":
    Route.BASE = os.environ["EVENHAND_DISCORD_API"]
    file = Path(os.environ["EVENHAND_DATA"]) / "plain.db"
    Minimal(aiosqlite.connect(file)).run(os.environ["DISCORD_TOKEN"], log_handler=None)
