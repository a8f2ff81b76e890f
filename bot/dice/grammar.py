"""Turn each rule of the grammar of dice notation, `grammar.lark`, into its value.

The values themselves check the limits; this module adds the column to their errors.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeAlias, TypeVar, cast
from unicodedata import normalize

from lark import (
    Lark,
    Token,
    Transformer,
    v_args,  # pyright: ignore[reportUnknownVariableType] (lark's hints are loose)
)

from bot.dice.advantage import twice
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
    dice_in,
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

_Integer: TypeAlias = tuple[Token, int]
_Target: TypeAlias = tuple[Condition, Faces | None]
_P = ParamSpec("_P")
_T = TypeVar("_T")


class _Bang(NamedTuple):
    sign: Token
    value: Explode


class _Counted(NamedTuple):
    bracketed: bool
    value: Success


_Sides: TypeAlias = tuple[int, bool, tuple[int, ...]]
"""The number of sides, whether they are those of Fate dice, and the listed faces."""
_Modifiers: TypeAlias = tuple[
    Reroll | None, Clamp | None, _Bang | None, Token | None, Keep | Select | KeepKind | None, _Counted | None
]
"""The modifiers behind the dice, in this order; an advantage is a `KeepKind`."""


def read(text: str) -> Expression:
    """Parse the text; NotationError beyond a limit, UnexpectedInput if it can't be parsed."""
    return cast("Expression", _PARSER.parse(text))  # pyright: ignore[reportUnknownMemberType] (loose hints)


def _at(token: Token, make: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Call `make`; give its NotationError the column of the token, unless it has one already."""
    try:
        return make(*args, **kwargs)
    except NotationError as error:
        error.column = error.column if error.column > 1 else _column(token)
        raise


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


@v_args(inline=True)
class _Reader(Transformer[Token, Expression]):
    """Turn the rules of the grammar into values."""

    def start(self, first: Expression, *more: Expression) -> Expression:
        return replace(first, more=more) if more else first

    def roll(self, repeat: Token | None, body: Node, other: Node | None) -> Expression:
        if isinstance(other, Number):
            # As "vs 15" is read everywhere: a text must mean the same when it is read again.
            body = Truth(body, Condition(Comparison.AT_LEAST, other.value))
        elif other:
            body = Opposed(body, other)
        return Expression(body) if repeat is None else _at(repeat, Expression, body, int(repeat))

    def whole(self, body: Node, word: Token | None, target: _Target | None) -> Node:
        body = _with_advantage(body, word) if word else body
        return Truth(body, *target) if target else body

    def target(self, condition: Condition, failure: Faces | None) -> _Target:
        return condition, failure

    def truth(self, body: Node, target: _Target) -> Truth:
        return Truth(body, *target)

    def binary(self, left: Node, sign: Token, right: Node) -> Binary:
        return _at(sign, Binary, Operator(sign), left, right)

    def negative(self, body: Node) -> Negative:
        return Negative(body)

    def tagged(self, body: Node, tag: Token) -> Tagged:
        return _at(tag, Tagged, body, " ".join(normalize("NFC", tag[1:-1]).split()))

    def number(self, digits: Token) -> Number:
        return _at(digits, Number, int(digits))

    def word(self, word: Token) -> Dice:
        return Dice(2, 20, keep=Keep(_advantage_keep(word), 1))

    def bodies(self, *nodes: Node) -> tuple[Node, ...]:
        return nodes

    def added(self, bodies: tuple[Node, ...], keep: Keep | None) -> Node:
        return _together(bodies, keep)

    def group(self, opened: Token, bodies: tuple[Node, ...], keep: Keep | None) -> Node:
        return _at(opened, _together, bodies, keep)

    def targeted(self, opened: Token, *_: object) -> Node:
        raise NotationError(
            "A target behind { } is one for each die in Roll20 and for the total elsewhere. Write it behind "
            "the dice, or behind ( ).",
            column=_column(opened),
        )

    def sides(self, sides: Token | Node) -> _Sides:
        if not isinstance(sides, Token):
            return _constant(sides), False, ()
        return {"FATE": 3, "HUNDRED": 100}.get(sides.type) or int(sides), sides.type == "FATE", ()

    def listed(self, *faces: _Integer) -> _Sides:
        return len(faces), False, tuple(face for _, face in faces)

    def dice(self, count: Token | None, d: Token, sides: _Sides, modifiers: _Modifiers) -> Dice:
        return _at(count or d, _term, int(count or 1), d, sides, modifiers)

    def thrown(self, count: Node, d: Token, sides: _Sides, modifiers: _Modifiers) -> Node:
        if any(dice_in(count)):
            return _at(d, lambda: Thrown(count, _term(1, d, sides, modifiers)))
        return _at(d, _term, _constant(count), d, sides, modifiers)

    def modifiers(self, *parts: *_Modifiers) -> _Modifiers:
        # Two rules of the grammar, since Lark expands each for every combination of optional parts.
        return parts

    def keep(self, word: Token, number: Token | None, other: Token | None, highest: Token | None) -> Keep:
        letters = word.lower()
        if letters in {"d", "km"} and number is None:
            raise NotationError(
                "'{which}' needs to know how many dice it means, as in `4d6{which}1`.",
                which=word,
                column=_column(word),
            )
        keep = Keep(KeepKind({"k": "kh", "d": "dl"}.get(letters, letters)), int(number or 1))
        if other is None or highest is None:
            return keep
        if (keep.kind, other.lower()) != (KeepKind.DROP_LOWEST, "dh"):
            raise NotationError("Only dl and dh go together, as in dl1dh1.", column=_column(other))
        return replace(keep, highest=int(highest))

    def select(self, word: Token, faces: Faces) -> Select:
        if word.lower() not in {"k", "d"}:
            raise NotationError(
                "'{which}' takes a number; faces are kept by k{{6}}.", which=word, column=_column(word)
            )
        return Select(faces, keeps=word.lower() == "k")

    def advantage(self, word: Token) -> KeepKind:
        return _advantage_keep(word)

    def reroll(self, word: Token, faces: Faces) -> Reroll:
        return _at(word, Reroll, faces, 1 if word.lower() == "ro" else None)

    def rerolls(self, word: Token, times: Token, faces: Faces) -> Reroll:
        return _at(word, Reroll, faces, int(times))

    def limits(self, first: Token, value: _Integer, second: Token | None, other: _Integer | None) -> Clamp:
        ends = {first[1].lower() == "a": value[1]}
        if second and other:
            if first[1].lower() == second[1].lower():
                raise NotationError("'{second}' is there twice.", second=second, column=_column(second))
            ends[second[1].lower() == "a"] = other[1]
        return _at(first, Clamp, ends.get(False), ends.get(True))

    def explode(self, bang: Token, faces: Faces | None) -> _Bang:
        kinds = bang[1:].lower().replace("!", "")
        return _Bang(bang, _at(bang, Explode, faces, "p" in kinds, "s" in kinds, "o" in kinds, "i" in kinds))

    def success(self, hits: Condition | Faces, double: Faces | None, less: Faces | None) -> _Counted:
        return _Counted(isinstance(hits, Faces), Success(self.faces(hits), double, less))

    def faces(self, hits: Condition | Faces) -> Faces:
        return hits if isinstance(hits, Faces) else Faces((hits,))

    def condition(self, comparison: Token | None, number: _Integer) -> Condition:
        return _at(number[0], Condition, Comparison(comparison or "="), number[1])

    def set(self, *conditions: Condition) -> Faces:
        return Faces(conditions)

    def integer(self, sign: Token | None, digits: Token) -> _Integer:
        return digits, -int(digits) if sign else int(digits)


def _term(count: int, d: Token, sides: _Sides, modifiers: _Modifiers) -> Dice:
    (number, fate, special), (reroll, limits, bang, unique, keep, counted) = sides, modifiers
    if isinstance(keep, KeepKind):
        if count != 1:
            raise NotationError("adv and dis go with a single die, such as d20.", column=_column(d))
        count, keep = 2, Keep(keep, 1)
    if bang and counted and bang.sign != "!" and not keep and not counted.bracketed:
        raise NotationError(
            "Behind '{sign}' a target could be for exploding or for counting. Write {sign}{{>5}} or "
            "{sign}#{{>5}}.",
            sign=bang.sign,
            column=_column(bang.sign),
        )
    return Dice(
        count,
        number,
        fate,
        reroll,
        bang.value if bang else None,
        keep if isinstance(keep, Keep) else None,
        counted.value if counted else None,
        limits,
        keep if isinstance(keep, Select) else None,
        unique is not None,
        special,
    )


def _together(bodies: tuple[Node, ...], keep: Keep | None) -> Node:
    """Return the sum of several parts, the best of them, or the best dice of a single sum."""
    if keep is None:
        return reduce(lambda left, right: Binary(Operator.PLUS, left, right), bodies)
    body, *others = bodies
    if others:
        return Best(bodies, keep)
    terms: list[Dice] = []
    while isinstance(body, Binary) and body.operator is Operator.PLUS and isinstance(body.right, Dice):
        terms.insert(0, body.right)
        body = body.left
    if not isinstance(body, Dice):
        raise NotationError("Only dice, with + between them, can be kept together.")
    return Together((body, *terms), keep)


def _constant(node: Node) -> int:
    low, high = bounds(node)
    if low != high or any(dice_in(node)):
        raise NotationError("The number of sides is a plain number.")
    return low


def _advantage_keep(word: Token) -> KeepKind:
    return KeepKind.KEEP_HIGHEST if word.lower().startswith("adv") else KeepKind.KEEP_LOWEST


def _with_advantage(body: Node, word: Token) -> Node:
    """Return the roll with its one d20 thrown twice."""
    singles = [term for term in dice_in(body) if (term.count, term.sides) == (1, 20)]
    doubled = twice(body, _advantage_keep(word), 20) if len(singles) == 1 else None
    if doubled is None:
        raise NotationError(
            "'{word}' goes with exactly one d20, which adds to the total.", word=word, column=_column(word)
        )
    return doubled


# Letters and digits are ASCII ones only: elsewhere a Kelvin sign would be a k.
_PARSER = Lark(
    Path(__file__).with_suffix(".lark").read_text("utf-8"),
    parser="lalr",
    lexer="contextual",
    transformer=_Reader(),
    g_regex_flags=re.ASCII,
    maybe_placeholders=True,
)
