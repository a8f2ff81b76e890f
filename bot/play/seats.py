"""Who may sit down: links and their secrets, seats and their tokens, and names that can't be mistaken."""

import hashlib
import hmac
import secrets
import time
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

from bot.play.world import Person, World

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


class NoSeat(Exception):
    """Somebody can't sit down; the text says why. `field` is the field that is wrong, if one is."""

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(slots=True)
class Seat:
    """A seat: the public part of its address, and the hashes of its tokens, one for each device."""

    person: int
    slug: str
    tokens: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Link:
    """What a secret opens, and until when; `person` is whose seat, for another device."""

    kind: LinkKind
    until: float | None = None
    person: int | None = None


class Seats:
    """The seats of a table. `players` is the secret of the players' link."""

    def __init__(self, world: World, clock: Callable[[], float] = time.time) -> None:
        self._world = world
        self._clock = clock
        self._seats = {data["slug"]: Seat(**data) for data in world.store.documents("seat")}
        self._links: dict[str, Link] = {}
        self.players = next((d["secret"] for d in world.store.documents("link")), None) or self.renew()
        self._links[_hash(self.players)] = Link("player")
        self._cookies = f"eh-{_hash(str(world.guild_id))[:8]}-"  # tables on other ports have other ones

    def renew(self) -> str:
        """Make a new secret for the players' link; the old one ends."""
        self._links = {key: link for key, link in self._links.items() if link.kind != "player"}
        self.players = self.link("player")
        self._world.store.put("link", 1, {"secret": self.players})
        return self.players

    def link(self, kind: LinkKind, person: Person | None = None) -> str:
        """Return a new secret."""
        seconds, secret = SECONDS[kind], secrets.token_urlsafe(16)
        until = None if seconds is None else self._clock() + seconds
        self._links[_hash(secret)] = Link(kind, until, person.id if person else None)
        return secret

    def find(self, secret: str) -> Link | None:
        """Return what a secret opens; every secret takes the same time."""
        given, found = _hash(secret), None
        for key, link in self._links.items():
            if hmac.compare_digest(key, given) and (link.until is None or link.until > self._clock()):
                found = link
        return found

    def join(self, secret: str, name: str) -> tuple[Seat, str]:
        """Take a seat with a link's secret; return it and its token. Raise NoSeat."""
        link, seat = self.find(secret), None
        if link and link.kind == "device":
            seat = next((s for s in self._seats.values() if s.person == link.person), None)
        if link is None or (link.kind == "device" and seat is None):
            raise NoSeat("This link does not work, or not any more. Ask a game master for a new one.")
        if seat is None:
            if len(self._world.seated()) >= _SEATS_AT_MOST:
                raise NoSeat("All seats of this table are taken.")
            person = self._world.add_person(self.name(name), gm=link.kind in {"first", "gm"})
            seat = Seat(person.id, secrets.token_hex(4))
            self._seats[seat.slug] = seat
        if link.kind != "player":
            del self._links[_hash(secret)]
        token = secrets.token_urlsafe(32)
        seat.tokens = [*seat.tokens, _hash(token)][-_DEVICES_AT_MOST:]
        self._world.store.put("seat", seat.person, asdict(seat))
        self._world.store.commit()
        return seat, token

    def cookie(self, slug: str) -> str:
        """Return the name of a seat's cookie."""
        return self._cookies + slug

    def sitting(self, slug: str, cookies: Mapping[str, str]) -> Person | None:
        """Return who sits there, if the browser has a token of that seat."""
        seat, given = self._seats.get(slug), _hash(cookies.get(self.cookie(slug), ""))
        if seat is None or not sum(hmac.compare_digest(kept, given) for kept in seat.tokens):
            return None
        return self._world.people[seat.person]

    def own(self, cookies: Mapping[str, str]) -> dict[str, str]:
        """Return the names of who sits in the seats that a browser has, by seat."""
        slugs = [name.removeprefix(self._cookies) for name in cookies if name.startswith(self._cookies)]
        return {slug: person.name for slug in slugs if (person := self.sitting(slug, cookies))}

    def free(self, person: Person) -> None:
        """Take a seat away: its tokens and links die."""
        self._seats = {slug: seat for slug, seat in self._seats.items() if seat.person != person.id}
        self._links = {key: link for key, link in self._links.items() if link.person != person.id}
        self._world.store.remove("seat", person.id)
        person.gone, person.roles = True, []
        self._world.keep(person)
        self._world.store.commit()

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


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _looks(name: str) -> str:
    """Return a name so that two which look alike are equal."""
    folded = unicodedata.normalize("NFKD", name.casefold()).translate(_LOOKS)
    return "".join(c for c in folded if c.isalnum()).replace("l", "i").replace("rn", "m")
