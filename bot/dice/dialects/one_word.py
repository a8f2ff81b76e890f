"""Rolls of one word, `4wod8`, as data: templates in which {n} is a number, and what each becomes."""

import re
from collections.abc import Mapping

from bot.dice.dialects.rewriting import FLAGS

_HOLE = re.compile(r"\\{(\w)\\}")


class OneWord:
    """Words of another program, each with what it is here."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        """Compile the templates; a blank in one may be left out."""
        self._fixed = {text: ours for text, ours in templates.items() if "{" not in text}
        self._open = [(_compiled(text), ours) for text, ours in templates.items() if "{" in text]

    def said(self, text: str) -> str | None:
        """Return what the text becomes, with its numbers; None where no template fits."""
        text = " ".join(text.casefold().split())
        if text in self._fixed:
            return self._fixed[text].format()
        for pattern, ours in self._open:
            if found := pattern.fullmatch(text):
                given = {name: int(number) for name, number in found.groupdict().items()}
                n, a = given.get("n", 0), given.get("a", 0)
                return ours.format(**given, sum=n + a, difference=n - a)
        return None


def _compiled(text: str) -> re.Pattern[str]:
    template = _HOLE.sub(r"(?P<\1>\\d{1,3})", re.escape(text)).replace(r"\ ", " ?")
    return re.compile(template, FLAGS)
