"""A roll as Discord text: the result first, the dice behind it, and a small line with its provenance."""

from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.calls import Entry, entries
from bot.campaign.events import Event, Visibility
from bot.campaign.replay import Rolled, is_practice, memory_before
from bot.campaign.rolls import REGISTER
from bot.d100.register import Register
from bot.d100.ways import read_throw
from bot.dice.labels import Label
from bot.dice.system import Outcome
from bot.dice.terms import Which
from bot.systems.decks import Decks
from bot.systems.registry import load_spec
from cogs.kit.dice import dice, offers
from cogs.kit.systems import tag
from cogs.kit.text import MESSAGE_LIMIT, bits, code, cut, escape, fitted, listed, mention, number, seal

_RESULT_LIMIT = 1_900
_DICE_LIMIT = 900
_FACES_LIMIT = 400
_LEAST = 20
_NAME, _DICE = 32, 120
_NEW = "\n"
_KEPT = {Which.KEEP_HIGHEST: "the higher of", Which.KEEP_LOWEST: "the lower of"}
_TOLD = {
    Visibility.SELF: "only you see this",
    Visibility.GM: "you and the GM see this",
    Visibility.BLIND: "only the GM sees this",
}


def answer(rolled: Rolled, late: Sequence[Event]) -> str:
    """Return the reply to a roll, with a line for each earlier one whose reply was lost; three fit."""
    lines = "".join(f"\n{_late(event)}" for event in late)
    return result(rolled, min(_RESULT_LIMIT, MESSAGE_LIMIT - len(lines))) + lines


def revealed(rolled: Rolled, by: int) -> str:
    """Return the message that shows a hidden roll to everybody."""
    event = replace(rolled.event, visibility=Visibility.PUBLIC)
    whose = "a roll of their own" if by == event.user_id else f"{mention(event.user_id)}'s roll"
    return f"{mention(by)} reveals {whose}.\n{result(Rolled(event, rolled.outcomes))}"


def result(rolled: Rolled, limit: int = _RESULT_LIMIT) -> str:
    """Return the result, a line for each of several rolls, and the provenance.

    It has at most `limit` characters, which must be 1,200 or more.
    """
    event, outcomes = rolled.event, rolled.outcomes
    foot = f"-# {provenance(event)}"
    label = f"{code(event.label)} " if event.label else ""
    room = limit - len(foot) - len(label)
    system = load_spec(event.spec) if event.spec else None
    if isinstance(system, Decks):
        return f"{label}{offers(system, event.results, room)}\n{foot}"
    own = entries(event)
    if own[0].name:
        lines = [f"{code(e.name, _NAME)} {_line(o, '', _DICE)}" for e, o in zip(own, outcomes, strict=True)]
        few = [f"{code(e.name, _NAME)} **{cut(o.face, _DICE)}**" for e, o in zip(own, outcomes, strict=True)]
        whole = fitted([_NEW.join(lines), _NEW.join(few)], few, ", ", room)
        return _NEW.join(part for part in (label.strip(), whole, foot) if part)
    if said := made(own[0]):
        return f"{label}**{own[0].total}** ← {said}\n{foot}"
    if len(outcomes) == 1:
        return f"{label}{_line(outcomes[0], _sum(rolled, 0), min(_DICE_LIMIT, room))}\n{foot}"
    head = f"{label}**{listed([o.face for o in outcomes], _FACES_LIMIT)}**"
    share = min(_DICE_LIMIT, room - _FACES_LIMIT) // len(outcomes) - 8
    if share < _LEAST or not any(o.throw for o in outcomes):
        return f"{head}\n{foot}"
    lines = [f"{n}. {_line(o, _sum(rolled, n - 1), share)}" for n, o in enumerate(outcomes, start=1)]
    return "\n".join([head, *lines, foot])


def provenance(event: Event) -> str:
    """Return who rolled, the roller's tag, the event's number and seal, and the source of the bits."""
    parts = [number(event), seal(event), bits(event.source)]
    if is_practice(event):
        parts.insert(0, f"{code(event.roller)} for practice, no memory" if event.roller else "for practice")
    elif event.spec:
        system = load_spec(event.spec)
        named = "" if event.roller == REGISTER else f"{code(event.roller)} "
        parts.insert(0, named + escape(tag(system)))
    if event.user_id:
        parts.insert(0, mention(event.user_id))
    if event.visibility is not Visibility.PUBLIC:
        parts.append(_TOLD[event.visibility])
    return " · ".join(part for part in parts if part)


def hidden(event: Event) -> str:
    """Return what everybody sees of a roll that is hidden from them."""
    label = f" {code(event.label)}" if event.label else ""
    who = "for the GM's eyes" if event.visibility is Visibility.BLIND else "hidden"
    small = f"{number(event)} · {seal(event)} · {bits(event.source)}"
    return f"{mention(event.user_id)} rolled{label}, {who}.\n-# {small}"


def brief(event: Event, faces: int = 120, named: int = 60) -> str:
    """Return the faces and the dice, "**17** (`2d6+3`)", each cut to so many characters."""
    by_hand = f", {bits(event.source)}" if event.source is Label.PHYSICAL else ""
    return f"**{listed(event.results, faces)}** ({code(event.roller or event.text, named)}{by_hand})"


def made(entry: Entry) -> str:
    """Return what makes up a total of more than one face, "the higher of 14 and 3, +2"; else ""."""
    if entry.total is None:
        return ""
    parts: list[str] = []
    keep, plus = entry.event.detail.get("keep"), entry.event.detail.get("plus")
    if isinstance(keep, str) and len(entry.faces) > 1:
        parts.append(f"{_KEPT[Which(keep)]} {' and '.join(entry.faces)}")
    if isinstance(plus, int):
        parts = [*(parts or entry.faces), f"{plus:+}"]
    return ", ".join(parts)


def _line(outcome: Outcome, reading: str, room: int) -> str:
    """Return a result and its dice in about `room` characters."""
    if outcome.throw is None:
        return f"**{cut(outcome.face, room - 4)}**"
    result = f"**{cut(outcome.face, room // 2)}** ← "
    return f"{result}{dice(outcome.throw, room - len(result) - len(reading))}{reading}"


def _sum(rolled: Rolled, place: int) -> str:
    """Return how a register's dice are read and what they are added to; "" for any other system."""
    event, outcomes = rolled.event, rolled.outcomes
    system = load_spec(event.spec) if event.spec else None
    throw = outcomes[place].throw
    if not isinstance(system, Register) or throw is None:
        return ""
    if is_practice(event):
        before = 0
    else:
        before = int(outcomes[place - 1].face) % system.values if place else memory_before(event)[0]
    return f" reads {read_throw(throw):,}, added to {before}"


def _late(event: Event) -> str:
    shown = brief(event, 60, 40) if event.visibility is Visibility.PUBLIC else "a hidden roll"
    return (
        f"-# {number(event)} of {mention(event.user_id)}, <t:{int(event.time)}:t>: {shown}. "
        "It was rolled, but Discord did not take the reply."
    )
