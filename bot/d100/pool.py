"""The pool method: keep the unused randomness of a roll for the next one.

The memory is a number v, uniform below m and independent of all earlier rolls. Dice enlarge it, a roll
returns v mod n, and v div n remains. See docs/d100.md, "The pool: keep the rest".
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from bot.d100.ways import Carried, Figures, Transcript, equal_weights, read
from bot.dice.draws import Draws
from bot.dice.system import Memory
from bot.dice.throws import Throw

_STATES_LIMIT = 400


@dataclass(frozen=True, slots=True)
class PoolMethod(Carried):
    """Memory: v and m, independent of all earlier rolls. Dice are thrown until m is at least 100 n."""

    name: ClassVar[str] = "pool"
    words: ClassVar[str] = "what a roll leaves is kept for the next one"

    @property
    def cap(self) -> int:
        """The least m at which a value is taken."""
        return 100 * self.values

    @property
    def figures(self) -> Figures:
        """The long-run figures."""
        return Figures(equal_weights(self.values), average(self), None)

    def start(self) -> Memory:
        """Return v = 0 below m = 1, the empty pool."""
        return (0, 1)

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (it is what nobody knows)
        """Return equal weights: the odds for people who don't know the memory."""
        return equal_weights(self.values)

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (dice make both)
        """Return the empty pool, since a value alone does not determine the memory."""
        return self.start()

    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw the dice that are needed, and keep the rest of the number."""
        number, size = memory
        if not 0 <= number < size:
            raise ValueError(f"{number} is not below {size}")
        transcript = Transcript(draws)
        if size > 1:
            transcript.say("kept {number:,} of {size:,}", number=number, size=size)
        while True:
            dice: list[int] = []
            while size < self.cap:
                dice.append(self.sides)
                size *= self.sides
            number = read(transcript.throw(dice), dice, number)
            transcript.say("{number:,} of {size:,}", number=number, size=size)
            whole = size - size % self.values
            if number < whole:
                rest, rest_size = number // self.values, size // self.values
                text = "mod {values:,}; keep {left:,} of {size:,}"
                transcript.say(text, values=self.values, left=rest, size=rest_size)
                return transcript.result(number, self.values), (rest, rest_size)
            number, size = transcript.go_on(number, size, whole)


@lru_cache(maxsize=16)
def average(pool: PoolMethod) -> Fraction | None:
    """Return the long-run mean number of dice of a roll; None if more than 400 sizes m are reachable.

    The sizes form a Markov chain. They are eliminated one by one, each one's dice and rolls being added to
    its predecessors, until one remains: the mean is dice over rolls between two visits to it.
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
        visits = 1 / (1 - leads.pop(size, Fraction(0)))
        for after in leads:
            into[after].discard(size)
        for before in into.pop(size) - {size}:
            before_dice, before_rolls, before_leads = chain[before]
            share = before_leads.pop(size) * visits
            for after, chance in leads.items():
                before_leads[after] = before_leads.get(after, Fraction(0)) + share * chance
                into[after].add(before)
            chain[before] = (before_dice + share * dice, before_rolls + share * rolls, before_leads)
    ((dice, rolls, _),) = chain.values()
    return dice / rolls


def _chain(pool: PoolMethod) -> dict[int, tuple[Fraction, Fraction, dict[int, Fraction]]] | None:
    """Return reachable size to (dice thrown, chance of a roll, next size to its chance)."""
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
        quotient, remainder = divmod(grown, pool.values)
        leads = {quotient: 1 - Fraction(remainder, grown)}
        if remainder:
            leads[remainder] = leads.get(remainder, Fraction(0)) + Fraction(remainder, grown)
        chain[size] = (Fraction(dice), 1 - Fraction(remainder, grown), leads)
        waiting += leads
    return chain
