"""The chart under a check that is over: drawn once for its result, removed where the check goes on."""

import logging
import zlib
from collections.abc import Mapping, Sequence

import discord
from discord.ui import View

from bot.campaign.call_terms import Rule, Terms
from bot.campaign.calls import Standing
from bot.campaign.replay import CallEntry
from bot.charts.calls import CallChart, Limit, call_chart
from bot.charts.worker import Worker
from bot.words.text import fitted
from cogs.group import words
from cogs.group.words import outcome
from cogs.kit.replies import chart_file, display_names

ROWS = 40
"""At most so many rolls have a row; of more, the best ones."""
_ALT_LIMIT = 1_000
_COUNTED = {Rule.EACH, Rule.HALF, Rule.ALL, Rule.ANY}
"""Rules whose value is the number of rolls that pass, and no total."""

_log = logging.getLogger(__name__)


async def edit(
    client: discord.Client, drawing: Worker, message: discord.PartialMessage, standing: Standing, view: View
) -> None:
    """Edit the message of a call that has a chart, and edit it again with the chart unless that is there.

    The text never waits for the chart, and is complete without it. Raise what Discord raises for the text.
    """
    sent = await message.edit(content=words.board(standing), view=view)
    # The file's name says what it shows, so that this holds after a restart, and whichever process drew it.
    name = _file_name(standing)
    if any(attachment.filename == name for attachment in sent.attachments):
        return
    players = [entry.user_id for entry in _shown(standing) if entry.user_id is not None]
    channel = client.get_channel(message.channel.id)
    guild = channel.guild if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else None
    known = await display_names(client, guild, players)
    file = chart_file(await drawing.do(call_chart, chart(standing, known)), name, alt(standing, known))
    try:
        if isinstance(file, discord.File):
            await message.edit(attachments=[file])
    except discord.HTTPException as error:
        number = standing.call.event.seq
        _log.warning("The chart of call #%d can't be shown, for which I need Attach Files: %s", number, error)


def chart(standing: Standing, known: Mapping[int, str]) -> CallChart:
    """Return what the chart of a check shows; `known` has the players' names, others go by a number."""
    terms, entries = standing.call.terms, _shown(standing)
    name, verdict, figures = words.headline(standing)
    rolled, value = standing.verdict.rolled, standing.verdict.value
    counts = terms.rule in _COUNTED or (terms.rule is Rule.SUCCESSES and terms.dc is not None)
    return CallChart(
        name,
        verdict,
        figures,
        "" if len(entries) == rolled else f"The {len(entries)} best of {rolled}",
        list(zip(_names(entries, known), map(_total, entries), strict=True)),
        None if value is None or counts else (terms.rule, float(value)),
        _limit(terms),
    )


def alt(standing: Standing, known: Mapping[int, str]) -> str:
    """Return the chart's description."""
    terms, entries = standing.call.terms, _shown(standing)
    name, came, figures = words.headline(standing)
    head = f"{name}{': ' if came else ''}{came}. {figures}. "
    if len(entries) < standing.verdict.rolled:
        head += f"The {len(entries)} best of {standing.verdict.rolled}: "
    rolls = [
        f"{who}: {entry.total}" + (f", {said}" if (said := outcome(entry, terms)) else "")
        for who, entry in zip(_names(entries, known), entries, strict=True)
    ]
    return f"{head}{fitted(['; '.join(rolls)], rolls, '; ', _ALT_LIMIT - len(head) - 1)}."


def _shown(standing: Standing) -> list[CallEntry]:
    """Return the entries that have a row, the best first; equal ones in the order in which they rolled."""
    entries = [entry for entry in standing.call.entries if entry.total is not None]
    return sorted(entries, key=_total, reverse=not standing.call.terms.under)[:ROWS]


def _limit(terms: Terms) -> Limit | None:
    if terms.dc is not None:
        word = f"at most {terms.dc:,}" if terms.under else f"DC {terms.dc:,}"
        return Limit(terms.dc, terms.under, word, terms.rule is not Rule.SUM)
    if terms.rule is Rule.SUCCESSES:
        return Limit(terms.needed, under=False, word=f"{terms.needed:,} needed", each=False)
    return None


def _names(entries: Sequence[CallEntry], known: Mapping[int, str]) -> list[str]:
    return [_name(entry, place, known) for place, entry in enumerate(entries, start=1)]


def _name(entry: CallEntry, place: int, known: Mapping[int, str]) -> str:
    if entry.name:
        return entry.name
    return "somebody erased" if entry.user_id is None else known.get(entry.user_id, f"player {place}")


def _total(entry: CallEntry) -> int:
    if entry.total is None:
        raise ValueError("only what has a total has a row")
    return entry.total


def _file_name(standing: Standing) -> str:
    """Return a name that is the same for the same rolls of the same people, and another one else."""
    rolls = [(entry.event.seq, entry.place, entry.user_id) for entry in _shown(standing)]
    return f"call-{standing.call.event.seq}-{zlib.crc32(repr(rolls).encode()):08x}.png"
