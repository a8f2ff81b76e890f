"""The words of /odds: the chance asked for and a picture; behind *Details* each face's, with all figures."""

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
from bot.systems.odds import Span, Totals, amounts, are_numbers, totals
from bot.systems.plain import PlainDice
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.games import called, face
from bot.words.pictures import Bar
from bot.words.saying import behind, either, phrase, say, say_many
from bot.words.systems import tag
from bot.words.tables import by_face
from bot.words.text import CUT, capital, code, escape, figure, in_percent, percent, rounded

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
    """A roll whose odds are told: what it is, and each face's chance in the long run and now."""

    called: str
    """The roller's name, or the dice."""
    rule: str
    """What a roller is; "" for dice."""
    note: str
    faces: tuple[str, ...]
    base: tuple[Fraction, ...]
    now: tuple[Fraction, ...]
    remembers: bool
    totals: Totals | None
    """The faces as numbers, with their chances now; None for words."""
    amounts: Totals | None = None
    """What comes beside a game's class, such as damage; ranges and comparisons are about it."""
    opposed: bool = False
    """Whether the numbers say by how much the first of two rolls wins."""
    passes: Fraction | None = None
    """The chance of a success, where the faces are a failure and a success."""

    @property
    def title(self) -> str:
        """Return the name and what it is."""
        return behind(self.called, self.rule)

    @property
    def short(self) -> str:
        """Return the beginning of the name."""
        return shortened(self.called, _SHORT)

    @property
    def numbers(self) -> Totals:
        """Return the totals, or what comes beside a class; SpecError for words alone."""
        if found := self.totals or self.amounts:
            return found
        raise _no_number(self.short)


def side(
    name: str,
    system: System,
    memory: Remembers,
    base: Sequence[Fraction],
    now: Sequence[Fraction],
    faces: Sequence[str] = (),
) -> Side:
    """Return a roller, or plain dice where there is no name, with its words and figures.

    The chances are those of the system's faces, unless others are given.
    """
    faces = faces or system.faces
    words = tag(system)
    dice = system.base.dice if isinstance(system, OnBase) else None
    plain = dice.text if dice and isinstance(system, PlainDice) else words
    unit = unit_of(dice.body) if dice else Unit.SUM
    judged = unit is Unit.TRUTH
    return Side(
        called(system, name) or plain,
        words if name and not isinstance(system, GameRoll) else "",
        note(system, memory),
        tuple(say(_JUDGED[each]) if judged else face(system, each) for each in faces),
        tuple(base),
        tuple(now),
        system.has_state,
        None if judged else totals(faces, now),
        amounts(system),
        unit is Unit.MARGIN,
        dict(zip(faces, now, strict=True)).get(_PASSES, Fraction()) if judged else None,
    )


def must_be_numbers(name: str, system: System) -> None:
    """SpecError where a roller's faces are words, or cards of several decks, or take too long to count."""
    numbers = are_numbers(system.faces) or (isinstance(system, GameRoll) and system.exact_amounts())
    if isinstance(system, Decks) or not numbers:
        raise _no_number(shortened(name or tag(system), _SHORT))


def _no_number(short: str) -> SpecError:
    return SpecError("{short} doesn't come out as a number, so it can't be counted or compared.", short=short)


def note(system: System, memory: Remembers) -> str:
    """Return the sentence that says whose memory the odds come from."""
    if isinstance(system, Destinator):
        return say("A map remembers nothing.")
    if not system.has_state:
        return say("Plain dice remember nothing.")
    own = memory is Remembers.PLAYER
    whose = say("These odds go by your own memory.") if own else say("The table shares its memory.")
    return f"{whose} {say('Each deck deals one card.')}" if isinstance(system, Decks) else whose


def what_if(one: Side, faces: Sequence[str]) -> Side:
    """Return the side as one of a memory in which these results came up too."""
    return replace(one, note=say("What if: after {faces}.", faces=", ".join(faces))) if faces else one


def at_each(name: str, sides: Sequence[Side], tightness: Sequence[str], faces: Sequence[str]) -> Card:
    """Return the chances at each tightness side by side, and without memory; SpecError for over four."""
    if len(sides) > _SIDE_BY_SIDE:
        raise SpecError("Give at most {side_by_side} tightnesses to compare.", side_by_side=_SIDE_BY_SIDE)
    first = sides[0]
    what = say("{name} after {faces}", name=name, faces=", ".join(faces)) if faces else name
    columns, heads = [first.base, *(each.now for each in sides)], (say("plain"), *tightness)
    matter = [max(abs(column[i] - p) for column in columns) for i, p in enumerate(first.base)]
    shown, left = by_face(first.faces, heads, matter, _chances(columns))
    told = [say("{dice}: the next roll at each tightness", dice=code(what, _TITLE)), shown]
    if left:
        told += [say_many("… and {n} face that changed less.", "… and {n:,} faces that changed less.", left)]
    return Card((Text("\n".join(told)),), tone=Tone.QUIET)


def card(
    one: Side,
    span: Span,
    other: Side | None,
    picture: Picture,
    more: CardButton | None,
    counts: Sequence[CardButton] = (),
) -> Card:
    """Return the answer: the one chance, the picture, and a button for `more`; without one all is there.

    SpecError where what is asked for is not a number.
    """
    head = _first(one, span, other)
    if more is None:
        return Card((head, picture, *details(one, span, other).blocks), (*counts,), Tone.QUIET)
    within = in_percent(percent(other.numbers.within(span))) if other and span else ""
    beside = [Text(behind(_named(other), f"**{within}**"))] if other and within else []
    notes = [each.note for each in (one, other) if each and each.remembers]
    foot = [_summed(one, span, other), *dict.fromkeys(notes)]
    small = [Small(" · ".join(filter(None, foot)))] if any(foot) else []
    return Card((head, *beside, picture, *small), (more, *counts), Tone.QUIET)


def _first(one: Side, span: Span, other: Side | None) -> Head:
    """Return the chance that was asked for, and of what it is; where none was, what says most of a roll."""
    named = _named(one)
    if span:
        chance, of = one.numbers.within(span), say("{totals} on {dice}", totals=asked(span), dice=named)
    elif other:
        chance = one.numbers.against(other.numbers)[0]
        of = say("{one} is higher than {other}", one=named, other=_named(other))
    elif one.opposed:
        chance, of = one.numbers.within(Span(1, None)), say("the first side of {dice} wins", dice=named)
    elif one.totals:
        mean = "next roll of {dice}, on average" if one.remembers else "{dice}, on average"
        return Head(rounded(one.totals.mean), aside=say(mean, dice=named))
    elif one.passes is not None:
        chance, of = one.passes, say("{dice} passes", dice=named)
    else:
        chance, of = max(one.now), _likeliest(one, named)
    return Head(in_percent(percent(chance)), aside=of)


def _likeliest(one: Side, named: str) -> str:
    """Return which words are likeliest."""
    most = max(one.now)
    likeliest = [clean(name, _FACE_LIMIT) for name, p in zip(one.faces, one.now, strict=True) if p == most]
    told = "each of {n} results, likeliest on {dice}"
    if len(likeliest) == len(one.faces) > 1:
        told = "each result of {dice}"
    elif len(likeliest) < _NAMED:
        told = "{faces}, likeliest on {dice}"
    return say(told, faces=escape(either(likeliest)), n=len(likeliest), dice=named)


def _named(one: Side) -> str:
    """Return how a head calls a roll."""
    name = shortened(one.called, _HEADED)
    return f"**{escape(name)}**" if one.rule else code(name)


def _summed(one: Side, span: Span, other: Side | None) -> str:
    """Return what stands small below the picture: what the roller is, and a figure or two."""
    if other:
        _, equal, lower = one.numbers.against(other.numbers)
        told = "equal {equal}%, lower {lower}%"
        return "" if span else say(told, equal=percent(equal), lower=percent(lower))
    mean = "" if one.totals and not span and not one.opposed else _mean(one)
    return " · ".join(filter(None, (escape(one.rule), mean)))


def _mean(one: Side) -> str:
    """Return the mean, and how often a contest is tied or lost; "" for words."""
    found = one.totals or one.amounts
    if found is None:
        return ""
    if one.opposed:
        ties, loses = percent(found.within(Span(0, 0))), percent(found.within(Span(None, -1)))
        return say("ties {ties}%, loses {loses}%", ties=ties, loses=loses)
    return say("damage: mean {mean}" if one.amounts else "mean {mean}", mean=rounded(found.mean))


def details(one: Side, span: Span, other: Side | None = None) -> Card:
    """Return all figures and the table; SpecError where what is asked for is not a number."""
    sides = [one] if other is None else [one, other]
    lines: list[str] = []
    for each in sides:
        lines.append(code(each.title, _TITLE))
        told = each.totals or each.amounts or span
        lines += [f"{capital(figures(each))}."] if told else []
        lines += [f"**{behind(asked(span), exactly(each.numbers.within(span)))}**"] if span else []
    if other:
        lines.append(against(one, other))
    notes = [one.note] if other is None else [each.note for each in sides if each.remembers]
    shown, rest = _rows(one, other)
    text = "\n".join([*lines, shown, *filter(None, (" ".join(notes), rest))])
    return Card((Text(text),), tone=Tone.QUIET)


def figures(one: Side) -> str:
    """Return the mean and the standard deviation, and who wins; SpecError where nothing is a number."""
    found, told = one.numbers, "mean {mean}, standard deviation {deviation}"
    if one.opposed:
        told = "wins {wins}%, ties {ties}%, loses {loses}%; mean {mean}, standard deviation {deviation}"
    elif one.amounts:
        told = "damage: mean {mean}, standard deviation {deviation}"
    return say(
        told,
        wins=percent(found.within(Span(1, None))),
        ties=percent(found.within(Span(0, 0))),
        loses=percent(found.within(Span(None, -1))),
        mean=rounded(found.mean),
        deviation=rounded(found.deviation),
    )


def asked(span: Span) -> str:
    """Return the totals asked for, "15 or more", "5 to 9"."""
    if span.high is None:
        return say("{low:,} or more", low=span.low)
    if span.low is None:
        return say("{high:,} or less", high=span.high)
    if span.low == span.high:
        return figure(span.low, ",")
    return say("{low:,} to {high:,}", low=span.low, high=span.high)


def against(one: Side, other: Side) -> str:
    """Return how often either of two rolls is the higher one; SpecError where one is no number."""
    higher, equal, lower = one.numbers.against(other.numbers)
    return say(
        "{dice} is higher with {higher}%, equal with {equal}%, lower with {lower}%.",
        dice=code(one.short),
        higher=percent(higher),
        equal=percent(equal),
        lower=percent(lower),
    )


def bars(one: Side, span: Span, other: Side | None = None) -> list[Bar]:
    """Return the chart's bars; faces that are all numbers are put in their order."""
    if other is None and one.totals is None:
        return [Bar(*each, percent(each[2])) for each in zip(one.faces, one.base, one.now, strict=True)]
    now = dict(one.numbers.chances)
    base = dict(other.numbers.chances if other else zip(map(int, one.faces), one.base, strict=True))
    every = [(n, base.get(n, Fraction()), now.get(n, Fraction())) for n in sorted(now.keys() | base.keys())]
    return [Bar(str(n), usual, p, percent(p), not span or n in span) for n, usual, p in every]


def _rows(one: Side, other: Side | None) -> tuple[str, str]:
    """Return the table of at most 24 faces, and what is said of the others."""
    single = "… and {n} more, not likelier; the chart has them all."
    several = "… and {n:,} more, none of them likelier; the chart has them all."
    faces, columns, heads, matter = one.faces, [one.now], (say("chance"),), one.now
    if other or (one.totals and not one.remembers):
        drawn = bars(one, Span(), other)
        faces, now, base = zip(*((bar.face, bar.now, bar.base) for bar in drawn), strict=True)
        columns = [now, base if other else or_more(drawn)]
        heads = (one.short, other.short) if other else (say("chance"), say("or more"))
        matter = [*map(max, now, base)]
    elif one.remembers:
        columns, heads = [one.base, one.now], (say("without memory"), say("next roll"))
        matter = [abs(now - base) for now, base in zip(one.now, one.base, strict=True)]
        single = "… and {n} face that changed less; the chart has them all."
        several = "… and {n:,} faces that changed less; the chart has them all."
        if one.base == one.now:
            single, several = (
                "… and {n} more; the chart has them all.",
                "… and {n:,} more; the chart has them all.",
            )
    shown, left = by_face(faces, heads, matter, _chances(columns))
    return shown, say_many(single, several, left) if left else ""


def _chances(columns: Sequence[Sequence[Fraction]]) -> Callable[[int], Sequence[str]]:
    """Return what tells the chances of a face."""
    return lambda place: [in_percent(percent(column[place])) for column in columns]


def or_more(drawn: Sequence[Bar]) -> list[Fraction]:
    """Return for each bar the chance of its total or a higher one."""
    return [*accumulate(bar.now for bar in reversed(drawn))][::-1]


def exactly(chance: Fraction) -> str:
    """Return a chance in per cent, and as a fraction where that is short."""
    fraction = f" ({figure(chance.numerator, ',')}/{figure(chance.denominator, ',')})"
    return f"{in_percent(percent(chance))}{fraction if 1 < chance.denominator <= _EXACT else ''}"


def shortened(text: str, limit: int) -> str:
    """Return a text in one line, cut to at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}{CUT}"
