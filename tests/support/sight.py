"""What a reader is told of a history, and an account of their own of what follows from it."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from bot.campaign.events import Event, Kind
from bot.campaign.replay import replay
from bot.campaign.reveals import may_see
from bot.campaign.rollers import TABLE, Remembers
from bot.dice.bases import Json
from bot.dice.system import Memory
from bot.record.audit import Item, Partial, Sealed
from bot.record.discretion import Discretion
from bot.systems.registry import load_spec

_UNKNOWN = (-1,)


def told(
    events: Sequence[Event],
    user: int,
    *,
    is_gm: bool = False,
    memories: bool = True,
    revealed: frozenset[int] = frozenset(),
) -> list[Item]:
    """What a person is told."""
    discretion = Discretion(events[0].seq - 1, memories=memories, is_gm=is_gm)
    items: list[Item] = []
    for event in events:
        visible = event.seq in revealed or may_see(event, user, is_gm=is_gm)
        betrays = discretion.betrays(event, visible=visible)
        whole = Partial(event) if betrays else event
        items.append(whole if visible else Sealed(event.seq, event.head))
    return items


@dataclass
class _Picture:
    """A roller as somebody knows it who was told of some of its rolls."""

    whose: Json
    memories: dict[int | None, Memory] = field(default_factory=dict[int | None, Memory])


@dataclass
class Account:
    """A picture of each roller of one channel, in which hidden rolls leave no trace.

    An undo puts back the picture that there was before what it undoes.
    """

    pictures: dict[str, _Picture] = field(default_factory=dict[str, _Picture])
    before: dict[int, _Picture | None] = field(default_factory=dict[int, _Picture | None])

    def see(self, event: Event, item: Item) -> bool:
        """Whether the item tells a memory that does not follow from what was told before."""
        key = event.roller.casefold()
        old = event.detail.get("before")
        self.before[event.seq] = deepcopy(self.pictures.get(key))
        match event.kind:
            case Kind.ROLL | Kind.RESET if isinstance(old, list):
                return load_spec(event.spec).remembers and self._remember(event, item, key)
            case Kind.UNDO:
                self.pictures.pop(key, None)
                if picture := deepcopy(self.before[event.target or 0]):
                    self.pictures[key] = picture
            case Kind.MAKE if not (isinstance(old, dict) and old.get("spec")):
                self.pictures[key] = _Picture(event.detail["memory"])
            case Kind.RESET if key in self.pictures:
                self.pictures[key].memories.clear()
            case _:
                pass
        return False

    def _remember(self, event: Event, item: Item, key: str) -> bool:
        fresh = Remembers.PLAYER if key.startswith("d100 ") else Remembers.TABLE
        picture = self.pictures.setdefault(key, _Picture(fresh))
        owner = event.user_id if picture.whose == Remembers.PLAYER else TABLE
        known = picture.memories.get(owner, load_spec(event.spec).start())
        if event.kind is Kind.RESET:
            picture.memories[owner] = _drawn(event)
        elif isinstance(item, Event):
            picture.memories[owner] = replay(event)[1]
        elif isinstance(item, Partial):
            picture.memories[owner] = _UNKNOWN
        return isinstance(item, Event) and event.detail["before"] != list(known)


def surprises(events: Sequence[Event], items: Sequence[Item]) -> list[int]:
    """The numbers of what is told whole with a memory that does not follow from what was told."""
    account = Account()
    return [event.seq for event, item in zip(events, items, strict=True) if account.see(event, item)]


def _drawn(event: Event) -> Memory:
    match event.detail.get("draws"):
        case [[int(), int(value)]]:
            return (value,)
        case _:
            return (0,)
