"""What a command is: it says what it must see of a campaign, and decides which event happens.

Pure: the bot, the simulator and the tests decide with the same functions. A command that can't be met raises
a DiceError and changes nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from bot.campaign.caller import Caller
from bot.campaign.events import Body
from bot.campaign.kinds import Visibility
from bot.campaign.rollers import Remembers
from bot.campaign.state import State
from bot.dice.errors import DiceError
from bot.dice.sources import SourcedDraws


class Following(Enum):
    """Which events about the target a command must see; undone ones are left out."""

    NONE = "none"
    OWN = "own"
    """All but other people's rolls."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Needs:
    """What a command must see before it can be decided."""

    roller: str = ""
    """The casefolded name of the roller that may be concerned."""
    event: int | None = None
    """The number of the event that it is about."""
    following: Following = Following.NONE
    whose: Remembers | None = None
    """Whose memory it is about; None is as the roller has it."""
    called: bool = False
    """Whether the event is a call that says whose memory it is about, and which roller unless one is named;
    a call's luck account goes before that."""
    last: bool = False
    """Whether it is about the roller's newest event that can be undone."""
    campaign: int | None = None
    """The number of the campaign that it is about; None is the one that is played in the caller's channel."""
    own: bool = False
    """Whether it is about the channel's own campaign, which every channel has."""
    new: bool = False
    """Whether it is about a campaign that is yet to be made."""
    name: str = ""
    """The casefolded name of a campaign that may be there."""


@dataclass(frozen=True, slots=True)
class RollOptions:
    """How an event is recorded, and how a roll is made, whatever is rolled."""

    label: str = ""
    """The caller's own words for it, cleaned."""
    visibility: Visibility | None = None
    """Who may see the result; None is as the campaign's rules have it."""
    called: bool = False
    """Whether a game master called for it."""
    practice: bool = False
    """Whether it begins without a memory and leaves none."""


OPEN = RollOptions(visibility=Visibility.PUBLIC)
"""The options of everything that is no roll."""


class NeedsOtherHand(DiceError):
    """In proof mode, others throw for whoever hosts the bot."""

    def __init__(self) -> None:
        super().__init__(
            "In proof mode others throw for you here: ask with /roll. In a call, another game master rolls."
        )


class Command(ABC):
    """Something that can be asked of a campaign."""

    __slots__ = ()
    options: RollOptions = OPEN

    @abstractmethod
    def needs(self) -> Needs:
        """Return what it must see."""

    def options_in(self, _state: State) -> RollOptions:
        """Return how its event is recorded."""
        return self.options


class Plain(Command):
    """A command that draws nothing."""

    __slots__ = ()

    @abstractmethod
    def decide(self, caller: Caller, state: State) -> Body:
        """Return what happens; raise a DiceError where it can't."""


class Drawing(Command):
    """A command that draws."""

    __slots__ = ()

    @abstractmethod
    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Body:
        """Return what happens; raise a DiceError where it can't."""


def decide(command: Command, caller: Caller, state: State, draws: Callable[[], SourcedDraws]) -> Body:
    """Return what a command comes to; `draws` opens the draws of one roll, for commands that draw."""
    match command:
        case Drawing():
            if state.proof and state.proof.host == (caller.hand or caller.user_id):
                raise NeedsOtherHand
            return command.decide(caller, state, draws())
        case Plain():
            return command.decide(caller, state)
        case _:
            raise TypeError(f"{type(command).__name__} is neither plain nor drawing")
