"""Foundry VTT's notation: modifiers as typed, comparisons strict, `x` explodes, `cs` and `cf` count.

From foundryvtt.com, the articles "Dice" and "Dice Modifiers".
"""

import re

from bot.dice.dialects.rewriting import (
    FLAGS,
    Notation,
    PoolText,
    Put,
    Unread,
    best,
    best_of,
    condition,
    functions,
    modifiers,
    rule,
)
from bot.dice.modifiers import Comparison, Condition

_CMP = r"(<=|>=|<|>|=)?(\d+)"
_MAYBE = r"(?:(<=|>=|<|>|=)?(\d+))?(?![=\d])"
_LISTED = 100


def _deducted(pool: PoolText, match: re.Match[str]) -> None:
    """Read failures that take one off as faces that show it."""
    if pool.top > _LISTED:
        raise Unread
    pool.put("before", "")
    fails = Condition(Comparison(match[1] or "="), int(match[2] or 1)).holds
    pool.sides = f"{{{','.join('-1' if fails(face) else str(face) for face in range(1, pool.top + 1))}}}"


def _every_other(first: int) -> Put:
    def faces(pool: PoolText, _match: re.Match[str]) -> str:
        return f"#{{{','.join(map(str, range(first, min(pool.top, _LISTED) + 1, 2)))}}}"

    return rule("count", faces)


_NOTATION = Notation(
    modifiers(
        (rf"rr{_MAYBE}", condition("reroll", "rr")),
        (rf"r{_MAYBE}", condition("reroll", "ro")),
        (rf"xo{_MAYBE}", condition("explode", "!o", top=True)),
        (rf"x{_MAYBE}", condition("explode", "!", top=True)),
        (r"min(\d+)", rule("clamp", r"min\1")),
        (r"max(\d+)", rule("clamp", r"max\1")),
        (r"(?:kh|k(?!l))(\d*)", rule("keep", lambda _, m: f"kh{m[1] or 1}")),
        (r"(kl|dh)(\d*)", rule("keep", lambda _, m: f"{m[1]}{m[2] or 1}")),
        (rf"df{_MAYBE}", _deducted),
        (r"(?:dl|d)(\d*)(?!f)", rule("keep", lambda _, m: f"dl{m[1] or 1}")),
        (rf"c[sf]{_CMP}", condition("count", "#")),
        (r"cf(?![<>=\d])", rule("count", "#{1}")),
        (r"even\b", _every_other(2)),
        (r"odd\b", _every_other(1)),
        (r"ms(?:>=?)?(\d+|\([^()]*\))", rule("after", r"-\1")),
    ),
    typed=True,
    apart=[
        ("reroll", "explode"),  # further dice are not rerolled
        *(("before", slot) for slot in ("reroll", "clamp", "explode", "keep", "count")),
    ],
    group=best,
    others=re.compile(r"[\s\d+*%()\-]|//(?=\d)|\[[^\[\]]*\]", FLAGS),
)
_COIN = re.compile(r"\b(\d*)dc\b", FLAGS)
_BELOW = re.compile(r"(?P<dice>.*)ms<=?(?P<number>\d+)\s*", FLAGS | re.DOTALL)
_COMMENT = re.compile(r"(?:\A|\s)#.*", re.DOTALL)


def read(text: str) -> str:
    """Return Foundry's text in our notation; Unread where it is none, or can't be said."""
    text = functions(_COIN.sub(r"\1d{0,1}", _COMMENT.sub("", text)))
    if below := _BELOW.fullmatch(text):
        return f"{below['number']}-({_NOTATION.rewrite(below['dice'])})"
    return _NOTATION.rewrite(best_of(text))
