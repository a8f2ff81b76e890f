"""Commands on cards in a hand or an offer: play, discard, return, choose, take back."""

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.campaign.campaigns import HAND_LIMIT, Remembers
from bot.campaign.command import OPEN, AboutEvent, Caller, Following, Needs, Plain, RollOptions
from bot.campaign.events import (
    CardChosen,
    CardDiscarded,
    CardLeft,
    CardPlayed,
    CardReturned,
    Event,
    Rolled,
    Undone,
)
from bot.campaign.kinds import Visibility
from bot.campaign.state import State
from bot.dice.errors import DiceError, NotAllowed, Unknown


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's hand in a campaign."""

    campaign_id: int
    cards: tuple[Event, ...]
    """The draws, the oldest first."""
    fill: int
    """Cards up to which the campaign refills a hand from a deck; 0 for no refill."""
    sizes: Mapping[int, int] | None
    """Player id to hand size, for game masters; None for others."""

    def card(self, number: int) -> Event:
        """Return the draw of that number; raise Unknown if its card is not in the hand."""
        if matches := [card for card in self.cards if card.seq == number]:
            return matches[0]
        raise Unknown("You don't hold that card any more. `/hand` shows what you hold.")

    def missing_without(self, number: int) -> int:
        """Return how many cards refill the hand once the card of that number has left it."""
        decks = {card.seq: card.roller.casefold() for card in self.cards}
        if number not in decks:
            return 0
        others = [*decks.values()].count(decks.pop(number)) - 1
        return max(0, min(self.fill - others, HAND_LIMIT - len(decks)))


class _CardCommand(AboutEvent, Plain, ABC):
    """A command on cards that an event drew or offered."""

    __slots__ = ()
    following = Following.ALL


def _card(caller: Caller, state: State) -> Event:
    """Return the draw; NotAllowed for somebody else's, Unknown if the card is not in the hand."""
    if state.event and state.event.user_id != caller.user_id:
        raise NotAllowed("That card is somebody else's.")
    if state.event is None or not state.is_in_hand:
        raise Unknown("You don't hold that card any more. `/hand` shows what you hold.")
    return state.event


class PlayCard(_CardCommand):
    """Show a card to everybody."""

    def decide(self, caller: Caller, state: State) -> CardPlayed:
        """Play it."""
        card = _card(caller, state)
        return CardPlayed(roller=card.roller, target=card.seq, results=card.roll.results)


class DiscardCard(_CardCommand):
    """Discard a card without showing it."""

    def decide(self, caller: Caller, state: State) -> CardDiscarded:
        """Discard it."""
        card = _card(caller, state)
        return CardDiscarded(roller=card.roller, target=card.seq)


@dataclass(frozen=True, slots=True)
class _Return(_CardCommand, ABC):
    """Put a card back into its deck."""

    deck: str
    """The deck's casefolded name from the draw or the offer."""
    remembers_for: Remembers
    """Whether it was drawn from the table's or the player's deck."""

    def needs(self) -> Needs:
        """Return the draw and the deck."""
        return Needs(self.deck, self.number, Following.ALL, self.remembers_for, campaign=self.campaign_id)


@dataclass(frozen=True, slots=True)
class ReturnCard(_Return):
    """Put a card of the hand back."""

    options: RollOptions = RollOptions(visibility=Visibility.SELF)

    def decide(self, caller: Caller, state: State) -> CardReturned:
        """Put it back; DiceError if the deck was shuffled since, or takes no cards back."""
        card = _card(caller, state)
        return _return_card(card, card.roll.results[0], self.remembers_for, caller, state)


def _return_card(
    card: Event, face: str, remembers_for: Remembers, caller: Caller, state: State
) -> CardReturned:
    """Put a card with that face back into its deck; errors as in `ReturnCard`."""
    roller = state.present()
    if roller is None or roller.system is None or roller.name.casefold() != card.roller.casefold():
        raise Unknown("The deck {roller} is not here any more. Discard the card instead.", roller=card.roller)
    if card.seq < roller.since(state.campaign.evening) or roller.spec != card.roll.spec:
        raise DiceError(
            "{name} was shuffled since then, and is whole. Discard the card instead.", name=roller.name
        )
    before = state.memory(roller, remembers_for.owner(caller.user_id)) or roller.system.start()
    place = roller.system.faces.index(face)
    if roller.system.put_back(before, place) is None:
        raise DiceError("{name} takes no card back, by its rule. Discard the card instead.", name=roller.name)
    return CardReturned(
        roller=roller.name,
        target=card.seq,
        place=place,
        prev=roller.last,
        whose=remembers_for,
        before=before,
    )


@dataclass(frozen=True, slots=True)
class ChooseCard(_CardCommand):
    """Take one card of an offer."""

    place: int
    """Its index among the offer's cards."""
    options: RollOptions = OPEN

    def decide(self, caller: Caller, state: State) -> CardChosen:
        """Take it; NotAllowed for somebody else's offer, Unknown if a card was taken or does not exist."""
        offer = _offer(self.number, caller, state)
        if any(isinstance(body, CardChosen) for body in state.offer_events):
            raise Unknown("One card of this offer was taken already.")
        if not 0 <= self.place < len(offer.roll.results):
            raise Unknown("This offer has no such card.")
        return CardChosen(roller=offer.roller, target=offer.seq, choice=self.place)


@dataclass(frozen=True, slots=True)
class ReturnOffered(_Return):
    """Put a card of an offer back that was not taken."""

    place: int
    """Its index among the offer's cards that were not taken."""
    options: RollOptions = OPEN

    def decide(self, caller: Caller, state: State) -> CardReturned:
        """Put it back; Unknown before a card was taken or if it is back, else errors as for a hand."""
        offer = _offer(self.number, caller, state)
        cards = [*offer.roll.results]
        for index in (body.choice for body in state.offer_events if isinstance(body, CardChosen)):
            del cards[index]
        if len(cards) == len(offer.roll.results) or not 0 <= self.place < len(cards):
            raise Unknown("Take a card first. Then the others may go back.")
        card = cards[self.place]
        returned = _return_card(offer, card, self.remembers_for, caller, state)
        returns = [body.place for body in state.offer_events if isinstance(body, CardReturned)]
        if returns.count(returned.place) >= cards.count(card):
            raise Unknown("These cards are back already.")
        return replace(returned, offered=True)


def _offer(number: int, caller: Caller, state: State) -> Event:
    """Return the offer; NotAllowed for somebody else's, Unknown for none."""
    offer = state.event
    if offer is None or not isinstance(offer.body, Rolled) or not offer.roll.offer or state.undone:
        raise Unknown("#{number} offers no cards.", number=number)
    if offer.user_id != caller.user_id:
        raise NotAllowed("Somebody else chooses here.")
    return offer


class TakeBack(AboutEvent, Plain):
    """Take a played or discarded card back into the hand; its event is the target."""

    def decide(self, caller: Caller, state: State) -> Undone:
        """Take it back; Unknown if that was done before, NotAllowed for somebody else's card."""
        event = state.event
        if event is None or not isinstance(event.body, CardLeft) or isinstance(event.body, CardReturned):
            raise Unknown("#{number} is no card that left a hand.", number=self.number)
        if event.user_id != caller.user_id:
            raise NotAllowed("That card is somebody else's.")
        if state.undone:
            raise Unknown("You have that card in your hand again.")
        if not state.is_drawn:
            raise Unknown("You can't take that card back: its draw was undone, or is too old.")
        return Undone(roller=event.roller, target=event.seq)
