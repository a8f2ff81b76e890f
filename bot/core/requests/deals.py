"""Dealing: cards of a channel's deck, and nothing but cards."""

from dataclasses import dataclass

from bot.core.draws import Draws
from bot.core.errors import SpecError, Unknown
from bot.core.events import Asked
from bot.core.names import NAME_LIMIT, clean
from bot.core.requests.request import Change, Needs, Scene
from bot.core.requests.rolls import RollDice
from bot.core.systems.blocks import Blocks
from bot.core.systems.deck import Deck
from bot.core.systems.decks import Decks
from bot.core.systems.norepeat import NoRepeat

CARD_SYSTEMS = (Deck, NoRepeat, Decks, Blocks)


@dataclass(frozen=True, slots=True)
class DealCards:
    """Deal so many cards, or so many offers where there are several decks; recorded as a roll."""

    deck: str
    cards: int = 1

    def needs(self) -> Needs:
        """The deck."""
        return Needs(roller=self.deck.strip().casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A roll; Unknown if there is no such roller, SpecError if it has no cards."""
        roller = scene.roller
        if roller is None or roller.system is None:
            name = clean(self.deck, NAME_LIMIT)
            raise Unknown(f"There is no deck {name} here. A game master makes one with /roller cards.")
        if not isinstance(roller.system, CARD_SYSTEMS):
            raise SpecError(f"{roller.name} has no cards to deal. Roll it with /roll.")
        return RollDice(self.deck, self.cards).decide(asked, scene, draws)
