"""What a command is, and who asks: it says what it must see of a campaign, and decides which event happens.

Pure: the bot, the simulator and the tests decide with the same functions. A command that can't be met raises
a DiceError and changes nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

from bot.campaign.campaigns import Master, MasterKind, Remembers, Rules
from bot.campaign.events import Body, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.state import State
from bot.dice.by_hand import ByHand
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, Unknown
from bot.times import time_of

NOBODY = 0
"""The user id where nobody asked."""


@dataclass(frozen=True, slots=True)
class Caller:
    """One interaction of one person; services take it first."""

    interaction_id: int | None
    """Discord's id of the command or press; it holds the time. None where nobody asked."""
    guild_id: int | None
    """None in direct messages and in channels that the bot is not a member of."""
    channel_id: int
    user_id: int
    parent_id: int | None = None
    """The channel that a thread or a forum's post belongs to."""
    manages: bool = False
    """Whether they have Manage Server here, or are alone with the bot."""
    roles: frozenset[int] = frozenset()
    """Their roles in the server."""
    part: int = 0
    """The place, from 1 on, among several events that one interaction makes; 0 where it makes one."""
    clock: int | None = None
    """Milliseconds since 1970 where nobody asked."""
    hand: int | None = None
    """Who pressed, where they did it for the user; None where the user did."""
    shown_in: int | None = None
    """The campaign that what they pressed was shown for; None where it is about whatever is played here."""

    @classmethod
    def nobody(cls, clock: int, channel_id: int = 0) -> "Caller":
        """Return what stands for a caller where time or the bot itself makes an event."""
        return cls(None, None, channel_id, NOBODY, clock=clock)

    @property
    def root(self) -> int:
        """Return the channel itself, or for a thread or post the channel that it belongs to."""
        return self.parent_id or self.channel_id

    @property
    def home(self) -> int:
        """Return where campaigns have their names: the server, else the channel as a negative number."""
        return -self.root if self.guild_id is None else self.guild_id

    @property
    def time(self) -> float:
        """Return the time of the interaction in seconds since 1970."""
        return (self.clock or 0) / 1000 if self.interaction_id is None else time_of(self.interaction_id)

    @property
    def governed(self) -> bool:
        """Return whether anybody leads here without being named: on a server, and alone with the bot."""
        return self.manages or self.guild_id is not None

    def leads(self, masters: frozenset[Master]) -> bool:
        """Return whether they are a game master where these are named; who manages the place always is.

        Time and the bot itself need no right.
        """
        return self.manages or self.clock is not None or any(map(self._is, masters))

    def _is(self, master: Master) -> bool:
        user_id = self.hand or self.user_id
        return master.id in self.roles if master.kind is MasterKind.ROLE else master.id == user_id

    def has_gm(self, masters: frozenset[Master]) -> bool:
        """Return whether there is anybody who could see what is for game masters."""
        return self.governed or bool(masters)

    def must_lead(self, masters: frozenset[Master]) -> None:
        """Raise NotAllowed unless they lead."""
        if self.leads(masters):
            return
        if not self.has_gm(masters):
            raise NotAllowed(
                "Only game masters can do that, and this place has none. Whoever makes a campaign here "
                "with `/campaign create` becomes its first one."
            )
        if not self.governed:
            named = ", ".join(sorted(master.mention for master in masters))
            raise NotAllowed("Only the game masters of this campaign can do that: {named}.", named=named)
        raise NotAllowed("Only game masters can do that. `/campaign show` lists them.")

    def must_play(self, campaign_id: int | None) -> None:
        """Raise Unknown unless what they pressed was shown for the campaign that is played here."""
        if self.shown_in not in {None, campaign_id}:
            raise Unknown("This channel plays another campaign since then. Use the command again.")

    def at_part(self, part: int) -> "Caller":
        """Return the same caller for one of several events of the interaction."""
        return self if self.interaction_id is None else replace(self, part=part)


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
    masters: bool = False
    """Whether it is about the game masters themselves, whoever asks."""
    hand: bool = False
    """Whether it is about the cards that the caller holds."""
    session: bool = False
    """Whether it is about the session that goes on."""


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
    whose: Remembers | None = None
    """Whose memory it goes by; None is as the roller has it."""
    character: str = ""
    """The name of the caller's character; "" for none."""
    typed: str = ""
    """The dice as they were typed, where that is another program's notation; else ""."""
    thrown: tuple[int, ...] = ()
    """The faces of dice that the caller threw by hand; none where the bot throws."""


OPEN = RollOptions(visibility=Visibility.PUBLIC)
"""The options of everything that is no roll."""


class NeedsOtherHand(DiceError):
    """In proof mode, others throw for whoever hosts the bot."""

    def __init__(self) -> None:
        super().__init__(
            "You host the bot, so in proof mode others throw for you. Ask with `/roll`, and somebody "
            "else presses. In a call, another game master rolls for you."
        )


class Command:
    """Something that can be asked of a campaign."""

    __slots__ = ()
    gm: ClassVar[bool] = False
    """Whether it is for game masters, whoever else may ask for it in some places."""
    options: RollOptions = OPEN

    def needs(self) -> Needs:
        """Return what it must see: of what is played here nothing more, unless a command says so."""
        return Needs()

    def right(self, _caller: Caller, _rules: Rules) -> bool:
        """Return whether it is for game masters, asked by somebody in a campaign with these rules."""
        return self.gm

    @property
    def thrown(self) -> tuple[int, ...]:
        """Return the faces of dice thrown by hand, which stand in for draws."""
        return self.options.thrown

    def options_in(self, _state: State) -> RollOptions:
        """Return how its event is recorded."""
        return self.options


class Plain(Command, ABC):
    """A command that draws nothing."""

    __slots__ = ()

    @abstractmethod
    def decide(self, caller: Caller, state: State) -> Body:
        """Return what happens; raise a DiceError where it can't."""


class Drawing(Command, ABC):
    """A command that draws."""

    __slots__ = ()

    @abstractmethod
    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Body:
        """Return what happens; raise a DiceError where it can't."""


def needs_right(command: Command, caller: Caller, rules: Rules) -> bool:
    """Return whether it depends on who is named a game master if the caller may do it."""
    if caller.leads(frozenset()):
        return False
    blind = command.options.visibility is Visibility.BLIND
    return command.right(caller, rules) or (blind and not caller.governed)


def decide(command: Command, caller: Caller, state: State, draws: Callable[[], SourcedDraws]) -> Body:
    """Return what a command comes to; `draws` opens the draws of one roll, for commands that draw.

    Who may is decided here, on the state that the command changes: NotAllowed for others. Unknown for a
    campaign of another place, which only a forged id can name.
    """
    if caller.clock is None and not state.played and state.campaign.home != caller.home:
        raise Unknown("That belongs to another place. Use it there.")
    if command.right(caller, state.campaign.rules):
        caller.must_lead(state.masters)
    if command.options.visibility is Visibility.BLIND and not caller.has_gm(state.masters):
        raise NotAllowed(
            "This place has no game master, so nobody could ever see that roll. Whoever makes a campaign "
            "here with `/campaign create` becomes its first one."
        )
    match command:
        case Drawing():
            if state.proof and state.proof.host == (caller.hand or caller.user_id):
                raise NeedsOtherHand
            if state.proof and state.proof.host == NOBODY:
                raise DiceError(
                    "The host of the bot is erased, so I don't know for whom others throw. A game master "
                    "switches proof mode off and on again: `/proof`."
                )
            if not (thrown := command.thrown):
                return command.decide(caller, state, draws())
            if state.proof and state.proof.host is not None:
                raise DiceError("Nobody types in dice here, because others throw for the host of the bot.")
            hand = ByHand(thrown, draws())
            body = command.decide(caller, state, hand)
            hand.finish()
            return replace(body, thrown=thrown) if isinstance(body, Rolled) else body
        case Plain():
            return command.decide(caller, state)
        case _:
            raise TypeError(f"{type(command).__name__} is neither plain nor drawing")
