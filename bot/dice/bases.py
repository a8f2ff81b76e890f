"""A base table: faces with positive integer weights, from dice notation or from labelled cards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias, TypeGuard

from bot.dice import notation
from bot.dice.distribution import arrange, can_arrange, distribution
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.expressions import Expression
from bot.dice.throws import Throw

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


def is_list(value: object) -> TypeGuard[list[Json]]:
    """Return whether a value out of JSON is a list."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, Json]]:
    """Return whether a value out of JSON is an object."""
    return isinstance(value, dict)


FACES_LIMIT = 1_000
LABEL_LIMIT = 80
WEIGHT_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Base:
    """Faces and their integer weights; `dice` is the notation that they come from, if any."""

    faces: tuple[str, ...]
    weights: tuple[int, ...]
    dice: Expression | None = None
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(self.weights))

    @property
    def uniform(self) -> bool:
        """Whether every face has the same weight."""
        return len(set(self.weights)) == 1

    def show(self, i: int, draws: Draws) -> Throw | None:
        """Draw dice that make face `i`, uniform among all that do; None for labels and groups of dice."""
        if self.dice is None or not can_arrange(self.dice):
            return None
        return arrange(self.dice, int(self.faces[i]), draws)

    def as_json(self) -> Json:
        """Return the form that `read_base` reads: the text of the notation, or each label with its weight."""
        if self.dice:
            return str(self.dice)
        return dict(zip(self.faces, self.weights, strict=True))


def read_base(value: object) -> Base:
    """Read a base out of a spec: dice notation, or labels with weights.

    Labels of weight zero are left out. Raises NotationError or SpecError: text that can't be read,
    over 1,000 faces, a weight that is no integer of 0..1,000,000, nothing left to draw.
    """
    if isinstance(value, str):
        return _from_notation(value)
    if is_object(value):
        return _from_labels(value)
    raise SpecError("A base is dice notation such as 2d6, or labels with their numbers of cards.")


@lru_cache(maxsize=512)
def _from_notation(text: str) -> Base:
    dice = notation.parse(text)
    table = distribution(dice)
    return Base(tuple(map(str, table)), tuple(table.values()), dice)


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
                f"{label!r} can't be a label: a label has 1 to {LABEL_LIMIT} printable characters."
            )
        if not isinstance(weight, int) or isinstance(weight, bool) or not 0 <= weight <= WEIGHT_LIMIT:
            raise SpecError(
                f"{weight!r} can't be the weight of {label!r}: it is an integer of 0 to {WEIGHT_LIMIT:,}."
            )
        if weight:
            faces[label] = weight
    if not faces:
        raise SpecError("There is nothing to draw: every weight is 0.")
    if len(faces) > FACES_LIMIT:
        raise SpecError(f"{len(faces):,} faces are too many: at most {FACES_LIMIT:,}.")
    return Base(tuple(faces), tuple(faces.values()))
