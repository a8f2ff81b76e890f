"""Fill a history with copies of recorded events, for benchmarks that need a long one."""

from collections.abc import Sequence
from typing import TypeAlias

from sqlalchemy import func, insert, select, update

from bot.campaign.events import Event
from bot.record.hashing import Keys
from bot.record.ledger import enter
from bot.storage import schema
from bot.storage.queries import Queries, Query
from bot.storage.rows import write_event

_KEYS = Keys(bytes(32), bytes(32))
_AT_ONCE = 10_000
Copied: TypeAlias = dict[str, object]
"""An event as a row of the table."""


def copied(event: Event) -> Copied:
    """Return an event as a row; it must not be the first, which alone names the log."""
    return dict(write_event(event, enter(event, _KEYS)))


def fill(rows: Sequence[Copied], after: int, upto: int, first: int, apart: int) -> Queries[None]:
    """Copy the rows in turn, numbered from `after` + 1 up to `upto`.

    Number n is asked for by the interaction `first` + n * `apart`.
    """
    batch: list[Copied] = []
    for seq in range(after + 1, upto + 1):
        batch.append(rows[seq % len(rows)] | {"seq": seq, "interaction_id": first + seq * apart})
        if len(batch) == _AT_ONCE or seq == upto:
            yield Query(insert(schema.event), batch)
            batch = []
    # Nobody looks at the hashes here, but a tree of so many events has so many of them.
    yield Query(update(schema.campaign).values(seq=upto, frontier=bytes(32 * upto.bit_count())))
    ((existing,),) = yield Query(select(func.count()).select_from(schema.event))
    assert existing == upto
