"""The one door from the pool to a roll: a register of mixed words, and draws that know their source.

The register holds bits of one source only. It is cleared when the source changes, on a health alarm, in
a forked child and at shutdown; what that loses is at most what it holds (about 130 bits).
"""

import os
from collections.abc import Sequence
from weakref import ref

from bot.dice.draws import RecyclingDraws
from bot.dice.sources import Source
from bot.entropy.local import Secret
from bot.entropy.pool import WordPool


class RollDraws(Secret):
    """The draws of one roll; `source` names the weakest word that fed it, bits held over included."""

    __slots__ = ("_register", "_source", "_supply")

    def __init__(self, register: RecyclingDraws, supply: "Supply") -> None:
        self._register = register
        self._supply = supply
        self._source: Source | None = None

    def below(self, n: int) -> int:
        """Return an integer of 0..n-1, each equally likely; ValueError unless n >= 1."""
        x = self._register.below(n)
        if self._supply.held is not self._source:
            self._weaken()
        return x

    def choose(self, weights: Sequence[int]) -> int:
        """Return an index, with chance in proportion to its weight; ValueError if no weight is positive."""
        i = self._register.choose(weights)
        if self._supply.held is not self._source:
            self._weaken()
        return i

    @property
    def source(self) -> Source:
        """Return the weakest source so far; local before the first draw, which claims the least."""
        return self._source or Source.LOCAL

    def _weaken(self) -> None:
        held = self._supply.held
        self._source = held if self._source is None else self._source.weaker(held)

    def __repr__(self) -> str:
        return f"<RollDraws {self.source}>"


class Supply(Secret):
    """Exact draws out of a pool, one `RollDraws` a roll; it never waits, and is for one thread only."""

    __slots__ = ("__weakref__", "_pool", "_register", "held")

    def __init__(self, pool: WordPool) -> None:
        self._pool = pool
        self._register = RecyclingDraws(self._word)
        self.held = pool.source
        """The source of the bits that the register holds."""
        me = ref(self)
        # A child that kept the parent's bits would roll the parent's dice.
        os.register_at_fork(after_in_child=lambda: _forget(me()))

    @classmethod
    def local(cls) -> "Supply":
        """Return a supply of this machine's own bits, for the command line and without a network."""
        return cls(WordPool())

    def open(self) -> RollDraws:
        """Return the draws of one roll."""
        if self.held is not self._pool.source:
            self.clear()
        return RollDraws(self._register, self)

    def clear(self) -> None:
        """Forget the bits that the register holds; the pool keeps its own."""
        self._register.clear()

    def close(self) -> None:
        """Forget everything; a roll that still comes is fed by the machine's own bits."""
        self._pool.forget()
        self._register.clear()

    def _word(self) -> int:
        word = self._pool.word()
        if word.source is not self.held:
            self._register.clear()
            self.held = word.source
        return word.bits


def _forget(supply: Supply | None) -> None:
    if supply is not None:
        supply.close()
