"""Who may sit down: links and their secrets, seats and their tokens, and names that can't be mistaken."""

import hashlib
import hmac
import secrets
import time
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

from bot.play.store import Object
from bot.play.world import Person, World

LinkKind: TypeAlias = Literal["first", "gm", "player", "person", "device"]
_SECONDS: dict[LinkKind, float | None] = {
    "first": None, "gm": 86_400, "player": None, "person": 300, "device": 300,
}  # fmt: skip
SEATS_AT_MOST = 50
_NAME_AT_MOST = 24
_FORBIDDEN = set("@#:`")
# Letters that look like a Latin one, as far as names use them.
_LOOKS = str.maketrans("авеосрхукмнтіјѕԁӏοαβρτυνικχ0135|!", "abeocpxykmhtijsdloabptuvikxolesli")
WRONG_LINK = "This link does not work, or not any more. Ask a game master for a new one."


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
    """The seats of a table."""

    def __init__(self, world: World, clock: Callable[[], float] = time.time) -> None:
        self._world = world
        self._clock = clock
        self._seats = {seat.slug: seat for seat in (Seat(**data) for data in world.store.documents("seat"))}
        self._links: dict[str, Link] = {}
        self._players = next((d["secret"] for d in world.store.documents("link")), None) or self.renew()
        self._links[_hash(self._players)] = Link("player")
        self.table = hashlib.sha256(str(world.guild_id).encode()).hexdigest()[:8]

    @property
    def players(self) -> str:
        """The secret of the players' link."""
        return self._players

    def renew(self) -> str:
        """Make a new secret for the players' link; the old one ends."""
        self._links = {key: link for key, link in self._links.items() if link.kind != "player"}
        self._players = secrets.token_urlsafe(16)
        self._links[_hash(self._players)] = Link("player")
        self._world.store.put("link", 1, {"secret": self._players})
        return self._players

    def link(self, kind: LinkKind, person: Person | None = None) -> str:
        """Return a new secret that is good once."""
        seconds = _SECONDS[kind]
        secret = secrets.token_urlsafe(16)
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
        link = self.find(secret)
        if link is None:
            raise NoSeat(WRONG_LINK)
        if link.kind == "device":
            seat = next((s for s in self._seats.values() if s.person == link.person), None)
            if seat is None:
                raise NoSeat(WRONG_LINK)
        else:
            if len(self._world.seated()) >= SEATS_AT_MOST:
                raise NoSeat("All seats of this table are taken.")
            person = self._world.add_person(self.name(name), gm=link.kind in {"first", "gm"})
            seat = Seat(person.id, secrets.token_hex(4))
            self._seats[seat.slug] = seat
        if link.kind != "player":
            del self._links[_hash(secret)]
        token = secrets.token_urlsafe(32)
        seat.tokens = [*seat.tokens[-9:], _hash(token)]
        self._keep(seat)
        return seat, token

    def sitting(self, slug: str, token: str) -> Person | None:
        """Return who sits there, if the token is one of that seat's."""
        seat, given = self._seats.get(slug), _hash(token)
        if seat is None or not sum(hmac.compare_digest(kept, given) for kept in seat.tokens):
            return None
        return self._world.people[seat.person]

    def free(self, person: Person) -> None:
        """Take a seat away: its tokens and links die."""
        for seat in [s for s in self._seats.values() if s.person == person.id]:
            del self._seats[seat.slug]
            self._world.store.remove("seat", person.id)
        self._links = {key: link for key, link in self._links.items() if link.person != person.id}
        person.gone, person.roles = True, []
        self._world.keep(person)
        self._world.store.commit()

    def name(self, given: object, own: Person | None = None) -> str:
        """Return a name as it is kept; raise NoSeat if it can't be one, or is somebody else's."""
        name = " ".join(unicodedata.normalize("NFKC", given).split()) if isinstance(given, str) else ""
        strange = any(unicodedata.category(c)[0] == "C" or c in _FORBIDDEN for c in name)
        if not 1 <= len(name) <= _NAME_AT_MOST or strange or not any(c.isalnum() for c in name):
            raise NoSeat("A name has 1 to 24 characters, and none of @ # : `.", "name")
        taken = {
            _looks(p.name) for p in self._world.people.values() if (p.bot or not p.gone) and p is not own
        }
        taken |= {_looks(role.name.lstrip("@")) for role in self._world.roles.values()} | {"here"}
        if _looks(name) in taken:
            raise NoSeat("Somebody here is called that already, or nearly so.", "name")
        return name

    def _keep(self, seat: Seat) -> None:
        self._world.store.put("seat", seat.person, asdict(seat))
        self._world.store.commit()


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _looks(name: str) -> str:
    """Return a name so that two which look alike are equal."""
    folded = unicodedata.normalize("NFKD", name.casefold()).translate(_LOOKS)
    return "".join(c for c in folded if c.isalnum()).replace("l", "i").replace("rn", "m")


def cookie(table: str, slug: str) -> str:
    """Return the name of a seat's cookie: other tables on other ports of this host have other ones."""
    return f"eh-{table}-{slug}"


def slugs(table: str, cookies: Object) -> dict[str, str]:
    """Return the tokens of this table that a browser has, by seat."""
    start = f"eh-{table}-"
    return {name.removeprefix(start): value for name, value in cookies.items() if name.startswith(start)}
