"""Texts and cards of /campaign."""

from collections.abc import Collection, Mapping, Sequence

from bot.campaign.campaigns import CampaignDetails, CampaignEntry, Master, MasterKind
from bot.campaign.command import Caller
from bot.campaign.events import CampaignCreated, CampaignRenamed, Event
from bot.dice.dialects.dialect import Dialect
from bot.services.campaigns import Extent
from bot.words.cards import Card, CardButton, CardRow, CardRows, Head, Tone, in_rows, text_card
from bot.words.rolls import event_line
from bot.words.saying import read_table, say, say_many
from bot.words.text import code, escape, first_few, footnote, mention

_TEXTS = read_table(__file__, "texts")
_SHOWN = 20
"""Most channels, and most game masters."""


def created(event: Event, taken_over: Extent | None) -> str:
    """Return the public message of a new campaign, and of the history that it takes over."""
    body, texts = event.body_of(CampaignCreated), _TEXTS["created"]
    sentence = say(texts["made"], player=mention(event.user_id), name=code(body.name))
    if not body.joins:
        where = say(texts["elsewhere"])
    else:
        where = say(texts["full"], extent=_extent(taken_over)) if taken_over else say(texts["empty"])
    return f"{sentence} {where}\n{footnote(event)}"


def used(event: Event, now: Extent, before: Extent | None, *, threaded: bool) -> str:
    """Return the public message of the campaign that a channel or thread plays now, and of the one before."""
    lines = [_about(_TEXTS["used"]["thread" if threaded else "channel"], now.name, extent=_extent(now))]
    if before and before.events:
        back, extent = f"`/campaign use {before.name}`", _extent(before)
        lines.append(_about(_TEXTS["used"]["before"], before.name, extent=extent, command=back))
    return "\n".join([*lines, footnote(event)])


def _about(texts: Mapping[str, str], name: str | None, **values: str) -> str:
    """Return a text about the campaign of that name, or about a channel's own campaign if there is none."""
    return say(texts["named" if name else "own"], name=code(name or ""), **values)


def renamed(event: Event) -> str:
    """Return the public message about a campaign's new name."""
    body = event.body_of(CampaignRenamed)
    template = _TEXTS["renamed"]["named" if body.before else "own"]
    return event_line(template, event, before=code(body.before or ""), name=code(body.name))


def dialect_set(event: Event, dialect: Dialect) -> str:
    """Return the public message of a changed dialect."""
    template = _TEXTS["dialect"]["own" if dialect is Dialect.EVENHAND else "other"]
    return event_line(template, event, program=dialect.program)


def archived_message(event: Event, name: str) -> str:
    """Return the public message about an archived campaign, and how to bring it back."""
    back = f"`/campaign use {name}`"
    return event_line(_TEXTS["archived"]["done"], event, name=code(name), command=back)


def master_changed(event: Event, master: Master, name: str | None, *, is_added: bool) -> str:
    """Return the public message about a game master who was added to the campaign `name`, or removed."""
    template = _TEXTS["added" if is_added else "removed"]["named" if name else "own"]
    return event_line(template, event, mention=master.mention, name=code(name or ""))


def listing(campaigns: Sequence[CampaignEntry]) -> Card:
    """Return a row for each campaign with its number of events."""
    if not campaigns:
        return text_card(say(_TEXTS["none"]))
    return Card((Head(say("Campaigns")), *in_rows([*map(_row, campaigns)])), tone=Tone.QUIET)


def _row(entry: CampaignEntry) -> tuple[CardRow, CardButton]:
    singular, plural = "{n} entry", "{n:,} entries"
    if entry.campaign.archived:
        singular, plural = "{n} entry, archived", "{n:,} entries, archived"
    size, name = say_many(singular, plural, entry.seq), entry.campaign.name or ""
    title = name or say("This channel's own campaign")
    button = CardButton("campaign-show", (name,), say("Show"), apart=say("Show {name}", name=title))
    return CardRow(f"**{escape(title)}**", verdict=size), button


def campaign_card(overview: CampaignDetails | None, asker: Caller, roles: Collection[int]) -> Card:
    """Return a campaign's name, size, channels and game masters; None is no campaign.

    `roles` are the ids of the server's existing roles, none if they are not known.
    """
    if overview is None:
        return text_card(say(_TEXTS["nothing"]))
    name = overview.campaign.name
    on_server = asker.guild_id is not None
    # Discord shows no mention of a channel that is on no server.
    mentions = [f"<#{channel}>" if on_server else say("right here") for channel in overview.channels]
    channels = first_few(mentions, _SHOWN) or say("nowhere")
    ordered = sorted(overview.masters, key=lambda master: (master.kind, master.id))
    masters = [_master(master, roles) for master in ordered]
    managers = [say("everybody with Manage Server")] if on_server else []
    nobody = say("you") if asker.manages else say("nobody yet")
    master_names = first_few([*masters, *managers], _SHOWN) or nobody
    rows = (
        CardRow(say("**Played in**"), verdict=channels),
        CardRow(say("**Game masters**"), verdict=master_names),
    )
    title = Head(
        escape(name or say("This channel's own campaign")),
        aside=_count(overview.events, archived=overview.campaign.archived),
    )
    fits = overview.usable and asker.root not in overview.channels
    buttons = (CardButton("campaign-use", (name,)),) if name and fits else ()
    return Card((title, CardRows(rows)), buttons, Tone.QUIET)


def _master(master: Master, roles: Collection[int]) -> str:
    is_gone = master.kind is MasterKind.ROLE and roles and master.id not in roles
    return say(_TEXTS["gone"]) if is_gone else master.mention


def _extent(extent: Extent) -> str:
    return say(
        "{entries} and {rollers}",
        entries=say_many("{n} entry", "{n:,} entries", extent.events),
        rollers=say_many("{n} roller", "{n:,} rollers", extent.rollers),
    )


def _count(events: int, *, archived: bool) -> str:
    singular, plural = "{n} entry in its history", "{n:,} entries in its history"
    if archived:
        singular, plural = "{n} entry in its history, archived", "{n:,} entries in its history, archived"
    return say_many(singular, plural, events)
