"""The words of /campaign."""

from collections.abc import Container, Sequence

from bot.campaign.campaigns import Found, Master, MasterKind, Shown
from bot.campaign.events import CampaignCreated, CampaignRenamed, Event
from bot.dice.dialects.dialect import Dialect
from bot.services.campaigns import Created, Extent, Used
from bot.words.cards import Card, CardButton, CardRow, CardRows, Head, Tone, in_rows, said
from bot.words.text import code, escape, first_few, footnote, mention, plural

NONE_YET = "There are no campaigns with a name here. `/campaign create` makes one."
NOTHING = "Nothing was played here yet. A roll begins this channel's own campaign."
GONE = "a role that was deleted"
_CHANNELS, _MASTERS = 20, 20


def created(made: Created) -> str:
    """Return the public message about a new campaign, and what it took along."""
    event = made.event
    if not isinstance(event.body, CampaignCreated):
        raise TypeError(f"#{event.seq} makes no campaign")
    name = event.body.name
    if not made.joins:
        where = "You don't play it here yet: this channel's campaign has other game masters."
    elif made.taken:
        where = f"You play it here from now on, with this channel's history: {_extent(made.taken)}."
    else:
        where = "You play it here from now on, and it begins empty."
    return f"{mention(event.user_id)} made the campaign {code(name)}. {where}\n{footnote(event)}"


def used(now: Used) -> str:
    """Return the public message about the campaign that a channel plays now, and what stays behind."""
    what = f"the campaign {code(now.now.name)}" if now.now.name else "its own campaign"
    lines = [f"This channel plays {what} from now on, with its threads: {_extent(now.now)}."]
    if now.before and now.before.events:
        back = f"/campaign use {now.before.name}" if now.before.name else "/campaign use"
        whose = f"the campaign {code(now.before.name)}" if now.before.name else "this channel's own campaign"
        lines.append(f"In {whose} stay {_extent(now.before)}; `{back}` brings them back.")
    return "\n".join([*lines, footnote(now.event)])


def renamed(event: Event) -> str:
    """Return the public message about a campaign's new name."""
    body = event.body
    if not isinstance(body, CampaignRenamed):
        raise TypeError(f"#{event.seq} renames no campaign")
    was = f"The campaign {code(body.before)}" if body.before else "This channel's campaign"
    return f"{was} is called {code(body.name)} from now on.\n{footnote(event)}"


def dialect_set(event: Event, dialect: Dialect) -> str:
    """Return the public message about whose notation is read from now on."""
    own = dialect is Dialect.EVENHAND
    said = (
        "as Evenhand reads them"
        if own
        else f"as {dialect.program} reads them, and shown as Evenhand writes them"
    )
    return f"Dice that are typed here are read {said}.\n{footnote(event)}"


def archived(event: Event, name: str) -> str:
    """Return the public message about an archived campaign, and how to bring it back."""
    return (
        f"{mention(event.user_id)} archived the campaign {code(name)}. Its history stays; its channels "
        f"play their own campaigns again. `/campaign use {name}` brings it back.\n{footnote(event)}"
    )


def master_changed(by: int, master: Master, *, named: bool) -> str:
    """Return the public message about a game master who was added or removed."""
    if named:
        return f"{mention(by)} made {master.mention} a game master of this campaign."
    return f"{mention(by)} removed {master.mention} from this campaign's game masters."


def listing(found: Sequence[Found]) -> Card:
    """Return a row for each campaign with its number of events."""
    rows = [_row(one.campaign.name or "", one) for one in found]
    return Card((Head("Campaigns"), *in_rows(rows)), tone=Tone.QUIET) if rows else said(NONE_YET)


def _row(name: str, one: Found) -> tuple[CardRow, CardButton]:
    what = plural(one.seq, "entry", "entries") + (", archived" if one.campaign.archived else "")
    button = CardButton("campaign-show", (name,), "Show", apart=f"Show {name}")
    return CardRow(f"**{escape(name)}**", verdict=what), button


def shown(found: Shown | None, here: int, roles: Container[int]) -> Card:
    """Return a campaign's name, size, channels and game masters; None where nothing was played.

    `here` is the channel where somebody asks, `roles` are those that the server still has.
    """
    if found is None:
        return said(NOTHING)
    name = found.campaign.name
    channels = first_few([f"<#{channel_id}>" for channel_id in found.channels], _CHANNELS) or "nowhere"
    masters = [_master(master, roles) for master in sorted(found.masters, key=_order)]
    named = first_few([*masters, "everybody with Manage Server"], _MASTERS)
    archived = ", archived" if found.campaign.archived else ""
    rows = CardRow("**Played in**", verdict=channels), CardRow("**Game masters**", verdict=named)
    title = Head(escape(name or "This channel's own campaign"), aside=_count(found.events) + archived)
    buttons = (CardButton("campaign-use", (name,)),) if name and here not in found.channels else ()
    return Card((title, CardRows(rows)), buttons, Tone.QUIET)


def _master(master: Master, roles: Container[int]) -> str:
    return GONE if master.kind is MasterKind.ROLE and master.id not in roles else master.mention


def _extent(extent: Extent) -> str:
    return f"{plural(extent.events, 'entry', 'entries')} and {plural(extent.rollers, 'roller')}"


def _count(events: int) -> str:
    return f"{plural(events, 'entry', 'entries')} in its history"


def _order(master: Master) -> tuple[str, int]:
    return master.kind, master.id
