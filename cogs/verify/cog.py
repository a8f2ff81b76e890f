"""/verify: a campaign's database against its tree, and its checkpoint ready to keep."""

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.record.lineage import Broken
from bot.services.verifying import Verifying
from cogs.kit.interactions import Interaction, caller
from cogs.verify import words


class VerifyCog(commands.Cog, name="Verify"):
    """Check a campaign's history."""

    def __init__(self, verifying: Verifying) -> None:
        self._verifying = verifying

    @app_commands.command()
    async def verify(self, interaction: Interaction) -> None:
        """Check this campaign's history, and get a checkpoint of it to keep; only you see the answer."""
        await interaction.response.defer(ephemeral=True)
        try:
            text = words.holds(await self._verifying.here(caller(interaction)))
        except Broken as error:
            text = words.broken(error)
        await interaction.followup.send(text, ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(VerifyCog(bot.app.verifying))
