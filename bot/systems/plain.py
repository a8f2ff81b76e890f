"""Plain dice: draw by the weights of the base, without memory."""

from dataclasses import dataclass
from typing import ClassVar

from bot.dice import notation
from bot.dice.choices import named_faces
from bot.dice.die_distribution import add_up
from bot.dice.system import Memory, Memoryless, OnBase, Spec, read_base


@dataclass(frozen=True, slots=True)
class PlainDice(OnBase, Memoryless):
    """Every roll is independent of every other one."""

    name: ClassVar[str] = "dice"

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (there is none)
        """Return the weights of the base."""
        return self.base.weights

    def as_spec(self) -> Spec:
        """Return {"system": "dice", "base": ...}."""
        return {"system": self.name, "base": self.base.as_json()}

    @classmethod
    def from_spec(cls, spec: Spec) -> "PlainDice":
        """Read `base`."""
        return cls(read_base(spec.get("base")))


def plain_dice(text: str) -> PlainDice:
    """Read dice; one die with named faces, `coin` or `choose tea, coffee`, has these names as its results."""
    base = read_base(text)
    names = named_faces(notation.comment(text))
    if not {*map(int, base.faces)} <= {*range(1, len(names) + 1)}:
        return PlainDice(base)
    weights = ((names[int(face) - 1], weight) for face, weight in zip(base.faces, base.weights, strict=True))
    return PlainDice(read_base(add_up(weights)))
