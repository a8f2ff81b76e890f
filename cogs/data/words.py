"""Texts and cards of /data: a user's stored data, and its erasure."""

from dataclasses import astuple

from bot.services.privacy import Holdings
from bot.times import time_of
from bot.words.cards import Card, CardButton, Head, Text, Tone, text_card
from bot.words.saying import phrase, say, say_many

_CONFIRM = phrase(
    "Erase yourself from every history, here and on other servers? Your Discord number, your words, your "
    "memories, your saved rolls and your characters go. The results stay, as somebody's, so that people can "
    "still check each history. Names that you gave to rollers, cards, monsters and campaigns stay. You can't "
    "undo this."
)


def confirm() -> Card:
    """Return the question before an erasure."""
    return text_card(say(_CONFIRM), CardButton("forget-me"))


def stored(holdings: Holdings) -> Card:
    """Return the summary of the user's stored data."""
    if not any(astuple(holdings)):
        return text_card(say("Nothing is stored about you."))
    entries = {
        "entries": say_many("{n} roll or other entry", "{n:,} rolls and other entries", holdings.events),
        "histories": _histories(holdings.campaigns),
        "labels": holdings.labels,
    }
    own = say("{entries} in {histories}; {labels:,} with words of yours.", **entries)
    if holdings.first is not None:
        template = "{entries} in {histories}, the first {when}; {labels:,} with words of yours."
        own = say(template, when=f"<t:{int(time_of(holdings.first))}:D>", **entries)
    hosted_text = "Named as the host of the bot in {histories}."
    hosted = say(hosted_text, histories=_histories(holdings.hosted)) if holdings.hosted else ""
    lines = [
        own,
        say(
            "{saved}; {characters}; game master by name of {campaigns}."
            if holdings.masters
            else "{saved}; {characters}.",
            saved=say_many("{n} saved roll", "{n:,} saved rolls", holdings.saved),
            characters=say_many("{n} character", "{n:,} characters", holdings.characters),
            campaigns=say_many("{n} campaign", "{n:,} campaigns", holdings.masters),
        ),
        say(
            "Counts of your results in {histories}; {memories} of your own.",
            histories=_histories(holdings.counts),
            memories=say_many("{n} roller's memory", "{n:,} rollers' memories", holdings.memories),
        ),
        say(
            "Named in {calls}; a key of your own in {histories}.",
            calls=say_many("{n} call", "{n:,} calls", holdings.calls),
            histories=_histories(holdings.keys),
        ),
        hosted,
        say("Each entry has your Discord number, never your name."),
        say("`/history player:@you` shows them, `/data forget` erases you from all of them."),
    ]
    text = "\n".join(filter(None, lines))
    return Card((Head(say("Stored about you")), Text(text)), tone=Tone.QUIET)


def _histories(count: int) -> str:
    return say_many("{n} history", "{n:,} histories", count)


def forgotten(events: int, campaigns: int) -> str:
    """Return the confirmation of an erasure, with its extent."""
    if not events:
        return say("Done. Nothing about you is stored any more.")
    return say(
        "Done: you are erased from {entries} in {histories}. Nothing is stored about you any more.",
        entries=say_many("{n} entry", "{n:,} entries", events),
        histories=say_many("{n} history", "{n:,} histories", campaigns),
    )
