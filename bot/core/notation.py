"""Text to expression: what is not known is refused, with the column, and never guessed at.

The grammar below is all there is. Letters may be upper or lower case, and blanks may stand between any two
signs; `str(parse(text))` is the canonical text, and reads back as the same roll. In words:

    2d6  d20  d%  4dF         dice; d% has 100 sides, dF shows -1, 0 or 1
    ro1  ro<3                 reroll once what shows a 1, or less than 3
    !                         explode on the highest face
    kh3  k3  kl  dh  dl2      keep or drop the highest or lowest; one, unless a number says more
    d20 adv  d20 dis          two such dice, the higher or the lower kept; alone they mean a d20
    >=7  =6                   count the faces that pass, in place of adding them
    [fire]                    a tag on what stands before it
    + - * // ( )              sums; // rounds down, and the divisor has no dice
    6#4d6kh3                  the whole roll, six times
"""

import re
from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeAlias, TypeVar, cast
from unicodedata import normalize

from lark import (
    Lark,
    Token,
    Transformer,
    UnexpectedInput,
    v_args,  # pyright: ignore[reportUnknownVariableType] (lark's hints are loose)
)

from bot.core.errors import NotationError
from bot.core.expressions import (
    MAX_NESTING,
    MAX_TEXT,
    Binary,
    Comparison,
    Condition,
    Dice,
    Keep,
    Negative,
    Node,
    Number,
    Operator,
    Roll,
    Tagged,
    Which,
)
from bot.core.suggestions import nearby, respelt

_GRAMMAR = r"""
    start: [INTEGER "#"] sum

    ?sum: product | sum (PLUS | MINUS) product -> binary
    ?product: signed | product (TIMES | FLOOR) signed -> binary
    ?signed: tagged | "-" tagged -> negative
    ?tagged: part | part TAG
    ?part: dice | INTEGER -> number | "(" sum ")" | WORD -> word

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
    BANG: /!(?!=)/
    WHICH: /kh|kl|dh|dl|k/i
    WORD: /adv|dis/i
    COMPARISON: /<=|>=|<|>|=/
    INTEGER: /[0-9]+/
    TAG: /\[[^\[\]]*\]/
    %ignore /[ \t\r\n\xa0]+/
"""

_Modifiers: TypeAlias = tuple[Condition | None, bool, Keep | Which | None, Condition | None]
_P = ParamSpec("_P")
_T = TypeVar("_T")


def parse(text: str) -> Roll:
    """The roll that the text says; NotationError, with a readable text nearby if there is one, otherwise."""
    try:
        return _read(text)
    except UnexpectedInput as error:
        refused = _unreadable(text, error)
        refused.suggestion = _first(nearby(text, refused.column))
    except NotationError as error:
        refused = error
        if len(text) <= MAX_TEXT:
            refused.suggestion = _first(respelt(text))
    raise refused from None


def _first(texts: Iterable[str]) -> str | None:
    """The first that can be read, in its canonical form."""
    for text in texts:
        try:
            return str(_read(text))
        except (NotationError, UnexpectedInput):
            continue
    return None


def _read(text: str) -> Roll:
    if not text.strip():
        raise NotationError("There is nothing to roll.")
    if len(text) > MAX_TEXT:
        raise NotationError(f"At most {MAX_TEXT} characters, not {len(text):,}.", column=MAX_TEXT + 1)
    _check_nesting(text)
    return cast("Roll", _PARSER.parse(text))  # pyright: ignore[reportUnknownMemberType] (loose hints)


def _check_nesting(text: str) -> None:
    depth = 0
    for column, sign in enumerate(text, start=1):
        depth += (sign == "(") - (sign == ")")
        if depth > MAX_NESTING:
            raise NotationError(f"At most {MAX_NESTING} parentheses inside one another.", column=column)


def _unreadable(text: str, error: UnexpectedInput) -> NotationError:
    place = error.pos_in_stream
    end = len(text.rstrip())
    # At the end of the text, lark gives the place of the last token.
    if place is None or place >= end or getattr(getattr(error, "token", None), "type", "") == "$END":
        return NotationError("The roll is not finished: something is missing at its end.", column=end + 1)
    word = re.match(r"[^\W_]{1,20}|.", text[place:], re.DOTALL)
    shown = word[0] if word and word[0].isprintable() else f"U+{ord(text[place]):04X}"
    return NotationError(f"I can't read '{shown}' at column {place + 1}.", column=place + 1)


def _at(token: Token, make: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What `make` makes; its NotationError then says the column of the token."""
    try:
        return make(*args, **kwargs)
    except NotationError as error:
        error.column = _column(token)
        raise


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


@v_args(inline=True)
class _Reader(Transformer[Token, Roll]):
    """The values that the grammar's rules stand for."""

    def start(self, repeat: Token | None, body: Node) -> Roll:
        return Roll(body) if repeat is None else _at(repeat, Roll, body, int(repeat))

    def binary(self, left: Node, sign: Token, right: Node) -> Binary:
        return _at(sign, Binary, Operator(sign), left, right)

    def negative(self, body: Node) -> Negative:
        return Negative(body)

    def tagged(self, body: Node, tag: Token) -> Tagged:
        return _at(tag, Tagged, body, " ".join(normalize("NFC", tag[1:-1]).split()))

    def number(self, digits: Token) -> Number:
        return _at(digits, Number, int(digits))

    def word(self, word: Token) -> Dice:
        return Dice(2, 20, keep=Keep(_WORDS[word.lower()], 1))

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
        return Keep(Which("kh" if letters == "k" else letters), 1 if number is None else int(number))

    def advantage(self, word: Token) -> Which:
        return _WORDS[word.lower()]

    def reroll(self, comparison: Token | None, number: tuple[Token, int]) -> Condition:
        return _at(number[0], Condition, Comparison(comparison or "="), number[1])

    def success(self, comparison: Token, number: tuple[Token, int]) -> Condition:
        return _at(number[0], Condition, Comparison(comparison), number[1])

    def integer(self, sign: Token | None, digits: Token) -> tuple[Token, int]:
        return digits, -int(digits) if sign else int(digits)


_WORDS = {"adv": Which.KEEP_HIGHEST, "dis": Which.KEEP_LOWEST}

# Letters and digits are ASCII ones only: elsewhere a Kelvin sign would be a k.
_PARSER = Lark(
    _GRAMMAR,
    parser="lalr",
    lexer="contextual",
    transformer=_Reader(),
    g_regex_flags=re.ASCII,
    maybe_placeholders=True,
)
