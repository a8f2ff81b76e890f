"""Crowds of systems that are common or have many memories: each rule reimplemented with numpy arrays."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import singledispatch
from itertools import accumulate, pairwise
from math import log2

from bot.d100.register import Register
from bot.dice.system import Memory, System
from bot.stats.arrays import Floats, Generator, Indices, Integers
from bot.stats.crowd import Crowd, KnownCrowd, choose, fallen
from bot.systems.blocks import Blocks, next_weights
from bot.systems.deck import CARDS_LIMIT, Deck, NoRepeat, ways_from
from bot.systems.decks import Decks
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.recency import Recency, by_tries

MANY = 24
"""Number of faces from which rolls use rejection sampling instead of weighing each face."""
_THROWS = 16
_LEAP = 0.07
"""Limit of rolls made at once × tightness × a face's share: no error shrinks by over 5 %."""


@singledispatch
def crowd(system: System, memory: Memory, copies: int) -> Crowd:
    """Return copies of a roller, each with this memory."""
    return KnownCrowd(system, memory, copies)


class _Thinned(Crowd):
    """Rollers that reweigh a table's faces, by rejection sampling: throw a face, accept it by its weight now.

    So few faces have to be weighed; all are if none of several throws is accepted.
    """

    def __init__(self, table: Sequence[int], copies: int) -> None:
        import numpy as np

        self._table = np.array(table, dtype=float)
        self._equal = len({*table}) == 1
        self._rows = np.arange(copies)

    @abstractmethod
    def weigh(self, rows: "Indices | slice") -> Floats:
        """Return the weight of each face for some copies."""

    @abstractmethod
    def accept_chance(self, rows: Indices, faces: Indices) -> Floats:
        """Return the probability to accept each copy's face: its weight, scaled for each copy."""

    def weights(self) -> Floats:
        return self.weigh(slice(None))

    def roll(self, generator: Generator) -> Indices:
        import numpy as np

        if len(self._table) < MANY:
            return super().roll(generator)
        chosen, rows = np.empty_like(self._rows), self._rows
        for _ in range(_THROWS):
            chosen[rows] = faces = self._throw(len(rows), generator)
            rows = rows[generator.random(len(rows)) >= self.accept_chance(rows, faces)]
            if not len(rows):
                break
        else:
            chosen[rows] = choose(self.weigh(rows), generator)
        self.advance(chosen)
        return chosen

    def _throw(self, times: int, generator: Generator) -> Indices:
        """Return faces drawn by the table's own weights."""
        if self._equal:
            return generator.integers(len(self._table), size=times)
        return fallen(self._table, 1, times, generator)[:, 0]


def errors(system: Fair | Dynamic, memory: Memory, total: int) -> Floats:
    """Return the errors in a memory in units of 1/`total` roll; dynamic dice count in rolls."""
    import numpy as np

    roll = system.base.total if isinstance(system, Fair) else 1
    return np.array([error * total / roll for error in memory])


def rarer(system: Fair | Dynamic, ahead: Floats, total: int) -> Floats:
    """Return the factor on the weight of faces whose error is `ahead` above the least one.

    A dynamic factor f corresponds to tightness -log2(f).
    """
    import numpy as np

    tightness = _tightness(system)
    return (ahead == 0).astype(float) if tightness is None else np.exp2(-tightness / total * ahead)


def _tightness(system: Fair | Dynamic) -> float | None:
    """Return the tightness; None for infinity."""
    if isinstance(system, Dynamic):
        return -log2(system.factor)
    return None if system.tightness is None else float(system.tightness)


class _Errors(_Thinned):
    """Fair and dynamic dice: integer errors, of which only the differences matter."""

    def __init__(self, system: Fair | Dynamic, memory: Memory, copies: int) -> None:
        import numpy as np

        table = shares(system)
        super().__init__(table, copies)
        self._total = sum(table)
        # Every roll subtracts each face's share; that is done on reading. Floats are exact up to 2^53;
        # rounding beyond that is too small to change a weight.
        self._gained = np.tile(errors(system, memory, self._total), (copies, 1))
        self._rolls = 0
        self._least = self._gained.min(axis=1)
        """A lower bound of each copy's errors."""
        self._most = self._table.max()
        self._fall = 0.0
        """How far the bound may be too low."""
        self._system = system

    def tune(self, system: System) -> None:
        if isinstance(system, Fair | Dynamic):
            self._system = system

    def weigh(self, rows: "Indices | slice") -> Floats:
        ahead = self._gained[rows] - self._rolls * self._table
        self._least[rows] = ahead.min(axis=1)
        return self._table * rarer(self._system, ahead - self._least[rows, None], self._total)

    def accept_chance(self, rows: Indices, faces: Indices) -> Floats:
        ahead = self._gained[rows, faces] - self._rolls * self._table[faces] - self._least[rows]
        return rarer(self._system, ahead, self._total)

    @property
    def leap(self) -> int:
        tightness = _tightness(self._system)
        return 1 if tightness is None else int(_LEAP * self._total / self._most / max(tightness, 1e-6))

    def count(self, rolls: int, generator: Generator, counts: Integers) -> None:
        if rolls < 2:
            super().count(rolls, generator, counts)
            return
        weights = self.weights()
        rolled = generator.multinomial(rolls, weights / weights.sum(axis=1, keepdims=True))
        counts += rolled
        self._gained += self._total * rolled
        self._rolls += rolls

    def advance(self, chosen: Indices) -> None:
        self._rolls += 1
        self._gained[self._rows, chosen] += self._total
        self._least -= self._most
        self._fall += self._most
        if self._fall > self._total:
            self._least[:] = (self._gained - self._rolls * self._table).min(axis=1)
            self._fall = 0.0


class _Deck(_Thinned):
    """Generalized decks: remaining cards. All are refilled at once, since all have equally many left."""

    def __init__(self, deck: Deck, memory: Memory, copies: int) -> None:
        import numpy as np

        super().__init__(deck.start(), copies)
        self._refill = deck.refill
        self._is_reset = deck.mode == "reset"
        self._left = np.tile(np.array(memory, dtype=float), (copies, 1))
        self._cards = sum(memory)
        self._most = (self._left[0] / self._table).max()

    def weigh(self, rows: "Indices | slice") -> Floats:
        return self._left[rows]

    def accept_chance(self, rows: Indices, faces: Indices) -> Floats:
        return self._left[rows, faces] / (self._most * self._table[faces])

    def advance(self, chosen: Indices) -> None:
        self._left[self._rows, chosen] -= 1
        self._cards -= 1
        if self._cards < self._refill:
            self._left = self._left * (not self._is_reset) + self._table
            self._cards = int(self._left[0].sum())
            self._most = (self._left / self._table).max()


class _NoRepeat(Crowd):
    """Decks without repeats: the weight of a card depends on how many of it and of the others remain."""

    def __init__(self, deck: NoRepeat, memory: Memory, copies: int) -> None:
        import numpy as np

        self._deck = _Deck(Deck(deck.base, deck.size, deck.refill, deck.mode), memory[:-1], copies)
        self._words = np.random.Generator(np.random.Philox(key=0)).integers(2**63, size=CARDS_LIMIT + 1)
        self._last = np.full(copies, memory[-1] - 1)
        self._rows = np.arange(copies)

    def weights(self) -> Floats:
        import numpy as np

        remaining = self._deck.weights().astype(np.int64)
        # Rows with the same counts in any order have the same sum of random words; others differ.
        _, first, at = np.unique(self._words[remaining].sum(axis=1), return_index=True, return_inverse=True)
        ways = np.zeros((len(first), int(remaining.max()) + 1))
        for row, counts in zip(ways, remaining[first].tolist(), strict=True):
            ways_by_count = ways_from(tuple(sorted(c for c in counts if c)))
            most = max(ways_by_count.values())
            for count, number in ways_by_count.items():
                row[count] = number / most
        weights = ways[at[:, None], remaining]
        weights[self._rows[self._last >= 0], self._last[self._last >= 0]] = 0
        return weights

    def advance(self, chosen: Indices) -> None:
        self._deck.advance(chosen)
        self._last = chosen


class _Decks(Crowd):
    """Several decks that take turns."""

    def __init__(self, system: Decks, memory: Memory, copies: int) -> None:
        parts = zip(system.decks, system.split(memory), strict=True)
        self._decks = [crowd(deck, part, copies) for deck, part in parts]
        ends = [0, *accumulate(len(deck.faces) for deck in system.decks)]
        self._places = [slice(a, b) for a, b in pairwise(ends)]
        self._turn = memory[0]
        self._shape = (copies, ends[-1])

    def weights(self) -> Floats:
        import numpy as np

        weights = np.zeros(self._shape)
        weights[:, self._places[self._turn]] = self._decks[self._turn].weights()
        return weights

    def advance(self, chosen: Indices) -> None:
        self._decks[self._turn].advance(chosen - self._places[self._turn].start)
        self._turn = (self._turn + 1) % len(self._decks)


class _Registers(Crowd):
    """Registers: the weights are rotated by the last value."""

    def __init__(self, system: Register, memory: Memory, copies: int) -> None:
        import numpy as np

        self._value = np.full(copies, memory[0])
        self.tune(system)

    def tune(self, system: System) -> None:
        import numpy as np

        if isinstance(system, Register):
            self._first = np.array(system.weights((0,)), dtype=float)
            self._throws = system.sides**system.dice

    def weights(self) -> Floats:
        import numpy as np

        return self._first[(np.arange(len(self._first)) - self._value[:, None]) % len(self._first)]

    def advance(self, chosen: Indices) -> None:
        self._value = chosen

    def roll(self, generator: Generator) -> Indices:
        thrown = generator.integers(self._throws, size=len(self._value))
        self._value = (self._value + thrown) % len(self._first)
        return self._value


class _Blocks(Crowd):
    """Blocks of single cards: the dealt cards, and their number in each category."""

    def __init__(self, system: Blocks, memory: Memory, copies: int) -> None:
        import numpy as np

        self._sizes = tuple(map(len, system.cards))
        self._block = system.block
        self._category = np.repeat(np.arange(len(self._sizes)), self._sizes)
        is_dealt = np.zeros(sum(self._sizes), dtype=bool)
        is_dealt[[*memory]] = True
        self._is_dealt = np.tile(is_dealt, (copies, 1))
        dealt = np.bincount(self._category[is_dealt], minlength=len(self._sizes))
        self._dealt = np.tile(dealt, (copies, 1))
        self._rows = np.arange(copies)

    def weights(self) -> Floats:
        import numpy as np

        kinds, at = np.unique(self._dealt, axis=0, return_inverse=True)
        counts: list[list[int]] = kinds.tolist()
        card_weights = np.array([self._card_weights(tuple(dealt)) for dealt in counts], dtype=float)
        return np.where(self._is_dealt, 0.0, card_weights[at.ravel()][:, self._category])

    def _card_weights(self, dealt: tuple[int, ...]) -> list[int]:
        """Return the weight of a card of each category, given the number of dealt cards of each."""
        remaining = tuple((1,) * (size - count) for size, count in zip(self._sizes, dealt, strict=True))
        return [weights.get(1, 0) for weights in next_weights(remaining, dealt, self._block - sum(dealt))]

    def advance(self, chosen: Indices) -> None:
        self._is_dealt[self._rows, chosen] = True
        self._dealt[self._rows, self._category[chosen]] += 1
        if self._dealt[0].sum() == self._block:
            self._is_dealt[:] = False
            self._dealt[:] = 0


class _Recent(Crowd):
    """Recency: the number of rolls since each face came; the window's length for faces outside it."""

    def __init__(self, system: Recency, memory: Memory, copies: int) -> None:
        import numpy as np

        self._window = len(memory)
        faces = range(1, len(system.faces) + 1)
        ago = [memory.index(face) if face in memory else self._window for face in faces]
        self._ago = np.tile(np.array(ago), (copies, 1))
        self._rows = np.arange(copies)
        self.tune(system)

    def tune(self, system: System) -> None:
        import numpy as np

        if isinstance(system, Recency):
            faces, most = len(system.faces), min(len(system.faces), self._window)
            self._weights = np.array([*system.recent, system.full], dtype=float)
            tried = [by_tries(system.tries, faces, inside) for inside in range(most + 1)]
            self._tried = np.array(tried, dtype=float)
            self._by_tries = not system.recent

    def weights(self) -> Floats:
        import numpy as np

        if not self._by_tries:
            return self._weights[self._ago]
        inside = self._ago < self._window
        tried = self._tried[inside.sum(axis=1)]
        return np.where(inside, tried[:, :1], tried[:, 1:])

    def advance(self, chosen: Indices) -> None:
        self._ago = (self._ago + 1).clip(max=self._window)
        self._ago[self._rows, chosen] = 0


crowd.register(Fair, _Errors)
crowd.register(Dynamic, _Errors)
crowd.register(Deck, _Deck)
crowd.register(NoRepeat, _NoRepeat)
crowd.register(Decks, _Decks)
crowd.register(Register, _Registers)
crowd.register(Recency, _Recent)


@crowd.register
def _(system: Blocks, memory: Memory, copies: int) -> Crowd:
    single = all({*counts} == {1} for counts in system.copies)
    return _Blocks(system, memory, copies) if single else KnownCrowd(system, memory, copies)
