"""Translatable text between the dice of a throw, such as the steps of a method."""

from typing import Self


class Remark(str):
    """English text between dice, with its template and values for translation."""

    __slots__ = ("text", "values")
    text: str
    values: dict[str, object]

    def __new__(cls, text: str, /, **values: object) -> Self:
        """Format the template with the values."""
        remark = super().__new__(cls, text.format(**values))
        remark.text, remark.values = text, values
        return remark
