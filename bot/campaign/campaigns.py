"""A campaign's settings: its name, rules, game masters and rollers.

Game masters set the rules; unset rules keep Evenhand's defaults. A roller is a named system of the campaign
with one memory for the table or for each player.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from bot.campaign.kinds import FOREVER, LONGEST_RETENTION, SHORTEST_RETENTION, Visibility
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import SpecError
from bot.dice.system import Memory, System
from bot.rulebooks.book import Game, read_game
from bot.systems.game import GameRoll
from bot.systems.luck import Keeping, LuckAccount
from bot.systems.registry import load_spec

PACE_LIMIT = 20
HAND_LIMIT = 20
"""The most cards in a hand; a message has room for that many buttons."""
CAMPAIGNS_LIMIT = 50
"""Named campaigns per server, archived ones included, unless its managers allow more."""
REGISTER = "d100 register"
"""The name of every campaign's accumulation register."""
LEFTOVERS = "d100 leftovers"
"""The name of every campaign's counter of leftovers."""
TABLE = 0
"""The owner of a memory that the whole table shares."""
_OWN = "d100 "


class RightHolder(StrEnum):
    """Who has a right."""

    GMS = "gms"
    EVERYONE = "everyone"


class Footer(StrEnum):
    """What a roll's footer shows, besides its number, its roller and a hidden roll's seal."""

    CHECKPOINTS = "checkpoints"
    """As `FULL`, plus the log's checkpoint under each day's first roll and every hundredth event."""
    FULL = "full"
    """The player, the roller's complete rule and the source of the bits."""
    SHORT = "short"
    """The source of the bits if it is special; the player only if Discord does not show them."""
    NUMBER = "number"
    """As `SHORT`, without the bits, which *Roll details* shows."""


class Looks(StrEnum):
    """How new messages look."""

    CARDS = "cards"
    TEXT = "text"
    """Plain text, for bridges to other chats and for those who prefer it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A campaign's rules; SpecError for a value out of range."""

    visibility: Visibility = Visibility.PUBLIC
    """The default visibility of rolls."""
    makers: RightHolder = RightHolder.GMS
    """Who may make rollers."""
    called_only: bool = False
    """Whether memories count only rolls that a game master called for; others are practice."""
    odds: RightHolder = RightHolder.EVERYONE
    """Who may see the odds of the next roll."""
    pace: int = 0
    """Rolls per player in five seconds; 0 for Evenhand's own limit."""
    retention: int = FOREVER
    """Days to keep the history; 0 for Evenhand's own limit, which may be for ever."""
    footer: Footer = Footer.SHORT
    """What a roll's footer shows."""
    dialect: Dialect = Dialect.EVENHAND
    """The notation in which players type dice."""
    game: str = ""
    """The key of the game that is played, or the text of its file; "" for none."""
    by_hand: bool = True
    """Whether memories count dice thrown by hand."""
    d6_only: bool = False
    """Whether plain dice are simulated with d6s."""
    d100_zero: bool = False
    """Whether 00 of a d100 out of d6s counts 0; else it is 100."""
    hand: int = 0
    """The number of cards to refill a hand to after a play or a discard; 0 for no refill."""
    faces: bool = True
    """Whether results show pictures of dice, if the bot has them; else text."""
    looks: Looks = Looks.CARDS
    """How messages look."""
    language: str = ""
    """The language code of public messages; "" for the server's language."""
    log_channel: int = 0
    """Discord's id of the channel that gets a line for each public roll; 0 for none."""
    gm_channel: int = 0
    """Discord's id of the channel told of each hidden roll without its result; 0 for none."""

    def __post_init__(self) -> None:
        if not 0 <= self.pace <= PACE_LIMIT:
            raise SpecError(
                "A player can have 0 to {most} rolls in five seconds, not {pace:,}.",
                most=PACE_LIMIT,
                pace=self.pace,
            )
        if not 0 <= self.hand <= HAND_LIMIT:
            raise SpecError("A hand has 0 to {most} cards, not {cards:,}.", most=HAND_LIMIT, cards=self.hand)
        if self.retention and not SHORTEST_RETENTION <= self.retention <= LONGEST_RETENTION:
            raise SpecError(
                "A history can be kept for {shortest_retention} to {longest_retention:,} days, or for "
                "ever (0), not for {retention:,}.",
                shortest_retention=SHORTEST_RETENTION,
                longest_retention=LONGEST_RETENTION,
                retention=self.retention,
            )

    def kept_days(self, limit: int) -> int:
        """Return the days to keep the history, given Evenhand's own limit; 0 is for ever."""
        return min((days for days in (self.retention, limit) if days != FOREVER), default=FOREVER)

    def followed(self, before: "Rules", after: "Rules") -> dict[str, object]:
        """Return the values to change for new server defaults: of the rules that had the old default."""
        return {
            name: getattr(after, name)
            for name in self.__slots__
            if getattr(self, name) == getattr(before, name) != getattr(after, name)
        }

    def played(self, games: Mapping[str, Game]) -> Game | None:
        """Return the game played: one of these, or one from a file; None for none."""
        return games.get(self.game) or (_from_file(self.game) if self.game.startswith("{") else None)


_from_file = lru_cache(maxsize=64)(read_game)


USUAL = Rules()
"""The default rules."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign's settings; a channel's own campaign has no name until it gets one."""

    name: str | None = None
    home: int = 0
    """The scope in which its name is unique: a server's id, or a channel's negative id."""
    own: bool = False
    """Whether it is a channel's own campaign, which can't be archived."""
    archived: bool = False
    rules: Rules = Rules()
    evening: int = 0
    """The number of the event that began its newest session; 0 for none."""


UNNAMED = Campaign()
"""A campaign with default settings."""


class MasterKind(StrEnum):
    """Whether a game master is a person or a role."""

    USER = "user"
    ROLE = "role"


@dataclass(frozen=True, slots=True)
class Master:
    """A game master of a campaign: one person, or everybody with a role."""

    kind: MasterKind
    id: int

    @property
    def mention(self) -> str:
        """Return the mention that Discord shows as a name."""
        return f"<@{self.id}>" if self.kind is MasterKind.USER else f"<@&{self.id}>"


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """A campaign with its id and its newest event's number."""

    campaign_id: int
    campaign: Campaign
    seq: int


@dataclass(frozen=True, slots=True)
class CampaignDetails:
    """A campaign with its details for display."""

    campaign: Campaign
    events: int
    channels: tuple[int, ...]
    masters: frozenset[Master]
    usable: bool
    """Whether the caller may play it in their channel."""


class Remembers(StrEnum):
    """Whether a roller has one memory for the table, or one for each player."""

    TABLE = "table"
    PLAYER = "player"

    def owner(self, user_id: int) -> int:
        """Return the owner of the memory that a roll by this player uses."""
        return user_id if self is Remembers.PLAYER else TABLE


@dataclass(frozen=True, slots=True)
class Roller:
    """A named roller of one campaign.

    Its memories start at event `epoch`. A reset moves the epoch and changes no memory, so it can be undone.
    """

    name: str
    spec: str
    """Its system as canonical JSON text; "" once removed."""
    memory: Remembers
    epoch: int
    last: int = field(default=0, metadata={"part": ""})
    """The number of its newest event that can be undone; 0 for none."""

    @property
    def system(self) -> System | None:
        """Return its system; None once removed."""
        return load_spec(self.spec) if self.spec else None

    @property
    def shows_numbers(self) -> bool:
        """Return whether every roll is one number; several cards at once never are."""
        system = self.system
        if isinstance(system, GameRoll):
            return not system.rule.classes
        return system is not None and system.hand == 1 and None not in map(number_on, system.faces)

    def at(self, last: int) -> "Roller":
        """Return the roller with another newest event."""
        return Roller(self.name, self.spec, self.memory, self.epoch, last)

    def since(self, evening: int) -> int:
        """Return the event number that its memories start at, in the session that event `evening` began."""
        ends_with_session = isinstance(system := self.system, LuckAccount) and system.keep is Keeping.SESSION
        return max(self.epoch, evening) if ends_with_session else self.epoch


@dataclass(frozen=True, slots=True)
class KeptRoller:
    """A roller as recorded in a cut, so that the remaining events can be verified."""

    roller: Roller
    memories: tuple[tuple[str, Memory], ...] = ()
    """Its memories since its epoch, by owner: "table", or a player's tag of 32 hexadecimal digits."""
    last: int = 0
    """The number of its newest event that can be undone."""
    evening: int = 0
    """The number of the event that began the newest session, if its memory ends with a session."""
    unsure: tuple[str, ...] = ()
    """The unknown parts of it; see `bot.record.known`."""


def remembers(name: str) -> Remembers:
    """Return whose memory a roller created by its first roll has: the table's for maps and leftovers."""
    return Remembers.PLAYER if is_own(name) and name.casefold() != LEFTOVERS else Remembers.TABLE


def is_own(name: str) -> bool:
    """Return whether the name is a built-in d100 roller's, created by the first roll."""
    return name.casefold().startswith(_OWN)


def number_on(face: str) -> int | None:
    """Return the number on a face; None if it is not a number."""
    try:
        return int(face)
    except ValueError:
        return None
