"""The one server of the table: its people, roles, channels and messages, all saved in the store.

Ids are Discord's (snowflakes): they contain the millisecond of their creation, and only increase.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum, IntFlag
from typing import Literal

from bot.dice.errors import Unavailable
from bot.play.components import V2, texts, walk
from bot.play.store import Object, Store
from bot.times import first_id, milliseconds_of
from bot.words.saying import say

COLOURS = 8
_ID = re.compile(r"[0-9]{1,19}")


class Right(IntFlag):
    """Discord's permissions that the table uses."""

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


_TALK_RIGHTS = (
    Right.VIEW | Right.SEND | Right.EMBED_LINKS | Right.ATTACH | Right.READ_HISTORY | Right.USE_COMMANDS
)
ALONE = _TALK_RIGHTS | Right.MENTION_EVERYONE
"""What Discord grants to both sides of a direct message."""
EVERYONE = _TALK_RIGHTS | Right.MAKE_THREADS | Right.SEND_IN_THREADS
_LACK_RIGHTS = {"view": Right.VIEW, "send": Right.SEND | Right.SEND_IN_THREADS, "attach": Right.ATTACH}
"""The rights of the bot in a channel that a game master may switch off."""


def read_id(value: object) -> int | None:
    """Return the id in a string of digits, or None if the value is no id."""
    number = int(value) if isinstance(value, str) and _ID.fullmatch(value) else 1 << 63
    return number if number < 1 << 63 else None


@dataclass(slots=True)
class Role:
    """A role of the server."""

    id: int
    name: str
    rights: int = 0


@dataclass(slots=True)
class Person:
    """A person with a seat, or who has left (`gone`); the bot is one too.

    `used` counts the runs of each command, `read` maps a channel to the newest message read there, and
    `deeds` maps the nonce of each recent deed to an id of its time.
    `seat` is the public part of their page's address, `tokens` are the hashes of their devices' secrets.
    """

    id: int
    name: str
    colour: int = 0
    roles: list[int] = field(default_factory=list[int])
    bot: bool = False
    gone: bool = False
    used: dict[str, int] = field(default_factory=dict[str, int])
    read: dict[str, int] = field(default_factory=dict[str, int])
    deeds: dict[str, int] = field(default_factory=dict[str, int])
    seat: str = ""
    tokens: list[str] = field(default_factory=list[str])


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


@dataclass(slots=True)
class Message:
    """A message.

    `origin` is its kind: a person's words, the bot's answer to a command, its reply to a press or form, or
    its own post. `asker` is the person it answers, `interaction` the interaction, `command` the command or
    button of that, `line` the typed line. `calls` are the people it notifies. `viewer` is the only person who
    sees it, if it is ephemeral. With `v2` it consists of components alone, for good.
    """

    id: int
    channel: int
    author: int
    origin: Literal["chat", "answer", "reply", "post"]
    content: str = ""
    components: list[Object] = field(default_factory=list[Object])
    attachments: list[Object] = field(default_factory=list[Object])
    calls: list[int] = field(default_factory=list[int])
    edited: int | None = None
    viewer: int | None = None
    asker: int | None = None
    interaction: int | None = None
    command: str | None = None
    line: str | None = None
    waiting: bool = False
    v2: bool = False

    @property
    def flags(self) -> int:
        """Discord's flags: ephemeral (64), waiting for its answer (128), and made of components."""
        return (self.viewer is not None) << 6 | self.waiting << 7 | V2 * self.v2

    @property
    def text(self) -> str:
        """Its content, or the texts of its components."""
        return "\n".join(texts(self.components)) if self.v2 else self.content

    def parts(self) -> list[Object]:
        """Return its components, also those inside others."""
        return [*walk(self.components)]


class Notice(Enum):
    """A change outside the server: the bot connected or disconnected, or synced other commands."""

    BOT = 1
    COMMANDS = 2


class World:
    """The current server. Every change is saved, and announced to the listeners.

    A listener gets the Person, Channel, Role, Message or other value that changed, and whether it is new.
    The server's id is also that of everybody's role, the bot's that of its application. `clock` returns
    seconds since 1970, `steady` those of a clock that nobody sets. The bot fetches files at `address`;
    `locale` is the server's language.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self.clock = clock
        self._steady = steady
        self.address = ""
        self.locale = "en-US"
        self.listeners: list[Callable[[object, bool], None]] = []
        self._latest = max((document["id"] for document in store.documents("latest")), default=0)
        self._latest_at = steady()
        (place,) = store.documents("place") or (self._create(),)
        self.name: str = place["name"]
        self.guild_id: int = place["guild"]
        self.gm_role: int = place["gm_role"]
        self.roles = {d["id"]: Role(**d) for d in store.documents("role")}
        self.people = {d["id"]: Person(**d) for d in store.documents("person")}
        self.channels = {d["id"]: Channel(**d) for d in store.documents("channel")}
        self.commands: list[Object] = next(iter(store.documents("commands")), list[Object]())
        self.bot = self.people[place["bot"]]

    def _create(self) -> Object:
        """Create the server of a new table, with names in the spoken language."""
        guild, bot, master, first = (self.new_id() for _ in range(4))
        place = {"name": say("The Long Table"), "guild": guild, "bot": bot, "gm_role": master}
        with self.store.transaction():
            self.note(Role(guild, "@everyone", EVERYONE))
            self.note(Role(master, say("Game Master"), Right.MANAGE_SERVER))
            self.note(Person(bot, "Evenhand", bot=True))
            self.note(Channel(first, "text", say("table")))
            self.store.put("place", guild, place)
        return place

    def new_id(self) -> int:
        """Return an id of the current time, or the one after the latest id if that is higher.

        If the clock was set back, time goes on from the latest id: the bot refuses what seems to come late.
        """
        now, latest, at = int(self.clock() * 1000), milliseconds_of(self._latest), self._steady()
        if now < latest:
            passed = int((at - self._latest_at) * 1000)
            now, at = latest + passed, self._latest_at + passed / 1000
        if now > latest:
            self._latest_at = at
        self._latest = max(first_id(now), self._latest + 1)
        self.store.put("latest", 0, {"id": self._latest})
        return self._latest

    @property
    def first_channel(self) -> Channel:
        """The table's oldest channel."""
        return next(iter(self.channels.values()))

    def tell(self, change: object, *, new: bool = False) -> None:
        """Announce a change to the listeners."""
        for listener in self.listeners:
            listener(change, new)

    def keep(self, value: Person | Channel | Role) -> None:
        """Save a changed value, and announce it."""
        self.note(value)
        self.tell(value)

    def note(self, value: Person | Channel | Role) -> None:
        """Save a value without announcing the change; one that can't be saved is as it was saved last."""
        kind = type(value).__name__.lower()
        try:
            self.store.put(kind, value.id, asdict(value))
        except Unavailable:
            for name, saved in (self.store.document(kind, value.id) or {}).items():
                setattr(value, name, saved)
            raise

    def is_gm(self, person: Person) -> bool:
        """Return whether a person is a game master."""
        return self.gm_role in person.roles and not person.gone

    def seated(self) -> list[Person]:
        """Return the people who have a seat now."""
        return [p for p in self.people.values() if not p.gone and not p.bot]

    def add_person(
        self, name: str, *, gm: bool = False, seat: str = "", tokens: Sequence[str] = ()
    ) -> Person:
        """Add a person, and their direct messages with the bot."""
        colour = (len(self.people) - 1) % COLOURS  # the bot is one of them, and has none
        roles = [self.gm_role] if gm else []
        person = Person(self.new_id(), name, colour, roles, seat=seat, tokens=[*tokens])
        alone = Channel(self.new_id(), "alone", self.bot.name, person=person.id)
        with self.store.transaction():
            self.note(person)
            self.note(alone)
        self.people[person.id], self.channels[alone.id] = person, alone
        self.tell(person, new=True)
        self.tell(alone, new=True)
        return person

    def add_channel(self, name: str, about: str = "", parent: int | None = None) -> Channel:
        """Add a text channel, or a thread in `parent`."""
        channel = Channel(self.new_id(), "thread" if parent else "text", name, about, parent)
        self.note(channel)
        self.channels[channel.id] = channel
        self.tell(channel, new=True)
        return channel

    def sees(self, person: Person, channel: int, viewer: int | None = None) -> bool:
        """Return whether a person sees a channel, and a message in it for `viewer` alone (None: for all)."""
        place = self.channels.get(channel)
        return place is not None and {place.person, viewer} <= {None, person.id}

    def rights(self, person: Person, channel: Channel) -> Right:
        """Return a person's rights in a channel."""
        if channel.kind == "alone":
            return ALONE
        granted = Right(0)
        for role in (self.guild_id, *person.roles):
            granted |= Right(self.roles[role].rights)
        return granted & ~self.denied(channel) if person.bot else granted

    def denied(self, channel: Channel) -> Right:
        """Return the rights that game masters switched off for the bot in a channel and its parent."""
        denied = Right(0)
        for lack in channel.lacks + (self.channels[channel.parent].lacks if channel.parent else []):
            denied |= _LACK_RIGHTS[lack]
        return denied
