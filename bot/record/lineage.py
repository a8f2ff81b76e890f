"""Check each event of a roller against that roller's state, folded from the history alone.

An event must name its roller's newest one as the event before it. Events that the reader may not see are
gaps: what depends on one is trusted as recorded, everything else is checked. `bot.campaign.state` folds.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType

from bot.campaign.campaigns import Campaign, Remembers, Roller, is_own, remembers
from bot.campaign.d100_rolls import roller_name
from bot.campaign.events import (
    CardReturned,
    Event,
    RegisterReset,
    Rolled,
    RollerChange,
    RollerMade,
    RollerRemoved,
    SessionMarked,
    Undone,
)
from bot.campaign.kinds import Mark
from bot.campaign.replay import replay
from bot.campaign.rolled import OfDice
from bot.campaign.state import State, evolve, owner_of
from bot.d100.method import Method
from bot.d100.register import Register
from bot.dice.draws import Replayer
from bot.dice.system import Memory, System
from bot.newest import Newest
from bot.record.earlier import check_named
from bot.record.findings import Broken
from bot.record.known import KnownRoller, Tagging
from bot.systems.destinator import Destinator
from bot.systems.game import GameRoll
from bot.systems.registry import NO_ROLLERS, load_spec

_UNMADE = "#{number} was rolled by a roller that nobody made."
_DIM, _UNREAD = 1, 2
"""What could not be seen of an event: its part "how", or also its part "what"."""
WINDOW = 2_000
"""Most events kept to be undone or named later, so that a long history does not fill the memory."""


def no_tag(_owner: int) -> None:
    """Return None, for audits without the keys that tags are made from."""


def read_rule(number: int, made: RollerMade) -> None:
    """Parse the rule of a new roller; raise Broken if there is none, DiceError if it is invalid."""
    if not made.spec:
        raise Broken(number, "#{number} makes a roller without a rule.")
    load_spec(made.spec)


class Lineage:
    """The rollers of one campaign, folded from the events after number `start`.

    `rollers` are those after event `start`, if they are known, in which players may be tags; `tagging` gives
    a player's tag.
    """

    def __init__(
        self,
        start: int = 0,
        rollers: Mapping[str, KnownRoller] | None = None,
        tagging: Tagging = no_tag,
    ) -> None:
        self._start = start
        self._whole = start == 0 or rollers is not None
        self._tagging = tagging
        self.rollers: dict[str, KnownRoller] = dict(rollers or {})
        """Casefolded name to roller, removed ones included."""
        self._evening = 0
        self._steps = Newest[int, Event](WINDOW)
        """Number to an event that can be undone."""
        self._rolls = Newest[int, Event](WINDOW)
        """Number to a roll that later ones may name."""
        self._recalled: dict[int, Event] = {}
        """Number to an event that was dropped from the steps, and is about to be undone."""
        self._gaps = bytearray()
        """What could not be seen of each event after `start`, up to the newest such event."""
        self._changed = 0 if self._whole else start
        """Number of the newest unseen event that may have changed any roller's rule."""

    @property
    def forgotten(self) -> int:
        """Return the number of the last dropped event: up to that one, no undo can be checked."""
        return self._steps.dropped or self._start

    def skip(self, number: int, *, changes: bool = True) -> None:
        """Note an event that can't be read; if it `changes` rollers, each may have another rule since."""
        self._mark(number, _UNREAD)
        if changes:
            self._changed = number

    def fold_closed(self, event: Event, *, light: bool) -> None:
        """Fold an event whose part "how" is closed, or which is not `light`: too slow to make again."""
        body = event.body
        if isinstance(body, Undone | SessionMarked):
            self.see(event)  # they have nothing in that part
            return
        # Without its rule it can't be known whether a roll goes on from another event.
        unclear = isinstance(body, Rolled) and body.prev is None and not light
        self._mark(event.seq, _UNREAD if unclear else _DIM)
        if isinstance(body, Rolled) and light:
            self.check_rule(event, body)
        if not isinstance(body, Rolled | RegisterReset | CardReturned | RollerChange):
            return
        if unclear or (isinstance(body, Rolled) and body.prev is None and not _is_followed(body)):
            return
        state = self._go_on(event, body.prev, is_told=body.prev is not None and body.prev >= 0)
        state.forget()
        spec = state.roller.spec
        if isinstance(body, RollerMade | RollerRemoved):
            spec = body.spec if isinstance(body, RollerMade) else ""
        elif isinstance(body, Rolled | RegisterReset):
            spec = spec or body.spec
        state.made = state.made and isinstance(body, Rolled | CardReturned) and bool(state.roller.spec)
        state.roller = replace(state.roller, spec=spec, last=event.seq)

    def recall(self, event: Event) -> None:
        """Provide an earlier event that is about to be undone and may have been dropped."""
        self._recalled[event.seq] = event

    def see(self, event: Event) -> None:
        """Fold the next event; raise Broken or ReplayError if it does not follow from those before it."""
        match event.body:
            case Undone():
                self._undo(event, event.target or 0)
            case Rolled() as body:
                _, after = replay(event)
                self._check_named(event, body)
                if _is_followed(body):
                    self._roll(event, body, after)
                else:
                    self.check_rule(event, body)
            case RegisterReset() as body:
                _check_value(event, body)
                state = self._go_on(event, body.prev)
                self._check_memory(state, event, load_spec(body.spec), body.before)
                self._evolve(state, event)
            case CardReturned() as body:
                self._return(event, body)
            case SessionMarked(mark=Mark.START):
                self._evening = event.seq
                for state in self.rollers.values():
                    state.evening = event.seq
            case RollerChange() as body:
                state = self._go_on(event, body.prev)
                if body.before is None and not isinstance(body, RollerMade):
                    raise Broken(event.seq, "#{number} does not say what it changes.")
                self._check_roller(state, event, body.before)
                state.made = True
                self._evolve(state, event)
            case _:
                pass

    def _roll(self, event: Event, body: Rolled, after: Memory) -> None:
        before, of = self.rollers.get(body.roller.casefold()), body.of
        if isinstance(of, OfDice):
            raise Broken(event.seq, "#{number} goes on from another event, and has no roller.")
        changed = self._changed
        # A hidden roll can't have made this roller: a roll makes only those that `own` and maps allow.
        was_seen = not changed if before is None else before.made and before.roller.last >= changed
        state = self._go_on(event, body.prev)
        own = _own(body, of.system)
        if not state.roller.spec:
            if (was_seen or state.made) and not own and not isinstance(of.system, Destinator):
                raise Broken(event.seq, _UNMADE)
            # The first roll makes a d100 roller or a map, also after one of that name was removed.
            state.roller = _new(event, is_made=state.made).roller
        elif of.spec != state.roller.spec and not own:
            raise _other_rule_error(event.seq, state.roller.name)
        if of.system.has_state:
            self._check_memory(state, event, of.system, body.before)
        self._evolve(state, event, after=after)

    def check_rule(self, event: Event, body: Rolled) -> None:
        """Raise Broken if a roll without a memory has a roller's name but another rule."""
        system = body.of.system
        title = _title(system)
        if system is None or title is not None:
            if not f"{body.roller} ".startswith(f"{title} "):
                raise Broken(event.seq, "#{number} is not named as rolls without a roller are.")
            return
        state = self.rollers.get(body.roller.casefold())
        unseen = self._changed and (state is None or state.roller.last < self._changed)
        if unseen or _own(body, system) or (state and not state.made and not state.roller.spec):
            return
        spec = state.roller.spec if state else ""
        if not spec and not isinstance(system, Destinator):
            raise Broken(event.seq, _UNMADE)
        if spec and body.spec != spec:
            raise _other_rule_error(event.seq, body.roller)

    def _undo(self, event: Event, target: int) -> None:
        key = event.roller.casefold()
        state = self.rollers.get(key)
        undone = self._steps.get(target) or self._recalled.pop(target, None)
        last = state.roller.last if state and undone else target
        moved = last != target and last < self._changed  # by a hidden undo
        far = undone is None and 0 < target <= self.forgotten
        if not (self._gap(target, _UNREAD) or moved or far):
            if state is None or undone is None or undone.roller.casefold() != key:
                raise Broken(
                    event.seq, "#{number} undoes #{target}, which is nothing of that roller's.", target=target
                )
            if state.roller.last != target and not state.adrift:
                raise Broken(
                    event.seq, "#{number} undoes #{target}, which is not its roller's newest.", target=target
                )
        if state is None or undone is None or self._gap(target) or moved:
            changed = undone is not None and isinstance(undone.body, RollerChange)
            if state is None or changed or target <= self.forgotten or state.roller.last < self._changed:
                state = self.rollers[key] = _new(event, is_made=False)
            state.forget()
            state.adrift = True
            return
        state.adrift = False
        state.loose = state.loose or bool(self._gaps) or not self._whole
        self._evolve(state, event, undone)
        if not state.made or self._changed > target:
            state.forget()

    def _evolve(
        self, tracked: KnownRoller, event: Event, about: Event | None = None, after: Memory | None = None
    ) -> None:
        before = State(Campaign(evening=tracked.evening), roller=tracked.roller, event=about)
        state = evolve(before, event, after)
        if state.roller is not None:
            tracked.roller = state.roller
        for slot, memory in state.memories.items():
            tracked.memories[slot] = memory

    def _return(self, event: Event, body: CardReturned) -> None:
        state, drawn = self._go_on(event, body.prev), self._rolls.get(event.target or 0)
        system = state.roller.system
        if body.before is None or system is None:
            state.forget()
        else:
            self._check_memory(state, event, system, body.before)
            if body.place >= len(system.faces):
                raise Broken(event.seq, "#{number} puts back a card that has no place.")
            if drawn and system.faces[body.place] not in drawn.roll.results:
                raise Broken(
                    event.seq, "#{number} puts back another card than #{target} was.", target=event.target
                )
        self._evolve(state, event)

    def _check_named(self, event: Event, body: Rolled) -> None:
        """Raise Broken unless the roll that this one pushes, or is compared with, exists and fits."""
        number = body.pushes or body.versus
        if number and not self._gap(number) and number > (self._rolls.dropped or self._start):
            check_named(event, self._rolls.get(number))
        self._rolls[event.seq] = event

    def _go_on(self, event: Event, prev: int | None, *, is_told: bool = True) -> KnownRoller:
        """Return the event's roller, and note the event as its newest.

        `prev` is the number of its newest event before; `is_told` is False if that part is closed.
        """
        if is_told and (prev is None or prev < 0):
            raise Broken(event.seq, "#{number} does not say what it goes on from.")
        key = event.roller.casefold()
        state = self.rollers.get(key)
        if state is None:
            # A hidden roll may have made it, if it is a d100 roller or a map.
            state = self.rollers[key] = _new(event, is_made=prev == 0 and not self._changed)
            state.adrift, state.evening = self._changed > 0, self._evening
        last, changed = state.roller.last, self._changed
        if last != prev:
            unseen = prev is not None and last < prev and self._gap(prev, _UNREAD)
            if is_told and not (unseen or state.adrift or last < changed >= (prev or 0)):
                raise Broken(
                    event.seq, "#{number} goes on from #{prev}, which is not its roller's newest.", prev=prev
                )
            state.forget()
            # A hidden roll may have made a removed roller again.
            state.made = state.made and bool(state.roller.spec)
            if last < changed:
                state.roller, state.made = _new(event, is_made=False).roller, False
        state.adrift = False
        self._steps[event.seq] = event
        return state

    def _mark(self, number: int, gap: int) -> None:
        place = number - self._start - 1
        self._gaps.extend(bytes(place + 1 - len(self._gaps)))
        self._gaps[place] = gap

    def _gap(self, number: int, least: int = 1) -> bool:
        """Return whether at least this much of an event could not be seen."""
        place = number - self._start - 1
        if place < 0:
            return number > 0 and not self._whole
        return place < len(self._gaps) and self._gaps[place] >= least

    def _check_roller(self, state: KnownRoller, event: Event, before: Roller | None) -> None:
        """Raise Broken unless the roller recorded as before the change is the one folded."""
        if not state.made and before is not None:
            state.roller = before
        elif before is not None and before != state.roller.at(before.last):
            raise Broken(
                event.seq, "#{number} does not go on from what {name} was before.", name=state.roller.name
            )

    def _check_memory(self, state: KnownRoller, event: Event, system: System, began: Memory | None) -> None:
        """Raise Broken unless the recorded memory before a roll is the one folded."""
        if began is None:
            raise Broken(event.seq, "#{number} has no memory on record.")
        whose = event.body.whose if isinstance(event.body, Rolled | CardReturned) else None
        if began and whose is None and not isinstance(event.body, RegisterReset):
            raise Broken(event.seq, "#{number} does not say whose memory it used.")
        own = remembers(event.roller) is Remembers.PLAYER
        owner = event.user_id if own else owner_of(state.roller, event, whose)
        if owner is None:
            return
        if state.roller.last < self._changed and state.roller.since(event.seq) == event.seq:
            state.forget()  # a hidden event may have begun a session
        before = state.memory(owner, self._tagging)
        if before is None and not state.loose:
            before = system.start()
        if before is not None and began != before:
            raise Broken(
                event.seq, "#{number} began with another memory than {name} had.", name=state.roller.name
            )


def _other_rule_error(number: int, name: str) -> Broken:
    return Broken(number, "#{number} was not rolled with the rule that {name} had then.", name=name)


def _title(system: System | None) -> str | None:
    """Return the name of a roll without a roller, "" for plain dice; None for a roller's roll."""
    match system:
        case None:
            return ""
        case GameRoll():
            return f"{system.game} {system.roll}"
        case Method():
            return roller_name(system)
        case _:
            return None


def _own(body: Rolled, system: System) -> bool:
    """Return whether a roll is of a player's own d100 roller, by its name and its rule."""
    return is_own(body.roller) and body.roller.casefold() == f"d100 {system.name}"


def _new(event: Event, *, is_made: bool) -> KnownRoller:
    """Return a roller without a rule, whose first known event is this one."""
    memory = remembers(event.roller)
    return KnownRoller(Roller(event.roller, "", memory, epoch=event.seq), made=is_made, loose=not is_made)


def _is_followed(body: Rolled) -> bool:
    """Return whether a roll must name its roller's newest event: a roller's roll that is no practice."""
    return body.prev is not None or not (body.practice or isinstance(body.of.system, (*NO_ROLLERS, NoneType)))


def _check_value(event: Event, body: RegisterReset) -> None:
    """Raise Broken unless a register was reset to 0, or to the value drawn for it."""
    system = load_spec(body.spec)
    if not isinstance(system, Register):
        raise Broken(event.seq, "#{number} resets no register.")
    draws = Replayer(body.draws)
    if body.value != (draws.below(system.values) if body.draws else 0):
        raise Broken(event.seq, "#{number} does not come out as recorded.")
    draws.finish()
