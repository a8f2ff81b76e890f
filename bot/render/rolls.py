"""A roll as Discord's text: the result first, the dice behind it, and one small line of provenance."""

from collections.abc import Sequence
from dataclasses import replace

from bot.core.chain import short
from bot.core.events import Event, Visibility
from bot.core.labels import Label
from bot.core.replay import Rolled, memory_before
from bot.core.requests.rolls import REGISTER
from bot.core.systems.register import Register
from bot.core.systems.registry import load_spec
from bot.core.systems.system import Outcome
from bot.core.throws import Throw
from bot.render.systems import tag
from bot.render.throws import dice

MESSAGE_LIMIT = 2_000
_DICE_LIMIT = 900
_SOURCES = {
    Label.TRUE: "true-random bits",
    Label.HALF: "half true-random bits",
    Label.LOCAL: "local bits",
    None: "",
}
_TOLD = {
    Visibility.SELF: "only you see this",
    Visibility.GM: "you and the GM see this",
    Visibility.BLIND: "only the GM sees this",
}


def answer(rolled: Rolled, late: Sequence[Event]) -> str:
    """The reply to a roll, with a line for each earlier one whose reply was lost, as far as there is room."""
    text = result(rolled)
    for line in map(_late, late):
        if len(text) + len(line) < MESSAGE_LIMIT:
            text += f"\n{line}"
    return text


def revealed(rolled: Rolled, by: int) -> str:
    """A hidden roll, shown to everybody."""
    event = replace(rolled.event, visibility=Visibility.PUBLIC)
    return f"<@{by}> reveals <@{event.user_id}>'s roll.\n{result(Rolled(event, rolled.outcomes))}"


def result(rolled: Rolled) -> str:
    """One line of result for each roll, and the provenance."""
    event, outcomes = rolled.event, rolled.outcomes
    label = f"`{event.label}` " if event.label else ""
    if len(outcomes) == 1:
        lines = [label + _line(outcomes[0], event, _DICE_LIMIT)]
    else:
        head = f"{label}**{' · '.join(o.face for o in outcomes)}**"
        room = _DICE_LIMIT // len(outcomes)
        lines = [head, *(f"{n}. {_line(o, event, room)}" for n, o in enumerate(outcomes, start=1))]
    return "\n".join([*lines, f"-# {provenance(event)}"])


def provenance(event: Event) -> str:
    """Who rolled, the roller's tag, the number, the head's first characters and the source of the bits."""
    parts = [number(event), f"`{short(event.head)}`", _SOURCES[event.source]]
    if event.spec:
        system = load_spec(event.spec)
        named = "" if event.roller == REGISTER else f"`{event.roller}` "
        parts.insert(0, named + tag(system))
    if event.user_id:
        parts.insert(0, f"<@{event.user_id}>")
    if event.visibility is not Visibility.PUBLIC:
        parts.append(_TOLD[event.visibility])
    return " · ".join(part for part in parts if part)


def number(event: Event) -> str:
    """The event's number as people cite it."""
    return f"#{event.seq}"


def hidden(event: Event) -> str:
    """What everybody sees of a roll that is hidden from them."""
    label = f" `{event.label}`" if event.label else ""
    who = "for the GM's eyes" if event.visibility is Visibility.BLIND else "hidden"
    seal = f"{number(event)} · `{short(event.head)}` · {_SOURCES[event.source]}"
    return f"<@{event.user_id}> rolled{label}, {who}.\n-# {seal}"


def brief(event: Event) -> str:
    """The faces alone, e.g. "**17** (2d6+3)"."""
    faces = " · ".join(event.results)
    return f"**{_cut(faces, 120)}** ({_cut(what(event), 60)})"


def what(event: Event) -> str:
    """What was rolled: the notation, or the roller's name."""
    return f"`{event.roller}`" if event.roller else f"`{event.text}`"


def _line(outcome: Outcome, event: Event, room: int) -> str:
    if outcome.throw is None:
        return f"**{outcome.face}**"
    return f"**{outcome.face}** ← {dice(outcome.throw, room)}{_logged(outcome.throw, event)}"


def _logged(throw: Throw, event: Event) -> str:
    """How the register's dice are read, and what they are added to."""
    system = load_spec(event.spec) if event.spec else None
    if not isinstance(system, Register):
        return ""
    return f" reads {throw.read_digits():,}, added to {memory_before(event)[0]}"


def _late(event: Event) -> str:
    shown = brief(event) if event.visibility is Visibility.PUBLIC else "a hidden roll"
    return (
        f"-# {number(event)} of <@{event.user_id}>, <t:{int(event.time)}:t>: {shown}. "
        "It was rolled, but Discord did not take the reply."
    )


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
