"""The one server of the table: its people, roles, channels and rights, kept in the store."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntFlag
from typing import Literal, TypeAlias

from bot.play.ids import Ids
from bot.play.store import Object, Store

ChannelKind: TypeAlias = Literal["text", "thread", "alone"]
LACKS = ("view", "send", "attach")
"""The rights of the bot in a channel that a game master may switch off."""
COLOURS = 8


class Right(IntFlag):
    """Discord's permissions, as far as they matter here."""

    MANAGE_CHANNELS = 1 << 4
    MANAGE_SERVER = 1 << 5
    VIEW = 1 << 10
    SEND = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH = 1 << 15
    READ_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_COMMANDS = 1 << 31
    MAKE_THREADS = 1 << 35
    SEND_IN_THREADS = 1 << 38


EVERYONE = (
    Right.VIEW | Right.SEND | Right.EMBED_LINKS | Right.ATTACH | Right.READ_HISTORY
    | Right.USE_COMMANDS | Right.MAKE_THREADS | Right.SEND_IN_THREADS
)  # fmt: skip
ALONE = EVERYONE & ~(Right.MAKE_THREADS | Right.SEND_IN_THREADS) | Right.MENTION_EVERYONE
"""What Discord grants to both sides of a direct message."""


@dataclass(slots=True)
class Role:
    """A role of the server."""

    id: int
    name: str
    rights: int


@dataclass(slots=True)
class Person:
    """Somebody with a seat, or who had one (`gone`); the bot is one too."""

    id: int
    name: str
    colour: int = 0
    roles: list[int] = field(default_factory=list[int])
    bot: bool = False
    gone: bool = False
    used: dict[str, int] = field(default_factory=dict[str, int])
    """How often each command was run."""


@dataclass(slots=True)
class Channel:
    """A text channel, a thread in one (`parent`), or the direct messages of one person (`person`)."""

    id: int
    kind: ChannelKind
    name: str
    about: str = ""
    parent: int | None = None
    person: int | None = None
    archived: bool = False
    lacks: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The bot has told other commands than before."""


class World:
    """The server as it stands. Every change is kept, and told to the listeners.

    A listener gets the Person, Channel, Role, Message or other value that changed, and whether it is new.
    """

    def __init__(self, store: Store, ids: Ids) -> None:
        self.store = store
        self.ids = ids
        self.listeners: list[Callable[[object, bool], None]] = []
        self.roles = {r.id: r for r in (Role(**d) for d in store.documents("role"))}
        self.people = {p.id: p for p in (Person(**d) for d in store.documents("person"))}
        self.channels = {c.id: c for c in (Channel(**d) for d in store.documents("channel"))}
        self.commands = store.documents("command")
        (self._place,) = store.documents("place") or (self._lay(),)

    @property
    def name(self) -> str:
        """The server's name."""
        return str(self._place["name"])

    @property
    def guild_id(self) -> int:
        """The server's id, which is also that of the role of everybody."""
        return int(self._place["guild"])

    @property
    def bot(self) -> Person:
        """The bot; its id is the application's too."""
        return self.people[int(self._place["bot"])]

    @property
    def gm_role(self) -> int:
        """The role of the game masters."""
        return int(self._place["gm_role"])

    def tell(self, change: object, *, new: bool = False) -> None:
        """Tell the listeners."""
        for listener in self.listeners:
            listener(change, new)

    def is_gm(self, person: Person) -> bool:
        """Return whether somebody is a game master."""
        return self.gm_role in person.roles and not person.gone

    def seated(self) -> list[Person]:
        """Return the people who have a seat now."""
        return [p for p in self.people.values() if not p.gone and not p.bot]

    def add_person(self, name: str, *, gm: bool = False) -> Person:
        """Add somebody, and their direct messages with the bot."""
        colour = sum(not p.bot for p in self.people.values()) % COLOURS
        person = Person(self.ids.new(), name, colour, [self.gm_role] if gm else [])
        self.keep(person, new=True)
        self.keep(Channel(self.ids.new(), "alone", self.bot.name, person=person.id), new=True)
        return person

    def add_channel(self, name: str, about: str = "", parent: int | None = None) -> Channel:
        """Add a text channel, or a thread in `parent`."""
        channel = Channel(self.ids.new(), "thread" if parent else "text", name, about, parent)
        self.keep(channel, new=True)
        return channel

    def add_role(self, name: str, rights: int = 0) -> Role:
        """Add a role."""
        role = Role(self.ids.new(), name, int(rights))
        self.keep(role, new=True)
        return role

    def keep(self, thing: Person | Channel | Role, *, new: bool = False) -> None:
        """Keep something that is new or was changed, and tell it."""
        things: dict[int, object] = {Person: self.people, Channel: self.channels, Role: self.roles}[
            type(thing)
        ]  # pyright: ignore[reportAssignmentType]
        things[thing.id] = thing
        self.store.put(type(thing).__name__.lower(), thing.id, asdict(thing))
        self.tell(thing, new=new)

    def note(self, person: Person) -> None:
        """Keep something about a person that nobody else sees."""
        self.store.put("person", person.id, asdict(person))

    def keep_commands(self, commands: Sequence[Object]) -> None:
        """Take what the bot told as its commands."""
        for command in self.commands:
            self.store.remove("command", int(command["id"]))
        self.commands = list(commands)
        for command in self.commands:
            self.store.put("command", int(command["id"]), command)
        self.store.commit()
        self.tell(CommandsChanged())

    def alone(self, person: Person) -> Channel:
        """Return somebody's direct messages with the bot."""
        return next(c for c in self.channels.values() if c.person == person.id)

    def sees(self, person: Person, channel: Channel) -> bool:
        """Return whether somebody sees a channel."""
        return channel.person in (None, person.id)

    def rights(self, person: Person, channel: Channel) -> Right:
        """Work out what somebody may do in a channel."""
        if channel.kind == "alone":
            return ALONE
        granted = Right(self.roles[self.guild_id].rights)
        for role in person.roles:
            granted |= Right(self.roles[role].rights)
        return granted & ~self.denied(channel) if person.bot else granted

    def denied(self, channel: Channel) -> Right:
        """Return what a game master has switched off for the bot in a channel or its parent."""
        lacks = self.channels[channel.parent].lacks if channel.parent else channel.lacks
        rights = {"view": Right.VIEW, "send": Right.SEND | Right.SEND_IN_THREADS, "attach": Right.ATTACH}
        denied = Right(0)
        for lack in lacks:
            denied |= rights[lack]
        return denied

    def _lay(self) -> Object:
        """Make the server of a new table."""
        guild, bot = self.ids.new(), Person(self.ids.new(), "Evenhand", bot=True)
        everyone, master = (
            Role(guild, "@everyone", EVERYONE),
            Role(self.ids.new(), "Game Master", Right.MANAGE_SERVER),
        )
        self._place = {"name": "The Long Table", "guild": guild, "bot": bot.id, "gm_role": master.id}
        for thing in (everyone, master, bot, Channel(self.ids.new(), "text", "table")):
            self.keep(thing)
        self.store.put("place", guild, self._place)
        self.store.commit()
        return self._place
