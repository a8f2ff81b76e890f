"""Roll20's notation: < and > take in the number itself, `r` rerolls for ever, marks change nothing.

From help.roll20.net, the article "Dice Reference".
"""

import re
from collections.abc import Sequence
from functools import partial

from bot.dice.dialects.avrae import with_words
from bot.dice.dialects.rewriting import (
    FLAGS,
    Notation,
    PoolText,
    Unread,
    best,
    compared,
    each_against,
    functions,
    notation_of,
)

_face = partial(compared, inclusive=True)


def _count(match: re.Match[str], less: int = 0) -> str:
    failure = f"f{{{_face(match, 3, less)}}}" if match[4] else ""
    return f"#{{{_face(match, 1, less)}}}{failure}"


_TARGET = re.compile(r"\s*([<>=])(\d+)(?:f([<>=]?)(\d+))?", FLAGS)
_PLUS = re.compile(r"\s*([+-])\s*(\d+)\s*", re.ASCII)


def _target(pool: PoolText, match: re.Match[str]) -> None:
    pool.put("count", _count(match))


def _group(program: Notation, parts: Sequence[str], text: str, place: int) -> tuple[str, int]:
    """Read a group; with a target, a single pool's dice are counted, each with what is added to them."""
    target = _TARGET.match(text, place)
    if target is None:
        return best(program, parts, text, place)
    if len(parts) > 1:
        sign = _count(target).replace("#{", "", 1).replace("}", "", 1)
        return each_against(program, parts, sign), target.end()
    parsed = program.dice(parts[0], 0)
    plus = parsed and (_PLUS.fullmatch(parts[0], parsed[1]) if parsed[1] < len(parts[0]) else True)
    if not parsed or not plus:
        raise Unread
    pool = parsed[0]
    more = 0 if plus is True else int(plus[1] + plus[2])
    pool.put("count", _count(target, more))
    return str(pool), target.end()


_NOTATION = notation_of("roll20", _group, target=_target)


def read(text: str) -> str:
    """Return Roll20's text in Evenhand's notation; Unread if it has no equivalent."""
    text = functions(text.replace("[[", "(").replace("]]", ")"))
    text = re.sub(r"\b0d0\b", "0", text)
    return with_words(_NOTATION, text)
