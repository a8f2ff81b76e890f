"""The history as text, a line of at most 198 characters for each event, the newest first."""

from collections.abc import Sequence

from bot.core.events import Event, Kind
from bot.core.histories import Entry
from bot.render.escaping import code, escape, mention
from bot.render.rolls import brief, number

EMPTY = "Nothing here yet. `/roll 2d6` makes a start."
_LABEL_SHOWN, _FACES_SHOWN, _NAME_SHOWN = 20, 50, 30
_DEEDS = {
    Kind.ROLL: "rolled {about}",
    Kind.MAKE: "made or tuned {about}",
    Kind.RESET: "reset {about}",
    Kind.REMOVE: "removed {about}",
    Kind.UNDO: "undid #{target}",
    Kind.REVEAL: "revealed #{target}",
    Kind.SESSION: "session: {about}",
    Kind.CREATE: "made the campaign {about}",
    Kind.USE: "plays it in <#{channel}>",
    Kind.RENAME: "named the campaign {about}",
    Kind.ARCHIVE: "archived the campaign",
    Kind.MASTER: "named or dismissed a game master",
    Kind.RULES: "changed the rules",
    Kind.ERASE: "was taken out of the history",
}


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
    line = f"~~{line}~~ (undone)" if entry.undone else line
    return f"{line} (burst)" if entry.burst else line


def _deed(event: Event) -> str:
    about = code(event.roller or event.text) if event.roller or event.text else ""
    deed = _DEEDS[event.kind].format(about=about, target=event.target, channel=event.channel_id)
    return f"{deed}: {escape(event.text)}" if event.kind is Kind.RESET and event.text else deed
