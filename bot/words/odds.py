"""The cards of /odds: one chance with a picture; behind *Details* the chance of each face and all figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

from bot.campaign.campaigns import Remembers
from bot.dice.errors import SpecError
from bot.dice.names import clean
from bot.dice.system import OnBase, System
from bot.dice.throws import Unit, unit_of
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator
from bot.systems.game import GameRoll
from bot.systems.odds import Chances, Span, Totals, amounts, are_numbers, totals
from bot.systems.plain import PlainDice
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.games import face, roller_name
from bot.words.pictures import Bar
from bot.words.saying import either, phrase, read_table, say, say_many, with_heading
from bot.words.systems import tag
from bot.words.tables import by_face
from bot.words.text import capital, code, escape, figure, in_percent, percent, rounded, shortened

_TEXTS = read_table(__file__, "odds")
_FACE_LIMIT = 24
_SHORT, _HEADED = 16, 60
_TITLE = 160
_EXACT = 10**7
_SIDE_BY_SIDE = 4
_PASSES = "1"
_JUDGED = {"0": phrase("failure"), _PASSES: phrase("success")}
_NAMED = 4


@dataclass(frozen=True, slots=True)
class Side:
    """The odds of one roll: its name, and each face's chance in the long run and now."""

    name: str
    """The roller's name, or the dice."""
    rule: str
    """The roller's tag; "" for dice."""
    note: str
    faces: tuple[str, ...]
    base: tuple[Fraction, ...]
    now: tuple[Fraction, ...]
    remembers: bool
    totals: Totals | None
    """The faces as numbers, with their chances now; None for words."""
    amounts: Totals | None = None
    """The amount beside a game's class, such as damage; ranges and comparisons use it."""
    opposed: bool = False
    """True if the numbers are margins by which the first of two rolls wins."""
    passes: Fraction | None = None
    """The chance of a success if the faces are a failure and a success."""
    succeeds: int | None = None
    """The index of the first face that is a game's success; better ones follow."""

    @property
    def title(self) -> str:
        """Return the name and the tag."""
        return with_heading(self.name, self.rule)

    @property
    def short(self) -> str:
        """Return the beginning of the name."""
        return shortened(self.name, _SHORT)

    @property
    def numbers(self) -> Totals:
        """Return the totals, or the amounts beside a class; SpecError if the faces are words."""
        if distribution := self.totals or self.amounts:
            return distribution
        raise _not_numeric(self.short)


def side(name: str, system: System, memory: Remembers, chances: Chances) -> Side:
    """Return the odds of a roller, or of plain dice if the name is empty."""
    faces, base, now = chances
    words = tag(system)
    dice = system.base.dice if isinstance(system, OnBase) else None
    plain = dice.text if dice and isinstance(system, PlainDice) else words
    unit = unit_of(dice.body) if dice else Unit.SUM
    judged = unit is Unit.TRUTH
    return Side(
        roller_name(system, name) or plain,
        words if name and not isinstance(system, GameRoll) else "",
        note(system, memory),
        tuple(say(_JUDGED[label]) if judged else face(system, label) for label in faces),
        base,
        now,
        system.has_state,
        None if judged else totals(faces, now),
        amounts(system),
        unit is Unit.MARGIN,
        dict(zip(faces, now, strict=True)).get(_PASSES, Fraction()) if judged else None,
        system.first_success if isinstance(system, GameRoll) else None,
    )


def require_numbers(name: str, system: System) -> None:
    """Raise SpecError if a roller's faces are words or cards of several decks, or take too long to count."""
    numbers = are_numbers(system.faces) or (isinstance(system, GameRoll) and system.exact_amounts())
    if isinstance(system, Decks) or not numbers:
        raise _not_numeric(shortened(name or tag(system), _SHORT))


def _not_numeric(short: str) -> SpecError:
    return SpecError("{short} doesn't come out as a number, so it can't be counted or compared.", short=short)


def note(system: System, memory: Remembers) -> str:
    """Return the sentence about the memory that the odds come from."""
    if not system.has_state:
        return say(_TEXTS["note"]["map" if isinstance(system, Destinator) else "plain"])
    sentence = say(_TEXTS["note"][memory])
    return f"{sentence} {say('Each deck deals one card.')}" if isinstance(system, Decks) else sentence


def what_if(roll: Side, faces: Sequence[str]) -> Side:
    """Return the odds with a note that these results are assumed to have come up too."""
    return replace(roll, note=say("What if: after {faces}.", faces=", ".join(faces))) if faces else roll


def at_each(name: str, sides: Sequence[Side], tightness: Sequence[str], faces: Sequence[str]) -> Card:
    """Return the chances without memory and at each tightness, side by side; SpecError for more than four."""
    if len(sides) > _SIDE_BY_SIDE:
        raise SpecError("Give at most {side_by_side} tightnesses to compare.", side_by_side=_SIDE_BY_SIDE)
    first = sides[0]
    title = say("{name} after {faces}", name=name, faces=", ".join(faces)) if faces else name
    columns, heads = [first.base, *(roll.now for roll in sides)], (say("plain"), *tightness)
    matter = [max(abs(column[i] - p) for column in columns) for i, p in enumerate(first.base)]
    rows, omitted = by_face(first.faces, heads, matter, _chances(columns))
    lines = [say("{dice}: the next roll at each tightness", dice=code(title, _TITLE)), rows]
    if omitted:
        single, several = "… and {n} face that changed less.", "… and {n:,} faces that changed less."
        lines.append(say_many(single, several, omitted))
    return Card((Text("\n".join(lines)),), tone=Tone.QUIET)


def card(
    roll: Side, span: Span, other: Side | None, picture: Picture, more: CardButton | None, *counts: CardButton
) -> Card:
    """Return the answer: one chance, the picture, and the button `more`; without that, all details too.

    Raise SpecError if a number is needed and the faces are words.
    """
    head = _headline(roll, span, other)
    if more is None:
        return Card((head, picture, *details(roll, span, other).blocks), counts, Tone.QUIET)
    within = in_percent(percent(other.numbers.within(span))) if other and span else ""
    beside = [Text(with_heading(_format_name(other), f"**{within}**"))] if other and within else []
    notes = [entry.note for entry in (roll, other) if entry and entry.remembers]
    foot = [_summary(roll, span, other), *dict.fromkeys(notes)]
    small = [Small(" · ".join(filter(None, foot)))] if any(foot) else []
    return Card((head, *beside, picture, *small), (more, *counts), Tone.QUIET)


def _headline(roll: Side, span: Span, other: Side | None) -> Head:
    """Return the head: the chance of the span or comparison, or by default the most telling figure."""
    name = _format_name(roll)
    if span:
        chance, of = roll.numbers.within(span), say("{totals} on {dice}", totals=span_text(span), dice=name)
    elif other:
        chance = roll.numbers.against(other.numbers)[0]
        of = say("{one} is higher than {other}", one=name, other=_format_name(other))
    elif roll.opposed:
        chance, of = roll.numbers.within(Span(1, None)), say("the first side of {dice} wins", dice=name)
    elif roll.totals:
        mean = "next roll of {dice}, on average" if roll.remembers else "{dice}, on average"
        return Head(rounded(roll.totals.mean), aside=say(mean, dice=name))
    elif roll.passes is not None:
        chance, of = roll.passes, say("{dice} passes", dice=name)
    elif roll.succeeds is not None:
        chance, success = sum(roll.now[roll.succeeds :], Fraction()), roll.faces[roll.succeeds]
        better = say("{face} or better", face=success) if roll.faces[roll.succeeds + 1 :] else success
        of = say("{totals} on {dice}", totals=better, dice=name)
    else:
        chance, of = max(roll.now), _likeliest(roll, name)
    return Head(in_percent(percent(chance)), aside=of)


def _likeliest(roll: Side, roll_name: str) -> str:
    """Return the likeliest faces as text."""
    most = max(roll.now)
    likeliest = [clean(name, _FACE_LIMIT) for name, p in zip(roll.faces, roll.now, strict=True) if p == most]
    few = "few" if len(likeliest) < _NAMED else "many"
    text = _TEXTS["likeliest"]["all" if len(likeliest) == len(roll.faces) > 1 else few]
    return say(text, faces=escape(either(likeliest)), n=len(likeliest), dice=roll_name)


def _format_name(roll: Side) -> str:
    """Return the name of a roll in a head."""
    name = shortened(roll.name, _HEADED)
    return f"**{escape(name)}**" if roll.rule else code(name)


def _summary(roll: Side, span: Span, other: Side | None) -> str:
    """Return the small line below the picture: the roller's tag, and a figure or two."""
    if other:
        _, equal, lower = roll.numbers.against(other.numbers)
        text = "equal {equal}%, lower {lower}%"
        return "" if span else say(text, equal=percent(equal), lower=percent(lower))
    mean = "" if roll.totals and not span and not roll.opposed else _mean(roll)
    return " · ".join(filter(None, (escape(roll.rule), mean)))


def _mean(roll: Side) -> str:
    """Return the mean, or how often a contest is tied or lost; "" for words."""
    numbers = roll.totals or roll.amounts
    if numbers is None:
        return ""
    if roll.opposed:
        _, ties, loses = _contest(numbers)
        return say("ties {ties}%, loses {loses}%", ties=ties, loses=loses)
    return say("damage: mean {mean}" if roll.amounts else "mean {mean}", mean=rounded(numbers.mean))


def _contest(margins: Totals) -> list[str]:
    """Return how often the first side wins, ties and loses, in per cent."""
    return [percent(margins.within(span)) for span in (Span(1, None), Span(0, 0), Span(None, -1))]


def details(roll: Side, span: Span, other: Side | None = None) -> Card:
    """Return all figures and the table; raise SpecError if a number is needed and the faces are words."""
    sides = [roll] if other is None else [roll, other]
    lines: list[str] = []
    for entry in sides:
        lines.append(code(entry.title, _TITLE))
        has_numbers = entry.totals or entry.amounts or span
        lines += [f"{capital(figures(entry))}."] if has_numbers else []
        lines += [f"**{with_heading(span_text(span), exactly(entry.numbers.within(span)))}**"] if span else []
    if other:
        lines.append(against(roll, other))
    notes = [roll.note] if other is None else [entry.note for entry in sides if entry.remembers]
    rows, rest = _rows(roll, other)
    text = "\n".join([*lines, rows, *filter(None, (" ".join(notes), rest))])
    return Card((Text(text),), tone=Tone.QUIET)


def figures(roll: Side) -> str:
    """Return the mean, the standard deviation, and a contest's chances; SpecError if the faces are words."""
    numbers = roll.numbers
    text = _TEXTS["figures"]["contest" if roll.opposed else "amount" if roll.amounts else "sum"]
    wins, ties, loses = _contest(numbers)
    mean, deviation = rounded(numbers.mean), rounded(numbers.deviation)
    return say(text, wins=wins, ties=ties, loses=loses, mean=mean, deviation=deviation)


def span_text(span: Span) -> str:
    """Return a range of totals as text, "15 or more", "5 to 9"."""
    if span.high is None:
        return say("{low:,} or more", low=span.low)
    if span.low is None:
        return say("{high:,} or less", high=span.high)
    if span.low == span.high:
        return figure(span.low, ",")
    return say("{low:,} to {high:,}", low=span.low, high=span.high)


def against(roll: Side, other: Side) -> str:
    """Return how often each of two rolls is higher; SpecError if either has no numbers."""
    higher, equal, lower = map(percent, roll.numbers.against(other.numbers))
    return say(_TEXTS["against"]["one"], dice=code(roll.short), higher=higher, equal=equal, lower=lower)


def bars(roll: Side, span: Span, other: Side | None = None) -> list[Bar]:
    """Return the chart's bars, in ascending order if all faces are numbers."""
    if other is None and roll.totals is None:
        columns = zip(roll.faces, roll.base, roll.now, strict=True)
        return [Bar(name, usual, p, percent(p)) for name, usual, p in columns]
    now = dict(roll.numbers.chances)
    base = dict(other.numbers.chances if other else zip(map(int, roll.faces), roll.base, strict=True))
    rows = [(n, base.get(n, Fraction()), now.get(n, Fraction())) for n in sorted(now.keys() | base.keys())]
    return [Bar(str(n), usual, p, percent(p), not span or n in span) for n, usual, p in rows]


def _rows(roll: Side, other: Side | None) -> tuple[str, str]:
    """Return the table of at most 24 faces, and the line about the others."""
    single = "… and {n} more, not likelier; the chart has them all."
    several = "… and {n:,} more, none of them likelier; the chart has them all."
    faces, columns, heads, matter = roll.faces, [roll.now], (say("chance"),), roll.now
    if other or (roll.totals and not roll.remembers):
        drawn = bars(roll, Span(), other)
        faces, now, base = zip(*((bar.face, bar.now, bar.base) for bar in drawn), strict=True)
        columns = [now, base if other else or_more(drawn)]
        heads = (roll.short, other.short) if other else (say("chance"), say("or more"))
        matter = [*map(max, now, base)]
    elif roll.remembers:
        columns, heads = [roll.base, roll.now], (say("without memory"), say("next roll"))
        matter = [abs(now - base) for now, base in zip(roll.now, roll.base, strict=True)]
        single = "… and {n} face that changed less; the chart has them all."
        several = "… and {n:,} faces that changed less; the chart has them all."
        if roll.base == roll.now:
            single = "… and {n} more; the chart has them all."
            several = "… and {n:,} more; the chart has them all."
    rows, omitted = by_face(faces, heads, matter, _chances(columns))
    return rows, say_many(single, several, omitted) if omitted else ""


def _chances(columns: Sequence[Sequence[Fraction]]) -> Callable[[int], Sequence[str]]:
    """Return a function from a face's index to its chance in each column."""
    return lambda index: [in_percent(percent(column[index])) for column in columns]


def or_more(drawn: Sequence[Bar]) -> list[Fraction]:
    """Return for each bar the chance of at least its total."""
    return [*accumulate(bar.now for bar in reversed(drawn))][::-1]


def exactly(chance: Fraction) -> str:
    """Return a chance in per cent, and as a fraction if that is short."""
    fraction = f" ({figure(chance.numerator, ',')}/{figure(chance.denominator, ',')})"
    return f"{in_percent(percent(chance))}{fraction if 1 < chance.denominator <= _EXACT else ''}"
