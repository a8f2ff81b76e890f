"""Where a history begins: at its first event, or after the cut that removed the events before."""

from dataclasses import dataclass

from bot.campaign.events import Event, HistoryCut, time_of

_HASH_DIGITS = 64


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a history after a cut."""

    upto: int
    """The number of the last event that was removed."""
    cut: HistoryCut
    time: float
    """When it was cut, in seconds since 1970."""

    @property
    def frontier(self) -> tuple[bytes, ...]:
        """Return the tree's frontier after the events that were removed."""
        return tuple(map(bytes.fromhex, self.cut.frontier))

    @property
    def session(self) -> tuple[int, float] | None:
        """Return the session that the cut went through: its first event's number and time; None for none."""
        if not self.cut.session:
            return None
        number, interaction_id = self.cut.session
        return number, time_of(interaction_id)


def read_cut(event: Event) -> Beginning:
    """Return the beginning that a cut makes; ValueError for other events, or for a cut of later ones."""
    if not isinstance(event.body, HistoryCut) or not 0 < (event.target or 0) < event.seq:
        raise ValueError(f"#{event.seq} is no cut")
    if len(event.body.session) not in {0, 2}:
        raise ValueError(f"#{event.seq} names no session as it should")
    upto, frontier = event.target or 0, event.body.frontier
    if len(frontier) != upto.bit_count() or any(len(one) != _HASH_DIGITS for one in frontier):
        raise ValueError(f"#{event.seq} does not name the frontier of #{upto}")
    return Beginning(upto, event.body, event.time)
