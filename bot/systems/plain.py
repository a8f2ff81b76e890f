"""Plain dice: the base's own weights, and nothing is remembered."""

from dataclasses import dataclass
from typing import ClassVar

from bot.dice.bases import read_base
from bot.dice.system import Memory, OnBase, Spec


@dataclass(frozen=True, slots=True)
class PlainDice(OnBase):
    """Every roll is independent of every other one."""

    name: ClassVar[str] = "dice"
    remembers: ClassVar[bool] = False

    def start(self) -> Memory:
        """Nothing."""
        return ()

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (there is none)
        """The base's weights."""
        return self.base.weights

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (nothing to remember)
        """Nothing."""
        return memory

    def as_spec(self) -> Spec:
        """{"system": "dice", "base": ...}."""
        return {"system": self.name, "base": self.base.as_json()}

    @classmethod
    def from_spec(cls, spec: Spec) -> "PlainDice":
        """Reads `base`."""
        return cls(read_base(spec.get("base")))
