"""What an audit raises where a history does not hold."""

from bot.dice.errors import Said


class Broken(Said, ValueError):
    """A history that does not hold; `number` is the first event that it does not hold at.

    It is one of the sentence's values too.
    """

    def __init__(self, number: int, text: str, /, **values: object) -> None:
        super().__init__(text, **{"number": number, **values})
        self.number = number
