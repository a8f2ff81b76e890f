"""Sanitize typed names and labels: one line, no mentions, no invisible or misleading characters."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection
from difflib import get_close_matches
from itertools import accumulate

NAME_LIMIT = 32
LABEL_LIMIT = 80
_NEAR = 0.8
"""Similarity from which a misspelled name is corrected, 0 to 1."""
_MARKS = 4
"""The most combining marks on a letter: more than any language uses, too few to reach other lines."""
# Control, format (bidi marks too), surrogate, private and unassigned characters, line and paragraph ends.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks of other categories that show nothing: fillers, joiners, selectors of variants, a blank.
_SHOWLESS = r"\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
# What could end inline code, in which names are shown, or begin a mention.
_LEFT_OUT = re.compile(rf"[`<>@{_SHOWLESS}]")
# Unicode keeps these blocks for emoji, those of later years too (Extended_Pictographic in UTS #51).
_PICTURE = r"[\xa9\xae\u2190-\u27bf\u2900-\u2bff\U0001f000-\U0001faff]\ufe0f?[\U0001f3fb-\U0001f3ff]?"
# One picture of an emoji: a country's flag, a key, a flag of England, Scotland or Wales, joined pictures.
_EMOJI = (
    r"[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3|"
    r"\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|"
    rf"\U000e0077\U000e006c\U000e0073)\U000e007f|{_PICTURE}(?:\u200d{_PICTURE}){{0,4}}"
)
_PART = re.compile(f"{_EMOJI}|.", re.DOTALL)
_PICTURES = re.compile(_PICTURE)
_BLANKS = re.compile(r"\s+")
_BLANKS_IN_LINE = re.compile(r"[^\S\n]+")


def with_single_blanks(text: str) -> str:
    """Return the text with one space for each run of blanks in its lines, and none around it."""
    return _BLANKS_IN_LINE.sub(" ", text).strip(" ")


def clean(text: str, limit: int = LABEL_LIMIT) -> str:
    """Return the text on one line, without mentions and misleading characters, cut to `limit` characters.

    Letters with marks and emoji are never split. Clean text is returned unchanged. Only the first
    10 * `limit` characters are read.
    """
    text = _BLANKS.sub(" ", text[: 10 * limit])
    # Removing characters may join others into one letter, or break an emoji: repeat until nothing changes.
    while (printable := _printable(unicodedata.normalize("NFKC", text))) != text:
        text = printable
    letters: list[str] = []
    marks = 0
    for part in _PART.findall(_BLANKS.sub(" ", text).strip()):
        marks = marks + 1 if unicodedata.category(part[0])[0] == "M" else 0
        if not (marks and letters):
            letters.append(part)
        elif marks <= _MARKS:
            letters[-1] += part
    fitting = bisect_right([*accumulate(map(len, letters))], limit)
    return "".join(letters[:fitting]).strip()


def _printable(text: str) -> str:
    return "".join(part for part in _PART.findall(text) if _shows(part))


def _shows(part: str) -> bool:
    """Return whether a part is an emoji, or a visible and harmless character."""
    is_emoji = len(part) > 1 or bool(_PICTURES.match(part))
    return is_emoji or not (unicodedata.category(part) in _UNSEEN or _LEFT_OUT.match(part))


def closest_name(word: str, names: Collection[str]) -> str:
    """Return the name with the same letters in another order, or the most similar one; "" for none."""
    swapped = [name for name in names if sorted(name) == sorted(word)]
    return "" if word in names else next(iter(swapped or get_close_matches(word, names, 1, _NEAR)), "")
