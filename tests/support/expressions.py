"""Hypothesis strategies for rolls that follow the grammar, within the limits."""

from contextlib import suppress
from dataclasses import replace
from math import prod

from hypothesis import strategies as st

from bot.dice.errors import NotationError
from bot.dice.expressions import (
    Best,
    Binary,
    Expression,
    Negative,
    Node,
    Number,
    Operator,
    Opposed,
    Tagged,
    Thrown,
    Together,
    Truth,
    bounds,
)
from bot.dice.modifiers import (
    Clamp,
    Comparison,
    Condition,
    Explode,
    Faces,
    Keep,
    KeepKind,
    Reroll,
    Select,
    Success,
)
from bot.dice.terms import Dice

conditions = st.builds(Condition, st.sampled_from(Comparison), st.integers(0, 12))
faces = st.lists(conditions, min_size=1, max_size=3).map(tuple).map(Faces)
_explosions = st.sampled_from(
    [Explode()] * 3 + [Explode(penetrates=True), Explode(once=True), Explode(separate=True)]
)
_modifiers = st.fixed_dictionaries(
    {},
    optional={
        "reroll": st.builds(Reroll, faces, st.sampled_from([1, 1, 2, None])),
        "explode": _explosions | st.builds(Explode, faces, once=st.booleans()),
        "limits": st.builds(Clamp, st.integers(0, 3), st.none() | st.integers(3, 9)),
        "select": st.builds(Select, faces, st.booleans()),
        "success": st.builds(Success, faces, st.none() | faces, st.none() | faces),
        "unique": st.just(value=True),
        "special": st.lists(st.integers(-3, 9), min_size=1, max_size=4).map(tuple),
    },
)


@st.composite
def terms(draw: st.DrawFn, most_dice: int = 100, most_sides: int = 1_000_000) -> Dice:
    """Draw a term of dice with any of the modifiers."""
    count = draw(st.integers(1, most_dice))
    fate = draw(st.sampled_from([False, False, False, True]))
    keep = None
    if draw(st.booleans()):
        kept_dice = draw(st.sampled_from(KeepKind))
        drops = kept_dice in {KeepKind.DROP_HIGHEST, KeepKind.DROP_LOWEST}
        if count - drops:
            keep = Keep(kept_dice, draw(st.integers(1, count - drops)))
    term = Dice(count, 3 if fate else draw(st.integers(1, most_sides)), fate, keep=keep)
    for name, value in draw(_modifiers).items():
        changes = {name: value, **({"sides": len(value), "fate": False} if isinstance(value, tuple) else {})}
        with suppress(NotationError):  # modifiers that do not go together, or a target of every face
            term = replace(term, **changes)
    return term


tags = st.lists(st.text("fireÄж9-'", min_size=1, max_size=6), min_size=1, max_size=4).map(" ".join)


def nodes(leaves: st.SearchStrategy[Dice]) -> st.SearchStrategy[Node]:
    """Return a strategy for parts of a roll, with these dice as leaves."""
    numbers = st.integers(0, 12).map(Number)
    return st.recursive(
        leaves | numbers,
        lambda inner: (
            st.builds(Negative, inner)
            | st.builds(Tagged, inner, tags)
            | st.builds(Binary, st.sampled_from([*Operator][:3]), inner, inner)
            | st.builds(_divided, st.sampled_from([Operator.FLOOR, Operator.MODULO]), inner, inner)
            | st.builds(Truth, inner, conditions)
            | st.lists(inner, min_size=2, max_size=3).map(_best)
        ),
        max_leaves=6,
    )


def _divided(operator: Operator, left: Node, right: Node) -> Node:
    """Return a division or remainder, or `left` where notation refuses it."""
    try:
        return Binary(operator, left, right)
    except NotationError:
        return left


def _best(parts: list[Node]) -> Node:
    return Best(tuple(parts), Keep(KeepKind.KEEP_HIGHEST, 1))


def rolls(leaves: st.SearchStrategy[Dice] | None = None) -> st.SearchStrategy[Expression]:
    """Return a strategy for whole rolls within every limit."""
    return (
        st.tuples(nodes(leaves or terms()), st.integers(1, 20)).filter(_allowed).map(lambda r: Expression(*r))
    )


def small_rolls() -> st.SearchStrategy[Expression]:
    """Return a strategy for small rolls without explosions, with about 400 throws at most."""
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
    """Return the approximate number of different throws."""
    match node:
        case Number():
            return 1
        case Dice():
            times = node.reroll.times or 0 if node.reroll else 0
            return node.sides ** (node.count * (1 + times))
        case Tagged(body) | Negative(body) | Truth(body):
            return _ways(body)
        case Binary(_, left, right) | Opposed(left, right):
            return _ways(left) * _ways(right)
        case Best(parts):
            return prod(map(_ways, parts))
        case Together(together):
            return prod(map(_ways, together))
        case Thrown(number, term):
            return _ways(number) * _ways(replace(term, count=bounds(number)[1]))
