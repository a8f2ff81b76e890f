"""A d100 out of dice by other ways than the register, real dice, and the reset of one's own register."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from bot.campaign.events import Asked, Kind
from bot.campaign.request import THIS, Change, Needs, Scene
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import REGISTER, check_times, practise, roll_system, uncalled
from bot.d100.leftover import Leftover
from bot.d100.method import Method
from bot.d100.physical import TypedDice, register_draws, table_progress
from bot.d100.register import Register
from bot.d100.shifted import Shifted
from bot.dice.draws import Draws, Recorder, Replayer
from bot.dice.errors import SpecError
from bot.dice.labels import Label
from bot.systems.registry import print_spec

OtherWay: TypeAlias = Method | Leftover | Shifted
"""A way to a d100 that is not the register."""

KEPT: Mapping[str, str] = {
    REGISTER: Register.name,
    f"d100 {Leftover.name}": Leftover.name,
    f"d100 {Shifted.name}": Shifted.name,
}
"""The names of what every channel has for its players, made by the first roll."""


class Start(StrEnum):
    """Where a register begins."""

    ZERO = "0"
    RANDOM = "random"


class Real(StrEnum):
    """What real dice are for."""

    REGISTER = "register"
    TABLE = "table"


def roller_name(system: OtherWay) -> str:
    """What a roll by this way is called in the history, e.g. "d100 table"."""
    way = system.method if isinstance(system, Method) else system.name
    return f"d{system.values} {way}"


@dataclass(frozen=True, slots=True)
class RollMethod:
    """Roll by a way, so many times; what it keeps for the next roll is the asker's own."""

    system: OtherWay
    times: int = 1
    practice: bool = False
    """Whether it begins with nothing kept, and what the asker has kept stays."""

    def needs(self) -> Needs:
        """The roller that holds what is kept, if anything is."""
        return Needs(roller=roller_name(self.system) if self.system.remembers else "")

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A roll; DiceError over 20 times, SpecError for dice or values that keep nothing here."""
        check_times(self.times)
        name = roller_name(self.system)
        if self.system.remembers and name not in KEPT:
            raise SpecError("Only a d100 out of six-sided dice keeps anything for the next roll.")
        if self.practice or uncalled(self.system, asked, scene):
            return practise(name, self.system, self.times, draws)
        roller = scene.roller or Roller(name, self.system, Remembers.PLAYER, epoch=THIS)
        return roll_system(roller, self.system, self.times, asked, scene, draws)


@dataclass(frozen=True, slots=True)
class RegisterDice:
    """Add real dice to the asker's register."""

    faces: tuple[int, ...]

    def needs(self) -> Needs:
        """The channel's register, which the first roll makes."""
        return Needs(roller=REGISTER)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (the dice are the draws)
        """A roll with the source physical; SpecError unless there are 1 to 9 dice."""
        if not self.faces:
            raise SpecError("Type the dice you threw, such as 3 5 1 6.")
        system = Register.from_spec({"dice": len(self.faces)})
        if uncalled(system, asked, scene):
            alone = Replayer(register_draws(system, system.start(), self.faces))
            return replace(practise(REGISTER, system, 1, alone), source=Label.PHYSICAL)
        roller = scene.roller or Roller(REGISTER, system, Remembers.PLAYER, epoch=THIS)
        memory = system.start() if scene.memory is None else scene.memory
        typed = Replayer(register_draws(system, memory, self.faces))
        return replace(roll_system(roller, system, 1, asked, scene, typed), source=Label.PHYSICAL)


@dataclass(frozen=True, slots=True)
class TableDice:
    """Read real dice by the table, the fewest that make a d100."""

    faces: tuple[int, ...]

    def needs(self) -> Needs:
        """Nothing."""
        return Needs()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (the dice are the draws)
        """A roll with the source physical; SpecError where dice are missing, or more than are used."""
        progress = table_progress(self.faces)
        if progress.missing:
            raise SpecError(f"The table wants {progress.missing} more dice.")
        if progress.used < len(self.faces):
            wanted = " ".join(map(str, self.faces[: progress.used]))
            raise SpecError(
                f"The table needs the first {progress.used} of these dice and no more. Type {wanted} alone."
            )
        system = Method("table")
        roller = Roller(roller_name(system), system, Remembers.PLAYER, epoch=THIS)
        change = roll_system(roller, system, 1, asked, scene, TypedDice(self.faces))
        return replace(change, source=Label.PHYSICAL)


@dataclass(frozen=True, slots=True)
class ResetRegister:
    """Let the asker's own register begin anew, at 0 or at a value drawn openly."""

    start: Start = Start.ZERO

    def needs(self) -> Needs:
        """The channel's register."""
        return Needs(roller=REGISTER)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A reset that changes nothing but the asker's memory, so that an undo brings it back."""
        system = Register.from_spec({})
        roller = scene.roller or Roller(REGISTER, system, Remembers.PLAYER, epoch=THIS)
        record = Recorder(draws)
        value = record.below(system.values) if self.start is Start.RANDOM else 0
        before = system.start() if scene.memory is None else scene.memory
        return Change(
            Kind.RESET,
            roller=REGISTER,
            text=f"their own, to {'a random ' if record.drawn else ''}{value}",
            spec=print_spec(system),
            detail={"draws": [list(d) for d in record.drawn], "before": list(before), "prev": roller.last},
            state=replace(roller, last=THIS),
            memory=(asked.user_id, (value,)),
        )
