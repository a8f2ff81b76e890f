"""Read and make campaigns: the one that a channel plays, by name or home; rules, game masters, sessions."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from sqlalchemy import bindparam, delete, exists, select, text

from bot.campaign.campaigns import CAMPAIGNS_LIMIT, USUAL, CampaignEntry, Master, MasterKind, Rules
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.histories import Session, sessions
from bot.record.codec import encode_value
from bot.storage import schema
from bot.storage.campaign_lookup import new_key, new_log, own_key
from bot.storage.cutting import beginning
from bot.storage.queries import Queries, Query, Record, adding, changing, find_one, insert_or, replacing
from bot.storage.rows import EVENTS, of_campaign, print_json, read_campaign, read_event, read_rules

_T = TypeVar("_T")

_e, _c, _home, _channel = schema.event.c, schema.campaign.c, schema.home.c, schema.channel.c

_in_channels = _channel.channel_id.in_(bindparam("channels"))
_PLAYED = select(_channel.channel_id, _channel.campaign_id).where(_in_channels)
_CAMPAIGN = select(schema.campaign).where(_c.id == bindparam("campaign"))
_OF_HOME = select(schema.campaign).where(_c.home == bindparam("home"))
_NAMED = _OF_HOME.where(_c.name_key.is_not(None)).order_by(_c.name_key)
_ALLOWED = select(_home.campaigns).where(_home.id == bindparam("home"))
_USUAL = select(schema.home).where(_home.id.in_(bindparam("homes")))
_LOCK_USUAL = select(_home.rules).where(_home.id == bindparam("home")).with_for_update()
_ALLOW = replacing(schema.home, "campaigns")
_MASTERS = select(schema.master).where(schema.master.c.campaign_id.in_(bindparam("led")))
_not_following = of_campaign(schema.channel) & _channel.follows.is_(None)
_CHANNELS = select(_channel.channel_id).where(_not_following).order_by(_channel.channel_id)
_of_events = of_campaign(schema.event)
_OF_INTERACTION = EVENTS.where(_of_events, _e.interaction_id == bindparam("interaction")).order_by(_e.part)
_MAKE_CAMPAIGNS = insert_or(schema.campaign).on_conflict_do_nothing(index_elements=["key"])
_UNMAKE_CAMPAIGNS = delete(schema.campaign).where(
    _c.id == bindparam("unused"),
    # A channel plays an empty campaign if it holds other data than a history, such as a saved roll.
    ~exists().where(_channel.campaign_id == _c.id),
)
_OF_KEY = select(_c.id).where(_c.key == bindparam("its_key"))
MARKS_LIMIT = 50
"""Number of session marks that are searched."""
# Literally the condition of the index: with a parameter the index would not be used.
_session_marks = EVENTS.where(_of_events, text("event.kind = 'session'"))
_SESSION_MARKS = _session_marks.order_by(_e.seq.desc()).limit(MARKS_LIMIT)


def played(caller: Caller) -> Queries[int]:
    """Return the id of the campaign that the caller's channel plays; 0, which none has, if it has none yet.

    A thread without a chosen campaign plays that of its parent. Raise Unknown if the caller pressed a button
    of another campaign.
    """
    rows = yield Query(_PLAYED, {"channels": [caller.channel_id, caller.root]})
    by_channel: dict[int, int] = {row["channel_id"]: row["campaign_id"] for row in rows}
    campaign_id = by_channel.get(caller.channel_id) or by_channel.get(caller.root, 0)
    caller.must_play(campaign_id)
    return campaign_id


def in_played(caller: Caller, read: Callable[[int], Queries[_T]]) -> Queries[_T]:
    """Return what `read` finds in the campaign of the caller's channel, given its id; 0 if it has none."""
    return (yield from read((yield from played(caller))))


def campaign(campaign_id: int) -> Queries[CampaignEntry | None]:
    """Return the campaign with an id; None if there is none."""
    return find_one(_CAMPAIGN, {"campaign": campaign_id}, _read_entry)


def played_campaign(caller: Caller) -> Queries[CampaignEntry | None]:
    """Return the campaign that the caller's channel plays; None if it has none yet."""
    campaign_id = yield from played(caller)
    return (yield from campaign(campaign_id)) if campaign_id else None


def played_rules(caller: Caller) -> Queries[Rules]:
    """Return the rules of the campaign that the caller's channel plays; the default ones if it has none."""
    current = yield from played_campaign(caller)
    return current.campaign.rules if current else USUAL


def named_campaigns(home: int) -> Queries[list[CampaignEntry]]:
    """Return the named campaigns of a home by name, including archived ones."""
    return [_read_entry(row) for row in (yield Query(_NAMED, {"home": home}))]


def allowed(home: int) -> Queries[int]:
    """Return a home's limit of campaigns."""
    rows = yield Query(_ALLOWED, {"home": home})
    return (rows[0]["campaigns"] if rows else None) or CAMPAIGNS_LIMIT


def allow(home: int, campaigns: int) -> Queries[None]:
    """Set a home's limit of campaigns."""
    yield Query(_ALLOW, {"id": home, "campaigns": campaigns})


def usual_rules(homes: Iterable[int]) -> Queries[dict[int, Rules]]:
    """Return the default rules of new campaigns, by home."""
    defaults = dict.fromkeys(sorted(homes), USUAL)
    rows = yield Query(_USUAL, {"homes": [*defaults]})
    return defaults | {row["id"]: read_rules(row["rules"]) for row in rows}


def change_usual_rules(
    home: int, changes: Mapping[str, object], followed: Collection[int]
) -> Queries[tuple[Rules, Rules, dict[int, Mapping[str, object]]]]:
    """Change some default rules of a home's new campaigns, once its existing campaigns have followed.

    Return the rules before and after, and what is due: the changes in campaigns other than those `followed`,
    by id. Nothing changes while there are any. Raise SpecError for a value out of range. Concurrent changes
    of different rules are both kept.
    """
    # A home has no row before its first change, and only a row can be locked.
    yield Query(adding(schema.home), {"id": home})
    ((rules,),) = yield Query(_LOCK_USUAL, {"home": home})
    before = read_rules(rules)
    after = replace(before, **changes)
    following = yield from due_to_follow(home, before, after)
    due = {number: to for number, to in following.items() if number not in followed}
    if not due:
        yield Query(changing(schema.home, "rules"), {"at_id": home, "rules": print_json(encode_value(after))})
    return before, after, due


def due_to_follow(home: int, before: Rules, after: Rules) -> Queries[dict[int, Mapping[str, object]]]:
    """Return the changes in campaigns that follow a change of their home's default rules, by id.

    Channels' own campaigns without a name follow too.
    """
    rows = yield Query(_OF_HOME, {"home": home})
    changes = {row["id"]: read_campaign(row).rules.followed(before, after) for row in rows}
    return {number: to for number, to in changes.items() if to}


def masters(campaign_id: int) -> Queries[frozenset[Master]]:
    """Return a campaign's game masters."""
    return (yield from masters_of([campaign_id]))[campaign_id]


def masters_of(campaigns: Iterable[int]) -> Queries[dict[int, frozenset[Master]]]:
    """Return the game masters of campaigns, by campaign id."""
    by_campaign = dict.fromkeys(sorted(campaigns), frozenset[Master]())
    for row in (yield Query(_MASTERS, {"led": [*by_campaign]})):
        by_campaign[row["campaign_id"]] |= {Master(MasterKind(row["kind"]), row["id"])}
    return by_campaign


def channels(campaign_id: int) -> Queries[list[int]]:
    """Return the channels that play a campaign, without threads that follow their parent."""
    return [row["channel_id"] for row in (yield Query(_CHANNELS, {"campaign": campaign_id}))]


def events_of(campaign_id: int, interaction_id: int) -> Queries[list[Event]]:
    """Return a campaign's events of an interaction, in the order of their parts."""
    rows = yield Query(_OF_INTERACTION, {"campaign": campaign_id, "interaction": interaction_id})
    return [read_event(row) for row in rows]


def _read_entry(row: Record) -> CampaignEntry:
    return CampaignEntry(row["id"], read_campaign(row), row["seq"])


def latest(campaign_id: int) -> Queries[list[Session]]:
    """Return a campaign's latest sessions, newest first."""
    rows = yield Query(_SESSION_MARKS, {"campaign": campaign_id})
    is_complete = len(rows) < MARKS_LIMIT
    start = (yield from beginning(campaign_id)) if is_complete else None
    # While old events are being removed, some of them still exist.
    upto = start.upto if start else 0
    return sessions((read_event(row) for row in rows if row["seq"] > upto), start)


def make_campaigns(missing: dict[str, Caller]) -> Queries[None]:
    """Insert empty campaigns, unless another process just has."""
    empty = {"seq": 0, "frontier": b""}
    rows = [
        {"key": key, "guild_id": at.guild_id, "home": at.home, "log": new_log(), "secret": new_key(), **empty}
        for key, at in sorted(missing.items())
    ]
    yield Query(_MAKE_CAMPAIGNS, rows)


def find_or_make(caller: Caller) -> Queries[int]:
    """Return the id of the campaign that the caller's channel plays; make and join its own if it has none."""
    if existing := (yield from played(caller)):
        return existing
    key = own_key(caller)
    yield from make_campaigns({key: caller})
    ((campaign_id,),) = yield Query(_OF_KEY, {"its_key": key})
    joined = {caller.root: None, caller.channel_id: caller.parent_id}.items()
    rows = [{"channel_id": at, "campaign_id": campaign_id, "follows": follows} for at, follows in joined]
    yield Query(adding(schema.channel), rows)
    return campaign_id


def unmake_campaigns(unused: Sequence[int]) -> Queries[None]:
    """Delete campaigns that are still empty, since every request failed."""
    yield Query(_UNMAKE_CAMPAIGNS, [{"unused": campaign_id} for campaign_id in unused])
