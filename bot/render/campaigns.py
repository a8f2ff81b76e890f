"""What is said about campaigns."""

from collections.abc import Sequence

from bot.campaign.campaigns import Campaign, Found, Master, MasterKind, Shown
from bot.campaign.events import Event
from bot.record.chain import short
from bot.render.escaping import code, mention
from bot.render.rolls import number

NONE_YET = "There are no campaigns with a name here. `/campaign create` makes one."
NOTHING = "Nothing was played here yet. A roll begins this channel's own campaign."
_CHANNELS, _MASTERS, _LIMIT = 20, 20, 1_900


def created(event: Event, *, joins: bool) -> str:
    """Says openly that there is a campaign, and who its game master is."""
    where = (
        "It is played here from now on."
        if joins
        else "It is not played here yet, for this channel's campaign has other game masters."
    )
    return f"{mention(event.user_id)} made the campaign {code(event.text)}. {where}{_small(event)}"


def used(event: Event) -> str:
    """Says what is played here from now on."""
    what = f"the campaign {code(event.text)}" if event.text else "its own campaign"
    return f"This channel plays {what} from now on, with its threads.{_small(event)}"


def renamed(event: Event) -> str:
    """Says what a campaign is called."""
    before = event.detail.get("before")
    was = f"The campaign {code(before)}" if isinstance(before, str) else "This channel's campaign"
    return f"{was} is called {code(event.text)} from now on.{_small(event)}"


def archived(event: Event) -> str:
    """Says that a campaign was put away, and how it comes back."""
    return (
        f"{mention(event.user_id)} archived the campaign {code(event.text)}. Its history stays; its channels "
        f"play their own campaigns again. `/campaign use {event.text}` brings it back.{_small(event)}"
    )


def master_changed(by: int, master: Master, *, named: bool) -> str:
    """Says who is a game master now, or no longer."""
    whose = "is a game master now" if named else "is no game master of this campaign any more"
    return f"{_who(master)} {whose}, says {mention(by)}."


def listing(found: Sequence[Found]) -> str:
    """Each campaign with its number of events, a line each."""
    lines = [
        f"{code(one.campaign.name or '')} — {_count(one.seq)}"
        + (", archived" if one.campaign.archived else "")
        for one in found
    ]
    text = ""
    for n, line in enumerate(lines):
        if len(text) + len(line) > _LIMIT:
            return f"{text}… and {len(lines) - n} more"
        text += line + "\n"
    return text.rstrip() or NONE_YET


def shown(found: Shown | None) -> str:
    """A campaign's name, size, channels and game masters."""
    if found is None:
        return NOTHING
    channels = _some([f"<#{channel_id}>" for channel_id in found.channels], _CHANNELS) or "nowhere"
    masters = _some([_who(master) for master in sorted(found.masters, key=_order)], _MASTERS)
    named = f"{masters}, and everybody with Manage Server" if masters else "everybody with Manage Server"
    return (
        f"**{title(found.campaign)}** — {_count(found.events)}\nPlayed in: {channels}\nGame masters: {named}"
    )


def title(campaign: Campaign) -> str:
    """What a campaign is called."""
    name = code(campaign.name) if campaign.name else "This channel's own campaign"
    return f"{name} (archived)" if campaign.archived else name


def _count(events: int) -> str:
    return f"{events:,} entr{'y' if events == 1 else 'ies'} in its history"


def _who(master: Master) -> str:
    return mention(master.id) if master.kind is MasterKind.USER else f"<@&{master.id}>"


def _order(master: Master) -> tuple[str, int]:
    return master.kind, master.id


def _some(texts: Sequence[str], limit: int) -> str:
    more = len(texts) - limit
    return ", ".join(texts[:limit]) + (f" and {more} more" if more > 0 else "")


def _small(event: Event) -> str:
    return f"\n-# {number(event)} · `{short(event.head)}`"
