"""The notation of the library rpg-dice-roller: modifiers in a fixed order, comparisons strict.

From dice-roller.github.io/documentation.
"""

import re
from collections.abc import Sequence

from bot.dice.dialects.rewriting import (
    FLAGS,
    Notation,
    PoolText,
    best,
    best_of,
    compared,
    each_against,
    functions,
    notation_of,
)

_CMP = r"(<=|>=|!=|<>|<|>|=)(\d+)"
_SORTING = re.compile(r"\s*s[ad]?", FLAGS)
_TARGET = re.compile(rf"\s*{_CMP}(?:f{_CMP})?", FLAGS)


def _target(pool: PoolText, match: re.Match[str]) -> None:
    """Read what is counted; another face than one is any below or above it."""
    failure = f"f{{{compared(match, 3)}}}" if match[3] else ""
    hits = f"<{match[2]},>{match[2]}" if match[1] == "<>" else compared(match)
    pool.put("count", f"#{{{hits}}}{failure}")


def _keep_and_drop(pool: PoolText, match: re.Match[str]) -> None:
    """Read k and d together: what is dropped below changes nothing where the highest are kept."""
    letters = {"k": "kh", "d": "dl"}.get(match[1].lower(), match[1].lower())
    text = f"{letters}{match[2] or 1}"
    current = pool.slots.get("keep", "")
    dropped_below = current.startswith("kh") and letters == "dl"
    if not dropped_below or int(current[2:]) + int(match[2] or 1) > pool.dice:
        pool.put("keep", text)


def _group(program: Notation, parts: Sequence[str], text: str, place: int) -> tuple[str, int]:
    target = _TARGET.match(text, place)
    if target is None:
        body, place = best(program, parts, text, place)
        sorting = _SORTING.match(text, place)
        return body, sorting.end() if sorting else place
    sign = compared(target) + (f"f{{{compared(target, 3)}}}" if target[3] else "")
    return each_against(program, parts, sign), target.end()


_NOTATION = notation_of("rpg_dice_roller", _group, keep_and_drop=_keep_and_drop, target=_target)
_COMMENT = re.compile(r"\s*(?://|#|/\*).*|\[[^\[\]]*\]", re.DOTALL)


def read(text: str) -> str:
    """Return rpg-dice-roller's text in Evenhand's notation; Unread if it has no equivalent."""
    return _NOTATION.rewrite(best_of(functions(_COMMENT.sub("", text))))
