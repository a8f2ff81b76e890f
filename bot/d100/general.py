"""Methods from any dice to any number of values: the table, the stream, and rejection; any dice from d6s.

docs/d100.md explains each of them; `Figures` has their numbers of dice.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count, cycle, islice

from bot.d100.conversion import convert, equal_after, expected, rolls_at_most
from bot.d100.ways import Figures, Sides, Transcript, Way, best_weights, equal_weights, read
from bot.dice.draws import Draws
from bot.dice.throws import Throw

CUTS = (4, 5, 10)
"""The numbers of dice after which the table can be stopped."""
_SIX = 6


def _table(most: int | None = None) -> Callable[[Draws, Sides, int], Throw]:
    """Return the play of the table; after `most` dice, the number always counts, as evenly as possible."""

    def play(draws: Draws, dice: Sides, values: int) -> Throw:
        transcript, number, thrown = Transcript(draws), 0, 0
        text = "reads {number:,}"
        for row in convert(dice, values).walk():
            sides = row.dice if most is None else row.dice[: most - thrown]
            previous, number = number, read(transcript.throw(sides), sides, number)
            transcript.say(text, before=previous, number=number)
            thrown += len(sides)
            if thrown == most or number >= row.threshold:
                if row.threshold and number >= row.threshold and sides == row.dice:
                    number = transcript.less(number, row.threshold)
                if number >= values:
                    transcript.say("mod {values:,} is {rest:,}", values=values, rest=number % values)
                return transcript.result(number, values)
            transcript.say("under {threshold:,}", threshold=row.threshold)
            text = "behind {before:,} reads {number:,}"
        raise AssertionError("the last row ends or leads back to an earlier one")

    return play


def _cut(most: int) -> Way:
    """Return the method of the table stopped after `most` dice."""

    def figures(dice: Sides, values: int) -> Figures:
        law = best_weights(equal_after(dice, most), values)
        return Figures(law, expected(dice, values, most), min(most, rolls_at_most(dice, values) or most))

    return Way(f"table{most}", f"the table, stopped after {most} dice", True, _table(most), figures)


def _play_stream(draws: Draws, dice: Sides, values: int) -> Throw:
    transcript, number, size, rolls = Transcript(draws), 0, 1, 0
    while True:
        sides = dice[rolls % len(dice)]
        number = read(transcript.throw([sides]), [sides], number)
        size *= sides
        rolls += 1
        whole = size - size % values
        transcript.say("{number:,} of {size:,}", number=number, size=size)
        if number < whole:
            return transcript.modulo(number, values)
        if whole:
            number, size = transcript.go_on(number, size, whole)


def _optimal_figures(dice: Sides, values: int) -> Figures:
    return Figures(equal_weights(values), expected(dice, values), rolls_at_most(dice, values))


def _play_rejection(draws: Draws, dice: Sides, values: int) -> Throw:
    thrown, size = _fewest_dice(dice, values)
    whole = size - size % values
    transcript = Transcript(draws)
    while (number := read(transcript.throw(thrown), thrown)) >= whole:
        transcript.say("reads {number:,}", number=number)
        transcript.say("not under {whole:,}: all again", whole=whole)
    transcript.say("reads {number:,}", number=number)
    return transcript.modulo(number, values)


def _rejection_figures(dice: Sides, values: int) -> Figures:
    thrown, size = _fewest_dice(dice, values)
    whole = size - size % values
    most = len(thrown) if whole == size else None
    return Figures(equal_weights(values), Fraction(len(thrown) * size, whole), most)


def _fewest_dice(dice: Sides, values: int) -> tuple[Sides, int]:
    """Return the fewest dice in turn with at least n results, and their number of results."""
    number = next(rolls for rolls in count() if equal_after(dice, rolls) >= values)
    return tuple(islice(cycle(dice), number)), equal_after(dice, number)


GENERAL = (
    Way("table", "the fewest dice there can be, by a table", True, _table(), _optimal_figures),
    Way("stream", "the same, die by die, without a table", True, _play_stream, _optimal_figures),
    *map(_cut, CUTS),
    Way(
        "again",
        "read the dice as a number; too high, throw all again",
        True,
        _play_rejection,
        _rejection_figures,
    ),
)


class Sixes:
    """Draws of one roll, each made from draws of d6s by the stream, whose rest continues in the next die.

    A six is the digit 0. The rest is uniform and independent of the die, so the next die starts with it.
    It is dropped after each roll, since whoever saw the dice would know something about the next roll.
    """

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._number, self._size = 0, 1
        """A number that is uniform below the size, independent of earlier results."""

    def below(self, n: int) -> int:
        """Throw d6s until they make a uniform integer of 0..n-1; the scan's value 0 is the highest."""
        while self._number >= (whole := self._size - self._size % n):
            digit = (self._draws.below(_SIX) + 1) % _SIX
            self._number = (self._number - whole) * _SIX + digit
            self._size = (self._size - whole) * _SIX
        self._number, value = divmod(self._number, n)
        self._size = whole // n
        return (value - 1) % n

    def choose(self, weights: Sequence[int]) -> int:
        """Raise TypeError: plain dice have no weights."""
        raise TypeError(f"no d6s make a choice of {len(weights)}")
