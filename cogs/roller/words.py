"""The words of /roller."""

import json
from collections.abc import Sequence

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.events import Event, RegisterReset, Rolled, RollerMade, RollerRemoved, RollerReset
from bot.dice.system import System
from bot.words.cards import Card, CardButton, CardRow, Head, Tone, in_rows, said
from bot.words.systems import tag, use, whose
from bot.words.text import code, cut, escape, footnote, mention, number

_TAG = 120
NONE_YET = "There are no rollers here. A game master makes one with `/roller fair`."


def exported(roller: Roller) -> str:
    """Return the text beside a roller's file."""
    what = escape(tag(roller.system)) if roller.system else ""
    return f"{code(roller.name)}: {what}. `/roller import` makes it again, here or elsewhere."


def exported_json(roller: Roller) -> str:
    """Return the roller's file: its system as JSON, which `/roller import` and the command line read."""
    spec = roller.system.as_spec() if roller.system else None
    return json.dumps(spec, ensure_ascii=False, indent=2) + "\n"


def listing(rollers: Sequence[Roller]) -> Card:
    """Return a row for each roller with its system."""
    rows = [(_row(one, one.system), use(one.name, one.system)) for one in rollers if one.system]
    return Card((Head("Rollers"), *in_rows(rows)), tone=Tone.QUIET) if rows else said(NONE_YET)


def _row(roller: Roller, system: System) -> CardRow:
    what = cut(tag(system), _TAG) + (f", {whose(roller.memory)}" if system.has_state else "")
    return CardRow(f"**{escape(roller.name)}**", verdict=what)


def confirm_reset(roller: Roller) -> Card:
    """Return the question before a reset."""
    return said(
        f"Reset {code(roller.name)}? It forgets every roll so far, for everybody. "
        "The history stays, and `/roller undo` brings its memory back.",
        CardButton("reset", (roller.name,)),
    )


def confirm_change(roller: Roller, system: System, memory: Remembers) -> str:
    """Return the question before a roller becomes another one."""
    now = (
        f" is {escape(tag(roller.system))}, {whose(roller.memory)}" if roller.system else " is there already"
    )
    then = f"{escape(tag(system))}, {whose(memory)},"
    return (
        f"{code(roller.name)}{now}. Make it {then} instead? It forgets every roll so far. "
        "The history stays, and `/roller undo`, twice, brings it back."
    )


def reset(event: Event) -> str:
    """Return the public message about a reset."""
    return f"{mention(event.user_id)} reset {code(event.roller)}: it starts afresh.\n{footnote(event)}"


def removed(event: Event) -> str:
    """Return the public message about a removal."""
    back = f"`/roller undo {event.roller}` brings it back."
    return f"{mention(event.user_id)} removed {code(event.roller)}. {back}\n{footnote(event)}"


def undone(event: Event, target: Event | None) -> str:
    """Return the public message about an undo; `target` is the event that was undone."""
    what = f"#{event.target}"
    if target is not None:
        what = f"{number(target)}, {_deed(target)}"
    return (
        f"{mention(event.user_id)} undid {what}. {code(event.roller)} is as it was before.\n{footnote(event)}"
    )


def _deed(event: Event) -> str:
    match event.body:
        case Rolled():
            return f"{mention(event.user_id)}'s roll"
        case RollerMade():
            return "making or changing it"
        case RollerReset() | RegisterReset():
            return "the reset"
        case RollerRemoved():
            return "the removal"
        case _:
            return "an event"
