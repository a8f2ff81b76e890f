"""What a player does with a card in their hand: play it, discard it, put it back, and take that back."""

from abc import ABC
from dataclasses import dataclass

from bot.campaign.campaigns import Remembers
from bot.campaign.command import OPEN, Caller, Following, Needs, Plain, RollOptions
from bot.campaign.events import Event, Undone
from bot.campaign.hands import CardDiscarded, CardLeft, CardPlayed, CardReturned
from bot.campaign.kinds import Visibility
from bot.campaign.state import State
from bot.dice.errors import DiceError, NotAllowed, Unknown


@dataclass(frozen=True, slots=True)
class _MoveCard(Plain, ABC):
    """Do something with the card that the event of that number drew."""

    number: int
    campaign_id: int

    def needs(self) -> Needs:
        """Return the draw, with what became of its card."""
        return Needs(event=self.number, campaign=self.campaign_id, following=Following.ALL)

    def _card(self, caller: Caller, state: State) -> Event:
        """Return the draw; NotAllowed for somebody else's, Unknown where the card is not in the hand."""
        if state.event and state.event.user_id != caller.user_id:
            raise NotAllowed("That card is somebody else's.")
        if state.event is None or not state.held:
            raise Unknown("You don't hold that card any more. /hand shows what you hold.")
        return state.event


class PlayCard(_MoveCard):
    """Show it to everybody."""

    __slots__ = ()

    def decide(self, caller: Caller, state: State) -> CardPlayed:
        """Play it."""
        card = self._card(caller, state)
        return CardPlayed(roller=card.roller, target=card.seq, results=card.roll.results)


class DiscardCard(_MoveCard):
    """Put it away, and tell nobody which it was."""

    __slots__ = ()

    def decide(self, caller: Caller, state: State) -> CardDiscarded:
        """Discard it."""
        card = self._card(caller, state)
        return CardDiscarded(roller=card.roller, target=card.seq)


@dataclass(frozen=True, slots=True)
class ReturnCard(_MoveCard):
    """Put it back into its deck."""

    deck: str
    """The deck's casefolded name, as the draw has it."""
    whose: Remembers
    """Whose deck it was drawn from."""
    options: RollOptions = RollOptions(visibility=Visibility.SELF)

    def needs(self) -> Needs:
        """Return the draw and the deck."""
        return Needs(self.deck, self.number, Following.ALL, self.whose, campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> CardReturned:
        """Put it back; DiceError where the deck was shuffled anew meanwhile, or takes no card."""
        card, roller = self._card(caller, state), state.present()
        if roller is None or roller.system is None or roller.name.casefold() != card.roller.casefold():
            raise Unknown(
                "The deck {roller} is not here any more. Discard the card instead.", roller=card.roller
            )
        if card.seq < roller.since(state.campaign.evening) or roller.spec != card.roll.spec:
            raise DiceError(
                "{name} was shuffled since then, and is whole. Discard the card instead.", name=roller.name
            )
        before = state.memory(roller, self.whose.owner(caller.user_id)) or roller.system.start()
        place = roller.system.faces.index(card.roll.results[0])
        if roller.system.put_back(before, place) is None:
            raise DiceError(
                "{name} takes no card back, by its rule. Discard the card instead.", name=roller.name
            )
        return CardReturned(
            roller=roller.name,
            target=card.seq,
            place=place,
            prev=roller.last,
            whose=self.whose,
            before=before,
        )


@dataclass(frozen=True, slots=True)
class TakeBack(Plain):
    """Take a card that was played or discarded into the hand again; who saw it has seen it."""

    number: int
    campaign_id: int
    options: RollOptions = OPEN

    def needs(self) -> Needs:
        """Return the event with which the card left."""
        return Needs(event=self.number, campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> Undone:
        """Take it back; Unknown where that was done before, NotAllowed for somebody else's card."""
        left = state.event
        if left is None or not isinstance(left.body, CardLeft) or isinstance(left.body, CardReturned):
            raise Unknown("#{number} is no card that left a hand.", number=self.number)
        if left.user_id != caller.user_id:
            raise NotAllowed("That card is somebody else's.")
        if state.undone:
            raise Unknown("You have that card in your hand again.")
        return Undone(roller=left.roller, target=left.seq)
