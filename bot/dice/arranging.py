"""Dice that make a given total, as likely as if they had been rolled again and again until they made it.

Nothing is rolled again, though: each choice is drawn by the exact weight of all that can follow it.
"""

from functools import lru_cache

from bot.dice.budget import Budget
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.expressions import Node, Roll
from bot.dice.law import Law, law_of
from bot.dice.throws import Throw, assemble, settle


@lru_cache(maxsize=16)  # a roller asks for the same dice again and again, and the law is most of the work
def _law(body: Node) -> Law:
    return law_of(body, Budget())


def arrange(expression: Roll, total: int, draws: Draws) -> Throw:
    """A throw with that total; SpecError if there is none, or where `distribution` takes too long."""
    law = _law(expression.body)
    if total not in law.weights:
        raise SpecError(f"{expression} never makes {total:,}.")
    fallen = iter(law.arrange(total, draws))
    return assemble(expression.body, lambda term, tag: settle(term, tag, next(fallen)))
