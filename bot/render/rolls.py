"""A roll as Discord's text: the result first, the dice behind it, and one small line of provenance."""

from bot.core.chain import short
from bot.core.events import Event, Visibility
from bot.core.labels import Label
from bot.core.systems.registry import load_spec
from bot.core.systems.system import Outcome
from bot.render.systems import tag
from bot.render.throws import dice
from bot.services.rolling import Answer, Rolled

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


def answer(given: Answer) -> str:
    """The reply to a roll, with a line for each earlier roll whose reply was lost."""
    lines = [result(given.rolled), *(_late(rolled) for rolled in given.late)]
    return "\n".join(lines)[:MESSAGE_LIMIT]


def result(rolled: Rolled) -> str:
    """One line of result for each roll, and the provenance."""
    event, outcomes = rolled.event, rolled.outcomes
    label = f"`{event.label}` " if event.label else ""
    if len(outcomes) == 1:
        lines = [label + _line(outcomes[0], event, _DICE_LIMIT)]
    else:
        head = f"{label}**{' · '.join(_face(o) for o in outcomes)}**"
        room = _DICE_LIMIT // len(outcomes)
        lines = [head, *(f"{n}. {_line(o, event, room)}" for n, o in enumerate(outcomes, start=1))]
    return "\n".join([*lines, f"-# {provenance(event)}"])


def provenance(event: Event) -> str:
    """The roller's tag, the number, the head's first characters and the source of the bits."""
    parts = [number(event), f"`{short(event.head)}`", _SOURCES[event.source]]
    if event.spec:
        parts.insert(0, f"`{event.roller}` {tag(load_spec(event.spec))}")
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
    return f"<@{event.user_id}> rolled{label}, {who}.\n-# {number(event)} · `{short(event.head)}` · {_SOURCES[event.source]}"


def brief(event: Event) -> str:
    """The faces alone, e.g. "**17** (2d6+3)"."""
    faces = " · ".join(event.results)
    return f"**{_cut(faces, 120)}** ({_cut(what(event), 60)})"


def what(event: Event) -> str:
    """What was rolled: the notation, or the roller's name."""
    return f"`{event.roller}`" if event.roller else f"`{event.text}`"


def _line(outcome: Outcome, event: Event, room: int) -> str:
    shown = dice(outcome.throw, room) if outcome.throw else ""
    return f"**{_face(outcome)}**" + (f" ← {shown}" if shown else f" ← {what(event)}" if not event.spec else "")


def _face(outcome: Outcome) -> str:
    return outcome.face


def _late(rolled: Rolled) -> str:
    event = rolled.event
    result = brief(event) if rolled.outcomes else "a hidden roll"
    return (
        f"-# {number(event)} of <@{event.user_id}>, <t:{int(event.time)}:t>: {result}. "
        "It was rolled, but Discord did not take the reply."
    )


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
