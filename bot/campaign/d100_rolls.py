"""Commands of the d100 methods: roll by one, reset a register, enter real dice."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from bot.campaign.campaigns import REGISTER, Remembers, Roller, remembers
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import RegisterReset, Rolled
from bot.campaign.rolls import Attempt, check_times, must_be_one_check, practise, roll_system
from bot.campaign.state import State
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import WAYS, Method
from bot.d100.physical import table_progress
from bot.d100.pool import PoolMethod
from bot.d100.register import Register
from bot.dice.draws import Recorder, SourcedDraws
from bot.dice.errors import SpecError
from bot.systems.checks import CheckTerms
from bot.systems.registry import print_spec

D100Method: TypeAlias = Method | PoolMethod | LeftoversMethod | Register
"""A d100 method."""

KEPT = (REGISTER, f"d100 {PoolMethod.name}", f"d100 {LeftoversMethod.name}")
"""The names of the built-in d100 rollers, each created by its first roll."""
PERCENT = 100
"""The number of values of a d100, whose 00 may count as 0."""
METHODS: dict[str, Method | PoolMethod | LeftoversMethod] = {
    **{name: Method(name) for name in WAYS},
    PoolMethod.name: PoolMethod(),
    LeftoversMethod.name: LeftoversMethod(),
}
"""Name to each d100 method with six-sided dice, except the register."""


class Start(StrEnum):
    """The value a register restarts at."""

    ZERO = "0"
    RANDOM = "random"


class Real(StrEnum):
    """The method that typed real dice are for."""

    REGISTER = "register"
    TABLE = "table"


def roller_name(system: D100Method) -> str:
    """Return the roller name of this method in the history, such as "d100 table"."""
    way = system.method if isinstance(system, Method) else system.name
    return f"d{system.values} {way}"


@dataclass(frozen=True, slots=True)
class RollMethod(Drawing):
    """Roll by a method, `times` times; its memory is the built-in roller's of that name."""

    system: D100Method
    times: int = 1
    options: RollOptions = RollOptions()
    terms: CheckTerms | None = None
    """The check on the value; None for no check."""

    def needs(self) -> Needs:
        """Return the roller with the method's memory, if it has one."""
        return Needs(roller=roller_name(self.system) if self.system.has_state else "")

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; DiceError over 20 times, SpecError for a memory on anything but a d100 of six-sided dice."""
        check_times(self.times)
        name = roller_name(self.system)
        if self.system.has_state and name not in KEPT:
            raise SpecError("Only a d100 from six-sided dice keeps a rest for the next roll.")
        if self.terms:
            must_be_one_check(self.times)
        system = replace(self.system, zero=self.system.values == PERCENT and state.campaign.rules.d100_zero)
        attempt = Attempt(caller, state, draws, self.options)
        if self.options.practice or attempt.uncalled(system):
            rolled = practise(name, system, self.times, draws)
        else:
            # The first roll makes the roller.
            roller = state.roller or Roller(name, print_spec(system), remembers(name), epoch=0)
            rolled = roll_system(roller, system, self.times, attempt)
        return replace(rolled, check=self.terms)


def roll_register(
    dice: int, times: int = 1, options: RollOptions = RollOptions(), terms: CheckTerms | None = None
) -> RollMethod:
    """Return the command that adds six-sided dice to the caller's register; SpecError unless 1 to 9."""
    return RollMethod(Register.from_spec({"dice": dice}), times, options, terms)


@dataclass(frozen=True, slots=True)
class ResetRegister(Drawing):
    """Restart the caller's register at 0 or at a random value."""

    start: Start = Start.ZERO

    def needs(self) -> Needs:
        """Return the campaign's register."""
        return Needs(roller=REGISTER)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> RegisterReset:
        """Reset the caller's memory only; an undo restores it."""
        system = Register.from_spec({})
        roller = state.roller or Roller(REGISTER, print_spec(system), Remembers.PLAYER, epoch=0)
        record = Recorder(draws)
        value = record.below(system.values) if self.start is Start.RANDOM else 0
        memory = state.memory(roller, roller.memory.owner(caller.user_id))
        return RegisterReset(
            roller=REGISTER,
            spec=print_spec(system),
            value=value,
            source=draws.source if record.drawn else None,
            prev=roller.last,
            before=system.start() if memory is None else memory,
            draws=tuple(record.drawn),
        )


def real_dice(faces: tuple[int, ...], real: Real) -> RollMethod:
    """Return the command that records real dice; SpecError for too few or too many."""
    options = RollOptions(thrown=faces)
    if not faces:
        raise SpecError("Type the dice you threw, such as 3 5 1 6.")
    if real is Real.REGISTER:
        return roll_register(len(faces), options=options)
    progress = table_progress(faces)
    if progress.missing:
        raise SpecError("The table wants {missing} more dice.", missing=progress.missing)
    if progress.used < len(faces):
        usable = " ".join(map(str, faces[: progress.used]))
        raise SpecError(
            "The table needs the first {used} of these dice and no more. Type {wanted} alone.",
            used=progress.used,
            wanted=usable,
        )
    return RollMethod(Method("table"), options=options)


def is_complete(faces: tuple[int, ...], real: Real) -> bool:
    """Return whether the table has reached a value; always False for a register."""
    return real is Real.TABLE and table_progress(faces).missing == 0
