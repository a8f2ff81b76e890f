"""User errors: the text of a `DiceError` is the sentence that the user sees.

    DiceError
    ├── NotationError   the dice text can't be read; has the column
    ├── SpecError       a roller or its parameters are invalid
    ├── Unknown         a name or number does not exist
    └── NotAllowed      the caller has no right to do that

`Unavailable` is a fault of the bot: a full disk, a lost database. An error is a whole sentence with named
placeholders and their values, so that it can be translated later.
"""

from typing import Any, NamedTuple

_EXCERPT = 40


class LocalizedError(Exception):
    """An error that users read: `text` has a placeholder in braces for each of `values`.

    A value that is text is a LocalizedError too, so that it is translated with the rest.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text.format(**values) if values else text)
        self.text = text
        self.values: dict[str, Any] = values


def value_text(value: object) -> LocalizedError | str:
    """Return a JSON value for an error: a number with thousands separators, else its cut repr."""
    if isinstance(value, int) and not isinstance(value, bool):
        return LocalizedError("{n:,}", n=value)
    text = "null" if value is None else repr(value)
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]} …"


class DiceError(LocalizedError):
    """An invalid request; `str(error)` is one sentence that says what is wrong."""


class DiceReading(NamedTuple):
    """A possible reading of a text: canonical notation, its meaning, and the programs that read it so."""

    text: str
    meaning: str = ""
    programs: tuple[str, ...] = ()


class NotationError(DiceError):
    """Dice text that can't be read.

    `column` counts characters of `typed` from 1; `readings` are the possible readings, in no order of
    likelihood.
    """

    def __init__(
        self, text: str, /, *, column: int = 1, readings: tuple[DiceReading, ...] = (), **values: object
    ) -> None:
        super().__init__(text, **values)
        self.column = column
        self.typed = ""
        self.readings = readings

    def alone(self) -> "NotationError":
        """Return the error without its column, for a part of a text that the user did not type."""
        return NotationError(self.text, **self.values)


class SpecError(DiceError):
    """An invalid roller or parameter."""


class NoDice(SpecError):
    """A roll that has no dice with the given options."""


class NameTaken(SpecError):
    """A name that is in use already; the user may replace its owner."""


class Unknown(DiceError):
    """A roller, roll or campaign that does not exist."""


class NotAllowed(DiceError):
    """An action that the caller has no right to."""


class Unavailable(LocalizedError):
    """A fault of the bot, which can't serve now; the text is the sentence that the user sees."""
