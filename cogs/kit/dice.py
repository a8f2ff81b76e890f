"""Thrown dice and dealt cards as Discord text: dropped dice struck out, successes bold."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from bot.charts.faces import DieState, face_name
from bot.dice.modifiers import Comparison
from bot.dice.throws import Die, Face, Part, Pool, Throw, Unit
from bot.systems.decks import Decks
from cogs.kit.text import CUT, cut, escape, listed

Pictures: TypeAlias = Mapping[str, str]
"""Discord's texts for the pictures of dice that the bot has, by their names; none where dice are text."""
NONE: Pictures = {}
_MORE = 12
"""Room for ", … 100 more"."""
_CATEGORY = 24
_NATURALS = (20, 100)
"""Dice whose ends stand out when one of them is rolled alone."""
_STRICT = {Comparison.MORE: "above", Comparison.LESS: "below"}


def dice(throw: Throw, room: int, pictures: Pictures = NONE) -> str:
    """Return the expression with its dice, "4d6kh3 (6, 5, ~~1~~, 3) + 3", in at most `room` characters.

    Pictures stand in the place of figures where all of them fit. Where there are too many dice, each pool
    shows its first ones and the number of the others; where the expression alone is too long, only its
    beginning is shown.
    """
    if pictures and len(text := _joined(throw, lambda pool: _drawn(pool, pictures))) <= room:
        return text
    if len(text := _joined(throw, lambda pool: _dice(pool, room))) <= room:
        return text
    rest = len(_joined(throw, lambda _: ""))
    share = (room - rest) // max(len(throw.pools), 1)
    if len(text := _joined(throw, lambda pool: _dice(pool, share))) <= room:
        return text
    text = ""
    for part in throw.parts:
        left = room - len(text) - 2
        shown = _part(part, _dice(part, left - len(_part(part, ""))) if isinstance(part, Pool) else "")
        if len(shown) > left:
            break
        text += shown
    return f"{text.rstrip()} {CUT}".lstrip()


def readings(throw: Throw) -> str:
    """Return how signs were read that other programs read otherwise: " · above 8"; "" for none."""
    said: list[str] = []
    for pool in throw.pools:
        success, explode = pool.term.success, pool.term.explode
        strict = [one for one in success.faces.conditions if one.comparison in _STRICT] if success else []
        said += [f"{_STRICT[one.comparison]} {one.number}" for one in strict]
        if explode and pool.term.keep and not explode.separate:
            said.append("a die counts with all it exploded into")
    return "".join(f" · {words}" for words in dict.fromkeys(said))


def natural(throw: Throw) -> str:
    """Return "natural 20" or "natural 1" where one kept d20 or d100 shows its end; "" elsewhere."""
    kept = [(die, pool.term.sides) for pool in throw.pools for die in pool.dice if die.kept]
    if len(kept) != 1 or throw.unit is not Unit.SUM:
        return ""
    ((die, sides),) = kept
    return f"natural {die.value}" if sides in _NATURALS and die.value in {1, sides} else ""


def offers(system: Decks, cards: Sequence[str], room: int) -> str:
    """Return a line for each offer of several decks, each card behind its category.

    Where that takes more than `room` characters, only the cards are listed.
    """
    size = system.hand
    dealt = [cards[i : i + size] for i in range(0, len(cards), size)]
    lines = [
        " · ".join(
            f"{cut(category, _CATEGORY)}: **{escape(card)}**"
            for category, card in zip(system.categories, offer, strict=True)
        )
        for offer in dealt
    ]
    if len(lines) > 1:
        lines = [f"{n}. {line}" for n, line in enumerate(lines, start=1)]
    text = "\n".join(lines)
    return text if len(text) <= room else f"**{listed(cards, room - 4)}**"


def _joined(throw: Throw, shown: Callable[[Pool], str]) -> str:
    return "".join(_part(part, shown(part) if isinstance(part, Pool) else "") for part in throw.parts)


def _part(part: Part, dice: str) -> str:
    if not isinstance(part, Pool):
        return escape(part)
    tag = f" [{part.tag}]" if part.tag else ""
    return f"{escape(part.term.text)}{tag} ({dice})"


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


def _drawn(pool: Pool, pictures: Pictures) -> str:
    """Return the pool's dice as pictures; those that rerolled or exploded, and odd ones, stay text."""
    usual = pool.term.lowest == 1 and not pool.term.special
    text = ", ".join([(usual and _picture(die, pool.term.sides, pictures)) or _die(die) for die in pool.dice])
    return text.replace(">, <", "> <")


def _picture(die: Die, sides: int, pictures: Pictures) -> str:
    """Return the picture of a die; "" where there is none."""
    (face, *more) = die.faces
    if more or face.changed is not None:
        return ""
    shown = DieState.SUCCESS if face.success else DieState.KEPT
    return pictures.get(face_name(sides, face.value, shown if die.kept else DieState.DROPPED), "")


def _die(die: Die) -> str:
    text = "+".join(map(_face, (face for face in die.faces if not face.rerolled)))
    rerolled = "".join(f"{face.value}→" for face in die.faces if face.rerolled)
    text = rerolled + text
    return text if die.kept else f"~~{text}~~"


def _face(face: Face) -> str:
    text = str(face.value) if face.changed is None else f"{face.value}→{face.changed}"
    return f"**{text}**" if face.success else text
