"""Rolls of what lies on the table: cards of a deck, places of a map."""

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
"""The name of every campaign's own map; a game master may import another one under it."""


class HandFull(SpecError):
    """The caller's hand has no more room."""

    def __init__(self, count: int, most: int) -> None:
        super().__init__("You hold {count} cards. A hand has room for {most}.", count=count, most=most)


class HandFilled(HandFull):
    """The caller holds as many cards of the deck as were asked for already."""


@dataclass(frozen=True, slots=True)
class DealCards(Drawing):
    """Deal a number of cards, or of offers where there are several decks."""

    deck: str
    cards: int = 1
    options: RollOptions = RollOptions()
    hand: bool = False
    """Whether it is one card, which the caller keeps in their hand."""
    upto: int | None = None
    """How many cards of the deck the caller is to hold at most after it; None for as many as find room."""
    offer: bool = False
    """Whether the caller may take one of the cards; several decks always offer."""
    campaign_id: int | None = None
    """None is the campaign that is played in the caller's channel."""

    def needs(self) -> Needs:
        """Return the deck, as whose the options say."""
        key = self.deck.strip().casefold()
        return Needs(roller=key, whose=self.options.whose, campaign=self.campaign_id, hand=self.hand)

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
            raise SpecError("{name} is several decks, and nobody can keep what they offer.", name=roller.name)
        if self.hand and attempt.uncalled(roller.system):
            raise NotAllowed("In this campaign the GM deals: `/group deal` gives everybody a hand.")
        if self.hand:
            self._must_have_room(roller, state)
        dealt = roll_roller(roller, self.cards, attempt)
        offered = self.offer or (roller.system.hand > 1 and self.cards == 1 and not self.hand)
        return replace(dealt, hand=self.hand, offer=offered and not dealt.practice)

    def _must_have_room(self, roller: Roller, state: State) -> None:
        held, total = state.cards.get(roller.name.casefold(), 0), sum(state.cards.values())
        if self.upto is not None and held >= self.upto:
            raise HandFilled(held, self.upto)
        if total >= HAND_LIMIT:
            raise HandFull(total, HAND_LIMIT)


def no_deck(typed: str) -> Unknown:
    """Return the refusal of a deck that is not there."""
    name = clean(typed, NAME_LIMIT)
    return Unknown("There is no deck `{name}` here. A game master makes one with `/roller cards`.", name=name)


@dataclass(frozen=True, slots=True)
class RollDestination(Drawing):
    """Roll a region and its city on the campaign's map of that name, or a part of it."""

    fallback: Destinator | None
    """The map that the campaign's own one begins with."""
    name: str = MAP
    part: str = ""
    """The region whose city is rolled, "*" for a region alone; "" for both."""
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the map."""
        return Needs(roller=self.name.strip().casefold())

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Unknown if there is no map of another name, SpecError if that roller is no map."""
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
        self._must_be_throws(system)
        attempt = Attempt(caller, state, draws, self.options)
        if not self.part:
            return roll_roller(roller, 1, attempt)
        rolled = roll_system(roller, part := system.part(self.part), 1, attempt)
        return replace(rolled, of=OfPart(roller.spec, part.named))

    def _must_be_throws(self, system: Destinator) -> None:
        """Raise a SpecError unless as many throws were typed as the roll takes."""
        throws = 1 if self.part or len(system.cities) == 1 else 2
        if not self.thrown or len(self.thrown) == THROWN * throws:
            return
        if throws == 1:
            raise SpecError("That takes one throw: two dice and a coin, or its number.")
        raise SpecError(
            "Type two throws, for the region and its city. With `region` or `where:region` one is enough."
        )
