"""Foundry VTT's notation: modifiers as typed, comparisons strict, `x` explodes, `cs` and `cf` count.

From foundryvtt.com, the articles "Dice" and "Dice Modifiers".
"""

import re

from bot.dice.dialects.rewriting import FLAGS, LISTED, PoolText, best, best_of, functions, notation_of
from bot.dice.modifiers import Comparison, Condition


def _deducted(pool: PoolText, match: re.Match[str]) -> None:
    """Read failures that take one off as faces that show it."""
    fails = Condition(Comparison(match[1] or "="), int(match[2] or 1)).holds
    pool.replace_faces(-1 if fails(face) else face for face in pool.faces)


def _every_other(pool: PoolText, match: re.Match[str]) -> None:
    first = 1 if match[1].lower() == "odd" else 2
    pool.put("count", f"#{{{','.join(map(str, range(first, min(pool.top, LISTED) + 1, 2)))}}}")


_NOTATION = notation_of("foundry", best, deducted=_deducted, every_other=_every_other)
_COIN = re.compile(r"\b(\d*)dc\b", FLAGS)
_BELOW = re.compile(r"(?P<dice>.*)ms<=?(?P<number>\d+)\s*", FLAGS | re.DOTALL)
_COMMENT = re.compile(r"(?:\A|\s)#.*", re.DOTALL)


def read(text: str) -> str:
    """Return Foundry's text in Evenhand's notation; Unread if it has no equivalent."""
    text = functions(_COIN.sub(r"\1d{0,1}", _COMMENT.sub("", text)))
    if below := _BELOW.fullmatch(text):
        return f"{below['number']}-({_NOTATION.rewrite(below['dice'])})"
    return _NOTATION.rewrite(best_of(text))
