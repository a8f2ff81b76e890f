"""Text 004's exact ways to a d100 with six-sided dice: each value has the same chance, at some price."""

from fractions import Fraction

from bot.d100.scores import Figures, equal_weights
from bot.d100.ways import Sides, Transcript, Way
from bot.dice.draws import Draws
from bot.dice.throws import Throw

_THREE = (6, 6, 6)
_FIVE, _FOUR = Fraction(6, 5), Fraction(6, 4)
"""The dice that a d5 and a d4 take: a d6 thrown again above 5, above 4."""


def place(faces: tuple[int, ...]) -> int:
    """The place of dice among all their throws in order: 1, 1, 1 is 1, and 6, 6, 6 is 216."""
    number = 0
    for face in faces:
        number = number * 6 + face - 1
    return number + 1


def _play_first(draws: Draws, _dice: Sides, _values: int) -> Throw:
    transcript = Transcript(draws)
    while (at := place(transcript.throw(_THREE))) > 100:
        transcript.say(f" is number {at}, behind the first 100: all again; ")
    transcript.say(f" is number {at} of 216")
    return transcript.result(at, 100)


def _play_folded(draws: Draws, _dice: Sides, _values: int) -> Throw:
    transcript = Transcript(draws)
    while (folded := fold(transcript)) > 100:
        transcript.say(", over 100: all again; ")
    return transcript.result(folded, 100)


def fold(transcript: Transcript) -> int:
    """Three dice as a number of 1 to 108: from the 109th throw on they count from 1 again."""
    at = place(transcript.throw(_THREE))
    transcript.say(f" is number {at} of 216" + (f", less 108 is {at - 108}" if at > 108 else ""))
    return at - 108 if at > 108 else at


def _play_5x5x4(draws: Draws, _dice: Sides, _values: int) -> Throw:
    transcript = Transcript(draws)
    low = transcript.until(6, 5) - 1
    transcript.say(" under 6, ")
    middle = transcript.until(6, 5) - 1
    transcript.say(" under 6, ")
    high = transcript.until(6, 4) - 1
    transcript.say(f" under 5: 1 + {low} + 5·{middle} + 25·{high}")
    return transcript.result(1 + low + 5 * middle + 25 * high, 100)


def _play_5x5x2x2(draws: Draws, _dice: Sides, _values: int) -> Throw:
    transcript = Transcript(draws)
    low = transcript.until(6, 5) - 1
    transcript.say(" under 6, ")
    middle = transcript.until(6, 5) - 1
    transcript.say(" under 6, ")
    odd = [face % 2 for face in transcript.throw((6, 6))]
    transcript.say(f" odd or even: 1 + {low} + 5·{middle} + 25·{odd[0]} + 50·{odd[1]}")
    return transcript.result(1 + low + 5 * middle + 25 * odd[0] + 50 * odd[1], 100)


def _play_digits(draws: Draws, _dice: Sides, _values: int) -> Throw:
    transcript, digits = Transcript(draws), list[int]()
    for name in ("tens", "ones"):
        low = transcript.until(6, 5) - 1
        transcript.say(" under 6 and ")
        odd = transcript.throw((6,))[0] % 2
        digits.append(low + 5 * odd)
        transcript.say(f" odd or even: {low} + {5 * odd} {name}" + ("; " if name == "tens" else ""))
    return transcript.result(10 * digits[0] + digits[1], 100)


def _figures(expected: Fraction) -> Figures:
    return Figures(equal_weights(100), expected, None)


EXACT = (
    Way(
        "first", "111 to 354 are 1 to 100, else all again", False, _play_first,
        lambda _d, _v: _figures(3 * Fraction(216, 100)),
    ),
    Way(
        "folded", "three dice, folded at 108; over 100 all again", False, _play_folded,
        lambda _d, _v: _figures(3 * Fraction(108, 100)),
    ),
    Way(
        "5x5x4", "two d5 and a d4, each die thrown again on its own", False, _play_5x5x4,
        lambda _d, _v: _figures(2 * _FIVE + _FOUR),
    ),
    Way(
        "5x5x2x2", "two d5 and two odd-or-even", False, _play_5x5x2x2,
        lambda _d, _v: _figures(2 * _FIVE + 2),
    ),
    Way(
        "digits", "two digits, each a d5 and an odd-or-even", False, _play_digits,
        lambda _d, _v: _figures(2 * _FIVE + 2),
    ),
)  # fmt: skip
