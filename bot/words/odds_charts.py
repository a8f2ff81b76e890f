"""The title, key and alternative text of the chart of odds."""

from collections.abc import Sequence
from fractions import Fraction

from bot.systems.odds import Span, Totals
from bot.words.odds import Side, bars, figures, span_text
from bot.words.pictures import Bar, OddsKey
from bot.words.saying import say, say_many, with_heading
from bot.words.text import first_few, in_percent, percent, rounded, shortened

_TITLE, _FACE, _FACES = 200, 60, 4


def caption(roll: Side, span: Span, other: Side | None) -> tuple[str, str]:
    """Return the chart's title and subtitle."""
    if other:
        subject = span_text(span) if span else say("mean")
        brief_figures = [f"{s.short} {_brief(s.numbers, span)}" for s in (roll, other)]
        both = say("{one} and {other}", one=roll.short, other=other.short)
        return both, with_heading(subject, ", ".join(brief_figures))
    if roll.totals is None:
        return roll.title, roll.note
    chance = (
        f"; {with_heading(span_text(span), in_percent(percent(roll.totals.within(span))))}" if span else ""
    )
    return roll.title, figures(roll) + chance


def key(roll: Side, span: Span, other: Side | None) -> OddsKey:
    """Return the chart's key."""
    base = other.short if other else say("without memory") if roll.remembers else ""
    if span:
        return OddsKey(span_text(span), base, say("other totals"))
    return OddsKey(roll.short if other else say("next roll"), base)


def alt(roll: Side, span: Span, other: Side | None = None) -> str:
    """Return the chart's alternative text: a few sentences of at most 1,000 characters together."""
    chart_bars = bars(roll, span, other)
    beside, title = other.short if other else "", shortened(roll.title, _TITLE)
    single = "{title}: chances of the next roll, {n} face."
    several = "{title}: chances of the next roll, {n:,} faces."
    if other:
        single = "{title}: chances of the next roll beside those of {other}, {n} face."
        several = "{title}: chances of the next roll beside those of {other}, {n:,} faces."
    sentences = [say_many(single, several, len(chart_bars), title=title, other=beside)]
    if span:
        chance = percent(roll.numbers.within(span))
        sentences.append(say("{totals}, shaded: {chance}%.", totals=span_text(span), chance=chance))
    own = [bar for bar in chart_bars if bar.now] if other else chart_bars
    highest, lowest = max(bar.now for bar in own), min(bar.now for bar in own)
    if highest == lowest:
        return " ".join([*sentences, say("Every face has {chance}%.", chance=percent(highest))])
    high, low = (_group(chance, chart_bars, beside) for chance in (highest, lowest))
    return " ".join([*sentences, say("Highest: {high}; lowest: {low}.", high=high, low=low)])


def _brief(numbers: Totals, span: Span) -> str:
    return in_percent(percent(numbers.within(span))) if span else rounded(numbers.mean)


def _group(chance: Fraction, chart_bars: Sequence[Bar], other: str) -> str:
    """Return the faces with this chance, and the chance they are compared with if it is the same for all."""
    group = [bar for bar in chart_bars if bar.now == chance]
    faces = first_few([shortened(bar.face, _FACE) for bar in group], _FACES)
    usual, text = {percent(bar.base) for bar in group}, "{faces} with {chance}% ({usual}% without memory)"
    if len(usual) > 1 or all(bar.base == bar.now for bar in chart_bars):
        text = "{faces} with {chance}%"
    elif other:
        text = "{faces} with {chance}% ({usual}% with {other})"
    return say(text, faces=faces, chance=percent(chance), usual=usual.pop(), other=other)
