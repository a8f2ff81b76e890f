"""/odds: the chances of dice or of a roller's next roll, as figures, a chart and a table."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.campaign.caller import Caller
from bot.charts.odds import odds_chart
from bot.client import Evenhand
from bot.services.rollers import Rollers
from bot.services.rolling import Rolling
from bot.systems.totals import Span
from cogs.kit.context import DiceText, Interaction, caller, choices
from cogs.kit.files import chart_file
from cogs.odds import words


class OddsCog(commands.Cog, name="Odds"):
    """Show the chances of a roll."""

    def __init__(self, rollers: Rollers, rolling: Rolling) -> None:
        self._rollers = rollers
        self._rolling = rolling

    @app_commands.command()
    @app_commands.describe(
        what="Dice such as 4d6kh3, or a roller",
        at_least="The chance of this total or more",
        at_most="The chance of this total or less",
        versus="Other dice, or another roller, to set beside it",
    )
    async def odds(
        self,
        interaction: Interaction,
        what: DiceText,
        at_least: int | None = None,
        at_most: int | None = None,
        versus: DiceText | None = None,
    ) -> None:
        """Show the chance of every result, of a total or more, and of one roll beside another."""
        span, asker = Span(at_least, at_most), caller(interaction)
        one, private = await self._side(asker, what)
        other, other_private = await self._side(asker, versus) if versus else (None, False)
        text = await asyncio.to_thread(words.answer, one, span, other)
        # Only now, for errors in the question are told to the asker alone.
        await interaction.response.defer(ephemeral=private or other_private)
        key, bars = words.key(one, span, other), words.bars(one, span, other)
        png = await asyncio.to_thread(odds_chart, *words.caption(one, span, other), bars, key)
        file = chart_file(png, "odds.png", words.alt(one, span, other))
        await interaction.followup.send(text, file=file)

    @odds.autocomplete("what")
    @odds.autocomplete("versus")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest rollers of the campaign, and one's own recent rolls."""
        return choices(await self._rolling.suggest(caller(interaction), typed))

    async def _side(self, asker: Caller, what: str) -> tuple[words.Side, bool]:
        """Return a roll's words and figures, and whether they are for game masters alone."""
        odds = await self._rollers.odds(asker, what)
        return words.side(odds.name, odds.system, odds.memory, odds.base, odds.now), odds.private


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(OddsCog(bot.app.rollers, bot.app.rolling))
