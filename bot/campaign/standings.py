"""How a call stands: who has rolled, who is missing, and what it comes to."""

from dataclasses import dataclass

from bot.campaign.call_terms import Terms
from bot.campaign.calls import Call, CallEntry, Status
from bot.campaign.replay import RollResult
from bot.campaign.turns import Turn, order
from bot.campaign.verdicts import Verdict, judge


@dataclass(frozen=True, slots=True)
class Standing:
    """A call at one moment."""

    call: Call
    at: float
    """Seconds since 1970."""
    seats: frozenset[int] = frozenset()
    """The players who were named; for none of them it is not known who is missing."""
    turn: Turn | None = None
    """Whose turn an initiative has come to."""
    checkpoint: str = ""
    """The log's checkpoint in one line, once no more rolls are taken; else ""."""

    @property
    def missing(self) -> tuple[int, ...]:
        """Return who was named and has not rolled."""
        return tuple(sorted(self.seats - {entry.user_id for entry in self.call.entries}))

    @property
    def complete(self) -> bool:
        """Return whether everybody who was named has rolled."""
        return bool(self.seats) and not self.missing

    @property
    def is_open(self) -> bool:
        """Return whether rolls are taken."""
        return self.call.is_open(self.at)

    @property
    def cancelled(self) -> bool:
        """Return whether it was called off."""
        return self.call.status is Status.CANCELLED

    @property
    def verdict(self) -> Verdict:
        """Return what the players' rolls come to so far; a game master's own have no part in it.

        Where there are none but those, they are judged by themselves.
        """
        own = [e for e in self.call.entries if not e.name] or self.call.entries
        return judge(self.call.terms, [e.total for e in own if e.total is not None])

    @property
    def order(self) -> list[CallEntry]:
        """Return the entries, the highest first."""
        return order(self.call.entries)

    @property
    def at_turn(self) -> CallEntry | None:
        """Whose turn it is; None before the first one, and where their roll was undone."""
        here = (self.turn.seq, self.turn.place) if self.turn else None
        return next((entry for entry in self.order if (entry.event.seq, entry.place) == here), None)


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a player gets for a press."""

    rolled: RollResult
    entry: CallEntry
    terms: Terms
    again: bool
    """Whether they had rolled before, and are shown that roll."""
