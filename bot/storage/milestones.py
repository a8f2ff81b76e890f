"""Which public rolls show a checkpoint: a day's first one, and the first at or after each hundredth event.

Each process knows what it has shown; after a restart one may be shown again, which does no harm.
"""

from bot.campaign.events import Event
from bot.record.exchange import EVERY

_DAY = 86_400
_KEPT_IN_MIND = 100_000


class Milestones:
    """What was passed in each campaign."""

    def __init__(self) -> None:
        self._passed: dict[int, tuple[int, int, int]] = {}

    def passes(self, event: Event) -> bool:
        """Return whether a public roll is the first of its UTC day, or of its hundred of numbers.

        One that is answered again, since it was delivered twice, passes again.
        """
        day, hundred, newest = self._passed.get(event.campaign_id, (-1, -1, 0))
        here = max(day, int(event.time) // _DAY), max(hundred, event.seq // EVERY)
        if here == (day, hundred):
            return event.seq == newest
        if len(self._passed) >= _KEPT_IN_MIND:
            self._passed.clear()
        self._passed[event.campaign_id] = *here, event.seq
        return True
