"""What people change at the table itself: channels, threads, people, links; most is the game masters'."""

import segno

from bot.play.messages import Posts
from bot.play.options import LineFault
from bot.play.protocol import PageFrame
from bot.play.seats import SECONDS, LinkKind, NoSeat, Seats
from bot.play.store import Object
from bot.play.world import COLOURS, Person, World

_CHANNELS_AT_MOST = 50
_FOR_ALL = {"thread.create", "person.color", "leave", "link.device"}
_LINKS: dict[str, LinkKind] = {"players": "player", "gm": "gm", "person": "person", "device": "device"}
_QUIET_ZONE = 2


class Governing:
    """Carries out a page's `do` frames; raises LineFault or NoSeat for what can't be done."""

    def __init__(self, world: World, posts: Posts, seats: Seats) -> None:
        self.address = ""
        """What links begin with."""
        self._world = world
        self._posts = posts
        self._seats = seats

    def do(self, person: Person, asked: PageFrame) -> Object:
        """Do what is asked; return what is answered."""
        own = asked.what == "person.rename" and asked.person == person.id
        if asked.what not in _FOR_ALL and not own and not self._world.is_gm(person):
            raise LineFault("Only a game master can do that.")
        subject, _, verb = asked.what.partition(".")
        match subject, verb:
            case "channel", "create":
                return self._new(asked, None)
            case "channel" | "thread", _:
                return self._channel(asked)
            case "person", "color" if 0 <= asked.color < COLOURS:
                person.colour = asked.color
                self._world.keep(person)
            case "person", _:
                self._person(verb, asked)
            case "leave", _:
                self._remove(person)
            case "link", "players" | "gm" | "person" | "device":
                return self._link(person, _LINKS[verb], renew=asked.renew)
            case _:
                raise LineFault("That can't be done here.")
        return {}

    def _channel(self, asked: PageFrame) -> Object:
        channel = self._world.channels.get(asked.channel or 0)
        if channel is None or channel.kind == "alone":
            raise LineFault("There is no such channel.")
        match asked.what:
            case "thread.create" if channel.kind == "text" and not channel.archived:
                return self._new(asked, channel.id)
            case "channel.edit":
                channel.name, channel.about = _channel_name(asked.name), _about(asked.about)
            case "channel.archive":
                channel.archived = asked.archived
            case "channel.bot":
                channel.lacks = list(asked.lacks)
            case "channel.clear":
                self._posts.clear(channel.id)
                return {}
            case _:
                raise LineFault("That can't be done here.")
        self._world.keep(channel)
        return {}

    def _new(self, asked: PageFrame, parent: int | None) -> Object:
        if sum(c.kind != "alone" for c in self._world.channels.values()) >= _CHANNELS_AT_MOST:
            raise LineFault(f"A table has at most {_CHANNELS_AT_MOST} channels.")
        made = self._world.add_channel(_channel_name(asked.name), _about(asked.about), parent)
        return {"channel": str(made.id)}

    def _person(self, verb: str, asked: PageFrame) -> None:
        whom = self._world.people.get(asked.person or 0)
        if whom is None or whom.gone or whom.bot:
            raise LineFault("Nobody here is that.")
        match verb:
            case "rename":
                whom.name = self._seats.name(asked.name, whom)
            case "gm":
                self._refuse_last(whom)
                whom.roles = [role for role in whom.roles if role != self._world.gm_role]
                whom.roles += [self._world.gm_role] if asked.gm else []
            case "remove":
                self._remove(whom)
                return
            case _:
                raise LineFault("That can't be done here.")
        self._world.keep(whom)

    def _remove(self, person: Person) -> None:
        self._refuse_last(person)
        self._seats.free(person)

    def _refuse_last(self, person: Person) -> None:
        if self._world.is_gm(person) and sum(map(self._world.is_gm, self._world.seated())) == 1:
            raise LineFault("This is the last game master; make another one first.")

    def _link(self, person: Person, kind: LinkKind, *, renew: bool) -> Object:
        if kind == "player":
            secret = self._seats.renew() if renew else self._seats.players
        else:
            secret = self._seats.link(kind, person)
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
