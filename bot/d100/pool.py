"""The pool: keep what a roll did not use up for the next one, so that hardly any chance is wasted.

The memory is a number v, uniform below m and independent of every roll so far. Dice make it larger, a roll
takes v mod n, and v div n stays. See docs/d100.md, "The pool: keep the rest".
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from bot.d100.scores import Figures, equal_weights
from bot.d100.ways import Carried, Transcript, read
from bot.dice.draws import Draws
from bot.dice.system import Memory
from bot.dice.throws import Throw

_STATES_LIMIT = 400


@dataclass(frozen=True, slots=True)
class PoolMethod(Carried):
    """Memory: v and m, which no roll so far tells anything of. Dice are thrown until m is at least 100 n."""

    name: ClassVar[str] = "pool"
    words: ClassVar[str] = "what a roll leaves is kept for the next one"

    @property
    def cap(self) -> int:
        """The m from which on a value is taken."""
        return 100 * self.values

    @property
    def figures(self) -> Figures:
        """What it comes to over many rolls."""
        return Figures(equal_weights(self.values), average(self), None)

    def start(self) -> Memory:
        """Return v = 0 below m = 1: nothing is kept yet."""
        return (0, 1)

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (it is what nobody knows)
        """Return equal weights: the odds for people who don't know the leftover."""
        return equal_weights(self.values)

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (dice make both)
        """Return the memory of a new pool, since a value alone tells nothing of the leftover."""
        return self.start()

    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw the dice that are needed, and keep the leftover."""
        number, size = memory
        if not 0 <= number < size:
            raise ValueError(f"{number} is not below {size}")
        transcript = Transcript(draws)
        if size > 1:
            transcript.say("kept {number:,} of {size:,}", number=number, size=size)
        while True:
            number, size = self._grow(transcript, number, size)
            whole = size - size % self.values
            if number < whole:
                left, of = kept = number // self.values, size // self.values
                told = "mod {values:,}; keep {left:,} of {size:,}"
                transcript.say(told, values=self.values, left=left, size=of)
                return transcript.result(number, self.values), kept
            number, size = transcript.go_on(number, size, whole)

    def _grow(self, transcript: Transcript, number: int, size: int) -> tuple[int, int]:
        dice: list[int] = []
        while size < self.cap:
            dice.append(self.sides)
            size *= self.sides
        number = read(transcript.throw(dice), dice, number)
        transcript.say("{number:,} of {size:,}", number=number, size=size)
        return number, size


@lru_cache(maxsize=16)
def average(pool: PoolMethod) -> Fraction | None:
    """Return the mean number of dice of a roll in the long run; None where over 400 sizes m can be met.

    The sizes form a Markov chain. They are taken out one by one, each one's dice and rolls handed on to
    those that lead to it, until one is left: dice over rolls, each between two visits to that one.
    """
    chain = _chain(pool)
    if chain is None:
        return None
    into: dict[int, set[int]] = {size: set() for size in chain}
    for size, (_, _, leads) in chain.items():
        for after in leads:
            into[after].add(size)
    while len(chain) > 1:
        size = min(chain, key=lambda s: len(into[s]) * len(chain[s][2]))
        dice, rolls, leads = chain.pop(size)
        again = 1 / (1 - leads.pop(size, Fraction(0)))
        for after in leads:
            into[after].discard(size)
        for before in into.pop(size) - {size}:
            his_dice, his_rolls, his = chain[before]
            share = his.pop(size) * again
            for after, chance in leads.items():
                his[after] = his.get(after, Fraction(0)) + share * chance
                into[after].add(before)
            chain[before] = (his_dice + share * dice, his_rolls + share * rolls, his)
    ((dice, rolls, _),) = chain.values()
    return dice / rolls


def _chain(pool: PoolMethod) -> dict[int, tuple[Fraction, Fraction, dict[int, Fraction]]] | None:
    """Return for each size that can be met: the dice thrown, the chance of a roll, the sizes that follow."""
    chain: dict[int, tuple[Fraction, Fraction, dict[int, Fraction]]] = {}
    waiting = [1]
    while waiting:
        size = waiting.pop()
        if size in chain:
            continue
        if len(chain) == _STATES_LIMIT:
            return None
        grown, dice = size, 0
        while grown < pool.cap:
            grown, dice = grown * pool.sides, dice + 1
        taken, rest = divmod(grown, pool.values)
        leads = {taken: 1 - Fraction(rest, grown)}
        if rest:
            leads[rest] = leads.get(rest, Fraction(0)) + Fraction(rest, grown)
        chain[size] = (Fraction(dice), 1 - Fraction(rest, grown), leads)
        waiting += leads
    return chain
