"""Seats and governing: links, seats, tokens and names of people, and their changes of the table itself."""

import hashlib
import math
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import segno
from pydantic import Field

from bot.dice.names import clean
from bot.play.acts import PageId
from bot.play.messages import Posts
from bot.play.options import ActRefused
from bot.play.store import Object
from bot.play.world import COLOURS, Channel, Person, World
from bot.times import DAY
from bot.words.saying import phrase

SECONDS = {"first": None, "gm": DAY, "player": None, "person": 300, "device": 300}
"""Kind of link to the seconds it is valid; all but the players' work once."""
_Lack: TypeAlias = Literal["view", "send", "attach"]
_SEATS_AT_MOST, _DEVICES_AT_MOST, _CHANNELS_AT_MOST = 50, 10, 50
_EVER_AT_MOST = 500
"""Most channels with archived ones, which are never deleted."""
_NAME_AT_MOST = 24
_FORBIDDEN = set("#:")
# Characters of names that look like a Latin letter, and that letter.
_LOOKALIKES = str.maketrans("авеосрхукмнтіјѕԁӏοαβρτυνικχ0135|!", "abeocpxykmhtijsdloabptuvikxolesli")
_OWN = {"person.color", "leave"}
_FOR_ALL = {*_OWN, "thread.create", "link.device"}
_QUIET_ZONE = 2
_NOTHING = phrase("That can't be done here.")


@dataclass(frozen=True, slots=True)
class Link:
    """The kind and end of a link; `person` is who made it, the owner of the seat of another device."""

    kind: str
    until: float = math.inf
    person: int | None = None


class Seats:
    """The seats. `players` is the secret of the players' link, `cookies` the prefix of cookie names."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._links: dict[str, Link] = {}
        self.players = next((d["secret"] for d in world.store.documents("link")), None) or self.renew()
        self._links[_hash(self.players)] = Link("player")
        self.cookies = f"eh-{_hash(str(world.guild_id))[:8]}-"  # tables on other ports have other ones

    def renew(self) -> str:
        """Make a new secret for the players' link, and revoke the old one."""
        self._links = {key: link for key, link in self._links.items() if link.kind != "player"}
        self.players = self.link("player")
        self._world.store.put("link", 1, {"secret": self.players})
        return self.players

    def link(self, kind: str, person: Person | None = None) -> str:
        """Make a link of a kind; return its secret."""
        now, secret = self._world.clock(), secrets.token_urlsafe(16)
        until = now + (SECONDS[kind] or math.inf)
        self._links = {key: link for key, link in self._links.items() if link.until > now}
        self._links[_hash(secret)] = Link(kind, until, person.id if person else None)
        return secret

    def find(self, secret: str) -> Link | None:
        """Return the valid link of a secret, or None; only hashes are compared, so timing reveals nothing.

        A game master's link ends with their being one.
        """
        link = self._links.get(_hash(secret))
        if link is None or link.until <= self._world.clock():
            return None
        by_gm = link.person is not None and link.kind != "device"
        return link if not by_gm or self._world.is_gm(self._world.people[link.person]) else None

    def join(self, secret: str, name: str) -> tuple[Person, str]:
        """Take a seat with a link's secret; return its person and token. Raise ActRefused."""
        link = self.find(secret)
        if link is None:
            raise ActRefused("This link does not work, or not any more. Ask a game master for a new one.")
        token = secrets.token_urlsafe(32)
        if link.kind == "device":
            person = self._world.people[link.person or 0]
            person.tokens = [*person.tokens, _hash(token)][-_DEVICES_AT_MOST:]
            self._world.note(person)
        elif len(self._world.seated()) >= _SEATS_AT_MOST:
            raise ActRefused("All seats of this table are taken.")
        else:
            is_gm, seat = link.kind in {"first", "gm"}, secrets.token_hex(4)
            person = self._world.add_person(self.name(name), gm=is_gm, seat=seat, tokens=[_hash(token)])
        if link.kind != "player":
            del self._links[_hash(secret)]
        return person, token

    def find_person(self, slug: str, cookies: Mapping[str, str]) -> Person | None:
        """Return the person of a seat if the browser has a token of it, or None."""
        token = _hash(cookies.get(self.cookies + slug, ""))
        return next((p for p in self._world.people.values() if p.seat == slug and token in p.tokens), None)

    def own(self, cookies: Mapping[str, str]) -> list[Person]:
        """Return the people of all seats that a browser has a token of."""
        return [person for person in self._world.seated() if self.find_person(person.seat, cookies)]

    def free(self, person: Person) -> None:
        """Free a person's seat for good, and revoke their tokens and links."""
        self._links = {key: link for key, link in self._links.items() if link.person != person.id}
        person.gone, person.roles, person.tokens = True, [], []

    def name(self, text: str, own: Person | None = None) -> str:
        """Return a name normalised; raise ActRefused if it is invalid, or looks like somebody else's."""
        name = " ".join(unicodedata.normalize("NFKC", text).split())
        strange = clean(name) != name or any(c in _FORBIDDEN for c in name)
        if not 1 <= len(name) <= _NAME_AT_MOST or strange or not any(c.isalnum() for c in name):
            raise ActRefused(
                "A name has 1 to 24 characters, a letter or digit among them, and none of @ # : ` < >."
            )
        others = [p.name for p in self._world.people.values() if not p.gone and p is not own]
        roles = [role.name.lstrip("@") for role in self._world.roles.values()]
        if _skeleton(name) in {_skeleton(other) for other in (*others, *roles, "here")}:
            raise ActRefused("Somebody here is called that already, or nearly so.")
        return name


@dataclass
class Governing:
    """Carries out people's changes of the table; raises ActRefused. Links begin with the `address`."""

    world: World
    posts: Posts
    seats: Seats
    address: str = ""

    def do(
        self, actor: Person, what: str, channel: Channel | None = None, person: PageId = 0, *,
        name: str = "", about: str = "", color: Annotated[int, Field(ge=0, lt=COLOURS)] = 0,
        lacks: Sequence[_Lack] = (), gm: bool = False, archived: bool = False, renew: bool = False,
    ) -> Object:  # fmt: skip
        """Carry out the change `what`; return the answer's fields."""
        place = channel if channel and channel.kind != "alone" else None
        target = actor if what in _OWN else self.world.people.get(person)
        own = what in _FOR_ALL or (what == "person.rename" and target is actor)
        if not own and not self.world.is_gm(actor):
            raise ActRefused("Only a game master can do that.")
        match what, place, target:
            case "link.player" | "link.gm" | "link.person" | "link.device", _, _:
                return self._link(what.removeprefix("link."), actor, renew=renew)
            case "channel.create", _, _:
                return self._add_channel(None, name, about)
            case "thread.create", Channel(kind="text", archived=False), _:
                return self._add_channel(place.id, name, about)
            case "channel.clear", Channel(), _:
                self.posts.clear(place.id)
            case "channel.archive", Channel(), _:
                if place.archived and not archived:
                    self._must_have_room()
                place.archived = archived
                self.world.keep(place)
            case "channel.edit", Channel(), _:
                place.name, place.about, place.lacks = _channel_name(name), _about(about), list(lacks)
                self.world.keep(place)
            case _, _, Person(gone=False, bot=False):
                self._change_person(target, what, name, color, gm=gm)
                self.world.keep(target)
            case _:
                raise ActRefused(_NOTHING)
        return {}

    def _change_person(self, person: Person, action: str, name: str, color: int, *, gm: bool) -> None:
        match action:
            case "person.color":
                person.colour = color
            case "person.rename":
                person.name = self.seats.name(name, person)
            case "person.gm" | "person.remove" | "leave":
                if self.world.is_gm(person) and sum(map(self.world.is_gm, self.world.seated())) == 1:
                    raise ActRefused("This is the last game master; make another one first.")
                if action == "person.gm":
                    person.roles = [self.world.gm_role] if gm else []
                else:
                    self.seats.free(person)
            case _:
                raise ActRefused(_NOTHING)

    def _add_channel(self, parent: int | None, name: str, about: str) -> Object:
        self._must_have_room()
        if sum(c.kind != "alone" for c in self.world.channels.values()) >= _EVER_AT_MOST:
            raise ActRefused("A table has at most {most} channels.", most=_EVER_AT_MOST)
        return {"channel": str(self.world.add_channel(_channel_name(name), _about(about), parent).id)}

    def _must_have_room(self) -> None:
        """Raise ActRefused if the table has no room for another channel that is not archived."""
        if (
            sum(c.kind != "alone" and not c.archived for c in self.world.channels.values())
            >= _CHANNELS_AT_MOST
        ):
            raise ActRefused(
                "A table has at most {most} open channels. A game master can archive one.",
                most=_CHANNELS_AT_MOST,
            )

    def _link(self, kind: str, actor: Person, *, renew: bool) -> Object:
        if kind == "player":
            secret = self.seats.renew() if renew else self.seats.players
        else:
            secret = self.seats.link(kind, actor)
        url, seconds = f"{self.address}/#{secret}", SECONDS[kind]
        return {"url": url, "qr": _qr_code(url), "minutes": seconds and seconds // 60}


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _skeleton(name: str) -> str:
    """Return a form of a name that is equal for names that look alike."""
    folded = unicodedata.normalize("NFKD", name.casefold()).translate(_LOOKALIKES)
    return "".join(c for c in folded if c.isalnum()).replace("l", "i").replace("rn", "m")


def _qr_code(text: str) -> Object:
    """Return a QR code as one SVG path of squares, and its width in squares, with the margin."""
    rows = list(segno.make(text, error="m", micro=False).matrix_iter(border=_QUIET_ZONE))
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows), "path": path}


def _channel_name(text: str) -> str:
    name = "-".join(text.lower().split())
    if not 1 <= len(name) <= 40 or not all(c.isalnum() or c in "-_'" for c in name):
        raise ActRefused("A channel's name has 1 to 40 letters, digits, dashes and blanks.")
    return name


def _about(text: str) -> str:
    return "".join(filter(str.isprintable, text))[:200].strip()
