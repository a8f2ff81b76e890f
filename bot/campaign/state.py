"""The state of a campaign, and how each event changes it: the only place where anything changes.

The writer, the audit, the view of an export's reader and the tests all fold with `evolve`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
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
from bot.campaign.proof import KeysCommitted, KeysDropped, ProofMode, SaltGiven, keys_after, round_after
from bot.campaign.replay import entries, replayed
from bot.campaign.rolled import OfDice
from bot.dice.draws import ReplayError
from bot.dice.system import Memory

Slot: TypeAlias = tuple[int, int]
"""Which of a roller's memories: its epoch, and its owner (a player, or `TABLE`)."""


@dataclass(frozen=True, slots=True)
class State:
    """One roller, one event and one call of a campaign, with what is set about the campaign."""

    campaign: Campaign = UNNAMED
    seq: int = 0
    """The number of its newest event."""
    played: bool = False
    """Whether the campaign is played in the caller's channel."""
    taken: bool = False
    """Whether another campaign here has the name that the command gives."""
    room: int = CAMPAIGNS_LIMIT
    """How many more campaigns may be made here."""
    masters: frozenset[Master] = frozenset()
    """Who is named a game master; empty where the command needs no right."""
    here: frozenset[Master] | None = None
    """Who is named one of what is played in the caller's channel, where the command is about the masters;
    None where nothing is played."""
    roller: Roller | None = None
    """The roller that it is about, removed ones included."""
    memories: Mapping[Slot, Memory] = field(default_factory=dict[Slot, Memory])
    """That roller's memories, as far as they may be concerned; the others are at their start."""
    event: Event | None = None
    """The event that it is about: the target."""
    revealed: bool = False
    """Whether that event is revealed."""
    undone: bool = False
    """Whether that event was taken back."""
    held: bool = False
    """Whether that event drew a card that is in a hand."""
    cards: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many cards of each deck the caller holds, by its casefolded name, if the command is about that."""
    became: tuple[CardChosen | CardReturned, ...] = ()
    """What became of the cards that the event offered."""
    call: Call | None = None
    """The target as a call for rolls, with what became of it."""
    seats: frozenset[int] = frozenset()
    """The players who were named in that call."""
    session: bool = False
    """Whether a session goes on, where the command is about that."""
    proof: ProofMode | None = None
    """The campaign's proof mode; None where it is not on."""

    def present(self) -> Roller | None:
        """Return the roller, unless it was removed."""
        return self.roller if self.roller and self.roller.spec else None

    def memory(self, roller: Roller, owner: int) -> Memory | None:
        """Return what a roller remembers for a player, or the table; None for nothing yet."""
        return self.memories.get((roller.since(self.campaign.evening), owner))


def owner_of(roller: Roller, event: Event, whose: Remembers | None = None) -> int | None:
    """Return whose memory an event used, None for erased players; a call may say otherwise."""
    return event.user_id if (whose or roller.memory) is Remembers.PLAYER else TABLE


def evolve(state: State, event: Event, after: Memory | None = None) -> State:
    """Return the state after an event; what the event does not touch stays the same object.

    `after` is the memory that a roll left, if it was made again already.
    """
    state = proved(state, event)
    match event.body:
        case Rolled() as body:
            return _rolled(state, event, body, after)
        case RegisterReset() as body:
            roller = state.present() or Roller(body.roller, body.spec, Remembers.PLAYER, event.seq)
            return _remember(state, replace(roller, last=event.seq), event.user_id, (body.value,))
        case RollerMade() as body:
            goes_on = body.before is not None and body.before.spec
            epoch = body.before.epoch if body.before and goes_on else event.seq
            return replace(state, roller=Roller(body.roller, body.spec, body.memory, epoch, event.seq))
        case RollerReset() if state.roller:
            return replace(state, roller=replace(state.roller, epoch=event.seq, last=event.seq))
        case RollerRemoved() if state.roller:
            return replace(state, roller=replace(state.roller, spec="", last=event.seq))
        case Undone() if state.roller and state.event:
            return _undone(state, state.roller, state.event)
        case Revealed():
            return replace(
                state, revealed=True, call=replace(state.call, revealed=True) if state.call else None
            )
        case CallClosed() | CallReopened() | CallCancelled():
            return replace(state, call=_led(state.call, event) if state.call else None)
        case _:
            return _settled(state, event)


def card_moved(event: Event, about: Event | None) -> tuple[int, int | None] | None:
    """Return the number of the draw whose card came into a hand, and whose, None for nobody's any more.

    `about` is the event's target. None where no card moved.
    """
    undone = isinstance(event.body, Undone)
    done = about if undone else event
    if done is not None and isinstance(done.body, CardReturned) and done.body.offered:
        return None
    drawn = done is not None and isinstance(done.body, Rolled) and done.body.hand
    if done is None or not (drawn or isinstance(done.body, CardLeft)):
        return None
    return done.seq if drawn else done.target or 0, done.user_id if drawn is not undone else None


def fold_call(event: Event, following: Iterable[Event]) -> Call:
    """Return a call with what became of it; `following` are the events about it, but for undone rolls.

    TypeError where the event is no call.
    """
    state = State(event=event, call=Call(event, deadline=opened(event).deadline))
    for follower in sorted(following, key=lambda follower: follower.seq):
        if not isinstance(follower.body, Rolled):
            state = evolve(state, follower)
        elif state.call:
            state = replace(state, call=_answered(state.call, follower))
    if state.call is None:
        raise AssertionError("a call stays a call")
    return state.call


def _settled(state: State, event: Event) -> State:
    """Return the state after an event about the campaign itself, or a card."""
    campaign = state.campaign
    match event.body:
        case CampaignCreated(name=name, joins=joins):
            named = replace(campaign, name=name, own=False)
            state = replace(state, campaign=named, played=state.played or joins)
            return (
                state if event.user_id is None else _mastered(state, Master(MasterKind.USER, event.user_id))
            )
        case CampaignRenamed(name=name):
            return replace(state, campaign=replace(campaign, name=name))
        case CampaignUsed():
            return replace(state, campaign=replace(campaign, archived=False), played=True)
        case CampaignArchived():
            return replace(state, campaign=replace(campaign, archived=True), played=False)
        case MasterChanged(master=master, named=named) if master:
            return _mastered(state, master, named=named)
        case RulesSet(after=rules):
            return replace(state, campaign=replace(campaign, rules=rules))
        case SessionMarked(mark=mark):
            begun = mark is Mark.START
            return replace(
                state, session=begun, campaign=replace(campaign, evening=event.seq) if begun else campaign
            )
        case CallOpened(deadline=deadline):
            return replace(state, call=Call(event, deadline=deadline))
        case body if isinstance(body, CardLeft):
            return _left(replace(state, held=False), event, body)
        case _:
            return state


def _left(state: State, event: Event, body: CardLeft) -> State:
    """Return the state after a card left a hand; one that goes back changes its roller."""
    if not isinstance(body, CardReturned) or state.roller is None:
        return state
    roller = replace(state.roller, last=event.seq)
    if body.before is None or roller.system is None:
        return replace(state, roller=roller)
    after = roller.system.put_back(body.before, body.place)
    if after is None:
        raise ReplayError("#{number} puts back a card that has no place.", number=event.seq)
    return _remember(state, roller, owner_of(roller, event, body.whose), after)


def _mastered(state: State, master: Master, *, named: bool = True) -> State:
    return replace(state, masters=state.masters | {master} if named else state.masters - {master})


def proved(state: State, event: Event) -> State:
    """Return the state with proof mode as it is after an event."""
    proof = state.proof
    if proof is None and not isinstance(event.body, KeysCommitted):
        return state
    keys = keys_after(proof.keys if proof else (), event.seq, event.body)
    match event.body:
        case KeysCommitted(host=host, drand=drand):
            round_number = round_after(event.milliseconds) if drand else None
            return replace(state, proof=ProofMode(keys, host, round_number))
        case SaltGiven(drand=drand) if proof and drand:
            return replace(state, proof=replace(proof, drand=0))
        case KeysDropped():
            return replace(state, proof=None)
        case _ if proof and keys != proof.keys:
            return replace(state, proof=replace(proof, keys=keys))
        case _:
            return state


def _rolled(state: State, event: Event, body: Rolled, after: Memory | None) -> State:
    if state.call and body.target is not None:
        state = replace(state, call=_answered(state.call, event))
    if body.prev is None or isinstance(body.of, OfDice):
        return state
    roller, of = state.roller, body.of
    if roller is None or not roller.spec:
        # A player's first roll makes their d100's own roller, and a map's first roll the map.
        roller = Roller(body.roller, of.spec, remembers(body.roller), event.seq)
    roller = roller.at(event.seq)
    if not of.system.has_state:
        return replace(state, roller=roller)
    if after is None:
        after = replayed(event)[1] if body.after is None else body.after
    return _remember(state, roller, owner_of(roller, event, body.whose), after)


def _remember(state: State, roller: Roller, owner: int | None, memory: Memory) -> State:
    """Return the state with a memory kept; an erased player's is not."""
    if owner is None:
        return replace(state, roller=roller)
    slot = roller.since(state.campaign.evening), owner
    return replace(state, roller=roller, memories={**state.memories, slot: memory})


def _undone(state: State, roller: Roller, undone: Event) -> State:
    """Return the state with the target's change taken back."""
    gone = undone.seq < roller.since(state.campaign.evening)
    match undone.body:
        case Rolled(prev=int(prev), of=of) if gone or not (of.system and of.system.has_state):
            return replace(state, roller=replace(roller, last=prev))
        case (Rolled(prev=int(prev)) | CardReturned(prev=prev)) as body:
            back = replace(roller, last=prev)
            if body.before is None:
                return replace(state, roller=back)
            return _remember(state, back, owner_of(back, undone, body.whose), body.before)
        case RegisterReset(prev=prev, before=before):
            return _remember(state, replace(roller, last=prev), undone.user_id, before)
        case RollerMade(prev=prev, before=None):
            return replace(state, roller=replace(roller, spec="", last=prev))
        case (RollerMade() | RollerReset() | RollerRemoved()) as body if body.before:
            return replace(state, roller=replace(body.before, last=body.prev))
        case _:
            return state


def _answered(call: Call, event: Event) -> Call:
    return replace(call, entries=(*call.entries, *entries(event)))


def _led(call: Call, event: Event) -> Call:
    """Return the call after its game master closed, reopened or cancelled it."""
    status = LIFE.get((call.status, type(event.body)), call.status)
    reopened = isinstance(event.body, CallReopened)
    return replace(call, status=status, deadline=None if reopened else call.deadline)
