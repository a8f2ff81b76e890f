"""An event: one entry of a campaign's history, never changed once written."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.dice.bases import Json
from bot.dice.labels import Label

DISCORD_EPOCH = 1_420_070_400_000
"""Milliseconds from 1970 to the first moment a Discord id can name."""


def time_of(interaction_id: int) -> float:
    """Seconds since 1970; ids of events that no interaction made are negative."""
    return ((abs(interaction_id) >> 22) + DISCORD_EPOCH) / 1000


class Kind(StrEnum):
    """What happened."""

    ROLL = "roll"
    MAKE = "make"
    RESET = "reset"
    REMOVE = "remove"
    UNDO = "undo"
    REVEAL = "reveal"
    CREATE = "create"
    USE = "use"
    RENAME = "rename"
    ARCHIVE = "archive"
    MASTER = "master"
    """A game master was named or dismissed."""
    RULES = "rules"
    ERASE = "erase"
    """Somebody was erased; it does not say who."""
    SESSION = "session"
    """An evening begins or ends; the text says which."""
    CUT = "cut"
    """All events up to its target were removed; it keeps what the rest must be checked with."""
    CALL = "call"
    """A game master calls for rolls; the rolls that answer have it as their target."""
    CLOSE = "close"
    REOPEN = "reopen"
    CANCEL = "cancel"


class Visibility(StrEnum):
    """Who may see a roll's result until it is revealed."""

    PUBLIC = "public"
    SELF = "self"
    """Only who rolled."""
    GM = "gm"
    """Who rolled, and the game masters."""
    BLIND = "blind"
    """Only the game masters, not even who rolled."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked for what, where: everything about an event that is known before it is decided."""

    interaction_id: int
    """Discord's id of the command or click; it holds the time and is stored at most once."""
    guild_id: int | None
    """None in direct messages and in channels the bot is not a member of."""
    channel_id: int
    user_id: int
    label: str = ""
    """The asker's own words for the roll, cleaned."""
    visibility: Visibility | None = Visibility.PUBLIC
    """None is what the campaign's rules say."""
    parent_id: int | None = None
    """The channel that a thread or a forum's post belongs to."""
    called: bool = False
    """Whether a game master called for the roll."""

    @property
    def root(self) -> int:
        """The channel whose campaign is played here, unless this place chose one for itself."""
        return self.parent_id or self.channel_id

    @property
    def home(self) -> int:
        """Where campaigns are named: the server; without one the channel alone, as a negative number."""
        return -self.root if self.guild_id is None else self.guild_id

    @property
    def time(self) -> float:
        """When it is asked: seconds since 1970, read from Discord's id."""
        return time_of(self.interaction_id)

    def part(self, place: int) -> "Asked":
        """One of several events that the same interaction leads to, by its place from 1 on.

        Each needs an id of its own, which is the same when Discord delivers the interaction twice: a
        negative one, since no interaction of Discord's has that.
        """
        return replace(self, interaction_id=-(abs(self.interaction_id) + place))


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a campaign's history.

    `user_id`, `label` and `salt` are None once the person was erased; `person` is the salted hash that
    stays. `head` is the chain's head after this event.
    """

    campaign_id: int
    seq: int
    interaction_id: int
    channel_id: int
    user_id: int | None
    kind: Kind
    roller: str
    """The roller's name; "" for plain dice."""
    text: str
    """Canonical notation of plain dice; else "" or what the event is about, in words."""
    visibility: Visibility
    label: str | None
    source: Label | None
    """Where the bits came from; None where nothing was drawn."""
    results: tuple[str, ...]
    """The faces that came out, in order."""
    spec: str
    """The system that the roll was made with, or that was made: canonical JSON text; "" for plain dice."""
    target: int | None
    """The number of the event that an undo or a reveal is about, of the call that a roll answers, or of the
    last event that a cut removed."""
    detail: Mapping[str, Json]
    """For replay: "draws", the roller's state before, and "prev", the event that could be undone before."""
    salt: bytes | None
    person: bytes
    head: bytes

    @property
    def time(self) -> float:
        """When it was asked for: seconds since 1970, read from Discord's id."""
        return time_of(self.interaction_id)
