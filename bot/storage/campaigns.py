"""Campaigns: which one a channel plays, made where there is none; its name, game masters and evenings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import bindparam, delete, exists, select, text

from bot.campaign.campaigns import CAMPAIGNS_LIMIT, USUAL, Found, Master, MasterKind, Rules
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.histories import Session, sessions
from bot.record.codec import encode_value
from bot.storage import schema
from bot.storage.cutting import beginning
from bot.storage.places import JOIN_CHANNELS, new_key, new_log, own_key
from bot.storage.queries import Queries, Query, Record, insert_or, replacing
from bot.storage.rows import EVENTS, of_campaign, print_json, read_campaign, read_event, read_rules

_e, _c, _home, _channel = schema.event.c, schema.campaign.c, schema.home.c, schema.channel.c

_in = _channel.channel_id.in_(bindparam("channels"))
_PLAYED = select(_channel.channel_id, _channel.campaign_id).where(_in)
_CAMPAIGN = select(schema.campaign).where(_c.id == bindparam("campaign"))
_LOCK = select(_c.id).where(_c.id == bindparam("campaign")).with_for_update()
_OF_HOME = select(schema.campaign).where(_c.home == bindparam("home"))
_NAMED = _OF_HOME.where(_c.name_key.is_not(None)).order_by(_c.name_key)
_ALLOWED = select(_home.campaigns).where(_home.id == bindparam("home"))
_USUAL = select(schema.home).where(_home.id.in_(bindparam("homes")))
_ALLOW, _SET_USUAL = replacing(schema.home, "campaigns"), replacing(schema.home, "rules")
_MASTERS = select(schema.master).where(schema.master.c.campaign_id.in_(bindparam("led")))
_lone = of_campaign(schema.channel) & _channel.follows.is_(None)
_CHANNELS = select(_channel.channel_id).where(_lone).order_by(_channel.channel_id)
_here = of_campaign(schema.event)
_EVENTS = EVENTS.where(_here, _e.interaction_id == bindparam("interaction")).order_by(_e.part)
_MAKE_CAMPAIGNS = insert_or(schema.campaign).on_conflict_do_nothing(index_elements=["key"])
_UNMAKE_CAMPAIGNS = delete(schema.campaign).where(
    _c.id == bindparam("unused"),
    # A campaign that a channel plays was made for what is no part of the history, such as a saved roll.
    ~exists().where(_channel.campaign_id == _c.id),
)
_OF_KEY = select(_c.id).where(_c.key == bindparam("its_key"))
KEPT_IN_SIGHT = 50
"""How many marks are looked through."""
# Word for word as the index says it: with a parameter in its place the index would not be used.
_marks = EVENTS.where(_here, text("event.kind = 'session'"))
_MARKS = _marks.order_by(_e.seq.desc()).limit(KEPT_IN_SIGHT)


@dataclass(frozen=True, slots=True)
class UsualChange:
    """A change of the rules that new campaigns of a home begin with."""

    before: Rules
    after: Rules
    due: Mapping[int, Mapping[str, object]]
    """What has to change in campaigns first, by their number; empty once it was done."""


def played(caller: Caller) -> Queries[int | None]:
    """Return the number of the campaign that is played in a channel; None where nothing happened yet.

    A thread that chose none for itself plays that of its parent. Unknown where the caller presses what was
    shown for another one.
    """
    rows = yield Query(_PLAYED, {"channels": [caller.channel_id, caller.root]})
    found: dict[int, int] = {row["channel_id"]: row["campaign_id"] for row in rows}
    campaign_id = found.get(caller.channel_id) or found.get(caller.root)
    caller.must_play(campaign_id)
    return campaign_id


def campaign(campaign_id: int) -> Queries[Found | None]:
    """Return the campaign of that number; None if there is none."""
    rows = yield Query(_CAMPAIGN, {"campaign": campaign_id})
    return _found(rows[0]) if rows else None


def played_campaign(caller: Caller) -> Queries[Found | None]:
    """Return the campaign that is played in a channel; None where nothing happened yet."""
    campaign_id = yield from played(caller)
    return None if campaign_id is None else (yield from campaign(campaign_id))


def named(home: int) -> Queries[list[Found]]:
    """Return the campaigns of a home that have a name, by name; archived ones too."""
    return [_found(row) for row in (yield Query(_NAMED, {"home": home}))]


def allowed(home: int) -> Queries[int]:
    """Return how many campaigns a home may have."""
    rows = yield Query(_ALLOWED, {"home": home})
    return (rows[0]["campaigns"] if rows else None) or CAMPAIGNS_LIMIT


def allow(home: int, campaigns: int) -> Queries[None]:
    """Set how many campaigns a home may have."""
    yield Query(_ALLOW, {"id": home, "campaigns": campaigns})


def usual_rules(homes: Iterable[int]) -> Queries[dict[int, Rules]]:
    """Return the rules that new campaigns of each home begin with."""
    found = dict.fromkeys(sorted(homes), USUAL)
    rows = yield Query(_USUAL, {"homes": [*found]})
    return found | {row["id"]: read_rules(row["rules"]) for row in rows}


def change_usual_rules(
    home: int, changes: Mapping[str, object], followed: Collection[int]
) -> Queries[UsualChange]:
    """Change some of the rules that new campaigns of a home begin with, once all others have followed.

    Nothing changes while others than those `followed` are due. SpecError for what is out of range. Two that
    change others of them at once both get theirs.
    """
    before = (yield from usual_rules([home]))[home]
    after = replace(before, **changes)
    due = yield from due_to_follow(home, before, after)
    change = UsualChange(before, after, {number: to for number, to in due.items() if number not in followed})
    if not change.due:
        yield Query(_SET_USUAL, {"id": home, "campaigns": None, "rules": print_json(encode_value(after))})
    return change


def due_to_follow(home: int, before: Rules, after: Rules) -> Queries[dict[int, Mapping[str, object]]]:
    """Return what changes in campaigns that are as usual where a home's usual rules change, by their number.

    Channels' own ones without a name follow too.
    """
    found = [_found(row) for row in (yield Query(_OF_HOME, {"home": home}))]
    changes = {one.campaign_id: one.campaign.rules.followed(before, after) for one in found}
    return {number: to for number, to in changes.items() if to}


def lock(campaign_id: int) -> Queries[None]:
    """Keep others from changing who leads a campaign until this transaction ends."""
    yield Query(_LOCK, {"campaign": campaign_id})


def masters(campaign_id: int) -> Queries[frozenset[Master]]:
    """Return who was named a game master of a campaign."""
    return (yield from masters_of([campaign_id]))[campaign_id]


def masters_of(campaigns: Iterable[int]) -> Queries[dict[int, frozenset[Master]]]:
    """Return who was named a game master of each of these campaigns."""
    led = dict.fromkeys(sorted(campaigns), frozenset[Master]())
    for row in (yield Query(_MASTERS, {"led": [*led]})):
        led[row["campaign_id"]] |= {Master(MasterKind(row["kind"]), row["id"])}
    return led


def channels(campaign_id: int) -> Queries[list[int]]:
    """Return the channels that play a campaign, without the threads that follow them."""
    return [row["channel_id"] for row in (yield Query(_CHANNELS, {"campaign": campaign_id}))]


def events_of(campaign_id: int, interaction_id: int) -> Queries[list[Event]]:
    """Return a campaign's events of one interaction, by their part."""
    rows = yield Query(_EVENTS, {"campaign": campaign_id, "interaction": interaction_id})
    return [read_event(row) for row in rows]


def _found(row: Record) -> Found:
    return Found(row["id"], read_campaign(row), row["seq"])


def latest(campaign_id: int) -> Queries[list[Session]]:
    """Return a campaign's latest evenings, newest first."""
    rows = yield Query(_MARKS, {"campaign": campaign_id})
    all_seen = len(rows) < KEPT_IN_SIGHT
    start = (yield from beginning(campaign_id)) if all_seen else None
    # While old events are being removed, some of them are still there.
    upto = start.upto if start else 0
    return sessions((read_event(row) for row in rows if row["seq"] > upto), start)


def make_campaigns(missing: dict[str, Caller]) -> Queries[None]:
    """Make campaigns in which nothing has happened, unless another process just did."""
    rows: list[dict[str, object]] = []
    for key, caller in sorted(missing.items()):
        new = {"log": new_log(), "secret": new_key(), "seq": 0, "frontier": b""}
        rows.append({"key": key, "guild_id": caller.guild_id, "home": caller.home, **new})
    yield Query(_MAKE_CAMPAIGNS, rows)


def settle_in(caller: Caller) -> Queries[int]:
    """Return the campaign that is played in a channel; if there is none, make and join its own."""
    if found := (yield from played(caller)):
        return found
    key = own_key(caller)
    yield from make_campaigns({key: caller})
    ((campaign_id,),) = yield Query(_OF_KEY, {"its_key": key})
    joined = {caller.root: None, caller.channel_id: caller.parent_id}.items()
    rows = [{"channel_id": one, "campaign_id": campaign_id, "follows": follows} for one, follows in joined]
    yield Query(JOIN_CHANNELS, rows)
    return campaign_id


def unmake_campaigns(unused: Sequence[int]) -> Queries[None]:
    """Take back campaigns in which nothing happened, since every request failed."""
    yield Query(_UNMAKE_CAMPAIGNS, [{"unused": campaign_id} for campaign_id in unused])
