"""Base tables, and systems: the rules that turn a base and a memory into integer weights.

A base is faces with positive integer weights, from dice notation or from labelled cards. A rule is three
pure functions on integers. With w = weights(memory), face i has the chance w[i] / sum(w), and
advance(memory, i) is the memory after it. The formulas are in docs/fairness.md.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import ClassVar, Self, TypeAlias, TypeGuard

from bot.dice import notation
from bot.dice.by_hand import ByHand
from bot.dice.distribution import arrange, can_arrange, distribution
from bot.dice.draws import Draws
from bot.dice.errors import SpecError, value_text
from bot.dice.expressions import Expression
from bot.dice.names import LABEL_LIMIT
from bot.dice.throws import Throw, roll

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
FACES_LIMIT = 1_000
WEIGHT_LIMIT = 1_000_000
Memory: TypeAlias = tuple[int, ...]
"""The state of a roller; each system defines the meaning of its integers."""
Spec: TypeAlias = dict[str, Json]
"""A roller as data, e.g. {"system": "fair", "base": "2d6", "tightness": "1.5"}."""
_DECIMAL = re.compile(r"[0-9]{1,6}([.,][0-9]{1,6})?|[.,][0-9]{1,6}", re.ASCII)


def is_list(value: object) -> TypeGuard[list[Json]]:
    """Return whether a JSON value is a list."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, Json]]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def is_integer(value: object, low: int, high: int) -> TypeGuard[int]:
    """Return whether a JSON value is an integer of low..high; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


@dataclass(frozen=True, slots=True)
class Charted:
    """The dice of a chart, and each label's totals with their weights."""

    dice: Expression
    totals: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]

    def show(self, i: int, draws: Draws) -> Throw:
        """Draw dice for label `i`: one of its totals by weight, then dice with that total."""
        totals, weights = self.totals[i], self.weights[i]
        chosen = draws.choose(weights) if len(totals) > 1 else 0
        return arrange(self.dice, totals[chosen], draws)


@dataclass(frozen=True, slots=True)
class Base:
    """Faces and their integer weights; `dice` is their notation, if any."""

    faces: tuple[str, ...]
    weights: tuple[int, ...]
    dice: Expression | None = None
    charted: Charted | None = None
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(self.weights))

    @property
    def uniform(self) -> bool:
        """Whether every face has the same weight."""
        return len(set(self.weights)) == 1

    def show(self, i: int, draws: Draws) -> Throw | None:
        """Draw dice for face `i`, uniform among all that make it; None for labels and groups of dice."""
        if self.charted:
            return self.charted.show(i, draws)
        if self.dice is None or not can_arrange(self.dice):
            return None
        return arrange(self.dice, int(self.faces[i]), draws)

    def as_json(self) -> Json:
        """Return the JSON that `read_base` reads: the notation, or each label with its weight."""
        if self.dice:
            return str(self.dice)
        if self.charted:
            rows = zip(self.faces, self.charted.totals, strict=True)
            return {"dice": str(self.charted.dice), "labels": {label: [*totals] for label, totals in rows}}
        return dict(zip(self.faces, self.weights, strict=True))


def read_base(value: object) -> Base:
    """Read a base out of a spec: dice notation, or labels with weights.

    Labels of weight zero are dropped. Raise NotationError or SpecError for text that can't be read, over
    1,000 faces, a weight that is no integer of 0..1,000,000, or no faces.
    """
    if isinstance(value, str):
        return _from_notation(value)
    if is_object(value) and is_object(labels := value.get("labels")) and value.keys() == {"dice", "labels"}:
        return _from_chart(str(value["dice"]), labels)
    if is_object(value):
        return _from_labels(value)
    raise SpecError("A base is dice notation such as 2d6, or labels with their numbers of cards.")


@lru_cache(maxsize=512)
def _from_notation(text: str) -> Base:
    dice = notation.parse(text)
    table = distribution(dice)
    return Base(tuple(map(str, table)), tuple(table.values()), dice)


def _from_chart(text: str, labels: Mapping[str, Json]) -> Base:
    """Read a chart: each label with its totals; every total of the dice belongs to exactly one label."""
    dice = notation.parse(text)
    table = distribution(dice)
    rows = [row if is_list(row) else [] for row in labels.values()]
    if not can_arrange(dice) or sorted(map(str, chain(*rows))) != sorted(map(str, table)):
        raise SpecError("A chart has every total of its dice once, and its dice are ones that can be shown.")
    totals = tuple(tuple(int(str(total)) for total in row) for row in rows)
    weights = tuple(tuple(table[total] for total in row) for row in totals)
    faces = _from_labels(dict.fromkeys(labels, 1)).faces
    if not all(totals) or len(faces) != len(totals):
        raise SpecError("A chart has a total for each of its labels.")
    return Base(faces, tuple(map(sum, weights)), None, Charted(dice, totals, weights))


def is_label(value: object) -> TypeGuard[str]:
    """Return whether the value can name a face: 1 to 80 printable characters, not only blanks."""
    return (
        isinstance(value, str) and value.isprintable() and bool(value.strip()) and len(value) <= LABEL_LIMIT
    )


def _from_labels(labels: Mapping[str, Json]) -> Base:
    faces: dict[str, int] = {}
    for label, weight in labels.items():
        if not is_label(label):
            raise SpecError(
                "{label!r} can't be a label: a label has 1 to {most} printable characters.",
                label=label,
                most=LABEL_LIMIT,
            )
        if not is_integer(weight, 0, WEIGHT_LIMIT):
            raise SpecError(
                "{weight} can't be the weight of {label!r}: it is an integer of 0 to {most:,}.",
                weight=value_text(weight),
                label=label,
                most=WEIGHT_LIMIT,
            )
        if weight:
            faces[label] = weight
    if not faces:
        raise SpecError("There is nothing to draw: every weight is 0.")
    if len(faces) > FACES_LIMIT:
        raise SpecError("{count:,} faces are too many: at most {most:,}.", count=len(faces), most=FACES_LIMIT)
    return Base(tuple(faces), tuple(faces.values()))


class System(ABC):
    """A rule for drawing faces, without its memory. Systems are values: equal specs are equal systems."""

    __slots__ = ()

    name: ClassVar[str]
    """The system's name in a spec."""
    has_state: ClassVar[bool] = True
    """Whether rolls change the memory. That alone evens out nothing."""

    @property
    def settling(self) -> tuple[int, int] | None:
        """The rolls after which the start is forgotten, and the rolls of one cycle; None if it never is."""
        return None

    @property
    def evens_out(self) -> bool:
        """Whether faces ahead of their share become rarer, so that errors stay bounded for ever.

        With all other systems errors grow as the root of the number of rolls.
        """
        return self.settling is not None

    @property
    def independent(self) -> bool:
        """Whether the faces of different rolls are statistically independent."""
        return not self.has_state

    def settled(self, rolls: int) -> int:
        """Return a number of rolls, at most `rolls`, with the same distribution of errors as after `rolls`.

        For a system that evens out the start is forgotten by then, and the cycle at the same position.
        """
        start, cycle = self.settling or (rolls, 1)
        return rolls if rolls <= start else start + (rolls - start) % cycle

    @property
    @abstractmethod
    def faces(self) -> tuple[str, ...]:
        """All possible faces in order; the indices below refer to them."""

    @property
    def hand(self) -> int:
        """The number of steps in one roll: more than 1 where a roll deals several cards at once."""
        return 1

    @abstractmethod
    def start(self) -> Memory:
        """Return the memory before the first roll."""

    @abstractmethod
    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return each face's weight for the next roll: integers >= 0 with a positive sum."""

    @abstractmethod
    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Return the memory after face `chosen` was drawn."""

    @abstractmethod
    def shares(self) -> tuple[int, ...]:
        """Return integers in proportion to each face's share of all rolls in the long run.

        They may be too large for a float; `bot.systems.odds.shares` scales them.
        """

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw | None:  # noqa: ARG002 (others do)
        """Draw dice for face `chosen`, uniform among all that make it; None where no dice are shown."""
        return None

    def by_hand(self, memory: Memory, hand: ByHand) -> tuple[int, Throw]:  # noqa: ARG002 (others do)
        """Return the index of the face that dice thrown by hand make, and the dice; SpecError for no dice."""
        raise SpecError("Nobody can throw that by hand. Roll it with the bot.")

    def put_back(self, memory: Memory, place: int) -> Memory | None:  # noqa: ARG002 (others do)
        """Return the memory with the card of that face put back; None if it can't be put back."""
        return None

    def continues(self, other: "System") -> bool:
        """Return whether this system can take over the memory of `other`, as after tuning."""
        return other == self

    def tuned_from(self, other: "System") -> "System":  # noqa: ARG002 (others do)
        """Return this system as a tuned `other`, whose memory it takes over."""
        return self

    @abstractmethod
    def as_spec(self) -> Spec:
        """Return the spec in its canonical form; reading it back gives an equal system."""

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Read a spec; DiceError says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class OnBase(System):
    """A system on one base table; it may be tuned while the base stays."""

    base: Base

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces of the base."""
        return self.base.faces

    def shares(self) -> tuple[int, ...]:
        """Return the weights of the base."""
        return self.base.weights

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw | None:  # noqa: ARG002 (others do)
        """Draw dice of the base that make face `chosen`."""
        return self.base.show(chosen, draws)

    def by_hand(self, memory: Memory, hand: ByHand) -> tuple[int, Throw]:
        """Return the face's index and the dice, thrown by hand, of the base or its chart."""
        chart = self.base.charted
        dice = chart.dice if chart else self.base.dice
        if dice is None:
            return System.by_hand(self, memory, hand)
        throw = roll(dice, hand)
        if chart:
            return next(i for i, totals in enumerate(chart.totals) if throw.total in totals), throw
        return self.faces.index(str(throw.total)), throw

    def continues(self, other: System) -> bool:
        """Return whether `other` is the same rule on the same base."""
        return isinstance(other, OnBase) and type(other) is type(self) and other.base == self.base


class Memoryless(System):
    """A system with independent rolls: its memory is always empty."""

    __slots__ = ()

    has_state: ClassVar[bool] = False

    def start(self) -> Memory:
        """Return the empty memory."""
        return ()

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (others do)
        """Return the memory as it is."""
        return memory

    def shares(self) -> tuple[int, ...]:
        """Return the weights of every roll."""
        return self.weights(())

    def continues(self, other: System) -> bool:
        """Return whether `other` is of the same kind."""
        return type(other) is type(self)


class ByDice(System):
    """A system that throws dice first and derives the face from them."""

    __slots__ = ()

    @abstractmethod
    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw the dice; return them and the memory after them."""

    def face(self, throw: Throw) -> str:
        """Return the face that the dice make: their total by default."""
        return str(throw.total)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The face of one roll, and the dice that show it, if any."""

    face: str
    throw: Throw | None


def step(system: System, memory: Memory, draws: Draws) -> tuple[Outcome, Memory]:
    """Draw one face, and return it with the memory after it. All faces are drawn here."""
    if isinstance(system, ByDice):
        throw, after = system.throw(memory, draws)
        return Outcome(system.face(throw), throw), after
    if isinstance(draws, ByHand):
        chosen, throw = system.by_hand(memory, draws.more())
        draws.chose(system.weights(memory), chosen, system.faces)
        return Outcome(system.faces[chosen], throw), system.advance(memory, chosen)
    chosen = draws.choose(system.weights(memory))
    outcome = Outcome(system.faces[chosen], system.show(memory, chosen, draws))
    return outcome, system.advance(memory, chosen)


def read_integer(spec: Spec, key: str, default: int, low: int, high: int) -> int:
    """Read the integer parameter `key` of low..high; SpecError otherwise."""
    return require_integer(key, spec.get(key, default), low, high)


def require_integer(key: str, value: object, low: int, high: int) -> int:
    """Return an integer of low..high; raise SpecError, which names the key, for anything else."""
    if not is_integer(value, low, high):
        raise SpecError(
            "{key} is an integer of {low:,} to {high:,}, not {value}.",
            key=key,
            low=low,
            high=high,
            value=value_text(value),
        )
    return value


def read_flag(spec: Spec, key: str) -> bool:
    """Read the parameter `key`, true or false; false by default. SpecError otherwise."""
    value = spec.get(key, False)
    if not isinstance(value, bool):
        raise SpecError("{key} is true or false, not {value!r}.", key=key, value=value)
    return value


def read_decimal(value: object) -> Fraction:
    """Read a decimal such as "1.5" or "1,5" as a rational; SpecError over six digits on either side."""
    text = str(value).strip()
    if not _DECIMAL.fullmatch(text):
        raise SpecError(
            "{value!r} doesn't work. Give 0 or more, such as 0.5, with six decimals at most.", value=value
        )
    return Fraction(text.replace(",", "."))


def print_decimal(value: Fraction) -> str:
    """Write a value that `read_decimal` read as the shortest decimal."""
    whole, rest = divmod(value.numerator * 10**6 // value.denominator, 10**6)
    return f"{whole}.{rest:06}".rstrip("0").rstrip(".")
