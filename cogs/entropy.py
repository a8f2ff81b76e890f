"""/entropy: what feeds the dice now, and what fed the rolls of the last 24 hours."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.render import entropy as render
from bot.services.randomness import Randomness
from cogs.shared.asking import person, place


class EntropyCog(commands.Cog, name="Entropy"):
    """Look behind the dice."""

    def __init__(self, randomness: Randomness) -> None:
        self._randomness = randomness

    @app_commands.command()
    async def entropy(self, interaction: discord.Interaction[Evenhand]) -> None:
        """Show where the dice get their random bits, and how many rolls were true-random."""
        report = await self._randomness.report(place(interaction), person(interaction), interaction.id)
        await interaction.response.send_message(
            render.answer(report.status, report.rolls, report.sources), ephemeral=True
        )


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(EntropyCog(bot.house.randomness))
