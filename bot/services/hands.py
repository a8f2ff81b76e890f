"""Hands of cards: drawn, looked at, and played card by card."""

from contextlib import suppress
from dataclasses import dataclass

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller, Command, RollOptions
from bot.campaign.deals import DealCards, HandFilled
from bot.campaign.events import Event
from bot.campaign.hand_commands import ChooseCard, DiscardCard, Hand, PlayCard, ReturnCard, ReturnOffered
from bot.campaign.kinds import Visibility
from bot.dice.errors import DiceError, Unknown
from bot.services.access import DataStore, campaign_by_id, current_campaign
from bot.services.histories import find_roll
from bot.services.pace import Pace
from bot.services.visibility import must_see
from bot.storage import reading
from bot.storage.campaigns import in_played
from bot.storage.queries import Queries
from bot.storage.transactions import Request

_PRIVATE = RollOptions(visibility=Visibility.SELF)


@dataclass(frozen=True, slots=True)
class Dealing:
    """The use cases of cards in hands."""

    store: DataStore
    pace: Pace

    async def hand(self, caller: Caller, campaign_id: int | None = None) -> Hand:
        """Return the caller's hand here, or in the campaign of a button."""
        return await self.store.reader.do(_load_hand(caller, campaign_id))

    async def draw(
        self, caller: Caller, deck: str, size: int | None = None, campaign_id: int | None = None
    ) -> Hand:
        """Draw until the caller holds `size` cards of a deck, by default one more; return their hand.

        Raise DiceError if the hand is full.
        """
        self.pace.take(caller)
        hand, key = await self.hand(caller, campaign_id), deck.strip().casefold()
        missing = 1 if size is None else size - sum(card.roller.casefold() == key for card in hand.cards)
        command = DealCards(deck, options=_PRIVATE, hand=True, upto=size, campaign_id=campaign_id)
        # The command decides. Requesting only what is missing avoids wasted draws.
        with suppress(HandFilled):
            (await self.store.writer.write_all([(caller, command)] * max(1, missing))).written_or_raise()
        return await self.hand(caller, campaign_id)

    async def move(self, caller: Caller, campaign_id: int, command: Command) -> tuple[Event, Hand]:
        """Execute a command on a card; return its event, and the hand after it.

        If the campaign refills hands, a card that is played or discarded is replaced from its deck.
        """
        hand = await self.hand(caller, campaign_id)
        missing = hand.missing_without(command.number) if isinstance(command, PlayCard | DiscardCard) else 0
        for number in range(missing, 0, -1):
            # Another press has drawn, the deck is gone, or only the GM deals: the card leaves anyway.
            with suppress(DiceError):
                return await self._move_in(hand, caller, command, draws=number)
        return await self._move_in(hand, caller, command, draws=0)

    async def _move_in(self, hand: Hand, caller: Caller, command: Command, draws: int) -> tuple[Event, Hand]:
        """Execute a command on a card of a hand, and draw cards of its deck."""
        at = hand.campaign_id

        def draw_after(removal: Event) -> list[Request]:
            draw = DealCards(removal.roller, options=_PRIVATE, hand=True, upto=hand.fill, campaign_id=at)
            return [(caller, draw)] * draws

        together = await self.store.writer.write_all([(caller, command)], draw_after)
        return together.written_or_raise()[0].event, await self.hand(caller, at)

    async def put_back(self, caller: Caller, campaign_id: int, number: int) -> tuple[Event, Hand]:
        """Return a card to its deck; raise Unknown if it is not in the hand."""
        card = (await self.hand(caller, campaign_id)).card(number)
        memory = card.roll.whose or Remembers.TABLE
        command = ReturnCard(campaign_id, number, card.roller.casefold(), memory)
        return await self.move(caller, campaign_id, command)

    async def choose(self, caller: Caller, campaign_id: int, number: int, place: int) -> tuple[Event, Event]:
        """Take a card of an offer; return the event and the offer."""
        offer = await self._find_offer(caller, campaign_id, number)
        options = RollOptions(visibility=offer.visibility)
        written = await self.store.writer.write(caller, ChooseCard(campaign_id, number, place, options))
        return written.event, offer

    async def return_others(self, caller: Caller, campaign_id: int, number: int) -> list[Event]:
        """Return the untaken cards of an offer to their deck, in one transaction."""
        offer = await self._find_offer(caller, campaign_id, number)
        memory = offer.roll.whose or Remembers.TABLE
        deck, options = offer.roller.casefold(), RollOptions(visibility=offer.visibility)
        requests = [
            (caller, ReturnOffered(campaign_id, number, deck, memory, place, options))
            for place in range(len(offer.roll.results) - 1)
        ]
        return [row.event for row in (await self.store.writer.write_all(requests)).written_or_raise()]

    async def _find_offer(self, caller: Caller, campaign_id: int, number: int) -> Event:
        """Return an offer; raise NotAllowed if it is hidden from the caller."""
        access, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        if not row.stands or not row.event.roll.offer:
            raise Unknown("#{number} offers no cards.", number=number)
        must_see(row, access, caller)
        return row.event

    async def count(self, caller: Caller, deck: str = "") -> int:
        """Return the number of cards in all hands here, optionally of one deck."""
        key = deck.strip().casefold()
        return await self.store.reader.do(in_played(caller, lambda at: reading.count_held(at, key)))


def _load_hand(caller: Caller, campaign_id: int | None) -> Queries[Hand]:
    finding = current_campaign(caller) if campaign_id is None else campaign_by_id(caller, campaign_id)
    access = yield from finding
    cards = yield from reading.held_cards(access.campaign_id, caller.user_id)
    sizes = (yield from reading.hand_sizes(access.campaign_id)) if access.is_gm else None
    return Hand(access.campaign_id, tuple(cards), access.campaign.rules.hand, sizes)
