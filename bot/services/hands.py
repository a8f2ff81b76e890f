"""Hands of cards: drawn, looked at, and played card by card."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from bot.campaign.campaigns import HAND_LIMIT, Remembers
from bot.campaign.command import Caller, Command, RollOptions
from bot.campaign.deals import DealCards, HandFilled
from bot.campaign.events import Event
from bot.campaign.hand_commands import ChooseCard, DiscardCard, PlayCard, ReturnCard, ReturnOffered
from bot.campaign.kinds import Visibility
from bot.dice.errors import DiceError, Unknown
from bot.services.access import CampaignAccess, DataStore, campaign_by_id, current_campaign
from bot.services.histories import find_roll
from bot.services.pace import Pace
from bot.services.sight import must_see
from bot.storage import reading
from bot.storage.queries import Queries
from bot.storage.transactions import Request

_KEPT = RollOptions(visibility=Visibility.SELF)


@dataclass(frozen=True, slots=True)
class Hand:
    """What a player holds in a campaign."""

    campaign_id: int = 0
    cards: tuple[Event, ...] = ()
    """The draws, the oldest first."""
    fill: int = 0
    """How many cards of a deck the campaign has a hand filled up to; 0 for none."""
    sizes: Mapping[int, int] | None = None
    """For a game master how many cards each player holds; None for others."""

    def card(self, number: int) -> Event:
        """Return the draw of that number; Unknown where its card is not in the hand."""
        if found := [card for card in self.cards if card.seq == number]:
            return found[0]
        raise Unknown("You don't hold that card any more. `/hand` shows what you hold.")

    def missing_without(self, number: int) -> int:
        """Return how many cards of its deck are to be drawn once the draw of that number is gone."""
        decks = {card.seq: card.roller.casefold() for card in self.cards}
        if number not in decks:
            return 0
        others = [*decks.values()].count(decks.pop(number)) - 1
        return max(0, min(self.fill - others, HAND_LIMIT - len(decks)))


@dataclass(frozen=True, slots=True)
class Dealing:
    """The use cases of cards that players keep."""

    store: DataStore
    pace: Pace

    async def held(self, caller: Caller, campaign_id: int | None = None) -> Hand:
        """Return what the caller holds here, or in the campaign that a button names."""
        return await self.store.reader.do(_held(caller, campaign_id))

    async def draw(
        self, caller: Caller, deck: str, size: int | None = None, campaign_id: int | None = None
    ) -> Hand:
        """Draw until the caller holds so many cards of a deck, or one more; return their hand.

        Raise DiceError where the hand is full.
        """
        self.pace.take(caller)
        hand, key = await self.held(caller, campaign_id), deck.strip().casefold()
        missing = 1 if size is None else size - sum(card.roller.casefold() == key for card in hand.cards)
        command = DealCards(deck, options=_KEPT, hand=True, upto=size, campaign_id=campaign_id)
        # The command has the last word. To ask for no more than that spares draws that would be thrown away.
        with suppress(HandFilled):
            (await self.store.writer.write_all([(caller, command)] * max(1, missing))).some()
        return await self.held(caller, campaign_id)

    async def move(self, caller: Caller, campaign_id: int, command: Command) -> tuple[Event, Hand]:
        """Do something with a card; return what happened, and the hand after it.

        Where the campaign fills hands, cards of its deck are drawn for one that is played or discarded.
        """
        hand = await self.held(caller, campaign_id)
        missing = hand.missing_without(command.number) if isinstance(command, PlayCard | DiscardCard) else 0
        for number in range(missing, 0, -1):
            # Another press has drawn, the deck is gone, or only the GM deals: the card leaves all the same.
            with suppress(DiceError):
                return await self._moved(caller, campaign_id, command, number, hand.fill)
        return await self._moved(caller, campaign_id, command, 0, hand.fill)

    async def _moved(
        self, caller: Caller, campaign_id: int, command: Command, draws: int, fill: int
    ) -> tuple[Event, Hand]:
        then = partial(_draws, caller, campaign_id, draws, fill)
        event = (await self.store.writer.write_all([(caller, command)], then)).some()[0].event
        return event, await self.held(caller, campaign_id)

    async def put_back(self, caller: Caller, campaign_id: int, number: int) -> tuple[Event, Hand]:
        """Put a card back into the deck that it was drawn from; Unknown where it is not in the hand."""
        card = (await self.held(caller, campaign_id)).card(number)
        whose = card.roll.whose or Remembers.TABLE
        return await self.move(
            caller, campaign_id, ReturnCard(number, campaign_id, card.roller.casefold(), whose)
        )

    async def choose(self, caller: Caller, campaign_id: int, number: int, place: int) -> tuple[Event, Event]:
        """Take a card of an offer; return what happened, and the offer."""
        offer = await self._offer(caller, campaign_id, number)
        options = RollOptions(visibility=offer.visibility)
        written = await self.store.writer.write(caller, ChooseCard(number, campaign_id, place, options))
        return written.event, offer

    async def return_others(self, caller: Caller, campaign_id: int, number: int) -> list[Event]:
        """Put the cards of an offer that were not taken back into their deck: all or none."""
        offer = await self._offer(caller, campaign_id, number)
        whose = offer.roll.whose or Remembers.TABLE
        deck, options = offer.roller.casefold(), RollOptions(visibility=offer.visibility)
        asked = [
            (caller, ReturnOffered(number, campaign_id, deck, whose, place, options))
            for place in range(len(offer.roll.results) - 1)
        ]
        return [one.event for one in (await self.store.writer.write_all(asked)).some()]

    async def _offer(self, caller: Caller, campaign_id: int, number: int) -> Event:
        """Return an offer; NotAllowed for one that is hidden from the caller, whom the answer would tell."""
        at, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        if not row.stands or not row.event.roll.offer:
            raise Unknown("#{number} offers no cards.", number=number)
        must_see(row, at, caller)
        return row.event

    async def count(self, caller: Caller, deck: str = "") -> int:
        """Return how many cards are in all hands here, or only of one deck."""
        return await self.store.reader.do(_count(caller, deck.strip().casefold()))


def _held(caller: Caller, campaign_id: int | None) -> Queries[Hand]:
    at: CampaignAccess = (
        yield from current_campaign(caller) if campaign_id is None else campaign_by_id(caller, campaign_id)
    )
    if at.campaign_id is None:
        return Hand()
    cards = yield from reading.held_cards(at.campaign_id, caller.user_id)
    sizes = (yield from reading.hand_sizes(at.campaign_id)) if at.is_gm else None
    return Hand(at.campaign_id, tuple(cards), at.campaign.rules.hand, sizes)


def _draws(caller: Caller, campaign_id: int, cards: int, fill: int, left: Event) -> list[Request]:
    draw = DealCards(left.roller, options=_KEPT, hand=True, upto=fill, campaign_id=campaign_id)
    return [(caller, draw)] * cards


def _count(caller: Caller, key: str) -> Queries[int]:
    at = yield from current_campaign(caller)
    return 0 if at.campaign_id is None else (yield from reading.count_held(at.campaign_id, key))
