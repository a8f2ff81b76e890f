"""The words of /odds: each face's chance, what was asked for, and two rolls side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
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
from bot.words.pictures import Bar, OddsKey
from bot.words.systems import tag
from bot.words.text import CUT, capital, code, percent

_FACES_SHOWN = 24
_FACE_LIMIT = 24
_SHORT = 16
_TITLE = 160
_EXACT = 10**7
_JUDGED = {"0": "failure", "1": "success"}
_ALT_TITLE, _ALT_FACE, _ALT_FACES = 200, 60, 4


@dataclass(frozen=True, slots=True)
class Side:
    """A roll whose odds are told: what it is, and each face's chance in the long run and now."""

    title: str
    short: str
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
    plain = words.removeprefix("plain dice ")
    dice = system.base.dice if isinstance(system, OnBase) else None
    unit = unit_of(dice.body) if dice else Unit.SUM
    judged = unit is Unit.TRUTH
    return Side(
        f"{name}: {words}" if name and not isinstance(system, GameRoll) else name or plain,
        _cut(name or plain, _SHORT),
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


def answer(one: Side, span: Span, other: Side | None = None) -> str:
    """Return the whole answer; SpecError where what is asked for is not a number."""
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
    return "\n".join([*lines, f"```\n{shown}\n```", *filter(None, (" ".join(notes), rest))])


def figures(one: Side) -> str:
    """Return the mean and the standard deviation, and who wins; SpecError where nothing is a number."""
    found, what = one.numbers, "damage: " if one.amounts else ""
    ends = {"wins": Span(1, None), "ties": Span(0, 0), "loses": Span(None, -1)} if one.opposed else {}
    who = ", ".join(f"{end} {percent(found.within(span))} %" for end, span in ends.items())
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
        f"{code(one.short)} is higher with {percent(higher)} %, equal with {percent(equal)} %, "
        f"lower with {percent(lower)} %."
    )


def caption(one: Side, span: Span, other: Side | None) -> tuple[str, str]:
    """Return the chart's title and the line below it."""
    if other:
        what = asked(span) if span else "mean"
        told = [f"{s.short} {_brief(s.numbers, span)}" for s in (one, other)]
        return f"{one.short} and {other.short}", f"{what}: {', '.join(told)}"
    if one.totals is None:
        return one.title, one.note
    chance = f"; {asked(span)}: {percent(one.totals.within(span))} %" if span else ""
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
        start += f" {capital(asked(span))}, shaded: {percent(one.numbers.within(span))} %."
    own = [bar for bar in drawn if bar.now] if other else drawn
    highest, lowest = max(bar.now for bar in own), min(bar.now for bar in own)
    if highest == lowest:
        return f"{start} Every face has {percent(highest)} %."
    compared = f"with {other.short}" if other else "without memory"
    groups = (_group(chance, drawn, compared) for chance in (highest, lowest))
    return f"{start} Highest: {next(groups)}; lowest: {next(groups)}."


def _brief(found: Totals, span: Span) -> str:
    return f"{percent(found.within(span))} %" if span else _figure(found.mean)


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
    shown = sorted(sorted(range(len(faces)), key=lambda i: (-matter[i], i))[:_FACES_SHOWN])
    names = {i: clean(faces[i], _FACE_LIMIT) for i in shown}
    wide = max([*map(len, names.values()), 4])
    widths = [max(len(head), 9) for head in heads]
    lines = [f"{'face':<{wide}}  " + "  ".join(f"{h:>{w}}" for h, w in zip(heads, widths, strict=True))]
    for i in shown:
        cells = (f"{percent(column[i]):>{w - 2}} %" for column, w in zip(columns, widths, strict=True))
        lines.append(f"{names[i]:<{wide}}  {'  '.join(cells)}")
    more = len(faces) - len(shown)
    return "\n".join(lines), f"{CUT} and {more:,}{less}; the chart has them all." if more else ""


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
    without = f" ({usual.pop()} % {compared})" if len(usual) == 1 and changed else ""
    return f"{named}{more} with {percent(chance)} %{without}"


def exactly(chance: Fraction) -> str:
    """Return a chance in per cent, and as a fraction where that is short."""
    fraction = f" ({chance.numerator:,}/{chance.denominator:,})"
    return f"{percent(chance)} %{fraction if 1 < chance.denominator <= _EXACT else ''}"


def _figure(value: Fraction | float) -> str:
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")


def _cut(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}{CUT}"
