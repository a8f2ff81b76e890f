"""A game master's commands on rollers: make, import, reset, remove and undo."""

from abc import ABC
from dataclasses import dataclass, field

from bot.campaign.campaigns import REGISTER, Remembers, RightHolder, Roller, Rules, is_own
from bot.campaign.command import OPEN, Caller, Needs, Plain, RollOptions
from bot.campaign.d100_rolls import KEPT
from bot.campaign.events import RollerMade, RollerRemoved, RollerReset, Undone
from bot.campaign.state import State
from bot.dice import notation
from bot.dice.errors import DiceError, NameTaken, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import System
from bot.systems.registry import print_spec


@dataclass(frozen=True, slots=True)
class MakeRoller(Plain):
    """Make a roller, or tune an existing one: the same rule on the same base keeps its memory."""

    name: str
    """Cleaned already."""
    system: System
    memory: Remembers = Remembers.TABLE
    new: bool = False
    """Whether to refuse an existing roller instead of tuning it."""
    is_dice: bool = field(init=False, compare=False, repr=False)
    """Whether the name parses as dice."""
    gm = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_dice", notation.reads(self.name))

    def needs(self) -> Needs:
        """Return the roller of that name."""
        return Needs(roller=self.name.casefold())

    def right(self, _caller: Caller, rules: Rules) -> bool:
        """Return whether the campaign's rules leave it to game masters."""
        return making_needs_gm(rules)

    def decide(self, caller: Caller, state: State) -> RollerMade:
        """Make or tune it; SpecError for a name that is taken, reserved, empty or parses as dice."""
        present = state.present()
        if present and self.new:
            raise SpecError("There is a roller of that name already. Remove it first, and import once more.")
        _check_name(self.name, is_dice=self.is_dice)
        if present and not (
            present.system and self.system.continues(present.system) and self.memory is present.memory
        ):
            raise NameTaken(
                "There is a roller {name} already. Remove it first, or take another name.", name=present.name
            )
        old = state.roller
        return RollerMade(
            roller=self.name,
            spec=print_spec(
                self.system.tuned_from(present.system) if present and present.system else self.system
            ),
            memory=self.memory,
            before=old.at(0) if old else None,
            prev=old.last if old else 0,
        )


def making_needs_gm(rules: Rules) -> bool:
    """Return whether only game masters may make rollers."""
    return rules.makers is RightHolder.GMS


@dataclass(frozen=True, slots=True)
class _RollerCommand(Plain, ABC):
    """A command on the roller of that name."""

    gm = True
    name: str

    def needs(self) -> Needs:
        """Return the roller."""
        return Needs(roller=self.name.strip().casefold())


@dataclass(frozen=True, slots=True)
class ResetRoller(_RollerCommand):
    """Clear a roller's memories."""

    options: RollOptions = OPEN

    def decide(self, caller: Caller, state: State) -> RollerReset:
        """Reset it; Unknown if there is no such roller."""
        old = _require_roller(state, self.name)
        return RollerReset(roller=old.name, before=old.at(0), prev=old.last)


class RemoveRoller(_RollerCommand):
    """Remove a roller; its history stays, and an undo restores it with its memory."""

    def decide(self, caller: Caller, state: State) -> RollerRemoved:
        """Remove it; Unknown if there is no such roller, SpecError for a built-in d100 roller."""
        old = _require_roller(state, self.name)
        if old.name in KEPT:
            raise SpecError(
                "The {name} belongs to every campaign. A reset lets it forget everything.", name=old.name
            )
        return RollerRemoved(roller=old.name, before=old.at(0), prev=old.last)


@dataclass(frozen=True, slots=True)
class UndoRoller(_RollerCommand):
    """Undo a roller's newest event; repeated, the one before it."""

    campaign_id: int | None = None
    """None for the campaign played in the caller's channel."""
    number: int | None = None
    """The expected newest event; None for any."""

    def needs(self) -> Needs:
        """Return the roller and its newest event that can be undone."""
        return Needs(roller=self.name.strip().casefold(), last=True, campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> Undone:
        """Undo it; Unknown if there is no such roller or nothing to undo."""
        roller, event = state.roller, state.event
        if roller is None:
            raise _unknown(self.name)
        if event is None and roller.last:
            raise Unknown(
                "What happened to {name} before was removed from the history, so it can't be undone.",
                name=roller.name,
            )
        if self.number is not None and (event is None or event.seq < self.number):
            raise DiceError("That is undone already.")
        if event is None:
            raise Unknown("There is nothing left to undo for {name}.", name=roller.name)
        if self.number not in {None, event.seq}:
            raise DiceError(
                "{name} was used since then, so this stays. `/roller undo` takes back the newest thing.",
                name=roller.name,
            )
        return Undone(roller=roller.name, target=event.seq)


def _require_roller(state: State, name: str) -> Roller:
    roller = state.present()
    if roller is None:
        raise _unknown(name)
    return roller


def _unknown(name: str) -> Unknown:
    return Unknown(
        "There is no roller `{name}` here. `/roller list` shows them.", name=clean(name, NAME_LIMIT)
    )


def _check_name(name: str, *, is_dice: bool) -> None:
    if not name:
        raise SpecError("A roller needs a name.")
    if name.casefold() == REGISTER:
        raise SpecError("{name} is the name of the d100's own register. Take another one.", name=name)
    if is_own(name):
        raise SpecError("{name} can't be a roller's name: such names are for the ways of `/d100`.", name=name)
    if is_dice:
        raise SpecError(
            "{name} can't be a roller's name: `/roll {name}` already rolls plain dice.",
            name=name,
        )
