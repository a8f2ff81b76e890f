"""The words of hands: what a player holds, one card of it, and what everybody sees of a card."""

from collections.abc import Mapping, Sequence

from bot.campaign.events import Event, Undone
from bot.campaign.hands import CardPlayed, CardReturned
from bot.words.text import code, escape, first_few, footnote, listed, mention, plural

EMPTY = "You hold no cards. `/deal hand:5` draws five."
_CARDS, _SIZES, _NAME = 1_200, 20, 40


def hand(cards: Sequence[Event], sizes: Mapping[int, int] | None = None) -> str:
    """Return what a player holds, a line for each deck; for a game master also how many cards others hold."""
    decks = dict.fromkeys(card.roller for card in cards)
    room = _CARDS // max(len(decks), 1)
    lines = [f"You hold {plural(len(cards), 'card')}:" if len(decks) > 1 else ""] if cards else [EMPTY]
    for deck in decks:
        faces = [card.roll.results[0] for card in cards if card.roller == deck]
        lines.append(f"**{listed(faces, room)}** ({code(deck, _NAME)})")
    if sizes:
        held = [f"{mention(user_id)} {n}" for user_id, n in sorted(sizes.items())]
        lines.append(f"-# At the table: {first_few(held, _SIZES)}")
    return "\n".join(filter(None, lines))


def card(drawn: Event) -> str:
    """Return one card of a hand, above what can be done with it."""
    return f"**{escape(drawn.roll.results[0])}** ({code(drawn.roller, _NAME)})"


def moved(event: Event) -> str:
    """Return what everybody sees of a card that left a hand, or came back into it."""
    deck = code(event.roller, _NAME)
    match event.body:
        case CardPlayed(results=(face,)):
            did = f"plays **{escape(face)}** ({deck})"
        case CardReturned():
            did = f"puts a card back into {deck}"
        case Undone(target=number):
            did = f"takes #{number} back into their hand"
        case _:
            did = f"discards a card ({deck})"
    return f"{mention(event.user_id)} {did}.\n{footnote(event)}"


def kept_in_hands(cards: int) -> str:
    """Return that cards stay in hands, after a reset or the end of a session; "" for none."""
    return f"-# {plural(cards, 'card')} stay{'s' * (cards == 1)} in players' hands." if cards else ""
