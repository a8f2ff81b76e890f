"""The order of interactions: each tells one event, and none comes long before those above it.

An interaction's token lives 15 minutes, so nothing older is kept in mind. Source: docs/format.md, 5.4.
"""

from bot.record.lineage import Broken

_MINUTE = 60_000
_LONGEST = 15 * _MINUTE
_SEQUENCE_BITS = 22


class Presses:
    """The interactions of the last minutes, as a history tells them."""

    def __init__(self) -> None:
        self._known: set[tuple[int, int]] = set()
        self._newest = self._swept = 0

    def see(self, seq: int, interaction: int, part: int) -> str:
        """Take an event's interaction and return what is to be noted of it, or ""; Broken if it can't be."""
        moment = interaction >> _SEQUENCE_BITS
        late = self._newest - moment
        if (interaction, part) in self._known:
            raise Broken(seq, "has the interaction of another event")
        if late > _LONGEST:
            raise Broken(seq, f"was asked for {late // _MINUTE} minutes before an event above it")
        self._newest = max(self._newest, moment)
        self._known.add((interaction, part))
        if self._newest - self._swept > _LONGEST:
            oldest = self._newest - _LONGEST << _SEQUENCE_BITS
            self._known = {one for one in self._known if one[0] >= oldest}
            self._swept = self._newest
        return f"#{seq} was asked for over a minute before an event above it." if late > _MINUTE else ""
