"""What is said about resets that concern several rollers."""

from collections.abc import Sequence

from bot.campaign.events import Event
from bot.campaign.rollers import Roller
from bot.record.chain import short
from bot.render.escaping import code, mention
from bot.render.rolls import number

_SHOWN = 20


def confirm(rollers: Sequence[Roller], scope: str) -> str:
    """What would be reset, before it is."""
    where = "" if scope == "roller" else f" of this {scope}"
    return (
        f"Reset {_named([roller.name for roller in rollers])}{where}? They forget every roll so far, for "
        "everybody. The history stays, and the reset can be undone."
    )


def done(events: Sequence[Event]) -> str:
    """Says openly who reset what, and why."""
    first, last = events[0], events[-1]
    numbers = number(first) if first is last else f"{number(first)} to {number(last)}"
    why = f" Why: {code(first.label)}." if first.label else ""
    names = _named([event.roller for event in events])
    return f"{mention(first.user_id)} reset {names}: a fresh start.{why}\n-# {numbers} · `{short(last.head)}`"


def taken_back(events: Sequence[Event]) -> str:
    """Says openly who took a reset back."""
    names = _named([event.roller for event in events])
    small = f"-# {number(events[-1])} · `{short(events[-1].head)}`"
    return f"{mention(events[0].user_id)} undid the reset of {names}.\n{small}"


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(code(name) for name in names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown
