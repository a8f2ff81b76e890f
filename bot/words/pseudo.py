"""A language that nobody speaks, for looking: every letter accented, four tenths longer, in brackets.

What is still read in English, or cut, is seen at once. Values, code, mentions and links stay what they are.
"""

import math
import re
from gettext import NullTranslations

PSEUDO = "xx"
"""Its code."""
_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒğħíĵķłḿñóþɋŕšŧúṽŵẋýžÁƁÇĐÉƑĞĦÍĴĶŁḾÑÓÞɊŔŠŦÚṼŴẊÝŽ",
)
_KEPT = re.compile(r"(\{[^{}]*\}|`[^`]*`|<[^<> ]*>|https?://\S+)")
_LONGER = 0.4
_OPEN = "⟦"
_LIMITS = (45, 80, 100)
"""What Discord takes of labels, buttons and descriptions: what fits there still does."""


def accented(text: str) -> str:
    """Return a sentence in that language; one that is already in it stays as it is."""
    if not text or text.startswith(_OPEN):
        return text
    parts = [part if place % 2 else part.translate(_LETTERS) for place, part in enumerate(_KEPT.split(text))]
    said, length = "".join(parts), sum(len(part) for part in parts[::2])
    room = next((most for most in _LIMITS if len(said) <= most), math.inf) - len(said) - 2
    return f"{_OPEN}{said}{'~' * int(min(room, max(0, round(_LONGER * length) - 2)))}⟧" if room >= 0 else said


class PseudoLanguage(NullTranslations):
    """Its catalogue: there is none, for each sentence is made when it is asked for."""

    def gettext(self, message: str) -> str:
        """Return the sentence."""
        return accented(message)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 (it is said the same everywhere)
        """Return the word."""
        return accented(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the sentence for one or for more."""
        return accented(msgid1 if n == 1 else msgid2)
