"""In-memory state of one write transaction: it decides commands in order, each on the result of the last.

It does no input or output: it lists the rows still to be loaded, and those to be saved. All but the keys of
new people is deterministic.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from bot.campaign.call_commands import OpenCall
from bot.campaign.calls import Call
from bot.campaign.campaigns import USUAL, Roller
from bot.campaign.command import OPEN, Caller, Following, MustWait, decide, needs_right
from bot.campaign.events import (
    CallOpened,
    CardChosen,
    CardLeft,
    CardPlayed,
    CardReturned,
    Event,
    EventAt,
    RegisterReset,
    Revealed,
    Rolled,
    RulesSet,
    Undone,
)
from bot.campaign.proof import KeysCommitted, ProofMode
from bot.campaign.proof_commands import CommitKeys
from bot.campaign.state import State, card_moved, evolve, fold_call
from bot.dice.draws import SourcedDraws
from bot.dice.errors import Unknown
from bot.record.ledger import Appended, Entered, Ledger
from bot.storage.campaign_lookup import CampaignLookup, new_key
from bot.storage.jobs import DeliveryKey, Job, JobTarget, MemoryAt, Missing, RollerAt
from bot.storage.rows import PersonAt, Row, is_storable

if TYPE_CHECKING:
    from bot.dice.system import Memory
    from bot.record.hashing import HashPosition
    from bot.record.proof_mode import Epoch

NO_ROLL = 0
Followers: TypeAlias = dict[int | None, set[int]]
"""Numbers of the events with one target: rolls by user id, all other events under `NO_ROLL`."""


class Batch:
    """Loaded rows, None for a row that does not exist, and the changes to them."""

    def __init__(self) -> None:
        self.lookup = CampaignLookup()
        """Campaigns and channels."""
        self.ledgers: dict[int, Ledger] = {}
        self.proofs: dict[int, ProofMode | None] = {}
        """Campaign id to its proof mode."""
        self.answered: dict[DeliveryKey, list[Event]] = {}
        """Events that an interaction has made already, in one campaign or in several."""
        self.rollers: dict[RollerAt, Roller | None] = {}
        self.ids: dict[RollerAt, int] = {}
        """Row ids of the stored rollers."""
        self.memories: dict[MemoryAt, Memory | None] = {}
        self.events: dict[EventAt, Row | None] = {}
        self.followers: dict[EventAt, Followers] = {}
        """Loaded events by their target."""
        self.followers_loaded: set[EventAt] = set()
        self.own_followers_loaded: set[tuple[EventAt, int]] = set()
        """Targets whose followers are all loaded; targets and users where other people's rolls may not be."""
        self.seats: dict[EventAt, frozenset[int]] = {}
        """Players named in each call."""
        self.sessions: dict[int, bool] = {}
        """Campaign id to whether a session is open."""
        self.pushes: dict[tuple[EventAt, int], int | None] = {}
        """The number of a user's push of an event; None if there is none."""
        self.people: dict[PersonAt, bytes | None] = {}
        """People's keys."""
        self.cards: dict[PersonAt, Counter[str]] = {}
        """Stored number of cards in each hand, by deck."""
        self.cards_added: defaultdict[PersonAt, Counter[str]] = defaultdict(Counter[str])
        """Cards that this batch added to each hand, not saved yet."""
        self.characters: dict[PersonAt, str] = {}
        """Names of the characters in use; "" for one without a name."""

        # New events to save; the fields below hold the other rows to save.
        self.appended: list[tuple[Event, Entered]] = []
        self.changed_rollers: dict[RollerAt, Roller] = {}
        self.changed_memories: dict[MemoryAt, Memory] = {}
        self.new_people: dict[PersonAt, bytes] = {}
        self.changed_epochs: set[int] = set()
        self.new_epochs: list[tuple[int, Epoch]] = []
        """Campaigns whose proof mode changed, and campaign ids with the keys they committed to."""
        self.completed: dict[int, dict[HashPosition, bytes]] = {}
        """Campaign id to new tile hashes."""
        self.server_rejoined = False
        """Whether a caller's server is stored as one that the bot has left."""
        self.servers: set[int] = set()
        """Servers of the callers with new events."""
        self.needs_reload = False
        """Whether a later job may need unloaded rows: after other events than rolls, or a roller's change."""
        self.hands: dict[EventAt, int | None] = {}
        """New owner of each drawn card that moved; None if it left all hands."""
        self.count_changes: list[tuple[Event, int]] = []
        """Rolls to add to the face counts (1) or to subtract from them (-1)."""

    def missing(self, jobs: Iterable[Job]) -> Missing:
        """Return the keys of the rows to load; call again after that, because a roller leads to memories."""
        missing = Missing()
        for job in jobs:
            if self.answer(job) is None:
                self._add_missing(job, missing)
        return missing

    def decide(self, job: Job, open_draws: Callable[[], SourcedDraws]) -> tuple[Event, bool]:
        """Return the job's event and whether it is new; the command's errors pass through."""
        caller = job.caller
        if answer := self.answer(job):
            return answer, False
        target = self._find_target(job)
        campaign_id = target.campaign_id
        if campaign_id is None:
            raise Unknown("That campaign is gone.")
        caller.must_play(campaign_id)
        before = state = self._build_state(job, campaign_id, target)
        ledger, first = self.ledgers[campaign_id], None
        if not ledger.seq and (rules := self.lookup.first_rules(campaign_id)) != USUAL:
            nobody = Caller.nobody(round(caller.time * 1000), caller.channel_id)
            first = ledger.append(nobody, OPEN, RulesSet(after=rules), b"")
            ledger = first.ledger
            state = replace(evolve(state, first.event), seq=ledger.seq)
        body = decide(job.command, caller, state, lambda: ledger.draws(caller) or open_draws())
        if isinstance(body, Rolled | RegisterReset) and (proof_key := ledger.key(caller)):
            body = replace(body, key=proof_key[0].hex())
        if ledger.must_wait(caller, body.kind):
            raise MustWait("In proof mode this waits until somebody has asked for something.")
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
        self._apply(job, target, appended, before, after)
        return appended.event, True

    def answer(self, job: Job) -> Event | None:
        """Return the event that the job's interaction has made already; None if it is new."""
        events = self.answered.get(job.delivery, []) if job.delivery else []
        campaign_id = job.needs.campaign
        return next((event for event in events if campaign_id in {None, event.campaign_id}), None)

    def target_of(self, event: Event) -> Event | None:
        """Return the target of an event, as it is shown; None if it has none or it is not loaded."""
        row = self.events.get(EventAt(event.campaign_id, event.target)) if event.target else None
        return row.visible_event if row else None

    def revealed_by(self, event: Event) -> Event | None:
        """Return the hidden event that an event makes public, itself included; None if there is none."""
        if isinstance(event.body, Revealed | CardPlayed):
            return self.target_of(event)
        row = self.events.get(event.at)
        return event if row and row.revealed else None

    def follow(self, at: EventAt, event: Event) -> None:
        """Register an event as a follower of the event at `at`."""
        key = event.user_id if isinstance(event.body, Rolled) else NO_ROLL
        self.followers[at].setdefault(key, set()).add(event.seq)

    def _find_followers(self, at: EventAt, *keys: int | None) -> Iterator[Row]:
        """Yield the loaded followers of an event: all, or those under some keys of `Followers`."""
        followers = self.followers.get(at, {})
        for key in keys or followers:
            for seq in followers.get(key, ()):
                if row := self.events[EventAt(at.campaign_id, seq)]:
                    yield row

    def _find_target(self, job: Job) -> JobTarget:
        """Return the rows a job concerns: a call leads to its roller, and a roller to its newest event."""
        needs, campaign_id = job.needs, self.lookup.find(job.caller, job.needs)
        if campaign_id is None:
            return JobTarget()
        event = self._event_at(campaign_id, needs.event)
        row = self.events.get(event) if event and needs.called else None
        call = row.event.body if row and isinstance(row.event.body, CallOpened) else None
        key = needs.roller
        if call and call.roller and (call.text or not key):
            key = call.roller.casefold()
        at = RollerAt(campaign_id, key) if key and is_storable(key) else None
        roller = self.rollers.get(at) if at else None
        if needs.last:
            event = self._event_at(campaign_id, roller.last if roller else None)
        memory = None
        if at and roller and roller.system and roller.system.has_state:
            remembers = needs.remembers_for or (call.terms.whose if call else None) or roller.memory
            evening = self.lookup.settings[campaign_id].evening
            memory = MemoryAt(at, roller.since(evening), remembers.owner(job.caller.user_id))
        return JobTarget(campaign_id, event, call, at, memory)

    def _event_at(self, campaign_id: int, seq: int | None) -> EventAt | None:
        # A number past the end is never looked up: it may be larger than the database can hold.
        if seq is None or not 1 <= seq <= self.ledgers[campaign_id].seq:
            return None
        return EventAt(campaign_id, seq)

    def _add_missing(self, job: Job, missing: Missing) -> None:
        """Add the keys of the rows that a job needs and that are not loaded."""
        needs, user = job.needs, job.caller.user_id
        campaign_id, event, call, at, memory = self._find_target(job)
        if name := self.lookup.name_at(job.caller, needs):
            missing.names |= {name} - self.lookup.names.keys()
        if campaign_id is not None:
            person = PersonAt(campaign_id, user)
            missing.people |= {person} - self.people.keys()
            missing.masters |= self._find_needed_masters(job, campaign_id) - self.lookup.masters.keys()
            if needs.session:
                missing.sessions |= {campaign_id} - self.sessions.keys()
            if needs.hand:
                missing.hands |= {person} - self.cards.keys()
        if at and at not in self.rollers:
            missing.rollers.add((at, user))
        if memory and memory not in self.memories:
            missing.memories.add(memory)
        if event:
            self._add_missing_around(job, event, call, missing)

    def _add_missing_around(
        self, job: Job, event: EventAt, call: CallOpened | None, missing: Missing
    ) -> None:
        """Add the keys of the rows about an event that a job needs and that are not loaded."""
        needs, user = job.needs, job.caller.user_id
        missing.events |= {event, self._find_draw(event) or event} - self.events.keys()
        if needs.push:
            missing.pushes |= {(event, user)} - self.pushes.keys()
        if call and call.terms.named:
            missing.seats |= {event} - self.seats.keys()
        if needs.following is Following.ALL:
            missing.followers |= {event} - self.followers_loaded
        elif needs.following is Following.OWN and event not in self.followers_loaded:
            missing.own_followers |= {(event, user)} - self.own_followers_loaded

    def _find_needed_masters(self, job: Job, campaign_id: int) -> set[int]:
        """Return the campaigns whose game masters have to be loaded for a job."""
        if job.needs.masters:
            played_id = self.lookup.played(job.caller)
            return {campaign_id} if played_id is None else {campaign_id, played_id}
        rules = self.lookup.settings[campaign_id].rules
        return {campaign_id} if needs_right(job.command, job.caller, rules) else set()

    def _build_state(self, job: Job, campaign_id: int, target: JobTarget) -> State:
        memory = self.memories[target.memory] if target.memory else None
        row = self.events[target.event] if target.event else None
        name = self.lookup.name_at(job.caller, job.needs)
        holder = self.lookup.names[name] if name else None
        played_id = self.lookup.played(job.caller)
        person = PersonAt(campaign_id, job.caller.user_id)
        roll = row.event.roll if row and row.stands else None
        followers = self._find_followers(target.event) if target.event and roll else ()
        card_bodies = [follower.event.body for follower in followers if not follower.undone]
        draw = self._find_draw(target.event) if target.event else None
        draw_row = self.events[draw] if draw else None
        return State(
            campaign=self.lookup.settings[campaign_id],
            seq=self.ledgers[campaign_id].seq,
            played=played_id == campaign_id,
            masters=self.lookup.masters.get(campaign_id, frozenset()),
            local_masters=None if played_id is None else self.lookup.masters.get(played_id),
            is_name_taken=holder not in {None, campaign_id},
            room=self.lookup.room_in(job.caller.home),
            roller=self.rollers[target.roller] if target.roller else None,
            memories={target.memory[1:]: memory} if target.memory and memory is not None else {},
            event=row.event if row else None,
            revealed=row.revealed if row else False,
            undone=row.undone if row else False,
            is_in_hand=bool(roll and roll.hand)
            and not any(isinstance(body, CardLeft) for body in card_bodies),
            cards=self.cards.get(person, Counter()) + self.cards_added[person],
            is_drawn=draw_row is not None and draw_row.stands,
            offer_events=tuple([body for body in card_bodies if isinstance(body, CardChosen | CardReturned)]),
            call=self._fold_call(job, row),
            seats=self.seats.get(target.event, frozenset()) if target.event else frozenset(),
            session=self.sessions.get(campaign_id, False),
            push=self.pushes.get((target.event, job.caller.user_id)) if target.event else None,
            proof=self.proofs.get(campaign_id),
        )

    def _fold_call(self, job: Job, row: Row | None) -> Call | None:
        """Return the call that a job targets, folded over the followers it needs; None if there is none."""
        following = job.needs.following
        if row is None or following is Following.NONE or not isinstance(row.event.body, CallOpened):
            return None
        # Other people's rolls make no difference, and folding them all for each of many presses takes time.
        keys = () if following is Following.ALL else (NO_ROLL, job.caller.user_id)
        followers = self._find_followers(row.event.at, *keys)
        return fold_call(row.event, (other.event for other in followers if not other.undone))

    def _find_draw(self, at: EventAt) -> EventAt | None:
        """Return the draw of the card that left a hand with this event; None for any other event."""
        row = self.events.get(at)
        if row is None or not isinstance(row.event.body, CardLeft):
            return None
        return self._event_at(at.campaign_id, row.event.target)

    def _apply(self, job: Job, target: JobTarget, appended: Appended, before: State, after: State) -> None:
        """Add an event and the changes from the state before it to the state after it."""
        ledger, event, completed, entered = appended
        self._update_ledger(ledger, event, before.proof, after.proof)
        if completed:
            self.completed.setdefault(ledger.campaign_id, {}).update(completed)
        if job.delivery:
            self.answered.setdefault(job.delivery, []).append(event)
            self.servers.update(filter(None, [job.caller.guild_id]))
        self.appended.append((event, entered))
        self.needs_reload |= not isinstance(event.body, Rolled) or after.roller != before.roller
        self.lookup.apply(job.caller, job.needs, event.campaign_id, before, after)
        if isinstance(job.command, OpenCall):
            self.seats[event.at] = job.command.seats
        if job.needs.session:
            self.sessions[event.campaign_id] = after.session
        self._add_event(event, before)
        at = target.roller
        if at is None or after.roller is None:
            return
        if after.roller != before.roller:
            self.rollers[at] = self.changed_rollers[at] = after.roller
        for slot, memory in after.memories.items():
            if before.memories.get(slot) != memory:
                key = MemoryAt(at, *slot)
                self.memories[key] = self.changed_memories[key] = memory

    def _add_event(self, event: Event, before: State) -> None:
        """Add an event's row, and its effects on other events, face counts and hands."""
        target = EventAt(event.campaign_id, event.target) if event.target else None
        revealed = bool(before.call and before.call.revealed)
        row = self.events[event.at] = Row(event, undone=False, revealed=revealed)
        if row.counts:
            self.count_changes.append((event, 1))
        if isinstance(event.body, Rolled) and event.body.pushes:
            self.pushes[EventAt(event.campaign_id, event.body.pushes), event.user_id or 0] = event.seq
        if card := card_moved(event, before.event):
            self.hands[EventAt(event.campaign_id, card[0])] = card[1]
            if owner_id := card[1] or (before.event.user_id if before.event else None):
                person = PersonAt(event.campaign_id, owner_id)
                self.cards_added[person][event.roller.casefold()] += 1 if card[1] else -1
        if target:
            self._update_target(event, target)
            if target in self.followers:
                self.follow(target, event)

    def _update_ledger(
        self, ledger: Ledger, event: Event, before: ProofMode | None, after: ProofMode | None
    ) -> None:
        """Keep the ledger and proof mode after an event; proof mode may have no keys after a cut."""
        campaign_id = ledger.campaign_id
        if isinstance(event.body, KeysCommitted):
            self.new_epochs.append((campaign_id, ledger.epochs[-1]))
        if after != before or ledger.epochs != self.ledgers[campaign_id].epochs:
            self.proofs[campaign_id] = after
            self.changed_epochs.add(campaign_id)
        self.ledgers[campaign_id] = ledger

    def _update_target(self, event: Event, target: EventAt) -> None:
        """Apply a reveal or an undo to its target, and to the face counts."""
        if not (row := self.events.get(target)):
            return
        if isinstance(event.body, Revealed | CardPlayed):
            for public_row in (row, *self._find_followers(target)):
                self._replace_row(replace(public_row, revealed=True))
        elif isinstance(event.body, Undone):
            self._replace_row(replace(row, undone=True))

    def _replace_row(self, row: Row) -> None:
        """Replace an event's row, and note the change of the face counts."""
        old = self.events[row.event.at]
        if old and old.counts is not row.counts:
            self.count_changes.append((row.event, 1 if row.counts else -1))
        self.events[row.event.at] = row
