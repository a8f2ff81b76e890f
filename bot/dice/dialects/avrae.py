"""Avrae's notation, that of the library d20: selectors behind each operation, sums compared as a whole.

From github.com/avrae/d20, README.md. `k`, `p`, `rr`, `ro`, `e` take dice that show a number; < and > are
strict.
"""

import re

from bot.dice.dialects.rewriting import FLAGS, Notation, Unread, member, modifiers, rule

_SET = r"([<>]?)(\d+)"
_TENS = "{0,10,20,30,40,50,60,70,80,90}"


_NOTATION = Notation(
    modifiers(
        (r"k([hl])(\d+)", rule("keep", r"k\1\2")),
        (r"ph(\d+)\s*pl(\d+)", rule("keep", r"dl\2dh\1")),
        (r"pl(\d+)\s*ph(\d+)", rule("keep", r"dl\1dh\2")),
        (r"pl(\d+)", rule("keep", r"dl\1")),
        (r"ph(\d+)", rule("keep", r"dh\1")),
        (rf"k{_SET}", member("keep", "k")),
        (rf"p{_SET}", member("keep", "d")),
        (rf"rr{_SET}", member("reroll", "rr")),
        (rf"ro{_SET}", member("reroll", "ro")),
        (rf"e{_SET}", member("explode", "!")),
        (r"mi(\d+)", rule("clamp", r"min\1")),
        (r"ma(\d+)", rule("clamp", r"max\1")),
    ),
    sides={"%": _TENS},
    typed=True,
    apart=[("reroll", "explode")],  # further dice are not rerolled
    others=re.compile(r"[\s\d+*%(),\-]|//|\[[^\[\]]*\]|(?<=\))[kd][hl]\d+|(?<=\s)(?:adv|dis)\b", FLAGS),
)
_REPEAT = re.compile(r"\s*!(?:rr|multiroll)\s+(?P<times>\d+)\s++(?P<dice>.*)", FLAGS | re.DOTALL)
_TARGET = re.compile(r"(?P<sum>.*?[\d)%\s])(?P<sign>[=!]=|[<>]=?)\s*(?P<number>-?\d+)\s*", FLAGS | re.DOTALL)
_SIGNS = re.compile(r"[+-][+\s-]*", re.ASCII)
# One quotient of what is never below zero: what is cut off at the end is cut off there.
_QUOTIENT = re.compile(r"(?P<over>[^/*%-]+)/(?P<under>[^/*%-]+)")
_TRUTH = re.compile(r".*[kperoa]\Z", FLAGS | re.DOTALL)


def read(text: str) -> str:
    """Return Avrae's text in our notation; Unread where it is none, or can't be said."""
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
