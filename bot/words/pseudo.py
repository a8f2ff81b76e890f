"""A pseudo-language for finding untranslated or cut texts: accented, 40% longer, in brackets.

Values, code, mentions and links stay unchanged.
"""

import math
import re
from gettext import NullTranslations

PSEUDO = "xx"
"""The code of the pseudo-language."""
_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒğħíĵķłḿñóþɋŕšŧúṽŵẋýžÁƁÇĐÉƑĞĦÍĴĶŁḾÑÓÞɊŔŠŦÚṼŴẊÝŽ",
)
_UNCHANGED = re.compile(r"(\{[^{}]*\}|`[^`]*`|<[^<> ]*>|https?://\S+)")
_GROWTH = 0.4
_OPEN = "⟦"
_LIMITS = (45, 80, 100)
"""Discord's limits of labels, buttons and descriptions; a text within one is not extended beyond it."""


def accented(text: str) -> str:
    """Return a sentence in the pseudo-language; one that is in it already is returned unchanged."""
    if not text or text.startswith(_OPEN):
        return text
    parts = [
        part if index % 2 else part.translate(_LETTERS) for index, part in enumerate(_UNCHANGED.split(text))
    ]
    result, length = "".join(parts), sum(len(part) for part in parts[::2])
    room = next((limit for limit in _LIMITS if len(result) <= limit), math.inf) - len(result) - 2
    padding = "~" * int(min(room, max(0, round(_GROWTH * length) - 2)))
    return f"{_OPEN}{result}{padding}⟧" if room >= 0 else result


class PseudoLanguage(NullTranslations):
    """The catalogue of the pseudo-language: sentences are made on demand."""

    def gettext(self, message: str) -> str:
        """Return the sentence."""
        return accented(message)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 (the context makes no difference)
        """Return the word."""
        return accented(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the singular or plural sentence."""
        return accented(msgid1 if n == 1 else msgid2)
