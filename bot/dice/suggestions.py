"""Guess readable texts near one that can't be read: common slips, put right one at a time, likeliest first.

They may be unreadable themselves; the caller tries them.
"""

import re
from collections.abc import Iterator

_FLAGS = re.ASCII | re.IGNORECASE
# Other programs' signs and other languages' words, and ours in place of them.
_SLIPS = [
    (re.compile(pattern, _FLAGS), ours)
    for pattern, ours in (
        (r"[\u2212\u2013\u2014]", "-"),
        (r"[\u00d7\u00b7]|(?<=[\d)%f\]])\s*x\s*(?=[\d(d])", "*"),
        (r"[\u00f7:]|(?<!/)/(?!/)", "//"),
        (r"\u2264|=<", "<="),
        (r"\u2265|=>", ">="),
        (r"(?<![!<>=])==", "="),
        (r"!=", "! ="),
        (r"!+", "!"),
        (r"disadvantage|disadv", "dis"),
        (r"advantage", "adv"),
        (r"\bd(?:ice)?\s+(?=\d)", "d"),
        (r"(?<=\d)\s*[wtk]\s*(?=\d|%)", "d"),
        (r"\bw(?=\d)", "d"),
        (r"\s*(k|d)(?:eep|rop)\s*(h|l)(?:igh|ow)est\s*", r"\1\2"),
        (r"kb", "kh"),
        (r"kw", "kl"),
        (r"(d\d+)d(?=\d)", r"\1dl"),
        (r"(?<=\d)rr?(?=[\d<>=])", "ro"),
        (r"!\d+", "!"),
        (r"(?<=\d),(?=\d{3}\b)", ""),
        (r"^\s*(?:/?r|/?roll)\s+", ""),
        (r"\badv|(?<=\d)adv", "kh1"),
        (r"\bdis|(?<=\d)dis", "kl1"),
    )
]
_MODIFIERS = r"ro(?:<=|>=|<|>|=)?-?\d+|!|(?:kh|kl|dh|dl|k)\d*|(?:<=|>=|<|>|=)-?\d+"
_POOL = re.compile(rf"(d(?:\d+|%|f))((?:{_MODIFIERS}){{2,}})", _FLAGS)
_ORDER = "r!kd"
_WORD = re.compile(r"\s*(adv|dis)\s*$", _FLAGS)
_SINGLE = re.compile(r"(?<!\d)1?(d\d+)", _FLAGS)


def respelt(text: str) -> Iterator[str]:
    """Yield the text with each kind of slip put right, then with all of them; fewer than 40."""
    tidy = text
    for pattern, ours in _SLIPS:
        changed = pattern.sub(ours, text)
        if changed != text:
            yield changed
            tidy = pattern.sub(ours, tidy)
    yield tidy
    yield _POOL.sub(_reordered, tidy.replace(" ", ""))
    if word := _WORD.search(text):
        yield _SINGLE.sub(rf"\1{word[1]}", text[: word.start()], count=1)
    if re.fullmatch(r"\s*\d+\s*", text, _FLAGS):
        yield f"d{text}"


def nearby(text: str, column: int) -> Iterator[str]:
    """Yield texts like this one, which could not be read on from the column; fewer than 60."""
    yield from respelt(text)
    yield text + ")" * (text.count("(") - text.count(")"))
    yield f"{text}]"
    before, after = text[: column - 1].rstrip(), text[column - 1 :]
    if not (before[-1:].isalnum() and after[1:2].isalnum()):
        yield before + after[1:]
    if after[:1].isalpha():
        yield f"{before}[{after.strip()}]"
    for sign in ("+", "d", "*"):
        yield before + sign + after
    yield before
    yield before[:-1]
    yield before[:-1] + after
    yield f"{before}6{after}"
    yield f"{before}1{after}"


def _reordered(pool: re.Match[str]) -> str:
    parts = re.findall(_MODIFIERS, pool[2], _FLAGS)
    return pool[1] + "".join(sorted(parts, key=_rank))


def _rank(modifier: str) -> int:
    """Return the place of a modifier: reroll, explode, keep or drop, count, as they happen."""
    first = modifier[0].lower()
    if first in "<>=":
        return len(_ORDER)
    return _ORDER.index("k" if first in "kd" else first)
