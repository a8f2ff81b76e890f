"""Texts and cards of /roller."""

import json
from collections.abc import Sequence

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.events import Event, RollerMade
from bot.dice.system import System
from bot.words.cards import Card, CardButton, CardRow, Head, Tone, in_rows, text_card
from bot.words.games import roller_name
from bot.words.hands import kept_in_hands
from bot.words.rolls import event_line
from bot.words.saying import phrase, read_table, say
from bot.words.systems import memory_owner, tag, use
from bot.words.text import code, cut, escape, mention

_TAG = 120
_DEEDS = read_table(__file__, "deeds")
NONE_YET = phrase("There are no rollers here. A game master makes one with `/roller fair`.")


def exported(roller: Roller) -> str:
    """Return the text beside a roller's file."""
    system = escape(tag(roller.system)) if roller.system else ""
    return say(
        "{name}: {what}. `/roller import` makes it again, here or elsewhere.",
        name=code(roller_name(None, roller.name)),
        what=system,
    )


def exported_json(roller: Roller) -> str:
    """Return the roller's file: its system as JSON, which `/roller import` and the command line read."""
    spec = roller.system.as_spec() if roller.system else None
    return json.dumps(spec, ensure_ascii=False, indent=2) + "\n"


def listing(rollers: Sequence[Roller]) -> Card:
    """Return a row for each roller with its system."""
    rows = [
        (_row(roller, roller.system), use(roller.name, roller.system)) for roller in rollers if roller.system
    ]
    return Card((Head(say("Rollers")), *in_rows(rows)), tone=Tone.QUIET) if rows else text_card(say(NONE_YET))


def _row(roller: Roller, system: System) -> CardRow:
    description = cut(tag(system), _TAG) + (f", {memory_owner(roller.memory)}" if system.has_state else "")
    return CardRow(f"**{escape(roller_name(None, roller.name))}**", verdict=description)


def confirm_reset(roller: Roller, campaign_id: int) -> Card:
    """Return the question before a reset."""
    return text_card(
        say(
            "Reset {name}? It forgets every roll so far, for everybody. The history stays, and "
            "`/roller undo` brings its memory back.",
            name=code(roller_name(None, roller.name)),
        ),
        CardButton("reset", (campaign_id, roller.name)),
    )


def confirm_change(roller: Roller, system: System, memory: Remembers) -> str:
    """Return the question before a roller is replaced."""
    question = (
        "{roller} is there already. Make it {rule}, {whose}, instead? It forgets every roll so far. The "
        "history stays, and `/roller undo`, twice, brings it back."
        if roller.system is None
        else "{roller} is {old}, {theirs}. Make it {rule}, {whose}, instead? It forgets every roll so far. "
        "The history stays, and `/roller undo`, twice, brings it back."
    )
    old, theirs = escape(tag(roller.system)) if roller.system else "", memory_owner(roller.memory)
    name, rule = code(roller.name), escape(tag(system))
    return say(question, roller=name, rule=rule, whose=memory_owner(memory), old=old, theirs=theirs)


def reset(event: Event, held_cards: int = 0) -> str:
    """Return the public message about a reset; `held_cards` is the number of cards that stay in hands."""
    name = code(roller_name(None, event.roller))
    line = event_line("{player} reset {roller}: it starts afresh.", event, roller=name)
    return "\n".join(filter(None, (line, kept_in_hands(held_cards))))


def removed(event: Event) -> str:
    """Return the public message about a removal."""
    template = "{player} removed {roller}. {command} brings it back."
    back = f"`/roller undo {event.roller}`"
    return event_line(template, event, roller=code(event.roller), command=back)


def undone(event: Event, target: Event | None) -> str:
    """Return the public message about an undo; `target` is the event that was undone."""
    deed = say("#{number}", number=event.target)
    if target is not None:
        deed = say(_DEEDS[target.kind], number=target.seq, player=mention(target.user_id))
    making = target.body if target is not None and isinstance(target.body, RollerMade) else None
    template = (
        "{player} undid {deed}. {roller} is not here any more."
        if making and not (making.before and making.before.spec)
        else "{player} undid {deed}. {roller} is as it was before."
    )
    return event_line(template, event, deed=deed, roller=code(roller_name(None, event.roller)))
