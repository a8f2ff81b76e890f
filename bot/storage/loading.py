"""Load the rows that a batch needs, in a number of statements that does not depend on the number of jobs."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Executable, Text, bindparam, cast, exists, func, select, text, tuple_, union_all

from bot.campaign.campaigns import TABLE
from bot.campaign.events import Event, EventAt
from bot.campaign.histories import sessions
from bot.campaign.kinds import Kind
from bot.storage import schema
from bot.storage.batch import Batch
from bot.storage.boards import seats_of
from bot.storage.campaign_lookup import Joined, NameAt, channels_of
from bot.storage.campaigns import masters_of, usual_rules
from bot.storage.cutting import beginnings
from bot.storage.jobs import DeliveryKey, Job, MemoryAt, Missing, RollerAt
from bot.storage.queries import Queries, Query, Rows, Values
from bot.storage.rows import (
    EPOCH_COLUMNS,
    EVENTS,
    HAS_LEFT,
    ROLLERS,
    ROWS,
    PersonAt,
    read_campaign,
    read_epochs,
    read_event,
    read_ledger,
    read_memory,
    read_proof,
    read_roller,
    read_row,
)

_c, _e, _m, _r = schema.campaign.c, schema.event.c, schema.memory.c, schema.roller.c
_channel, _person, _h = schema.channel.c, schema.person.c, schema.hand.c

_OWED_AT_ONCE = 200
_owed_elsewhere = exists().where(_e.campaign_id == _c.id, _e.owed != bindparam("process"))
_has_left = exists().where(HAS_LEFT)
_is_played = _channel.channel_id.in_(bindparam("channels"))
_playing = select(_channel.campaign_id).where(_is_played)
_concerned = _c.id.in_(bindparam("ids")) | _c.key.in_(bindparam("keys")) | _c.id.in_(_playing)
_LOCK = select(_c.id).where(_concerned).order_by(_c.id).with_for_update()
_LEDGERS = (
    select(
        *_c,
        *EPOCH_COLUMNS,
        _channel.channel_id,
        _channel.follows,
        _person.user_id,
        _person.secret.label("their_secret"),
        _person.character,
        _owed_elsewhere.label("owed"),
        _has_left.label("left"),
    )
    .select_from(
        schema.campaign.outerjoin(schema.epoch)
        .outerjoin(schema.channel, (_channel.campaign_id == _c.id) & _is_played)
        .outerjoin(schema.person, (_person.campaign_id == _c.id) & _person.user_id.in_(bindparam("users")))
    )
    .where(_concerned)
    .order_by(_c.id)
)
_ANSWERED = EVENTS.where(_e.interaction_id.in_(bindparam("interactions")))
_ORPHANS = _ANSWERED.where(_e.owed == bindparam("process"))
_PEOPLE = select(schema.person).where(tuple_(_person.campaign_id, _person.user_id).in_(bindparam("people")))
_newest_epoch = (_m.roller_id == _r.id) & (_m.epoch == _r.epoch)
_ROLLERS = (
    ROLLERS.add_columns(_m.owner_id, _m.value)
    .outerjoin(schema.memory, _newest_epoch & _m.owner_id.in_(bindparam("owners")))
    .where(tuple_(_r.campaign_id, _r.key).in_(bindparam("rollers")))
)
_of_rollers = tuple_(_m.roller_id, _m.epoch, _m.owner_id).in_(bindparam("memories"))
_MEMORIES = select(schema.memory).where(_of_rollers)
_EVENTS = ROWS.where(tuple_(_e.campaign_id, _e.seq).in_(bindparam("events")))
# The condition on NULL lets SQLite use the partial index of targets.
_followers = tuple_(_e.campaign_id, _e.target).in_(bindparam("targets")) & _e.target.is_not(None)
_itself = tuple_(_e.campaign_id, _e.seq).in_(bindparam("targets"))
_no_others = (_e.kind != Kind.ROLL.value) | _e.user_id.in_(bindparam("users"))
# UNION instead of OR, for which SQLite would read the whole campaign.
FOLLOWING = union_all(ROWS.where(_itself), ROWS.where(_followers))
OWN = union_all(ROWS.where(_itself), ROWS.where(_followers, _no_others))
_NAMES = (
    select(_c.home, _c.name_key, _c.id, schema.home.c.campaigns)
    .outerjoin(schema.home, schema.home.c.id == _c.home)
    .where(_c.home.in_(bindparam("homes")), _c.name_key.is_not(None))
)
_old = func.coalesce(_e.interaction_id, 0) < bindparam("before")
_owed = EVENTS.where(_e.campaign_id.in_(bindparam("campaigns")), _e.owed != bindparam("process"), _old)
_OWED = _owed.order_by(_e.campaign_id, _e.seq).limit(_OWED_AT_ONCE)
_HAND_SIZES = (
    select(_h.campaign_id, _h.user_id, _e.roller_key, func.count().label("n"))
    .select_from(schema.hand.join(schema.event, (_e.campaign_id == _h.campaign_id) & (_e.seq == _h.seq)))
    .where(tuple_(_h.campaign_id, _h.user_id).in_(bindparam("people")))
    .group_by(_h.campaign_id, _h.user_id, _e.roller_key)
)
_pushed = schema.event.alias("pushed")
_p = _pushed.c
# The record's JSON has no blanks, and a quote in a name would be escaped.
_pushes_it = _e.what.like('%"pushes":' + cast(_p.seq, Text) + ",%")
# Only whoever rolled can push.
_is_later = (_e.campaign_id == _p.campaign_id) & (_e.user_id == _p.user_id) & (_e.seq > _p.seq)
_PUSHES = (
    select(_p.campaign_id, _p.seq, _p.user_id, func.min(_e.seq).label("push"))
    .select_from(_pushed.join(schema.event, _is_later & _pushes_it))
    .where(tuple_(_p.campaign_id, _p.seq).in_(bindparam("events")))
    .group_by(_p.campaign_id, _p.seq, _p.user_id)
)
# Literally the condition of the index: with a parameter the index would not be used.
_marks = schema.event.alias("mark")
_newest_mark = (
    select(_marks.c.seq)
    .where(_marks.c.campaign_id == _c.id, text("mark.kind = 'session'"))
    .order_by(_marks.c.seq.desc())
    .limit(1)
    .correlate(schema.campaign)
    .scalar_subquery()
)
_of_newest = select(_c.id, _newest_mark).where(_c.id.in_(bindparam("campaigns")))
_NEWEST_MARKS = EVENTS.where(tuple_(_e.campaign_id, _e.seq).in_(_of_newest))


def load_ledgers(batch: Batch, jobs: Sequence[Job], process: str, *, alone: bool) -> Queries[set[int]]:
    """Lock and load the jobs' campaigns and the callers' keys.

    Return the campaigns in which another process owes a reply. Rows are locked in the order of their ids, so
    that two processes can't deadlock; a process that is `alone` has locked the whole database. Campaigns that
    do not exist are left out.
    """
    lookup, callers = batch.lookup, [job.caller for job in jobs]
    channels, users = channels_of(callers), sorted({caller.user_id for caller in callers})
    # Each campaign is joined with all users: people of many channels are loaded afterwards, in pairs.
    joined_users = users if len(users) == 1 or len(channels) == 1 else []
    conditions = {
        "channels": channels,
        "ids": sorted({job.needs.campaign for job in jobs if job.needs.campaign is not None}),
        # Which campaign a channel plays is known only after this query: its own one may be another.
        "keys": sorted({key for job in jobs if (key := lookup.key(job.caller, job.needs))}),
    }
    guilds = sorted({caller.guild_id for caller in callers if caller.guild_id is not None})
    parameters = {**conditions, "users": joined_users, "guilds": guilds, "process": process}
    if alone:
        rows = yield Query(_LEDGERS, parameters)
    else:
        rows = yield from _lock_and_load(conditions, parameters)
    for row in rows:
        if row["channel_id"] is not None:
            lookup.channels[row["channel_id"]] = Joined(row["id"], row["follows"])
        lookup.keys[row["key"]] = row["id"]
        if row["user_id"] is not None:
            at = PersonAt(row["id"], row["user_id"])
            batch.people[at], batch.characters[at] = row["their_secret"], row["character"]
        if row["id"] not in lookup.settings:
            lookup.settings[row["id"]] = read_campaign(row)
            batch.proofs[row["id"]] = read_proof(row)
    requests = {(lookup.find(job.caller, job.needs), job.caller.user_id) for job in jobs}
    used = {campaign_id for campaign_id, _ in requests}
    batch.ledgers |= {row["id"]: read_ledger(row, read_epochs(row)) for row in rows if row["id"] in used}
    for campaign_id, user_id in requests:
        if campaign_id is not None and user_id in joined_users:
            batch.people.setdefault(PersonAt(campaign_id, user_id))
    # An empty campaign begins with its server's rules.
    if homes := {lookup.settings[number].home for number, ledger in batch.ledgers.items() if not ledger.seq}:
        lookup.default_rules.update((yield from usual_rules(homes)))
    batch.server_rejoined = any(row["left"] for row in rows)
    return {row["id"] for row in rows if row["owed"]}


def _lock_and_load(conditions: Values, parameters: Values) -> Queries[Rows]:
    while True:
        # A statement that waited for a lock reads the rows as they were before: it may only lock.
        locked = {row["id"] for row in (yield Query(_LOCK, conditions))}
        rows = yield Query(_LEDGERS, parameters)
        if locked.issuperset(row["id"] for row in rows):
            return rows


def load_answered(batch: Batch, jobs: Sequence[Job]) -> Queries[None]:
    """Load the events that the jobs' interactions have made already; only after the ledgers are locked."""
    interactions = sorted({job.delivery.interaction_id for job in jobs if job.delivery})
    for row in (yield Query(_ANSWERED, {"interactions": interactions})):
        delivery = DeliveryKey(row["interaction_id"], row["part"])
        batch.answered.setdefault(delivery, []).append(read_event(row))


def load_orphans(orphans: Iterable[DeliveryKey], process: str) -> Queries[list[Event]]:
    """Return the events of these interactions whose reply the process owes; only with locked ledgers."""
    interactions = sorted({orphan.interaction_id for orphan in orphans})
    rows = yield Query(_ORPHANS, {"interactions": interactions, "process": process})
    return [read_event(row) for row in rows]


def load_missing(batch: Batch, missing: Missing) -> Queries[None]:
    """Load the rows that a batch is missing; those that do not exist become None."""
    if missing.people:
        yield from _load_people(batch, missing.people)
    if missing.rollers:
        yield from _load_rollers(batch, missing.rollers)
    if missing.memories:
        yield from _load_memories(batch, missing.memories)
    if missing.followers:
        batch.followers_loaded |= missing.followers
        yield from _load_followers(batch, missing.followers, FOLLOWING)
    if missing.own_followers:
        batch.own_followers_loaded |= missing.own_followers
        users = sorted({user_id for _, user_id in missing.own_followers})
        yield from _load_followers(batch, {at for at, _ in missing.own_followers}, OWN, users=users)
    if others := missing.events - batch.events.keys():
        yield from _load_events(batch, others)
    yield from _load_details(batch, missing)
    if missing.names:
        yield from _load_names(batch, missing.names)
    if missing.masters:
        batch.lookup.masters.update((yield from masters_of(missing.masters)))


def _load_details(batch: Batch, missing: Missing) -> Queries[None]:
    """Load what is missing of the rows that few commands need."""
    if missing.hands:
        yield from _load_hands(batch, missing.hands)
    if missing.seats:
        batch.seats.update((yield from seats_of(missing.seats)))
    if missing.pushes:
        yield from _load_pushes(batch, missing.pushes)
    if missing.sessions:
        yield from _load_sessions(batch, missing.sessions)


def load_owed(campaigns: Collection[int], process: str, before: int) -> Queries[list[Event]]:
    """Return at most 200 rolls of interactions before that one whose reply another process owes."""
    if not campaigns:
        return []
    parameters = {"campaigns": sorted(campaigns), "process": process, "before": before}
    return [read_event(row) for row in (yield Query(_OWED, parameters))]


def load_lost(rolls: Sequence[EventAt]) -> Queries[list[Event]]:
    """Return the rolls at these keys that still exist."""
    return [read_row(row).event for row in (yield Query(_EVENTS, {"events": rolls}))] if rolls else []


def _load_people(batch: Batch, people: Iterable[PersonAt]) -> Queries[None]:
    """Load people's keys and the names of their characters."""
    batch.people.update(dict.fromkeys(people))
    for row in (yield Query(_PEOPLE, {"people": sorted(people)})):
        at = PersonAt(row["campaign_id"], row["user_id"])
        batch.people[at], batch.characters[at] = row["secret"], row["character"]


def _load_rollers(batch: Batch, requests: Iterable[tuple[RollerAt, int]]) -> Queries[None]:
    """Load rollers with their memories of the table and of their callers."""
    requests = sorted(requests)
    rollers = sorted({at for at, _ in requests})
    batch.rollers.update(dict.fromkeys(rollers))
    # Each roller is joined with all owners: the memories of many players are loaded afterwards, in pairs.
    owners = sorted({TABLE, *(user_id for _, user_id in requests)}) if len(requests) == 1 else [TABLE]
    for row in (yield Query(_ROLLERS, {"owners": owners, "rollers": rollers})):
        at = RollerAt(row["campaign_id"], row["key"])
        batch.rollers[at] = read_roller(row)
        batch.ids[at] = row["id"]
        if row["value"] is not None:
            batch.memories[MemoryAt(at, row["epoch"], row["owner_id"])] = read_memory(row["value"])
    for at in rollers:
        if roller := batch.rollers[at]:
            for owner in owners:
                batch.memories.setdefault(MemoryAt(at, roller.epoch, owner))


def _load_memories(batch: Batch, memories: Iterable[MemoryAt]) -> Queries[None]:
    batch.memories.update(dict.fromkeys(memories))
    by_row = {(batch.ids[at.roller], at.epoch, at.owner_id): at for at in memories if at.roller in batch.ids}
    if by_row:
        for row in (yield Query(_MEMORIES, {"memories": list(by_row)})):
            at = by_row[row["roller_id"], row["epoch"], row["owner_id"]]
            batch.memories[at] = read_memory(row["value"])


def _load_events(batch: Batch, events: Iterable[EventAt]) -> Queries[None]:
    batch.events.update(dict.fromkeys(events))
    for row in (yield Query(_EVENTS, {"events": sorted(events)})):
        batch.events[EventAt(row["campaign_id"], row["seq"])] = read_row(row)


def _load_followers(
    batch: Batch, targets: Iterable[EventAt], statement: Executable, **users: list[int]
) -> Queries[None]:
    """Load events with all their followers, or with all but the rolls of other people than `users`."""
    targets = sorted(targets)
    for at in targets:
        batch.events.setdefault(at)
        batch.followers.setdefault(at, {})
    for row in (yield Query(statement, {"targets": targets, **users})):
        event_row = read_row(row)
        at = event_row.event.at
        if at in targets and batch.events[at] is None:
            batch.events[at] = event_row
        target = EventAt(row["campaign_id"], row["target"])
        if target in batch.followers:
            batch.events.setdefault(at, event_row)
            batch.follow(target, event_row.event)


def _load_names(batch: Batch, names: Iterable[NameAt]) -> Queries[None]:
    """Load the names of all campaigns of the homes concerned: room for new ones depends on their number."""
    rows = yield Query(_NAMES, {"homes": sorted({at.home for at in names})})
    loaded: dict[NameAt, int | None] = {NameAt(row["home"], row["name_key"]): row["id"] for row in rows}
    batch.lookup.limits |= {row["home"]: row["campaigns"] for row in rows}
    # Names that the batch has given meanwhile are newer.
    batch.lookup.names = dict.fromkeys(names) | loaded | batch.lookup.names


def _load_hands(batch: Batch, people: Collection[PersonAt]) -> Queries[None]:
    """Count the cards in players' hands, by the deck's casefolded name."""
    batch.cards.update({at: Counter() for at in people})
    for row in (yield Query(_HAND_SIZES, {"people": sorted(people)})):
        at = PersonAt(row["campaign_id"], row["user_id"])
        batch.cards[at][row["roller_key"]] = int(row["n"])


def _load_pushes(batch: Batch, pushes: Collection[tuple[EventAt, int]]) -> Queries[None]:
    """Load the numbers of players' pushes of their rolls."""
    batch.pushes.update(dict.fromkeys(pushes))
    for row in (yield Query(_PUSHES, {"events": sorted({at for at, _ in pushes})})):
        batch.pushes[EventAt(row["campaign_id"], row["seq"]), row["user_id"]] = row["push"]


def _load_sessions(batch: Batch, campaigns: Collection[int]) -> Queries[None]:
    """Load whether a session is open: whether the newest mark is a start, or one was open at the cut."""
    rows = yield Query(_NEWEST_MARKS, {"campaigns": sorted(campaigns)})
    marks = {row["campaign_id"]: [read_event(row)] for row in rows}
    starts = yield from beginnings(campaigns - marks.keys())
    for campaign_id in campaigns:
        latest = sessions(marks.get(campaign_id, []), starts.get(campaign_id))
        batch.sessions[campaign_id] = bool(latest) and latest[0].end is None
