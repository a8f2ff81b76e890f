"""Rate limits shared by all processes: one process at a time takes a lease, and only when it is due.

Times are milliseconds since 1970. A time beyond the horizon was written by a wrong clock and is ignored.
Leases outlive a process, so that a restart makes no request sooner.
"""

import time
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import bindparam, case, delete, select

from bot.dice.errors import Unavailable
from bot.storage import schema
from bot.storage.engine import Database, transact
from bot.storage.queries import Queries, Query, changing, execute, insert_or
from bot.times import DAY

_LEASE_SECONDS = 300
"""Time until a source may be asked again if the process that asked it dies."""
_HORIZON_SECONDS = 2 * DAY
IDENTIFY_SECONDS = 5
"""Discord lets one shard of each bucket identify itself in this time."""
_RETRY_SECONDS = 60

_turn = schema.turn.c
_insertion = insert_or(schema.turn)
_is_free = (_turn.next_at <= bindparam("now")) | (_turn.next_at > bindparam("horizon"))
_TAKE = _insertion.on_conflict_do_update(
    index_elements=["name"], set_={"next_at": _insertion.excluded.next_at}, where=_is_free
).returning(_turn.failures)
_FIND = select(schema.turn).where(_turn.name == bindparam("its_name"))
_GIVE_BACK = changing(schema.turn, "next_at", "failures")
# A lease without a row is free and has no failures; an expired row without failures means the same.
_TIDY = delete(schema.turn).where(_turn.next_at < bindparam("before"), _turn.failures == 0)
_QUEUE = _insertion.on_conflict_do_update(
    index_elements=["name"],
    set_={"next_at": case((_is_free, _insertion.excluded.next_at), else_=_turn.next_at + bindparam("step"))},
).returning(_turn.next_at)


def take(name: str, now: int, until: int, horizon: int) -> Queries[tuple[int, int]]:
    """Take a lease until a time if it is free; return when it is free (`now` if it was) and its failures."""
    new = {"name": name, "next_at": until, "failures": 0}
    if rows := (yield Query(_TAKE, {**new, "now": now, "horizon": horizon})):
        return now, rows[0]["failures"]
    (row,) = yield Query(_FIND, {"its_name": name})
    return row["next_at"], row["failures"]


def queue_up(name: str, now: int, step: int, horizon: int) -> Queries[int]:
    """Take the next free slot of a queue with one slot every `step`; return its time."""
    new = {"name": name, "next_at": now + step, "failures": 0}
    (row,) = yield Query(_QUEUE, {**new, "now": now, "horizon": horizon, "step": step})
    return row["next_at"] - step


class Leases:
    """Takes leases; `clock` returns seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def take(self, name: str) -> tuple[float, int]:
        """Take a source's lease; return the seconds until it may be asked and its failures in a row."""
        now = self._clock()
        times = (_ms(now), _ms(now + _LEASE_SECONDS), _ms(now + _HORIZON_SECONDS))
        with suppress(Unavailable):
            at, failures = await transact(self._database, take(f"source:{name}", *times))
            return max(0.0, at / 1000 - now), failures
        return _RETRY_SECONDS, 0

    async def give_back(self, name: str, seconds: float, failures: int) -> None:
        """Set in how many seconds a source may be asked again."""
        lease = {"at_name": f"source:{name}", "next_at": _ms(self._clock() + seconds), "failures": failures}
        with suppress(Unavailable):  # then the lease ends by itself
            await transact(self._database, execute(_GIVE_BACK, lease))

    async def tidy(self) -> None:
        """Delete leases that have been free for a day; many of them are never taken again."""
        await transact(self._database, execute(_TIDY, {"before": _ms(self._clock() - DAY)}))

    async def identify(self, bucket: int) -> float:
        """Take the next slot for a shard's identification; return the seconds until it."""
        now = self._clock()
        step, horizon = IDENTIFY_SECONDS * 1000, _ms(now + _HORIZON_SECONDS)
        with suppress(Unavailable):  # a bot that can only read still starts
            at = await transact(self._database, queue_up(f"identify:{bucket}", _ms(now), step, horizon))
            return max(0.0, at / 1000 - now)
        return IDENTIFY_SECONDS


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
