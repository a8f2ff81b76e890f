"""Offers of several decks: a line for each, with each card's category before it."""

from collections.abc import Sequence

from bot.render.escaping import cut, escape, listed
from bot.systems.decks import Decks

_CATEGORY = 24


def offers(system: Decks, cards: Sequence[str], room: int) -> str:
    """The offers in at most `room` characters; where they don't fit so, the cards alone."""
    size = system.hand
    dealt = [cards[i : i + size] for i in range(0, len(cards), size)]
    lines = [
        " · ".join(
            f"{cut(category, _CATEGORY)}: **{escape(card)}**"
            for category, card in zip(system.categories, offer, strict=True)
        )
        for offer in dealt
    ]
    if len(lines) > 1:
        lines = [f"{n}. {line}" for n, line in enumerate(lines, start=1)]
    text = "\n".join(lines)
    return text if len(text) <= room else f"**{listed(cards, room - 4)}**"
