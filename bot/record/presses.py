"""Check the order of interactions: each appears once, with all its events side by side.

Source: docs/format.md, section 5.4.
"""

from bot.dice.errors import LocalizedError
from bot.record.findings import Broken
from bot.times import INSTANCE_BITS

_MINUTE = 60_000
LONGEST = 15 * _MINUTE
"""Milliseconds by which an event may be older than one before it."""


class Presses:
    """The interactions of the last minutes of a history, from number `start` + 1 on."""

    def __init__(self, start: int) -> None:
        self._start = start
        self._known: set[int] = set()
        self._newest = self._swept = 0
        self._last: tuple[int, int] | None = None
        """The newest event's interaction and part."""
        self._withheld = 0
        """Number of withheld events since then."""

    def withhold(self) -> None:
        """Count a withheld event, which may be a part of any interaction."""
        self._withheld += 1

    def see(self, seq: int, press: tuple[int, int] | None) -> LocalizedError | None:
        """Check an event's interaction and part; return a note about it, or None.

        Raise Broken if the interaction has other events elsewhere, is too old, or lacks a part before this.
        """
        last, withheld = self._last, self._withheld
        self._last, self._withheld = press, 0
        if press is None:
            return None
        interaction, part = press
        if last and last[0] == interaction:
            fits = part and last[1] and part == last[1] + withheld + 1
        else:
            fits = interaction not in self._known
        if not fits:
            raise Broken(seq, "#{number} has the interaction of another event.")
        first = part - 1 <= withheld or seq == self._start + 1 > 1
        if not first and not (last and last[0] == interaction):
            raise Broken(
                seq, "#{number} is a part of an interaction whose other parts do not stand before it."
            )
        return self._check_time(seq, interaction)

    def _check_time(self, seq: int, interaction: int) -> LocalizedError | None:
        moment = interaction >> INSTANCE_BITS
        late = self._newest - moment
        if late > LONGEST:
            raise Broken(
                seq,
                "#{number} was asked for {minutes} minutes before an event above it.",
                minutes=late // _MINUTE,
            )
        self._newest = max(self._newest, moment)
        self._known.add(interaction)
        if self._newest - self._swept > LONGEST:
            oldest = self._newest - LONGEST << INSTANCE_BITS
            self._known = {press for press in self._known if press >= oldest}
            self._swept = self._newest
        if late <= _MINUTE:
            return None
        return LocalizedError("#{number} was asked for over a minute before an event above it.", number=seq)
