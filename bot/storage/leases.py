"""Leases that all processes share: one process at a time does a thing, and only when it is due.

Times are milliseconds since 1970. One that is further ahead than anybody waits was kept by a clock that was
wrong, and counts for nothing. Leases outlive a process: whoever restarts asks nobody sooner for it.
"""

import time
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import bindparam, case, delete, select

from bot.dice.errors import Unavailable
from bot.storage import schema
from bot.storage.engine import Database, work
from bot.storage.queries import Queries, Query, changing, execute, insert_or
from bot.times import DAY

_LEASE_SECONDS = 300
"""Seconds that a source is left alone if whoever asked it dies."""
_HORIZON_SECONDS = 2 * DAY
_IDENTIFY_SECONDS = 5
_AGAIN_SECONDS = 60

_turn = schema.turn.c
_keep = insert_or(schema.turn)
_past = (_turn.next_at <= bindparam("now")) | (_turn.next_at > bindparam("horizon"))
_TAKE = _keep.on_conflict_do_update(
    index_elements=["name"], set_={"next_at": _keep.excluded.next_at}, where=_past
).returning(_turn.failures)
_LOOK = select(schema.turn).where(_turn.name == bindparam("its_name"))
_SET = changing(schema.turn, "next_at", "failures")
# Without a row a lease is free and nothing failed: what a row says that is over says the same.
_TIDY = delete(schema.turn).where(_turn.next_at < bindparam("before"), _turn.failures == 0)
_QUEUE = _keep.on_conflict_do_update(
    index_elements=["name"],
    set_={"next_at": case((_past, _keep.excluded.next_at), else_=_turn.next_at + bindparam("step"))},
).returning(_turn.next_at)


def take(name: str, now: int, until: int, horizon: int) -> Queries[tuple[int, int]]:
    """Take a lease until a time, if it is free; return when it is free (`now` if it was) and its failures."""
    new = {"name": name, "next_at": until, "failures": 0}
    if rows := (yield Query(_TAKE, {**new, "now": now, "horizon": horizon})):
        return now, rows[0]["failures"]
    (row,) = yield Query(_LOOK, {"its_name": name})
    return row["next_at"], row["failures"]


def give_back(name: str, at: int, failures: int) -> Queries[None]:
    """Say from when on a lease may be taken again."""
    yield Query(_SET, {"at_name": name, "next_at": at, "failures": failures})


def queue_up(name: str, now: int, step: int, horizon: int) -> Queries[int]:
    """Take the next free place of a queue that moves on every `step`; return its time."""
    new = {"name": name, "next_at": now + step, "failures": 0}
    (row,) = yield Query(_QUEUE, {**new, "now": now, "horizon": horizon, "step": step})
    return row["next_at"] - step


class Leases:
    """Takes leases; `clock` gives seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def take(self, name: str) -> tuple[float, int]:
        """Take a source's lease; return the seconds until it may be asked and its failures in a row."""
        now = self._clock()
        times = (_ms(now), _ms(now + _LEASE_SECONDS), _ms(now + _HORIZON_SECONDS))
        with suppress(Unavailable):
            at, failures = await work(self._database, take(f"source:{name}", *times))
            return max(0.0, at / 1000 - now), failures
        return _AGAIN_SECONDS, 0

    async def give_back(self, name: str, seconds: float, failures: int) -> None:
        """Say in how many seconds a source may be asked again."""
        at = _ms(self._clock() + seconds)
        with suppress(Unavailable):  # it is left alone until the lease ends
            await work(self._database, give_back(f"source:{name}", at, failures))

    async def tidy(self) -> None:
        """Forget leases that have been free for a day, many of which nobody ever takes again."""
        await work(self._database, execute(_TIDY, {"before": _ms(self._clock() - DAY)}))

    async def identify(self, bucket: int) -> float:
        """Queue up for a shard's identification; return for how many seconds it has to wait."""
        now = self._clock()
        step, horizon = _IDENTIFY_SECONDS * 1000, _ms(now + _HORIZON_SECONDS)
        with suppress(Unavailable):  # what can be read is still answered
            at = await work(self._database, queue_up(f"identify:{bucket}", _ms(now), step, horizon))
            return max(0.0, at / 1000 - now)
        return _IDENTIFY_SECONDS


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
