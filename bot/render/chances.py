"""Odds in words: percentages, and the sentences that stand for a chart."""

from collections.abc import Sequence
from fractions import Fraction

_TITLE_LIMIT = 200
_FACE_LIMIT = 60
_FACES_NAMED = 4


def percent(chance: Fraction) -> str:
    """The chance in per cent: 18.4, below one 0.28, and so small that it hardly matters "<0.01".

    "0" and "100" are exact: what can still happen, or still fail, never reads so.
    """
    if chance in {0, 1}:
        return str(100 * chance)
    if chance < Fraction(1, 10_000):
        return "<0.01"
    if chance > Fraction(9_995, 10_000):
        return ">99.9"
    return f"{float(100 * chance):.{1 if chance >= Fraction(1, 100) else 2}f}"


def alt(title: str, faces: Sequence[str], base: Sequence[Fraction], now: Sequence[Fraction]) -> str:
    """What an odds chart shows, in two sentences of at most 1,000 characters together."""
    how_many = "1 face" if len(faces) == 1 else f"{len(faces):,} faces"
    start = f"{_cut(title, _TITLE_LIMIT)}: chances of the next roll, {how_many}."
    if min(now) == max(now):
        return f"{start} Every face has {percent(now[0])} %."
    ends = (_group(end, faces, base, now) for end in (max(now), min(now)))
    return f"{start} Highest: {next(ends)}; lowest: {next(ends)}."


def _group(chance: Fraction, faces: Sequence[str], base: Sequence[Fraction], now: Sequence[Fraction]) -> str:
    """The faces of that chance, it, and what it is without memory if that is one figure."""
    found = [i for i, p in enumerate(now) if p == chance]
    named = [_cut(faces[i], _FACE_LIMIT) for i in found[:_FACES_NAMED]]
    more = f" and {len(found) - _FACES_NAMED:,} more" if len(found) > _FACES_NAMED else ""
    usual = {percent(base[i]) for i in found}
    without = f" ({usual.pop()} % without memory)" if len(usual) == 1 and base != now else ""
    return f"{', '.join(named)}{more} with {percent(chance)} %{without}"


def _cut(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
