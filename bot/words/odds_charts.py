"""The words on the chart of odds, and what is read to those who don't see it."""

from collections.abc import Sequence
from fractions import Fraction

from bot.systems.odds import Span, Totals
from bot.words.odds import Side, asked, bars, figures, shortened
from bot.words.pictures import Bar, OddsKey
from bot.words.saying import behind, say, say_many
from bot.words.text import in_percent, percent, rounded

_TITLE, _FACE, _FACES = 200, 60, 4


def caption(one: Side, span: Span, other: Side | None) -> tuple[str, str]:
    """Return the chart's title and the line below it."""
    if other:
        what = asked(span) if span else say("mean")
        told = [f"{s.short} {_brief(s.numbers, span)}" for s in (one, other)]
        both = say("{one} and {other}", one=one.short, other=other.short)
        return both, behind(what, ", ".join(told))
    if one.totals is None:
        return one.title, one.note
    chance = f"; {behind(asked(span), in_percent(percent(one.totals.within(span))))}" if span else ""
    return one.title, figures(one) + chance


def key(one: Side, span: Span, other: Side | None) -> OddsKey:
    """Return what the chart's key says."""
    base = other.short if other else say("without memory") if one.remembers else ""
    if span:
        return OddsKey(asked(span), base, say("other totals"))
    return OddsKey(one.short if other else say("next roll"), base)


def alt(one: Side, span: Span, other: Side | None = None) -> str:
    """Return the chart's description: a few sentences of at most 1,000 characters together."""
    drawn = bars(one, span, other)
    beside, title = other.short if other else "", shortened(one.title, _TITLE)
    single = "{title}: chances of the next roll, {n} face."
    several = "{title}: chances of the next roll, {n:,} faces."
    if other:
        single = "{title}: chances of the next roll beside those of {other}, {n} face."
        several = "{title}: chances of the next roll beside those of {other}, {n:,} faces."
    told = [say_many(single, several, len(drawn), title=title, other=beside)]
    if span:
        chance = percent(one.numbers.within(span))
        told.append(say("{totals}, shaded: {chance}%.", totals=asked(span), chance=chance))
    own = [bar for bar in drawn if bar.now] if other else drawn
    highest, lowest = max(bar.now for bar in own), min(bar.now for bar in own)
    if highest == lowest:
        return " ".join([*told, say("Every face has {chance}%.", chance=percent(highest))])
    high, low = (_group(chance, drawn, beside) for chance in (highest, lowest))
    return " ".join([*told, say("Highest: {high}; lowest: {low}.", high=high, low=low)])


def _brief(found: Totals, span: Span) -> str:
    return in_percent(percent(found.within(span))) if span else rounded(found.mean)


def _group(chance: Fraction, drawn: Sequence[Bar], other: str) -> str:
    """Return the faces of a chance, and what they are compared with if that is one figure."""
    found = [bar for bar in drawn if bar.now == chance]
    faces = ", ".join(shortened(bar.face, _FACE) for bar in found[:_FACES])
    if len(found) > _FACES:
        faces = say("{faces} and {n:,} more", faces=faces, n=len(found) - _FACES)
    usual, told = {percent(bar.base) for bar in found}, "{faces} with {chance}% ({usual}% without memory)"
    if len(usual) > 1 or all(bar.base == bar.now for bar in drawn):
        told = "{faces} with {chance}%"
    elif other:
        told = "{faces} with {chance}% ({usual}% with {other})"
    return say(told, faces=faces, chance=percent(chance), usual=usual.pop(), other=other)
