"""Advantage: a die of a roll is thrown twice, and the better one of the two is kept."""

import re
from dataclasses import replace

from bot.dice.expressions import Binary, Node, Operator, Tagged, bounds
from bot.dice.modifiers import Keep, Which
from bot.dice.terms import Dice

WORD = r"(?P<word>adv|dis)(?:antage|adv(?:antage)?)?\b"
"""How an advantage or a disadvantage is said; which one it is stands in the group."""
_WORD = re.compile(rf"(?<![a-z]){WORD}", re.ASCII | re.IGNORECASE)


def turned(text: str) -> str:
    """Return notation with advantage and disadvantage in each other's place."""
    return _WORD.sub(lambda word: "dis" if word[1].casefold() == "adv" else "adv", text)


def twice(node: Node, keep: Which, sides: int | None = None) -> Node | None:
    """Return the expression with its first single die thrown twice and one of the two kept; None without one.

    With `sides`, dice of other sides do not count.
    A die that is taken away is left alone, since there the higher one would be the worse.
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
    """Return whether two of the die can be thrown, of which one is kept."""
    separate = die.explode is not None and die.explode.separate
    return not (die.keep or die.success or die.select or die.unique or separate)


def _adds(operator: Operator, other: Node) -> bool:
    """Return whether more on one side never makes the whole less, for what is on the other side."""
    if operator is Operator.MODULO:
        return False
    return operator in {Operator.PLUS, Operator.MINUS} or bounds(other)[0] >= 0
