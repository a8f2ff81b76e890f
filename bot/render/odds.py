"""A roller's odds as text: what each face had without a memory, and what it has now."""

from collections.abc import Sequence
from fractions import Fraction

from bot.campaign.rollers import Remembers
from bot.dice.names import clean
from bot.dice.system import System
from bot.render.chances import percent
from bot.render.escaping import code
from bot.render.systems import tag, whose
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator

_FACES_SHOWN = 24
_FACE_LIMIT = 24


def heading(name: str, system: System) -> str:
    """What the odds are of, e.g. "Luck: fair 2d6, tightness 1"."""
    return f"{name}: {tag(system)}"


def note(system: System, memory: Remembers) -> str:
    """Whose memory the odds come from, as a sentence."""
    if isinstance(system, Destinator):
        return "A map remembers nothing."
    if not system.remembers:
        return "Plain dice remember nothing."
    decks = "; each deck deals one card" if isinstance(system, Decks) else ""
    yours = "; this is yours" if memory is Remembers.PLAYER else ""
    return f"{whose(memory).capitalize()}{yours}{decks}."


def table(
    heading: str, note: str, faces: Sequence[str], base: Sequence[Fraction], now: Sequence[Fraction]
) -> str:
    """Every face with both chances; of over 24 faces, those that changed most."""
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
