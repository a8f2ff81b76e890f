"""The dialects of dice notation: Evenhand's own, and those of six other programs."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Self

from bot.dice.dialects import avrae, dice_maiden, foundry, randsum, roll20, rpg_dice_roller
from bot.dice.dialects.rewriting import Unread
from bot.dice.errors import NotationError

# What every program leaves to Evenhand: repeats, rolls against each other, tags, advantage.
_COMMON = re.compile(
    r"\d+\s*#|\bvs\b|\[[^\[\]]*\]|\b(?:adv|dis)(?:antage|advantage)?\b|;", re.ASCII | re.IGNORECASE
)
# Possessive: what a repeat took it keeps, so a text that fails does so in one pass over it.
_PLAIN = re.compile(r"(?:\d*+d\d++|\d++|[\s+()\-]++)*+", re.ASCII | re.IGNORECASE)


class Dialect(StrEnum):
    """Whose notation a campaign's dice are read as."""

    program: str
    """The program's name."""

    def __new__(cls, word: str, program: str) -> Self:
        """Make the member whose value is the word."""
        member = str.__new__(cls, word)
        member._value_, member.program = word, program
        return member

    EVENHAND = "evenhand", "Evenhand"
    AVRAE = "avrae", "Avrae"
    DICE_MAIDEN = "dicemaiden", "Dice Maiden"
    ROLL20 = "roll20", "Roll20"
    FOUNDRY = "foundry", "Foundry"
    RPG_DICE_ROLLER = "rpg-dice-roller", "rpg-dice-roller"
    RANDSUM = "randsum", "RANDSUM"


_READERS: dict[Dialect, Callable[[str], str]] = {
    Dialect.AVRAE: avrae.read,
    Dialect.DICE_MAIDEN: dice_maiden.read,
    Dialect.ROLL20: roll20.read,
    Dialect.FOUNDRY: foundry.read,
    Dialect.RPG_DICE_ROLLER: rpg_dice_roller.read,
    Dialect.RANDSUM: randsum.read,
}
OTHERS = tuple(_READERS)
"""All dialects but Evenhand's own."""


def in_ours(dialect: Dialect, dice: str) -> str:
    """Return another program's dice in our notation; NotationError where it has none such, or ours does not.

    What the program does not define is left as it is, where it uses no sign that the program defines.
    """
    try:
        ours = _READERS[dialect](dice).lstrip()
    except Unread:
        if _PLAIN.fullmatch(_COMMON.sub("", dice)) and not _signed(dialect, dice):
            return dice
        raise NotationError(
            "{program}'s notation has no such roll, or my dice can't roll it.", program=dialect.program
        ) from None
    # A sign before the dice says nothing; rpg-dice-roller has none there.
    return ours if dialect is Dialect.RPG_DICE_ROLLER else ours.removeprefix("+")


def _signed(dialect: Dialect, dice: str) -> bool:
    """Return whether a sign before a bare die means advantage there."""
    return dialect is Dialect.DICE_MAIDEN and bool(re.match(r"[+-]\s*d|.*\b(?:adv|dis)", dice, re.IGNORECASE))
