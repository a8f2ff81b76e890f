"""What all pages are told: numbered events, of which the last thousand can be asked for again."""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bot.play import views
from bot.play.gateway import BotState
from bot.play.messages import Gone, Message
from bot.play.store import Object
from bot.play.world import Channel, CommandsChanged, Person, World

_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class Read:
    """Somebody has read a channel."""

    person: int
    channel: int


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a person, and the seat whose address their files have."""

    person: Person
    seat: str


class MessageFeed:
    """The events of this run; `epoch` names the run, so that a page knows an old number when it sees one."""

    def __init__(self, world: World, menus: Callable[[Person], list[str]]) -> None:
        self.epoch = secrets.token_hex(4)
        self.last = 0
        self.listeners: list[Callable[[int, object], None]] = []
        self._world = world
        self._menus = menus
        self._kept: deque[tuple[int, object]] = deque(maxlen=_KEPT)
        world.listeners.append(self._hear)

    def add(self, change: object) -> None:
        """Number an event and tell it."""
        self.last += 1
        self._kept.append((self.last, change))
        for listener in list(self.listeners):
            listener(self.last, change)

    def since(self, epoch: object, number: object) -> list[tuple[int, object]] | None:
        """Return the events after a number, or None if they are not all known."""
        first = self._kept[0][0] if self._kept else self.last + 1
        if epoch != self.epoch or not isinstance(number, int) or not first - 1 <= number <= self.last:
            return None
        return [(n, change) for n, change in self._kept if n > number]

    def view(self, viewer: Viewer, number: int, change: object) -> Object | None:
        """Return an event as a viewer is told it; None if it is not for them."""
        told = self._told(viewer, change)
        return None if told is None else {**told, "e": number}

    def _told(self, viewer: Viewer, change: object) -> Object | None:
        world, person = self._world, viewer.person
        told: Object | None = None
        match change:
            case Message() if self._for(person, change.channel, change.viewer):
                told = {"t": "message", "message": views.message(world, change, person, viewer.seat)}
            case Gone() if self._for(person, change.channel, change.viewer):
                ids = None if change.ids is None else [str(number) for number in change.ids]
                told = {"t": "gone", "channel": str(change.channel), "ids": ids}
            case Person():
                told = {"t": "person", "person": views.person(world, change)}
            case Channel() if world.sees(person, change):
                told = {"t": "channel", "channel": views.channel(world, change, person)}
            case Read() if change.person == person.id:
                shown = views.channel(world, world.channels[change.channel], person)
                told = {"t": "read", "channel": shown["id"]}
                told |= {key: shown[key] for key in ("read", "unread", "calls")}
            case CommandsChanged():
                told = {"t": "menus", "menus": self._menus(person)}
            case _:
                pass
        return told

    def _for(self, person: Person, channel: int, viewer: int | None) -> bool:
        return viewer in {None, person.id} and self._world.sees(person, self._world.channels[channel])

    def _hear(self, change: object, new: bool) -> None:  # noqa: ARG002, FBT001 (what listeners are given)
        if not isinstance(change, BotState):
            self.add(change)
