"""Errors of the person who asks: the text of a `DiceError` is the sentence they are shown.

    DiceError
    ├── NotationError   the dice text can't be read; knows the column
    ├── SpecError       a roller or its parameters make no sense
    ├── Unknown         a name or number that isn't there
    └── NotAllowed      the asker may not do that

`Unavailable` is ours: a full disk, a database that is gone.
"""

from typing import NamedTuple


class DiceError(Exception):
    """The asker's fault; `str(error)` is one clear sentence that says what is wrong."""


class DiceReading(NamedTuple):
    """A roll that a text may have meant: canonical notation, and in which words or for which program."""

    text: str
    meaning: str = ""


class NotationError(DiceError):
    """Dice text that can't be read.

    `column` counts characters from 1; `readings` are the rolls that it may have meant, none likelier.
    """

    def __init__(self, message: str, *, column: int = 1, readings: tuple[DiceReading, ...] = ()) -> None:
        super().__init__(message)
        self.column = column
        self.readings = readings

    @property
    def sentence(self) -> str:
        """Return the text with the readings, and the column, unless it names it itself or it is the first."""
        text = str(self)
        if self.column > 1 and "column" not in text:
            text = f"{text} (at column {self.column})"
        if not self.readings:
            return text
        read = [f"`{text}`{f' ({meaning})' if meaning else ''}" for text, meaning in self.readings]
        return f"{text} Did you mean {', '.join(read[:-1])}{' or ' if read[1:] else ''}{read[-1]}?"


class SpecError(DiceError):
    """A roller, or one of its parameters, that makes no sense."""


class Unknown(DiceError):
    """A roller, roll or campaign that isn't there."""


class NotAllowed(DiceError):
    """Something the asker may not do."""


class Unavailable(Exception):
    """Our fault, not the asker's: the bot can't serve now; the text is the sentence they are shown."""
