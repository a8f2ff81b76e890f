"""Formulas of a game's file: integer arithmetic, comparisons and conditions in Python's syntax.

Python's own parser reads a formula, and only these are allowed: integers, names, `+ - * // %`, comparisons,
`and or not`, `a if c else b`, lists with an index `(3, 4, 5)[n]`, and the functions below. True is 1.
"""

import ast
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import add, eq, ge, gt, le, lt, mod, mul, ne, neg, not_, sub
from typing import TypeAlias

from bot.dice.errors import SpecError

Amounts: TypeAlias = Mapping[str, int]
Evaluate: TypeAlias = Callable[[Amounts], int]

LENGTH_LIMIT = 300
VALUE_LIMIT = 10**9
_ARITHMETIC: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.FloorDiv: int.__floordiv__,
    ast.Mod: mod,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[int], int]] = {ast.USub: neg, ast.Not: not_}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: eq,
    ast.NotEq: ne,
    ast.Lt: lt,
    ast.LtE: le,
    ast.Gt: gt,
    ast.GtE: ge,
}
_FUNCTIONS: Mapping[str, Callable[[list[int]], int]] = {
    "min": min,
    "max": max,
    "abs": lambda numbers: abs(numbers[0]),
}


@dataclass(frozen=True, slots=True)
class Formula:
    """A compiled formula, with the names that it uses."""

    text: str
    names: frozenset[str]
    evaluate: Evaluate

    def value(self, values: Amounts) -> int:
        """Return its value; raise SpecError for division by 0, a bad index, or a huge number."""
        try:
            value = int(self.evaluate(values))
        except (ZeroDivisionError, IndexError) as error:
            raise SpecError(
                "{text!r} can't be worked out here: {error}.", text=self.text, error=error
            ) from None
        if abs(value) > VALUE_LIMIT:
            raise SpecError("{text!r} is more than {most:,}.", text=self.text, most=VALUE_LIMIT)
        return value


@lru_cache(maxsize=4_096)
def read_formula(text: str) -> Formula:
    """Parse a formula; raise SpecError if it is none."""
    if len(text) > LENGTH_LIMIT:
        raise SpecError(
            "The formula {text!r} … is longer than {most} characters.", text=text[:40], most=LENGTH_LIMIT
        )
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        evaluate = _compile(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise SpecError(
            "{text!r} is no formula. One is written like `total >= 10 and not ones`.", text=text
        ) from None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - _FUNCTIONS.keys()
    return Formula(text, frozenset(names), evaluate)


def formula_at(path: str, text: str) -> Formula:
    """Parse the formula at a path of a file; raise SpecError with the path if it is none.

    A formula without names must also have a value.
    """
    try:
        formula = read_formula(text)
        if not formula.names:
            formula.value({})
        return formula
    except SpecError as error:
        raise SpecError("{at}: {error}", at=path, error=error) from None


def check_names(path: str, formula: Formula, names: Collection[str]) -> None:
    """Raise SpecError if a formula uses a name that is not among `names`."""
    for name in sorted(formula.names):
        if name not in names:
            available = ", ".join(sorted(names)) or "nothing"
            raise SpecError(
                "{at}: {text!r} uses {name}, which is not known here. Known are: {there}.",
                at=path,
                text=formula.text,
                name=name,
                there=available,
            )


def _compile(node: ast.expr) -> Evaluate:  # noqa: C901 (a case for each kind of node)
    match node:
        case ast.Constant(value=int(value)):
            return lambda _: value
        case ast.Name(id=name):
            return lambda values: values[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            first, second, apply = _compile(left), _compile(right), _ARITHMETIC[type(op)]
            return lambda values: apply(first(values), second(values))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            inner, change = _compile(operand), _UNARY[type(op)]
            return lambda values: change(inner(values))
        case ast.BoolOp(op=op, values=parts):
            steps, join = [_compile(part) for part in parts], any if isinstance(op, ast.Or) else all
            return lambda values: join(step(values) for step in steps)
        case ast.IfExp(test=test, body=body, orelse=other):
            condition, then, otherwise = _compile(test), _compile(body), _compile(other)
            return lambda values: then(values) if condition(values) else otherwise(values)
        case ast.Compare(left=left, ops=ops, comparators=others) if all(
            type(op) in _COMPARISONS for op in ops
        ):
            return _compare_chain(
                [_compile(part) for part in (left, *others)], [_COMPARISONS[type(op)] for op in ops]
            )
        case ast.Subscript(value=ast.Tuple(elts=items), slice=place):
            entries, index = [_compile(item) for item in items], _compile(place)
            return lambda values: _select(entries, index(values))(values)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if (
            arguments and name in _FUNCTIONS
        ):
            function, operands = _FUNCTIONS[name], [_compile(argument) for argument in arguments]
            if (len(operands) == 1) != (name == "abs"):
                raise ValueError(name)
            return lambda values: function([argument(values) for argument in operands])
        case _:
            raise ValueError(ast.dump(node))


def _compare_chain(parts: list[Evaluate], compare: list[Callable[[int, int], bool]]) -> Evaluate:
    if len(compare) == 1:  # as nearly all are
        (first, second), (holds,) = parts, compare
        return lambda values: holds(first(values), second(values))

    def evaluate(values: Amounts) -> int:
        worth = [part(values) for part in parts]
        return all(holds(a, b) for holds, a, b in zip(compare, worth[:-1], worth[1:], strict=True))

    return evaluate


def _select(entries: list[Evaluate], place: int) -> Evaluate:
    if place < 0:
        raise IndexError(f"there is no place {place}")
    return entries[place]
