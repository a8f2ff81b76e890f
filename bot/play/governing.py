"""What people change at the table itself: channels, threads, people, links; most is the game masters'."""

import segno

from bot.play.ids import read_id
from bot.play.posting import Posts
from bot.play.seats import NoSeat, Seats
from bot.play.store import Object
from bot.play.values import LineFault
from bot.play.world import COLOURS, LACKS, Channel, Person, World

_CHANNELS_AT_MOST = 50
_FOR_ALL = {"thread.create", "person.color", "leave", "link.device"}
_MINUTES: dict[str, int | None] = {"players": None, "gm": 1_440, "person": 5, "device": 5}
_QUIET_ZONE = 2


class Governing:
    """Carries out a page's `do` frames; raises Fault or NoSeat for what can't be done."""

    def __init__(self, world: World, posts: Posts, seats: Seats) -> None:
        self.address = ""
        """What links begin with."""
        self._world = world
        self._posts = posts
        self._seats = seats

    def do(self, person: Person, asked: Object) -> Object:
        """Do what is asked; return what is answered."""
        what = str(asked.get("what"))
        own = what == "person.rename" and asked.get("person") == str(person.id)
        if what not in _FOR_ALL and not own and not self._world.is_gm(person):
            raise LineFault("Only a game master can do that.", 0)
        subject, _, verb = what.partition(".")
        match subject:
            case "channel" | "thread":
                return self._channel(what, asked)
            case "person":
                return self._person(person, verb, asked)
            case "leave":
                self._remove(person)
                return {}
            case "link" if verb in _MINUTES:
                return self._link(person, verb, renew=bool(asked.get("renew")))
            case _:
                raise LineFault("That can't be done here.", 0)

    def _channel(self, what: str, asked: Object) -> Object:
        if what == "channel.create":
            return {"channel": str(self._new(asked, None).id)}
        channel = self._world.channels.get(read_id(asked.get("channel")) or 0)
        if channel is None or channel.kind == "alone":
            raise LineFault("There is no such channel.", 0)
        match what:
            case "thread.create" if channel.kind == "text" and not channel.archived:
                return {"channel": str(self._new(asked, channel.id).id)}
            case "channel.edit":
                channel.name, channel.about = _channel_name(asked.get("name")), _about(asked.get("about"))
            case "channel.archive":
                channel.archived = bool(asked.get("archived"))
            case "channel.bot":
                channel.lacks = [lack for lack in LACKS if lack in (asked.get("lacks") or ())]
            case "channel.clear":
                self._posts.clear(channel.id)
                return {}
            case _:
                raise LineFault("That can't be done here.", 0)
        self._world.keep(channel)
        return {}

    def _new(self, asked: Object, parent: int | None) -> Channel:
        if sum(c.kind != "alone" for c in self._world.channels.values()) >= _CHANNELS_AT_MOST:
            raise LineFault(f"A table has at most {_CHANNELS_AT_MOST} channels.", 0)
        return self._world.add_channel(_channel_name(asked.get("name")), _about(asked.get("about")), parent)

    def _person(self, person: Person, verb: str, asked: Object) -> Object:
        colour = asked.get("color")
        if verb == "color" and isinstance(colour, int) and 0 <= colour < COLOURS:
            person.colour = colour
            self._world.keep(person)
            return {}
        whom = self._world.people.get(read_id(asked.get("person")) or 0)
        if whom is None or whom.gone or whom.bot:
            raise LineFault("Nobody here is that.", 0)
        match verb:
            case "rename":
                whom.name = self._seats.name(asked.get("name"), whom)
                self._world.keep(whom)
            case "gm":
                self._refuse_last(whom)
                whom.roles = [role for role in whom.roles if role != self._world.gm_role]
                whom.roles += [self._world.gm_role] if asked.get("gm") else []
                self._world.keep(whom)
            case "remove":
                self._remove(whom)
            case _:
                raise LineFault("That can't be done here.", 0)
        return {}

    def _remove(self, person: Person) -> None:
        self._refuse_last(person)
        self._seats.free(person)

    def _refuse_last(self, person: Person) -> None:
        if self._world.is_gm(person) and sum(map(self._world.is_gm, self._world.seated())) == 1:
            raise LineFault("This is the last game master; make another one first.", 0)

    def _link(self, person: Person, kind: str, *, renew: bool) -> Object:
        if kind == "players":
            secret = self._seats.renew() if renew else self._seats.players
        else:
            secret = self._seats.link(
                "gm" if kind == "gm" else "person" if kind == "person" else "device", person
            )
        url = f"{self.address}/#{secret}"
        return {"url": url, "qr": code(url), "minutes": _MINUTES[kind]}


def code(text: str) -> Object:
    """Return a QR code as one SVG path of squares, and how many squares it is wide with its margin."""
    rows = list(segno.make(text, error="m", micro=False).matrix_iter(border=_QUIET_ZONE))
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows), "path": path}


def _channel_name(given: object) -> str:
    name = "-".join(given.lower().split()) if isinstance(given, str) else ""
    if not 1 <= len(name) <= 40 or not all(c.isalnum() or c in "-_'" for c in name):
        raise NoSeat("A channel's name has 1 to 40 letters, digits, dashes and blanks.", "name")
    return name


def _about(given: object) -> str:
    return "".join(c for c in given if c.isprintable())[:200].strip() if isinstance(given, str) else ""
