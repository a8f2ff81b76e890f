"""The state of a campaign, and `evolve`, the only function that changes it.

The writer, the audit, the reader of an export and the tests all fold events with `evolve`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TypeAlias

from bot.campaign.calls import LIFE, Call, opened
from bot.campaign.campaigns import (
    CAMPAIGNS_LIMIT,
    TABLE,
    UNNAMED,
    Campaign,
    Master,
    MasterKind,
    Remembers,
    Roller,
    remembers,
)
from bot.campaign.events import (
    CallCancelled,
    CallClosed,
    CallOpened,
    CallReopened,
    CampaignArchived,
    CampaignCreated,
    CampaignRenamed,
    CampaignUsed,
    CardChosen,
    CardLeft,
    CardReturned,
    Event,
    MasterChanged,
    RegisterReset,
    Revealed,
    Rolled,
    RollerMade,
    RollerRemoved,
    RollerReset,
    RulesSet,
    SessionMarked,
    Undone,
)
from bot.campaign.kinds import Mark
from bot.campaign.proof import (
    KeysCommitted,
    KeysDropped,
    KeysShown,
    ProofMode,
    SaltGiven,
    keys_after,
    round_after,
)
from bot.campaign.replay import entries, replay
from bot.campaign.rolled import OfDice
from bot.dice.draws import ReplayError
from bot.dice.system import Memory

Slot: TypeAlias = tuple[int, int]
"""The key of one memory of a roller: its epoch, and its owner (a user id, or `TABLE`)."""


@dataclass(frozen=True, slots=True)
class State:
    """The part of a campaign that one command may see: its settings, one roller, one event and one call."""

    campaign: Campaign = UNNAMED
    seq: int = 0
    """The number of the campaign's newest event."""
    played: bool = False
    """Whether the campaign is played in the caller's channel."""
    is_name_taken: bool = False
    """Whether another campaign here has the requested name."""
    room: int = CAMPAIGNS_LIMIT
    """How many more campaigns may be created here."""
    masters: frozenset[Master] = frozenset()
    """The game masters; empty if the command needs no right."""
    local_masters: frozenset[Master] | None = None
    """The game masters of the campaign played in the caller's channel, if the command needs them;
    None if none is played."""
    roller: Roller | None = None
    """The command's roller, even if it was removed."""
    memories: Mapping[Slot, Memory] = field(default_factory=dict[Slot, Memory])
    """That roller's memories, as far as they are needed; a missing one is at its start."""
    event: Event | None = None
    """The target event."""
    revealed: bool = False
    """Whether the target is revealed."""
    undone: bool = False
    """Whether the target was undone."""
    is_in_hand: bool = False
    """Whether the card that the target drew is in a hand."""
    is_drawn: bool = False
    """Whether the draw of the card that left with the target is there, and was not undone."""
    cards: Mapping[str, int] = field(default_factory=dict[str, int])
    """Casefolded deck name to the number of its cards that the caller holds, if the command needs it."""
    offer_events: tuple[CardChosen | CardReturned, ...] = ()
    """The events that took or returned cards of the target's offer."""
    call: Call | None = None
    """The target as a call for rolls, with its later events applied."""
    seats: frozenset[int] = frozenset()
    """The players named in that call."""
    session: bool = False
    """Whether a session is on, if the command needs it."""
    push: int | None = None
    """The number of the caller's push of the target, if the command needs it; None if there is none."""
    proof: ProofMode | None = None
    """The campaign's proof mode; None if it is off."""

    def present(self) -> Roller | None:
        """Return the roller; None if there is none or it was removed."""
        return self.roller if self.roller and self.roller.spec else None

    def memory(self, roller: Roller, owner: int) -> Memory | None:
        """Return a roller's memory of a player or the table; None if there is none yet."""
        return self.memories.get((roller.since(self.campaign.evening), owner))


def owner_of(roller: Roller, event: Event, remembers_for: Remembers | None = None) -> int | None:
    """Return the owner of the memory an event used, None for erased players; a call may override it."""
    return event.user_id if (remembers_for or roller.memory) is Remembers.PLAYER else TABLE


def evolve(state: State, event: Event, after: Memory | None = None) -> State:
    """Return the state after an event; parts it does not change stay the same objects.

    `after` is the memory after a roll, if it was replayed already.
    """
    state = evolve_proof(state, event)
    if state.call and event.target is not None:
        state = replace(state, call=_call_after(state.call, event))
    match event.body:
        case Rolled() as body:
            return _apply_roll(state, event, body, after)
        case RegisterReset() as body:
            roller = state.present() or Roller(body.roller, body.spec, Remembers.PLAYER, event.seq)
            return _remember(state, roller.at(event.seq), event.user_id, (body.value,))
        case RollerMade() as body:
            epoch = body.before.epoch if body.before and body.before.spec else event.seq
            return replace(state, roller=Roller(body.roller, body.spec, body.memory, epoch, event.seq))
        case RollerReset() if state.roller:
            return replace(state, roller=replace(state.roller, epoch=event.seq, last=event.seq))
        case RollerRemoved() if state.roller:
            return replace(state, roller=replace(state.roller, spec="", last=event.seq))
        case Undone() if state.roller and state.event:
            return _undo(state, state.roller, state.event)
        case Revealed():
            return replace(state, revealed=True)
        case _:
            return _apply_setting(state, event)


def card_moved(event: Event, about: Event | None) -> tuple[int, int | None] | None:
    """Return the draw of the card that an event moved, and its new holder (None for nobody).

    `about` is the event's target. Return None if no card moved into or out of a hand.
    """
    is_undo = isinstance(event.body, Undone)
    moved = about if is_undo else event
    if moved is None:
        return None
    match moved.body:
        case Rolled(hand=True):
            return moved.seq, None if is_undo else moved.user_id
        case CardLeft() as body if not (isinstance(body, CardReturned) and body.offered):
            return moved.target or 0, moved.user_id if is_undo else None
        case _:
            return None


def fold_call(event: Event, following: Iterable[Event]) -> Call:
    """Return a call with its later events applied; `following` are those events, without undone rolls.

    Raise TypeError if the event is no call.
    """
    in_order = sorted(following, key=lambda follower: follower.seq)
    return reduce(_call_after, in_order, Call(event, deadline=opened(event).deadline))


def _call_after(call: Call, event: Event) -> Call:
    """Return a call after an event about it."""
    match event.body:
        case Rolled():
            return replace(call, entries=(*call.entries, *entries(event)))
        case Revealed():
            return replace(call, revealed=True)
        case CallClosed() | CallReopened() | CallCancelled() as body:
            deadline = None if isinstance(body, CallReopened) else call.deadline
            status = LIFE.get((call.status, type(body)), call.status)
            return replace(call, status=status, deadline=deadline)
        case _:
            return call


def _apply_setting(state: State, event: Event) -> State:
    """Return the state after an event that changes the campaign's settings, opens a call or moves a card."""
    campaign = state.campaign
    match event.body:
        case CampaignCreated(name=name, joins=joins):
            founder = set[Master]() if event.user_id is None else {Master(MasterKind.USER, event.user_id)}
            campaign = replace(campaign, name=name, own=False)
            masters, played = state.masters | founder, state.played or joins
            return replace(state, campaign=campaign, masters=masters, played=played)
        case CampaignRenamed(name=name):
            return replace(state, campaign=replace(campaign, name=name))
        case CampaignUsed():
            return replace(state, campaign=replace(campaign, archived=False), played=True)
        case CampaignArchived():
            return replace(state, campaign=replace(campaign, archived=True), played=False)
        case MasterChanged(master=master, named=is_master) if master:
            masters = state.masters | {master} if is_master else state.masters - {master}
            return replace(state, masters=masters)
        case RulesSet(after=rules):
            return replace(state, campaign=replace(campaign, rules=rules))
        case SessionMarked(mark=mark):
            begun = mark is Mark.START
            return replace(
                state, session=begun, campaign=replace(campaign, evening=event.seq) if begun else campaign
            )
        case CallOpened(deadline=deadline):
            return replace(state, call=Call(event, deadline=deadline))
        case CardLeft() as body:
            return _remove_card(replace(state, is_in_hand=False), event, body)
        case _:
            return state


def _remove_card(state: State, event: Event, body: CardLeft) -> State:
    """Return the state after a card left a hand; a returned card changes its roller."""
    if not isinstance(body, CardReturned) or state.roller is None:
        return state
    roller = state.roller.at(event.seq)
    if body.before is None or roller.system is None:
        return replace(state, roller=roller)
    after = roller.system.put_back(body.before, body.place)
    if after is None:
        raise ReplayError("#{number} puts back a card that has no place.", number=event.seq)
    return _remember(state, roller, owner_of(roller, event, body.whose), after)


def evolve_proof(state: State, event: Event) -> State:
    """Return the state with proof mode after an event."""
    proof = state.proof
    if proof is None and not isinstance(event.body, KeysCommitted):
        return state
    keys = keys_after(proof.keys if proof else (), event.seq, event.body)
    match event.body:
        case KeysCommitted(host=host, drand=drand):
            round_number = round_after(event.milliseconds) if drand else None
            return replace(state, proof=ProofMode(keys, host, round_number))
        case KeysShown(round=int() as round_number) if proof:
            return replace(state, proof=replace(proof, keys=keys, drand=round_number))
        case SaltGiven(drand=drand) if proof and drand:
            return replace(state, proof=replace(proof, drand=0))
        case KeysDropped():
            return replace(state, proof=None)
        case _ if proof and keys != proof.keys:
            return replace(state, proof=replace(proof, keys=keys))
        case _:
            return state


def _apply_roll(state: State, event: Event, body: Rolled, after: Memory | None) -> State:
    if body.prev is None or isinstance(body.of, OfDice):
        return state
    roller, rolled = state.roller, body.of
    if roller is None or not roller.spec:
        # The first roll creates a player's d100 roller, or a map.
        roller = Roller(body.roller, rolled.spec, remembers(body.roller), event.seq)
    roller = roller.at(event.seq)
    if not rolled.system.has_state:
        return replace(state, roller=roller)
    if after is None:
        after = replay(event)[1] if body.after is None else body.after
    return _remember(state, roller, owner_of(roller, event, body.whose), after)


def _remember(state: State, roller: Roller, owner: int | None, memory: Memory | None) -> State:
    """Return the state with a roller and its new memory; an erased player's is dropped, as is none."""
    if owner is None or memory is None:
        return replace(state, roller=roller)
    slot = roller.since(state.campaign.evening), owner
    return replace(state, roller=roller, memories={**state.memories, slot: memory})


def _undo(state: State, roller: Roller, target: Event) -> State:
    """Return the state with the target's change undone."""
    is_forgotten = target.seq < roller.since(state.campaign.evening)
    match target.body:
        case Rolled(prev=int(prev), of=of) if is_forgotten or not (of.system and of.system.has_state):
            return replace(state, roller=roller.at(prev))
        case (Rolled(prev=int(prev)) | CardReturned(prev=prev)) as body:
            return _remember(state, roller.at(prev), owner_of(roller, target, body.whose), body.before)
        case RegisterReset(prev=prev, before=before):
            return _remember(state, roller.at(prev), target.user_id, before)
        case RollerMade(prev=prev, before=None):
            return replace(state, roller=replace(roller, spec="", last=prev))
        case (RollerMade() | RollerReset() | RollerRemoved()) as body if body.before:
            return replace(state, roller=replace(body.before, last=body.prev))
        case _:
            return state
