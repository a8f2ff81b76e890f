"""What an error says to the person who asked: one sentence, and what to try instead."""

from bot.dice.errors import DiceError, NotationError, Unavailable

_UNREAD = "I can't read"
_LOOK = " `/help` shows what I can, and `/roller list` the rollers of this channel."


def words(error: BaseException) -> str | None:
    """The sentence for an error of the core; None for any other, whose text is not meant for people."""
    match error:
        case NotationError():
            return _notation(error)
        case DiceError() | Unavailable():
            return str(error)
        case _:
            return None


def apology(number: str) -> str:
    """The answer to a fault of the bot's own; `number` finds it in the log."""
    return (
        "That went wrong, and it is my fault, not yours. Please try again. If it stays so, tell whoever runs "
        f"this bot: its log has it as error {number}."
    )


def _notation(error: NotationError) -> str:
    sentence = str(error)
    if "column" not in sentence:
        sentence = f"{sentence} (at column {error.column})"
    if error.suggestion is None:
        return sentence + _LOOK if sentence.startswith(_UNREAD) else sentence
    return f"{sentence} Did you mean `{error.suggestion}`?"
