"""Text 004's ways to a d100 that are not even, for those who want to see why not."""

from collections.abc import Callable
from fractions import Fraction

from bot.d100.exact import fold
from bot.d100.scores import Figures, best_weights
from bot.d100.ways import Sides, Transcript, Way
from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.draws import Draws
from bot.dice.throws import Throw

_STEP = 17
"""How far apart the ranges of the first die begin; the sum of the other three has 16 values."""


def _play_wrapped(draws: Draws, _dice: Sides, _values: int) -> Throw:
    transcript = Transcript(draws)
    folded = fold(transcript)
    if folded > 100:
        transcript.say(f", less 100 is {folded - 100}")
    return transcript.result(folded, 100)


def _play_parity(bits: int) -> Callable[[Draws, Sides, int], Throw]:
    def play(draws: Draws, _dice: Sides, _values: int) -> Throw:
        transcript, number = Transcript(draws), 0
        for face in transcript.throw((6,) * bits):
            number = 2 * number + face % 2
        transcript.say(
            f" odd 1, even 0: {number:0{bits}b} is {number:,}" + (", mod 100" if number >= 100 else "")
        )
        return transcript.result(number, 100)

    return play


def _play_sum(less: int) -> Callable[[Draws, Sides, int], Throw]:
    def play(draws: Draws, _dice: Sides, _values: int) -> Throw:
        transcript = Transcript(draws)
        total = sum(transcript.throw((6,) * 20))
        transcript.say(f" is {total}" + (f", less {less} is {total - less}" if less else "") + "; mod 100")
        return transcript.result(total - less, 100)

    return play


def _play_ranges(draws: Draws, _dice: Sides, _values: int) -> Throw:
    transcript = Transcript(draws)
    first = _STEP * (transcript.throw((6,))[0] - 1)
    transcript.say(f" begins at {first + 1}; ")
    total = sum(transcript.throw((6, 6, 6)))
    transcript.say(f" is {total}: {first} + {total} - 2" + (", mod 100" if first + total > 102 else ""))
    return transcript.result(first + total - 2, 100)


def _wrapped() -> Figures:
    return _fixed(3, (2, *(4 if value <= 8 else 2 for value in range(1, 100))))


def _sum(less: int) -> Figures:
    law = [0] * 100
    for total, weight in distribution(notation.parse("20d6")).items():
        law[(total - less) % 100] += weight
    return _fixed(20, tuple(law))


def _ranges() -> Figures:
    law = [0] * 100
    for total, weight in distribution(notation.parse("3d6")).items():
        for first in range(6):
            law[(_STEP * first + total - 2) % 100] += weight
    return _fixed(4, tuple(law))


def _fixed(rolls: int, law: tuple[int, ...]) -> Figures:
    return Figures(law, Fraction(rolls), rolls)


UNEVEN = (
    Way(
        "wrapped", "three dice, folded at 108; over 100 less 100", False, _play_wrapped,
        lambda _d, _v: _wrapped(),
    ),
    Way(
        "parity7", "seven dice as bits, odd or even, modulo 100", False, _play_parity(7),
        lambda _d, _v: _fixed(7, best_weights(2**7, 100)),
    ),
    Way(
        "parity10", "ten dice as bits, odd or even, modulo 100", False, _play_parity(10),
        lambda _d, _v: _fixed(10, best_weights(2**10, 100)),
    ),
    Way(
        "20d6", "the sum of 20 dice, modulo 100", False, _play_sum(0),
        lambda _d, _v: _sum(0),
    ),
    Way(
        "20d6-20", "the sum of 20 dice less 20, modulo 100", False, _play_sum(20),
        lambda _d, _v: _sum(20),
    ),
    Way(
        "ranges", "one die picks a range, three are added", False, _play_ranges,
        lambda _d, _v: _ranges(),
    ),
)  # fmt: skip
