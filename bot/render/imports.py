"""What is said about a file that was brought in."""

from collections.abc import Sequence

from bot.campaign.imports import Brought, Left
from bot.record.chain import short
from bot.render.counting import plural
from bot.render.escaping import code, cut, listed, mention
from bot.render.rolls import number
from bot.render.systems import tag

_LIMIT = 1_800
_NAME, _WHY, _NAMES = 40, 200, 600
_STAYS = "-# What rollers remember, settings and the history stay where they are."


def told(brought: Brought) -> str:
    """What was brought in and what was not, for who asked."""
    lines: list[str] = []
    if brought.rollers:
        lines.append(f"Brought in: {plural(len(brought.rollers), 'roller')}.")
    if brought.saved:
        names = listed(brought.saved, _NAMES)
        lines.append(f"Saved for you: {plural(len(brought.saved), 'roll')}: {names}")
    if not lines:
        lines.append("Nothing was brought in.")
    if brought.left:
        lines += ["**Not brought in**", _fit([_left(one) for one in brought.left])]
    return "\n".join([*lines, _STAYS])


def announced(brought: Brought) -> str:
    """The rollers, for everybody to read; "" if there are none."""
    if not brought.rollers:
        return ""
    first, last = brought.rollers[0][0], brought.rollers[-1][0]
    heading = f"{mention(first.user_id)} brought in {plural(len(brought.rollers), 'roller')}:"
    lines = [f"{code(event.roller, _NAME)} — {cut(tag(system), _WHY)}" for event, system in brought.rollers]
    span = number(last) if first.seq == last.seq else f"{number(first)} to {number(last)}"
    return f"{heading}\n{_fit(lines)}\n-# {span} · `{short(last.head)}`"


def _left(left: Left) -> str:
    return f"{code(left.name, _NAME)}: {cut(left.why, _WHY)}"


def _fit(lines: Sequence[str]) -> str:
    text, room = "", _LIMIT - _NAMES
    for n, line in enumerate(lines):
        if len(text) + len(line) > room:
            return f"{text}… and {len(lines) - n:,} more"
        text += line + "\n"
    return text.rstrip()
