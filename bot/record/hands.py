"""Follow cards in hands and on offer: a card leaves once, and what is played is what was drawn.

Source: docs/format.md, section 5.5.
"""

from bot.campaign.events import Rolled
from bot.campaign.hands import CardChosen, CardPlayed, CardReturned
from bot.campaign.kinds import Kind, Visibility
from bot.record.lineage import Broken
from bot.record.lines import Told

MOVES = frozenset({Kind.PLAY, Kind.DISCARD, Kind.CHOOSE})
"""Kinds whose undo is no undo of a roller."""
_LEAVING = MOVES | {Kind.RETURN}
_KEPT = 1_000
"""So many cards are kept in mind, and so many that left."""
_SEEN = "is of a hand, and seen by others than it may be"


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
            _check_drawn(told, body)
            self._drawn[seq] = told.user_id, body
        owner, drawn = self._drawn.get(target, (None, None))
        if kind is Kind.UNDO and self._left.pop(target, None) is None and drawn:
            self._left[seq] = target
        in_hand = drawn.hand if drawn else kind is not Kind.RETURN
        if kind in _LEAVING and (in_hand or kind is Kind.CHOOSE):
            if target in self._left.values():
                raise Broken(seq, f"is about a card that left #{target} before")
            self._left[seq] = target
        if kind in {Kind.PLAY, Kind.DISCARD} and told.visibility is not Visibility.PUBLIC:
            raise Broken(seq, _SEEN)
        _check_card(told, owner, drawn.results if drawn else None)
        for kept in (self._drawn, self._left):
            if len(kept) > _KEPT:
                del kept[next(iter(kept))]


def _check_drawn(told: Told, body: Rolled) -> None:
    if body.hand and told.visibility is not Visibility.SELF:
        raise Broken(told.seq, _SEEN)
    if body.hand == body.offer or not body.spec or (body.hand and len(body.results) != 1):
        raise Broken(told.seq, "is of a hand, and not as it should be")


def _check_card(told: Told, owner: int | None, cards: tuple[str, ...] | None) -> None:
    """Check what is said of a card; `cards` are those that `owner` drew, as far as that is known."""
    match told.event.body if told.event else None:
        case CardPlayed(results=results):
            same = owner == told.user_id or None in {owner, told.user_id}
            if len(results) != 1 or not same or cards not in {None, results}:
                raise Broken(told.seq, "plays another card than was drawn")
        case CardChosen(choice=choice) if not 0 <= choice < (len(cards) if cards else choice + 1):
            raise Broken(told.seq, "chooses none of the cards")
        case CardReturned(place=place) if place < 0 and "how" not in told.closed:
            raise Broken(told.seq, "returns no card")
        case _:
            pass
