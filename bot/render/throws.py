"""A throw's dice as Discord's text: dropped dice struck, successes and explosions marked."""

from bot.core.throws import Die, Face, Pool, Throw

_CUT = "…"


def dice(throw: Throw, room: int) -> str:
    """The expression with its dice in it, such as "4d6kh3 (6, 5, ~~1~~, 3) + 3", in about `room` characters.

    Where there are too many dice, the first of each pool are shown, and how many more there are.
    """
    pools = sum(isinstance(part, Pool) for part in throw.parts)
    share = room // max(pools, 1)
    return "".join(_pool(part, share) if isinstance(part, Pool) else _escape(part) for part in throw.parts)


def _pool(pool: Pool, room: int) -> str:
    tag = f" [{pool.tag}]" if pool.tag else ""
    return f"{_escape(str(pool.term))}{tag} ({_dice(pool, room)})"


def _dice(pool: Pool, room: int) -> str:
    shown: list[str] = []
    for die in pool.dice:
        text = _die(die)
        if room < len(text) + 2:
            return f"{', '.join(shown)}, {_CUT} {len(pool.dice) - len(shown)} more"
        room -= len(text) + 2
        shown.append(text)
    return ", ".join(shown)


def _die(die: Die) -> str:
    text = "+".join(map(_face, (face for face in die.faces if not face.rerolled)))
    rerolled = "".join(f"{face.value}→" for face in die.faces if face.rerolled)
    text = rerolled + text
    return text if die.kept else f"~~{text}~~"


def _face(face: Face) -> str:
    return f"**{face.value}**" if face.success else str(face.value)


def _escape(text: str) -> str:
    """Signs of the notation that Discord would take for markup."""
    return text.replace("*", "\\*").replace(">", "\\>")
