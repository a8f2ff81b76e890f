"""One roll with all that is known of it, in words."""

from collections.abc import Sequence

from bot.campaign.details import Details, Moment
from bot.render.chances import percent
from bot.render.escaping import code, escape
from bot.render.rolls import result
from bot.render.systems import tag

NO_ROLL = "I find no roll in that message. `/history number:` finds one by its number."
_NUMBERS, _FACE = 40, 60


def details(found: Details) -> str:
    """The result, the roller at that moment, and the whole seal; 2,000 characters at most."""
    event = found.rolled.event
    lines = [result(found.rolled)[:1_200], f"Rolled <t:{int(event.time)}:F>."]
    if found.moment:
        lines += _moment(found.moment)
    lines.append(f"-# Seal {code(event.head.hex())}")
    return "\n".join(lines)


def _moment(moment: Moment) -> list[str]:
    lines = [f"The roller then: {escape(tag(moment.system))[:200]}."]
    lines += [
        f"The chance of {code(face, _FACE)} was {percent(now)} %; without a memory it is {percent(usual)} %."
        for face, now, usual in moment.chances[:1]
    ]
    if moment.system.remembers:
        lines.append(f"Its memory before: {_numbers(moment.before)}; after: {_numbers(moment.after)}.")
    return lines


def _numbers(memory: Sequence[int]) -> str:
    shown = ", ".join(map(str, memory[:_NUMBERS]))[:200]
    return code(f"{shown} …" if len(memory) > _NUMBERS else shown or "nothing")
