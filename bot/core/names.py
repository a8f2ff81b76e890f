"""Names and labels that people type, made safe to show: one line, no mention, no trickery."""

import re
import unicodedata

NAME_LIMIT = 32
LABEL_LIMIT = 80
# Control, format (bidi marks too), surrogate, private and unassigned characters, line and paragraph ends.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# What could end inline code, in which names are shown, or begin a mention.
_MARKUP = re.compile(r"[`<>@]")
_BLANKS = re.compile(r"\s+")


def clean(text: str, limit: int = LABEL_LIMIT) -> str:
    """The text on one line, without characters that mention or mislead, cut to `limit` characters."""
    text = unicodedata.normalize("NFKC", text[: 10 * limit])
    seen = "".join(
        " " if c in "\t\n\r" else c for c in text if c in "\t\n\r" or unicodedata.category(c) not in _UNSEEN
    )
    return _BLANKS.sub(" ", _MARKUP.sub("", seen)).strip()[:limit].rstrip()
