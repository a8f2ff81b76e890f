"""Follow cards in hands and on offer: a card leaves once, and what is played is what was drawn.

Source: docs/format.md, section 5.5.
"""

from bot.campaign.events import CardChosen, CardPlayed, CardReturned, Rolled
from bot.campaign.kinds import Kind, Visibility
from bot.record.findings import Broken
from bot.record.lines import Told

MOVES = frozenset({Kind.PLAY, Kind.DISCARD, Kind.CHOOSE})
"""Kinds whose undo is no undo of a roller."""
_KEPT = 1_000
"""Cards that are remembered in hands, and likewise cards that left."""


class Hands:
    """What was drawn into hands or offered, the newest of it, and what became of it."""

    def __init__(self) -> None:
        self._drawn: dict[int, tuple[int | None, Rolled]] = {}
        """Who drew, and the roll, by its number."""
        self._left: dict[int, int] = {}
        """The number of the roll whose card left, by that of the event with which it did."""

    def skip(self) -> None:
        """Forget what left: an event that is withheld may have brought it back."""
        self._left.clear()

    def see(self, told: Told) -> None:
        """Check the next event, and keep in mind what it does with a card; Broken where it can't."""
        seq, kind, target = told.seq, told.kind, told.target or 0
        body = told.event.body if told.event else None
        if isinstance(body, Rolled) and (body.hand or body.offer):
            self._drawn[seq] = told.user_id, body
        owner, drawn = self._drawn.get(target, (None, None))
        if kind is Kind.UNDO and self._left.pop(target, None) is None and drawn:
            self._left[seq] = target
        if kind in MOVES or (kind is Kind.RETURN and drawn and drawn.hand):
            if target in self._left.values():
                raise Broken(seq, "#{number} is about a card that left #{target} before.", target=target)
            self._left[seq] = target
        if fault := _fault(told, owner or told.user_id, drawn):
            raise fault
        for kept in (self._drawn, self._left):
            if len(kept) > _KEPT:
                del kept[next(iter(kept))]


def _fault(told: Told, owner: int | None, drawn: Rolled | None) -> Broken | None:
    """Return what is wrong with an event about cards; None for nothing. None is a draw that is not known."""
    body, cards = told.event.body if told.event else None, drawn.results if drawn else ()
    if told.kind in {Kind.PLAY, Kind.DISCARD} and told.visibility is not Visibility.PUBLIC:
        return Broken(told.seq, "#{number} is of a hand, and seen by others than it may be.")
    match body:
        case CardPlayed(results=said) if (told.user_id or owner, cards or said[:1] or None) != (owner, said):
            return Broken(told.seq, "#{number} plays another card than was drawn.")
        case CardChosen() if not 0 <= body.choice < len(cards or range(body.choice + 1)):
            return Broken(told.seq, "#{number} chooses none of the cards.")
        case CardReturned() if body.place < 0 and "how" not in told.closed:
            return Broken(told.seq, "#{number} returns no card.")
        case CardReturned() if drawn and body.offered is not drawn.offer:
            return Broken(told.seq, "#{number} returns a card that was in another place.")
        case CardReturned() if "how" not in told.closed and body.whose is None:
            return Broken(told.seq, "#{number} returns a card to nobody's memory.")
        case CardReturned() if _astray(body, drawn) or (told.user_id or owner) != owner:
            return Broken(told.seq, "#{number} returns a card to another memory than it came from.")
        case _:
            return None


def _astray(returned: CardReturned, drawn: Rolled | None) -> bool:
    """Return whether a card goes back to another's memory, as far as both are told."""
    came_from = drawn.whose if drawn else None
    return None not in {returned.whose, came_from} and returned.whose is not came_from
