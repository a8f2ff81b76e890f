"""Avrae's notation, that of the library d20: selectors behind each operation, sums compared as a whole.

From github.com/avrae/d20, README.md. `k`, `p`, `rr`, `ro`, `e` take dice that show a number; < and > are
strict.
"""

import re

from bot.dice.dialects.rewriting import FLAGS, Notation, Unread, compared, member, modifiers, rule

_SET = r"([<>]?)(\d+)"
_TENS = "{0,10,20,30,40,50,60,70,80,90}"


def _face(match: re.Match[str]) -> str:
    return compared(match[1] or None, match[2])


_NOTATION = Notation(
    modifiers(
        (r"k([hl])(\d+)", rule("keep", r"k\1\2")),
        (r"pl(\d+)", rule("keep", r"dl\1")),
        (r"ph(\d+)", rule("keep", r"dh\1")),
        (rf"k{_SET}", member("keep", "k", _face)),
        (rf"p{_SET}", member("keep", "d", _face)),
        (rf"rr{_SET}", member("reroll", "rr", _face)),
        (rf"ro{_SET}", member("reroll", "ro", _face)),
        (rf"e{_SET}", member("explode", "!", _face)),
        (r"mi(\d+)", rule("clamp", r"min\1")),
        (r"ma(\d+)", rule("clamp", r"max\1")),
    ),
    sides={"%": _TENS},
    typed=True,
    others=re.compile(r"[\s\d+*%(),\-]|//|\[[^\[\]]*\]|(?<=\))k[hl]\d+|(?<=\s)(?:adv|dis)\b", FLAGS),
)
_REPEAT = re.compile(r"\s*!(?:rr|multiroll)\s+(?P<times>\d+)\s++(?P<dice>.*)", FLAGS | re.DOTALL)
_TARGET = re.compile(r"(?P<sum>.*?[\d)%\s])(?P<sign>==|[<>]=?)\s*(?P<number>-?\d+)\s*", FLAGS | re.DOTALL)
_TRUTH = re.compile(r".*[kperoa]\Z", FLAGS | re.DOTALL)


def read(text: str) -> str:
    """Return Avrae's text in our notation; Unread where it is none, or can't be said."""
    if repeat := _REPEAT.fullmatch(text):
        return f"{repeat['times']}#{read(repeat['dice'])}"
    target = _TARGET.fullmatch(text)
    if target and not _TRUTH.fullmatch(target["sum"].rstrip()):
        sign = "=" if target["sign"] == "==" else target["sign"]
        return f"({_NOTATION.rewrite(target['sum'])}){sign}{target['number']}"
    return with_words(_NOTATION, text)


def with_words(notation: Notation, text: str) -> str:
    """Return dice in our notation, the words behind them as a comment; Unread where there are neither."""
    try:
        return notation.rewrite(text)
    except Unread:
        words = re.search(r"(?<=\S)\s+(?!(?:adv|dis)\b)([^\W\d_]+(?:\s.*)?)\Z", text, FLAGS | re.DOTALL)
        if words is None:
            raise
        return f"{notation.rewrite(text[: words.start()])} # {words[1]}"
