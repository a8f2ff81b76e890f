"""/save and /saved: rolls that you keep under a name, for yourself, in the campaign that is played here."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.render.saved import kept, listing, removed
from bot.services.saved import Saved
from cogs.shared.asking import asked

Name = app_commands.Range[str, 1, 32]
Text = app_commands.Range[str, 1, 200]
Interaction = discord.Interaction[Evenhand]


class SaveCog(commands.Cog, name="Save"):
    """Saved rolls."""

    saved = app_commands.Group(name="saved", description="Your saved rolls.")

    def __init__(self, service: Saved) -> None:
        self._saved = service

    @app_commands.command()
    @app_commands.describe(
        name="What to call it; /roll takes the name", dice="Dice such as 8d6, or a roller of this channel"
    )
    async def save(self, interaction: Interaction, name: Name, dice: Text) -> None:
        """Save a roll under a name, for yourself; only you see the answer."""
        text = kept(*await self._saved.save(asked(interaction), name, dice))
        await interaction.response.send_message(text, ephemeral=True)

    @saved.command(name="list")
    async def index(self, interaction: Interaction) -> None:
        """Show your saved rolls; only you see the answer."""
        text = listing(await self._saved.all(asked(interaction)))
        await interaction.response.send_message(text, ephemeral=True)

    @saved.command()
    @app_commands.describe(name="Which one")
    async def remove(self, interaction: Interaction, name: Name) -> None:
        """Remove a saved roll."""
        await self._saved.remove(asked(interaction), name)
        await interaction.response.send_message(removed(name), ephemeral=True)

    @remove.autocomplete("name")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Your saved rolls."""
        names = await self._saved.suggest(asked(interaction), typed)
        return [app_commands.Choice(name=name, value=name) for name in names]


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(SaveCog(bot.house.saved))
