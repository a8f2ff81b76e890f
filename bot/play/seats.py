"""Who may sit down (links, seats and their tokens, names), and what people change at the table itself."""

import hashlib
import hmac
import math
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import segno

from bot.play.messages import Posts
from bot.play.options import LineFault
from bot.play.pages import PageFrame
from bot.play.store import Object
from bot.play.world import Channel, Person, World

LinkKind: TypeAlias = Literal["first", "gm", "player", "person", "device"]
SECONDS: dict[LinkKind, int | None] = {
    "first": None, "gm": 86_400, "player": None, "person": 300, "device": 300,
}  # fmt: skip
"""How long a link is good; all but the players' are so once."""
_SEATS_AT_MOST, _DEVICES_AT_MOST = 50, 10
_NAME_AT_MOST = 24
_FORBIDDEN = set("@#:`")
# Letters that look like a Latin one, as far as names use them.
_LOOKS = str.maketrans("авеосрхукмнтіјѕԁӏοαβρτυνικχ0135|!", "abeocpxykmhtijsdloabptuvikxolesli")


_CHANNELS_AT_MOST = 50
_FOR_ALL = {"thread.create", "person.color", "leave", "link.device"}
_LINKS: dict[str, LinkKind] = {
    "link.players": "player", "link.gm": "gm", "link.person": "person", "link.device": "device",
}  # fmt: skip
_QUIET_ZONE = 2
_NOTHING = "That can't be done here."


class NoSeat(Exception):
    """Somebody can't sit down, or be called so; `field` is the field that is wrong, if one is."""

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class Link:
    """What a secret opens, and until when; `person` is whose seat, for another device."""

    kind: LinkKind
    until: float = math.inf
    person: int | None = None


class Seats:
    """The seats. `players` is the secret of the players' link, `cookies` what cookies' names begin with."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._links: dict[str, Link] = {}
        self.players = next((d["secret"] for d in world.store.documents("link")), None) or self.renew()
        self._links[_hash(self.players)] = Link("player")
        self.cookies = f"eh-{_hash(str(world.guild_id))[:8]}-"  # tables on other ports have other ones

    def renew(self) -> str:
        """Make a new secret for the players' link; the old one ends."""
        self._links = {key: link for key, link in self._links.items() if link.kind != "player"}
        self.players = self.link("player")
        self._world.store.put("link", 1, {"secret": self.players})
        return self.players

    def link(self, kind: LinkKind, person: Person | None = None) -> str:
        """Return a new secret."""
        until, secret = self._world.clock() + (SECONDS[kind] or math.inf), secrets.token_urlsafe(16)
        self._links[_hash(secret)] = Link(kind, until, person.id if person else None)
        return secret

    def find(self, secret: str) -> Link | None:
        """Return what a secret opens; every secret takes the same time."""
        given, found = _hash(secret), None
        for key, link in self._links.items():
            if hmac.compare_digest(key, given) and link.until > self._world.clock():
                found = link
        return found

    def join(self, secret: str, name: str) -> tuple[Person, str]:
        """Take a seat with a link's secret; return who sits there, and the token. Raise NoSeat."""
        link = self.find(secret)
        if link is None:
            raise NoSeat("This link does not work, or not any more. Ask a game master for a new one.")
        if link.kind == "device":
            person = self._world.people[link.person or 0]
        elif len(self._world.seated()) >= _SEATS_AT_MOST:
            raise NoSeat("All seats of this table are taken.")
        else:
            person = self._world.add_person(self.name(name), gm=link.kind in {"first", "gm"})
            person.seat = secrets.token_hex(4)
        if link.kind != "player":
            del self._links[_hash(secret)]
        token = secrets.token_urlsafe(32)
        person.tokens = [*person.tokens, _hash(token)][-_DEVICES_AT_MOST:]
        self._world.note(person)
        return person, token

    def sitting(self, slug: str, cookies: Mapping[str, str]) -> Person | None:
        """Return who sits there, if the browser has a token of that seat."""
        given = _hash(cookies.get(self.cookies + slug, ""))
        person = next((p for p in self._world.people.values() if p.seat == slug), None)
        known = person.tokens if person else ()
        return person if sum(hmac.compare_digest(kept, given) for kept in known) else None

    def own(self, cookies: Mapping[str, str]) -> list[Person]:
        """Return who sits in the seats that a browser has."""
        slugs = [name.removeprefix(self.cookies) for name in cookies if name.startswith(self.cookies)]
        return [person for slug in slugs if (person := self.sitting(slug, cookies))]

    def free(self, person: Person) -> None:
        """Take a seat away: its tokens and links die."""
        self._links = {key: link for key, link in self._links.items() if link.person != person.id}
        person.gone, person.roles, person.tokens = True, [], []
        self._world.keep(person)

    def name(self, given: str, own: Person | None = None) -> str:
        """Return a name as it is kept; raise NoSeat if it can't be one, or is somebody else's."""
        name = " ".join(unicodedata.normalize("NFKC", given).split())
        strange = any(unicodedata.category(c)[0] == "C" or c in _FORBIDDEN for c in name)
        if not 1 <= len(name) <= _NAME_AT_MOST or strange or not any(c.isalnum() for c in name):
            raise NoSeat("A name has 1 to 24 characters, and none of @ # : `.", "name")
        others = [p.name for p in self._world.people.values() if not p.gone and p is not own]
        roles = [role.name.lstrip("@") for role in self._world.roles.values()]
        if _looks(name) in {_looks(taken) for taken in (*others, *roles, "here")}:
            raise NoSeat("Somebody here is called that already, or nearly so.", "name")
        return name


@dataclass
class Governing:
    """Carries out a page's `do` frames; raises LineFault or NoSeat. Links begin with the `address`."""

    world: World
    posts: Posts
    seats: Seats
    address: str = ""

    def do(self, person: Person, asked: PageFrame) -> Object:
        """Do what is asked; return what is answered."""
        world, what = self.world, asked.what
        own = what == "person.rename" and asked.person == person.id
        if what not in _FOR_ALL and not own and not world.is_gm(person):
            raise LineFault("Only a game master can do that.")
        changed: Channel | Person | None = world.people.get(asked.person or 0)
        if what in {"person.color", "leave"}:
            changed = person
        elif what.startswith(("channel.", "thread.")):
            changed = world.channels.get(asked.channel or 0)
        match what, changed:
            case "channel.create", _:
                return self._new(None, asked)
            case "thread.create", Channel(kind="text", archived=False) as parent:
                return self._new(parent, asked)
            case "link.players" | "link.gm" | "link.person" | "link.device", _:
                return self._link(person, _LINKS[what], renew=asked.renew)
            case _, None | Channel(kind="alone") | Person(gone=True) | Person(bot=True):
                raise LineFault(_NOTHING)
            case "person.remove" | "leave", Person() as whom:
                self._refuse_last(whom)
                self.seats.free(whom)
            case _:
                self._change(changed, asked)
                world.keep(changed)
        return {}

    def _change(self, changed: Channel | Person, asked: PageFrame) -> None:
        match asked.what, changed:
            case "channel.clear", Channel() as channel:
                self.posts.clear(channel.id)
            case "channel.edit", Channel() as channel:
                channel.name, channel.about = _channel_name(asked.name), _about(asked.about)
            case "channel.archive", Channel() as channel:
                channel.archived = asked.archived
            case "channel.bot", Channel() as channel:
                channel.lacks = list(asked.lacks)
            case "person.color", Person() as whom:
                whom.colour = asked.color
            case "person.rename", Person() as whom:
                whom.name = self.seats.name(asked.name, whom)
            case "person.gm", Person() as whom:
                self._refuse_last(whom)
                whom.roles = [self.world.gm_role] if asked.gm else []
            case _:
                raise LineFault(_NOTHING)

    def _new(self, parent: Channel | None, asked: PageFrame) -> Object:
        if sum(c.kind != "alone" for c in self.world.channels.values()) >= _CHANNELS_AT_MOST:
            raise LineFault(f"A table has at most {_CHANNELS_AT_MOST} channels.")
        made = self.world.add_channel(_channel_name(asked.name), _about(asked.about), parent and parent.id)
        return {"channel": str(made.id)}

    def _refuse_last(self, person: Person) -> None:
        if self.world.is_gm(person) and sum(map(self.world.is_gm, self.world.seated())) == 1:
            raise LineFault("This is the last game master; make another one first.")

    def _link(self, person: Person, kind: LinkKind, *, renew: bool) -> Object:
        if kind == "player":
            secret = self.seats.renew() if renew else self.seats.players
        else:
            secret = self.seats.link(kind, person)
        url, seconds = f"{self.address}/#{secret}", SECONDS[kind]
        return {"url": url, "qr": _code(url), "minutes": seconds and seconds // 60}


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _looks(name: str) -> str:
    """Return a name so that two which look alike are equal."""
    folded = unicodedata.normalize("NFKD", name.casefold()).translate(_LOOKS)
    return "".join(c for c in folded if c.isalnum()).replace("l", "i").replace("rn", "m")


def _code(text: str) -> Object:
    """Return a QR code as one SVG path of squares, and how many squares it is wide with its margin."""
    rows = list(segno.make(text, error="m", micro=False).matrix_iter(border=_QUIET_ZONE))
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows), "path": path}


def _channel_name(given: str) -> str:
    name = "-".join(given.lower().split())
    if not 1 <= len(name) <= 40 or not all(c.isalnum() or c in "-_'" for c in name):
        raise NoSeat("A channel's name has 1 to 40 letters, digits, dashes and blanks.", "name")
    return name


def _about(given: str) -> str:
    return "".join(c for c in given if c.isprintable())[:200].strip()
