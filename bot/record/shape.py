"""Check which parts of an event may be closed, and which events nobody asked for.

Source: docs/format.md, section 1.2.
"""

import json

from bot.campaign.events import Rolled
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.rolled import OfDice
from bot.dice.draws import Source
from bot.record.findings import Broken
from bot.record.lines import EventRecord
from bot.systems.registry import SYSTEMS

_OPEN = frozenset({Kind.COMMIT, Kind.SHOWN, Kind.SALT, Kind.UNCOMMIT, Kind.CUT, Kind.RESTORED})
"""Kinds that later events depend on, and that name no roll: only their person is ever closed."""
_UNASKED = frozenset({Kind.CLOSE, Kind.CUT, Kind.RESTORED, Kind.COMMIT, Kind.SHOWN, Kind.REVEAL})


def check_shape(record: EventRecord, *, hidden_call: bool) -> None:
    """Raise Broken if an event closes a part that it may not, or lacks the person who asked for it."""
    seq, kind = record.seq, record.kind
    if (
        record.press is None
        and kind not in _UNASKED
        and not (kind is Kind.RULES and seq == 1)
        and not (kind is Kind.SALT and "drand" in (record.pub or {}))
    ):
        raise Broken(seq, "#{number} was asked for by nobody.")
    if kind in _OPEN and "what" in record.closed:
        raise Broken(seq, "#{number} is closed, and names no roll.")
    if kind is Kind.RESTORED and (record.press or record.pub != {"last": seq - 1}):
        raise Broken(seq, "#{number} does not say that the history was put back to the event before it.")
    if kind is Kind.ROLL:
        _check_roll(record, hidden_call=hidden_call)


def _check_roll(record: EventRecord, *, hidden_call: bool) -> None:
    public = record.visibility is Visibility.PUBLIC
    if public and "what" in record.closed and not hidden_call:
        raise Broken(record.seq, "#{number} is public, and does not tell its result.")
    body = record.event.body if record.event else None
    if not isinstance(body, Rolled):
        return
    if not body.results:
        raise Broken(record.seq, "#{number} has no results.")
    if bool(body.thrown) is not (body.source is Source.PHYSICAL):
        raise Broken(record.seq, "#{number} was typed in, and does not say so.")
    count, chosen = len(body.results), [*body.again]
    counts = {count, 1 if body.keep else count}
    if body.hand and record.visibility is not Visibility.SELF:
        raise Broken(record.seq, "#{number} is of a hand, and seen by others than it may be.")
    of_dice = isinstance(body.of, OfDice)
    if (body.hand or body.offer) and (body.hand == body.offer or of_dice or (body.hand and count != 1)):
        raise Broken(record.seq, "#{number} is of a hand, and not as it should be.")
    if (body.rest or body.added) and (of_dice or not body.rest or len(body.added) not in counts):
        raise Broken(record.seq, "#{number} has dice beside no roller.")
    if (chosen or body.stood) and not (
        body.pushes
        and not of_dice
        and (body.stood or "how" in record.closed)
        and chosen == sorted({*chosen})
        and min([*chosen, *(face for pool in body.stood for die in pool for face in die)], default=0) >= 0
    ):
        raise Broken(record.seq, "#{number} chooses dice that are not there.")
    if public and "how" in record.closed and not _remembers(body.spec):
        raise Broken(
            record.seq, "#{number} does not tell how it came about, and has no memory that it could tell."
        )


def _remembers(spec: str) -> bool:
    """Return whether a rule has a memory, by the name of its system; the rule itself is not parsed."""
    try:
        match json.loads(spec):
            case {"system": str(name)}:
                return name in SYSTEMS and SYSTEMS[name].has_state
            case _:
                return False
    except (ValueError, RecursionError):
        return False
