"""The dialects of dice notation: Evenhand's own, and those of six other programs."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Self

from bot.dice.dialects import avrae, dice_maiden, foundry, randsum, roll20, rpg_dice_roller
from bot.dice.dialects.rewriting import Unread
from bot.dice.errors import NotationError

# Syntax that no program defines, so that Evenhand's applies: repeats, opposed rolls, tags, advantage.
_COMMON = re.compile(
    r"\d+\s*#|\bvs\b|\[[^\[\]]*\]|\b(?:adv|dis)(?:antage|advantage)?\b|;", re.ASCII | re.IGNORECASE
)
# Possessive quantifiers never backtrack, so that a mismatch takes linear time.
_PLAIN = re.compile(r"(?:\d*+d\d++|\d++|[\s+()\-]++)*+", re.ASCII | re.IGNORECASE)


class Dialect(StrEnum):
    """The notation of a campaign's dice."""

    program: str
    """The program's name."""
    read: Callable[[str], str]
    """Return the program's text in Evenhand's notation; Unread if it is invalid or has no equivalent."""

    def __new__(cls, word: str, program: str, read: Callable[[str], str]) -> Self:
        """Make the member whose value is the word."""
        member = str.__new__(cls, word)
        member._value_, member.program, member.read = word, program, read
        return member

    EVENHAND = "evenhand", "Evenhand", str
    AVRAE = "avrae", "Avrae", avrae.read
    DICE_MAIDEN = "dicemaiden", "Dice Maiden", dice_maiden.read
    ROLL20 = "roll20", "Roll20", roll20.read
    FOUNDRY = "foundry", "Foundry", foundry.read
    RPG_DICE_ROLLER = "rpg-dice-roller", "rpg-dice-roller", rpg_dice_roller.read
    RANDSUM = "randsum", "RANDSUM", randsum.read


OTHERS = tuple(dialect for dialect in Dialect if dialect is not Dialect.EVENHAND)
"""All dialects but Evenhand's own."""


def translate(dialect: Dialect, dice: str) -> str:
    """Return another program's dice in Evenhand's notation; NotationError if they can't be translated.

    Text without any syntax of the program is returned unchanged.
    """
    try:
        own_text = dialect.read(dice).lstrip()
    except Unread:
        if _PLAIN.fullmatch(_COMMON.sub("", dice)) and not _signed(dialect, dice):
            return dice
        raise NotationError(
            "{program}'s notation has no such roll, or my dice can't roll it.", program=dialect.program
        ) from None
    # A leading + has no effect; rpg-dice-roller does not allow it.
    return own_text if dialect is Dialect.RPG_DICE_ROLLER else own_text.removeprefix("+")


def _signed(dialect: Dialect, dice: str) -> bool:
    """Return whether a sign before a bare die means advantage in the dialect."""
    return dialect is Dialect.DICE_MAIDEN and bool(re.match(r"[+-]\s*d|.*\b(?:adv|dis)", dice, re.IGNORECASE))
