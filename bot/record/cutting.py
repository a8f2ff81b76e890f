"""Cut the old events off a history: check them once more, and summarize them in a cut."""

from bot.campaign.events import Event, HistoryCut, SessionMarked
from bot.campaign.histories import Beginning
from bot.campaign.kinds import Mark
from bot.record.audit import audit_from
from bot.record.hashing import Keyring


class Cutting:
    """Audits the events to remove, in order: from event 1, or from the last cut on."""

    def __init__(self, log: str, keyring: Keyring, last: Beginning | None = None) -> None:
        self._keyring = keyring
        self._audit = audit_from(log, last, keyring.tag)
        self._session = last.cut.session if last else ()
        self.seen: int = 0
        """Number of events without cuts."""

    @property
    def upto(self) -> int:
        """Return the number of the last event."""
        return self._audit.seq

    def see(self, event: Event) -> None:
        """Check the next event; raise Broken if the history does not hold."""
        self._audit.see_stored(event, self._keyring)
        self.seen += not isinstance(event.body, HistoryCut)
        if isinstance(event.body, SessionMarked):
            starts = event.body.mark is Mark.START
            self._session = (event.seq, event.interaction_id or 0) if starts else ()

    def cut(self, days: int) -> HistoryCut:
        """Return the cut that removes all events so far, with the rollers in the order of their names."""
        rollers = sorted(self._audit.lineage.rollers.items())
        return HistoryCut(
            target=self._audit.seq,
            days=days,
            frontier=tuple(node.hex() for node in self._audit.tree.frontier),
            session=self._session,
            rollers=tuple(roller.keep(self._keyring.tag) for _, roller in rollers),
        )
