"""An expression and draws make a throw: one draw a toss, from left to right, and nothing else is drawn.

A die that shows a face to reroll is thrown once more, and the second face stands. A die that shows its
highest face then explodes: a further die is thrown and counts as part of it, rerolled and exploded in its
turn, up to ten further dice.
"""

from bot.dice.draws import Draws
from bot.dice.expressions import Roll
from bot.dice.terms import MAX_FURTHER, Dice
from bot.dice.throws import Pool, Throw, Toss, assemble, settle


def roll(expression: Roll, draws: Draws) -> Throw:
    """One result; for an expression that is repeated, call it `expression.repeat` times."""
    return assemble(expression.body, lambda term, tag: _thrown(term, tag, draws))


def _thrown(term: Dice, tag: str | None, draws: Draws) -> Pool:
    lowest, sides = term.lowest, term.sides
    if term.reroll or term.explode:
        return settle(term, tag, [_tosses(term, draws) for _ in range(term.count)])
    return settle(term, tag, [((lowest + draws.below(sides), False),) for _ in range(term.count)])


def _tosses(term: Dice, draws: Draws) -> tuple[Toss, ...]:
    """All that one die shows, with its rerolls and explosions."""
    tosses: list[Toss] = []
    for _ in range(1 + MAX_FURTHER if term.explode else 1):
        face = term.lowest + draws.below(term.sides)
        if term.reroll and term.reroll.holds(face):
            tosses.append((face, True))
            face = term.lowest + draws.below(term.sides)
        tosses.append((face, False))
        if face != term.highest:
            break
    return tuple(tosses)
