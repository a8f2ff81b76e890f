"""The words of hands: what a player holds, one card of it, and what everybody sees of a card."""

from collections.abc import Mapping, Sequence

from bot.campaign.events import Event, Undone
from bot.campaign.hands import CardChosen, CardPlayed, CardReturned
from bot.words.cards import Card, CardButton, Small, Text
from bot.words.text import code, escape, first_few, footnote, listed, mention, number, plural

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


def taken(event: Event, offer: Event) -> Card:
    """Return what everybody sees of a card that was taken from an offer, with a button for the others."""
    card = offer.roll.results[event.body.choice] if isinstance(event.body, CardChosen) else ""
    did = f"{mention(event.user_id)} takes **{escape(card)}** ({code(event.roller, _NAME)})."
    system = offer.roll.of.system
    back = system is not None and system.put_back(offer.roll.before or system.start(), 0) is not None
    button = CardButton("offer-back", (offer.campaign_id, offer.seq))
    return Card((Text(did), Small(number(event))), (button,) if back else ())


def back_from_offer(events: Sequence[Event]) -> str:
    """Return that the other cards of an offer went back."""
    cards = "1 card goes" if len(events) == 1 else f"{len(events)} cards go"
    return f"{cards} back into {code(events[0].roller, _NAME)}.\n{footnote(events[-1])}"


def kept_in_hands(cards: int) -> str:
    """Return that cards stay in hands, after a reset or the end of a session; "" for none."""
    return f"-# {plural(cards, 'card')} stay{'s' * (cards == 1)} in players' hands." if cards else ""
