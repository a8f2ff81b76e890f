"""Texts about the memory of rollers: faces ahead or due, cards that remain, and counts of faces."""

from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch

from bot.dice.system import Memory, System
from bot.stats.luck import Counts
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.words.cards import Card, Small, Text, Tone
from bot.words.saying import phrase, say, say_many
from bot.words.tables import by_face
from bot.words.text import and_more, code, escape, figure

_FACES, _FACE = 6, 24
_NUMBERS = 40
_REMEMBERED = phrase("{count:.1f} ahead"), phrase("{count:.1f} due")
_COUNTED = phrase("{count:.1f} more"), phrase("{count:.1f} fewer")
"""Texts of a face above and below its share: with a memory that evens out, and without one."""


@singledispatch
def remembered(system: System, memory: Memory) -> str:  # noqa: ARG001 (used by the registered functions)
    """Return a roller's memory as text; the plain numbers for systems without a text of their own."""
    numbers = ", ".join(map(str, memory[:_NUMBERS]))[:200]
    return code(f"{numbers} …" if len(memory) > _NUMBERS else numbers or "nothing")


@remembered.register
def _(system: Fair, memory: Memory) -> str:
    ahead = [Fraction(error, system.base.total) for error in memory]
    errors = _largest(system.faces, ahead, [ahead_or_due(error) for error in ahead])
    return errors or say("every result is even")


@remembered.register
def _(system: Deck, memory: Memory) -> str:
    remaining = _largest(system.faces, [Fraction(n) for n in memory], [str(n) for n in memory])
    return say("{cards} left: {left}", cards=say_many("{n} card", "{n:,} cards", sum(memory)), left=remaining)


@remembered.register
def _(system: Dynamic, memory: Memory) -> str:
    leads = _largest(system.faces, [Fraction(n) for n in memory], [f"+{n}" for n in memory])
    return say("{told} against the rarest", told=leads) if leads else say("every result is even")


def _largest(faces: Sequence[str], weights: Sequence[Fraction], texts: Sequence[str]) -> str:
    """Return the faces with the largest weights and their texts, and the number of the others."""
    ranked = sorted((i for i in range(len(faces)) if weights[i]), key=lambda i: -abs(weights[i]))
    listed = ", ".join(f"{code(faces[i], _FACE)} {texts[i]}" for i in sorted(ranked[:_FACES]))
    return and_more(listed, len(ranked) - _FACES)


def ahead_or_due(over: Fraction, words: tuple[str, str] = _REMEMBERED) -> str:
    """Return the distance of a face from its share, above or below; "even" if it rounds to 0.0."""
    if abs(over) < Fraction(1, 20):
        return say("even")
    return say(words[over < 0], count=abs(float(over)))


def counts(record: Counts) -> Card:
    """Return the count of each face, the expected one, and how far the face is ahead or due."""
    rows = table(record.faces, record.observed or (), record.expected, record.ahead)
    text = "The table's rolls since it was made or reset: {rolls:,}."
    if record.own:
        text = "Your rolls since it was made or reset: {rolls:,}."
    notes = [say(text, rolls=record.rolls)]
    if record.observed is None:
        notes = [say("Some of its rolls are not in the history any more, so I know only who is ahead.")]
    elif record.before:
        notes.append(say("{n:,} more count from before its first roll.", n=record.before))
    return Card((Text(f"**{escape(record.name)}**\n{rows}"), Small(" ".join(notes))), tone=Tone.QUIET)


def table(
    faces: Sequence[str],
    observed: Sequence[int],
    expected: Sequence[Fraction],
    ahead: Sequence[Fraction] | None = None,
) -> str:
    """Return a table of the 24 faces that are furthest from their shares.

    Without `ahead`, the distance from the memory's shares, compare the counts with the expected ones.
    """
    words = _REMEMBERED
    if ahead is None:
        words = _COUNTED
        ahead = [n - share for n, share in zip(observed, expected, strict=True)]

    def cells(i: int) -> tuple[str, ...]:
        counted = (str(observed[i]), figure(float(expected[i]), ".1f")) if observed else ()
        return *counted, ahead_or_due(ahead[i], words)

    heads = *((say("came"), say("expected")) if observed else ()), ""
    figures, more = by_face(faces, heads, [*map(abs, ahead)], cells)
    return f"{figures}\n{say('… and {n:,} nearer to their share', n=more)}" if more else figures
