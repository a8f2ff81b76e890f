"""What people change at the table itself: channels, threads, people, links; most is the game masters'."""

from dataclasses import dataclass

import segno

from bot.play.messages import Posts
from bot.play.options import LineFault
from bot.play.pages import PageFrame
from bot.play.seats import SECONDS, LinkKind, NoSeat, Seats
from bot.play.store import Object
from bot.play.world import Channel, Person, World

_CHANNELS_AT_MOST = 50
_FOR_ALL = {"thread.create", "person.color", "leave", "link.device"}
_LINKS: dict[str, LinkKind] = {"players": "player", "gm": "gm", "person": "person", "device": "device"}
_QUIET_ZONE = 2
_NOTHING = "That can't be done here."


@dataclass
class Governing:
    """Carries out a page's `do` frames; raises LineFault or NoSeat. Links begin with the `address`."""

    world: World
    posts: Posts
    seats: Seats
    address: str = ""

    def do(self, person: Person, asked: PageFrame) -> Object:
        """Do what is asked; return what is answered."""
        world, subject, verb = self.world, *asked.what.partition(".")[::2]
        own = asked.what == "person.rename" and asked.person == person.id
        if asked.what not in _FOR_ALL and not own and not world.is_gm(person):
            raise LineFault("Only a game master can do that.")
        match subject, verb, world.channels.get(asked.channel or 0), world.people.get(asked.person or 0):
            case "channel" | "thread", "create", _, _:
                return self._new(asked)
            case "channel", _, Channel(kind="text" | "thread") as channel, _:
                self._channel(channel, verb, asked)
            case "person", "color", _, _:
                person.colour = asked.color
                world.keep(person)
            case "person", _, _, Person(gone=False, bot=False) as whom:
                self._person(whom, verb, asked)
            case "leave", _, _, _:
                self._remove(person)
            case "link", "players" | "gm" | "person" | "device", _, _:
                return self._link(person, _LINKS[verb], renew=asked.renew)
            case _:
                raise LineFault(_NOTHING)
        return {}

    def _new(self, asked: PageFrame) -> Object:
        parent = self.world.channels.get(asked.channel or 0) if asked.what == "thread.create" else None
        if asked.what == "thread.create" and (parent is None or parent.kind != "text" or parent.archived):
            raise LineFault(_NOTHING)
        if sum(c.kind != "alone" for c in self.world.channels.values()) >= _CHANNELS_AT_MOST:
            raise LineFault(f"A table has at most {_CHANNELS_AT_MOST} channels.")
        made = self.world.add_channel(_channel_name(asked.name), _about(asked.about), parent and parent.id)
        return {"channel": str(made.id)}

    def _channel(self, channel: Channel, verb: str, asked: PageFrame) -> None:
        match verb:
            case "clear":
                self.posts.clear(channel.id)
            case "edit":
                channel.name, channel.about = _channel_name(asked.name), _about(asked.about)
            case "archive":
                channel.archived = asked.archived
            case "bot":
                channel.lacks = list(asked.lacks)
            case _:
                raise LineFault(_NOTHING)
        self.world.keep(channel)

    def _person(self, whom: Person, verb: str, asked: PageFrame) -> None:
        match verb:
            case "remove":
                self._remove(whom)
            case "rename":
                whom.name = self.seats.name(asked.name, whom)
            case "gm":
                self._refuse_last(whom)
                whom.roles = [role for role in whom.roles if role != self.world.gm_role]
                whom.roles += [self.world.gm_role] if asked.gm else []
            case _:
                raise LineFault(_NOTHING)
        self.world.keep(whom)

    def _remove(self, person: Person) -> None:
        self._refuse_last(person)
        self.seats.free(person)

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
