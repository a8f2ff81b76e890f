"""Advantage: throw one die of a roll twice, and keep the better one."""

import re
from dataclasses import replace

from bot.dice.expressions import Binary, Node, Operator, Tagged, bounds
from bot.dice.modifiers import Keep, KeepKind
from bot.dice.terms import Dice

WORD = r"(?P<word>adv|dis)(?:antage|adv(?:antage)?)?\b"
"""The pattern of an advantage or disadvantage; the group `word` tells which."""
_WORD = re.compile(rf"(?<![a-z]){WORD}", re.ASCII | re.IGNORECASE)


def swap_advantage(text: str) -> str:
    """Return notation with advantage and disadvantage swapped."""
    return _WORD.sub(lambda word: "dis" if word[1].casefold() == "adv" else "adv", text)


def twice(node: Node, keep: KeepKind, sides: int | None = None) -> Node | None:
    """Return the expression with its first single die thrown twice and one of the two kept; None without one.

    With `sides`, only dice with these sides count. A subtracted die is skipped, since there the higher one
    would be worse.
    """
    match node:
        case Dice(count=1) if sides in {None, node.sides} and _doubles(node):
            return replace(node, count=2, keep=Keep(keep, 1))
        case Tagged():
            body = twice(node.body, keep, sides)
            return replace(node, body=body) if body else None
        case Binary():
            if _adds(node.operator, node.right) and (left := twice(node.left, keep, sides)):
                return replace(node, left=left)
            if node.operator in {Operator.PLUS, Operator.TIMES} and _adds(node.operator, node.left):
                right = twice(node.right, keep, sides)
                return replace(node, right=right) if right else None
            return None
        case _:
            return None


def _doubles(die: Dice) -> bool:
    """Return whether the die can be thrown twice with one of the two kept."""
    separate = die.explode is not None and die.explode.separate
    return not (die.keep or die.success or die.select or die.unique or separate)


def _adds(operator: Operator, other: Node) -> bool:
    """Return whether a higher value on one side never lowers the result, given the `other` side."""
    if operator is Operator.MODULO:
        return False
    return operator in {Operator.PLUS, Operator.MINUS} or bounds(other)[0] >= 0
