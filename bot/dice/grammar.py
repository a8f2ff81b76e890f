"""The grammar of dice notation, and the value that each of its rules stands for.

What is beyond a limit is refused by the values themselves; here it gets its column.
"""

import re
from collections.abc import Callable
from typing import ParamSpec, TypeAlias, TypeVar, cast
from unicodedata import normalize

from lark import (
    Lark,
    Token,
    Transformer,
    v_args,  # pyright: ignore[reportUnknownVariableType] (lark's hints are loose)
)

from bot.dice.advantage import twice
from bot.dice.errors import NotationError
from bot.dice.expressions import Binary, Expression, Negative, Node, Number, Operator, Tagged, Truth, dice_in
from bot.dice.terms import Comparison, Condition, Dice, Keep, Which

_GRAMMAR = r"""
    start: [INTEGER "#"] whole
    whole: sum [WORD] [COMPARISON integer]

    ?sum: product | sum (PLUS | MINUS) product -> binary
    ?product: signed | product (TIMES | FLOOR) signed -> binary
    ?signed: tagged | "-" tagged -> negative
    ?tagged: part | part TAG
    ?part: dice | INTEGER -> number | "(" sum ")" | WORD -> word
         | "(" sum COMPARISON integer ")" -> truth

    dice: [INTEGER] D (INTEGER | HUNDRED | FATE) modifiers
    modifiers: [reroll] [BANG] [keep | advantage] [success]
    reroll: "ro"i [COMPARISON] integer
    keep: WHICH [INTEGER]
    advantage: WORD
    success: COMPARISON integer
    !integer: ["-"] INTEGER

    PLUS: "+"
    MINUS: "-"
    TIMES: "*"
    FLOOR: "//"
    D: "d"i
    HUNDRED: "%"
    FATE: "f"i
    BANG: /!!?(?!=)/
    WHICH: /kh|kl|dh|dl|k|d/i
    WORD: /adv(antage)?|dis(adv(antage)?)?/i
    COMPARISON: /<=|>=|<|>|=/
    INTEGER: /[0-9]+/
    TAG: /\[[^\[\]]*\]/
    %ignore /[ \t\r\n\xa0]+/
"""

_Modifiers: TypeAlias = tuple[Condition | None, bool, Keep | Which | None, Condition | None]
_P = ParamSpec("_P")
_T = TypeVar("_T")


def read(text: str) -> Expression:
    """Parse the text; NotationError beyond a limit, UnexpectedInput where it can't be read."""
    return cast("Expression", _PARSER.parse(text))  # pyright: ignore[reportUnknownMemberType] (loose hints)


def _at(token: Token, make: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Call `make`; its NotationError then names the column of the token."""
    try:
        return make(*args, **kwargs)
    except NotationError as error:
        error.column = _column(token)
        raise


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


@v_args(inline=True)
class _Reader(Transformer[Token, Expression]):
    """Turn the rules of the grammar into values."""

    def start(self, repeat: Token | None, body: Node) -> Expression:
        return Expression(body) if repeat is None else _at(repeat, Expression, body, int(repeat))

    def whole(
        self, body: Node, word: Token | None, comparison: Token | None, number: tuple[Token, int] | None
    ) -> Node:
        if word is not None:
            body = _with_advantage(body, word)
        return self.truth(body, comparison, number) if comparison and number else body

    def truth(self, body: Node, comparison: Token, number: tuple[Token, int]) -> Truth:
        return Truth(body, self.success(comparison, number))

    def binary(self, left: Node, sign: Token, right: Node) -> Binary:
        return _at(sign, Binary, Operator(sign), left, right)

    def negative(self, body: Node) -> Negative:
        return Negative(body)

    def tagged(self, body: Node, tag: Token) -> Tagged:
        return _at(tag, Tagged, body, " ".join(normalize("NFC", tag[1:-1]).split()))

    def number(self, digits: Token) -> Number:
        return _at(digits, Number, int(digits))

    def word(self, word: Token) -> Dice:
        return Dice(2, 20, keep=Keep(_which(word), 1))

    def dice(self, count: Token | None, d: Token, sides: Token, modifiers: _Modifiers) -> Dice:
        reroll, explode, keep, success = modifiers
        number = 1 if count is None else int(count)
        faces = {"FATE": 3, "HUNDRED": 100}.get(sides.type) or int(sides)
        if isinstance(keep, Which):
            if number != 1:
                raise NotationError("adv and dis go with a single die, such as d20.", column=_column(d))
            number, keep = 2, Keep(keep, 1)
        fate = sides.type == "FATE"
        return _at(count or d, Dice, number, faces, fate, reroll, explode, keep, success)

    def modifiers(
        self,
        reroll: Condition | None,
        bang: Token | None,
        keep: Keep | Which | None,
        success: Condition | None,
    ) -> _Modifiers:
        return reroll, bang is not None, keep, success

    def keep(self, which: Token, number: Token | None) -> Keep:
        letters = which.lower()
        if letters == "d" and number is None:
            raise NotationError(
                "'d' drops the lowest dice, and needs to know how many.", column=_column(which)
            )
        which_dice = Which({"k": "kh", "d": "dl"}.get(letters, letters))
        return Keep(which_dice, 1 if number is None else int(number))

    def advantage(self, word: Token) -> Which:
        return _which(word)

    def reroll(self, comparison: Token | None, number: tuple[Token, int]) -> Condition:
        return _at(number[0], Condition, Comparison(comparison or "="), number[1])

    def success(self, comparison: Token, number: tuple[Token, int]) -> Condition:
        return _at(number[0], Condition, Comparison(comparison), number[1])

    def integer(self, sign: Token | None, digits: Token) -> tuple[Token, int]:
        return digits, -int(digits) if sign else int(digits)


def _which(word: Token) -> Which:
    return Which.KEEP_HIGHEST if word.lower().startswith("adv") else Which.KEEP_LOWEST


def _with_advantage(body: Node, word: Token) -> Node:
    """Return the roll with its one d20 thrown twice."""
    singles = [term for term in dice_in(body) if (term.count, term.sides) == (1, 20)]
    doubled = twice(body, _which(word), 20) if len(singles) == 1 else None
    if doubled is None:
        sentence = f"'{word}' goes with exactly one d20, which adds to the total."
        raise NotationError(sentence, column=_column(word))
    return doubled


# Letters and digits are ASCII ones only: elsewhere a Kelvin sign would be a k.
_PARSER = Lark(
    _GRAMMAR,
    parser="lalr",
    lexer="contextual",
    transformer=_Reader(),
    g_regex_flags=re.ASCII,
    maybe_placeholders=True,
)
