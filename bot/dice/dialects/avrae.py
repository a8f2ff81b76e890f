"""Avrae's notation, that of the library d20: selectors behind each operation, sums compared as a whole.

From github.com/avrae/d20, README.md. `k`, `p`, `rr`, `ro`, `e` take dice that show a number; < and > are
strict.
"""

import re

from bot.dice.dialects.rewriting import FLAGS, Notation, Unread, notation_of

_NOTATION = notation_of("avrae")
_REPEAT = re.compile(r"\s*!(?:rr|multiroll)\s+(?P<times>\d+)\s++(?P<dice>.*)", FLAGS | re.DOTALL)
_TARGET = re.compile(r"(?P<sum>.*?[\d)%\s])(?P<sign>[=!]=|[<>]=?)\s*(?P<number>-?\d+)\s*", FLAGS | re.DOTALL)
_SIGNS = re.compile(r"[+-][+\s-]*", re.ASCII)
# One quotient of what is never below zero: what is cut off at the end is cut off there.
_QUOTIENT = re.compile(r"(?P<over>[^/*%-]+)/(?P<under>[^/*%-]+)")
_TRUTH = re.compile(r".*[kperoa]\Z", FLAGS | re.DOTALL)


def read(text: str) -> str:
    """Return Avrae's text in Evenhand's notation; Unread if it has no equivalent."""
    if repeat := _REPEAT.fullmatch(text):
        return f"{repeat['times']}#{read(repeat['dice'])}"
    text = re.sub(r",\s*\)(?!\s*[a-z])", ")", text)
    text = re.sub(r"\)\s*p(?=[hl]\d)", ")d", text)
    if signs := _SIGNS.match(text):
        text = "-" * (signs[0].count("-") % 2) + text[signs.end() :]
    if quotient := _QUOTIENT.fullmatch(text):
        text = f"{quotient['over']}//{quotient['under']}"
    target = _TARGET.fullmatch(text)
    if target and not _TRUTH.fullmatch(target["sum"].rstrip()):
        sign = target["sign"].replace("==", "=").replace("!", "")
        truth = f"({_NOTATION.rewrite(target['sum'])}){sign}{target['number']}"
        return f"1-({truth})" if target["sign"] == "!=" else truth
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
