"""Save the changes of a batch, in a number of statements that does not depend on the number of jobs.

Face counts include hidden rolls only once they are revealed, so that no count gives them away; undone rolls
are subtracted.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import (
    JSON,
    SelectBase,
    bindparam,
    cast,
    delete,
    func,
    literal_column,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import Insert

from bot.campaign.campaigns import Roller
from bot.campaign.events import CallCancelled, CallClosed, CallOpened, CallReopened, Event, EventAt
from bot.campaign.proof import ProofMode
from bot.campaign.replay import count
from bot.record.hashing import HashPosition
from bot.record.ledger import Appended, Entered, Ledger
from bot.record.proof_mode import Epoch
from bot.storage import schema
from bot.storage.batch import Batch
from bot.storage.boards import board_of, end_times, make_boards
from bot.storage.campaign_lookup import save_campaigns
from bot.storage.jobs import RollerAt
from bot.storage.queries import Queries, Query, adding, changing, insert_or, inserting, replacing
from bot.storage.rows import (
    HAS_LEFT,
    PersonAt,
    of_campaign,
    print_json,
    print_keys,
    spec_id,
    spec_of,
    write_event,
)

_r = schema.roller.c

NOBODY = 0
"""The user id under which the counts of erased players and of monsters are stored."""
_t = schema.tally.c
_roller_at = (_r.campaign_id, _r.key)
_IDS = select(_r.id, *_roller_at).where(tuple_(*_roller_at).in_(bindparam("rollers")))
_SETTLE = changing(schema.event, "owed")
_DISOWN = _SETTLE.where(schema.event.c.owed == bindparam("process"))
_drawn = tuple_(schema.hand.c.campaign_id, schema.hand.c.seq).in_(bindparam("cards"))
_DELETE_HANDS = delete(schema.hand).where(_drawn)
_DELETE_EPOCH = delete(schema.epoch).where(of_campaign(schema.epoch))
_CANCEL_DEPARTURES = update(schema.server).where(HAS_LEFT).values(left_at=None)
# All rows in one parameter: a statement for each would be most of the statements of a roll. Of the functions
# that split JSON, both engines have only the one for objects.
_rows = func.json_each(bindparam("rows", type_=JSON)).table_valued("key", "value")


def adding_counts(counts: SelectBase) -> Insert:
    """Return the statement that adds selected counts to the stored ones."""
    insertion = insert_or(schema.tally).from_select(list(_t.keys()), counts)
    return insertion.on_conflict_do_update(
        index_elements=schema.tally.primary_key, set_={"n": _t.n + insertion.excluded.n}
    )


ADD_COUNTS = adding_counts(
    select(*(cast(literal_column(f"value ->> {index}"), column.type) for index, column in enumerate(_t)))
    .select_from(_rows)
    .where(true())
)


class SpecIn(NamedTuple):
    """A spec of a campaign; identified by its log, for a campaign's id may be used again."""

    log: str
    body: str


def save_batch(batch: Batch, process: str, known_specs: set[SpecIn]) -> Queries[set[SpecIn]]:
    """Save the changes of a batch, without specs known to be stored; return the newly stored specs."""
    specs = {SpecIn(batch.ledgers[at].log, body): at for at, body in _collect_specs(batch)}
    new_specs = specs.keys() - known_specs
    rows = sorted((specs[spec], spec_id(spec.body), spec.body) for spec in new_specs)
    yield Query(adding(schema.spec), [{"campaign_id": at, "id": key, "body": body} for at, key, body in rows])
    yield from _save_rollers(batch)
    yield from _save_memories(batch)
    yield from _save_hands(batch)
    yield from save_tallies(batch.count_changes)
    yield from save_people(batch.new_people)
    ledgers = [batch.ledgers[number] for number in sorted({event.campaign_id for event, _ in batch.appended})]
    yield from save_ledgers(ledgers, batch.appended, batch.completed, process)
    for campaign_id in sorted(batch.changed_epochs):
        yield from save_epochs(campaign_id, batch.proofs[campaign_id], batch.ledgers[campaign_id].epochs)
    yield from save_hashes(batch.new_epochs)
    yield from _save_calls(batch)
    yield from save_campaigns(batch.lookup)
    if batch.server_rejoined:
        yield from cancel_departures(batch.servers)
    return new_specs


def _save_calls(batch: Batch) -> Queries[None]:
    """Create the boards of new calls, and end the timers of closed, reopened and cancelled ones."""
    events = [event for event, _ in batch.appended]
    if opened := [event for event in events if isinstance(event.body, CallOpened)]:
        yield from make_boards([(board_of(event), batch.seats[event.at]) for event in opened])
    ends = CallClosed | CallReopened | CallCancelled
    if ended := [(event.campaign_id, event.target or 0) for event in events if isinstance(event.body, ends)]:
        yield from end_times(ended)


def settle(settled: Mapping[EventAt, bool], process: str) -> Queries[None]:
    """Save settled replies: those that were shown are owed no more, the others by no running process."""
    lost = {"owed": "", "process": process}
    for is_shown, statement, owed in ((False, _DISOWN, lost), (True, _SETTLE, {"owed": None})):
        keys = sorted(at for at, was_shown in settled.items() if was_shown is is_shown)
        yield Query(statement, [{"at_campaign_id": number, "at_seq": seq, **owed} for number, seq in keys])


def _collect_specs(batch: Batch) -> set[tuple[int, str]]:
    """Return the specs of new events and changed rollers, each with its campaign's id."""
    specs = {(event.campaign_id, spec_of(event)) for event, _ in batch.appended}
    specs |= {(at.campaign_id, roller.spec) for at, roller in batch.changed_rollers.items()}
    return {(campaign_id, body) for campaign_id, body in specs if body}


def _save_rollers(batch: Batch) -> Queries[None]:
    rows = {at: roller_row(roller) for at, roller in sorted(batch.changed_rollers.items())}
    old = [{"at_id": batch.ids[at], **row} for at, row in rows.items() if at in batch.ids]
    yield Query(changing(schema.roller, "name", "spec_id", "memory", "epoch", "last"), old)
    new = [at for at in rows if at not in batch.ids]
    if new:
        yield Query(inserting(schema.roller), [{**at._asdict(), **rows[at]} for at in new])
        for row in (yield Query(_IDS, {"rollers": new})):
            batch.ids[RollerAt(row["campaign_id"], row["key"])] = row["id"]


def _save_memories(batch: Batch) -> Queries[None]:
    rows = [
        {
            "roller_id": batch.ids[at.roller],
            "epoch": at.epoch,
            "owner_id": at.owner_id,
            "value": print_json(memory),
        }
        for at, memory in sorted(batch.changed_memories.items())
    ]
    yield Query(replacing(schema.memory, "value"), rows)


def _save_hands(batch: Batch) -> Queries[None]:
    changed = sorted(batch.hands)
    if changed:
        yield Query(_DELETE_HANDS, {"cards": changed})
    rows = [{**at._asdict(), "user_id": user} for at in changed if (user := batch.hands[at]) is not None]
    yield Query(inserting(schema.hand), rows)


def roller_row(roller: Roller) -> dict[str, object]:
    """Return the columns of a roller's row but its key."""
    return {
        "name": roller.name,
        "spec_id": spec_id(roller.spec) if roller.spec else None,
        "memory": roller.memory.value,
        "epoch": roller.epoch,
        "last": roller.last,
    }


def save_ledgers(
    ledgers: Iterable[Ledger],
    events: Sequence[tuple[Event, Entered]],
    completed: Mapping[int, Mapping[HashPosition, bytes]],
    process: str | None = None,
) -> Queries[None]:
    """Save new events, whose replies the process owes, their ledgers, and new tile hashes by campaign."""
    rows = [write_event(event, entered, process) for event, entered in events]
    yield Query(inserting(schema.event), rows)
    heads = [_ledger_row(ledger) for ledger in ledgers]
    yield Query(changing(schema.campaign, "seq", "frontier", "newest", "unasked"), heads)
    tiles = [
        {"campaign_id": campaign_id, "level": spot.level, "place": spot.place, "hash": digest}
        for campaign_id, hashes in sorted(completed.items())
        for spot, digest in hashes.items()
    ]
    yield Query(inserting(schema.tile), tiles)


def save_appended(
    appended: Appended, event: Event | None = None, process: str | None = None
) -> Queries[None]:
    """Save an appended event, or another form of it, with its ledger."""
    ledger = appended.ledger
    completed = {ledger.campaign_id: appended.completed}
    events = [(event or appended.event, appended.entered)]
    yield from save_ledgers([ledger], events, completed, process)


def save_people(people: Mapping[PersonAt, bytes]) -> Queries[None]:
    """Save the keys of people new to a campaign."""
    rows = [{**at._asdict(), "secret": secret} for at, secret in sorted(people.items())]
    yield Query(inserting(schema.person), rows)


def _ledger_row(ledger: Ledger) -> dict[str, object]:
    frontier, pace = b"".join(ledger.tree.frontier), {"newest": ledger.newest, "unasked": ledger.unasked}
    return {"at_id": ledger.campaign_id, "seq": ledger.seq, "frontier": frontier, **pace}


def save_epochs(campaign_id: int, proof: ProofMode | None, epochs: tuple[Epoch, ...]) -> Queries[None]:
    """Replace a campaign's stored proof mode; None deletes it."""
    yield Query(_DELETE_EPOCH, {"campaign": campaign_id})
    if proof:
        yield Query(inserting(schema.epoch), epoch_row(campaign_id, proof, epochs))


def epoch_row(campaign_id: int, proof: ProofMode, epochs: Sequence[Epoch]) -> dict[str, object]:
    """Return the values of a campaign's row of proof mode."""
    first, message = (proof.keys[-1].first, proof.keys[-1].message) if proof.keys else (0, None)
    return {
        "campaign_id": campaign_id,
        "seq": proof.begun,
        "first": first,
        "message": message,
        "secrets": b"".join(epoch.secret for epoch in epochs),
        "known": print_keys(epochs),
        "host": proof.host,
        "drand": proof.drand,
    }


def save_hashes(epochs: Iterable[tuple[int, Epoch]]) -> Queries[None]:
    """Save the hashes of new keys, for exports and checks."""
    rows = [
        {"campaign_id": campaign_id, "seq": epoch.keys.begun, "hashes": b"".join(epoch.leaves())}
        for campaign_id, epoch in epochs
    ]
    yield Query(inserting(schema.keyhash), rows)


def cancel_departures(guild_ids: Iterable[int]) -> Queries[None]:
    """Mark these servers as joined, if they are stored as left."""
    yield Query(_CANCEL_DEPARTURES, {"guilds": sorted(guild_ids)})


def save_tallies(changes: Iterable[tuple[Event, int]]) -> Queries[None]:
    """Add the faces of rolls to the counts, or subtract them if the sign is -1."""
    counts: Counter[tuple[int, int, str, str]] = Counter()
    for event, sign in changes:
        user_id = NOBODY if event.player_id is None else event.player_id
        for (die, face), n in count(event).items():
            counts[event.campaign_id, user_id, die, face] += sign * n
    if rows := [(*key, n) for key, n in sorted(counts.items()) if n]:
        yield Query(ADD_COUNTS, {"rows": json.dumps(dict(enumerate(rows)))})
