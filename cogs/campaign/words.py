"""The words of /campaign."""

from collections.abc import Container, Sequence

from bot.campaign.campaigns import Found, Master, MasterKind, Shown
from bot.campaign.events import CampaignCreated, CampaignRenamed, Event
from bot.dice.dialects.dialect import Dialect
from bot.services.campaigns import Created, Extent, Used
from bot.words.cards import Card, CardButton, CardRow, CardRows, Head, Tone, in_rows, text_card
from bot.words.rolls import noted
from bot.words.saying import phrase, say, say_many
from bot.words.text import code, escape, first_few, footnote, mention

NONE_YET = phrase("There are no campaigns with a name here. `/campaign create` makes one.")
NOTHING = phrase("Nothing was played here yet. A roll begins this channel's own campaign.")
GONE = phrase("a role that was deleted")
_CHANNELS, _MASTERS = 20, 20


def created(made: Created) -> str:
    """Return the public message about a new campaign, and what it took along."""
    event = made.event
    if not isinstance(event.body, CampaignCreated):
        raise TypeError(f"#{event.seq} makes no campaign")
    told = [
        say("{player} made the campaign {name}.", player=mention(event.user_id), name=code(event.body.name))
    ]
    if not made.joins:
        told.append(say("You don't play it here yet: this channel's campaign has other game masters."))
    elif made.taken:
        with_it = "You play it here from now on, with this channel's history: {extent}."
        told.append(say(with_it, extent=_extent(made.taken)))
    else:
        told.append(say("You play it here from now on, and it begins empty."))
    return f"{' '.join(told)}\n{footnote(event)}"


def used(now: Used) -> str:
    """Return the public message about the campaign that a channel plays now, and what stays behind."""
    own = "From now on this channel and its threads play their own campaign: {extent}."
    told = "From now on this channel and its threads play the campaign {name}: {extent}."
    name, extent = now.now.name, _extent(now.now)
    lines = [say(told, name=code(name), extent=extent) if name else say(own, extent=extent)]
    if now.before and now.before.events:
        name, extent = now.before.name, _extent(now.before)
        own = "This channel's own campaign keeps {extent}. `/campaign use` brings them back."
        told = "The campaign {name} keeps {extent}. {command} brings them back."
        back = f"`/campaign use {name}`"
        lines.append(
            say(told, name=code(name), extent=extent, command=back) if name else say(own, extent=extent)
        )
    return "\n".join([*lines, footnote(now.event)])


def renamed(event: Event) -> str:
    """Return the public message about a campaign's new name."""
    body = event.body
    if not isinstance(body, CampaignRenamed):
        raise TypeError(f"#{event.seq} renames no campaign")
    told = "This channel's campaign is called {name} from now on."
    if body.before:
        told = "The campaign {before} is called {name} from now on."
    return noted(told, event, before=code(body.before or ""), name=code(body.name))


def dialect_set(event: Event, dialect: Dialect) -> str:
    """Return the public message about whose notation is read from now on."""
    told = "Dice typed here are read in the notation of {program}, and shown in Evenhand's own."
    if dialect is Dialect.EVENHAND:
        told = "Dice typed here are read in Evenhand's own notation."
    return noted(told, event, program=dialect.program)


def archived_message(event: Event, name: str) -> str:
    """Return the public message about an archived campaign, and how to bring it back."""
    told = (
        "{player} archived the campaign {name}. Its history stays; its channels play their own campaigns "
        "again. {command} brings it back."
    )
    return noted(told, event, name=code(name), command=f"`/campaign use {name}`")


def master_changed(event: Event, master: Master, *, named: bool) -> str:
    """Return the public message about a game master who was added or removed."""
    told = "{player} removed {mention} from this campaign's game masters."
    if named:
        told = "{player} made {mention} a game master of this campaign."
    return noted(told, event, mention=master.mention)


def listing(found: Sequence[Found]) -> Card:
    """Return a row for each campaign with its number of events."""
    rows = [_row(one.campaign.name or "", one) for one in found]
    return (
        Card((Head(say("Campaigns")), *in_rows(rows)), tone=Tone.QUIET) if rows else text_card(say(NONE_YET))
    )


def _row(name: str, one: Found) -> tuple[CardRow, CardButton]:
    one_entry, many = "{n} entry", "{n:,} entries"
    if one.campaign.archived:
        one_entry, many = "{n} entry, archived", "{n:,} entries, archived"
    what = say_many(one_entry, many, one.seq)
    title = name or say("This channel's own campaign")
    button = CardButton("campaign-show", (name,), say("Show"), apart=say("Show {name}", name=title))
    return CardRow(f"**{escape(title)}**", verdict=what), button


def campaign_card(found: Shown | None, here: int, roles: Container[int]) -> Card:
    """Return a campaign's name, size, channels and game masters; None where nothing was played.

    `here` is the channel where somebody asks, `roles` are those that the server still has.
    """
    if found is None:
        return text_card(say(NOTHING))
    name = found.campaign.name
    channels = first_few([f"<#{channel_id}>" for channel_id in found.channels], _CHANNELS) or say("nowhere")
    masters = [_master(master, roles) for master in sorted(found.masters, key=lambda one: (one.kind, one.id))]
    named = first_few([*masters, say("everybody with Manage Server")], _MASTERS)
    rows = CardRow(say("**Played in**"), verdict=channels), CardRow(say("**Game masters**"), verdict=named)
    title = Head(
        escape(name or say("This channel's own campaign")),
        aside=_count(found.events, archived=found.campaign.archived),
    )
    fits = found.usable and here not in found.channels
    buttons = (CardButton("campaign-use", (name,)),) if name and fits else ()
    return Card((title, CardRows(rows)), buttons, Tone.QUIET)


def _master(master: Master, roles: Container[int]) -> str:
    return say(GONE) if master.kind is MasterKind.ROLE and master.id not in roles else master.mention


def _extent(extent: Extent) -> str:
    return say(
        "{entries} and {rollers}",
        entries=say_many("{n} entry", "{n:,} entries", extent.events),
        rollers=say_many("{n} roller", "{n:,} rollers", extent.rollers),
    )


def _count(events: int, *, archived: bool) -> str:
    one, many = "{n} entry in its history", "{n:,} entries in its history"
    if archived:
        one, many = "{n} entry in its history, archived", "{n:,} entries in its history, archived"
    return say_many(one, many, events)
