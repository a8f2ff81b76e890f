"""Names and labels that people type, made safe to show: one line, no mention, no trickery."""

import re
import unicodedata

NAME_LIMIT = 32
LABEL_LIMIT = 80
# Control, format (bidi marks too), surrogate, private and unassigned characters, line and paragraph ends.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks of other categories that show nothing: fillers, joiners, selectors of variants, a blank.
_SHOWLESS = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# What could end inline code, in which names are shown, or begin a mention.
_MARKUP = re.compile(r"[`<>@]")
_BLANKS = re.compile(r"\s+")


def clean(text: str, limit: int = LABEL_LIMIT) -> str:
    """Put the text on one line, without characters that mention or mislead, cut to `limit` characters.

    What is clean stays as it is. Of a longer text only the first ten times `limit` characters are read.
    """
    text = _BLANKS.sub(" ", text[: 10 * limit])
    text = unicodedata.normalize("NFKC", "".join(c for c in text if unicodedata.category(c) not in _UNSEEN))
    # What stood apart may now be one letter.
    text = unicodedata.normalize("NFKC", _MARKUP.sub("", _SHOWLESS.sub("", text)))
    return _BLANKS.sub(" ", text).strip()[:limit].rstrip()
