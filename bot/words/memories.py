"""What rollers remember, in words: who is ahead or due, which cards are left, and counts of faces."""

from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch

from bot.dice.names import clean
from bot.dice.system import Memory, System
from bot.stats.counts import Counts
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.words.cards import Card, Small, Text, Tone
from bot.words.text import code, escape, plural

_NAMED, _FACES_SHOWN, _FACE = 6, 24, 24
_NUMBERS = 40


@singledispatch
def remembered(system: System, memory: Memory) -> str:  # noqa: ARG001 (others do)
    """Return what a roller remembers; the numbers themselves where there are no words for them."""
    shown = ", ".join(map(str, memory[:_NUMBERS]))[:200]
    return code(f"{shown} …" if len(memory) > _NUMBERS else shown or "nothing")


@remembered.register
def _(system: Fair, memory: Memory) -> str:
    ahead = [Fraction(error, system.base.total) for error in memory]
    return _most(system.faces, ahead, [standing(error) for error in ahead]) or "every result is even"


@remembered.register
def _(system: Deck, memory: Memory) -> str:
    left = _most(system.faces, [Fraction(n) for n in memory], [str(n) for n in memory])
    return f"{plural(sum(memory), 'card')} left: {left}"


@remembered.register
def _(system: Dynamic, memory: Memory) -> str:
    told = _most(system.faces, [Fraction(n) for n in memory], [f"+{n}" for n in memory])
    return f"{told} against the rarest" if told else "every result is even"


def _most(faces: Sequence[str], matter: Sequence[Fraction], told: Sequence[str]) -> str:
    """Return the faces that matter most with what is told of them, and how many more there are."""
    ranked = sorted((i for i in range(len(faces)) if matter[i]), key=lambda i: -abs(matter[i]))
    named = ", ".join(f"{code(faces[i], _FACE)} {told[i]}" for i in sorted(ranked[:_NAMED]))
    return named + (f" and {len(ranked) - _NAMED} more" if len(ranked) > _NAMED else "")


def standing(ahead: Fraction) -> str:
    """Return how far a face is ahead of its share, or due."""
    return f"{abs(float(ahead)):.1f} {'ahead' if ahead > 0 else 'due'}" if ahead else "even"


def counts(found: Counts) -> Card:
    """Return how often each face came, how often is expected, and how far it is ahead or due."""
    rows = table(found.faces, found.came or (), found.expected, found.ahead)
    whose = "Your rolls" if found.own else "The table's rolls"
    notes = [f"{whose} since it was made or reset: {found.rolls:,}."]
    if found.came is None:
        notes = ["Some of its rolls are not in the history any more, so I know only who is ahead."]
    elif found.before:
        notes[0] += f" {found.before:,} more count from before its first roll."
    return Card((Text(f"**{escape(found.name)}**\n{rows}"), Small(" ".join(notes))), tone=Tone.QUIET)


def table(
    faces: Sequence[str],
    came: Sequence[int],
    expected: Sequence[Fraction],
    ahead: Sequence[Fraction] | None = None,
) -> str:
    """Return a row for each face, of the 24 that are furthest from their shares."""
    if ahead is None:
        ahead = [n - share for n, share in zip(came, expected, strict=True)]
    shown = sorted(sorted(range(len(faces)), key=lambda i: (-abs(ahead[i]), i))[:_FACES_SHOWN])
    names = {i: clean(faces[i], _FACE) for i in shown}
    wide = max([*map(len, names.values()), 4])
    lines = [f"{'face':<{wide}}  {'came  expected' if came else ''}".rstrip()]
    for i in shown:
        number = f"{came[i]:>4}  {float(expected[i]):>8.1f}  " if came else ""
        lines.append(f"{names[i]:<{wide}}  {number}{standing(ahead[i])}")
    more = len(faces) - len(shown)
    return "```\n" + "\n".join(lines) + "\n```" + (f"\n… and {more:,} nearer to their share" if more else "")
