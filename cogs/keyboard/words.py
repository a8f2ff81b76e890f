"""A keyboard in words: its sets of keys, their labels, and what is said with it."""

import re
from collections.abc import Mapping, Sequence

from bot.dice.errors import SpecError
from bot.words.pictures import face_name
from bot.words.saying import phrase, say
from bot.words.text import Pictures, code, first_few

SETS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "d20": (
        phrase("A d20 table"),
        ("1d20", "1d20 adv", "1d20 dis", "1d4", "1d6", "1d8", "1d10", "1d12", "2d6", "8d6", "4d6kh3", "d%"),
    ),
    "percentile": (phrase("Percentile dice"), ("d%", "1d10", "1d6", "1d8", "1d4", "2d6", "3d6", "2d6+6")),
    "d6": (phrase("A pool of d6"), tuple(f"{n}d6" for n in range(1, 13))),
    "fate": (phrase("Fate dice"), ("4dF", *(f"4dF+{n}" for n in range(1, 7)), "4dF-1")),
    "game": (phrase("The campaign's game"), ()),
    "saved": (phrase("Your saved rolls"), ()),
    "own": (phrase("Rolls of your own choice"), ()),
}
"""The sets by their names: what they are for, and their rolls; the last three are filled in."""

FULL = phrase("23 keys fit, of at most 64 characters.")
NO_MODIFIER = phrase("They take no modifier, or are too long with one.")
_SHORT, _NAMED = 40, 10
REMOVED = phrase("-# The keyboard was removed.")
NO_GAME = phrase("No game is played here. A game master chooses one with `/game use`.")
NO_SAVED = phrase("You have no saved rolls here. `/save` keeps one under a name.")
NO_ROLLS = phrase("Say which rolls, with commas between: `rolls:1d20+5, 2d6+3, 4d6kh3`.")
_DIE = re.compile(r"(?<![a-z])d([0-9]{1,3})", re.ASCII)
_NUMBER = re.compile(r"[+-]?[0-9]{1,3}", re.ASCII)


def label(name: str, text: str) -> str:
    """Return what stands on a key: its name, or the dice without a leading 1."""
    return name or re.sub(r"^1(?=d)", "", text)


def picture(text: str, pictures: Pictures) -> str | None:
    """Return the picture of the first die that a key rolls, its highest face; None where there is none."""
    first = _DIE.search(text)
    return pictures.get(face_name(int(first[1]), int(first[1]))) if first else None


def put(title: str, *, changes: bool) -> str:
    """Return the message that holds a keyboard, whose keys may take a modifier."""
    told = say("**{title}**: press a key to roll it.", title=title)
    return f"{told} {say('*± …* gives you a copy of your own with a modifier.')}" if changes else told


def left_out(rolls: Sequence[str], why: str) -> str:
    """Return the line about rolls that have no key, and why; "" for none."""
    named = first_few([code(roll, _SHORT) for roll in rolls], _NAMED)
    return f"\n-# {say('Left out: {rolls}.', rolls=named)} {say(why)}" if rolls else ""


def modified(modifier: int) -> str:
    """Return the line over a private copy."""
    return say("Your keys with **{modifier:+}**. Everybody sees what they roll.", modifier=modifier)


def read_modifier(text: str, limit: int) -> int:
    """Read a modifier such as +5; SpecError unless it is a number up to the limit, and not 0."""
    typed = text.strip().replace("–", "-").replace(" ", "")
    value = int(typed) if _NUMBER.fullmatch(typed) else 0
    if not value or abs(value) > limit:
        raise SpecError("A modifier is a number such as +5 or -2, up to {limit}.", limit=limit)
    return value
