"""A cut: the event that says up to where a history was removed, and keeps what the rest must be checked with.

It is the only beginning that a history may have but its first event. Source: spec "operations", 3.1.
"""

from dataclasses import dataclass

from bot.campaign.events import Event, Kind, time_of
from bot.campaign.request import Change
from bot.dice.bases import Json

NOBODY = 0
"""Who asks for a cut: no player."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What a cut says."""

    upto: int
    """The number of the last event that was removed."""
    head: bytes
    """The chain's head after that one."""
    days: int
    """For how many days the history was to be kept."""
    rollers: tuple[Json, ...]
    """The rollers as they were after that event; see `bot.record.known`."""
    session: tuple[int, int] | None = None
    """The evening that went on then: the number that began it, and that one's interaction."""

    def change(self) -> Change:
        """The cut as an event's own part."""
        detail: dict[str, Json] = {"head": self.head.hex(), "days": self.days, "rollers": [*self.rollers]}
        if self.session:
            number, interaction_id = self.session
            # As text: not every reader of JSON has numbers as long as Discord's.
            detail["session"] = [number, str(interaction_id)]
        return Change(Kind.CUT, target=self.upto, detail=detail)


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where what is left of a history begins: after a cut, at a time in seconds since 1970."""

    cut: Cut
    time: float

    @property
    def began(self) -> float | None:
        """When the evening began that the cut went through; None if it went through none."""
        return time_of(self.cut.session[1]) if self.cut.session else None


def read_cut(event: Event) -> Cut:
    """The cut that an event tells; ValueError where it is none, or its record is damaged."""
    match event.kind, event.target, event.detail:
        case Kind.CUT, int(upto), {"head": str(head), "days": int(days), "rollers": list(rollers)} if (
            0 < upto < event.seq
        ):
            return Cut(upto, bytes.fromhex(head), days, tuple(rollers), _session(event))
        case _:
            raise ValueError("the record of what was removed is damaged")


def _session(event: Event) -> tuple[int, int] | None:
    match event.detail.get("session"):
        case [int(number), str(interaction_id)]:
            return number, int(interaction_id)
        case None:
            return None
        case _:
            raise ValueError("the record of what was removed is damaged")
