"""What is said about rollers."""

import json
from collections.abc import Sequence

from bot.campaign.destinations import MAP
from bot.campaign.events import Event, Kind
from bot.campaign.rollers import Remembers, Roller
from bot.dice.system import System
from bot.record.chain import short
from bot.render.escaping import code, escape, mention
from bot.render.rolls import number
from bot.render.systems import tag, whose
from bot.systems.destinator import Destinator
from bot.systems.registry import CARD_SYSTEMS

NONE_YET = "There are no rollers in this channel. A game master makes one with `/roller fair`."


def made(event: Event, system: System) -> str:
    """Says openly what a roller is, for everybody to read."""
    memory = Remembers(str(event.detail["memory"]))
    remembers = (
        f" {whose(memory).capitalize()}, and every result carries this tag." if system.remembers else ""
    )
    match event.detail["before"]:
        case {"spec": str()}:
            verb = "is now" if isinstance(system, Destinator) else "is now tuned to"
        case _:
            verb = "is"
    how = _how(event.roller, system)
    return f"{code(event.roller)} {verb}: {escape(tag(system))}.{remembers} {how}{_small(event)}"


def exported(roller: Roller) -> str:
    """Goes with a roller's file: what it is, and how it comes back."""
    what = escape(tag(roller.system)) if roller.system else ""
    return f"{code(roller.name)}: {what}. `/roller import` makes it again, in this channel or in any other."


def exported_json(roller: Roller) -> str:
    """The roller's file: its spec, which `/roller import` and the command line read."""
    spec = roller.system.as_spec() if roller.system else None
    return json.dumps(spec, ensure_ascii=False, indent=2) + "\n"


def listing(rollers: Sequence[Roller]) -> str:
    """Each roller with its system, a line each."""
    lines = [
        f"{code(r.name)} — {escape(tag(r.system))}" + (f"; {whose(r.memory)}" if r.system.remembers else "")
        for r in rollers
        if r.system
    ]
    return _fit(lines) or NONE_YET


def confirm_reset(roller: Roller) -> str:
    """What a reset would do, before it is done."""
    return (
        f"Reset {code(roller.name)}? It forgets every roll so far, for everybody. "
        "The history stays, and `/roller undo` brings its memory back."
    )


def reset(event: Event) -> str:
    """Says who reset what."""
    return f"{mention(event.user_id)} reset {code(event.roller)}: it starts afresh.{_small(event)}"


def removed(event: Event) -> str:
    """Says who removed what."""
    back = f"`/roller undo {event.roller}` brings it back."
    return f"{mention(event.user_id)} removed {code(event.roller)}. {back}{_small(event)}"


def undone(event: Event, target: Event | None) -> str:
    """Says who undid what."""
    what = f"#{event.target}"
    if target is not None:
        what = f"{number(target)}, {_deed(target)}"
    return f"{mention(event.user_id)} undid {what}. {code(event.roller)} is as it was before.{_small(event)}"


def _how(name: str, system: System) -> str:
    if isinstance(system, CARD_SYSTEMS):
        return f"Deal from it with `/deal {name}`."
    if isinstance(system, Destinator):
        return (
            "Roll it with `/destination`."
            if name.casefold() == MAP.casefold()
            else f"Roll it with `/destination {name}`."
        )
    return f"Roll it with `/roll {name}`."


def _deed(event: Event) -> str:
    match event.kind:
        case Kind.ROLL:
            return f"{mention(event.user_id)}'s roll"
        case Kind.MAKE:
            return "the making or tuning"
        case Kind.RESET:
            return "the reset"
        case Kind.REMOVE:
            return "the removal"
        case _:
            return "an event"


def _small(event: Event) -> str:
    return f"\n-# {number(event)} · `{short(event.head)}`"


def _fit(lines: Sequence[str], limit: int = 1_900) -> str:
    text = ""
    for n, line in enumerate(lines):
        if len(text) + len(line) > limit:
            return f"{text}… and {len(lines) - n} more"
        text += line + "\n"
    return text.rstrip()
