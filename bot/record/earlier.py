"""Check events against earlier ones: the order of interactions, cards in hands, rolls that name another.

Each interaction appears once, with all its events side by side. A card leaves once, and the card played is
the one drawn. Source: docs/format.md, sections 5.4 and 5.5.
"""

from bot.campaign.choosing import matches_first_roll
from bot.campaign.events import CardChosen, CardPlayed, CardReturned, Event, Rolled
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.replay import old_number, one_number
from bot.dice.errors import LocalizedError
from bot.newest import Newest
from bot.record.findings import Broken
from bot.record.ledger import LONGEST
from bot.record.lines import EventRecord
from bot.systems.game import GameRoll
from bot.times import INSTANCE_BITS

_MINUTE = 60_000
MOVES = frozenset({Kind.PLAY, Kind.DISCARD, Kind.CHOOSE})
"""Kinds whose undo does not touch a roller."""
_CARDS_LIMIT = 1_000
"""Most draws kept, and most events with which a card left."""


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


class Hands:
    """The newest cards drawn into hands or offered, and the events with which they left."""

    def __init__(self) -> None:
        self._drawn = Newest[int, tuple[int | None, Rolled]](_CARDS_LIMIT)
        """Number of a roll to its player and the roll."""
        self._left = Newest[int, int](_CARDS_LIMIT)
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


def check_named(event: Event, target: Event | None) -> None:
    """Raise Broken unless the roll that this one pushes, or is compared with, exists and fits.

    `target` is that roll; None if no roll has its number.
    """
    seq, body = event.seq, event.roll
    other = body.pushes or body.versus
    if body.pushes and not (target and _may_push(event, target)):
        raise Broken(
            seq, "#{number} pushes #{other}, which is no roll of that player's in that game.", other=other
        )
    if target and body.stood and not matches_first_roll(body, target.roll):
        raise Broken(seq, "#{number} keeps dice that did not fall so in #{other}.", other=other)
    totals = {one_number(target), old_number(target)} - {None} if target else set[int]()
    if body.versus and (body.check is None or body.check.dc not in totals):
        raise Broken(seq, "#{number} is compared with another number than that of #{other}.", other=other)


def _may_push(event: Event, target: Event) -> bool:
    """Return whether both are rolls of one game and of one player; an erased player may be anybody."""
    game = _game(event)
    erased = None in {target.user_id, event.user_id}
    return bool(game) and _game(target) == game and (erased or target.user_id == event.user_id)


def _game(event: Event) -> str:
    system = event.roll.of.system
    return system.game if isinstance(system, GameRoll) else ""
