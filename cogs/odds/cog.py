"""/odds: the odds of dice or of a roller's next roll: one figure and a chart, a table in *Details*."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.campaign.command import Caller
from bot.charts.odds import odds_chart
from bot.client import Evenhand
from bot.dice.errors import NotationError, SpecError
from bot.parsing.commands import OnAccount
from bot.parsing.texts import COMMENT, single_rolls
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
from cogs.kit.interactions import (
    BESIDE,
    NAME,
    NUMBER,
    ButtonHandler,
    Field,
    Interaction,
    caller,
    caller_and_campaign,
)
from cogs.kit.options import AccountName, AnyDice
from cogs.kit.prompts import offer_readings
from cogs.kit.replies import drawn

_FILE = "odds.png"
_RESULTS = re.compile(
    r"(?P<dice>.+?)(?<![<>!=])(?: ?==? ?(?P<exact>)| )(?P<low>\d{1,6})"
    r"(?:(?P<more>\+)| ?(?:-|–|to) ?(?P<high>\d{1,6})|(?(exact)|(?!)))",
    re.ASCII | re.IGNORECASE,
)
"""Dice with the results that are asked about: `Catan = 7`, `2d6 6-8`, `Catan 9+`."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A query: the odds of dice, perhaps beside others, or of a check on a luck account."""

    dice: str
    versus: str
    account: str
    span: Span
    faces: Sequence[str] = ()
    """Results that are assumed to come up first."""
    tightnesses: Sequence[str] = ()
    """Tightnesses to assume; with more than one, the odds are shown side by side."""
    typed: bool = False
    """Whether the dice are as somebody typed them, perhaps in another program's notation."""

    @property
    def what_if(self) -> bool:
        """Return whether it assumes another state than the current one."""
        return bool(self.faces or self.tightnesses)

    @property
    def ends(self) -> tuple[int | str, ...]:
        """Return the ends of its span for a button's id; "" for none."""
        return tuple("" if end is None else end for end in (self.span.low, self.span.high))

    def button(self, campaign_id: int) -> CardButton | None:
        """Return the button for the details of the query, or None if it does not fit into an id."""
        if self.what_if:
            return None
        values = campaign_id, *self.ends, self.dice, self.versus, self.account
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
        faces, tightnesses = read_faces(after) if after else [], read_decimals(tightness)
        span = Span(at_least, at_most)
        question = _Question(what, versus or "", account or "", span, faces, tightnesses, typed=True)
        try:
            await interaction.client.app.targets.ask_about_game(caller(interaction), what)
            await _answer(interaction, question, details=False)
        except NotationError as refused:
            match = _RESULTS.fullmatch(" ".join(what.split()))
            if question.span or match is None or (match["more"] and refused.readings):
                if versus or question.what_if:
                    raise
                refused.readings = single_rolls(refused.readings)
                texts = (reading.text.partition(COMMENT)[0] for reading in refused.readings)
                values = [(*question.ends, text, question.account) for text in texts]
                await offer_readings(interaction, refused, ODDS_AS.custom_id, values)
                return
            low, high = int(match["low"]), int(match["high"] or match["low"])
            span = Span(low, None if match["more"] else high)
            await _answer(interaction, replace(question, dice=match["dice"], span=span), details=False)


async def _answer(interaction: Interaction, question: _Question, shown_in: int = 0, *, details: bool) -> None:
    """Send the odds and a chart, or the `details` in private."""
    asker, campaign_id = await caller_and_campaign(interaction, shown_in)
    rollers, span = interaction.client.app.rollers, question.span
    if on := await interaction.client.app.saved.on_account(asker, question.dice, question.account):
        await _answer_account(interaction, asker, _as_check(question, on), details=details)
        return
    odds = await rollers.odds(asker, question.dice, typed=question.typed)
    if isinstance(odds.system, LuckAccount):
        if span or question.versus:
            raise _has_no_dice(odds.name)
        question = replace(question, dice="", account=question.dice)
        await _answer_account(interaction, asker, question, details=details)
        return
    faces, tightnesses = question.faces, question.tightnesses
    cases = [odds.at(strength).what_if(faces) for strength in tightnesses]
    if len(cases) > 1:
        _must_be_alone(question)
        sides, name = [_side(case) for case in cases], odds.name or question.dice
        await send(interaction, lambda: words.at_each(name, sides, tightnesses, faces), private=odds.private)
        return
    odds = cases[0] if cases else odds.what_if(faces)
    beside = await rollers.odds(asker, question.versus, typed=question.typed) if question.versus else None
    if beside and isinstance(beside.system, LuckAccount):
        raise _has_no_dice(beside.name)
    aim = odds.beside.span if odds.beside else Span()
    if span and aim and span != aim:
        raise SpecError("A check has one DC. Leave one of them out.")
    span = span or aim
    for compared in filter(None, (odds, beside) if span or beside else ()):
        words.require_numbers(compared.name, compared.system)
    # Errors in the question are private, so they are raised before the public deferral.
    private = details or odds.private or (beside is not None and beside.private)
    await defer(interaction, private=private)
    if details:
        card = await asyncio.to_thread(
            lambda: words.details(_side(odds), span, _side(beside) if beside else None)
        )
        await send(interaction, card, private=True)
        return
    current = _Question(odds.text, beside.text if beside else "", "", span, faces, tightnesses)
    more = current.button(campaign_id)
    card, picture, chart = await asyncio.to_thread(_odds_card, odds, campaign_id, span, beside, more, faces)
    file = await drawn(interaction, picture, odds_chart, *chart)
    await send(interaction, card, file=file, private=private)


def _has_no_dice(account: str) -> SpecError:
    return SpecError(
        "{name} is a luck account and has no dice. Give the dice as `what`, and it as `account`.",
        name=account,
    )


def _must_be_alone(question: _Question) -> None:
    """Raise SpecError for a question about some results, or with another side, at several tightnesses."""
    if question.span or question.versus:
        raise SpecError(
            "Several tightnesses stand side by side with all results. Leave out `at_least`, `at_most` "
            "and `versus`."
        )


def _as_check(question: _Question, on: OnAccount) -> _Question:
    """Return a question about dice on a luck account; SpecError for two DCs, or with another side."""
    if question.versus:
        raise SpecError("A check on a luck account has no other side here. Leave out `versus`.")
    if question.span and on.dc is not None:
        raise SpecError("A check has one DC. Leave one of them out.")
    span = question.span or (Span(high=on.dc) if on.under else Span(on.dc))
    return replace(question, dice=on.dice, account=on.roller, span=span)


async def _answer_account(
    interaction: Interaction, asker: Caller, question: _Question, *, details: bool
) -> None:
    """Send the odds of a check on a luck account, and its effect on the account."""
    if question.what_if:
        raise SpecError("A luck account takes no results. Leave out `after` and `tightness`.")
    checks = interaction.client.app.checks
    terms = _check(question.span) if question.dice else None
    check = await checks.ask(asker, question.account, question.dice, terms)
    private = details or check.private
    await defer(interaction, private=private)
    outlook = await checks.outlook(check)
    if details:
        await send(interaction, account_odds.details(outlook), private=True)
        return
    bars = account_odds.bars(outlook.look)
    picture = Picture(_FILE, account_odds.alt(bars))
    card = account_odds.card(outlook, interaction.user.id, picture, question.button(asker.shown_in or 0))
    title, note = account_odds.caption(outlook.look)
    file = await drawn(interaction, picture, odds_chart, title, note, bars, account_odds.key())
    await send(interaction, card, file=file, private=private)


_Chart: TypeAlias = tuple[str, str, Sequence[Bar], OddsKey]


def _odds_card(
    odds: Odds,
    campaign_id: int,
    span: Span,
    beside: Odds | None,
    more: CardButton | None,
    faces: Sequence[str],
) -> tuple[Card, Picture, _Chart]:
    """Return the card, its picture block, and the arguments of its chart."""
    side, other_side = words.what_if(_side(odds), faces), _side(beside) if beside else None
    picture = Picture(_FILE, odds_charts.alt(side, span, other_side))
    bars, key = words.bars(side, span, other_side), odds_charts.key(side, span, other_side)
    fair = isinstance(odds.system, Fair) and odds.name and not odds.beside and not other_side
    beside_it = [CardButton("counts", (campaign_id, odds.name))] if fair else []
    card = words.card(side, span, other_side, picture, more, *beside_it)
    return card, picture, (*odds_charts.caption(side, span, other_side), bars, key)


def _side(odds: Odds) -> words.Side:
    """Return the texts and figures of one roll's odds."""
    return words.side(odds.name, odds.system, odds.memory, odds.chances())


def _check(span: Span) -> CheckTerms:
    """Return a span as a check. Raise SpecError unless it has exactly one end."""
    if span.low is not None and span.high is None:
        return CheckTerms(span.low)
    if span.high is not None and span.low is None:
        return CheckTerms(span.high, under=True)
    raise SpecError("On a luck account give the DC as at_least, or as at_most where low rolls pass.")


async def _details(
    interaction: Interaction,
    shown_in: int,
    low: int | None,
    high: int | None,
    dice: str,
    versus: str,
    account: str,
) -> None:
    """Send the current odds of each result with all figures to the presser."""
    await _answer(interaction, _Question(dice, versus, account, Span(low, high)), shown_in, details=True)


async def _odds_as(
    interaction: Interaction, low: int | None, high: int | None, dice: str, account: str
) -> None:
    """Send the odds of the reading that was chosen."""
    await _answer(interaction, _Question(dice, "", account, Span(low, high)), details=False)


async def _counts(interaction: Interaction, shown_in: int, name: str) -> None:
    """Send the counts of each face in a roller's current memory to the presser."""
    figures = await interaction.client.app.rollers.counts(caller(interaction, shown_in), name)
    await send(interaction, counts(figures), private=True)


_END = Field("(?:-?[0-9]{1,17})?", lambda text: int(text) if text else None)
_SIDES = Field("[^@]*"), BESIDE, BESIDE
MORE = ButtonHandler("odds", "Details", _details, NUMBER, _END, _END, *_SIDES)
ODDS_AS = ButtonHandler("odds-as", "Odds of {dice}", _odds_as, _END, _END, Field(".+", name="dice"), BESIDE)
COUNTS = ButtonHandler("counts", "Counts", _counts, NUMBER, NAME)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(OddsCog())
