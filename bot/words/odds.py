"""The words of /odds: the chance asked for and a picture; behind *Details* each face's, with all figures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

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
from bot.words.pictures import Bar, OddsKey
from bot.words.systems import tag
from bot.words.text import CUT, capital, code, escape, percent

_FACES_SHOWN = 24
_FACE_LIMIT = 24
_SHORT, _HEADED = 16, 60
_TITLE = 160
_EXACT = 10**7
_SIDE_BY_SIDE = 4
_JUDGED = {"0": "failure", "1": "success"}
_ALT_TITLE, _ALT_FACE, _ALT_FACES = 200, 60, 4


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

    @property
    def title(self) -> str:
        """Return the name and what it is."""
        return f"{self.called}: {self.rule}" if self.rule else self.called

    @property
    def short(self) -> str:
        """Return the beginning of the name."""
        return _cut(self.called, _SHORT)

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
        name or plain,
        words if name and not isinstance(system, GameRoll) else "",
        note(system, memory),
        tuple(_JUDGED[face] for face in faces) if judged else tuple(faces),
        tuple(base),
        tuple(now),
        system.has_state,
        None if judged else totals(faces, now),
        amounts(system),
        unit is Unit.MARGIN,
    )


def must_be_numbers(name: str, system: System) -> None:
    """SpecError where a roller's faces are words, or cards of several decks."""
    if isinstance(system, Decks) or not (are_numbers(system.faces) or amounts(system)):
        raise _no_number(_cut(name or tag(system), _SHORT))


def _no_number(short: str) -> SpecError:
    return SpecError("{short} doesn't come out as a number, so it can't be counted or compared.", short=short)


def note(system: System, memory: Remembers) -> str:
    """Return the sentence that says whose memory the odds come from."""
    if isinstance(system, Destinator):
        return "A map remembers nothing."
    if not system.has_state:
        return "Plain dice remember nothing."
    decks = " Each deck deals one card." if isinstance(system, Decks) else ""
    own = memory is Remembers.PLAYER
    return f"{'These odds go by your own memory' if own else 'The table shares its memory'}.{decks}"


def what_if(one: Side, faces: Sequence[str]) -> Side:
    """Return the side as one of a memory in which these results came up too."""
    return replace(one, note=f"What if: after {', '.join(faces)}.") if faces else one


def at_each(name: str, sides: Sequence[Side], tightness: Sequence[str], faces: Sequence[str]) -> Card:
    """Return the chances at each tightness side by side, and without memory; SpecError for over four."""
    if len(sides) > _SIDE_BY_SIDE:
        raise SpecError("Give at most {side_by_side} tightnesses to compare.", side_by_side=_SIDE_BY_SIDE)
    first, after = sides[0], f" after {', '.join(faces)}" if faces else ""
    columns, heads = [first.base, *(side.now for side in sides)], ("plain", *tightness)
    matter = [max(abs(column[i] - p) for column in columns) for i, p in enumerate(first.base)]
    shown, rest = _table(first.faces, columns, heads, matter, " faces that changed less")
    head = f"{code(f'{name}{after}', _TITLE)}: the next roll at each tightness"
    told = "\n".join([head, f"```\n{shown}\n```", *([f"{rest}."] if rest else [])])
    return Card((Text(told),), tone=Tone.QUIET)


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
    chance, of = _first(one, span, other)
    head = Head(chance, aside=of)
    if more is None:
        return Card((head, picture, *details(one, span, other).blocks), (*counts,), Tone.QUIET)
    beside = [Text(f"{_named(other)}: **{percent(other.numbers.within(span))}%**")] if other and span else []
    notes = [each.note for each in (one, other) if each and each.remembers]
    foot = [_summed(one, span, other), *dict.fromkeys(notes)]
    small = [Small(" · ".join(filter(None, foot)))] if any(foot) else []
    return Card((head, *beside, picture, *small), (more, *counts), Tone.QUIET)


def _first(one: Side, span: Span, other: Side | None) -> tuple[str, str]:
    """Return the chance that was asked for, and of what it is; where none was, what says most of a roll."""
    named = _named(one)
    if span:
        return f"{percent(one.numbers.within(span))}%", f"{asked(span)} on {named}"
    if other:
        return f"{percent(one.numbers.against(other.numbers)[0])}%", f"{named} is higher than {_named(other)}"
    if one.opposed:
        return f"{percent(one.numbers.within(Span(1, None)))}%", f"the first side of {named} wins"
    if one.totals:
        return _figure(one.totals.mean), f"{'next roll of ' if one.remembers else ''}{named}, on average"
    most = max(one.now)
    likeliest = [clean(face, _FACE_LIMIT) for face, p in zip(one.faces, one.now, strict=True) if p == most]
    if len(likeliest) == len(one.faces) > 1:
        return f"{percent(most)}%", f"each result of {named}"
    which = " or ".join(likeliest) if len(likeliest) < _ALT_FACES else f"each of {len(likeliest)} results"
    return f"{percent(most)}%", f"{escape(which)}, likeliest on {named}"


def _named(one: Side) -> str:
    """Return how a head calls a roll."""
    called = _cut(one.called, _HEADED)
    return f"**{escape(called)}**" if one.rule else code(called)


def _summed(one: Side, span: Span, other: Side | None) -> str:
    """Return what stands small below the picture: what the roller is, and a figure or two."""
    if other:
        _, equal, lower = one.numbers.against(other.numbers)
        return "" if span else f"equal {percent(equal)}%, lower {percent(lower)}%"
    mean = "" if one.totals and not span and not one.opposed else _mean(one)
    return " · ".join(filter(None, (escape(one.rule), mean)))


def _mean(one: Side) -> str:
    """Return the mean, and how often a contest is tied or lost; "" for words."""
    found = one.totals or one.amounts
    if found is None:
        return ""
    if one.opposed:
        return f"ties {percent(found.within(Span(0, 0)))}%, loses {percent(found.within(Span(None, -1)))}%"
    return f"{'damage: ' if one.amounts else ''}mean {_figure(found.mean)}"


def details(one: Side, span: Span, other: Side | None = None) -> Card:
    """Return all figures and the table; SpecError where what is asked for is not a number."""
    sides = [one] if other is None else [one, other]
    lines: list[str] = []
    for each in sides:
        lines.append(code(each.title, _TITLE))
        told = each.totals or each.amounts or span
        lines += [f"{capital(figures(each))}."] if told else []
        lines += [f"**{capital(asked(span))}: {exactly(each.numbers.within(span))}**"] if span else []
    if other:
        lines.append(against(one, other))
    notes = [one.note] if other is None else [each.note for each in sides if each.remembers]
    shown, rest = _rows(one, other)
    text = "\n".join([*lines, f"```\n{shown}\n```", *filter(None, (" ".join(notes), rest))])
    return Card((Text(text),), tone=Tone.QUIET)


def figures(one: Side) -> str:
    """Return the mean and the standard deviation, and who wins; SpecError where nothing is a number."""
    found, what = one.numbers, "damage: " if one.amounts else ""
    ends = {"wins": Span(1, None), "ties": Span(0, 0), "loses": Span(None, -1)} if one.opposed else {}
    who = ", ".join(f"{end} {percent(found.within(span))}%" for end, span in ends.items())
    return (
        f"{what}{who}{who and '; '}mean {_figure(found.mean)}, standard deviation {_figure(found.deviation)}"
    )


def asked(span: Span) -> str:
    """Return the totals asked for, "15 or more", "5 to 9"."""
    if span.high is None:
        return f"{span.low:,} or more"
    if span.low is None:
        return f"{span.high:,} or less"
    return f"{span.low:,}" if span.low == span.high else f"{span.low:,} to {span.high:,}"


def against(one: Side, other: Side) -> str:
    """Return how often either of two rolls is the higher one; SpecError where one is no number."""
    higher, equal, lower = one.numbers.against(other.numbers)
    return (
        f"{code(one.short)} is higher with {percent(higher)}%, equal with {percent(equal)}%, "
        f"lower with {percent(lower)}%."
    )


def caption(one: Side, span: Span, other: Side | None) -> tuple[str, str]:
    """Return the chart's title and the line below it."""
    if other:
        what = asked(span) if span else "mean"
        told = [f"{s.short} {_brief(s.numbers, span)}" for s in (one, other)]
        return f"{one.short} and {other.short}", f"{what}: {', '.join(told)}"
    if one.totals is None:
        return one.title, one.note
    chance = f"; {asked(span)}: {percent(one.totals.within(span))}%" if span else ""
    return one.title, figures(one) + chance


def key(one: Side, span: Span, other: Side | None) -> OddsKey:
    """Return what the chart's key says."""
    base = other.short if other else "without memory" if one.remembers else ""
    if span:
        return OddsKey(asked(span), base, "other totals")
    return OddsKey(one.short if other else "next roll", base)


def bars(one: Side, span: Span, other: Side | None = None) -> list[Bar]:
    """Return the chart's bars; faces that are all numbers are put in their order."""
    if other is None and one.totals is None:
        return [Bar(*each, percent(each[2])) for each in zip(one.faces, one.base, one.now, strict=True)]
    now = dict(one.numbers.chances)
    base = dict(other.numbers.chances if other else zip(map(int, one.faces), one.base, strict=True))
    return [
        Bar(
            str(total),
            base.get(total, Fraction(0)),
            p := now.get(total, Fraction(0)),
            percent(p),
            not span or total in span,
        )
        for total in sorted(now.keys() | base.keys())
    ]


def alt(one: Side, span: Span, other: Side | None = None) -> str:
    """Return the chart's description: a few sentences of at most 1,000 characters together."""
    drawn = bars(one, span, other)
    how_many = "1 face" if len(drawn) == 1 else f"{len(drawn):,} faces"
    beside = f" beside those of {other.short}" if other else ""
    start = f"{_cut(one.title, _ALT_TITLE)}: chances of the next roll{beside}, {how_many}."
    if span:
        start += f" {capital(asked(span))}, shaded: {percent(one.numbers.within(span))}%."
    own = [bar for bar in drawn if bar.now] if other else drawn
    highest, lowest = max(bar.now for bar in own), min(bar.now for bar in own)
    if highest == lowest:
        return f"{start} Every face has {percent(highest)}%."
    compared = f"with {other.short}" if other else "without memory"
    groups = (_group(chance, drawn, compared) for chance in (highest, lowest))
    return f"{start} Highest: {next(groups)}; lowest: {next(groups)}."


def _brief(found: Totals, span: Span) -> str:
    return f"{percent(found.within(span))}%" if span else _figure(found.mean)


def _rows(one: Side, other: Side | None) -> tuple[str, str]:
    """Return the table of at most 24 faces, and what is said of the others."""
    if other or (one.totals and not one.remembers):
        drawn = bars(one, Span(), other)
        faces = [bar.face for bar in drawn]
        columns = [[bar.now for bar in drawn], [bar.base for bar in drawn] if other else or_more(drawn)]
        heads = (one.short, other.short) if other else ("chance", "or more")
        matter = [max(bar.now, bar.base) for bar in drawn]
        less = " more, none of them likelier"
    elif not one.remembers:
        faces, columns, heads = [*one.faces], [[*one.now]], ("chance",)
        matter, less = [*one.now], " more, none of them likelier"
    else:
        faces, columns, heads = [*one.faces], [[*one.base], [*one.now]], ("without memory", "next roll")
        matter = [abs(now - base) for now, base in zip(one.now, one.base, strict=True)]
        less = " faces that changed less" if one.base != one.now else " more"
    shown, rest = _table(faces, columns, heads, matter, less)
    return shown, f"{rest}; the chart has them all." if rest else ""


def _table(
    faces: Sequence[str],
    columns: Sequence[Sequence[Fraction]],
    heads: Sequence[str],
    matter: Sequence[Fraction],
    less: str,
) -> tuple[str, str]:
    """Return a table of the 24 faces that matter most, and how many others there are."""
    shown = sorted(sorted(range(len(faces)), key=lambda i: (-matter[i], i))[:_FACES_SHOWN])
    names = {i: clean(faces[i], _FACE_LIMIT) for i in shown}
    wide = max([*map(len, names.values()), 4])
    widths = [max(len(head), 9) for head in heads]
    lines = [f"{'face':<{wide}}  " + "  ".join(f"{h:>{w}}" for h, w in zip(heads, widths, strict=True))]
    for i in shown:
        cells = (f"{percent(column[i]):>{w - 1}}%" for column, w in zip(columns, widths, strict=True))
        lines.append(f"{names[i]:<{wide}}  {'  '.join(cells)}")
    more = len(faces) - len(shown)
    return "\n".join(lines), f"{CUT} and {more:,}{less}" if more else ""


def or_more(drawn: Sequence[Bar]) -> list[Fraction]:
    """Return for each bar the chance of its total or a higher one."""
    found: list[Fraction] = []
    for bar in reversed(drawn):
        found.append(bar.now + (found[-1] if found else 0))
    return found[::-1]


def _group(chance: Fraction, bars: Sequence[Bar], compared: str) -> str:
    """Return the faces of a chance, and what they are compared with if that is one figure."""
    found = [bar for bar in bars if bar.now == chance]
    named = ", ".join(_cut(bar.face, _ALT_FACE) for bar in found[:_ALT_FACES])
    more = f" and {len(found) - _ALT_FACES:,} more" if len(found) > _ALT_FACES else ""
    usual = {percent(bar.base) for bar in found}
    changed = any(bar.base != bar.now for bar in bars)
    without = f" ({usual.pop()}% {compared})" if len(usual) == 1 and changed else ""
    return f"{named}{more} with {percent(chance)}%{without}"


def exactly(chance: Fraction) -> str:
    """Return a chance in per cent, and as a fraction where that is short."""
    fraction = f" ({chance.numerator:,}/{chance.denominator:,})"
    return f"{percent(chance)}%{fraction if 1 < chance.denominator <= _EXACT else ''}"


def _figure(value: Fraction | float) -> str:
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")


def _cut(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}{CUT}"
