"""Repair slips of typing: only what leaves no doubt about the roll that was meant.

A sign is put for a sign, a spelt word for its short form, a missing bracket at the end; words behind the
dice become a comment. No blank vanishes, nothing is cut off, no letter or digit becomes a tag.
"""

import re

_FLAGS = re.ASCII | re.IGNORECASE
_KEEP_WORDS = (
    r"\s*\b(?P<verb>keep|take|drop)(?:ing)?\s+(?:the\s+)?"
    r"(?:(?P<before>\d+)\s+)?(?P<end>highest|best|lowest|worst)(?:\s+(?P<after>\d+))?\b"
)
_REPAIRS = [
    (re.compile(pattern, _FLAGS), ours)
    for pattern, ours in (
        (r"[\u2212\u2013\u2014]", "-"),
        (r"(?<=[\d%f)\]])\s*[\u00d7\u00b7]\s*(?=\d+\s*(?:$|[-+*)\]]))", "*"),  # 2d6×2, and not 6×2d6
        (r"\u2264|=<", "<="),
        (r"\u2265|=>", ">="),
        (r"(?<![a-z])([\d\s]*)[w\u043a\u041a](?=\d|%)", r"\1d"),  # a German Würfel, a Russian кость
        (r"^\s*(\d+)\s*x\s*(?=\d+\s*d\s*\d|d\d)", r"\1#"),
        (r"(?<=[\d%f])\s+explod(?:e|es|ing)\b", "!"),
        (r"\s+(?:with|at)\s+(adv|dis)(?:antage|advantage)\b", r" \1"),
        (r"^(.*\d)\s+(?:vs\.?\s+|against\s+)?dc\s*(\d+)\s*$", r"(\1)>=\2"),
    )
]
_WIDE = {0xFF00 + place: 0x20 + place for place in range(1, 0x5F)} | {0x3000: 0x20}
"""The signs that East Asian keyboards write as wide as their own, and the blank."""
_KEEP = re.compile(_KEEP_WORDS, _FLAGS)
_WORDS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*(?:[\s,.]+[^\W\d_]+(?:['-][^\W\d_]+)*)*[.!]?")
_MODIFIERS = re.compile(
    r"\b(?:adv(?:antage)?|dis(?:adv(?:antage)?)?|keep|drop|highest|lowest|best|worst|middle|reroll(?:s|ing)?|"
    r"explod(?:e|es|ing)|min|max|mid|even|odd|abs|ceil|floor|round|plus|minus|times|and|not|vs|versus|each|per|"
    r"above|below|over|under|once|twice|double|triple|half|success(?:es)?|target)\b",
    re.IGNORECASE,
)
"""Words that may change a roll, here or in another program; whoever adds a modifier of letters adds it."""
_LONG_WORD = re.compile(r"[^\W\d_]{3}")


def repaired(text: str) -> str:
    """Return the text with its slips put right, which may still be unreadable."""
    text = text.translate(_WIDE)
    for pattern, ours in _REPAIRS:
        text = pattern.sub(ours, text)
    text = _KEEP.sub(_short, text)
    text += "]" * (text.count("[") - text.count("]"))
    return text + ")" * (text.count("(") - text.count(")"))


def split_words(text: str) -> tuple[str, str] | None:
    """Return the dice and the words behind them; None where there are none, or they might be modifiers."""
    for blank in re.finditer(r"(?<=\S)\s+", text):
        dice, words = text[: blank.start()], text[blank.end() :].strip()
        if _WORDS.fullmatch(words):
            # In Dice Maiden a bang stands before a comment, elsewhere it explodes.
            plain = not dice.endswith("!") and not _MODIFIERS.search(words)
            return (dice, words) if plain and _LONG_WORD.search(words) else None
    return None


def _short(words: re.Match[str]) -> str:
    """Return kh3 for "keep highest 3" or "keep the 3 highest"; the words where two numbers are given."""
    if words["before"] and words["after"]:
        return words[0]
    number = words["before"] or words["after"] or "1"
    verb, end = words["verb"].casefold(), words["end"].casefold()
    return f"{'d' if verb == 'drop' else 'k'}{'h' if end in {'highest', 'best'} else 'l'}{number}"
