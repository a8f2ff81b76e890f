"""Events: every kind of thing that happens in a campaign, each as one frozen value.

A body says what happened; an `Event` is a body with its number, place, person and time.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.adjustments import added
from bot.campaign.call_terms import Terms
from bot.campaign.campaigns import KeptRoller, Master, MasterKind, Remembers, Roller, Rules
from bot.campaign.kinds import HOW, PUB, UNRECORDED, UNSEALED, Body, Kind, Mark, Seal, Visibility, Words
from bot.campaign.rolled import Rolled
from bot.dice.draws import Drawn, Source
from bot.dice.modifiers import Which
from bot.dice.system import Memory
from bot.times import milliseconds_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RollerMade(Body, kind=Kind.MAKE):
    """A roller was made, or tuned on."""

    spec: str = ""
    memory: Remembers = Remembers.TABLE
    before: Roller | None = field(default=None, metadata=HOW)
    """The roller of that name before it, also a removed one."""
    prev: int = field(default=-1, metadata=HOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollerReset(Body, kind=Kind.RESET):
    """A roller forgot everything."""

    before: Roller | None = field(default=None, metadata=HOW)
    prev: int = field(default=-1, metadata=HOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterReset(Body, kind=Kind.RESTART):
    """A player's own d100 register began anew, at a value."""

    spec: str = ""
    value: int = 0
    source: Source | None = None
    prev: int = field(default=-1, metadata=HOW)
    before: Memory = field(default=(), metadata=HOW)
    draws: tuple[Drawn, ...] = field(default=(), metadata=HOW)
    key: str = field(default="", metadata=HOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollerRemoved(Body, kind=Kind.REMOVE):
    """A roller was removed."""

    before: Roller | None = field(default=None, metadata=HOW)
    prev: int = field(default=-1, metadata=HOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Body, kind=Kind.UNDO):
    """The target, a roller's newest event, was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Body, kind=Kind.REVEAL):
    """The target, a hidden roll or all rolls of a hidden call, is shown to everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCreated(Body, kind=Kind.CREATE):
    """A campaign got its first name; who asked is its first game master."""

    name: str = ""
    joins: bool = False
    """Whether it is played from now on where it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignUsed(Body, kind=Kind.USE):
    """A campaign is played from now on where it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRenamed(Body, kind=Kind.RENAME):
    """A campaign got another name."""

    name: str = ""
    before: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignArchived(Body, kind=Kind.ARCHIVE):
    """A campaign was archived, and its channels play their own campaigns again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterChanged(Body, kind=Kind.MASTER):
    """A game master was named or dismissed; of a person it is not recorded who."""

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
    """Somebody was erased; it does not say who."""

    events: int = 0
    """How many events they were taken out of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMarked(Body, kind=Kind.SESSION):
    """A session began or ended."""

    mark: Mark = Mark.START


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryCut(Body, kind=Kind.CUT):
    """All events up to the target were removed."""

    days: int = field(default=0, metadata=PUB)
    """For how many days the history was to be kept."""
    frontier: tuple[str, ...] = field(default=(), metadata=PUB)
    """The tree's frontier after the target, as hexadecimal digits."""
    session: tuple[int, ...] = field(default=(), metadata=PUB)
    """The number and the interaction of the event that began the session which went on then; else empty."""
    rollers: tuple[KeptRoller, ...] = field(default=(), metadata=HOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRestored(Body, kind=Kind.RESTORED):
    """A backup took the place of the database: what followed there before is of another branch."""

    last: int = field(default=0, metadata=PUB)
    """The number of the backup's last event, which is the one before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOpened(Body, kind=Kind.CALL):
    """A game master called for rolls."""

    terms: Terms = field(default_factory=Terms)
    text: str = ""
    """Canonical notation; "" for a roller."""
    deadline: int | None = None
    """Milliseconds since 1970; None stays open until it is closed."""
    rest: str = ""
    """Canonical notation of dice that are rolled beside the roller; "" for none."""
    plus: int = 0
    """A number added to what the roller shows."""
    keep: Which | None = None
    """Which of two rolls of the roller counts."""

    @property
    def dice(self) -> str:
        """Return the notation, or else the roller's name with what is added.

        With both notation and a roller, that is a luck account.
        """
        helps = Which.KEEP_LOWEST if self.terms.under else Which.KEEP_HIGHEST
        way = f" {'adv' if self.keep is helps else 'dis'}" if self.keep else ""
        return self.text or f"{self.roller}{added(self.rest, self.plus)}{way}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallClosed(Body, kind=Kind.CLOSE):
    """The target, a call, takes no more rolls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReopened(Body, kind=Kind.REOPEN):
    """The target, a call, takes rolls again, without a deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCancelled(Body, kind=Kind.CANCEL):
    """The target, a call, came to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(Body, kind=Kind.PLAY):
    """A card in a hand was shown to everybody; as below, the target is the roll that drew or offered it."""

    results: tuple[str, ...] = ()
    """The face of the card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDiscarded(Body, kind=Kind.DISCARD):
    """A card left a hand, and nobody is told which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReturned(Body, kind=Kind.RETURN):
    """A card went back to its roller."""

    place: int = field(default=-1, metadata=HOW)
    """The place of its face in the roller's table."""
    prev: int = field(default=-1, metadata=HOW)
    whose: Remembers | None = field(default=None, metadata=HOW)
    """Whose memory it went back to."""
    before: Memory | None = field(default=None, metadata=HOW)
    """That memory before it."""
    offered: bool = False
    """Whether it was on offer, and in no hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChosen(Body, kind=Kind.CHOOSE):
    """A card of an offer was taken."""

    choice: int = -1
    """Its place among the offer's results."""


CardLeft: TypeAlias = CardPlayed | CardDiscarded | CardReturned
"""How a card leaves a hand."""
RollerChange: TypeAlias = RollerMade | RollerReset | RollerRemoved
"""Changes of a roller itself, which keep the roller before them."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a campaign's history, never changed once written."""

    campaign_id: int
    seq: int
    """Its number in the campaign: 1, 2, 3 and so on."""
    interaction_id: int | None
    """Discord's id of the command or press; None where nobody asked."""
    part: int
    """Its place, from 1 on, among several events of one interaction; 0 where it is the only one."""
    clock: int | None
    """Milliseconds since 1970 where nobody asked; else None."""
    channel_id: int
    user_id: int | None
    """None once the person was erased, and where nobody asked."""
    words: Words | None
    """The person's own words for it; None once they were erased, and where nobody asked."""
    visibility: Visibility
    body: Body
    log: str = ""
    """On event 1 alone: the 32 hexadecimal digits that name the campaign's log for ever."""
    seal: Seal = UNSEALED

    @property
    def at(self) -> tuple[int, int]:
        """Return its campaign and number, by which buttons and calls are known."""
        return self.campaign_id, self.seq

    @property
    def kind(self) -> Kind:
        """Return its kind."""
        return self.body.kind

    @property
    def target(self) -> int | None:
        """Return the number of the earlier event that it is about."""
        return self.body.target

    @property
    def label(self) -> str | None:
        """Return what the person says that it is for; None where their words are gone."""
        return self.words.label if self.words else None

    @property
    def character(self) -> str:
        """Return the name of the character whose roll it is; "" for none, and where their words are gone."""
        return self.words.character if self.words else ""

    @property
    def roller(self) -> str:
        """Return the name of the roller that it is about; "" for none."""
        return self.body.roller

    @property
    def roll(self) -> Rolled:
        """Return the body of a roll; TypeError for every other kind."""
        if not isinstance(self.body, Rolled):
            raise TypeError(f"#{self.seq} is no roll")
        return self.body

    @property
    def player_id(self) -> int | None:
        """Return whose luck a roll is; None for what a game master rolls for monsters too."""
        return None if self.roll.names else self.user_id

    @property
    def time(self) -> float:
        """Return when it was asked for, in seconds since 1970."""
        return self.milliseconds / 1000

    @property
    def milliseconds(self) -> int:
        """Return the same in milliseconds."""
        return (self.clock or 0) if self.interaction_id is None else milliseconds_of(self.interaction_id)
