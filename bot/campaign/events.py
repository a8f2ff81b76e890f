"""Events: one frozen dataclass for each kind of thing that happens in a campaign.

A body holds the facts of its kind; one without facts of its own needs no decorator. An `Event` is a body
with its number, channel, person and time.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from bot.campaign.adjustments import added
from bot.campaign.call_terms import Terms
from bot.campaign.campaigns import KeptRoller, Master, MasterKind, Remembers, Roller, Rules
from bot.campaign.kinds import HOW, PUB, UNRECORDED, UNSEALED, Body, Kind, Mark, Seal, Visibility, Words
from bot.campaign.rolled import Rolled
from bot.dice.draws import Drawn, Source
from bot.dice.modifiers import KeepKind
from bot.dice.system import Memory
from bot.times import milliseconds_of

_Body = TypeVar("_Body", bound=Body)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollerChange(Body):
    """A roller itself was changed."""

    before: Roller | None = field(default=None, metadata=HOW)
    """The previous roller of that name, even if it was removed."""
    prev: int = field(default=-1, metadata=HOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollerMade(RollerChange, kind=Kind.MAKE):
    """A roller was created, or tuned."""

    spec: str = ""
    memory: Remembers = Remembers.TABLE


class RollerReset(RollerChange, kind=Kind.RESET):
    """A roller's memories were cleared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterReset(Body, kind=Kind.RESTART):
    """A player's d100 register was set to a value."""

    spec: str = ""
    value: int = 0
    source: Source | None = None
    prev: int = field(default=-1, metadata=HOW)
    before: Memory = field(default=(), metadata=HOW)
    draws: tuple[Drawn, ...] = field(default=(), metadata=HOW)
    key: str = field(default="", metadata=HOW)


class RollerRemoved(RollerChange, kind=Kind.REMOVE):
    """A roller was removed."""


class Undone(Body, kind=Kind.UNDO):
    """The target, a roller's newest event, was undone."""


class Revealed(Body, kind=Kind.REVEAL):
    """The target, a hidden roll or a hidden call, became visible to everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCreated(Body, kind=Kind.CREATE):
    """A campaign got its first name; the caller became its first game master."""

    name: str = ""
    joins: bool = False
    """Whether it is now played in the caller's channel."""


class CampaignUsed(Body, kind=Kind.USE):
    """A campaign is now played in the caller's channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRenamed(Body, kind=Kind.RENAME):
    """A campaign was renamed."""

    name: str = ""
    before: str | None = None


class CampaignArchived(Body, kind=Kind.ARCHIVE):
    """A campaign was archived; its channels play their own campaigns again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterChanged(Body, kind=Kind.MASTER):
    """A game master was added or removed; the id of a person is not recorded."""

    named: bool = True
    who: MasterKind = MasterKind.USER
    role: int | None = None
    master: Master | None = field(default=None, compare=False, repr=False, metadata=UNRECORDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSet(Body, kind=Kind.RULES):
    """A campaign's rules were set."""

    before: Rules = Rules()
    after: Rules = Rules()


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonErased(Body, kind=Kind.ERASE):
    """A person was erased; the record does not identify them."""

    events: int = 0
    """The number of events they were removed from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMarked(Body, kind=Kind.SESSION):
    """A session began or ended."""

    mark: Mark = Mark.START


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryCut(Body, kind=Kind.CUT):
    """All events up to the target were removed."""

    days: int = field(default=0, metadata=PUB)
    """The campaign's retention in days."""
    frontier: tuple[str, ...] = field(default=(), metadata=PUB)
    """The tree's frontier after the target, as hexadecimal digits."""
    session: tuple[int, ...] = field(default=(), metadata=PUB)
    """The number and the interaction id of the event that began the current session; () if there was none."""
    rollers: tuple[KeptRoller, ...] = field(default=(), metadata=HOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRestored(Body, kind=Kind.RESTORED):
    """A backup replaced the database: events that once had later numbers belong to another branch."""

    last: int = field(default=0, metadata=PUB)
    """The number of the backup's last event, the one before this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOpened(Body, kind=Kind.CALL):
    """A game master called for rolls."""

    terms: Terms = field(default_factory=Terms)
    text: str = ""
    """Canonical notation; "" for a roller."""
    deadline: int | None = None
    """Milliseconds since 1970; None for no deadline."""
    rest: str = ""
    """Canonical notation of dice added to the roller; "" for none."""
    plus: int = 0
    """A number added to the roller's result."""
    keep: KeepKind | None = None
    """Which of two rolls of the roller counts; None for one roll."""

    @property
    def dice(self) -> str:
        """Return the notation, else the roller's name with its additions.

        If there are both, the roller is a luck account.
        """
        advantage = KeepKind.KEEP_LOWEST if self.terms.under else KeepKind.KEEP_HIGHEST
        suffix = f" {'adv' if self.keep is advantage else 'dis'}" if self.keep else ""
        return self.text or f"{self.roller}{added(self.rest, self.plus)}{suffix}"


class CallClosed(Body, kind=Kind.CLOSE):
    """The target, a call, was closed to further rolls."""


class CallReopened(Body, kind=Kind.REOPEN):
    """The target, a call, was reopened without a deadline."""


class CallCancelled(Body, kind=Kind.CANCEL):
    """The target, a call, was cancelled."""


class CardLeft(Body):
    """A card left a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(CardLeft, kind=Kind.PLAY):
    """A card of a hand was shown to everybody; the target of all card events is the draw or offer."""

    results: tuple[str, ...] = ()
    """The face of the card."""


class CardDiscarded(CardLeft, kind=Kind.DISCARD):
    """A card left a hand unseen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReturned(CardLeft, kind=Kind.RETURN):
    """A card went back to its roller."""

    place: int = field(default=-1, metadata=HOW)
    """The index of its face in the roller's table."""
    prev: int = field(default=-1, metadata=HOW)
    whose: Remembers | None = field(default=None, metadata=HOW)
    """Whether it went back to the table's or the player's memory."""
    before: Memory | None = field(default=None, metadata=HOW)
    """That memory before it."""
    offered: bool = False
    """Whether it came from an offer instead of a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChosen(Body, kind=Kind.CHOOSE):
    """A card of an offer was chosen."""

    choice: int = -1
    """Its index among the offer's results."""


class EventAt(NamedTuple):
    """Key of an event: its campaign and its number."""

    campaign_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a campaign's history, never changed once written."""

    campaign_id: int
    seq: int
    """Its number in the campaign: 1, 2, 3 and so on."""
    interaction_id: int | None
    """Discord's id of the command or press; None without a person."""
    part: int
    """Its position, from 1, among several events of one interaction; 0 if it is the only one."""
    clock: int | None
    """Milliseconds since 1970 if there is no interaction id; else None."""
    channel_id: int
    user_id: int | None
    """None for erased people, and without a person."""
    words: Words | None
    """The person's own words for it; None for erased people, and without a person."""
    visibility: Visibility
    body: Body
    log: str = ""
    """The id of the campaign's log, 32 hexadecimal digits; on event 1 only."""
    seal: Seal = UNSEALED

    @property
    def at(self) -> EventAt:
        """Return its key, which buttons and calls use too."""
        return EventAt(self.campaign_id, self.seq)

    @property
    def kind(self) -> Kind:
        """Return its kind."""
        return self.body.kind

    @property
    def target(self) -> int | None:
        """Return the number of the earlier event it refers to."""
        return self.body.target

    @property
    def label(self) -> str | None:
        """Return the person's label for it; None if it was erased."""
        return self.words.label if self.words else None

    @property
    def character(self) -> str:
        """Return the name of the rolling character; "" for none, and if it was erased."""
        return self.words.character if self.words else ""

    @property
    def roller(self) -> str:
        """Return the name of its roller; "" for none."""
        return self.body.roller

    @property
    def roll(self) -> Rolled:
        """Return the body of a roll; TypeError for every other kind."""
        if not isinstance(self.body, Rolled):
            raise TypeError(f"#{self.seq} is no roll")
        return self.body

    def body_of(self, kind: type[_Body]) -> _Body:
        """Return the body of this class; TypeError if the event is of another kind."""
        if not isinstance(self.body, kind):
            raise TypeError(f"#{self.seq} is no {kind.__name__}")
        return self.body

    @property
    def player_id(self) -> int | None:
        """Return the player whose luck a roll counts for; None for a game master's named rolls."""
        return None if self.roll.names else self.user_id

    @property
    def time(self) -> float:
        """Return the time of the interaction, in seconds since 1970."""
        return self.milliseconds / 1000

    @property
    def milliseconds(self) -> int:
        """Return the time of the interaction, in milliseconds since 1970."""
        return (self.clock or 0) if self.interaction_id is None else milliseconds_of(self.interaction_id)
