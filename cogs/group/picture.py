"""The chart under a check that is over: drawn once for its result, removed where the check goes on."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import discord

from bot.campaign.call_terms import Rule, Terms
from bot.campaign.calls import Standing
from bot.campaign.replay import CallEntry
from bot.charts.calls import CallChart, Limit, call_chart
from bot.client import Evenhand
from bot.words.cards import Beside, Card, Picture
from bot.words.saying import behind, say
from bot.words.text import fitted, given_name
from cogs.group import words
from cogs.group.entries import against_dc
from cogs.kit.cards import Attached, attached, edit, found, pictures_of
from cogs.kit.replies import charted, display_names

ROWS = 40
"""At most so many rolls have a row; of more, the best ones."""
LEAST = 5
"""From how many totals on a chart comes by itself; a button shows one of fewer."""
_CHARTS_IN_MIND = 100
_ALT_LIMIT = 1_000
_COUNTED = {Rule.EACH, Rule.HALF, Rule.ALL, Rule.ANY}
"""Rules whose value is the number of rolls that pass, and no total."""


class Boards:
    """Edits the messages of calls; a check of many that is over has a chart, which is drawn once.

    The text never waits for the chart, and is complete without it.
    """

    def __init__(self, client: Evenhand) -> None:
        self._client = client
        self._drawn: dict[tuple[int, str], Attached | None] = {}
        """The charts that messages have, by their names; None for one that Discord refused."""

    async def edit(self, message: discord.PartialMessage, standing: Standing, card: Card) -> None:
        """Edit a call's message, and again with its chart; raise what Discord raises for the text."""
        looks = standing.rules.looks
        if not words.chartable(standing, LEAST):
            self._drawn = {at: file for at, file in self._drawn.items() if at[0] != message.id}
            await edit(message, card, looks=looks)
            return
        # The file's name says what it shows: this holds after a restart, and whichever process drew it.
        name = _file_name(standing)
        at = message.id, name
        if at not in self._drawn and (there := await found(message, name)):
            self._keep(at, there)
        there = self._drawn.get(at)
        shown = with_picture(card, Picture(name, there.alt)) if there else card
        await edit(message, shown, kept=there, looks=looks)
        if at in self._drawn:
            return
        channel = self._client.get_channel(message.channel.id)
        guild = channel.guild if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else None
        file, described = await draw(self._client, guild, standing)
        if isinstance(file, discord.File):
            sent = await edit(message, with_picture(card, described), file=file, looks=looks)
            self._keep(at, attached(sent, name))

    def _keep(self, at: tuple[int, str], file: Attached | None) -> None:
        self._drawn[at] = file
        while len(self._drawn) > _CHARTS_IN_MIND:
            del self._drawn[next(iter(self._drawn))]


def boards(client: Evenhand, standing: Standing) -> tuple[Card, *tuple[Card, ...]]:
    """Return the message that fills in, with its buttons, and those that go on with it."""
    return words.boards(standing, words.board_buttons(standing), pictures_of(client, standing.rules))


async def draw(
    client: Evenhand, guild: discord.Guild | None, standing: Standing
) -> tuple[discord.File | str, Picture]:
    """Return a check's chart, or why there is none, and what a card says of it."""
    players = [entry.user_id for entry in _board_rows(standing) if entry.user_id is not None]
    known = await display_names(client, guild, players)
    described = Picture(_file_name(standing), alt(standing, known))
    return await charted(client, described, call_chart, chart(standing, known)), described


def with_picture(card: Card, picture: Picture) -> Card:
    """Return a card with a picture above its small last line, in the place of the button that shows it."""
    *above, last = card.blocks
    *told, foot = last.blocks if isinstance(last, Beside) else (last,)
    return replace(card, blocks=(*above, *told, picture, foot))


def chart(standing: Standing, known: Mapping[int, str]) -> CallChart:
    """Return what the chart of a check shows; `known` has the players' names, others go by a number."""
    terms, entries = standing.call.terms, _board_rows(standing)
    name, verdict, figures = words.headline(standing)
    rolled, value = standing.verdict.rolled, standing.verdict.value
    counts = terms.rule in _COUNTED or (terms.rule is Rule.SUCCESSES and terms.dc is not None)
    return CallChart(
        name,
        verdict,
        figures,
        "" if len(entries) == rolled else say("The {shown} best of {n}", shown=len(entries), n=rolled),
        list(zip(_names(entries, known), map(_total, entries), strict=True)),
        None if value is None or counts else (terms.rule, float(value)),
        _limit(terms),
    )


def alt(standing: Standing, known: Mapping[int, str]) -> str:
    """Return the chart's description."""
    terms, entries = standing.call.terms, _board_rows(standing)
    name, came, figures = words.headline(standing)
    told = "{call}: {verdict}. {figures}." if came else "{call}. {figures}."
    head = say(told, call=name, verdict=came, figures=figures) + " "
    if len(entries) < standing.verdict.rolled:
        best = say("The {shown} best of {n}:", shown=len(entries), n=standing.verdict.rolled)
        head = f"{head}{best} "
    rolls = [
        behind(who, str(entry.total)) + (f", {said}" if (said := against_dc(entry, terms)) else "")
        for who, entry in zip(_names(entries, known), entries, strict=True)
    ]
    return f"{head}{fitted(rolls, '; ', _ALT_LIMIT - len(head) - 1)}."


def _board_rows(standing: Standing) -> list[CallEntry]:
    """Return the entries that have a row, the best first; equal ones in the order in which they rolled."""
    entries = [entry for entry in standing.call.entries if entry.total is not None]
    return sorted(entries, key=_total, reverse=not standing.call.terms.under)[:ROWS]


def _limit(terms: Terms) -> Limit | None:
    if terms.dc is not None:
        word = say("at most {dc:,}" if terms.under else "DC {dc:,}", dc=terms.dc)
        return Limit(terms.dc, terms.under, word, terms.rule is not Rule.SUM)
    if terms.rule is Rule.SUCCESSES:
        return Limit(terms.needed, under=False, word=say("{n:,} needed", n=terms.needed), each=False)
    return None


def _names(entries: Sequence[CallEntry], known: Mapping[int, str]) -> list[str]:
    return [_name(entry, place, known) for place, entry in enumerate(entries, start=1)]


def _name(entry: CallEntry, place: int, known: Mapping[int, str]) -> str:
    if entry.name:
        return given_name(entry.name)
    if entry.user_id is None:
        return say("somebody erased")
    return known.get(entry.user_id) or say("player {n}", n=place)


def _total(entry: CallEntry) -> int:
    if entry.total is None:
        raise ValueError("only what has a total has a row")
    return entry.total


def _file_name(standing: Standing) -> str:
    """Return a name that is the same for the same rolls of the same people, and another one else."""
    rolls = [(entry.event.seq, entry.place, entry.user_id) for entry in _board_rows(standing)]
    return f"call-{standing.call.event.seq}-{zlib.crc32(repr(rolls).encode()):08x}.png"
