"""The words of /export."""

from bot.campaign.imports import Brought, Left
from bot.services.exports import Export
from bot.words.systems import tag
from bot.words.text import code, cut, footing, footnote, lines_within, listed, mention, plural

_LIMIT = 1_200
_NAME, _WHY, _NAMES = 40, 200, 600
_CHECK = "Anyone can check it: `python -m bot verify` replays it and needs no Discord."
_STAYS = "-# What rollers remember, settings and the history stay where they are."


def progress(done: int, of: int) -> str:
    """Return how many events of how many are written."""
    return f"Writing: {done:,} of {of:,} …"


def exported(export: Export, form: str, number: int) -> str:
    """Return the text beside a file; the first one says what is in the export and how to use it."""
    hidden, of = export.hidden, len(export.files)
    part = f"Part {number} of {of}." if of > 1 else ""
    if number > 1:
        return part
    history = f"The history: {plural(export.events, 'event')}."
    left_out = f"{plural(hidden, 'roll is', 'rolls are')} hidden from you and left out." if hidden else ""
    check = _CHECK if form == "json" else ""
    text = " ".join(sentence for sentence in (history, part, left_out, check) if sentence)
    return f"{text}\n{footing(export.checkpoint.line)}"


def imported(brought: Brought) -> str:
    """Return what was imported and what was not, for whoever asked."""
    lines: list[str] = []
    if brought.rollers:
        lines.append(f"Brought in: {plural(len(brought.rollers), 'roller')}.")
    if brought.saved:
        names = listed(brought.saved, _NAMES)
        lines.append(f"Saved for you: {plural(len(brought.saved), 'roll')}: {names}")
    if not lines:
        lines.append("Nothing was brought in.")
    if brought.left:
        lines += ["**Not brought in**", lines_within([_left(one) for one in brought.left], _LIMIT)]
    return "\n".join([*lines, _STAYS])


def announced(brought: Brought) -> str:
    """Return the public message about imported rollers; "" if there are none."""
    if not brought.rollers:
        return ""
    first, last = brought.rollers[0][0], brought.rollers[-1][0]
    heading = f"{mention(first.user_id)} brought in {plural(len(brought.rollers), 'roller')}:"
    lines = [f"{code(event.roller, _NAME)} — {cut(tag(system), _WHY)}" for event, system in brought.rollers]
    return f"{heading}\n{lines_within(lines, _LIMIT)}\n{footnote(last, first=first)}"


def _left(left: Left) -> str:
    return f"{code(left.name, _NAME)}: {cut(left.why, _WHY)}"
