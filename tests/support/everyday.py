"""Lines as people type them, and their readings: unique, or offered with buttons."""

import json
import re
from pathlib import Path

_DATA = json.loads((Path(__file__).parents[1] / "data" / "everyday.json").read_text(encoding="utf-8"))
READ: dict[str, str] = _DATA["read"]
ASKED: dict[str, list[str]] = _DATA["asked"]
OFFERED: list[tuple[str, str, list[str]]] = _DATA["offered"]
"""Games, typed lines and the rolls that are offered for them; lines without a game first."""

TRANSLATED: list[tuple[str, str, str, list[str]]] = _DATA["translated"]
"""Languages, games, typed lines and the rolls that are offered for them."""


def number_words(text: str) -> list[str]:
    """Return the numbers in a text, without those in d66, d88 and d666."""
    return re.findall(r"\d+", re.sub(r"d(66|88|666)(?!\d)", "", text))
