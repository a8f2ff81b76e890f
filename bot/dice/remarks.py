"""Words that stand between dice, such as what a method does with them, before anybody's language is known."""

from typing import Self


class Remark(str):
    """Words between the dice: in English, with the sentence and its values to say them in other languages."""

    __slots__ = ("text", "values")
    text: str
    values: dict[str, object]

    def __new__(cls, text: str, /, **values: object) -> Self:
        """Put the values into the sentence."""
        made = super().__new__(cls, text.format(**values))
        made.text, made.values = text, values
        return made
