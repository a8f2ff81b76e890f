"""/odds: a roller's chances now and without a memory, as a chart and as text."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.charts.odds import odds_chart
from bot.client import Evenhand
from bot.services.rollers import Rollers
from cogs.kit.context import DiceText, Interaction, caller, choices
from cogs.kit.files import chart_file
from cogs.odds import words


class OddsCog(commands.Cog, name="Odds"):
    """Show the chances of the next roll."""

    def __init__(self, rollers: Rollers) -> None:
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(roller="Which roller")
    async def odds(self, interaction: Interaction, roller: DiceText) -> None:
        """Show every result's chance for a roller's next roll."""
        odds = await self._rollers.odds(caller(interaction), roller)
        await interaction.response.defer(ephemeral=odds.private)
        heading, note = words.heading(odds.name, odds.system), words.note(odds.system, odds.memory)
        bars = words.bars(odds.system.faces, odds.base, odds.now)
        png = await asyncio.to_thread(odds_chart, heading, note, bars)
        file = chart_file(png, "odds.png", words.alt(heading, bars))
        text = words.table(heading, note, odds.system.faces, odds.base, odds.now)
        await interaction.followup.send(text, file=file)

    @odds.autocomplete("roller")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest rollers of the campaign."""
        return choices(await self._rollers.suggest(caller(interaction), typed))


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(OddsCog(bot.app.rollers))
