"""Exact random decisions: every one is `below` or `choose` on a `Draws`, and nothing else is random.

RecyclingDraws spends Shannon's entropy and no more: it keeps `v`, uniform on `[0, m)` given everything drawn
so far, and every step maps that range one to one onto (outcome, rest). Sources: Ömer and Pacher, arXiv
1412.7407; Draper and Saad, arXiv 2505.18879; docs/randomness.md, "From bits to dice, exactly".

A roll has the source of its weakest word. Draws that a seed decides, SHA-256 of a key and a counter read as
64-bit words, are the same on every machine, for ever; they are as secret as the seed.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate, chain, count
from struct import unpack
from typing import ClassVar, Protocol, TypeAlias

from bot.dice.errors import LocalizedError

Drawn: TypeAlias = tuple[int, int]
"""One recorded draw: the total weight, and the index drawn."""


class Draws(Protocol):
    """A source of exact random decisions."""

    def below(self, n: int) -> int:
        """Draw an integer of 0..n-1, each equally likely; ValueError unless n >= 1."""
        ...

    def choose(self, weights: Sequence[int]) -> int:
        """Draw an index with probability proportional to its weight; ValueError if no weight is positive."""
        ...


class RecyclingDraws:
    """Draws out of 64-bit words that `word` supplies, one whenever the range runs short.

    `v` is a secret until it is used up: it is never shown, stored or pickled. The two sizes are part of
    the format; a test takes smaller ones, to walk through every tape of words there is.
    """

    __slots__ = ("_m", "_v", "_word")

    WORD_BITS: ClassVar[int] = 64
    # A draw of total weight W is made from a range of at least W * 2^32, so that a rejection,
    # the only step that loses anything, has a chance of at most 2^-32 (7.8e-9 bit a draw).
    MARGIN_BITS: ClassVar[int] = 32

    def __init__(self, word: Callable[[], int]) -> None:
        self._word = word
        self._v = 0
        self._m = 1

    def below(self, n: int) -> int:
        """Draw an integer of 0..n-1, each equally likely; ValueError unless n >= 1."""
        if n < 1:
            raise ValueError(f"cannot draw below {n}")
        x, self._v, self._m = self._split(n)
        return x

    def choose(self, weights: Sequence[int]) -> int:
        """Draw an index with probability proportional to its weight; ValueError if no weight is positive."""
        ends = _ends(tuple(weights))
        position, rest, size = self._split(ends[-1])
        i = bisect_right(ends, position)
        self._v = rest + (position - ends[i] + weights[i]) * size
        self._m = weights[i] * size
        return i

    def clear(self) -> None:
        """Discard the unused bits (at most about 130)."""
        self._v = 0
        self._m = 1

    def _split(self, total: int) -> tuple[int, int, int]:
        """Draw a position below `total`; return it, and a rest that is uniform below the `size` returned."""
        while True:
            while self._m < total << self.MARGIN_BITS:
                # The word has no name of its own, so that a dump of this frame does not show it, and is
                # taken before `v` is read, because the source may clear the register.
                self._v = self._word() | self._v << self.WORD_BITS
                self._m <<= self.WORD_BITS
            size, remainder = divmod(self._m, total)
            used = size * total
            if self._v < used:
                position, rest = divmod(self._v, size)
                return position, rest, size
            self._v -= used
            self._m = remainder

    def __repr__(self) -> str:
        return "<Register>"

    def __reduce__(self) -> str:
        raise TypeError("a register is a secret and is never pickled")


class Recorder:
    """Draws from another source; `drawn` records each draw's total weight and outcome."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self.drawn: list[Drawn] = []

    def below(self, n: int) -> int:
        """Draw from the source, and record it."""
        x = self._draws.below(n)
        self.drawn.append((n, x))
        return x

    def choose(self, weights: Sequence[int]) -> int:
        """Draw from the source, and record it."""
        i = self._draws.choose(weights)
        self.drawn.append((sum(weights), i))
        return i


class ReplayError(LocalizedError, ValueError):
    """A record does not fit the rules that it claims to follow.

    A text with an event's `number` is a complete sentence; any other is only the reason.
    """


class Replayer:
    """Replay recorded draws, and check each against the current request."""

    def __init__(self, drawn: Iterable[Drawn]) -> None:
        self._remaining = iter(tuple(drawn))

    def below(self, n: int) -> int:
        """Return the recorded draw below n; ReplayError if none is left or it was of another size."""
        x = self._next(n)
        if not 0 <= x < n:
            raise ReplayError("The record has {drawn} for a draw below {n}.", drawn=x, n=n)
        return x

    def choose(self, weights: Sequence[int]) -> int:
        """Return the recorded index; ReplayError if its total differs, or that index has no weight."""
        i = self._next(sum(weights))
        if not 0 <= i < len(weights) or weights[i] <= 0:
            raise ReplayError("The record has index {index}, which can't come out.", index=i)
        return i

    def finish(self) -> None:
        """Raise ReplayError if recorded draws are left over."""
        if next(self._remaining, None) is not None:
            raise ReplayError("The record has more draws than the roll needs.")

    def _next(self, total: int) -> int:
        drawn = next(self._remaining, None)
        if drawn is None:
            raise ReplayError("The record has fewer draws than the roll needs.")
        if drawn[0] != total:
            raise ReplayError(
                "The record has a draw of total weight {drawn}, the rule says {total}.",
                drawn=drawn[0],
                total=total,
            )
        return drawn[1]


@lru_cache(maxsize=512)  # plain dice ask with the same weights every time
def _ends(weights: tuple[int, ...]) -> tuple[int, ...]:
    ends = tuple(accumulate(weights))
    if not ends or ends[-1] < 1 or min(weights) < 0:
        raise ValueError("weights must be integers >= 0 with a positive sum")
    return ends


class Source(StrEnum):
    """The source of a 64-bit word, the strongest first; the last two are for whole rolls."""

    TRUE = "true"
    """Two physical sources and the machine's own generator, mixed."""
    HALF = "half"
    """One physical source and the machine's own generator, mixed."""
    LOCAL = "local"
    """The machine's own generator alone."""
    KEYED = "keyed"
    """A key committed to in advance: in proof mode, where others can check a roll's bits."""
    PHYSICAL = "physical"
    """Dice thrown by hand and typed in; no random bits of the bot."""

    def weaker(self, other: "Source") -> "Source":
        """Return the weaker one of the two."""
        return max(self, other, key=[*Source].index)


class SourcedDraws(Draws, Protocol):
    """The draws of one roll, with the source of their bits."""

    @property
    def source(self) -> Source:
        """The weakest source of all bits drawn so far."""
        ...


def seeded(seed: int | str | bytes) -> RecyclingDraws:
    """Make draws for simulations and proofs; equal seeds of one type give equal draws."""
    # Hashed, so that a key and a counter can't be confused with a longer key.
    key = seed if isinstance(seed, bytes) else f"{type(seed).__name__} {seed}".encode()
    return RecyclingDraws(hashed_words(sha256(key).digest()))


def hashed_words(key: bytes) -> Callable[[], int]:
    """Make a source of words: four from each SHA-256(key, number as eight bytes), big-endian."""
    return words_of(lambda number: sha256(key + number.to_bytes(8)).digest())


def words_of(block: Callable[[int], bytes]) -> Callable[[], int]:
    """Make a source of words: four, big-endian, from the 32 bytes of each block in turn, from number 0 on."""
    return chain.from_iterable(unpack(">4Q", block(number)) for number in count()).__next__
