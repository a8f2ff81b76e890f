"""Errors of the person who asks: the text of a `DiceError` is the sentence they are shown.

    DiceError
    ├── NotationError   the dice text can't be read; knows the column
    ├── SpecError       a roller or its parameters make no sense
    ├── Unknown         a name or number that isn't there
    └── NotAllowed      the asker may not do that

`Unavailable` is ours: a full disk, a database that is gone.

Whoever raises one knows no language: an error is a whole sentence with named places, and a value for each.
"""

from typing import Any, NamedTuple


class LocalizedError(Exception):
    """An error that people read: `text` has a place in braces for each of `values`.

    A value that is words is one too, so that it is said in the same language.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text.format(**values) if values else text)
        self.text = text
        self.values: dict[str, Any] = values


def quoted(value: object) -> LocalizedError | str:
    """Return a value from a file as a refusal shows it, a number with its thousands marked."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return LocalizedError("{n:,}", n=value) if is_number else repr(value)


class DiceError(LocalizedError):
    """The asker's fault; `str(error)` is one clear sentence that says what is wrong."""


class DiceReading(NamedTuple):
    """A roll that a text may have meant: canonical notation, and in which words or for which programs."""

    text: str
    meaning: str = ""
    programs: tuple[str, ...] = ()


class NotationError(DiceError):
    """Dice text that can't be read.

    `column` counts characters of what was `typed` from 1; `readings` are the rolls that it may have meant,
    none likelier.
    """

    def __init__(
        self, text: str, /, *, column: int = 1, readings: tuple[DiceReading, ...] = (), **values: object
    ) -> None:
        super().__init__(text, **values)
        self.column = column
        self.typed = ""
        self.readings = readings

    def alone(self) -> "NotationError":
        """Return what is wrong without where: for a text of which that is a part that nobody typed."""
        return NotationError(self.text, **self.values)


class SpecError(DiceError):
    """A roller, or one of its parameters, that makes no sense."""


class NoDice(SpecError):
    """A roll that has no dice with what was given."""


class Taken(SpecError):
    """A name that something else has, which may make room for it."""


class Unknown(DiceError):
    """A roller, roll or campaign that isn't there."""


class NotAllowed(DiceError):
    """Something the asker may not do."""


class Unavailable(LocalizedError):
    """Our fault, not the asker's: the bot can't serve now; the text is the sentence they are shown."""
