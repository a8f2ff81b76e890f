"""Turns that all processes share: who may do now what may be done only so often in all.

Times are milliseconds since 1970. One that is further ahead than anybody waits was kept by a clock that was
wrong, and counts for nothing.
"""

from sqlalchemy import bindparam, case, select, update

from bot.storage import schema
from bot.storage.asking import Piece, ask, insert_or

_turn = schema.turn.c
_keep = insert_or(schema.turn)
_past = (_turn.next_at <= bindparam("now")) | (_turn.next_at > bindparam("horizon"))
_TAKE = _keep.on_conflict_do_update(
    index_elements=["name"], set_={"next_at": _keep.excluded.next_at}, where=_past
).returning(_turn.failures)
_LOOK = select(schema.turn).where(_turn.name == bindparam("its_name"))
_SET = (
    update(schema.turn)
    .where(_turn.name == bindparam("its_name"))
    .values(next_at=bindparam("at"), failures=bindparam("failed"))
)
_QUEUE = _keep.on_conflict_do_update(
    index_elements=["name"],
    set_={"next_at": case((_past, _keep.excluded.next_at), else_=_turn.next_at + bindparam("step"))},
).returning(_turn.next_at)


def take(name: str, now: int, until: int, horizon: int) -> Piece[tuple[int, int]]:
    """Take a turn until a time, if it is free; return when it is free (`now` if it was) and its failures."""
    new = {"name": name, "next_at": until, "failures": 0}
    if rows := (yield ask(_TAKE, {**new, "now": now, "horizon": horizon})):
        return now, rows[0]["failures"]
    (row,) = yield ask(_LOOK, {"its_name": name})
    return row["next_at"], row["failures"]


def give_back(name: str, at: int, failures: int) -> Piece[None]:
    """Say from when on a turn may be taken again."""
    yield ask(_SET, {"its_name": name, "at": at, "failed": failures})


def queue_up(name: str, now: int, step: int, horizon: int) -> Piece[int]:
    """Take the next free place of a queue that moves on every `step`; return its time."""
    new = {"name": name, "next_at": now + step, "failures": 0}
    (row,) = yield ask(_QUEUE, {**new, "now": now, "horizon": horizon, "step": step})
    return row["next_at"] - step
