"""Commands and their caller: a command names the data it needs, then decides which event happens.

Pure: the bot, the simulator and the tests decide with the same functions. A refused command raises DiceError
and changes nothing.
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
"""The user id of events without a person."""


@dataclass(frozen=True, slots=True)
class Caller:
    """One interaction of one person; the first argument of every service."""

    interaction_id: int | None
    """Discord's id of the command or press, which contains the time; None without a person."""
    guild_id: int | None
    """None in direct messages and where the bot is not a member."""
    channel_id: int
    user_id: int
    parent_id: int | None = None
    """The channel that a thread or a forum's post belongs to."""
    manages: bool = False
    """Whether they have Manage Server, or are in a direct message with the bot."""
    roles: frozenset[int] = frozenset()
    """Their roles in the server."""
    part: int = 0
    """The position, from 1, among several events of one interaction; 0 if there is only one."""
    clock: int | None = None
    """Milliseconds since 1970 if there is no interaction."""
    hand: int | None = None
    """The id of whoever pressed on the user's behalf; None if the user pressed."""
    shown_in: int | None = None
    """The campaign that the pressed button was shown for; None for whichever is played in the channel."""

    @classmethod
    def nobody(cls, clock: int, channel_id: int = 0) -> "Caller":
        """Return the caller of events that a timer or the bot itself causes."""
        return cls(None, None, channel_id, NOBODY, clock=clock)

    @property
    def root(self) -> int:
        """Return the channel, or the parent channel of a thread or post."""
        return self.parent_id or self.channel_id

    @property
    def home(self) -> int:
        """Return the scope of campaign names: the server's id, else the negative channel id."""
        return -self.root if self.guild_id is None else self.guild_id

    @property
    def time(self) -> float:
        """Return the time of the interaction in seconds since 1970."""
        return (self.clock or 0) / 1000 if self.interaction_id is None else time_of(self.interaction_id)

    @property
    def governed(self) -> bool:
        """Return whether anybody has rights without being a game master: on servers, in direct messages."""
        return self.manages or self.guild_id is not None

    def leads(self, masters: frozenset[Master]) -> bool:
        """Return whether they lead a campaign of these game masters; managers of the server always do.

        Timers and the bot itself need no right.
        """
        return self.manages or self.clock is not None or any(map(self._matches, masters))

    def _matches(self, master: Master) -> bool:
        user_id = self.hand or self.user_id
        return master.id in self.roles if master.kind is MasterKind.ROLE else master.id == user_id

    def has_gm(self, masters: frozenset[Master]) -> bool:
        """Return whether anybody could see results for game masters."""
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
            mentions = ", ".join(sorted(master.mention for master in masters))
            raise NotAllowed("Only the game masters of this campaign can do that: {named}.", named=mentions)
        raise NotAllowed("Only game masters can do that. `/campaign show` lists them.")

    def must_manage(self, refusal: NotAllowed) -> None:
        """Raise the refusal for somebody without Manage Server, and NotAllowed where nobody has it."""
        if not self.governed:
            raise NotAllowed("Only people with Manage Server can do that, and this place has none.")
        if not self.manages:
            raise refusal

    def must_play(self, campaign_id: int | None) -> None:
        """Raise Unknown if the pressed button was shown for another campaign than the one played."""
        if self.shown_in not in {None, campaign_id}:
            raise Unknown("This channel plays another campaign since then. Use the command again.")

    def at_part(self, part: int) -> "Caller":
        """Return the same caller for one of several events of the interaction."""
        return self if self.interaction_id is None else replace(self, part=part)


class Following(Enum):
    """Which events about the target a command needs, apart from undone ones."""

    NONE = "none"
    OWN = "own"
    """All but other people's rolls."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Needs:
    """The data that a command needs before it can be decided."""

    roller: str = ""
    """The casefolded name of the roller, which need not exist."""
    event: int | None = None
    """The number of the target event."""
    following: Following = Following.NONE
    remembers_for: Remembers | None = None
    """Whose memory to load; None for the roller's own setting."""
    called: bool = False
    """Whether the event is a call: it then sets whose memory to load, and the roller if none is named.
    The call's luck account takes precedence."""
    last: bool = False
    """Whether to load the roller's newest event that can be undone."""
    campaign: int | None = None
    """The id of the campaign; None for the one played in the caller's channel."""
    own: bool = False
    """Whether it is the channel's own campaign, which every channel has."""
    new: bool = False
    """Whether it is a campaign yet to be created."""
    name: str = ""
    """The casefolded campaign name to look up."""
    masters: bool = False
    """Whether to load the game masters, whoever the caller is."""
    hand: bool = False
    """Whether to count the cards in the caller's hand."""
    session: bool = False
    """Whether to load the current session."""
    push: bool = False
    """Whether to look for the caller's push of the event."""


@dataclass(frozen=True, slots=True)
class RollOptions:
    """How an event is recorded and a roll is made."""

    label: str = ""
    """The caller's label for it, cleaned."""
    visibility: Visibility | None = None
    """Who may see the result; None for the campaign's default."""
    called: bool = False
    """Whether a game master called for it."""
    practice: bool = False
    """Whether it neither reads nor changes a memory."""
    remembers_for: Remembers | None = None
    """Whose memory it uses; None for the roller's own setting."""
    character: str = ""
    """The name of the caller's character; "" for none."""
    typed: str = ""
    """The dice as typed if they are in another program's notation; else ""."""
    thrown: tuple[int, ...] = ()
    """The faces of dice that the caller threw by hand; empty if the bot throws."""


OPEN = RollOptions(visibility=Visibility.PUBLIC)
"""The options of commands that are not rolls."""


class NeedsOtherHand(DiceError):
    """In proof mode, somebody else has to press for the bot's host."""


class MustWait(DiceError):
    """In proof mode, too many events that nobody asked for would follow each other."""


class Command:
    """A request to change a campaign."""

    __slots__ = ()
    gm: ClassVar[bool] = False
    """Whether it needs a game master by default; see `right`."""
    options: RollOptions = OPEN

    def needs(self) -> Needs:
        """Return the data it needs; by default none beyond the campaign played here."""
        return Needs()

    def right(self, _caller: Caller, _rules: Rules) -> bool:
        """Return whether this caller must be a game master, under these rules."""
        return self.gm

    def options_in(self, _state: State) -> RollOptions:
        """Return the options that its event is recorded with."""
        return self.options


class Plain(Command, ABC):
    """A command that draws nothing."""

    __slots__ = ()

    @abstractmethod
    def decide(self, caller: Caller, state: State) -> Body:
        """Return the resulting event body; raise DiceError to refuse."""


class Drawing(Command, ABC):
    """A command that draws."""

    __slots__ = ()

    @abstractmethod
    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Body:
        """Return the resulting event body; raise DiceError to refuse."""


@dataclass(frozen=True, slots=True)
class InCampaign(Command):
    """A command that may be about another campaign than the one played in the caller's channel."""

    campaign_id: int | None
    """None for the one played there."""

    def needs(self) -> Needs:
        """Return the campaign."""
        return Needs(campaign=self.campaign_id)


@dataclass(frozen=True, slots=True)
class AboutEvent(InCampaign):
    """A command about an earlier event, its target."""

    following: ClassVar[Following] = Following.NONE
    push: ClassVar[bool] = False
    """Whether it needs the caller's push of the target."""
    number: int

    def needs(self) -> Needs:
        """Return the target, and the later events about it."""
        return Needs(campaign=self.campaign_id, event=self.number, following=self.following, push=self.push)


def needs_right(command: Command, caller: Caller, rules: Rules) -> bool:
    """Return whether the game masters must be known to decide if the caller may do it."""
    if caller.leads(frozenset()):
        return False
    blind = command.options.visibility is Visibility.BLIND
    return command.right(caller, rules) or (blind and not caller.governed)


def decide(command: Command, caller: Caller, state: State, draws: Callable[[], SourcedDraws]) -> Body:
    """Return the event body a command results in; `draws` opens the draws of a roll if it needs any.

    Rights are checked here, on the state that the command changes: raise NotAllowed without them, and Unknown
    for a campaign of another server, which only a forged id can name.
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
                raise NeedsOtherHand(
                    "You host the bot, so in proof mode others throw for you. Ask with `/roll`, and somebody "
                    "else presses. In a call, another game master rolls for you."
                )
            if state.proof and state.proof.host == NOBODY:
                raise DiceError(
                    "The host of the bot is erased, so I don't know for whom others throw. A game master "
                    "switches proof mode off and on again: `/proof`."
                )
            if not (thrown := command.options.thrown):
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
