"""The words of /history: a line of at most 198 characters for each event, the newest first."""

from collections.abc import Sequence

from bot.campaign.cuts import Beginning
from bot.campaign.events import Event, Kind
from bot.campaign.histories import Entry
from cogs.kit.rolls import brief
from cogs.kit.text import MESSAGE_LIMIT, code, escape, mention, number

EMPTY = "Nothing here yet. `/roll 2d6` makes a start."
_LABEL_SHOWN, _FACES_SHOWN, _NAME_SHOWN = 20, 50, 30
_FEWER_FACES = 30
"""The limit where one more line must fit."""
_DEEDS = {
    Kind.ROLL: "rolled {about}",
    Kind.MAKE: "made or tuned {about}",
    Kind.RESET: "reset {about}",
    Kind.REMOVE: "removed {about}",
    Kind.UNDO: "undid #{target}",
    Kind.REVEAL: "revealed #{target}",
    Kind.SESSION: "session: {about}",
    Kind.CALL: "called for {about}",
    Kind.CLOSE: "closed the call #{target}",
    Kind.REOPEN: "reopened the call #{target}",
    Kind.CANCEL: "cancelled the call #{target}",
    Kind.CREATE: "made the campaign {about}",
    Kind.USE: "plays it in <#{channel}>",
    Kind.RENAME: "named the campaign {about}",
    Kind.ARCHIVE: "archived the campaign",
    Kind.MASTER: "named or dismissed a game master",
    Kind.RULES: "changed the rules",
    Kind.ERASE: "was taken out of the history",
    Kind.CUT: "removed the events up to #{target}",
}


def page(entries: Sequence[Entry], beginning: Beginning | None = None) -> str:
    """Return one page; the last one says where the history begins, if its old part was removed."""
    if beginning is None:
        return "\n".join(map(_line, entries)) or EMPTY
    text = _beginning(beginning)
    whole = "\n".join([*map(_line, entries), text])
    if len(whole) <= MESSAGE_LIMIT:
        return whole
    return "\n".join([*(_line(entry, _FEWER_FACES) for entry in entries), text])


def _beginning(beginning: Beginning) -> str:
    cut = beginning.cut
    return (
        f"-# Events up to #{cut.upto:,} were removed on <t:{int(beginning.time)}:D> by the campaign's "
        f"retention of {cut.days:,} days."
    )


def _line(entry: Entry, faces: int = _FACES_SHOWN) -> str:
    event = entry.event
    text = _deed(event)
    if event.kind is Kind.ROLL:
        text = brief(event, faces, _NAME_SHOWN) if entry.visible else "*hidden*"
    label = f" {code(event.label, _LABEL_SHOWN)}" if event.label else ""
    who = "Evenhand" if event.kind is Kind.CUT else mention(event.user_id)
    line = f"{number(event)} · <t:{int(event.time)}:t> · {who} ·{label} {text}"
    line = f"~~{line}~~ (undone)" if entry.undone else line
    return f"{line} (burst)" if entry.burst else line


def _deed(event: Event) -> str:
    about = code(event.roller or event.text) if event.roller or event.text else ""
    deed = _DEEDS[event.kind].format(about=about, target=event.target, channel=event.channel_id)
    return f"{deed}: {escape(event.text)}" if event.kind is Kind.RESET and event.text else deed
