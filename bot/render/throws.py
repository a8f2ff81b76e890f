"""A throw's dice as Discord's text: dropped dice struck, successes and explosions marked."""

from bot.dice.throws import Die, Face, Part, Pool, Throw
from bot.render.escaping import CUT, escape

_MORE = 12
"""As many characters has ", … 100 more"."""


def dice(throw: Throw, room: int) -> str:
    """The expression with its dice, such as "4d6kh3 (6, 5, ~~1~~, 3) + 3", in at most `room` characters.

    Where there are too many dice, the first of each pool are shown, and how many more there are; where the
    expression alone is too long, its beginning, and at the least the sign that something is missing.
    """
    pools = [part for part in throw.parts if isinstance(part, Pool)]
    rest = sum(len(_part(part, "")) for part in throw.parts)
    share = (room - rest) // max(len(pools), 1)
    text = "".join(_part(part, _dice(part, share) if isinstance(part, Pool) else "") for part in throw.parts)
    if len(text) <= room:
        return text
    text = ""
    for part in throw.parts:
        left = room - len(text) - 2
        shown = _part(part, _dice(part, left - len(_part(part, ""))) if isinstance(part, Pool) else "")
        if len(shown) > left:
            break
        text += shown
    return f"{text.rstrip()} {CUT}".lstrip()


def _part(part: Part, dice: str) -> str:
    if not isinstance(part, Pool):
        return escape(part)
    tag = f" [{part.tag}]" if part.tag else ""
    return f"{escape(str(part.term))}{tag} ({dice})"


def _dice(pool: Pool, room: int) -> str:
    whole = [_die(die) for die in pool.dice]
    text = ", ".join(whole)
    if len(text) <= room:
        return text
    shown: list[str] = []
    room -= _MORE
    for die in whole:
        if len(die) + 2 > room:
            break
        room -= len(die) + 2
        shown.append(die)
    return ", ".join([*shown, f"{CUT} {len(whole) - len(shown)} more"])


def _die(die: Die) -> str:
    text = "+".join(map(_face, (face for face in die.faces if not face.rerolled)))
    rerolled = "".join(f"{face.value}→" for face in die.faces if face.rerolled)
    text = rerolled + text
    return text if die.kept else f"~~{text}~~"


def _face(face: Face) -> str:
    return f"**{face.value}**" if face.success else str(face.value)
