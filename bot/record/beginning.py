"""Where a history may begin: at its first event, or after a cut that it has in it."""

from collections.abc import Iterable

from bot.campaign.cuts import Beginning
from bot.campaign.events import Event, HistoryCut
from bot.dice.errors import DiceError
from bot.record.audit import Audit, Item, Partial, check_cut
from bot.record.known import read_rollers
from bot.record.lineage import Broken


def begin(first: int, before: bytes, items: Iterable[Item]) -> Audit:
    """Return the audit of a history whose first event has the number `first`, and follows the head `before`.

    Where the reader may not see what the cut has kept, what hangs on it is taken as it is written. Broken
    names the first number that is missing without a cut that says so.
    """
    if first == 1:
        return Audit(0, before)
    missing = 1
    for item in items:
        told = item.event if isinstance(item, Partial) else None
        if told and isinstance(told.body, HistoryCut) and told.target == first - 1:
            return Audit(first - 1, before)
        if not isinstance(item, Event) or not isinstance(item.body, HistoryCut):
            continue
        try:
            cut = check_cut(item)
            if cut.upto == first - 1:
                return _after(cut, before, item)
        except Broken:
            raise
        except (ValueError, DiceError) as error:
            raise Broken(item.seq, f"has a damaged record: {error}") from error
        if cut.upto < first:
            missing = max(missing, cut.upto + 1)
    raise Broken(
        missing, f"is missing: the history begins with #{first}, and no cut says that the rest was removed"
    )


def after(cut: Beginning, salt: bytes | None) -> Audit:
    """Return the audit of what is left after a cut; ValueError or a DiceError where its record is damaged."""
    return Audit(cut.upto, bytes.fromhex(cut.cut.head), read_rollers(cut.cut.rollers, salt), salt)


def _after(cut: Beginning, before: bytes, event: Event) -> Audit:
    if bytes.fromhex(cut.cut.head) != before:
        raise Broken(cut.upto + 1, f"does not follow the head that the cut #{event.seq} names")
    return after(cut, event.seal.salt)
