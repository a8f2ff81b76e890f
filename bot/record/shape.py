"""What an event has to tell, and which ones nobody asked for. Source: docs/format.md, section 1.2."""

from bot.campaign.events import Rolled
from bot.campaign.kinds import Kind, Visibility
from bot.dice.draws import Source
from bot.record.lineage import Broken
from bot.record.lines import Told
from bot.systems.registry import load_spec

_OPEN = frozenset({Kind.COMMIT, Kind.SHOWN, Kind.SALT, Kind.UNCOMMIT, Kind.CUT})
"""Kinds that others hang on, and that name no roll: nothing but their person is ever closed."""
_UNASKED = frozenset({Kind.CLOSE, Kind.CUT, Kind.COMMIT, Kind.SHOWN, Kind.REVEAL})


def check_shape(told: Told) -> None:
    """Raise Broken where an event hides what it may not, or was asked for by nobody though somebody must."""
    seq, kind = told.seq, told.kind
    of_drand = kind is Kind.SALT and "drand" in (told.pub or {})
    if told.press is None and kind not in _UNASKED and not of_drand:
        raise Broken(seq, "was asked for by nobody")
    if kind in _OPEN and "what" in told.closed:
        raise Broken(seq, "is closed, and names no roll")
    if kind is Kind.ROLL:
        _check_roll(told)


def _check_roll(told: Told) -> None:
    public = told.visibility is Visibility.PUBLIC
    if public and "what" in told.closed and told.target is None:
        raise Broken(told.seq, "is public, and does not tell its result")
    body = told.event.body if told.event else None
    if not isinstance(body, Rolled):
        return
    if bool(body.thrown) is not (body.source is Source.PHYSICAL):
        raise Broken(told.seq, "was typed in, and does not say so")
    remembers = bool(body.spec) and load_spec(body.spec).has_state
    if public and "how" in told.closed and not remembers:
        raise Broken(told.seq, "does not tell how it came about, and has no memory that it could tell")
