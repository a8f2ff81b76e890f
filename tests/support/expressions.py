"""Hypothesis strategies for rolls that follow the grammar, within the limits."""

from dataclasses import replace

from hypothesis import strategies as st

from bot.dice.errors import NotationError
from bot.dice.expressions import Binary, Expression, Negative, Node, Number, Operator, Tagged, Truth
from bot.dice.terms import Comparison, Condition, Dice, Keep, Which

conditions = st.builds(Condition, st.sampled_from(Comparison), st.integers(0, 12))


@st.composite
def terms(draw: st.DrawFn, most_dice: int = 100, most_sides: int = 1_000_000) -> Dice:
    """One term of dice with any of the modifiers."""
    count = draw(st.integers(1, most_dice))
    fate = draw(st.sampled_from([False, False, False, True]))
    sides = 3 if fate else draw(st.integers(1, most_sides))
    keep = None
    if draw(st.booleans()):
        which = draw(st.sampled_from(Which))
        drops = which in {Which.DROP_HIGHEST, Which.DROP_LOWEST}
        if count - drops:
            keep = Keep(which, draw(st.integers(1, count - drops)))
    term = Dice(count, sides, fate, draw(st.none() | conditions), sides > 1 and draw(st.booleans()), keep)
    # A target that every face or none meets is refused.
    success = draw(
        st.none() | st.builds(Condition, st.sampled_from(Comparison), st.integers(term.lowest, 12))
    )
    try:
        return replace(term, success=success)
    except NotationError:
        return term


tags = st.lists(st.text("fireÄж9-'", min_size=1, max_size=6), min_size=1, max_size=4).map(" ".join)


def nodes(leaves: st.SearchStrategy[Dice]) -> st.SearchStrategy[Node]:
    """Parts of a roll, with these dice as leaves."""
    numbers = st.integers(0, 12).map(Number)
    return st.recursive(
        leaves | numbers,
        lambda inner: (
            st.builds(Negative, inner)
            | st.builds(Tagged, inner, tags)
            | st.builds(Binary, st.sampled_from([*Operator][:3]), inner, inner)
            | st.builds(_divided, inner, inner)
            | st.builds(Truth, inner, conditions)
        ),
        max_leaves=6,
    )


def _divided(left: Node, right: Node) -> Node:
    """A division, where it can be one."""
    try:
        return Binary(Operator.FLOOR, left, right)
    except NotationError:
        return left


def rolls(leaves: st.SearchStrategy[Dice] | None = None) -> st.SearchStrategy[Expression]:
    """Whole rolls within every limit."""
    return (
        st.tuples(nodes(leaves or terms()), st.integers(1, 20)).filter(_allowed).map(lambda r: Expression(*r))
    )


def small_rolls() -> st.SearchStrategy[Expression]:
    """Rolls of one or two small terms without explosions, so few that all their throws can be walked."""
    leaf = terms(most_dice=3, most_sides=4).filter(lambda term: not term.explode)
    return (
        nodes(leaf)
        .filter(lambda node: _allowed((node, 1)))
        .map(Expression)
        .filter(lambda roll: _ways(roll.body) <= 400)
    )


def _allowed(parts: tuple[Node, int]) -> bool:
    try:
        Expression(*parts)
    except NotationError:
        return False
    return True


def _ways(node: Node) -> int:
    """About how many different throws there are."""
    match node:
        case Number():
            return 1
        case Dice():
            return node.sides ** (node.count * (2 if node.reroll else 1))
        case Tagged(body) | Negative(body) | Truth(body):
            return _ways(body)
        case Binary(_, left, right):
            return _ways(left) * _ways(right)
