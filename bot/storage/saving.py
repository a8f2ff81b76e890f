"""Saves what a batch changed, in a number of statements that does not depend on the number of jobs."""

from collections.abc import Iterable

from sqlalchemy import bindparam, insert, select, tuple_, update

from bot.storage import schema
from bot.storage.asking import Piece, ask, insert_or
from bot.storage.batch import Batch, EventAt, RollerAt
from bot.storage.ledgers import save_epoch, save_hashes, save_ledgers, save_people
from bot.storage.places import save_places
from bot.storage.rows import print_json, spec_id, spec_of
from bot.storage.servers import cancel_departures
from bot.storage.tallies import save_tallies

_KEEP_SPECS = insert_or(schema.spec).on_conflict_do_nothing(index_elements=["id"])
_MAKE_ROLLERS = insert(schema.roller)
_roller_at = (schema.roller.c.campaign_id, schema.roller.c.key)
_IDS = select(schema.roller.c.id, *_roller_at).where(
    tuple_(*_roller_at).in_(bindparam("rollers", expanding=True))
)
_CHANGE_ROLLERS = (
    update(schema.roller)
    .where(schema.roller.c.id == bindparam("row"))
    .values({name: bindparam(name) for name in ("name", "spec_id", "memory", "epoch", "last")})
)
_insert_memory = insert_or(schema.memory)
_KEEP_MEMORIES = _insert_memory.on_conflict_do_update(
    index_elements=["roller_id", "epoch", "owner_id"], set_={"value": _insert_memory.excluded.value}
)
_SETTLE = (
    update(schema.event)
    .where(
        schema.event.c.campaign_id == bindparam("its_campaign"), schema.event.c.seq == bindparam("its_seq")
    )
    .values(owed=None)
)


def save_batch(batch: Batch, process: str, known_specs: set[str]) -> Piece[set[str]]:
    """Save everything that a batch changed, but for specs that are known to be there; returns the others."""
    new_specs = _specs(batch) - known_specs
    yield from _save_specs(new_specs)
    yield from _save_rollers(batch)
    yield from _save_memories(batch)
    yield from save_tallies(batch.counted)
    yield from save_people(batch.new_people)
    moved = sorted({event.campaign_id for event, _ in batch.appended})
    yield from save_ledgers([batch.ledgers[one] for one in moved], batch.appended, batch.completed, process)
    for campaign_id in sorted(batch.changed_epochs):
        yield from save_epoch(campaign_id, batch.proofs[campaign_id], batch.ledgers[campaign_id].epoch)
    yield from save_hashes(batch.new_epochs)
    yield from save_places(batch.places)
    if batch.left:
        yield from cancel_departures(batch.servers)
    return new_specs


def settle(replied: Iterable[EventAt]) -> Piece[None]:
    """Note that the replies of rolls are confirmed."""
    rows = [{"its_campaign": at.campaign_id, "its_seq": at.seq} for at in sorted(replied)]
    if rows:
        yield ask(_SETTLE, rows)


def _specs(batch: Batch) -> set[str]:
    rollers = (batch.rollers[at] for at in batch.changed_rollers)
    specs = {spec_of(event) for event, _ in batch.appended} | {roller.spec for roller in rollers if roller}
    return specs - {""}


def _save_specs(bodies: Iterable[str]) -> Piece[None]:
    rows = sorted((spec_id(body), body) for body in bodies)
    if rows:
        yield ask(_KEEP_SPECS, [{"id": key, "body": body} for key, body in rows])


def _save_rollers(batch: Batch) -> Piece[None]:
    changed = sorted(batch.changed_rollers)
    there = [{"row": batch.ids[at], **_roller_row(batch, at)} for at in changed if at in batch.ids]
    if there:
        yield ask(_CHANGE_ROLLERS, there)
    new = [at for at in changed if at not in batch.ids]
    if new:
        yield ask(_MAKE_ROLLERS, [{**at._asdict(), **_roller_row(batch, at)} for at in new])
        for row in (yield ask(_IDS, {"rollers": new})):
            batch.ids[RollerAt(row["campaign_id"], row["key"])] = row["id"]


def _save_memories(batch: Batch) -> Piece[None]:
    rows = [
        {
            "roller_id": batch.ids[at.roller],
            "epoch": at.epoch,
            "owner_id": at.owner_id,
            "value": print_json(batch.memories[at] or ()),
        }
        for at in sorted(batch.changed_memories)
    ]
    if rows:
        yield ask(_KEEP_MEMORIES, rows)


def _roller_row(batch: Batch, at: RollerAt) -> dict[str, object]:
    roller = batch.rollers[at]
    if roller is None:
        raise AssertionError("a roller is never unmade, only removed")
    return {
        "name": roller.name,
        "spec_id": spec_id(roller.spec) if roller.spec else None,
        "memory": roller.memory.value,
        "epoch": roller.epoch,
        "last": roller.last,
    }
