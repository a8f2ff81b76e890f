"""The sum that a throw reached, where its total says whether it passed, or by how much it won."""

from dataclasses import replace

from bot.dice.expressions import Node, Opposed, Tagged, Truth
from bot.dice.modifiers import Condition
from bot.dice.terms import Dice
from bot.dice.throws import Die, Face, Pool, Throw, assemble


def compared(throw: Throw) -> tuple[Throw, Condition] | None:
    """Return the sum, or the one die, of a throw that was compared with a number; None for others."""
    return throw.judged or _one_die(throw)


def reached(body: Node, throw: Throw) -> int:
    """Return the number that a throw of `body` shows: the sum compared, or the sum of its first side."""
    if sum_and_condition := compared(throw):
        return sum_and_condition[0].total
    if not isinstance(body, Opposed):
        return throw.total
    pools = iter(throw.pools)
    return assemble(body.left, lambda _term, _tag: next(pools)).total


def sum_of(body: Node) -> Node:
    """Return the sum, or the one die, that is compared in `body`; others unchanged."""
    while isinstance(body, Tagged | Truth):
        body = body.body
    return replace(body, success=None) if isinstance(body, Dice) else body


def _one_die(throw: Throw) -> tuple[Throw, Condition] | None:
    """Return the one die that a success is counted on, as a sum; None for a pool, which counts several."""
    pool = throw.parts[0] if len(throw.parts) == 1 else ""
    if isinstance(pool, str) or not (success := pool.term.success):
        return None
    term, conditions = pool.term, success.faces.conditions
    if not term.plain or term.kept_count > 1 or success.double or success.failure or len(conditions) != 1:
        return None
    dice = tuple(Die((Face(die.value),), die.kept) for die in pool.dice)
    total = sum(die.value for die in dice if die.kept)
    return Throw(total, (Pool(replace(term, success=None), pool.tag, dice, total),)), conditions[0]
