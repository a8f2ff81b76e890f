"""Texts and cards of /campaign."""

from collections.abc import Collection, Sequence

from bot.campaign.campaigns import CampaignDetails, CampaignEntry, Master, MasterKind
from bot.campaign.command import Caller
from bot.campaign.events import CampaignCreated, CampaignRenamed, Event
from bot.dice.dialects.dialect import Dialect
from bot.services.campaigns import Extent
from bot.words.cards import Card, CardButton, CardRow, CardRows, Head, Tone, in_rows, text_card
from bot.words.rolls import event_line
from bot.words.saying import phrase, say, say_many
from bot.words.text import code, escape, first_few, footnote, mention

NONE_YET = phrase("There are no campaigns with a name here. `/campaign create` makes one.")
NOTHING = phrase("Nothing was played here yet. A roll begins this channel's own campaign.")
GONE = phrase("a role that was deleted")
_SHOWN = 20
"""Most channels, and most game masters."""


def created(event: Event, taken_over: Extent | None) -> str:
    """Return the public message of a new campaign, and of the history that it takes over."""
    body = event.body_of(CampaignCreated)
    player, name = mention(event.user_id), code(body.name)
    sentences = [say("{player} made the campaign {name}.", player=player, name=name)]
    if not body.joins:
        sentences.append(say("You don't play it here yet: this channel's campaign has other game masters."))
    elif taken_over:
        with_it = "You play it here from now on, with this channel's history: {extent}."
        sentences.append(say(with_it, extent=_extent(taken_over)))
    else:
        sentences.append(say("You play it here from now on, and it begins empty."))
    return f"{' '.join(sentences)}\n{footnote(event)}"


def used(event: Event, now: Extent, before: Extent | None, *, threaded: bool) -> str:
    """Return the public message of the campaign that a channel or thread plays now, and of the one before."""
    own = "From now on this channel and the threads that follow it play their own campaign: {extent}."
    template = "From now on this channel and the threads that follow it play the campaign {name}: {extent}."
    if threaded:
        own = "From now on this thread plays its channel's own campaign: {extent}."
        template = "From now on this thread plays the campaign {name}: {extent}."
    name, extent = now.name, _extent(now)
    lines = [say(template, name=code(name), extent=extent) if name else say(own, extent=extent)]
    if before and before.events:
        name, extent = before.name, _extent(before)
        own = "This channel's own campaign keeps {extent}. `/campaign use` brings them back."
        template = "The campaign {name} keeps {extent}. {command} brings them back."
        back = f"`/campaign use {name}`"
        lines.append(
            say(template, name=code(name), extent=extent, command=back) if name else say(own, extent=extent)
        )
    return "\n".join([*lines, footnote(event)])


def renamed(event: Event) -> str:
    """Return the public message about a campaign's new name."""
    body = event.body_of(CampaignRenamed)
    template = "This channel's campaign is called {name} from now on."
    if body.before:
        template = "The campaign {before} is called {name} from now on."
    return event_line(template, event, before=code(body.before or ""), name=code(body.name))


def dialect_set(event: Event, dialect: Dialect) -> str:
    """Return the public message of a changed dialect."""
    template = "Dice typed here are read in the notation of {program}, and shown in Evenhand's own."
    if dialect is Dialect.EVENHAND:
        template = "Dice typed here are read in Evenhand's own notation."
    return event_line(template, event, program=dialect.program)


def archived_message(event: Event, name: str) -> str:
    """Return the public message about an archived campaign, and how to bring it back."""
    template = (
        "{player} archived the campaign {name}. Its history stays; its channels play their own campaigns "
        "again. {command} brings it back."
    )
    return event_line(template, event, name=code(name), command=f"`/campaign use {name}`")


def master_changed(event: Event, master: Master, name: str | None, *, is_added: bool) -> str:
    """Return the public message about a game master who was added to the campaign `name`, or removed."""
    if is_added:
        without_name = "{player} made {mention} a game master of this campaign."
        by_name = "{player} made {mention} a game master of the campaign {name}."
    else:
        without_name = "{player} removed {mention} from this campaign's game masters."
        by_name = "{player} removed {mention} from the game masters of the campaign {name}."
    return event_line(by_name if name else without_name, event, mention=master.mention, name=code(name or ""))


def listing(campaigns: Sequence[CampaignEntry]) -> Card:
    """Return a row for each campaign with its number of events."""
    if not campaigns:
        return text_card(say(NONE_YET))
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
        return text_card(say(NOTHING))
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
    return say(GONE) if is_gone else master.mention


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
