"""A check: dice compared with a DC, the distribution of its outcomes, and the degrees of success.

A luck account counts scores: 1 for a pass and 0 for a miss, the score of a degree, or without a DC the
mid-rank of a total among all possible totals.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.errors import SpecError
from bot.dice.expressions import Expression
from bot.dice.names import LABEL_LIMIT, clean

DC_LIMIT = 1_000_000
SCORE_LIMIT = 10
DEGREES_LIMIT = 10
_DEGREE = re.compile(r"(?P<least>[+\-−]?\d{1,7}+)?\s*+(?P<name>.*?)(?:=\s*+(?P<score>\d{1,2}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Degree:
    """A degree of success: the lowest margin that reaches it, its name, and its score."""

    least: int
    """Unused for the worst degree, which applies if no other is reached."""
    name: str
    score: int


CONTEST = (Degree(0, "loses", 0), Degree(0, "ties", 1), Degree(1, "wins", 2))
"""The degrees of a contest, by one side's total minus the other's."""


@dataclass(frozen=True, slots=True)
class CheckTerms:
    """The DC and degrees of a check; SpecError if they are invalid."""

    dc: int
    under: bool = False
    """Whether a total passes at or under the DC, instead of at or above it."""
    degrees: tuple[Degree, ...] = ()
    """Worst first; empty for pass and miss only."""

    def __post_init__(self) -> None:
        if abs(self.dc) > DC_LIMIT:
            raise SpecError("A DC is a number up to {most:,}.", most=DC_LIMIT)
        check_degrees(self.degrees)

    @property
    def is_plain(self) -> bool:
        """Whether there is a DC alone: high totals pass, without degrees."""
        return not (self.under or self.degrees)

    def margin(self, total: int) -> int:
        """Return the margin of a total over the DC, negative for a miss."""
        return self.dc - total if self.under else total - self.dc

    @property
    def contest(self) -> bool:
        """Whether the DC is another player's total, which must be beaten."""
        return self.degrees == CONTEST

    def passes(self, total: int) -> bool:
        """Return whether a total meets the DC, or in a contest beats it."""
        return self.margin(total) >= int(self.contest)

    def degree(self, total: int) -> Degree | None:
        """Return the degree that a total reaches; None if the check has no degrees."""
        margin = self.margin(total)
        reached = [degree for degree in self.degrees[1:] if margin >= degree.least]
        return (reached or self.degrees or [None])[-1 if reached else 0]

    def score(self, total: int) -> int:
        """Return the score of a total."""
        degree = self.degree(total)
        return int(self.margin(total) >= 0) if degree is None else degree.score


@dataclass(frozen=True)
class Outcomes:
    """Each possible total, its weight, and its score."""

    totals: tuple[int, ...]
    weights: tuple[int, ...]
    scores: tuple[Fraction, ...]
    dice: Expression | None = None

    @cached_property
    def settled(self) -> bool:
        """Whether every total has the same score, so that the dice decide nothing."""
        return len(set(self.scores)) == 1

    @cached_property
    def passes(self) -> bool:
        """Whether all scores are 0 or 1."""
        return {*self.scores} <= {0, 1}

    @cached_property
    def expected(self) -> Fraction:
        """Return the mean score of plain dice."""
        gained = sum(a * s for a, s in zip(self.weights, self.scores, strict=True))
        return Fraction(gained) / sum(self.weights)

    @cached_property
    def variance(self) -> Fraction:
        """Return the variance of the score of plain dice."""
        squares = sum(a * s * s for a, s in zip(self.weights, self.scores, strict=True))
        return Fraction(squares) / sum(self.weights) - self.expected**2


EVEN = Outcomes((0, 1), (1, 1), (Fraction(0), Fraction(1)))
"""A coin: the default outcomes of an account without a check."""


@lru_cache(maxsize=256)
def outcomes(dice: str, check: CheckTerms | None) -> Outcomes:
    """Return the outcomes of canonical dice under a check, or scored by mid-ranks without one.

    SpecError if the dice repeat, have over 1,000 totals or exceed the budget.
    """
    expression = notation.read_own(dice)
    law = distribution(expression)
    totals, weights = tuple(law), tuple(law.values())
    if check:
        return Outcomes(totals, weights, tuple(Fraction(check.score(x)) for x in totals), expression)
    whole = sum(weights)
    ranks = tuple(
        Fraction(2 * upto - a, 2 * whole) for upto, a in zip(accumulate(weights), weights, strict=True)
    )
    return Outcomes(totals, weights, ranks, expression)


def check_degrees(degrees: Sequence[Degree]) -> None:
    """Raise SpecError unless there are none, or 2 to 10 with rising margins and scores of 0 to 10."""
    if not degrees:
        return
    if not 2 <= len(degrees) <= DEGREES_LIMIT:
        raise SpecError(
            "There are 2 to {most} degrees of success, not {count:,}.", most=DEGREES_LIMIT, count=len(degrees)
        )
    for degree in degrees:
        if not degree.name or len(degree.name) > LABEL_LIMIT or clean(degree.name) != degree.name:
            raise SpecError("A degree of success has a name of 1 to {most} characters.", most=LABEL_LIMIT)
        if not 0 <= degree.score <= SCORE_LIMIT:
            raise SpecError(
                "The score of {name} is 0 to {most}, not {score:,}.",
                name=degree.name,
                most=SCORE_LIMIT,
                score=degree.score,
            )
        if abs(degree.least) > DC_LIMIT:
            raise SpecError(
                "The margin of {name} is a number up to {most:,}.", name=degree.name, most=DC_LIMIT
            )
    for lower, higher in pairwise(degrees):
        if lower is not degrees[0] and lower.least >= higher.least:
            raise SpecError(
                "{name} comes after {lower}, so its lowest margin must be higher.",
                name=higher.name,
                lower=lower.name,
            )
        if lower.score > higher.score:
            raise SpecError(
                "{name} comes after {lower}, so it can't have a lower score.",
                name=higher.name,
                lower=lower.name,
            )


def read_degrees(text: str) -> tuple[Degree, ...]:
    """Read "critical miss, -9 miss, 0 pass, 10 critical pass": each but the worst with its lowest margin.

    A score may follow, as in "10 critical pass = 3"; by default it is 1 from margin 0 on, else 0.
    """
    degrees: list[Degree] = []
    parts = [part for part in re.split(r"[,;\n]", text) if part.strip()]
    for place, part in enumerate(parts):
        match = _DEGREE.fullmatch(part.strip())
        name = clean(match["name"]) if match else ""
        if match is None or not name or len(parts) == 1 or (match["least"] is None) is not (place == 0):
            raise SpecError(
                "Degrees of success are written worst first, each but the worst with its lowest margin: "
                "critical miss, -9 miss, 0 pass, 10 critical pass."
            )
        least = int(match["least"].replace("−", "-")) if place else 0
        score = int(match["score"]) if match["score"] else int(place > 0 and least >= 0)
        degrees.append(Degree(least, name, score))
    check_degrees(degrees)
    return tuple(degrees)


EVEN_DICE, EVEN_CHECK = "1d2", CheckTerms(2)
"""The default check of a luck account."""
