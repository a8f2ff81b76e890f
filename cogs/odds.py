"""/odds: a roller's chances now against those without a memory, as a chart and as text."""

import asyncio
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.render import odds as render
from bot.render.charts import odds_chart
from bot.services.rollers import Rollers
from cogs.shared.asking import parent_id, person

Name = app_commands.Range[str, 1, 200]


class OddsCog(commands.Cog, name="Odds"):
    """The chances of the next roll."""

    def __init__(self, rollers: Rollers) -> None:
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(roller="Which roller of this channel")
    async def odds(self, interaction: discord.Interaction[Evenhand], roller: Name) -> None:
        """Show every result's chance for a roller's next roll."""
        odds = await self._rollers.odds(
            interaction.channel_id or 0, roller, person(interaction), parent_id(interaction)
        )
        await interaction.response.defer(ephemeral=odds.private)
        heading, note = render.heading(odds.name, odds.system), render.note(odds.system, odds.memory)
        faces = odds.system.faces
        chart = await asyncio.to_thread(odds_chart, heading, faces, odds.base, odds.now, note)
        picture = discord.File(BytesIO(chart.png), "odds.png", description=chart.alt)
        text = render.table(heading, note, faces, odds.base, odds.now)
        await interaction.followup.send(text, file=picture)

    @odds.autocomplete("roller")
    async def suggest(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """The channel's rollers."""
        names = await self._rollers.suggest(interaction.channel_id or 0, typed)
        return [app_commands.Choice(name=name, value=name) for name in names]


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(OddsCog(bot.house.rollers))
