"""Every roller's state, folded from the history alone: each event must go on from its roller's newest one.

What the reader may not see is a gap: what hangs on it is taken as it is written, and all the rest is checked.
The state itself is folded by `bot.campaign.state`.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
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
from bot.campaign.replay import replayed
from bot.campaign.rolled import OfDice
from bot.campaign.state import State, evolve, owner_of
from bot.d100.method import Method
from bot.d100.register import Register
from bot.dice.draws import Replayer
from bot.dice.system import Memory, System
from bot.record.findings import Broken
from bot.record.known import KnownRoller, Tagging
from bot.record.named import check_named
from bot.systems.destinator import Destinator
from bot.systems.game import GameRoll
from bot.systems.registry import NO_ROLLERS, load_spec

_UNMADE = "#{number} was rolled by a roller that nobody made."
_DIM, _UNREAD = 1, 2
"""What could not be seen of an event: how it came about, or what it was."""
WINDOW = 2_000
"""How many events that can be undone are remembered, so that a long history does not fill the memory."""


def no_tag(_owner: int) -> None:
    """Tell of nobody what stands for them in a cut."""


def read_rule(number: int, made: RollerMade) -> None:
    """Read the rule of a roller that is made; Broken without one, DiceError where it can't be read."""
    if not made.spec:
        raise Broken(number, "#{number} makes a roller without a rule.")
    load_spec(made.spec)


class Lineage:
    """The rollers of one campaign, whose events up to number `start` are not there.

    `rollers` are those that there were after event `start`, if that is known; players may stand in them as
    tags, which `tagging` gives.
    """

    def __init__(
        self,
        start: int = 0,
        rollers: Mapping[str, KnownRoller] | None = None,
        tagging: Tagging = no_tag,
    ) -> None:
        self._start = start
        self.forgotten: int = start
        """The number up to which nothing is kept in mind: what undoes it can't be checked."""
        self._whole = start == 0 or rollers is not None
        self._tagging = tagging
        self.rollers: dict[str, KnownRoller] = dict(rollers or {})
        """All that there were, as they are now, by casefolded name."""
        self._evening = 0
        self._steps: dict[int, Event] = {}
        """What can be undone, the oldest first."""
        self._rolls: dict[int, Event] = {}
        """The newest rolls, which others may name, the oldest first."""
        self._recalled: dict[int, Event] = {}
        """What is about to be undone and was not kept in mind."""
        self._far = 0
        """The number up to which none of them is kept in mind."""
        self._gaps = bytearray()
        """Of each event after `start` what of it could not be seen, as far as the newest such one."""
        self._changed = 0 if self._whole else start
        """The newest event that could not be seen and may have changed any roller's rule."""

    def skip(self, number: int, *, changes: bool = True) -> None:
        """Pass an event that can't be read; unless it `changes` none, each roller may have another rule."""
        self._mark(number, _UNREAD)
        if changes:
            self._changed = number

    def glimpse(self, event: Event, *, light: bool) -> None:
        """Take an event that does not tell how it came about, or takes too long to make again."""
        self._mark(event.seq, _DIM)
        body = event.body
        if isinstance(body, Rolled) and light:
            self.check_rule(event, body)
        if not isinstance(body, Rolled | RegisterReset | CardReturned | RollerMade | RollerChange):
            return
        if isinstance(body, Rolled) and body.prev is None and not (light and _is_followed(body)):
            return
        known = self._go_on(event, body.prev, told=body.prev is not None and body.prev >= 0)
        known.forget()
        spec = known.roller.spec
        if isinstance(body, RollerMade | RollerRemoved):
            spec = body.spec if isinstance(body, RollerMade) else ""
        elif isinstance(body, Rolled | RegisterReset):
            spec = spec or body.spec
        known.made = known.made and isinstance(body, Rolled | CardReturned) and bool(known.roller.spec)
        known.roller = replace(known.roller, spec=spec, last=event.seq)

    def recall(self, event: Event) -> None:
        """Take an earlier event again, which is about to be undone."""
        self._recalled[event.seq] = event

    def see(self, event: Event) -> None:
        """Fold the next event; Broken, or a ReplayError, where it does not follow from those before it."""
        match event.body:
            case Undone():
                self._undo(event, event.target or 0)
            case Rolled() as body:
                _, after = replayed(event)
                self._check_named(event, body)
                if _is_followed(body):
                    self._roll(event, body, after)
                else:
                    self.check_rule(event, body)
            case RegisterReset() as body:
                _check_value(event, body)
                known = self._go_on(event, body.prev)
                self._check_memory(known, event, load_spec(body.spec), body.before)
                self._evolve(known, event)
            case CardReturned() as body:
                self._return(event, body)
            case SessionMarked(mark=Mark.START):
                self._evening = event.seq
                for known in self.rollers.values():
                    known.evening = event.seq
            case body if isinstance(body, RollerChange):
                known = self._go_on(event, body.prev)
                if body.before is None and not isinstance(body, RollerMade):
                    raise Broken(event.seq, "#{number} does not say what it changes.")
                self._check_roller(known, event, body.before)
                known.made = True
                self._evolve(known, event)
            case _:
                pass

    def _roll(self, event: Event, body: Rolled, after: Memory) -> None:
        before, of = self.rollers.get(body.roller.casefold()), body.of
        if isinstance(of, OfDice):
            raise Broken(event.seq, "#{number} goes on from another event, and has no roller.")
        changed = self._changed
        # No roll that can't be read makes a roller that somebody has to make.
        seen = not changed if before is None else before.made and before.roller.last >= changed
        known = self._go_on(event, body.prev)
        own = _own(body, of.system)
        if not known.roller.spec:
            if (seen or known.made) and not own and not isinstance(of.system, Destinator):
                raise Broken(event.seq, _UNMADE)
            # A roll that makes its roller: one of the d100's, or a map, also where another one was removed.
            known.roller = _new(event, made=known.made).roller
        elif of.spec != known.roller.spec and not own:
            raise _ruled_otherwise(event.seq, known.roller.name)
        if of.system.has_state:
            self._check_memory(known, event, of.system, body.before)
        self._evolve(known, event, after=after)

    def check_rule(self, event: Event, body: Rolled) -> None:
        """Raise Broken where a roll that touches no memory has a roller's name, and not its rule."""
        system = body.of.system
        named = _title(system)
        if system is None or named is not None:
            if not f"{body.roller} ".startswith(f"{named} "):
                raise Broken(event.seq, "#{number} is not named as rolls without a roller are.")
            return
        known = self.rollers.get(body.roller.casefold())
        unseen = self._changed and (known is None or known.roller.last < self._changed)
        if unseen or _own(body, system) or (known and not known.made and not known.roller.spec):
            return
        spec = known.roller.spec if known else ""
        if not spec and not isinstance(system, Destinator):
            raise Broken(event.seq, _UNMADE)
        if spec and body.spec != spec:
            raise _ruled_otherwise(event.seq, body.roller)

    def _undo(self, event: Event, target: int) -> None:
        key = event.roller.casefold()
        known = self.rollers.get(key)
        undone = self._steps.get(target) or self._recalled.pop(target, None)
        last = known.roller.last if known and undone else target
        moved = last != target and last < self._changed  # by an undo in a gap
        if self._gap(target) or moved or (undone is None and 0 < target <= self.forgotten):
            if known is None or target <= self.forgotten or known.roller.last < self._changed:
                known = self.rollers[key] = _new(event, made=False)
            known.forget()
            known.adrift = True
            return
        if known is None or undone is None or undone.roller.casefold() != key:
            raise Broken(
                event.seq, "#{number} undoes #{target}, which is nothing of that roller's.", target=target
            )
        if known.roller.last != target and not known.adrift:
            raise Broken(
                event.seq, "#{number} undoes #{target}, which is not its roller's newest.", target=target
            )
        known.adrift = False
        known.loose = known.loose or bool(self._gaps) or not self._whole
        self._evolve(known, event, undone)
        if not known.made or self._changed > target:
            known.forget()

    def _evolve(
        self, known: KnownRoller, event: Event, about: Event | None = None, after: Memory | None = None
    ) -> None:
        state = State(_campaign_in(known.evening), roller=known.roller, event=about)
        state = evolve(state, event, after)
        if state.roller is not None:
            known.roller = state.roller
        for slot, memory in state.memories.items():
            known.memories[slot] = memory

    def _return(self, event: Event, body: CardReturned) -> None:
        known, drawn = self._go_on(event, body.prev), self._rolls.get(event.target or 0)
        system = known.roller.system
        if body.before is None or system is None:
            known.forget()
        else:
            self._check_memory(known, event, system, body.before)
            if body.place >= len(system.faces):
                raise Broken(event.seq, "#{number} puts back a card that has no place.")
            if drawn and system.faces[body.place] not in drawn.roll.results:
                raise Broken(
                    event.seq, "#{number} puts back another card than #{target} was.", target=event.target
                )
        self._evolve(known, event)

    def _check_named(self, event: Event, body: Rolled) -> None:
        """Raise Broken unless the roll that is pushed, or held against, is there and as it is said."""
        number = body.pushes or body.versus
        if number and not self._gap(number) and number > max(self._start, self._far):
            check_named(event, self._rolls.get(number))
        self._rolls[event.seq] = event
        if len(self._rolls) > WINDOW:
            self._far = next(iter(self._rolls))
            del self._rolls[self._far]

    def _go_on(self, event: Event, prev: int | None, *, told: bool = True) -> KnownRoller:
        """Return the event's roller, which has it as its newest event from now on.

        Unless it is `told` what it goes on from, that may be anything that could not be seen.
        """
        if told and (prev is None or prev < 0):
            raise Broken(event.seq, "#{number} does not say what it goes on from.")
        key = event.roller.casefold()
        known = self.rollers.get(key)
        if known is None:
            # A roll that can't be read may have made one of the d100's, or a map.
            known = self.rollers[key] = _new(event, made=prev == 0 and not self._changed)
            known.adrift, known.evening = self._changed > 0, self._evening
        last, changed = known.roller.last, self._changed
        if last != prev:
            unseen = prev is not None and last < prev and self._gap(prev, _UNREAD)
            if told and not (unseen or known.adrift or last < changed >= (prev or 0)):
                raise Broken(
                    event.seq, "#{number} goes on from #{prev}, which is not its roller's newest.", prev=prev
                )
            known.forget()
            # A roll in a gap may have made anew what was removed.
            known.made = known.made and bool(known.roller.spec)
            if last < changed:
                known.roller, known.made = _new(event, made=False).roller, False
        known.adrift = False
        self._steps[event.seq] = event
        if len(self._steps) > WINDOW:
            self.forgotten = next(iter(self._steps))
            del self._steps[self.forgotten]
        return known

    def _mark(self, number: int, gap: int) -> None:
        place = number - self._start - 1
        self._gaps.extend(bytes(place + 1 - len(self._gaps)))
        self._gaps[place] = gap

    def _gap(self, number: int, least: int = 1) -> bool:
        """Return whether an event could not be seen to this degree."""
        place = number - self._start - 1
        if place < 0:
            return number > 0 and not self._whole
        return place < len(self._gaps) and self._gaps[place] >= least

    def _check_roller(self, known: KnownRoller, event: Event, before: Roller | None) -> None:
        """Raise Broken unless a change goes on from the roller as it was."""
        if not known.made and before is not None:
            known.roller = before
        elif before is not None and before != known.roller.at(before.last):
            raise Broken(
                event.seq, "#{number} does not go on from what {name} was before.", name=known.roller.name
            )

    def _check_memory(self, known: KnownRoller, event: Event, system: System, began: Memory | None) -> None:
        """Raise Broken unless a roll began with the memory that the roller had."""
        if began is None:
            raise Broken(event.seq, "#{number} has no memory on record.")
        own = remembers(event.roller) is Remembers.PLAYER
        owner = event.user_id if own else owner_of(known.roller, event, _whose(event))
        if owner is None:
            return
        if known.roller.last < self._changed and known.roller.since(event.seq) == event.seq:
            known.forget()  # a session may have begun meanwhile
        before = known.memory(owner, self._tagging)
        if before is None and not known.loose:
            before = system.start()
        if before is not None and began != before:
            raise Broken(
                event.seq, "#{number} began with another memory than {name} had.", name=known.roller.name
            )


def _ruled_otherwise(number: int, name: str) -> Broken:
    return Broken(number, "#{number} was not rolled with the rule that {name} had then.", name=name)


def _title(system: System | None) -> str | None:
    """Return how a roll is named that no roller has made, "" for plain dice; None for a roller's."""
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
    """Return whether a roll is of a player's own d100 roller; Broken rules under its name are nobody's."""
    return is_own(body.roller) and body.roller.casefold() == f"d100 {system.name}"


@lru_cache(maxsize=8)
def _campaign_in(evening: int) -> Campaign:
    return Campaign(evening=evening)


def _whose(event: Event) -> Remembers | None:
    return event.body.whose if isinstance(event.body, Rolled | CardReturned) else None


def _new(event: Event, *, made: bool) -> KnownRoller:
    memory = remembers(event.roller)
    return KnownRoller(Roller(event.roller, "", memory, epoch=event.seq), made=made, loose=not made)


def _is_followed(body: Rolled) -> bool:
    """Return whether a roll has to go on from an earlier event: each roller's, but for practice."""
    return body.prev is not None or not (body.practice or isinstance(body.of.system, (*NO_ROLLERS, NoneType)))


def _check_value(event: Event, body: RegisterReset) -> None:
    """Raise Broken unless a register began anew at 0, or at what was drawn for it."""
    system = load_spec(body.spec)
    if not isinstance(system, Register):
        raise Broken(event.seq, "#{number} resets no register.")
    draws = Replayer(body.draws)
    if body.value != (draws.below(system.values) if body.draws else 0):
        raise Broken(event.seq, "#{number} does not come out as recorded.")
    draws.finish()
