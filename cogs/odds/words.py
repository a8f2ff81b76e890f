"""The words of /odds: each face's chance now and without a memory, as a table and for a chart."""

from collections.abc import Sequence
from fractions import Fraction

from bot.campaign.rollers import Remembers
from bot.charts.odds import Bar
from bot.dice.names import clean
from bot.dice.system import System
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator
from cogs.kit.systems import tag, whose
from cogs.kit.text import CUT, code, percent

_FACES_SHOWN = 24
_FACE_LIMIT = 24
_ALT_TITLE, _ALT_FACE, _ALT_FACES = 200, 60, 4


def heading(name: str, system: System) -> str:
    """Return what the odds are of, "Luck: fair 2d6, tightness 1"."""
    return f"{name}: {tag(system)}"


def note(system: System, memory: Remembers) -> str:
    """Return the sentence that says whose memory the odds come from."""
    if isinstance(system, Destinator):
        return "A map remembers nothing."
    if not system.has_state:
        return "Plain dice remember nothing."
    decks = "; each deck deals one card" if isinstance(system, Decks) else ""
    yours = "; this is yours" if memory is Remembers.PLAYER else ""
    return f"{whose(memory).capitalize()}{yours}{decks}."


def table(
    heading: str, note: str, faces: Sequence[str], base: Sequence[Fraction], now: Sequence[Fraction]
) -> str:
    """Return every face with both chances; of more than 24 faces, those that changed most."""
    shown = range(len(faces))
    rest = ""
    if len(faces) > _FACES_SHOWN:
        change = sorted(shown, key=lambda i: (-abs(now[i] - base[i]), i))
        shown = sorted(change[:_FACES_SHOWN])
        less = " faces that changed less" if base != now else " more"
        rest = f"\n… and {len(faces) - _FACES_SHOWN}{less}; the chart has them all."
    names = {i: clean(faces[i], _FACE_LIMIT) for i in shown}
    wide = max([*map(len, names.values()), 4])
    lines = [f"{'face':<{wide}}  without memory  next roll"]
    lines += [f"{names[i]:<{wide}}  {percent(base[i]):>12} %  {percent(now[i]):>7} %" for i in shown]
    body = "\n".join(lines)
    return f"{code(heading)}\n```\n{body}\n```\n{note}{rest}"


def bars(faces: Sequence[str], base: Sequence[Fraction], now: Sequence[Fraction]) -> list[Bar]:
    """Return the chart's bars; faces that are all numbers are put in their order."""
    found = [Bar(*one, percent(one[2])) for one in zip(faces, base, now, strict=True)]
    if all(face.removeprefix("-").isdecimal() for face in faces):
        found.sort(key=lambda bar: int(bar.face))
    return found


def alt(title: str, bars: Sequence[Bar]) -> str:
    """Return the chart's description: two sentences of at most 1,000 characters together."""
    how_many = "1 face" if len(bars) == 1 else f"{len(bars):,} faces"
    start = f"{_cut(title, _ALT_TITLE)}: chances of the next roll, {how_many}."
    highest, lowest = max(bar.now for bar in bars), min(bar.now for bar in bars)
    if highest == lowest:
        return f"{start} Every face has {percent(highest)} %."
    return f"{start} Highest: {_group(highest, bars)}; lowest: {_group(lowest, bars)}."


def _group(chance: Fraction, bars: Sequence[Bar]) -> str:
    """Return the faces of a chance, and what they have without a memory if that is one figure."""
    found = [bar for bar in bars if bar.now == chance]
    named = ", ".join(_cut(bar.face, _ALT_FACE) for bar in found[:_ALT_FACES])
    more = f" and {len(found) - _ALT_FACES:,} more" if len(found) > _ALT_FACES else ""
    usual = {percent(bar.base) for bar in found}
    changed = any(bar.base != bar.now for bar in bars)
    without = f" ({usual.pop()} % without memory)" if len(usual) == 1 and changed else ""
    return f"{named}{more} with {percent(chance)} %{without}"


def _cut(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}{CUT}"
