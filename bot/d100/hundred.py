"""Ways to a d100 out of six-sided dice alone, as people play them; the uneven ones show why not to.

docs/d100.md, "All the others", lists them with their figures.
"""

from collections.abc import Callable
from fractions import Fraction

from bot.d100.scores import Figures, equal_weights
from bot.d100.ways import HUNDRED, Sides, Transcript, Way
from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.draws import Draws
from bot.dice.throws import Throw

_THREE = (6, 6, 6)
_FIVE, _FOUR = Fraction(6, 5), Fraction(6, 4)
"""The dice that a d5 and a d4 take: a d6 thrown again above 5, above 4."""
_LOW = 3
"""The highest of the three low faces of a die."""
_STEP = 17
"""How far apart the ranges of the first die begin; the sum of the other three has 16 values."""


def place(faces: tuple[int, ...]) -> int:
    """Return the place of dice among all their throws in order: 1, 1, 1 is 1, and 6, 6, 6 is 216."""
    number = 0
    for face in faces:
        number = number * 6 + face - 1
    return number + 1


def _first(transcript: Transcript) -> int:
    while (at := place(transcript.throw(_THREE))) > 100:
        transcript.say(f" is number {at}, behind the first 100: all again; ")
    transcript.say(f" is number {at} of 216")
    return at


def _fold(transcript: Transcript) -> int:
    """Throw three dice as a number of 1 to 108: from the 109th throw on they count from 1 again."""
    at = place(transcript.throw(_THREE))
    transcript.say(f" is number {at} of 216" + (f", less 108 is {at - 108}" if at > 108 else ""))
    return at - 108 if at > 108 else at


def _folded(transcript: Transcript) -> int:
    while (folded := _fold(transcript)) > 100:
        transcript.say(", over 100: all again; ")
    return folded


def _wrapped(transcript: Transcript) -> int:
    folded = _fold(transcript)
    if folded > 100:
        transcript.say(f", less 100 is {folded - 100}")
    return folded


def _two_fives(transcript: Transcript) -> tuple[int, int]:
    high = transcript.until(6, 5) - 1
    transcript.say(" under 6, ")
    middle = transcript.until(6, 5) - 1
    transcript.say(" under 6, ")
    return high, middle


def _5x5x4(transcript: Transcript) -> int:
    high, middle = _two_fives(transcript)
    low = transcript.until(6, 4)
    transcript.say(f" under 5: 20·{high} + 4·{middle} + {low}")
    return 20 * high + 4 * middle + low


def _5x5x2x2(transcript: Transcript) -> int:
    high, middle = _two_fives(transcript)
    third, low = (1 + (face > _LOW) for face in transcript.throw((6, 6)))
    transcript.say(f" low 1, high 2: 20·{high} + 4·{middle} + 2·{third - 1} + {low}")
    return 20 * high + 4 * middle + 2 * (third - 1) + low


def _digits(transcript: Transcript) -> int:
    digits: list[int] = []
    for name in ("tens", "ones"):
        low = transcript.until(6, 5)
        transcript.say(" under 6 and ")
        more = 5 * (transcript.throw((6,))[0] % 2)
        digits.append((low + more) % 10)
        wraps = ", 10 is 0" if low + more == 10 else ""
        transcript.say(f" odd or even: {low} + {more} {name}{wraps}" + ("; " if name == "tens" else ""))
    return 10 * digits[0] + digits[1]


def _parity(bits: int) -> Callable[[Transcript], int]:
    def play(transcript: Transcript) -> int:
        number = 0
        for face in transcript.throw((6,) * bits):
            number = 2 * number + 1 - face % 2
        value = 100 * number // 2**bits
        transcript.say(f" even 1, odd 0: {number:0{bits}b} is {number:,}; {number:,}·100 // {2**bits:,}")
        return value

    return play


def _sum(less: int) -> Callable[[Transcript], int]:
    def play(transcript: Transcript) -> int:
        total = sum(transcript.throw((6,) * 20))
        transcript.say(f" is {total}" + (f", less {less} is {total - less}" if less else "") + "; mod 100")
        return total - less

    return play


def _ranges(transcript: Transcript) -> int:
    base = _STEP * (transcript.throw((6,))[0] - 1) + 1
    transcript.say(f" begins at {base}; ")
    total = sum(transcript.throw(_THREE))
    wraps = ", mod 100" if base + total > 100 else ""
    transcript.say(f" is {total}: {base} + {total}{wraps}")
    return base + total


def _spread(size: int) -> tuple[int, ...]:
    """Return how many of so many equal results are floor(100 x / size) for each value."""
    weights = [0] * 100
    for number in range(size):
        weights[100 * number // size] += 1
    return tuple(weights)


def _sum_weights(dice: str, *shifts: int) -> tuple[int, ...]:
    """Return the weights of the sum of the dice plus each of the shifts, modulo 100."""
    weights = [0] * 100
    for total, weight in distribution(notation.parse(dice)).items():
        for shift in shifts:
            weights[(total + shift) % 100] += weight
    return tuple(weights)


def _exact(expected: Fraction) -> Callable[[], Figures]:
    return lambda: Figures(equal_weights(100), expected, None)


def _uneven(dice: int, weights: Callable[[], tuple[int, ...]]) -> Callable[[], Figures]:
    return lambda: Figures(weights(), Fraction(dice), dice)


def _way(name: str, words: str, play: Callable[[Transcript], int], figures: Callable[[], Figures]) -> Way:
    def throw(draws: Draws, _dice: Sides, _values: int) -> Throw:
        transcript = Transcript(draws)
        return transcript.result(play(transcript), HUNDRED[1])

    return Way(name, words, False, throw, lambda _dice, _values: figures())


WAYS_TO_HUNDRED = (
    _way("first", "111 to 354 are 1 to 100, else all again", _first, _exact(3 * Fraction(216, 100))),
    _way("folded", "three dice, folded at 108; over 100 all again", _folded, _exact(3 * Fraction(108, 100))),
    _way("5x5x4", "two d5 and a d4, each die thrown again on its own", _5x5x4, _exact(2 * _FIVE + _FOUR)),
    _way("5x5x2x2", "two d5 and two low-or-high", _5x5x2x2, _exact(2 * _FIVE + 2)),
    _way("digits", "two digits, each a d5 and an odd-or-even", _digits, _exact(2 * _FIVE + 2)),
    _way(
        "wrapped", "three dice, folded at 108; over 100 less 100", _wrapped,
        _uneven(3, lambda: (2, *(4 if value <= 8 else 2 for value in range(1, 100)))),
    ),
    _way(
        "parity7", "seven dice as bits, even is one: x·100 // 128", _parity(7),
        _uneven(7, lambda: _spread(2**7)),
    ),
    _way(
        "parity10", "ten dice as bits, even is one: x·100 // 1024", _parity(10),
        _uneven(10, lambda: _spread(2**10)),
    ),
    _way("20d6", "the sum of 20 dice, modulo 100", _sum(0), _uneven(20, lambda: _sum_weights("20d6", 0))),
    _way(
        "20d6-20", "the sum of 20 dice less 20, modulo 100", _sum(20),
        _uneven(20, lambda: _sum_weights("20d6", -20)),
    ),
    _way(
        "ranges", "one die picks a range, three are added", _ranges,
        _uneven(4, lambda: _sum_weights("3d6", *(_STEP * die + 1 for die in range(6)))),
    ),
)  # fmt: skip
