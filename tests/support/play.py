"""A campaign in memory, played with the core's functions alone: a model of what the storage does."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bot.campaign.campaigns import UNNAMED
from bot.campaign.events import DISCORD_EPOCH, Asked, Event, Kind, Visibility
from bot.campaign.replay import Rolled, read_roll
from bot.campaign.request import Needs, Request, Scene
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import REGISTER, RollDice
from bot.campaign.rules import Rules
from bot.dice.draws import Draws
from bot.dice.labels import Label
from bot.dice.seeded import seeded
from bot.dice.system import Memory, System
from bot.record.chain import START, link
from bot.record.ledger import Ledger, numbered
from bot.systems.registry import print_spec

CHANNEL = 7
PLAYER = 123_456_789_012_345_678
"""A player with an id as long as Discord's."""


@dataclass
class Campaign:
    """One campaign with one channel."""

    ledger: Ledger = field(default_factory=lambda: Ledger(1))
    rollers: dict[str, Roller] = field(default_factory=dict[str, Roller])
    memories: dict[tuple[str, int, int], Memory] = field(default_factory=dict[tuple[str, int, int], Memory])
    """By roller, epoch and owner."""
    events: list[Event] = field(default_factory=list[Event])
    revealed: set[int] = field(default_factory=set[int])
    undone: set[int] = field(default_factory=set[int])
    rules: Rules = UNNAMED.rules

    def ask(
        self,
        request: Request,
        draws: Draws,
        user: int = PLAYER,
        *,
        label: str = "",
        visibility: Visibility = Visibility.PUBLIC,
        called: bool = False,
        at: int | None = None,
    ) -> Event:
        """The event that a request comes to; raises what the request raises, and then nothing changed.

        `at` is when it is asked, in milliseconds since 1970.
        """
        number = len(self.events) + 1
        moment = number if at is None else at - DISCORD_EPOCH
        asked = Asked(moment << 22, 9, CHANNEL, user, label, visibility, called=called)
        needs = request.needs()
        change = request.decide(asked, self.scene(needs, user), draws)
        source = change.source or (Label.LOCAL if change.detail.get("draws") else None)
        self.ledger, event = self.ledger.append(asked, change, source, number.to_bytes(16))
        self.events.append(event)
        if event.kind is Kind.REVEAL and event.target:
            self.revealed.add(event.target)
        if event.kind is Kind.UNDO and event.target:
            self.undone.add(event.target)
        if change.state:
            self.rollers[needs.roller] = numbered(change.state, event.seq)
        if change.memory:
            owner, memory = change.memory
            self.memories[needs.roller, self.rollers[needs.roller].epoch, owner] = memory
        return event

    def scene(self, needs: Needs, user: int = PLAYER) -> Scene:
        """What a request sees."""
        roller = self.rollers.get(needs.roller)
        memory = None
        if roller and roller.system:
            owner = replace(roller, memory=needs.whose or roller.memory).owner(user)
            memory = self.memories.get((needs.roller, roller.epoch, owner))
        seq = (roller.last if roller else 0) if needs.last else needs.event or 0
        event = self.events[seq - 1] if 1 <= seq <= len(self.events) else None
        following = [e for e in self.events if e.target == seq and e.seq not in self.undone]
        return Scene(
            roller,
            memory,
            event,
            revealed=seq in self.revealed,
            following=tuple(following) if needs.following else (),
            campaign=replace(UNNAMED, rules=self.rules),
        )

    def seen(self, key: str) -> object:
        """All that players can notice of a roller: None where there is none, and so for a fresh register."""
        roller = self.rollers.get(key)
        if roller is None or roller.system is None:
            return None
        start = roller.system.start()
        memories = {
            owner: memory
            for (name, epoch, owner), memory in self.memories.items()
            if (name, epoch) == (key, roller.epoch) and memory != start
        }
        if key == REGISTER and not memories:
            return None
        return roller.name, print_spec(roller.system), roller.memory, memories

    def heads(self) -> Iterator[tuple[bytes, bytes]]:
        """For each event its head, and the head worked out anew from those before it."""
        head = START
        for event in self.events:
            head = link(head, event)
            yield event.head, head


def rolled(
    text: str,
    times: int = 1,
    seed: int = 0,
    *,
    label: str = "",
    visibility: Visibility = Visibility.PUBLIC,
) -> Rolled:
    """A roll of plain dice in a new campaign."""
    event = Campaign().ask(RollDice(text, times), seeded(seed), label=label, visibility=visibility)
    return read_roll(event)


def rolled_with(
    system: System, times: int = 1, seed: int = 0, *, name: str = "evil", label: str = ""
) -> Rolled:
    """The first roll of a new roller of that system."""
    campaign = Campaign(rollers={name: Roller(name, system, Remembers.TABLE, epoch=0)})
    return read_roll(campaign.ask(RollDice(name, times), seeded(seed), label=label))
