"""Every way a function of draws can go, with its exact chance: all answers to all its questions."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


class _Path:
    """Draws that answer as told, and then always the first that can come out."""

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers = answers
        self.asked: list[Sequence[int]] = []
        self.given: list[int] = []

    def below(self, n: int) -> int:
        """The next answer."""
        return self.choose((1,) * n)

    def choose(self, weights: Sequence[int]) -> int:
        """The next answer."""
        told = len(self.given) < len(self._answers)
        answer = self._answers[len(self.given)] if told else next(i for i, w in enumerate(weights) if w)
        self.asked.append(weights)
        self.given.append(answer)
        return answer


def every_draw(act: Callable[[_Path], T]) -> Iterator[tuple[T, Fraction]]:
    """Each result of `act` with the chance of the draws that led to it; equal results come several times."""
    answers: list[int] = []
    while True:
        path = _Path(answers)
        result = act(path)
        chance = Fraction(1)
        for weights, given in zip(path.asked, path.given, strict=True):
            chance *= Fraction(weights[given], sum(weights))
        yield result, chance
        answers = path.given
        while answers:
            weights, last = path.asked[len(answers) - 1], answers.pop()
            following = next((i for i in range(last + 1, len(weights)) if weights[i]), None)
            if following is not None:
                answers.append(following)
                break
        if not answers:
            return
