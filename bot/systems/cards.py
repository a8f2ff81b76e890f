"""Which systems deal cards rather than throw dice."""

from bot.systems.blocks import Blocks
from bot.systems.deck import Deck
from bot.systems.decks import Decks
from bot.systems.norepeat import NoRepeat

CARD_SYSTEMS = (Deck, NoRepeat, Decks, Blocks)
