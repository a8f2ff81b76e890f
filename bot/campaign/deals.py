"""Dealing: cards of a channel's deck, and nothing but cards."""

from dataclasses import dataclass

from bot.campaign.events import Asked
from bot.campaign.request import Change, Needs, Scene
from bot.campaign.rolls import RollDice
from bot.dice.draws import Draws
from bot.dice.errors import SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.systems.registry import CARD_SYSTEMS


@dataclass(frozen=True, slots=True)
class DealCards:
    """Deal so many cards, or so many offers where there are several decks; recorded as a roll."""

    deck: str
    cards: int = 1
    practice: bool = False
    """Whether they come from a fresh deck, and the channel's own one keeps its cards."""

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
        return RollDice(self.deck, self.cards, self.practice).decide(asked, scene, draws)
