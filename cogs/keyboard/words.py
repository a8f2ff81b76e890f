"""Texts of /buttons: sets of keys, their labels, and the messages of a keyboard."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from bot.dice.errors import SpecError
from bot.dice.naming import as_typed
from bot.words.pictures import face_name
from bot.words.saying import phrase, read_table, say
from bot.words.text import Pictures, code, first_few


class KeySet(NamedTuple):
    """A set of keys: its title and its rolls."""

    title: str
    rolls: Sequence[str]


SETS = {name: KeySet(**fields) for name, fields in read_table(__file__, "sets").items()}

FULL = phrase("23 keys fit, of at most 64 characters.")
NO_MODIFIER = phrase("They take no modifier, or are too long with one.")
_SHORT, _MOST_NAMES, _MODIFIERS = 40, 10, 100
REMOVED = phrase("-# The keyboard was removed.")
NO_GAME = phrase("No game is played here. A game master chooses one with `/game use`.")
NO_SAVED = phrase("You have no saved rolls here. `/save` keeps one under a name.")
NO_ROLLS = phrase("Say which rolls, with commas between: `rolls:1d20+5, 2d6+3, 4d6kh3`.")
_DIE = re.compile(r"(?<![a-z])d([0-9]{1,3})", re.ASCII)
_NUMBER = re.compile(r"[+-]?[0-9]{1,3}", re.ASCII)


def label(name: str, text: str) -> str:
    """Return a key's label: its name, or the dice without a leading 1."""
    return name or re.sub(r"^1(?=d)", "", as_typed(text))


def picture(text: str, pictures: Pictures) -> str:
    """Return the picture of a key's first die with its highest face, or ""."""
    first = _DIE.search(text)
    return pictures.get(face_name(int(first[1]), int(first[1])), "") if first else ""


def put(title: str, *, changes: bool) -> str:
    """Return the text of a keyboard; `changes` if its keys take a modifier."""
    text = say("**{title}**: press a key to roll it.", title=title)
    return f"{text} {say('*± …* gives you a copy of your own with a modifier.')}" if changes else text


def left_out(rolls: Sequence[str], why: str) -> str:
    """Return the line on rolls without a key, with the reason; "" if there are none."""
    names = first_few([code(roll, _SHORT) for roll in rolls], _MOST_NAMES)
    return f"\n-# {say('Left out: {rolls}.', rolls=names)} {say(why)}" if rolls else ""


def modified(modifier: int) -> str:
    """Return the text of a private copy."""
    return say("Your keys with **{modifier:+}**. Everybody sees what they roll.", modifier=modifier)


def read_modifier(text: str) -> int:
    """Parse a modifier such as +5. Raise SpecError unless it is a number up to the limit, and not 0."""
    typed = re.sub("[–−]", "-", text.strip()).replace(" ", "")
    value = int(typed) if _NUMBER.fullmatch(typed) else 0
    if not value or abs(value) > _MODIFIERS:
        raise SpecError("A modifier is a number such as +5 or -2, up to {limit}.", limit=_MODIFIERS)
    return value
