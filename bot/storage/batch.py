"""What one transaction knows: commands are decided on it one after another, each sees those before it.

Pure but for new people's keys: it loads and saves nothing. It says what is missing, and what has to be saved.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from bot.campaign.call_commands import OpenCall
from bot.campaign.calls import Call
from bot.campaign.campaigns import UNNAMED, USUAL, Campaign, Roller
from bot.campaign.command import OPEN, Caller, Following, decide, needs_right
from bot.campaign.events import (
    CallOpened,
    CardChosen,
    CardLeft,
    CardPlayed,
    CardReturned,
    Event,
    RegisterReset,
    Revealed,
    Rolled,
    RulesSet,
    Undone,
)
from bot.campaign.kinds import Body
from bot.campaign.proof import KeysCommitted, ProofMode
from bot.campaign.proof_commands import CommitKeys
from bot.campaign.state import State, card_moved, evolve, fold_call
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError, Unknown
from bot.dice.system import Memory
from bot.record.hashing import Spot
from bot.record.ledger import Appended, Entered, Ledger
from bot.record.proof_mode import Epoch
from bot.storage.jobs import Asking, EventAt, Job, MemoryAt, Missing, RollerAt
from bot.storage.places import Places, new_key
from bot.storage.rows import PersonAt, Row, is_storable

NO_ROLL = 0
Followers: TypeAlias = dict[int | None, set[int]]
"""The numbers of events about another one: the rolls of each person, and under `NO_ROLL` what is no roll."""


class _Aim(NamedTuple):
    """What a job is about, as far as what is loaded tells."""

    campaign_id: int | None = None
    event: EventAt | None = None
    called: CallOpened | None = None
    """The call that says which roller it is about."""
    roller: RollerAt | None = None
    memory: MemoryAt | None = None


@dataclass(slots=True)
class Batch:
    """The loaded part of the database, None standing for what is not there, and the changes to it."""

    places: Places = field(default_factory=Places)
    """Which campaign each command is about."""
    ledgers: dict[int, Ledger] = field(default_factory=dict[int, Ledger])
    proofs: dict[int, ProofMode | None] = field(default_factory=dict[int, ProofMode | None])
    """The proof mode of each of them."""
    answered: dict[Asking, list[Event]] = field(default_factory=dict[Asking, list[Event]])
    """The events that interactions were answered with before, in one campaign or in several."""
    rollers: dict[RollerAt, Roller | None] = field(default_factory=dict[RollerAt, Roller | None])
    ids: dict[RollerAt, int] = field(default_factory=dict[RollerAt, int])
    """The rollers that have a row, by the number of the row."""
    memories: dict[MemoryAt, Memory | None] = field(default_factory=dict[MemoryAt, Memory | None])
    events: dict[EventAt, Row | None] = field(default_factory=dict[EventAt, Row | None])
    following: dict[EventAt, Followers] = field(default_factory=dict[EventAt, Followers])
    """Which loaded events are about another one."""
    followed: set[EventAt] = field(default_factory=set[EventAt])
    """The events about which all later ones are loaded."""
    asked: set[tuple[EventAt, int]] = field(default_factory=set[tuple[EventAt, int]])
    """The events about which a person's own later ones are loaded."""
    seats: dict[EventAt, frozenset[int]] = field(default_factory=dict[EventAt, frozenset[int]])
    """The players who were named in calls."""
    sessions: dict[int, bool] = field(default_factory=dict[int, bool])
    """Whether a session goes on in campaigns."""
    people: dict[PersonAt, bytes | None] = field(default_factory=dict[PersonAt, bytes | None])
    """The keys of people."""
    cards: dict[PersonAt, Counter[str]] = field(default_factory=dict[PersonAt, Counter[str]])
    """How many cards of each deck people hold in the database."""
    grown: defaultdict[PersonAt, Counter[str]] = field(default_factory=lambda: defaultdict(Counter[str]))
    """By how many their hands grew in this batch, which is not saved yet."""
    characters: dict[PersonAt, str] = field(default_factory=dict[PersonAt, str])
    """The names of the characters in use, where they have one."""

    appended: list[tuple[Event, Entered]] = field(default_factory=list[tuple[Event, Entered]])
    """New events, to be saved; and so are the rollers and the memories that changed."""
    changed_rollers: set[RollerAt] = field(default_factory=set[RollerAt])
    changed_memories: set[MemoryAt] = field(default_factory=set[MemoryAt])
    new_people: dict[PersonAt, bytes] = field(default_factory=dict[PersonAt, bytes])
    changed_epochs: set[int] = field(default_factory=set[int])
    """Campaigns whose proof mode changed."""
    new_epochs: list[tuple[int, Epoch]] = field(default_factory=list[tuple[int, Epoch]])
    """Campaigns, and the keys that they committed to."""
    completed: dict[int, dict[Spot, bytes]] = field(default_factory=dict[int, dict[Spot, bytes]])
    """New hashes of tiles, by campaign."""
    left: bool = False
    """Whether a server that somebody asks from is noted as one that the bot has left."""
    servers: set[int] = field(default_factory=set[int])
    """Servers on which somebody asked for something new."""
    needs_reload: bool = False
    """Whether a later job may need what is not loaded: after what is no roll, or changed a roller."""
    hands: dict[EventAt, int | None] = field(default_factory=dict[EventAt, int | None])
    """Draws whose cards came into somebody's hand, or into nobody's."""
    counted: list[tuple[Event, int]] = field(default_factory=list[tuple[Event, int]])
    """Rolls that join the counts of faces (1), or are taken back out (-1)."""

    def missing(self, jobs: Iterable[Job]) -> Missing:
        """Return what is not loaded yet; once it is, there may be more: a roller leads to memories."""
        missing = Missing()
        for job in jobs:
            if self.answer(job) is None:
                self._add_missing(job, missing)
        return missing

    def decide(self, job: Job, open_draws: Callable[[], SourcedDraws]) -> tuple[Event, bool]:
        """Return the job's event, and whether it is new; what the command raises goes through."""
        caller = job.caller
        if answer := self.answer(job):
            return answer, False
        aim = self._aim(job)
        campaign_id = aim.campaign_id
        if campaign_id is None:
            raise Unknown("That campaign is gone.")
        caller.must_play(campaign_id)
        before = state = self._state(job, campaign_id, aim)
        ledger, first = self.ledgers[campaign_id], None
        if not ledger.seq and (rules := self.places.first_rules(campaign_id)) != USUAL:
            nobody = Caller.nobody(round(caller.time * 1000), caller.channel_id)
            first = ledger.append(nobody, OPEN, RulesSet(after=rules), b"")
            ledger = first.ledger
            state = replace(evolve(state, first.event), seq=ledger.seq)
        body = decide(job.command, caller, state, lambda: ledger.draws(caller) or open_draws())
        if isinstance(body, Rolled | RegisterReset) and (found := ledger.key(caller)):
            body = replace(body, key=found[0].hex())
        if ledger.must_wait(caller, body.kind):
            raise DiceError("In proof mode this waits until somebody has asked for something.")
        usual = state.campaign.rules.visibility
        at = PersonAt(campaign_id, caller.user_id)
        secret = self.people[at] or new_key()
        options = job.command.options_in(state)
        if (character := self.characters.get(at)) and isinstance(body, Rolled) and not body.names:
            options = replace(options, character=character)
        epoch_secret = job.command.secret if isinstance(job.command, CommitKeys) else None
        appended = ledger.append(caller, options, body, secret, usual, epoch_secret)
        after = evolve(state, appended.event)
        if self.people[at] is None and caller.clock is None:
            self.people[at] = self.new_people[at] = secret
        if first:
            self.appended.append((first.event, first.entered))
        self._keep(job, aim, appended, before, after)
        return appended.event, True

    def answer(self, job: Job) -> Event | None:
        """Return the event that a job was answered with before; None where it is new."""
        events, campaign = self.answered.get(job.asking, []) if job.asking else [], job.needs.campaign
        return next((event for event in events if campaign in {None, event.campaign_id}), None)

    def campaign_of(self, job: Job) -> int | None:
        """Return the campaign that a job is about; None if it is not there."""
        return self.places.find(job.caller, job.needs)

    def campaign_in(self, event: Event) -> Campaign:
        """Return what is set about the campaign of a job's event."""
        return self.places.states.get(event.campaign_id, UNNAMED)

    def target_of(self, event: Event) -> Event | None:
        """Return the event that a job's event is about, as it is shown; None where it was not loaded."""
        row = self.events.get(EventAt(event.campaign_id, event.target)) if event.target else None
        return row.told if row else None

    def shown_by(self, event: Event) -> Event | None:
        """Return the hidden event that everybody sees from a job's event on, or that event; else None."""
        if isinstance(event.body, Revealed | CardPlayed):
            return self.target_of(event)
        row = self.events.get(EventAt(event.campaign_id, event.seq))
        return event if row and row.revealed else None

    def follow(self, at: EventAt, event: Event) -> None:
        """Note that an event is about the one at a place."""
        whose = event.user_id if isinstance(event.body, Rolled) else NO_ROLL
        self.following[at].setdefault(whose, set()).add(event.seq)

    def _followers(self, at: EventAt, *of: int | None) -> Iterator[Row]:
        """Yield the loaded events about another one, all of them unless it is said whose."""
        following = self.following.get(at, {})
        for whose in of or following:
            for seq in following.get(whose, ()):
                if row := self.events[EventAt(at.campaign_id, seq)]:
                    yield row

    def _aim(self, job: Job) -> _Aim:
        """Return what a job is about; a call leads to its roller, and a roller to its newest event."""
        needs, campaign_id = job.needs, self.campaign_of(job)
        if campaign_id is None:
            return _Aim()
        event = self._event_at(campaign_id, needs.event)
        row = self.events.get(event) if event and needs.called else None
        called = row.event.body if row and isinstance(row.event.body, CallOpened) else None
        key = needs.roller
        if called and called.roller and (called.text or not key):
            key = called.roller.casefold()
        at = RollerAt(campaign_id, key) if key and is_storable(key) else None
        roller = self.rollers.get(at) if at else None
        if needs.last:
            event = self._event_at(campaign_id, roller.last if roller else None)
        memory = None
        if at and roller and roller.system and roller.system.has_state:
            whose = needs.whose or (called.terms.whose if called else None) or roller.memory
            evening = self.places.states[campaign_id].evening
            memory = MemoryAt(at, roller.since(evening), whose.owner(job.caller.user_id))
        return _Aim(campaign_id, event, called, at, memory)

    def _event_at(self, campaign_id: int, seq: int | None) -> EventAt | None:
        # A number that nothing has is never looked up: it may be larger than the database can hold.
        if seq is None or not 1 <= seq <= self.ledgers[campaign_id].seq:
            return None
        return EventAt(campaign_id, seq)

    def _add_missing(self, job: Job, missing: Missing) -> None:
        name = self.places.name_at(job.caller, job.needs)
        if name and name not in self.places.names:
            missing.names.add(name)
        campaign_id, event, called, at, memory = self._aim(job)
        user = job.caller.user_id
        if campaign_id is not None:
            person = {PersonAt(campaign_id, user)}
            missing.people |= person - self.people.keys()
            missing.sessions |= ({campaign_id} if job.needs.session else set[int]()) - self.sessions.keys()
            missing.hands |= (person if job.needs.hand else set[PersonAt]()) - self.cards.keys()
            missing.masters |= self._leads(job, campaign_id) - self.places.masters.keys()
        if at and at not in self.rollers:
            missing.rollers.add((at, user))
        if memory and memory not in self.memories:
            missing.memories.add(memory)
        if event is None:
            return
        if event not in self.events:
            missing.events.add(event)
        if called and called.terms.named and event not in self.seats:
            missing.seats.add(event)
        if job.needs.following is Following.ALL:
            missing.following |= {event} - self.followed
        elif job.needs.following is Following.OWN and event not in self.followed:
            missing.own |= {(event, user)} - self.asked

    def _leads(self, job: Job, campaign_id: int) -> set[int]:
        """Return the campaigns whose game masters a job must see."""
        if job.needs.masters:
            here = self.places.played(job.caller)
            return {campaign_id} if here is None else {campaign_id, here}
        rules = self.places.states[campaign_id].rules
        return {campaign_id} if needs_right(job.command, job.caller, rules) else set()

    def _state(self, job: Job, campaign_id: int, aim: _Aim) -> State:
        kept = self.memories[aim.memory] if aim.memory else None
        row = self.events[aim.event] if aim.event else None
        name = self.places.name_at(job.caller, job.needs)
        holder = self.places.names[name] if name else None
        here = self.places.played(job.caller)
        person = PersonAt(campaign_id, job.caller.user_id)
        roll = row.event.roll if row and row.stands else None
        held = self._standing(aim.event) if roll and roll.hand else None
        offered = self._standing(aim.event) if roll and roll.offer else ()
        return State(
            campaign=self.places.states[campaign_id],
            seq=self.ledgers[campaign_id].seq,
            played=here == campaign_id,
            masters=self.places.masters.get(campaign_id, frozenset()),
            here=None if here is None else self.places.masters.get(here),
            taken=holder not in {None, campaign_id},
            room=self.places.room_at(job.caller.home),
            roller=self.rollers[aim.roller] if aim.roller else None,
            memories={aim.memory[1:]: kept} if aim.memory and kept is not None else {},
            event=row.event if row else None,
            revealed=row.revealed if row else False,
            undone=row.undone if row else False,
            held=held is not None and not any(isinstance(one, CardLeft) for one in held),
            cards=self.cards.get(person, Counter()) + self.grown[person],
            became=tuple([one for one in offered if isinstance(one, CardChosen | CardReturned)]),
            call=self._call(job, row, aim.event),
            seats=self.seats.get(aim.event, frozenset()) if aim.event else frozenset(),
            session=self.sessions.get(campaign_id, False),
            proof=self.proofs.get(campaign_id),
        )

    def _call(self, job: Job, row: Row | None, at: EventAt | None) -> Call | None:
        """Return the event that a job is about as a call, with what the job must see of what became of it."""
        following = job.needs.following
        if row is None or at is None or following is Following.NONE:
            return None
        if not isinstance(row.event.body, CallOpened):
            return None
        # Other people's rolls change nothing here, and folding them all for each of many presses takes time.
        seen = () if following is Following.ALL else (NO_ROLL, job.caller.user_id)
        return fold_call(row.event, (one.event for one in self._followers(at, *seen) if not one.undone))

    def _standing(self, at: EventAt | None) -> list[Body]:
        """Return what happened to the cards of a draw and stands, as far as what is about it is loaded."""
        return [one.event.body for one in self._followers(at) if not one.undone] if at else []

    def _keep(self, job: Job, aim: _Aim, appended: Appended, before: State, after: State) -> None:
        """Keep an event, and all that the state has otherwise after it."""
        ledger, event, completed, entered = appended
        self._keep_epochs(ledger, event, before.proof, after.proof)
        if completed:
            self.completed.setdefault(ledger.campaign_id, {}).update(completed)
        if job.asking:
            self.answered.setdefault(job.asking, []).append(event)
            self.servers.update(filter(None, [job.caller.guild_id]))
        self.appended.append((event, entered))
        self.needs_reload |= not isinstance(event.body, Rolled) or after.roller != before.roller
        self.places.keep(job.caller, job.needs, event.campaign_id, before, after)
        if isinstance(job.command, OpenCall):
            self.seats[EventAt(*event.at)] = job.command.seats
        if job.needs.session:
            self.sessions[event.campaign_id] = after.session
        self._keep_event(event, before)
        at = aim.roller
        if at is None or after.roller is None:
            return
        if after.roller != before.roller:
            self.rollers[at] = after.roller
            self.changed_rollers.add(at)
        for slot, memory in after.memories.items():
            if before.memories.get(slot) != memory:
                self.memories[MemoryAt(at, *slot)] = memory
                self.changed_memories.add(MemoryAt(at, *slot))

    def _keep_event(self, event: Event, before: State) -> None:
        """Keep an event in mind, with what it does to others, to counts and to hands."""
        target = EventAt(event.campaign_id, event.target) if event.target else None
        shown = bool(before.call and before.call.revealed)
        row = self.events[EventAt(event.campaign_id, event.seq)] = Row(event, undone=False, revealed=shown)
        if row.counts:
            self.counted.append((event, 1))
        if card := card_moved(event, before.event):
            self.hands[EventAt(event.campaign_id, card[0])] = card[1]
            if whose := card[1] or (before.event.user_id if before.event else None):
                self.grown[PersonAt(event.campaign_id, whose)][event.roller.casefold()] += (
                    1 if card[1] else -1
                )
        if target:
            self._mark(event, target)
            if target in self.following:
                self.follow(target, event)

    def _keep_epochs(
        self, ledger: Ledger, event: Event, before: ProofMode | None, proof: ProofMode | None
    ) -> None:
        """Keep the ledger after an event, with the keys that proof mode has from then on.

        It may end without any: a cut took them.
        """
        campaign_id = ledger.campaign_id
        if isinstance(event.body, KeysCommitted):
            self.new_epochs.append((campaign_id, ledger.epochs[-1]))
        if proof != before or ledger.epochs != self.ledgers[campaign_id].epochs:
            self.proofs[campaign_id] = proof
            self.changed_epochs.add(campaign_id)
        self.ledgers[campaign_id] = ledger

    def _mark(self, event: Event, target: EventAt) -> None:
        """Mark what a reveal or an undo is about, also in the counts."""
        if not (row := self.events.get(target)):
            return
        if isinstance(event.body, Revealed | CardPlayed):
            for concerned in (row, *self._followers(target)):
                self._change(replace(concerned, revealed=True))
        elif isinstance(event.body, Undone):
            self._change(replace(row, undone=True))

    def _change(self, row: Row) -> None:
        """Keep what is known of an event from now on, and what that does to the counts."""
        at = EventAt(row.event.campaign_id, row.event.seq)
        old = self.events[at]
        if old and old.counts is not row.counts:
            self.counted.append((row.event, 1 if row.counts else -1))
        self.events[at] = row
