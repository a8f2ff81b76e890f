"""Whose fault it is: a `DiceError` is the asker's, and its text is the sentence they are shown.

    DiceError
    ├── NotationError   the dice text can't be read; knows the column
    ├── SpecError       a roller or its parameters make no sense
    ├── Unknown         a name or number that isn't there
    └── NotAllowed      the asker may not do that

`Unavailable` is ours: a full disk, a database that is gone.
"""


class DiceError(Exception):
    """The asker's fault; `str(error)` is one clear sentence that says what is wrong."""


class NotationError(DiceError):
    """Dice text that can't be read.

    `column` counts characters from 1; `suggestion` is a nearby notation that can be read, or None.
    """

    def __init__(self, message: str, *, column: int = 1, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.column = column
        self.suggestion = suggestion

    @property
    def sentence(self) -> str:
        """Return the text with the column, unless it names it itself, and the suggestion."""
        text = str(self)
        if "column" not in text:
            text = f"{text} (at column {self.column})"
        return text if self.suggestion is None else f"{text} Did you mean `{self.suggestion}`?"


class SpecError(DiceError):
    """A roller, or one of its parameters, that makes no sense."""


class Unknown(DiceError):
    """A roller, roll or campaign that isn't there."""


class NotAllowed(DiceError):
    """Something the asker may not do."""


class Unavailable(Exception):
    """Our fault, not the asker's: the bot can't serve now; the text is the sentence they are shown."""
