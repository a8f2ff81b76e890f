"""Every roller's state, folded from the history alone: each event must go on from its roller's newest one.

What the reader may not see is a gap: what hangs on it is taken as it is written, and all the rest is checked.
"""

from collections.abc import Mapping
from dataclasses import replace

from bot.campaign.events import Event, Kind
from bot.campaign.replay import memory_before, replay
from bot.campaign.rollers import Remembers, Roller, is_own
from bot.d100.method import Method
from bot.dice.bases import Json
from bot.dice.errors import DiceError
from bot.dice.system import Memory
from bot.record.known import Known, Place, place_of
from bot.systems.registry import load_spec, print_spec


class Broken(ValueError):
    """A history that does not hold; `number` is the first event that it does not hold at."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"#{number} {why}")
        self.number = number


class Lineage:
    """The rollers of one campaign, whose events up to number `start` are not there.

    `rollers` are those that there were after event `start`, if that is known; players stand in them as
    hashes with `salt`.
    """

    def __init__(
        self, start: int = 0, rollers: Mapping[Place, Known] | None = None, salt: bytes | None = None
    ) -> None:
        self._start = start
        self._whole = start == 0 or rollers is not None
        self._salt = salt
        self._rollers: dict[Place, Known] = dict(rollers or {})
        self._steps: dict[int, Event] = {}
        """What can be undone."""
        self._gaps: set[int] = set()

    @property
    def rollers(self) -> Mapping[Place, Known]:
        """All rollers that there were, as they are now."""
        return self._rollers

    def forget(self, number: int) -> None:
        """Keep no events up to that number in mind: what undoes one of them can't be checked any more."""
        self._start = max(self._start, number)
        self._steps = {seq: event for seq, event in self._steps.items() if seq > number}

    def skip(self, number: int) -> None:
        """An event that the reader may not see."""
        self._gaps.add(number)

    def see(self, event: Event) -> None:
        """The next event; Broken, or a ReplayError, where it does not follow from those before it."""
        match event.kind:
            case Kind.UNDO:
                self._undo(event, event.target or 0)
            case Kind.ROLL if _is_followed(event):
                self._roll(event)
            case Kind.ROLL:
                replay(event)
            case Kind.MAKE | Kind.RESET | Kind.REMOVE if "prev" in event.detail:
                self._change(event)
            case _:
                pass

    def _roll(self, event: Event) -> None:
        known = self._go_on(event)
        roller = known.roller
        if roller.system is None:
            # A roll that makes its roller: one of d100's, or a map, also where another one was removed.
            fresh = _new(event, made=known.made).roller
            known.roller = replace(fresh, system=load_spec(event.spec), last=event.seq)
        elif event.spec != print_spec(roller.system) and not is_own(event.roller):
            raise Broken(event.seq, f"was not rolled with the rule that {roller.name} had then")
        _, after = replay(event)
        if load_spec(event.spec).remembers:
            self._remember(known, event, after)

    def _change(self, event: Event) -> None:
        before = event.detail.get("before")
        known = self._go_on(event)
        if isinstance(before, list):
            # One's own register begins anew: nothing but a memory changes.
            known.roller = replace(known.roller, system=known.roller.system or load_spec(event.spec))
            self._remember(known, event, _own_start(event))
            return
        if not known.made and before is not None:
            known.roller = replace(_read(before, event), last=event.seq)
        elif before is not None and before != known.roller.as_json():
            raise Broken(event.seq, f"does not go on from what {known.roller.name} was before")
        roller = known.roller
        known.made = True
        match event.kind:
            case Kind.MAKE:
                known.roller = replace(
                    roller,
                    name=event.roller,
                    system=load_spec(event.spec),
                    memory=Remembers(str(event.detail.get("memory"))),
                    epoch=roller.epoch if before is not None and roller.system else event.seq,
                )
            case Kind.RESET:
                known.roller = replace(roller, epoch=event.seq)
            case _:
                known.roller = replace(roller, system=None)

    def _undo(self, event: Event, target: int) -> None:
        at = place_of(event)
        known = self._rollers.get(at)
        if target in self._gaps or 0 < target <= self._start:
            if known is None or target <= self._start:
                known = self._rollers[at] = _new(event, made=False)
            known.forget()
            known.adrift = True
            return
        undone = self._steps.get(target)
        if known is None or undone is None or place_of(undone) != at:
            raise Broken(event.seq, f"undoes #{target}, which is nothing of that roller's")
        if known.roller.last != target and not known.adrift:
            raise Broken(event.seq, f"undoes #{target}, which is not its roller's newest")
        known.adrift = False
        _take_back(known, undone)
        known.roller = replace(known.roller, last=_prev(undone))

    def _go_on(self, event: Event) -> Known:
        """The event's roller, which has it as its newest event from now on."""
        prev = _prev(event)
        known = self._rollers.get(place_of(event))
        unseen = prev in self._gaps or (not self._whole and prev <= self._start)
        if known is None:
            known = _new(event, made=not unseen)
            self._rollers[place_of(event)] = known
        if unseen and known.roller.last != prev:
            known.forget()
            # A roll in a gap may have made anew what was removed.
            known.made = known.made and known.roller.system is not None
        elif known.roller.last != prev and not known.adrift:
            raise Broken(event.seq, f"goes on from #{prev}, which is not its roller's newest")
        known.adrift = False
        known.roller = replace(known.roller, last=event.seq)
        self._steps[event.seq] = event
        return known

    def _remember(self, known: Known, event: Event, after: Memory) -> None:
        """Check the memory that the event began with, and keep the one it led to."""
        owner = _owner(known, event)
        if owner is None:
            return
        before = known.memory(owner, self._salt)
        if before is None and not known.loose:
            before = load_spec(event.spec).start()
        if before is not None and memory_before(event) != before:
            raise Broken(event.seq, f"began with another memory than {known.roller.name} had")
        known.memories[known.roller.epoch, owner] = after


def _take_back(known: Known, undone: Event) -> None:
    before = undone.detail.get("before")
    if isinstance(before, list):
        owner = _owner(known, undone)
        if owner is not None:
            known.memories[known.roller.epoch, owner] = memory_before(undone)
    elif before is None:
        known.roller = replace(known.roller, system=None)
    else:
        known.roller = _read(before, undone)


def _owner(known: Known, event: Event) -> int | None:
    """Whose memory the event is about; None where that can't be told, or not any more."""
    if is_own(event.roller):
        return event.user_id
    if not known.made:
        return None
    return known.roller.owner_of(event)


def _new(event: Event, *, made: bool) -> Known:
    memory = Remembers.PLAYER if is_own(event.roller) else Remembers.TABLE
    return Known(Roller(event.roller, None, memory, epoch=event.seq), made=made, loose=not made)


def _is_followed(event: Event) -> bool:
    """Whether a roll goes on from an earlier event; a way to a d100 that keeps nothing does not."""
    return "prev" in event.detail and not isinstance(load_spec(event.spec), Method)


def _prev(event: Event) -> int:
    prev = event.detail.get("prev")
    if not isinstance(prev, int) or prev < 0:
        raise Broken(event.seq, "does not say what it goes on from")
    return prev


def _own_start(event: Event) -> Memory:
    """Where a player's own register begins anew: at what was drawn for it, else at 0."""
    match event.detail.get("draws"):
        case [[int(), int(value)]]:
            return (value,)
        case _:
            return (0,)


def _read(before: Json, event: Event) -> Roller:
    try:
        return Roller.from_json(before, 0)
    except (ValueError, DiceError) as error:
        raise Broken(event.seq, f"has a damaged record: {error}") from error
