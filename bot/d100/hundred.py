"""Methods for a d100 from six-sided dice that people use; some are uneven, for comparison.

docs/d100.md, "All the others", lists them with their figures.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from bot.d100.rules import score_rule
from bot.d100.ways import HUNDRED, Sides, Transcript, Way, digits_to_number
from bot.dice.draws import Draws
from bot.dice.throws import Throw

_Play: TypeAlias = Callable[[Transcript], int]
_THREE = (6, 6, 6)
_LOW = 3
"""The highest of a die's three low faces."""
_DIGITS = 2
_STEP = 17
"""The distance between the ranges of the first die; the sum of the other three has 16 values."""


def _place(transcript: Transcript) -> int:
    """Throw three dice, and return their rank among all throws: 1, 1, 1 is 1, and 6, 6, 6 is 216."""
    at = 1 + digits_to_number((face, 6) for face in transcript.throw(_THREE))
    transcript.say("is number {at} of 216", at=at)
    return at


def _fold(transcript: Transcript) -> int:
    """Throw three dice as a number of 1 to 108: ranks 109 to 216 count as 1 to 108."""
    at = _place(transcript)
    return transcript.less(at, 108) if at > 108 else at


def _until_100(throw: _Play, transcript: Transcript) -> int:
    """Throw all dice again until they make 1 to 100."""
    while (number := throw(transcript)) > 100:
        transcript.say("over 100: all again")
    return number


def _wrapped(transcript: Transcript) -> int:
    folded = _fold(transcript)
    return transcript.less(folded, 100) if folded > 100 else folded


def _under(transcript: Transcript, sides: int) -> int:
    """Throw a d6 until it shows 1 to `sides`, and return its face."""
    face = transcript.until(6, sides)
    transcript.say("under {threshold:,}", threshold=sides + 1)
    return face


def _5x5x4(transcript: Transcript) -> int:
    high, middle, low = _under(transcript, 5) - 1, _under(transcript, 5) - 1, _under(transcript, 4)
    transcript.reckon(f"20·{high} + 4·{middle} + {low}")
    return 20 * high + 4 * middle + low


def _5x5x2x2(transcript: Transcript) -> int:
    high, middle = _under(transcript, 5) - 1, _under(transcript, 5) - 1
    third, low = (1 + (face > _LOW) for face in transcript.throw((6, 6)))
    transcript.say("low is 1, high is 2")
    transcript.reckon(f"20·{high} + 4·{middle} + 2·{third - 1} + {low}")
    return 20 * high + 4 * middle + 2 * (third - 1) + low


def _digits(transcript: Transcript) -> int:
    digits: list[int] = []
    while len(digits) < _DIGITS:
        low = _under(transcript, 5)
        more = 5 * (transcript.throw((6,))[0] % 2)
        digits.append((low + more) % 10)
        transcript.say("odd is 5, even is 0")
        transcript.reckon(f"{low} + {more}")
        text = "the tens are {digit}" if len(digits) == 1 else "the ones are {digit}"
        transcript.say(text, digit=digits[-1])
    return 10 * digits[0] + digits[1]


def _parity(bits: int) -> _Play:
    def play(transcript: Transcript) -> int:
        number = 0
        for face in transcript.throw((6,) * bits):
            number = 2 * number + 1 - face % 2
        transcript.say("odd is 0, even is 1")
        transcript.reckon(f"{number:0{bits}b} = {number}, {number}·100 // {2**bits}")
        return 100 * number // 2**bits

    return play


def _sum(less: int) -> _Play:
    def play(transcript: Transcript) -> int:
        total = sum(transcript.throw((6,) * 20))
        transcript.say("is {total}", total=total)
        total = transcript.less(total, less) if less else total
        transcript.say("mod {values:,}", values=HUNDRED[1])
        return total

    return play


def _ranges(transcript: Transcript) -> int:
    base = _STEP * (transcript.throw((6,))[0] - 1) + 1
    transcript.say("begins at {base}", base=base)
    total = sum(transcript.throw(_THREE))
    transcript.say("is {total}", total=total)
    transcript.reckon(f"{base} + {total}")
    if base + total > HUNDRED[1]:
        transcript.say("mod {values:,}", values=HUNDRED[1])
    return base + total


def _way(name: str, words: str, play: _Play, rule: str) -> Way:
    def throw(draws: Draws, _dice: Sides, _values: int) -> Throw:
        transcript = Transcript(draws)
        return transcript.result(play(transcript), HUNDRED[1])

    return Way(name, words, False, throw, lambda _dice, _values: score_rule(rule))


def _bits(dice: int) -> str:
    return f"100*({'+'.join(f'{2**bit}*(1-d6%2)' for bit in range(dice))})//{2**dice}"


_PLACE = "36*(a-1)+6*(b-1)+c"
_FOLD = "36*((a-1)%3)+6*(b-1)+c"
_FIVE, _TWO = "(d6rr6-1)", "(d6>3)"
_DIGIT = f"({_FIVE}+5*{_TWO})"

WAYS_TO_HUNDRED = (
    _way(
        "first", "111 to 354 are 1 to 100, else all again", partial(_until_100, _place),
        f"{_PLACE}; reroll if total>100",
    ),
    _way(
        "folded", "three dice, folded at 108; over 100 all again", partial(_until_100, _fold),
        f"{_FOLD}; reroll if total>100",
    ),
    _way(
        "5x5x4", "two d5 and a d4, each die thrown again on its own", _5x5x4,
        f"20*{_FIVE}+4*{_FIVE}+d6rr>4",
    ),
    _way(
        "5x5x2x2", "two d5 and two low-or-high", _5x5x2x2, f"20*{_FIVE}+4*{_FIVE}+2*{_TWO}+1+{_TWO}",
    ),
    _way("digits", "two digits, each a d5 and an odd-or-even", _digits, f"10*{_DIGIT}+{_DIGIT}"),
    _way("wrapped", "three dice, folded at 108; over 100 less 100", _wrapped, _FOLD),
    _way("parity7", "seven dice as bits, even is one: x·100 // 128", _parity(7), _bits(7)),
    _way("parity10", "ten dice as bits, even is one: x·100 // 1024", _parity(10), _bits(10)),
    _way("20d6", "the sum of 20 dice, modulo 100", _sum(0), "20d6"),
    _way("20d6-20", "the sum of 20 dice less 20, modulo 100", _sum(20), "20d6-20"),
    _way("ranges", "one die picks a range, three are added", _ranges, f"{_STEP}*(a-1)+1+3d6"),
)  # fmt: skip
