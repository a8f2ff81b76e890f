"""What rollers remember, in words: who is ahead or due, which cards are left, and counts of faces."""

from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch

from bot.dice.system import Memory, System
from bot.stats.counts import Counts
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.words.cards import Card, Small, Text, Tone
from bot.words.saying import phrase, say, say_many
from bot.words.tables import by_face
from bot.words.text import code, escape, figure

_NAMED, _FACE = 6, 24
_NUMBERS = 40
_REMEMBERED = phrase("{count:.1f} ahead"), phrase("{count:.1f} due")
_COUNTED = phrase("{count:.1f} more"), phrase("{count:.1f} fewer")
"""A face over and under its share: where a memory evens out, and where nothing is due."""


@singledispatch
def remembered(system: System, memory: Memory) -> str:  # noqa: ARG001 (others do)
    """Return what a roller remembers; the numbers themselves where there are no words for them."""
    shown = ", ".join(map(str, memory[:_NUMBERS]))[:200]
    return code(f"{shown} …" if len(memory) > _NUMBERS else shown or "nothing")


@remembered.register
def _(system: Fair, memory: Memory) -> str:
    ahead = [Fraction(error, system.base.total) for error in memory]
    return _most(system.faces, ahead, [ahead_or_due(error) for error in ahead]) or say("every result is even")


@remembered.register
def _(system: Deck, memory: Memory) -> str:
    left = _most(system.faces, [Fraction(n) for n in memory], [str(n) for n in memory])
    return say("{cards} left: {left}", cards=say_many("{n} card", "{n:,} cards", sum(memory)), left=left)


@remembered.register
def _(system: Dynamic, memory: Memory) -> str:
    told = _most(system.faces, [Fraction(n) for n in memory], [f"+{n}" for n in memory])
    return say("{told} against the rarest", told=told) if told else say("every result is even")


def _most(faces: Sequence[str], matter: Sequence[Fraction], told: Sequence[str]) -> str:
    """Return the faces that matter most with what is told of them, and how many more there are."""
    ranked = sorted((i for i in range(len(faces)) if matter[i]), key=lambda i: -abs(matter[i]))
    named = ", ".join(f"{code(faces[i], _FACE)} {told[i]}" for i in sorted(ranked[:_NAMED]))
    more = len(ranked) - _NAMED
    if more <= 0:
        return named
    return say_many("{shown} and {n} more", "{shown} and {n:,} more", more, shown=named)


def ahead_or_due(over: Fraction, words: tuple[str, str] = _REMEMBERED) -> str:
    """Return how far a face is over its share, or under it, in these words; what rounds to 0.0 is even."""
    if abs(over) < Fraction(1, 20):
        return say("even")
    return say(words[over < 0], count=abs(float(over)))


def counts(found: Counts) -> Card:
    """Return how often each face came, how often is expected, and how far it is ahead or due."""
    rows = table(found.faces, found.came or (), found.expected, found.ahead)
    own = "Your rolls since it was made or reset: {rolls:,}."
    notes = [
        say(
            own if found.own else "The table's rolls since it was made or reset: {rolls:,}.",
            rolls=found.rolls,
        )
    ]
    if found.came is None:
        notes = [say("Some of its rolls are not in the history any more, so I know only who is ahead.")]
    elif found.before:
        notes.append(say("{n:,} more count from before its first roll.", n=found.before))
    return Card((Text(f"**{escape(found.name)}**\n{rows}"), Small(" ".join(notes))), tone=Tone.QUIET)


def table(
    faces: Sequence[str],
    came: Sequence[int],
    expected: Sequence[Fraction],
    ahead: Sequence[Fraction] | None = None,
) -> str:
    """Return a row for each face, of the 24 that are furthest from their shares.

    Without a memory, in which faces are `ahead` or due, more or fewer came than expected.
    """
    words = _REMEMBERED
    if ahead is None:
        words = _COUNTED
        ahead = [n - share for n, share in zip(came, expected, strict=True)]

    def cells(i: int) -> tuple[str, ...]:
        counted = (str(came[i]), figure(float(expected[i]), ".1f")) if came else ()
        return *counted, ahead_or_due(ahead[i], words)

    heads = *((say("came"), say("expected")) if came else ()), ""
    figures, more = by_face(faces, heads, [*map(abs, ahead)], cells)
    return f"{figures}\n{say('… and {n:,} nearer to their share', n=more)}" if more else figures
