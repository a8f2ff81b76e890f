"""The one server of the table: its people, roles, channels and messages, all kept in the store."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntFlag
from typing import Literal, TypeAlias

from bot.play.ids import Ids
from bot.play.store import Object, Store

COLOURS = 8


class Right(IntFlag):
    """Discord's permissions, as far as they matter here."""

    MANAGE_SERVER = 1 << 5
    VIEW = 1 << 10
    SEND = 1 << 11
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
_OF_LACK = {"view": Right.VIEW, "send": Right.SEND | Right.SEND_IN_THREADS, "attach": Right.ATTACH}
"""The rights of the bot in a channel that a game master may switch off."""


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
    read: dict[str, int] = field(default_factory=dict[str, int])
    """The newest message that was read, by channel."""


@dataclass(slots=True)
class Channel:
    """A text channel, a thread in one (`parent`), or the direct messages of one person (`person`)."""

    id: int
    kind: Literal["text", "thread", "alone"]
    name: str
    about: str = ""
    parent: int | None = None
    person: int | None = None
    archived: bool = False
    lacks: list[str] = field(default_factory=list[str])


Origin: TypeAlias = Literal["chat", "answer", "reply", "post"]


@dataclass(slots=True)
class Message:
    """A message.

    `origin` says what it is: a person's words, the bot's answer to a command, its reply to a press or form,
    or its post of its own accord. `asker` is whom it answers, `line` what they typed for it, `calls` are the
    people whom it notifies, and `viewer` is the only person who sees it, where it is an ephemeral one.
    """

    id: int
    channel: int
    author: int
    origin: Origin
    content: str = ""
    components: list[Object] = field(default_factory=list[Object])
    attachments: list[Object] = field(default_factory=list[Object])
    calls: list[int] = field(default_factory=list[int])
    flags: int = 0
    edited: int | None = None
    viewer: int | None = None
    asker: int | None = None
    command: str | None = None
    line: str | None = None
    waiting: bool = False
    lost: bool = False


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
        (place,) = store.documents("place") or (self._lay(),)
        self.name: str = place["name"]
        self.guild_id: int = place["guild"]
        """Also the id of everybody's role."""
        self.gm_role: int = place["gm_role"]
        self.bot = self.people[place["bot"]]
        """The bot; its id is the application's too."""

    def _lay(self) -> Object:
        """Make the server of a new table."""
        guild, bot = self.ids.new(), Person(self.ids.new(), "Evenhand", bot=True)
        master = Role(self.ids.new(), "Game Master", Right.MANAGE_SERVER)
        for thing in (
            Role(guild, "@everyone", EVERYONE),
            master,
            bot,
            Channel(self.ids.new(), "text", "table"),
        ):
            self.keep(thing)
        place = {"name": "The Long Table", "guild": guild, "bot": bot.id, "gm_role": master.id}
        self.store.put("place", guild, place)
        self.store.commit()
        return place

    def tell(self, change: object, *, new: bool = False) -> None:
        """Tell the listeners."""
        for listener in self.listeners:
            listener(change, new)

    def keep(self, thing: Person | Channel | Role, *, new: bool = False) -> None:
        """Keep something that is new or was changed, and tell it."""
        match thing:
            case Person():
                self.people[thing.id] = thing
            case Channel():
                self.channels[thing.id] = thing
            case Role():
                self.roles[thing.id] = thing
        self.note(thing)
        self.tell(thing, new=new)

    def note(self, thing: Person | Channel | Role) -> None:
        """Keep something of which nobody else sees the change."""
        self.store.put(type(thing).__name__.lower(), thing.id, asdict(thing))

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

    def keep_commands(self, commands: Sequence[Object]) -> None:
        """Take what the bot told as its commands."""
        for command in self.commands:
            self.store.remove("command", int(command["id"]))
        self.commands = list(commands)
        for command in self.commands:
            self.store.put("command", int(command["id"]), command)
        self.store.commit()
        self.tell(CommandsChanged())

    def sees(self, person: Person, channel: int, viewer: int | None = None) -> bool:
        """Return whether somebody sees a channel, and in it what only `viewer` sees (None: all)."""
        known = self.channels.get(channel)
        return known is not None and {known.person, viewer} <= {None, person.id}

    def rights(self, person: Person, channel: Channel) -> Right:
        """Work out what somebody may do in a channel."""
        if channel.kind == "alone":
            return ALONE
        granted = Right(self.roles[self.guild_id].rights)
        for role in person.roles:
            granted |= Right(self.roles[role].rights)
        return granted & ~self.denied(channel) if person.bot else granted

    def denied(self, channel: Channel) -> Right:
        """Return what a game master has switched off for the bot in a channel and its parent."""
        denied = Right(0)
        for lack in channel.lacks + (self.channels[channel.parent].lacks if channel.parent else []):
            denied |= _OF_LACK[lack]
        return denied
