"""Commands that deal cards of a deck, or roll a destination on a map."""

from dataclasses import dataclass, replace

from bot.campaign.campaigns import HAND_LIMIT, Remembers, Roller
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.rolled import OfPart
from bot.campaign.rolls import Attempt, check_times, roll_roller, roll_system
from bot.campaign.state import State
from bot.dice.draws import SourcedDraws
from bot.dice.errors import NotAllowed, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.systems.destinator import THROWN, Destinator
from bot.systems.registry import deals, print_spec

MAP = "Destination"
"""The name of every campaign's built-in map; a game master may import a replacement."""


class HandFull(SpecError):
    """The caller's hand is full."""

    def __init__(self, count: int, most: int) -> None:
        super().__init__("You hold {count} cards. A hand has room for {most}.", count=count, most=most)


class HandFilled(HandFull):
    """The caller already holds the requested number of cards of the deck."""


@dataclass(frozen=True, slots=True)
class DealCards(Drawing):
    """Deal cards; a roller of several decks deals one card of each as an offer."""

    deck: str
    cards: int = 1
    options: RollOptions = RollOptions()
    hand: bool = False
    """Whether to draw one card into the caller's hand."""
    upto: int | None = None
    """The most cards of the deck in the caller's hand afterwards; None for the hand's limit."""
    offer: bool = False
    """Whether the caller may choose one of the cards; several decks always offer."""
    campaign_id: int | None = None
    """None for the campaign played in the caller's channel."""

    def needs(self) -> Needs:
        """Return the deck, with the memory that the options name, and the hand."""
        key = self.deck.strip().casefold()
        return Needs(
            roller=key, remembers_for=self.options.remembers_for, campaign=self.campaign_id, hand=self.hand
        )

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Deal; Unknown if there is no such roller, SpecError if it has no cards."""
        roller = state.present()
        if roller is None:
            raise no_deck(self.deck)
        if not roller.system or not deals(roller.system):
            raise SpecError("{name} has no cards to deal. Roll it with `/roll`.", name=roller.name)
        attempt = Attempt(caller, state, draws, self.options)
        check_times(self.cards)
        if self.hand and roller.system.hand > 1:
            raise SpecError(
                "A hand is dealt from one deck, and {name} is several. Leave `hand` out.", name=roller.name
            )
        if self.hand and attempt.uncalled(roller.system):
            raise NotAllowed("In this campaign the GM deals: `/group deal` gives everybody a hand.")
        if self.hand:
            self._check_room(roller, state)
        rolled = roll_roller(roller, self.cards, attempt)
        has_offer = self.offer or (roller.system.hand > 1 and self.cards == 1 and not self.hand)
        return replace(rolled, hand=self.hand, offer=has_offer and not rolled.practice)

    def _check_room(self, roller: Roller, state: State) -> None:
        count, total = state.cards.get(roller.name.casefold(), 0), sum(state.cards.values())
        if self.upto is not None and count >= self.upto:
            raise HandFilled(count, self.upto)
        if total >= HAND_LIMIT:
            raise HandFull(total, HAND_LIMIT)


def no_deck(typed: str) -> Unknown:
    """Return the error for a missing deck."""
    name = clean(typed, NAME_LIMIT)
    return Unknown("There is no deck `{name}` here. A game master makes one with `/roller cards`.", name=name)


@dataclass(frozen=True, slots=True)
class RollDestination(Drawing):
    """Roll a region and its city on the campaign's map of that name, or a part of it."""

    fallback: Destinator | None
    """The map to use if the campaign has none yet."""
    name: str = MAP
    part: str = ""
    """The region to roll a city of, "*" to roll a region only; "" for both."""
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the map."""
        return Needs(roller=self.name.strip().casefold())

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Unknown if there is no such map, SpecError if that roller is no map."""
        roller = state.present()
        if roller is None:
            if self.fallback is None or self.name.strip().casefold() != MAP.casefold():
                name = clean(self.name, NAME_LIMIT)
                raise Unknown(
                    "There is no map `{name}` here. A game master brings one with `/roller import`.",
                    name=name,
                )
            last = state.roller.last if state.roller else 0
            roller = Roller(MAP, print_spec(self.fallback), Remembers.TABLE, epoch=0, last=last)
        system = roller.system
        if not isinstance(system, Destinator):
            raise SpecError(
                "{roller} is no map. A game master brings one with `/roller import`.", roller=roller.name
            )
        self._check_throws(system)
        attempt = Attempt(caller, state, draws, self.options)
        if not self.part:
            return roll_roller(roller, 1, attempt)
        rolled = roll_system(roller, part := system.part(self.part), 1, attempt)
        return replace(rolled, of=OfPart(roller.spec, part.part_name))

    def _check_throws(self, system: Destinator) -> None:
        """Raise SpecError if dice were typed, but not as many throws as the roll takes."""
        throws = 1 if self.part or len(system.cities) == 1 else 2
        if len(self.options.thrown) in {0, THROWN * throws}:
            return
        if throws == 1:
            raise SpecError("That takes one throw: two dice and a coin, or its number.")
        raise SpecError(
            "Type two throws, for the region and its city. With `region` or `where:region` one is enough."
        )
