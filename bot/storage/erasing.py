"""Count or erase what is stored of a person or a server; the trees of kept histories stay valid.

Each step of an erasure is a transaction of its own on the writing connection, between two batches.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Delete, Table, bindparam, delete, func, literal, select, union, update

from bot.campaign.command import OPEN, Caller
from bot.campaign.events import Event, PersonErased
from bot.campaign.kinds import Kind
from bot.record.hashing import Keys
from bot.record.ledger import Ledger, without_person
from bot.storage import schema
from bot.storage.campaign_lookup import new_key
from bot.storage.ledgers import keyring, lock_ledger
from bot.storage.queries import Queries, Query, adding, changing, execute_all
from bot.storage.rows import EVENTS, GONE, IN_USE, IS_MASTER, OWN_WORDS, of_campaign, of_user, read_event
from bot.storage.saving import NOBODY, adding_counts, save_appended

_c, _e, _t = schema.campaign.c, schema.event.c, schema.tally.c

CHUNK = 500
"""Events per transaction, so that rolls never wait for long."""

# After a cut, a memory may be older than all remaining events.
_is_memory_of_user = schema.memory.c.owner_id == bindparam("user")
_is_host = schema.epoch.c.host == bindparam("user")
_rollers = select(schema.roller.c.campaign_id).join_from(schema.memory, schema.roller)
_WITH_MEMORY = _rollers.where(_is_memory_of_user)
_WITH_COUNTS = select(_t.campaign_id).where(of_user(schema.tally))
_WITH_KEY = select(schema.person.c.campaign_id).where(of_user(schema.person))
_NEXT_CAMPAIGN = (
    select(_c.id)
    .where(IN_USE, _c.id.in_(union(_WITH_KEY, _WITH_MEMORY, _WITH_COUNTS)))
    .order_by(_c.id)
    .limit(1)
)
_LOCK_COUNTING = select(_c.id).where(_c.id.in_(_WITH_COUNTS)).order_by(_c.id).with_for_update()
_EVENTS_OF_USER = EVENTS.where(of_campaign(schema.event), of_user(schema.event)).order_by(_e.seq).limit(CHUNK)
_of_user_in_campaign = of_campaign(schema.tally) & of_user(schema.tally)
_FORGET_COUNTS = adding_counts(
    select(_t.campaign_id, literal(NOBODY), _t.die, _t.face, _t.n).where(_of_user_in_campaign)
)
_DROP_COUNTS = delete(schema.tally).where(_of_user_in_campaign)
_PERSON_COLUMNS = ("user_id", *OWN_WORDS)
_ERASE = changing(schema.event, *_PERSON_COLUMNS, "who", "words")
_UNFINISHED = select(schema.erasure).order_by(schema.erasure.c.user_id).limit(1)
# Locked first, so that only one process at a time takes a step.
_LOCK_ERASURE = select(schema.erasure).where(of_user(schema.erasure)).with_for_update()
_SET_PROGRESS = changing(schema.erasure, "campaign_id", "events")
_FINISH = delete(schema.erasure).where(of_user(schema.erasure))
_ERASE_EVENTS = EVENTS.where(_e.interaction_id == bindparam("interaction"), _e.kind == Kind.ERASE.value)
_FORGET_MEMORIES = delete(schema.memory).where(_is_memory_of_user, of_campaign(schema.memory))
_belongings = schema.saved, schema.character, schema.seat, schema.hand
_FORGET_BELONGINGS = (
    delete(schema.master).where(IS_MASTER),
    *[delete(table).where(of_user(table)) for table in _belongings],
    # The epoch keeps a host: without one, the host of the bot could go on alone.
    update(schema.epoch).where(_is_host).values(host=NOBODY),
)
# The writer of a single note is not stored, so all notes go.
_DROP_NOTES = update(schema.board).where(of_campaign(schema.board)).values(notes="[]")
# Without the key, the commitments made with it can never be opened.
_FORGET_KEY = delete(schema.person).where(of_campaign(schema.person), of_user(schema.person))
_FORGET_BETS = delete(schema.evidence).where(of_campaign(schema.evidence), of_user(schema.evidence))
_FORGET_HOME = delete(schema.home).where(schema.home.c.id == bindparam("place"))
_LOCK_HOME = select(_c.id).where(_c.home == bindparam("place")).order_by(_c.id).with_for_update()
_NOWHERE = 0
"""The home of campaigns that are being deleted."""
_EMPTY = {"home": _NOWHERE, "guild_id": None, "name": None, "name_key": None, "rules": "{}"}
# By their home, which has an index: the order of keys depends on PostgreSQL's locale.
_HIDDEN = select(_c.id).where(_c.home == _NOWHERE, ~IN_USE).limit(1)
NEXT = select(_e.seq).where(of_campaign(schema.event)).order_by(_e.seq).limit(1).offset(CHUNK)
"""Number of the first event that is not among the `CHUNK` oldest ones."""
_DELETED_LAST = {
    schema.person,
    schema.spec,
    schema.roller,
    schema.memory,
    schema.event,
    schema.keyhash,
    schema.tile,
}
"""Tables deleted last, for concurrent readers of the events need their rows."""

_COUNT_EVENTS = select(
    func.count().label("events"),
    func.count(_e.campaign_id.distinct()).label("campaigns"),
    func.count(func.nullif(_e.label + _e.typed + _e.character, "")).label("labels"),
    func.min(_e.interaction_id).label("first"),
).where(of_user(schema.event))
COUNTS = (
    _COUNT_EVENTS,
    select(func.count()).where(of_user(schema.saved)),
    select(func.count()).where(of_user(schema.character)),
    select(func.count()).where(IS_MASTER),
    select(func.count(_t.campaign_id.distinct())).where(of_user(schema.tally)),
    select(func.count()).where(_is_memory_of_user),
    select(func.count()).where(of_user(schema.seat)),
    select(func.count()).where(of_user(schema.person)),
    select(func.count()).where(_is_host),
)
"""The numbers of a person's rows, in the order of the fields of `Holdings`."""
_COUNT_HOME = select(func.count(), func.coalesce(func.sum(_c.seq), 0)).where(_c.home == bindparam("place"))


def _delete_all(table: Table) -> Delete:
    return delete(table).where(of_campaign(table))


_DELETE_RELATED = tuple(
    _delete_all(table) for table in reversed(schema.OF_CAMPAIGNS) if table not in _DELETED_LAST
)
_DELETE_BELOW = _delete_all(schema.event).where(_e.seq < bindparam("upto"))
_DELETE_ALL = (
    *map(_delete_all, reversed(schema.OF_CAMPAIGNS)),
    delete(schema.campaign).where(_c.id == bindparam("campaign")),
)


@dataclass(frozen=True, slots=True)
class Erased:
    """Result of an erasure."""

    events: int
    campaigns: int


def begin_erasure(caller: Caller) -> Queries[None]:
    """Record the caller's erasure, so that it resumes after a restart; delete their other data."""
    user = {"user": caller.user_id}
    if not (yield Query(_LOCK_ERASURE, user)) and (
        yield Query(_ERASE_EVENTS, {"interaction": caller.interaction_id})
    ):
        return
    row = {"user_id": caller.user_id, "interaction_id": caller.interaction_id, "events": 0}
    yield Query(adding(schema.erasure), row)
    for row in (yield Query(_LOCK_COUNTING, user)):
        yield from forget_tallies(row["id"], caller.user_id)
    # After the locks on campaigns: a process that holds one of those may wait for these rows.
    yield from execute_all(_FORGET_BELONGINGS, user)


def unfinished_erasure() -> Queries[int | None]:
    """Return the user id of an unfinished erasure; None if there is none."""
    rows = yield Query(_UNFINISHED)
    return int(rows[0]["user_id"]) if rows else None


def erase_some(user_id: int) -> Queries[bool]:
    """Remove a person from at most 500 of their events; return whether there is more to do.

    The last step in a campaign deletes their key and appends an event that a person, not which, was erased.
    Events that they make meanwhile are erased too: a campaign may need another step then, and their other
    data goes with the last one.
    """
    user = {"user": user_id}
    rows = yield Query(_LOCK_ERASURE, user)
    if not rows:
        return False
    campaigns = [row["campaign_id"] for row in rows if row["campaign_id"] is not None]
    campaigns = campaigns or [row["id"] for row in (yield Query(_NEXT_CAMPAIGN, user))]
    if not campaigns:
        yield from execute_all(_FORGET_BELONGINGS, user)
        yield Query(_FINISH, user)
        return False
    campaign_id: int = campaigns[0]
    progress = {"at_user_id": user_id, "campaign_id": None, "events": 0}
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None:
        yield Query(_SET_PROGRESS, progress)
        return True
    parameters = {"campaign": campaign_id, "user": user_id}
    keys = yield from keyring(ledger)
    events = [read_event(row) for row in (yield Query(_EVENTS_OF_USER, parameters))]
    yield Query(_ERASE, [_erased_row(without_person(event, keys.keys(user_id))) for event in events])
    yield from forget_tallies(campaign_id, user_id)
    done: int = rows[0]["events"] + len(events)
    if len(events) == CHUNK:
        yield Query(_SET_PROGRESS, {**progress, "campaign_id": campaign_id, "events": done})
        return True
    yield from execute_all((_FORGET_MEMORIES, _DROP_NOTES, _FORGET_KEY), parameters)
    yield from _append_erased(ledger, user_id, rows[0]["interaction_id"], done)
    yield Query(_SET_PROGRESS, progress)
    return True


def _append_erased(ledger: Ledger, user_id: int, interaction_id: int, events: int) -> Queries[None]:
    """Append to a campaign that a person was erased, once for each erasure.

    Omitted if the erasure resumed so late that its interaction is too old for the history.
    """
    if ledger.is_too_old(interaction_id):
        return
    existing = yield Query(_ERASE_EVENTS, {"interaction": interaction_id})
    if any(row["campaign_id"] == ledger.campaign_id for row in existing):
        return
    caller = Caller(interaction_id, None, 0, user_id)
    # The key of this event is not stored.
    secret = new_key()
    appended = ledger.append(caller, OPEN, PersonErased(events=events), secret)
    yield from save_appended(appended, without_person(appended.event, Keys(ledger.secret, secret)))


def erased(interaction_id: int) -> Queries[Erased]:
    """Return the result of the erasure that an interaction requested."""
    bodies = [read_event(row).body for row in (yield Query(_ERASE_EVENTS, {"interaction": interaction_id}))]
    return Erased(sum(body.events for body in bodies if isinstance(body, PersonErased)), len(bodies))


def hide_home(home: int) -> Queries[None]:
    """Mark all campaigns of a server or a channel for deletion.

    A roll in the meantime begins a new campaign.
    """
    rows = yield Query(_LOCK_HOME, {"place": home})
    yield Query(_FORGET_HOME, {"place": home})
    for campaign_id in [row["id"] for row in rows]:
        yield from execute_all(_DELETE_RELATED, {"campaign": campaign_id})
        hidden = {"at_id": campaign_id, "key": f"{GONE}{campaign_id}", **_EMPTY}
        yield Query(changing(schema.campaign, "key", *_EMPTY), hidden)


def forget_tallies(campaign_id: int, user_id: int) -> Queries[None]:
    """Make a player's counts in a locked campaign nobody's, and delete the bets on their dice.

    Counts and bets of all players together stay unchanged.
    """
    of_player = {"campaign": campaign_id, "user": user_id}
    return execute_all((_FORGET_COUNTS, _DROP_COUNTS, _FORGET_BETS), of_player)


def delete_some() -> Queries[bool]:
    """Delete some rows of a campaign marked for deletion; return whether there are more."""
    hidden = yield Query(_HIDDEN)
    if not hidden:
        return False
    campaign = {"campaign": hidden[0]["id"]}
    upto = yield Query(NEXT, campaign)
    if upto:
        yield Query(_DELETE_BELOW, {**campaign, "upto": upto[0]["seq"]})
    else:
        yield from execute_all(_DELETE_ALL, campaign)
    return True


def _erased_row(event: Event) -> dict[str, object]:
    commitments = zip(("who", "words"), map(bytes.fromhex, event.seal.kept or ()), strict=True)
    at = {"at_campaign_id": event.campaign_id, "at_seq": event.seq}
    return {**at, **dict(commitments), **dict.fromkeys(_PERSON_COLUMNS)}


@dataclass(frozen=True, slots=True)
class Holdings:
    """Numbers of stored rows about a person, by kind."""

    events: int
    campaigns: int
    labels: int
    """Events with their own words."""
    first: int | None
    """Id of their first interaction, which contains its time; None if there is none."""
    saved: int
    """Saved rolls."""
    characters: int
    masters: int
    """Campaigns in which they are a game master."""
    counts: int = 0
    """Campaigns with face counts of theirs; these and their memories outlive a cut of the history."""
    memories: int = 0
    """Their own memories in rollers."""
    calls: int = 0
    """Calls that name them."""
    keys: int = 0
    """Campaigns with their key, stored since their first event, character or note there."""
    hosted: int = 0
    """Campaigns in proof mode with them as the host of the bot."""


def count_of_person(user_id: int) -> Queries[Holdings]:
    """Count what is stored about a person in all campaigns."""
    numbers: list[Any] = []  # counts, and the id of an interaction
    for statement in COUNTS:
        (row,) = yield Query(statement, {"user": user_id})
        numbers += row
    return Holdings(*numbers)


def count_of_home(home: int) -> Queries[tuple[int, int]]:
    """Return the number of campaigns and of events of a server or a channel."""
    ((campaigns, events),) = yield Query(_COUNT_HOME, {"place": home})
    return int(campaigns), int(events)
