"""What one transaction knows: requests are decided on it one after another, each sees those before it.

Pure but for the salt: it loads and saves nothing. It says what it lacks, and what has to be saved.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.campaign.campaigns import UNNAMED, Campaign
from bot.campaign.events import Asked, Event, Kind
from bot.campaign.request import Change, Needs, Request, Scene
from bot.campaign.rollers import Roller
from bot.dice.errors import Unknown
from bot.dice.labels import LabelledDraws
from bot.dice.system import Memory
from bot.record.ledger import Ledger, numbered
from bot.storage.places import NameAt, Places
from bot.storage.rows import Row, is_storable

SALT_BYTES = 16


class RollerAt(NamedTuple):
    """Where a roller is found."""

    campaign_id: int
    channel_id: int
    key: str


class MemoryAt(NamedTuple):
    """Where one of a roller's memories is found."""

    roller: RollerAt
    epoch: int
    owner_id: int


class EventAt(NamedTuple):
    """Where an event is found."""

    campaign_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class Job:
    """One request, who asked for it, and what it must see."""

    asked: Asked
    request: Request
    needs: Needs

    @classmethod
    def of(cls, asked: Asked, request: Request) -> "Job":
        """The job of a request."""
        return cls(asked, request, request.needs())


@dataclass(slots=True)
class Lack:
    """What has to be loaded before a job can be decided."""

    rollers: set[RollerAt] = field(default_factory=set[RollerAt])
    memories: set[MemoryAt] = field(default_factory=set[MemoryAt])
    events: set[EventAt] = field(default_factory=set[EventAt])
    following: set[EventAt] = field(default_factory=set[EventAt])
    names: set[NameAt] = field(default_factory=set[NameAt])

    def __bool__(self) -> bool:
        return bool(self.rollers or self.memories or self.events or self.following or self.names)


@dataclass(slots=True)
class Batch:
    """The loaded part of the database, None standing for what is not there, and the changes to it."""

    places: Places = field(default_factory=Places)
    """Which campaign each request is about."""
    ledgers: dict[int, Ledger] = field(default_factory=dict[int, Ledger])
    answered: dict[int, Event] = field(default_factory=dict[int, Event])
    """The events that interactions were answered with before."""
    rollers: dict[RollerAt, Roller | None] = field(default_factory=dict[RollerAt, Roller | None])
    ids: dict[RollerAt, int] = field(default_factory=dict[RollerAt, int])
    """The rollers that have a row, by the number of the row."""
    memories: dict[MemoryAt, Memory | None] = field(default_factory=dict[MemoryAt, Memory | None])
    events: dict[EventAt, Row | None] = field(default_factory=dict[EventAt, Row | None])
    following: dict[EventAt, dict[int, Row]] = field(default_factory=dict[EventAt, dict[int, Row]])
    """What has an event as its target, by number."""

    appended: list[Event] = field(default_factory=list[Event])
    """New events, to be saved; and so are the rollers and the memories that changed."""
    changed_rollers: set[RollerAt] = field(default_factory=set[RollerAt])
    changed_memories: set[MemoryAt] = field(default_factory=set[MemoryAt])
    counted: list[tuple[Event, int]] = field(default_factory=list[tuple[Event, int]])
    """Rolls that join the counts of faces (1), or are taken back out (-1)."""

    def lacks(self, jobs: Iterable[Job]) -> Lack:
        """What is not loaded yet; once it is, there may be more: a roller leads to memories and events."""
        lack = Lack()
        for job in jobs:
            if job.asked.interaction_id not in self.answered:
                self._add_lack(job, lack)
        return lack

    def decide(self, job: Job, open_draws: Callable[[], LabelledDraws]) -> tuple[Event, bool]:
        """The job's event, and whether it is new; what the request raises is raised, and nothing changes."""
        asked = job.asked
        answer = self.answered.get(asked.interaction_id)
        if answer:
            return answer, False
        campaign_id = self.campaign_of(job)
        if campaign_id is None:
            raise Unknown("That campaign is not there any more.")
        draws = open_draws()
        change = job.request.decide(asked, self._scene(job), draws)
        source = change.source or (draws.label if change.detail.get("draws") else None)
        if asked.visibility is None:
            asked = replace(asked, visibility=self.places.states[campaign_id].rules.visibility)
        ledger, event = self.ledgers[campaign_id].append(asked, change, source, os.urandom(SALT_BYTES))
        at = self._roller_at(job)
        self.places.keep(asked, job.needs, campaign_id, change)
        self._keep(ledger, event, change, at)
        return event, True

    def campaign_of(self, job: Job) -> int | None:
        """The campaign that a job is about; None if it is not there."""
        return self.places.find(job.asked, job.needs)

    def campaign_in(self, event: Event) -> Campaign:
        """What is set about the campaign of a job's event."""
        return self.places.states.get(event.campaign_id, UNNAMED)

    def _add_lack(self, job: Job, lack: Lack) -> None:
        name = self.places.name_at(job.asked, job.needs)
        if name and name not in self.places.names:
            lack.names.add(name)
        at = self._roller_at(job)
        if at and at not in self.rollers:
            lack.rollers.add(at)
        memory = self._memory_at(job)
        if memory and memory not in self.memories:
            lack.memories.add(memory)
        event = self._event_at(job)
        if event and event not in self.events:
            lack.events.add(event)
        if event and job.needs.following and event not in self.following:
            lack.following.add(event)

    def _scene(self, job: Job) -> Scene:
        at, memory, event = self._roller_at(job), self._memory_at(job), self._event_at(job)
        row = self.events[event] if event else None
        campaign_id = self.campaign_of(job)
        name = self.places.name_at(job.asked, job.needs)
        holder = self.places.names[name] if name else None
        return Scene(
            campaign=UNNAMED if campaign_id is None else self.places.states[campaign_id],
            played=campaign_id is not None and self.places.plays(job.asked, campaign_id),
            taken=holder not in {None, campaign_id},
            roller=self.rollers[at] if at else None,
            memory=self.memories[memory] if memory else None,
            event=row.event if row else None,
            revealed=row.revealed if row else False,
            following=tuple(
                follower.event
                for follower in (self.following.get(event, {}) if event else {}).values()
                if not follower.undone
            ),
        )

    def _roller_at(self, job: Job) -> RollerAt | None:
        key = job.needs.roller
        campaign_id = self.campaign_of(job)
        if not key or not is_storable(key) or campaign_id is None:
            return None
        return RollerAt(campaign_id, job.asked.channel_id, key)

    def _memory_at(self, job: Job) -> MemoryAt | None:
        at = self._roller_at(job)
        roller = self.rollers.get(at) if at else None
        if not at or not roller or not roller.system or not roller.system.remembers:
            return None
        if job.needs.whose:
            roller = replace(roller, memory=job.needs.whose)
        return MemoryAt(at, roller.epoch, roller.owner(job.asked.user_id))

    def _event_at(self, job: Job) -> EventAt | None:
        campaign_id = self.campaign_of(job)
        if campaign_id is None:
            return None
        seq = job.needs.event
        if job.needs.last:
            at = self._roller_at(job)
            roller = self.rollers.get(at) if at else None
            seq = roller.last if roller else None
        # A number that nothing has is never looked up: it may be larger than the database can hold.
        if seq is None or not 1 <= seq <= self.ledgers[campaign_id].seq:
            return None
        return EventAt(campaign_id, seq)

    def _keep(self, ledger: Ledger, event: Event, change: Change, at: RollerAt | None) -> None:
        self.ledgers[ledger.campaign_id] = ledger
        self.answered[event.interaction_id] = event
        self.appended.append(event)
        at_event = EventAt(event.campaign_id, event.seq)
        target = EventAt(event.campaign_id, event.target) if event.target else None
        revealed = bool(target and event.kind is Kind.ROLL and self._is_revealed(target))
        row = self.events[at_event] = Row(event, undone=False, revealed=revealed)
        if row.counts:
            self.counted.append((event, 1))
        if target:
            self._mark(event, target)
            if target in self.following:
                self.following[target][event.seq] = row
        if at and change.state:
            self.rollers[at] = numbered(change.state, event.seq)
            self.changed_rollers.add(at)
        roller = self.rollers[at] if at else None
        if at and roller and change.memory:
            owner_id, memory = change.memory
            memory_at = MemoryAt(at, roller.epoch, owner_id)
            self.memories[memory_at] = memory
            self.changed_memories.add(memory_at)

    def _is_revealed(self, call: EventAt) -> bool:
        """Whether a call's rolls were revealed, and so are those that come later."""
        return any(row.event.kind is Kind.REVEAL for row in self.following.get(call, {}).values())

    def _mark(self, event: Event, target: EventAt) -> None:
        """What a reveal or an undo does to the event it is about, and to the counts."""
        row = self.events.get(target)
        if row is None:
            return
        if event.kind is Kind.REVEAL:
            for concerned in (row, *self.following.get(target, {}).values()):
                self._change(replace(concerned, revealed=True))
        elif event.kind is Kind.UNDO:
            self._change(replace(row, undone=True))

    def _change(self, row: Row) -> None:
        """What is known of an event from now on, and what that does to the counts."""
        event = row.event
        at = EventAt(event.campaign_id, event.seq)
        call = EventAt(event.campaign_id, event.target) if event.target else None
        rows = self.following.get(call, {}) if call else {}
        old = rows.get(event.seq) or self.events[at]
        if old and old.counts is not row.counts:
            self.counted.append((event, 1 if row.counts else -1))
        if event.seq in rows:
            rows[event.seq] = row
        if at in self.events:
            self.events[at] = row
