"""Which systems deal cards rather than throw dice."""

from bot.core.systems.blocks import Blocks
from bot.core.systems.deck import Deck
from bot.core.systems.decks import Decks
from bot.core.systems.norepeat import NoRepeat

CARD_SYSTEMS = (Deck, NoRepeat, Decks, Blocks)
