"""Exact chances: of weights, and of every way the draws can fall, by enumeration."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TypeVar

_T = TypeVar("_T")


class Tape:
    """Draws that follow a script of indices, and take the first possible one after its end."""

    def __init__(self, script: Sequence[int] = ()) -> None:
        self._script = script
        self.taken: list[int] = []
        self.options: list[Sequence[int]] = []
        """For each draw, the weights it was made by (a range of ones for `below`)."""

    def below(self, n: int) -> int:
        """Return the next index of the script; ValueError unless n >= 1."""
        if n < 1:
            raise ValueError(f"cannot draw below {n}")
        return self._take((1,) * n)

    def choose(self, weights: Sequence[int]) -> int:
        """Return the next index of the script; ValueError if no weight is positive."""
        if min(weights, default=0) < 0 or not any(weights):
            raise ValueError("weights must be integers >= 0 with a positive sum")
        return self._take(tuple(weights))

    @property
    def chance(self) -> Fraction:
        """The chance of all that was drawn."""
        chosen = (weights[index] for weights, index in zip(self.options, self.taken, strict=True))
        return Fraction(prod(chosen), prod(map(sum, self.options)))

    def following(self) -> list[int] | None:
        """Return the script of the next way to fall, or None after the last."""
        script = list(self.taken)
        while script:
            weights, last = self.options[len(script) - 1], script.pop()
            index = next((i for i in range(last + 1, len(weights)) if weights[i]), None)
            if index is not None:
                return [*script, index]
        return None

    def _take(self, weights: Sequence[int]) -> int:
        place = len(self.taken)
        if place < len(self._script):
            index = self._script[place]
        else:
            index = next(i for i, weight in enumerate(weights) if weight)
        self.taken.append(index)
        self.options.append(weights)
        return index


def tapes(play: Callable[[Tape], _T]) -> Iterator[tuple[_T, Fraction]]:
    """Every outcome of `play`, once for each way the draws can fall, with the chance of that way."""
    script: list[int] | None = []
    while script is not None:
        tape = Tape(script)
        outcome = play(tape)
        yield outcome, tape.chance
        script = tape.following()


def chances(weights: Mapping[_T, int]) -> dict[_T, Fraction]:
    """Each outcome with its chance."""
    whole = sum(weights.values())
    return {outcome: Fraction(weight, whole) for outcome, weight in weights.items()}


def law(play: Callable[[Tape], _T]) -> dict[_T, Fraction]:
    """Each outcome of `play` and its exact chance."""
    parts: dict[_T, Counter[int]] = {}
    for outcome, chance in tapes(play):
        # Fractions of one denominator add up as whole numbers.
        parts.setdefault(outcome, Counter())[chance.denominator] += chance.numerator
    return {
        outcome: sum((Fraction(some, whole) for whole, some in weight.items()), Fraction(0))
        for outcome, weight in parts.items()
    }
