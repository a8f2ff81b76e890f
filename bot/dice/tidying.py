"""Tidy a text that can't be read: set blanks, drop signs and polite words, replace words for others."""

import re
import tomllib
from importlib.resources import files

from bot.dice.everyday import PICTURES, in_digits

_STEPS = {
    kind: [(re.compile(pattern, re.IGNORECASE), replacement) for pattern, replacement in steps]
    for kind, steps in tomllib.loads((files("bot.dice") / "tidied.toml").read_text(encoding="utf-8")).items()
}
_PICTURES = re.compile(PICTURES)
_WIDE = {0xFF00 + place: 0x20 + place for place in range(1, 0x5F)} | {0x3000: 0x20}
"""The full-width forms of ASCII characters and of the blank, to plain ones."""


def narrowed(text: str) -> str:
    """Return a text with plain characters in place of full-width ones."""
    return text.translate(_WIDE)


def tidy(text: str) -> str:
    """Return a text without what says nothing about its dice, such as quotes, emojis and polite words."""
    return _replace(text, *_STEPS)


def without_manners(text: str) -> str:
    """Return a text without commands and polite words around it: `can I roll a d20 please`."""
    return _replace(text, "around")


def _replace(text: str, *kinds: str) -> str:
    """Return a text with the replacements of these kinds; its comment stays as it is."""
    dice, mark, comment = text.partition(" #")
    dice = " ".join(in_digits(_PICTURES.sub(" ", narrowed(dice))).split())
    for kind in kinds:
        for pattern, replacement in _STEPS[kind]:
            dice = " ".join(pattern.sub(replacement, dice).split())
    return f"{dice}{mark}{comment}"
