"""Draw the chart of a finished check once, and remove it if the check is reopened."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import discord

from bot.campaign.call_terms import Rule, Terms
from bot.campaign.calls import Standing
from bot.campaign.replay import CallEntry
from bot.charts.calls import CallChart, Limit, call_chart
from bot.client import Evenhand
from bot.newest import Newest
from bot.words.cards import Beside, Card, Picture
from bot.words.saying import say, with_heading
from bot.words.text import clean_name, fitted, mention
from cogs.group import words
from cogs.group.entries import against_dc
from cogs.kit.cards import Attached, attach, edit, find_attached, pictures_of
from cogs.kit.replies import charted, display_names

ROWS = 40
"""Most rows of a chart; of more rolls the best are shown."""
LEAST = 5
"""Fewest totals of a chart that is drawn unasked; a button draws one of fewer."""
_CACHE_SIZE = 100
_ALT_LIMIT = 1_000
_COUNTED = {Rule.EACH, Rule.HALF, Rule.ALL, Rule.ANY}
"""Rules whose value is the number of passing rolls, not a total."""


class Boards:
    """Edits the messages of calls, and adds a chart to a finished check of many rolls.

    The text is complete without the chart and never waits for it.
    """

    def __init__(self, client: Evenhand) -> None:
        self._client = client
        self._drawn = Newest[tuple[int, str], Attached | None](_CACHE_SIZE)
        """Message id and file name to the attached chart; None if Discord refused it."""

    async def edit(self, message: discord.PartialMessage, standing: Standing, card: Card) -> None:
        """Edit a call's message, then once more with its chart. Raise Discord's errors for the text."""
        looks = standing.rules.looks
        if not words.chartable(standing, LEAST):
            for at in [at for at in self._drawn if at[0] == message.id]:
                del self._drawn[at]
            await edit(message, card, looks=looks)
            return
        # The file's name identifies its content, also after a restart and for other processes.
        name = _file_name(standing)
        at = message.id, name
        if at not in self._drawn and (chart_file := await find_attached(message, name)):
            self._drawn[at] = chart_file
        chart_file = self._drawn.get(at)
        illustrated = with_picture(card, Picture(name, chart_file.alt)) if chart_file else card
        await edit(message, illustrated, attachment=chart_file, looks=looks)
        if at in self._drawn:
            return
        channel = self._client.get_channel(message.channel.id)
        guild = channel.guild if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else None
        file, described = await draw(self._client, guild, standing)
        if isinstance(file, discord.File):
            added = await attach(message, file)
            chart_file, why = (added, None) if isinstance(added, Attached) else (None, added)
            self._drawn[at] = chart_file
            illustrated = with_picture(card, described)
            await edit(message, illustrated, file=why, attachment=chart_file, looks=looks)


def boards(client: Evenhand, standing: Standing) -> tuple[Card, *tuple[Card, ...]]:
    """Return the board of a call with its buttons: its first message, and further pages if it is long."""
    return words.boards(standing, pictures_of(client, standing.rules))


async def draw(
    client: Evenhand, guild: discord.Guild | None, standing: Standing
) -> tuple[discord.File | str, Picture]:
    """Return a check's chart, or why there is none, and its place in a card."""
    players = [entry.user_id for entry in _board_rows(standing) if entry.user_id is not None]
    names = await display_names(client, guild, players)
    described = Picture(_file_name(standing), alt(standing, names))
    return await charted(client, described, call_chart, chart(standing, names)), described


def with_picture(card: Card, picture: Picture) -> Card:
    """Return a card with a picture above its last line, in place of the button that draws it."""
    *above, last = card.blocks
    *texts, foot = last.blocks if isinstance(last, Beside) else (last,)
    return replace(card, blocks=(*above, *texts, picture, foot))


def chart(standing: Standing, names: Mapping[int, str]) -> CallChart:
    """Return the content of a check's chart; `names` maps user ids to names, others get a number."""
    terms, entries = standing.call.terms, _board_rows(standing)
    name, verdict, figures = words.headline(standing)
    rolled, value = standing.verdict.rolled, standing.verdict.value
    counts = terms.rule in _COUNTED or (terms.rule is Rule.SUCCESSES and terms.dc is not None)
    best = "" if len(entries) == rolled else say("The {shown} best of {n}", shown=len(entries), n=rolled)
    rows = [(player, entry.total or 0) for player, entry in zip(_names(entries, names), entries, strict=True)]
    line = None if value is None or counts else (terms.rule, float(value))
    return CallChart(name, verdict, figures, best, rows, line, _limit(terms))


def alt(standing: Standing, names: Mapping[int, str]) -> str:
    """Return the chart's alternative text."""
    terms, entries = standing.call.terms, _board_rows(standing)
    name, verdict, figures = words.headline(standing)
    template = "{call}: {verdict}. {figures}." if verdict else "{call}. {figures}."
    head = say(template, call=name, verdict=verdict, figures=figures) + " "
    if len(entries) < standing.verdict.rolled:
        best = say("The {shown} best of {n}:", shown=len(entries), n=standing.verdict.rolled)
        head = f"{head}{best} "
    rolls = [
        ", ".join(filter(None, (with_heading(player, str(entry.total)), against_dc(entry, terms))))
        for player, entry in zip(_names(entries, names), entries, strict=True)
    ]
    return f"{head}{fitted(rolls, '; ', _ALT_LIMIT - len(head) - 1)}."


def _board_rows(standing: Standing) -> list[CallEntry]:
    """Return the entries with a row, best first; ties in the order of the rolls."""
    entries = [entry for entry in standing.call.entries if entry.total is not None]
    return sorted(entries, key=lambda entry: entry.total or 0, reverse=not standing.call.terms.under)[:ROWS]


def _limit(terms: Terms) -> Limit | None:
    if terms.dc is not None:
        word = say("at most {dc:,}" if terms.under else "DC {dc:,}", dc=terms.dc)
        return Limit(terms.dc, terms.under, word, terms.rule is not Rule.SUM)
    if terms.rule is Rule.SUCCESSES:
        return Limit(terms.needed, under=False, word=say("{n:,} needed", n=terms.needed), per_roll=False)
    return None


def _names(entries: Sequence[CallEntry], names: Mapping[int, str]) -> list[str]:
    return [_name(entry, place, names) for place, entry in enumerate(entries, start=1)]


def _name(entry: CallEntry, place: int, names: Mapping[int, str]) -> str:
    if entry.name:
        return clean_name(entry.name)
    if entry.user_id is None:
        return mention(None)
    return names.get(entry.user_id) or say("player {n}", n=place)


def _file_name(standing: Standing) -> str:
    """Return a file name that identifies the call's rolls and their players."""
    rolls = [(entry.event.seq, entry.place, entry.user_id) for entry in _board_rows(standing)]
    return f"call-{standing.call.event.seq}-{zlib.crc32(repr(rolls).encode()):08x}.png"
