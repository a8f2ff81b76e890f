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
from bot.words.saying import read_table, say
from bot.words.systems import memory_owner, tag, use
from bot.words.text import code, cut, escape, mention

_TAG = 120
_DEEDS = read_table(__file__, "deeds")
_TEXTS = read_table(__file__, "texts")
NONE_YET = _TEXTS["none"]


def exported(roller: Roller) -> str:
    """Return the text beside a roller's file."""
    system = escape(tag(roller.system)) if roller.system else ""
    return say(_TEXTS["exported"], name=code(roller_name(None, roller.name)), what=system)


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
    question = say(_TEXTS["reset"]["ask"], name=code(roller_name(None, roller.name)))
    return text_card(question, CardButton("reset", (campaign_id, roller.name)))


def confirm_change(roller: Roller, system: System, memory: Remembers) -> str:
    """Return the question before a roller is replaced."""
    old, theirs = escape(tag(roller.system)) if roller.system else "", memory_owner(roller.memory)
    name, rule = code(roller.name), escape(tag(system))
    question = _TEXTS["change"]["known" if roller.system else "unknown"]
    return say(question, roller=name, rule=rule, whose=memory_owner(memory), old=old, theirs=theirs)


def reset(event: Event, held_cards: int = 0) -> str:
    """Return the public message about a reset; `held_cards` is the number of cards that stay in hands."""
    name = code(roller_name(None, event.roller))
    line = event_line(_TEXTS["reset"]["done"], event, roller=name)
    return "\n".join(filter(None, (line, kept_in_hands(held_cards))))


def removed(event: Event) -> str:
    """Return the public message about a removal."""
    back = f"`/roller undo {event.roller}`"
    return event_line(_TEXTS["removed"], event, roller=code(event.roller), command=back)


def undone(event: Event, target: Event | None) -> str:
    """Return the public message about an undo; `target` is the event that was undone."""
    deed = say("#{number}", number=event.target)
    if target is not None:
        deed = say(_DEEDS[target.kind], number=target.seq, player=mention(target.user_id))
    making = target.body if target is not None and isinstance(target.body, RollerMade) else None
    is_gone = making and not (making.before and making.before.spec)
    template = _TEXTS["undone"]["gone" if is_gone else "back"]
    return event_line(template, event, deed=deed, roller=code(roller_name(None, event.roller)))
