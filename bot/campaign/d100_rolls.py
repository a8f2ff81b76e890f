"""A d100 out of dice by other ways than the register, real dice, and the reset of one's own register."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from bot.campaign.campaigns import REGISTER, Remembers, Roller
from bot.campaign.command import Caller, Drawing, Needs, Plain, RollOptions
from bot.campaign.events import RegisterReset, Rolled
from bot.campaign.rolls import check_times, practise, roll_own, roll_system, uncalled
from bot.campaign.state import State
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.physical import TypedDice, register_draws, table_progress
from bot.d100.pool import PoolMethod
from bot.d100.register import Register
from bot.dice.draws import Draws, Recorder, Replayer, Source, SourcedDraws
from bot.dice.errors import DiceError, SpecError
from bot.systems.registry import print_spec

OtherWay: TypeAlias = Method | PoolMethod | LeftoversMethod
"""A way to a d100 that is not the register."""

KEPT: Mapping[str, str] = {
    REGISTER: Register.name,
    f"d100 {PoolMethod.name}": PoolMethod.name,
    f"d100 {LeftoversMethod.name}": LeftoversMethod.name,
}
"""The names of what every campaign has for its players, made by their first roll."""


class Start(StrEnum):
    """Where a register begins."""

    ZERO = "0"
    RANDOM = "random"


class Real(StrEnum):
    """What real dice are for."""

    REGISTER = "register"
    TABLE = "table"


class _RealDraws:
    """Draws that real dice have made."""

    source = Source.PHYSICAL

    def __init__(self, draws: Draws) -> None:
        self.below = draws.below
        self.choose = draws.choose


def roller_name(system: OtherWay) -> str:
    """Return what a roll by this way is called in the history, e.g. "d100 table"."""
    way = system.method if isinstance(system, Method) else system.name
    return f"d{system.values} {way}"


@dataclass(frozen=True, slots=True)
class RollMethod(Drawing):
    """Roll by a way, `times` times; the caller owns the leftover for the next roll."""

    system: OtherWay
    times: int = 1
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the roller that holds what is kept, if anything is."""
        return Needs(roller=roller_name(self.system) if self.system.has_state else "")

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; DiceError over 20 times, SpecError for dice or values that keep nothing here."""
        check_times(self.times)
        name = roller_name(self.system)
        if self.system.has_state and name not in KEPT:
            raise SpecError("Only a d100 from six-sided dice keeps something for the next roll.")
        return roll_own(name, self.system, self.times, caller, state, draws, self.options)


@dataclass(frozen=True, slots=True)
class RegisterDice(Plain):
    """Add real dice to the caller's register."""

    faces: tuple[int, ...]
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the campaign's register, which a player's first roll makes."""
        return Needs(roller=REGISTER)

    def decide(self, caller: Caller, state: State) -> Rolled:
        """Record a roll of real dice; SpecError unless there are 1 to 9 dice."""
        _must_be_own_hand(state)
        if not self.faces:
            raise SpecError("Type the dice you threw, such as 3 5 1 6.")
        system = Register.from_spec({"dice": len(self.faces)})
        if uncalled(system, self.options, state):
            typed = Replayer(register_draws(system, system.start(), self.faces))
            return replace(practise(REGISTER, system, 1, _RealDraws(typed)), thrown=self.faces)
        roller = state.roller or Roller(REGISTER, print_spec(system), Remembers.PLAYER, epoch=0)
        kept = state.memory(roller, roller.memory.owner(caller.user_id))
        typed = Replayer(register_draws(system, system.start() if kept is None else kept, self.faces))
        rolled = roll_system(roller, system, 1, caller, state, _RealDraws(typed))
        return replace(rolled, thrown=self.faces)


@dataclass(frozen=True, slots=True)
class TableDice(Plain):
    """Read real dice by the table, the fewest that make a d100."""

    faces: tuple[int, ...]
    options: RollOptions = RollOptions()

    def decide(self, caller: Caller, state: State) -> Rolled:
        """Record a roll of real dice; SpecError where dice are missing, or more than are used."""
        _must_be_own_hand(state)
        progress = table_progress(self.faces)
        if progress.missing:
            raise SpecError("The table wants {missing} more dice.", missing=progress.missing)
        if progress.used < len(self.faces):
            wanted = " ".join(map(str, self.faces[: progress.used]))
            raise SpecError(
                "The table needs the first {used} of these dice and no more. Type {wanted} alone.",
                used=progress.used,
                wanted=wanted,
            )
        system = Method("table")
        roller = Roller(roller_name(system), print_spec(system), Remembers.PLAYER, epoch=0)
        rolled = roll_system(roller, system, 1, caller, state, _RealDraws(TypedDice(self.faces)))
        return replace(rolled, thrown=self.faces)


@dataclass(frozen=True, slots=True)
class ResetRegister(Drawing):
    """Let the caller's own register begin anew, at 0 or at a value drawn openly."""

    start: Start = Start.ZERO

    def needs(self) -> Needs:
        """Return the campaign's register."""
        return Needs(roller=REGISTER)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> RegisterReset:
        """Change nothing but the caller's memory, so that an undo brings it back."""
        system = Register.from_spec({})
        roller = state.roller or Roller(REGISTER, print_spec(system), Remembers.PLAYER, epoch=0)
        record = Recorder(draws)
        value = record.below(system.values) if self.start is Start.RANDOM else 0
        kept = state.memory(roller, roller.memory.owner(caller.user_id))
        return RegisterReset(
            roller=REGISTER,
            spec=print_spec(system),
            value=value,
            source=draws.source if record.drawn else None,
            prev=roller.last,
            before=system.start() if kept is None else kept,
            draws=tuple(record.drawn),
        )


def _must_be_own_hand(state: State) -> None:
    """Raise a DiceError where others throw for whoever hosts: typed dice could be anybody's choice."""
    if state.proof and state.proof.host is not None:
        raise DiceError("Nobody types in dice here, because others throw for the host of the bot.")
