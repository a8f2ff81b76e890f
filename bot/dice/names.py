"""Names and labels that people type, made safe to show: one line, no mention, no trickery."""

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

NAME_LIMIT = 32
LABEL_LIMIT = 80
_MARKS = 4
"""How many marks a letter keeps: more than any language writes on one, too few to reach other lines."""
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


def clean(text: str, limit: int = LABEL_LIMIT) -> str:
    """Put the text on one line, without characters that mention or mislead, cut to `limit` characters.

    A letter keeps its marks and an emoji its parts: what does not fit as a whole goes. What is clean stays
    as it is. Of a longer text only the first ten times `limit` characters are read.
    """
    text = _BLANKS.sub(" ", text[: 10 * limit])
    # What stood apart may be one letter, or no emoji any more, once something between them is gone.
    while (shown := _printable(unicodedata.normalize("NFKC", text))) != text:
        text = shown
    whole: list[str] = []
    marks = 0
    for part in _PART.findall(_BLANKS.sub(" ", text).strip()):
        marks = marks + 1 if unicodedata.category(part[0])[0] == "M" else 0
        if not (marks and whole):
            whole.append(part)
        elif marks <= _MARKS:
            whole[-1] += part
    fitting = bisect_right([*accumulate(map(len, whole))], limit)
    return "".join(whole[:fitting]).strip()


def _printable(text: str) -> str:
    return "".join(part for part in _PART.findall(text) if _shows(part))


def _shows(part: str) -> bool:
    """Return whether it is an emoji, or a character that shows and does not trick."""
    is_emoji = len(part) > 1 or bool(_PICTURES.match(part))
    return is_emoji or not (unicodedata.category(part) in _UNSEEN or _LEFT_OUT.match(part))
