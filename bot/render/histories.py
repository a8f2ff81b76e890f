"""The history as text, a line of at most 190 characters for each event, the newest first."""

from collections.abc import Sequence

from bot.core.events import Event, Kind
from bot.core.histories import Entry
from bot.render.escaping import code, mention
from bot.render.rolls import brief, number

EMPTY = "Nothing here yet. `/roll 2d6` makes a start."
_LABEL_SHOWN, _FACES_SHOWN, _NAME_SHOWN = 20, 50, 30


def page(entries: Sequence[Entry]) -> str:
    """One page, or a word for an empty one."""
    return "\n".join(map(_line, entries)) or EMPTY


def _line(entry: Entry) -> str:
    event = entry.event
    text = _deed(event)
    if event.kind is Kind.ROLL:
        text = brief(event, _FACES_SHOWN, _NAME_SHOWN) if entry.visible else "*hidden*"
    label = f" {code(event.label, _LABEL_SHOWN)}" if event.label else ""
    line = f"{number(event)} · <t:{int(event.time)}:t> · {mention(event.user_id)} ·{label} {text}"
    return f"~~{line}~~ (undone)" if entry.undone else line


def _deed(event: Event) -> str:
    match event.kind:
        case Kind.MAKE:
            return f"made or tuned {code(event.roller)}"
        case Kind.RESET:
            return f"reset {code(event.roller)}" + (f": {event.text}" if event.text else "")
        case Kind.REMOVE:
            return f"removed {code(event.roller)}"
        case Kind.UNDO:
            return f"undid #{event.target}"
        case _:
            return f"revealed #{event.target}"
