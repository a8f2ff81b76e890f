"""A campaign as its people know it: its name, rules, game masters and rollers.

Game masters set the rules; what they do not set stays as Evenhand has it. A roller is a named system of the
campaign, and says whose rolls it remembers.
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
"""A message has room for a button for each of so many cards."""
CAMPAIGNS_LIMIT = 50
"""Named campaigns per server, archived ones included, unless its managers allow more."""
REGISTER = "d100 register"
"""The name of every campaign's accumulation register."""
LEFTOVERS = "d100 leftovers"
"""The name of every campaign's counter of leftovers."""
TABLE = 0
"""The owner of a memory that the whole table shares."""
_OWN = "d100 "


class Whose(StrEnum):
    """Who may."""

    GMS = "gms"
    EVERYONE = "everyone"


class Footer(StrEnum):
    """How much stands under a roll: always its number, a roller's name and kind, and a hidden roll's seal."""

    CHECKPOINTS = "checkpoints"
    """As `FULL`, and the log's checkpoint under a day's first roll and one of each hundred."""
    FULL = "full"
    """The player, the roller's whole rule and where the bits came from."""
    SHORT = "short"
    """Where the bits came from if that is special; the player only where Discord does not name them."""
    NUMBER = "number"
    """As `SHORT`, without the bits; *Roll details* tells them."""


class Looks(StrEnum):
    """How messages look; those that stand there already stay as they are."""

    CARDS = "cards"
    TEXT = "text"
    """As plain text, for bridges to other chats, and for those who prefer it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for a campaign; SpecError says what is out of range."""

    visibility: Visibility = Visibility.PUBLIC
    """Of rolls that do not say their own."""
    makers: Whose = Whose.GMS
    """Who may make rollers."""
    called_only: bool = False
    """Whether a roll counts in a memory only if a game master called for it; the others are practice."""
    odds: Whose = Whose.EVERYONE
    """Who may see the odds of the next roll."""
    pace: int = 0
    """Rolls per player in five seconds; 0 is Evenhand's own limit."""
    retention: int = FOREVER
    """Days that the history is kept; 0 is Evenhand's own limit, which may be for ever."""
    footer: Footer = Footer.SHORT
    """How much stands under a roll."""
    dialect: Dialect = Dialect.EVENHAND
    """Whose notation is read where players type dice."""
    game: str = ""
    """The key of the game that is played, or the text of its file; "" for none."""
    by_hand: bool = True
    """Whether a roller with a memory remembers dice that somebody threw by hand."""
    d6_only: bool = False
    """Whether plain dice of all kinds are made of d6s."""
    d100_zero: bool = False
    """Whether 00 of a d100 out of d6s counts 0; else it is 100."""
    hand: int = 0
    """How many cards a player has again after a play or a discard; 0 for no more than are left."""
    faces: bool = True
    """Whether dice are drawn in results, where the bot has pictures of them; else they are text."""
    looks: Looks = Looks.CARDS
    """How messages look."""
    language: str = ""
    """The code of the language of what everybody reads; "" is the server's."""
    log_channel: int = 0
    """Discord's id of the channel that gets a line for each public roll; 0 for none."""
    gm_channel: int = 0
    """Discord's id of the channel that hears of each hidden roll, but not its result; 0 for none."""

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
        """For how many days the history is kept where all are kept for `limit`; 0 is for ever."""
        return min((days for days in (self.retention, limit) if days != FOREVER), default=FOREVER)

    def followed(self, before: "Rules", after: "Rules") -> dict[str, object]:
        """Return what changes here where a server's usual rules change: all that was as usual."""
        changes = {name: getattr(after, name) for name in self.__slots__}
        usual = {name for name in changes if getattr(self, name) == getattr(before, name)}
        return {name: to for name, to in changes.items() if name in usual and to != getattr(self, name)}

    def played(self, games: Mapping[str, Game]) -> Game | None:
        """Return the game that is played: one of these, or one from a file; None for none."""
        return games.get(self.game) or (_from_file(self.game) if self.game.startswith("{") else None)


_from_file = lru_cache(maxsize=64)(read_game)


USUAL = Rules()
"""The rules where none were set."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What is set about a campaign; a channel's own one has no name until it is given one."""

    name: str | None = None
    home: int = 0
    """Where its name is unique: a server's number, or a channel's as a negative number."""
    own: bool = False
    """Whether it is a channel's own, which can't be archived."""
    archived: bool = False
    rules: Rules = Rules()
    evening: int = 0
    """The number of the event that began its newest session; 0 for none."""


UNNAMED = Campaign()
"""A campaign about which nothing was set."""


class MasterKind(StrEnum):
    """Who is named a game master."""

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
class Found:
    """A campaign, its number and how many events it has."""

    campaign_id: int
    campaign: Campaign
    seq: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A campaign with everything that people ask about it."""

    campaign: Campaign
    events: int
    channels: tuple[int, ...]
    masters: frozenset[Master]
    usable: bool
    """Whether who asks may play it in their channel."""


class Remembers(StrEnum):
    """Whose rolls one memory holds."""

    TABLE = "table"
    PLAYER = "player"

    def owner(self, user_id: int) -> int:
        """Return whose memory a roll by this player uses."""
        return user_id if self is Remembers.PLAYER else TABLE


@dataclass(frozen=True, slots=True)
class Roller:
    """A named roller of one campaign.

    Its memories count from event `epoch` on: a reset moves the epoch and touches no memory, so it can be
    undone.
    """

    name: str
    spec: str
    """Its system as canonical JSON text; "" once removed."""
    memory: Remembers
    epoch: int
    last: int = field(default=0, metadata={"part": ""})
    """The number of its newest event that can be undone, 0 if there is none."""

    @property
    def system(self) -> System | None:
        """Return its system; None once removed."""
        return load_spec(self.spec) if self.spec else None

    @property
    def shows_numbers(self) -> bool:
        """Return whether every roll is one number; several cards at once are none, whatever is on them."""
        system = self.system
        if isinstance(system, GameRoll):
            return not system.rule.classes
        return system is not None and system.hand == 1 and None not in map(number_on, system.faces)

    def at(self, last: int) -> "Roller":
        """Return the roller with that newest event, which no record holds."""
        return Roller(self.name, self.spec, self.memory, self.epoch, last)

    def since(self, evening: int) -> int:
        """Return the number that its memories count from, in the session that event `evening` began."""
        ends = isinstance(system := self.system, LuckAccount) and system.keep is Keeping.SESSION
        return max(self.epoch, evening) if ends else self.epoch


@dataclass(frozen=True, slots=True)
class KeptRoller:
    """A roller as a cut keeps it, for the events that are left to be checked with."""

    roller: Roller
    memories: tuple[tuple[str, Memory], ...] = ()
    """Its memories since its epoch: of "table", or of a player by a tag of 32 hexadecimal digits."""
    last: int = 0
    """The number of its newest event that can be undone."""
    evening: int = 0
    """The number of the event that began the newest session, where its memory ends with one."""
    unsure: tuple[str, ...] = ()
    """What is not known of it; see `bot.record.known`."""


def remembers(name: str) -> Remembers:
    """Return whose a memory is that a first roll makes: a player's, of maps and leftovers the table's."""
    return Remembers.PLAYER if is_own(name) and name.casefold() != LEFTOVERS else Remembers.TABLE


def is_own(name: str) -> bool:
    """Return whether a roller of that name is each player's own: their first roll makes it."""
    return name.casefold().startswith(_OWN)


def number_on(face: str) -> int | None:
    """Return the number that a face shows; None where it is none."""
    try:
        return int(face)
    except ValueError:
        return None
