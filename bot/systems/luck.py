"""The luck account: fewer passes than expected raise the chances of the next checks, at any DC.

The odds of a pass are those of the dice times 2^-g, where g grows with the excess of passes; in general,
total x with score S_x has the weight a_x 2^(-g S_x). With an even account a check is plain dice.
Source: docs/checks.md, "The luck account".
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from math import ceil
from typing import ClassVar, TypeVar

from bot.dice.by_hand import ByHand
from bot.dice.distribution import arrange
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.system import Json, Memory, Spec, System, print_decimal, read_decimal
from bot.dice.throws import Throw, roll
from bot.systems.checks import EVEN, Degree, Outcomes, check_degrees
from bot.systems.fair import TIGHTNESS_LIMIT, half_power

SCORE_UNIT = 2**16 * 3**8 * 5**4
"""One pass as an integer; the sizes of the dice in use divide it, so that expectations are exact."""
FULL, MINOR, NONE = 5, 1, 0
"""Stakes: the weight of a check in the account, in fifths."""
ACCOUNT_UNIT = FULL * SCORE_UNIT
"""One pass at full stake, in the unit of the account."""
DROUGHT_LIMIT = 10
CAP_LIMIT = 64


class Own(StrEnum):
    """The stake of checks that no game master called for."""

    PRACTICE = "practice"
    """Nothing: they are plain dice."""
    MINOR = "minor"
    """A fifth."""


class Keeping(StrEnum):
    """The lifetime of an account."""

    SESSION = "session"
    """Until the next session begins."""
    ALWAYS = "always"


_Word = TypeVar("_Word", Own, Keeping)


@dataclass(frozen=True, slots=True)
class LuckAccount(System):
    """The rule of an account; `on` sets its next check. Memory: (n, d, b).

    n: passes minus expected passes, in `ACCOUNT_UNIT`. In `SCORE_UNIT`, d: the sum of expected passes of the
    misses since the last pass, and b: the mean of d with plain dice.
    """

    tightness: Fraction = Fraction(1, 2)
    """The strength of evening out the account."""
    drought: Fraction = Fraction(0)
    """The strength of compensation for misses in a row."""
    cap: Fraction = Fraction(3)
    """The most bits by which the odds are changed."""
    own: Own = Own.PRACTICE
    keep: Keeping = Keeping.SESSION
    rank: bool = False
    """Whether it counts the mid-ranks of rolls without a DC."""
    degrees: tuple[Degree, ...] = ()
    """The degrees of every check on it; empty for pass and miss."""
    outcomes: Outcomes = EVEN
    """The next check; like the stake no part of the spec."""
    stake: int = FULL

    name: ClassVar[str] = "luck"

    @property
    def independent(self) -> bool:
        """True for a tightness and a drought of 0, or a cap of 0."""
        return not (self.cap and (self.tightness or self.drought))

    @property
    def settling(self) -> tuple[int, int] | None:
        """The account of a coin shrinks by t ln 2 / 2 a check; a mere drought's bonus is never taken back."""
        # To under a hundredth, since 7 ln 2 is more than ln 100.
        return (2 + ceil(14 / self.tightness), 2) if self.tightness and self.cap else None

    @property
    def faces(self) -> tuple[str, ...]:
        """The totals that the dice can make."""
        return tuple(map(str, self.outcomes.totals))

    def on(self, outcomes: Outcomes, stake: int = FULL) -> "LuckAccount":
        """Return the rule for a check at that stake; SpecError for any other stake than 0, 1 and 5."""
        if stake not in {NONE, MINOR, FULL}:
            raise SpecError(
                "A check counts {none}, {minor} or {full} fifths, not {stake:,}.",
                none=NONE,
                minor=MINOR,
                full=FULL,
                stake=stake,
            )
        return replace(self, outcomes=outcomes, stake=stake)

    def start(self) -> Memory:
        """Return an even account."""
        return (0, 0, 0)

    def bits(self, memory: Memory) -> Fraction:
        """Return g: the bits by which the odds of a score of 1 against 0 are lowered."""
        n, d, b = memory
        bits = 2 * self.tightness * Fraction(self.stake * n, FULL * ACCOUNT_UNIT)
        if self._counts_drought:
            bits -= self.drought * Fraction(d - b, SCORE_UNIT)
        return max(-self.cap, min(self.cap, bits))

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return a_x half_power(g S_x - least)."""
        bits, outcomes = self.bits(memory), self.outcomes
        tilts = {score: bits * score for score in {*outcomes.scores}}
        least = min(tilts.values())
        powers = {score: half_power(*(tilt - least).as_integer_ratio()) for score, tilt in tilts.items()}
        return tuple(a * powers[score] for a, score in zip(outcomes.weights, outcomes.scores, strict=True))

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Add the total's score and subtract the expected score; a settled check changes nothing."""
        if self.outcomes.settled or self.stake == NONE:
            return memory
        n, d, b = memory
        expected = _nearest(SCORE_UNIT * self.outcomes.expected)
        score = self.outcomes.scores[chosen]
        n += self.stake * (_nearest(SCORE_UNIT * score) - expected)
        if self._counts_drought:
            d = 0 if score else d + expected
            b = _nearest(Fraction((SCORE_UNIT - expected) * (b + expected), SCORE_UNIT))
        return (n, d, b)

    def shares(self) -> tuple[int, ...]:
        """Return the weights of plain dice."""
        return self.outcomes.weights

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw | None:  # noqa: ARG002 (others do)
        """Draw dice with the total."""
        dice = self.outcomes.dice
        return arrange(dice, self.outcomes.totals[chosen], draws) if dice else None

    def by_hand(self, memory: Memory, hand: ByHand) -> tuple[int, Throw]:
        """Return the total of the check's dice, thrown by hand."""
        if (dice := self.outcomes.dice) is None:
            return System.by_hand(self, memory, hand)
        throw = roll(dice, hand)
        return self.outcomes.totals.index(throw.total), throw

    def continues(self, other: System) -> bool:
        """Return whether `other` counts the same scores: one account serves any dice and any DC."""
        return isinstance(other, LuckAccount) and (other.rank, other.scored) == (self.rank, self.scored)

    def as_spec(self) -> Spec:
        """Return {"system": "luck", "tightness": "0.5", "drought": "0", "cap": "3", ...}.

        Degrees of success are [lowest margin, name, score], worst first.
        """
        degrees: list[Json] = [[degree.least, degree.name, degree.score] for degree in self.degrees]
        score: Json = degrees or ("rank" if self.rank else "pass")
        return {
            "system": self.name,
            "tightness": print_decimal(self.tightness),
            "drought": print_decimal(self.drought),
            "cap": print_decimal(self.cap),
            "own": self.own.value,
            "keep": self.keep.value,
            "score": score,
        }

    @classmethod
    def from_spec(cls, spec: Spec) -> "LuckAccount":
        """Read the parameters; SpecError out of bounds, and for drought with other scores than 0 and 1."""
        drought = _read(spec, "drought", "0", DROUGHT_LIMIT)
        degrees = _read_degrees(spec.get("score", "pass"))
        rank = spec.get("score") == "rank"
        if drought and (rank or {degree.score for degree in degrees} - {0, 1}):
            raise SpecError("Drought counts misses in a row, so it goes with scores of 0 and 1 alone.")
        return cls(
            _read(spec, "tightness", "0.5", TIGHTNESS_LIMIT),
            drought,
            _read(spec, "cap", "3", CAP_LIMIT),
            _read_word(spec, "own", Own.PRACTICE),
            _read_word(spec, "keep", Keeping.SESSION),
            rank,
            degrees,
        )

    @property
    def _counts_drought(self) -> bool:
        return self.stake == FULL and self.outcomes.passes

    @property
    def scored(self) -> tuple[int, ...]:
        """The scores of its degrees; empty if all are passes or misses."""
        scores = tuple(sorted({degree.score for degree in self.degrees}))
        return () if {*scores} <= {0, 1} else scores


def _nearest(value: Fraction) -> int:
    """Return the nearest integer; of two, the higher."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def _read(spec: Spec, key: str, default: str, most: int) -> Fraction:
    value = read_decimal(spec.get(key, default))
    if value > most:
        raise SpecError(
            "`{key}` is 0 to {most:,}, not {value:,}.",
            key=key,
            most=most,
            value=Decimal(print_decimal(value)),
        )
    return value


def _read_word(spec: Spec, key: str, default: _Word) -> _Word:
    words, value = type(default), spec.get(key, default)
    if value not in [*words]:  # a set would refuse a list by itself
        raise SpecError(
            "`{key}` is one of {words}, not {value!r}.", key=key, words=", ".join(words), value=value
        )
    return words(value)


def _read_degrees(value: Json) -> tuple[Degree, ...]:
    if value in ("pass", "rank"):
        return ()
    degrees: list[Degree] = []
    for entry in value if isinstance(value, list) else []:
        match entry:
            case [int(least), str(name), int(score)] if bool not in {type(least), type(score)}:
                degrees.append(Degree(least, name, score))
            case _:
                raise SpecError(
                    'A degree of success is [lowest margin, "name", score], not {one!r}.', one=entry
                )
    if not degrees:
        raise SpecError("The score is pass, rank, or a list of degrees of success.")
    check_degrees(degrees)
    return tuple(degrees)
