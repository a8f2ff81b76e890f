"""/entropy: where the dice get their random bits, now and so far."""

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from cogs.entropy import words
from cogs.kit.interactions import Interaction, caller


class EntropyCog(commands.Cog, name="Entropy"):
    """Show the sources of randomness."""

    @app_commands.command()
    async def entropy(self, interaction: Interaction) -> None:
        """Show where the dice get their random bits, and how many rolls were true-random."""
        report = await interaction.client.app.randomness.report(caller(interaction))
        await interaction.response.send_message(words.answer(report), ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(EntropyCog())
