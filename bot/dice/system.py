"""A base table, and a system: the rule that turns base and memory into integer weights, and moves it on.

A base is faces with positive integer weights, from dice notation or from labelled cards. The rule is three
pure functions on integers. With w = weights(memory), face i comes out with the chance w[i] / sum(w), and
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
from bot.dice.errors import SpecError, quoted
from bot.dice.expressions import Expression
from bot.dice.names import LABEL_LIMIT
from bot.dice.throws import Throw, roll

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
FACES_LIMIT = 1_000
WEIGHT_LIMIT = 1_000_000
Memory: TypeAlias = tuple[int, ...]
"""All that a roller remembers; each system says what its integers mean."""
Spec: TypeAlias = dict[str, Json]
"""A roller as data, e.g. {"system": "fair", "base": "2d6", "tightness": "1.5"}."""
_DECIMAL = re.compile(r"[0-9]{1,6}([.,][0-9]{1,6})?|[.,][0-9]{1,6}", re.ASCII)


def is_list(value: object) -> TypeGuard[list[Json]]:
    """Return whether a value out of JSON is a list."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, Json]]:
    """Return whether a value out of JSON is an object."""
    return isinstance(value, dict)


@dataclass(frozen=True, slots=True)
class Charted:
    """What stands behind the labels of a chart: its dice, and each label's totals with their weights."""

    dice: Expression
    totals: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]

    def show(self, i: int, draws: Draws) -> Throw:
        """Draw dice that make label `i`: a total of it by its weight, then dice of that total."""
        totals, weights = self.totals[i], self.weights[i]
        chosen = draws.choose(weights) if len(totals) > 1 else 0
        return arrange(self.dice, totals[chosen], draws)


@dataclass(frozen=True, slots=True)
class Base:
    """Faces and their integer weights; `dice` is the notation that they come from, if any."""

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
        """Draw dice that make face `i`, uniform among all that do; None for labels and groups of dice."""
        if self.charted:
            return self.charted.show(i, draws)
        if self.dice is None or not can_arrange(self.dice):
            return None
        return arrange(self.dice, int(self.faces[i]), draws)

    def as_json(self) -> Json:
        """Return the form that `read_base` reads: the text of the notation, or each label with its weight."""
        if self.dice:
            return str(self.dice)
        if self.charted:
            totals = zip(self.faces, self.charted.totals, strict=True)
            return {"dice": str(self.charted.dice), "labels": {label: [*each] for label, each in totals}}
        return dict(zip(self.faces, self.weights, strict=True))


def read_base(value: object) -> Base:
    """Read a base out of a spec: dice notation, or labels with weights.

    Labels of weight zero are left out. Raises NotationError or SpecError: text that can't be read,
    over 1,000 faces, a weight that is no integer of 0..1,000,000, nothing left to draw.
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
    """Read a chart: each label with its totals, in which every total of the dice stands once."""
    dice = notation.parse(text)
    table = distribution(dice)
    totals = [each if is_list(each) else [] for each in labels.values()]
    if not can_arrange(dice) or sorted(map(str, chain(*totals))) != sorted(map(str, table)):
        raise SpecError("A chart has every total of its dice once, and its dice are ones that can be shown.")
    each = tuple(tuple(int(str(total)) for total in row) for row in totals)
    weights = tuple(tuple(table[total] for total in row) for row in each)
    faces = _from_labels(dict.fromkeys(labels, 1)).faces
    if not all(each) or len(faces) != len(each):
        raise SpecError("A chart has a total for each of its labels.")
    return Base(faces, tuple(map(sum, weights)), None, Charted(dice, each, weights))


def is_label(value: object) -> TypeGuard[str]:
    """Return whether the value can name a face: 1 to 80 printable characters, not only blanks."""
    return (
        isinstance(value, str) and 0 < len(value.strip()) <= len(value) <= LABEL_LIMIT and value.isprintable()
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
        if not isinstance(weight, int) or isinstance(weight, bool) or not 0 <= weight <= WEIGHT_LIMIT:
            raise SpecError(
                "{weight} can't be the weight of {label!r}: it is an integer of 0 to {most:,}.",
                weight=quoted(weight),
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
    """The word for it in a spec."""
    has_state: ClassVar[bool] = True
    """Whether a roll leaves something behind for the next one. That alone evens out nothing."""

    @property
    def evens_out(self) -> bool:
        """Whether faces ahead of their share become rarer, so that errors stay within bounds for ever.

        The errors of all others grow as the root of the rolls.
        """
        return False

    @property
    def independent(self) -> bool:
        """Whether no roll tells anything of another, to somebody who sees nothing but the faces."""
        return not self.has_state

    def settled(self, rolls: int) -> int:
        """Return a number of rolls, at most `rolls`, after which errors spread as they do after `rolls`.

        For a system that evens out: long enough that its start is forgotten, and at the same place of
        whatever cycle it has.
        """
        return rolls

    @property
    @abstractmethod
    def faces(self) -> tuple[str, ...]:
        """What can come out, in order; indices below are into this."""

    @property
    def hand(self) -> int:
        """How many steps make one roll: more than 1 where a roll deals several cards at once."""
        return 1

    @abstractmethod
    def start(self) -> Memory:
        """Return the memory before the first roll."""

    @abstractmethod
    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return each face's weight for the next roll: integers >= 0 with a positive sum."""

    @abstractmethod
    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Return the memory after face `chosen` came out."""

    @abstractmethod
    def shares(self) -> tuple[int, ...]:
        """Return integers in proportion to each face's share of all rolls in the long run.

        They may be too large for a float; `bot.systems.odds.shares` scales them.
        """

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw | None:  # noqa: ARG002 (others do)
        """Draw dice that make face `chosen`, uniform among all that do; None where no dice are shown."""
        return None

    def by_hand(self, memory: Memory, hand: ByHand) -> tuple[int, Throw]:  # noqa: ARG002 (others do)
        """Return the face that dice thrown by hand make, and these dice; SpecError where there are none."""
        raise SpecError("Nobody can throw that by hand. Roll it with the bot.")

    def put_back(self, memory: Memory, place: int) -> Memory | None:  # noqa: ARG002 (others do)
        """Return the memory with the card of that face back in it; None where none goes back."""
        return None

    def continues(self, other: "System") -> bool:
        """Return whether a memory of `other` may go on under this system, as after tuning."""
        return other == self

    def going_on(self, other: "System") -> "System":  # noqa: ARG002 (others do)
        """Return this system as it tunes `other`, whose memory goes on."""
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
        """Return the face that the base's dice, or its chart's, make, thrown by hand."""
        chart = self.base.charted
        dice = chart.dice if chart else self.base.dice
        if dice is None:
            return System.by_hand(self, memory, hand)
        throw = roll(dice, hand)
        if chart:
            return next(i for i, of in enumerate(chart.totals) if throw.total in of), throw
        return self.faces.index(str(throw.total)), throw

    def continues(self, other: System) -> bool:
        """Return whether `other` is the same rule on the same base."""
        return isinstance(other, OnBase) and type(other) is type(self) and other.base == self.base


class Memoryless(System):
    """A system whose rolls are independent of one another: its memory is always empty."""

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
    """A system whose dice are thrown first, as at a table, and make the face."""

    __slots__ = ()

    @abstractmethod
    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw the dice; return them and the memory after them."""

    def face(self, throw: Throw) -> str:
        """Return the face that the dice make: their total, unless a system says otherwise."""
        return str(throw.total)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The face of one roll, and the dice that show it where there are any."""

    face: str
    throw: Throw | None


def step(system: System, memory: Memory, draws: Draws) -> tuple[Outcome, Memory]:
    """Draw one face, and return it with the memory after it. No face comes out in any other way."""
    if isinstance(system, ByDice):
        throw, after = system.throw(memory, draws)
        return Outcome(system.face(throw), throw), after
    if isinstance(draws, ByHand):
        chosen, shown = system.by_hand(memory, draws.more())
        draws.chose(system.weights(memory), chosen, system.faces)
        return Outcome(system.faces[chosen], shown), system.advance(memory, chosen)
    chosen = draws.choose(system.weights(memory))
    outcome = Outcome(system.faces[chosen], system.show(memory, chosen, draws))
    return outcome, system.advance(memory, chosen)


def settle(rolls: int, start: int, cycle: int) -> int:
    """Return the first number from `start` on that is at the same place of a cycle as `rolls`."""
    return rolls if rolls <= start else start + (rolls - start) % cycle


def read_integer(spec: Spec, key: str, default: int, low: int, high: int) -> int:
    """Read the integer parameter `key` of low..high; SpecError otherwise."""
    value = spec.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SpecError(
            "{key} is an integer of {low:,} to {high:,}, not {value}.",
            key=key,
            low=low,
            high=high,
            value=quoted(value),
        )
    return value


def read_decimal(value: object) -> Fraction:
    """Read a decimal such as "1.5" or "1,5" as a rational; SpecError over six digits on either side."""
    text = str(value).strip()
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not _DECIMAL.fullmatch(text):
        raise SpecError("{value!r} is no number such as 0.5, with six decimals at most.", value=value)
    return Fraction(text.replace(",", "."))


def print_decimal(value: Fraction) -> str:
    """Write a value that `read_decimal` read as the shortest decimal."""
    whole, rest = divmod(value.numerator * 10**6 // value.denominator, 10**6)
    return f"{whole}.{rest:06}".rstrip("0").rstrip(".")
