"""Texts and cards of /data: a user's stored data, and its erasure."""

from dataclasses import astuple

from bot.services.privacy import Holdings
from bot.times import time_of
from bot.words.cards import Card, CardButton, Head, Text, Tone, text_card
from bot.words.saying import read_table, say, say_many

_TEXTS = read_table(__file__, "texts")


def confirm() -> Card:
    """Return the question before an erasure."""
    return text_card(say(_TEXTS["confirm"]), CardButton("forget-me"))


def stored(holdings: Holdings) -> Card:
    """Return the summary of the user's stored data."""
    texts = _TEXTS["stored"]
    if not any(astuple(holdings)):
        return text_card(say(texts["none"]))
    lines = [
        say(
            texts["entries" if holdings.first is None else "entries-since"],
            entries=say_many("{n} roll or other entry", "{n:,} rolls and other entries", holdings.events),
            histories=_histories(holdings.campaigns),
            labels=holdings.labels,
            when=f"<t:{int(time_of(holdings.first or 0))}:D>",
        ),
        say(
            texts["own-master" if holdings.masters else "own"],
            saved=say_many("{n} saved roll", "{n:,} saved rolls", holdings.saved),
            characters=say_many("{n} character", "{n:,} characters", holdings.characters),
            campaigns=say_many("{n} campaign", "{n:,} campaigns", holdings.masters),
        ),
        say(
            texts["counts"],
            histories=_histories(holdings.counts),
            memories=say_many("{n} roller's memory", "{n:,} rollers' memories", holdings.memories),
        ),
        say(
            texts["calls"],
            calls=say_many("{n} call", "{n:,} calls", holdings.calls),
            histories=_histories(holdings.keys),
        ),
        *([say(texts["hosted"], histories=_histories(holdings.hosted))] if holdings.hosted else []),
        say(texts["number"]),
        say(texts["where"]),
    ]
    return Card((Head(say("Stored about you")), Text("\n".join(lines))), tone=Tone.QUIET)


def _histories(count: int) -> str:
    return say_many("{n} history", "{n:,} histories", count)


def forgotten(events: int, campaigns: int) -> str:
    """Return the confirmation of an erasure, with its extent."""
    return say(
        _TEXTS["forgotten"]["done" if events else "none"],
        entries=say_many("{n} entry", "{n:,} entries", events),
        histories=say_many("{n} history", "{n:,} histories", campaigns),
    )
