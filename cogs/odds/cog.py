"""/odds: the chances of dice or of a roller's next roll, as figures, a chart and a table."""

import asyncio
from collections.abc import Sequence
from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.charts.odds import odds_chart
from bot.client import Evenhand
from bot.dice.errors import SpecError
from bot.services.rollers import Odds
from bot.systems.checks import CheckTerms
from bot.systems.luck import LuckAccount
from bot.systems.odds import Span
from bot.systems.typed import read_decimals, read_faces
from bot.words import account_odds
from bot.words import odds as words
from bot.words.pictures import Bar, OddsKey
from cogs.kit.interactions import ACCOUNTS, DICE, DiceText, Interaction, Name, caller
from cogs.kit.replies import drawn, send_with

Results = app_commands.Range[str, 1, 400]


class OddsCog(commands.Cog, name="Odds"):
    """Show the chances of a roll."""

    @app_commands.command()
    @app_commands.autocomplete(what=DICE, versus=DICE, account=ACCOUNTS)
    @app_commands.describe(
        what="Dice such as 4d6kh3, or a roller",
        at_least="The chance of this total or more",
        at_most="The chance of this total or less",
        versus="Compare it with other dice, or another roller",
        account="A luck account: how likely you pass a DC of at_least or at_most",
        after="What if these came up first: 2, 4, 7, 7",
        tightness="How strongly evened out: one, or several side by side: 0.5, 1, 5",
    )
    async def odds(
        self,
        interaction: Interaction,
        what: DiceText,
        at_least: int | None = None,
        at_most: int | None = None,
        versus: DiceText | None = None,
        account: Name | None = None,
        after: Results = "",
        tightness: Results = "",
    ) -> None:
        """Show how likely each result is."""
        span, asker = Span(at_least, at_most), caller(interaction)
        faces, strongly = read_faces(after) if after else [], read_decimals(tightness)
        if (faces or strongly) and account:
            raise SpecError("A luck account takes no results. Leave out `after` and `tightness`.")
        if account:
            await self._account(interaction, account, what, _check(at_least, at_most))
            return
        found = await interaction.client.app.rollers.odds(asker, what)
        if isinstance(found.system, LuckAccount):
            await self._account(interaction, what, "", None)
            return
        cases = [found.at(each).what_if(faces) for each in strongly]
        if len(cases) > 1:
            told = words.at_each(found.name or what, [_side(case) for case in cases], strongly, faces)
            await interaction.response.send_message(told, ephemeral=found.private)
            return
        found = cases[0] if cases else found.what_if(faces)
        beside = await interaction.client.app.rollers.odds(asker, versus) if versus else None
        span = span or (found.beside.span if found.beside else span)
        if span or beside:
            for each in (found, beside) if beside else (found,):
                words.must_be_numbers(each.name, each.system)
        # What is wrong with the question was told to the asker alone; nothing is worked out before this.
        await interaction.response.defer(ephemeral=found.private or (beside is not None and beside.private))
        (text, alt), chart = await asyncio.to_thread(_answer, found, span, beside, faces)
        file = await drawn(interaction, "odds.png", alt, odds_chart, *chart)
        await send_with(interaction.followup.send, text, file)

    async def _account(
        self, interaction: Interaction, name: str, dice: str, terms: CheckTerms | None
    ) -> None:
        """Show the chance of a check on a luck account, and what it would leave."""
        asked = await interaction.client.app.checks.ask(caller(interaction), name, dice, terms)
        await interaction.response.defer(ephemeral=asked.private)
        found = await interaction.client.app.checks.outlook(asked)
        bars = account_odds.bars(found.look)
        title, note = account_odds.caption(found.look)
        key, alt = account_odds.ACCOUNT_KEY, account_odds.alt(bars)
        file = await drawn(interaction, "odds.png", alt, odds_chart, title, note, bars, key)
        text = account_odds.answer(found, interaction.user.id)
        await send_with(interaction.followup.send, text, file)


_Chart: TypeAlias = tuple[str, str, Sequence[Bar], OddsKey]


def _answer(
    found: Odds, span: Span, beside: Odds | None, faces: Sequence[str]
) -> tuple[tuple[str, str], _Chart]:
    """Return the words, the chart's description, and what is drawn."""
    one, other = words.what_if(_side(found), faces), _side(beside) if beside else None
    bars, key = words.bars(one, span, other), words.key(one, span, other)
    said, alt = words.answer(one, span, other), words.alt(one, span, other)
    return (said, alt), (*words.caption(one, span, other), bars, key)


def _side(odds: Odds) -> words.Side:
    """Return a roll's words and figures."""
    return words.side(odds.name, odds.system, odds.memory, odds.base, odds.now, odds.faces)


def _check(at_least: int | None, at_most: int | None) -> CheckTerms:
    """Return the check that the span is; SpecError unless it has one end."""
    if at_least is not None and at_most is None:
        return CheckTerms(at_least)
    if at_most is not None and at_least is None:
        return CheckTerms(at_most, under=True)
    raise SpecError("On a luck account give the DC as at_least, or as at_most where low rolls pass.")


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(OddsCog())
