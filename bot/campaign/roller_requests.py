"""What game masters do with rollers: make, reset, remove, and undo."""

from dataclasses import dataclass, replace

from bot.campaign.d100_rolls import KEPT
from bot.campaign.events import Asked, Event, Kind
from bot.campaign.replay import memory_before
from bot.campaign.request import THIS, Change, Needs, Scene
from bot.campaign.rollers import Remembers, Roller, is_own
from bot.campaign.rolls import REGISTER
from bot.dice import notation
from bot.dice.bases import Json
from bot.dice.draws import Draws
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import System
from bot.systems.registry import load_spec, print_spec


@dataclass(frozen=True, slots=True)
class MakeRoller:
    """Make a roller, or tune one on: the same rule on the same base keeps its memory."""

    name: str
    """Cleaned already."""
    system: System
    memory: Remembers = Remembers.TABLE

    def needs(self) -> Needs:
        """The roller that may be there."""
        return Needs(roller=self.name.casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A made or tuned roller; SpecError for a name that is taken, reserved, empty or reads as dice."""
        _check_name(self.name)
        old = scene.roller
        epoch, last = THIS, old.last if old else 0
        if old and old.system:
            if not self.system.continues(old.system) or self.memory is not old.memory:
                raise SpecError(
                    f"There is a roller {old.name} already. Remove it first, or take another name."
                )
            epoch = old.epoch
        return Change(
            Kind.MAKE,
            roller=self.name,
            spec=print_spec(self.system),
            detail={"before": old.as_json() if old else None, "prev": last, "memory": self.memory},
            state=Roller(self.name, self.system, self.memory, epoch, last=THIS),
        )


@dataclass(frozen=True, slots=True)
class ResetRoller:
    """Let a roller forget everything."""

    name: str
    campaign_id: int | None = None
    """None is the campaign that is played where it is asked; so below."""

    def needs(self) -> Needs:
        """The roller."""
        return Needs(roller=self.name.strip().casefold(), campaign=self.campaign_id)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A reset; Unknown if there is no such roller."""
        old = _present(scene.roller, self.name)
        return Change(Kind.RESET, old.name, detail=_record(old), state=replace(old, epoch=THIS, last=THIS))


@dataclass(frozen=True, slots=True)
class RemoveRoller:
    """Take a roller away; its history stays, and an undo brings it back with its memory."""

    name: str

    def needs(self) -> Needs:
        """The roller."""
        return Needs(roller=self.name.strip().casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A removal; Unknown if there is no such roller, SpecError for the d100 register."""
        old = _present(scene.roller, self.name)
        if old.name in KEPT:
            raise SpecError(f"The {old.name} belongs to every channel. A reset lets it forget everything.")
        return Change(Kind.REMOVE, old.name, detail=_record(old), state=replace(old, system=None, last=THIS))


@dataclass(frozen=True, slots=True)
class UndoRoller:
    """Take back the newest thing that happened to a roller; asked again, the one before it."""

    name: str
    campaign_id: int | None = None
    number: int | None = None
    """The event that is to be the newest; None takes any."""

    def needs(self) -> Needs:
        """The roller, and its newest event that can be undone."""
        return Needs(roller=self.name.strip().casefold(), last=True, campaign=self.campaign_id)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """An undo; Unknown if there is no such roller or nothing is left to undo."""
        roller, event = scene.roller, scene.event
        if roller is None:
            raise _unknown(self.name)
        if event is None and roller.last:
            raise Unknown(
                f"What happened to {roller.name} before was removed from the history, so it can't be undone."
            )
        if event is None:
            raise Unknown(f"There is nothing left to undo for {roller.name}.")
        if self.number not in {None, event.seq}:
            raise DiceError(
                f"{roller.name} was used since then, so this stays. /roller undo takes back the newest thing."
            )
        return _undo(roller, event)


def _undo(roller: Roller, event: Event) -> Change:
    prev, before = event.detail.get("prev"), event.detail.get("before")
    last = prev if isinstance(prev, int) else 0
    memory = None
    if isinstance(before, list):
        # A roll, or a reset of one's own register: nothing but a memory has changed.
        state = replace(roller, last=last)
        # Where who rolled it was erased, a memory of their own went with them.
        owner = roller.owner_of(event)
        if load_spec(event.spec).remembers and owner is not None:
            memory = (owner, memory_before(event))
    elif before is None:
        state = replace(roller, system=None, last=last)
    else:
        state = Roller.from_json(before, last)
    return Change(Kind.UNDO, roller.name, target=event.seq, state=state, memory=memory)


def _record(old: Roller) -> dict[str, Json]:
    return {"before": old.as_json(), "prev": old.last}


def _present(roller: Roller | None, name: str) -> Roller:
    if roller is None or roller.system is None:
        raise _unknown(name)
    return roller


def _unknown(name: str) -> Unknown:
    return Unknown(f"There is no roller {clean(name, NAME_LIMIT)} here. /roller list shows them.")


def _check_name(name: str) -> None:
    if not name:
        raise SpecError("A roller needs a name.")
    if name.casefold() == REGISTER:
        raise SpecError(f"{name} is the name of the d100's own register. Take another one.")
    if is_own(name):
        raise SpecError(f"{name} can't be a roller's name: such names are for the ways of /d100.")
    if notation.reads(name):
        raise SpecError(
            f"{name} can't be a roller's name: it reads as dice, and /roll {name} is to stay plain dice."
        )
