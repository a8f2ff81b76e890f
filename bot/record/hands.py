"""Check cards in hands and on offer: a card leaves once, and the card played is the one drawn.

Source: docs/format.md, section 5.5.
"""

from bot.campaign.events import CardChosen, CardPlayed, CardReturned, Rolled
from bot.campaign.kinds import Kind, Visibility
from bot.newest import Newest
from bot.record.findings import Broken
from bot.record.lines import EventRecord

MOVES = frozenset({Kind.PLAY, Kind.DISCARD, Kind.CHOOSE})
"""Kinds whose undo does not touch a roller."""
_LIMIT = 1_000
"""Most draws kept, and most events with which a card left."""


class Hands:
    """The newest cards drawn into hands or offered, and the events with which they left."""

    def __init__(self) -> None:
        self._drawn = Newest[int, tuple[int | None, Rolled]](_LIMIT)
        """Number of a roll to its player and the roll."""
        self._left = Newest[int, int](_LIMIT)
        """Number of an event with which a card left to the number of its roll."""

    def skip(self) -> None:
        """Forget which cards left, since a withheld event may have brought them back."""
        self._left.clear()

    def see(self, record: EventRecord) -> None:
        """Check the next event, and note what it does with a card; raise Broken if it can't."""
        seq, kind, target = record.seq, record.kind, record.target or 0
        body = record.event.body if record.event else None
        if isinstance(body, Rolled) and (body.hand or body.offer):
            self._drawn[seq] = record.user_id, body
        owner, drawn = self._drawn.get(target, (None, None))
        if kind is Kind.UNDO and self._left.pop(target, None) is None and drawn:
            self._left[seq] = target
        if kind in MOVES or (kind is Kind.RETURN and drawn and drawn.hand):
            if target in self._left.values():
                raise Broken(seq, "#{number} is about a card that left #{target} before.", target=target)
            self._left[seq] = target
        if fault := _fault(record, owner or record.user_id, drawn):
            raise fault


def _fault(record: EventRecord, owner: int | None, drawn: Rolled | None) -> Broken | None:
    """Return the fault of an event about cards, or None; `drawn` is None if the draw is not known."""
    body, cards = record.event.body if record.event else None, drawn.results if drawn else ()
    is_other_player = (record.user_id or owner) != owner
    if record.kind in {Kind.PLAY, Kind.DISCARD} and record.visibility is not Visibility.PUBLIC:
        return Broken(record.seq, "#{number} is of a hand, and seen by others than it may be.")
    match body:
        case CardPlayed(results=played) if is_other_player or played != (cards or played[:1] or None):
            return Broken(record.seq, "#{number} plays another card than was drawn.")
        case CardChosen() if not 0 <= body.choice < len(cards or range(body.choice + 1)):
            return Broken(record.seq, "#{number} chooses none of the cards.")
        case CardReturned() if body.place < 0 and "how" not in record.closed:
            return Broken(record.seq, "#{number} returns no card.")
        case CardReturned() if drawn and body.offered is not drawn.offer:
            return Broken(record.seq, "#{number} returns a card that was in another place.")
        case CardReturned() if "how" not in record.closed and body.whose is None:
            return Broken(record.seq, "#{number} returns a card to nobody's memory.")
        case CardReturned() if _is_astray(body, drawn) or is_other_player:
            return Broken(record.seq, "#{number} returns a card to another memory than it came from.")
        case _:
            return None


def _is_astray(returned: CardReturned, drawn: Rolled | None) -> bool:
    """Return whether a card goes back to another memory than it came from, if both are known."""
    origin = drawn.whose if drawn else None
    return None not in {returned.whose, origin} and returned.whose is not origin
