"""/odds: the chances of dice or of a roller's next roll: one figure and a chart, a table in *Details*."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.campaign.command import Caller
from bot.charts.odds import odds_chart
from bot.client import Evenhand
from bot.dice.errors import SpecError
from bot.services.rollers import Odds
from bot.systems.checks import CheckTerms
from bot.systems.fair import Fair
from bot.systems.luck import LuckAccount
from bot.systems.odds import Span
from bot.systems.typed import read_decimals, read_faces
from bot.words import account_odds, odds_charts
from bot.words import odds as words
from bot.words.cards import Card, CardButton, Picture
from bot.words.memories import counts
from bot.words.pictures import Bar, OddsKey
from cogs.kit.cards import defer, send
from cogs.kit.interactions import NAME, NUMBER, ButtonHandler, Field, Interaction, caller, caller_and_campaign
from cogs.kit.options import AccountName, AnyDice
from cogs.kit.replies import drawn

_FILE = "odds.png"


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked: the chances of dice, perhaps beside others, or of a check on a luck account."""

    what: str
    versus: str
    account: str
    span: Span
    faces: Sequence[str] = ()
    """What if these results came up first?"""
    strongly: Sequence[str] = ()
    """What if the dice were evened out so strongly, or side by side so and so?"""

    @property
    def what_if(self) -> bool:
        """Return whether it is about what is not so now."""
        return bool(self.faces or self.strongly)

    def button(self, campaign_id: int) -> CardButton | None:
        """Return the button that asks for the details of the same; None where it holds too much."""
        if self.what_if:
            return None
        low, high = ("" if end is None else end for end in (self.span.low, self.span.high))
        values = campaign_id, low, high, f"{self.what}@{self.versus}@{self.account}"
        return CardButton("odds", values) if MORE.custom_id.fits(*values) else None


Results = app_commands.Range[str, 1, 400]


class OddsCog(commands.Cog, name="Odds"):
    """The odds of dice."""

    @app_commands.command()
    async def odds(
        self,
        interaction: Interaction,
        what: AnyDice,
        at_least: int | None = None,
        at_most: int | None = None,
        versus: AnyDice | None = None,
        account: AccountName | None = None,
        after: Results = "",
        tightness: Results = "",
    ) -> None:
        """Show how likely each result is.

        :param what: Dice such as 4d6kh3, or a roller
        :param at_least: The chance of this total or more
        :param at_most: The chance of this total or less
        :param versus: Compare it with other dice, or another roller
        :param account: A luck account: how likely you pass a DC of at_least or at_most
        :param after: What if these came up first: 2, 4, 7, 7
        :param tightness: How strongly evened out: one, or several side by side: 0.5, 1, 5
        """
        faces, strongly = read_faces(after) if after else [], read_decimals(tightness)
        span = Span(at_least, at_most)
        asked = _Question(what, versus or "", account or "", span, faces, strongly)
        await _answer(interaction, asked, details=False)


async def _answer(interaction: Interaction, asked: _Question, shown_in: int = 0, *, details: bool) -> None:
    """Answer with a chance and a chart, or with the details to the asker alone."""
    asker, here = await caller_and_campaign(interaction, shown_in)
    rollers, span = interaction.client.app.rollers, asked.span
    if on := await interaction.client.app.saved.on_account(asker, asked.what, asked.account):
        span = span or Span(on.dc)
        asked = replace(asked, what=on.dice, versus="", account=on.roller, span=span)
        terms = _check(span) if asked.what else None
        await _answer_account(interaction, asker, asked, terms, details=details)
        return
    found = await rollers.odds(asker, asked.what)
    if isinstance(found.system, LuckAccount):
        asked = replace(asked, what="", versus="", account=asked.what, span=Span())
        await _answer_account(interaction, asker, asked, None, details=details)
        return
    faces, strongly = asked.faces, asked.strongly
    cases = [found.at(each).what_if(faces) for each in strongly]
    if len(cases) > 1:
        sides, name = [_side(case) for case in cases], found.name or asked.what
        await send(interaction, lambda: words.at_each(name, sides, strongly, faces), private=found.private)
        return
    found = cases[0] if cases else found.what_if(faces)
    beside = await rollers.odds(asker, asked.versus) if asked.versus else None
    span = span or (found.beside.span if found.beside else span)
    if span or beside:
        for each in (found, beside) if beside else (found,):
            words.must_be_numbers(each.name, each.system)
    # What is wrong with the question was told to the asker alone; nothing is worked out before this.
    private = details or found.private or (beside is not None and beside.private)
    await defer(interaction, private=private)
    if details:
        await send(interaction, await asyncio.to_thread(_details_card, found, span, beside), private=True)
        return
    more = _Question(found.asked, beside.asked if beside else "", "", span, faces, strongly).button(here)
    card, picture, chart = await asyncio.to_thread(_odds_card, found, here, span, beside, more, faces)
    file = await drawn(interaction, picture, odds_chart, *chart)
    await send(interaction, card, file=file, private=private)


async def _answer_account(
    interaction: Interaction, asker: Caller, asked: _Question, terms: CheckTerms | None, *, details: bool
) -> None:
    """Show the chance of a check on a luck account, or what it would leave."""
    if asked.what_if:
        raise SpecError("A luck account takes no results. Leave out `after` and `tightness`.")
    checks = interaction.client.app.checks
    question = await checks.ask(asker, asked.account, asked.what, terms)
    private = details or question.private
    await defer(interaction, private=private)
    found = await checks.outlook(question)
    if details:
        await send(interaction, account_odds.details(found), private=True)
        return
    bars = account_odds.bars(found.look)
    picture = Picture(_FILE, account_odds.alt(bars))
    card = account_odds.card(found, interaction.user.id, picture, asked.button(asker.shown_in or 0))
    title, note = account_odds.caption(found.look)
    file = await drawn(interaction, picture, odds_chart, title, note, bars, account_odds.key())
    await send(interaction, card, file=file, private=private)


_Chart: TypeAlias = tuple[str, str, Sequence[Bar], OddsKey]


def _odds_card(
    found: Odds, here: int, span: Span, beside: Odds | None, more: CardButton | None, faces: Sequence[str]
) -> tuple[Card, Picture, _Chart]:
    """Return the card, what stands for its picture, and what is drawn."""
    one, other = words.what_if(_side(found), faces), _side(beside) if beside else None
    picture = Picture(_FILE, odds_charts.alt(one, span, other))
    bars, key = words.bars(one, span, other), odds_charts.key(one, span, other)
    fair = isinstance(found.system, Fair) and found.name and not found.beside and not other
    beside_it = [CardButton("counts", (here, found.name))] if fair else []
    card = words.card(one, span, other, picture, more, beside_it)
    return card, picture, (*odds_charts.caption(one, span, other), bars, key)


def _details_card(found: Odds, span: Span, beside: Odds | None) -> Card:
    """Return the details."""
    return words.details(_side(found), span, _side(beside) if beside else None)


def _side(odds: Odds) -> words.Side:
    """Return a roll's words and figures."""
    faces, base, now = odds.chances()
    return words.side(odds.name, odds.system, odds.memory, base, now, faces)


def _check(span: Span) -> CheckTerms:
    """Return the check that the span is; SpecError unless it has one end."""
    if span.low is not None and span.high is None:
        return CheckTerms(span.low)
    if span.high is not None and span.low is None:
        return CheckTerms(span.high, under=True)
    raise SpecError("On a luck account give the DC as at_least, or as at_most where low rolls pass.")


async def _details(
    interaction: Interaction, shown_in: int, low: int | None, high: int | None, names: str
) -> None:
    """Show whoever pressed each result's chance and all figures, as they are now."""
    what, versus, account = names.split("@")
    await _answer(interaction, _Question(what, versus, account, Span(low, high)), shown_in, details=True)


async def _counts(interaction: Interaction, shown_in: int, name: str) -> None:
    """Show whoever pressed how often each face of a roller came, as the memory has it now."""
    found = await interaction.client.app.rollers.counts(caller(interaction, shown_in), name)
    await send(interaction, counts(found), private=True)


def _end(text: str) -> int | None:
    return int(text) if text else None


_END = Field("(?:-?[0-9]{1,17})?", _end)
MORE = ButtonHandler("odds", "Details", _details, NUMBER, _END, _END, Field("[^@]*@[^@]*@[^@]*", str))
COUNTS = ButtonHandler("counts", "Counts", _counts, NUMBER, NAME)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(OddsCog())
