"""Texts about hands of cards: a player's hand, the choice of a card, and the public messages."""

from collections.abc import Sequence
from enum import StrEnum

from bot.campaign.events import CardChosen, CardPlayed, CardReturned, Event, Undone
from bot.campaign.hand_commands import Hand
from bot.words.cards import (
    ROWS_PRESSED,
    Card,
    CardButton,
    CardRow,
    CardRows,
    Head,
    Small,
    Text,
    Tone,
    in_rows,
)
from bot.words.saying import TEXTS, phrase, say, say_many
from bot.words.text import code, cut, escape, event_number, first_few, footnote, mention

EMPTY = phrase("You hold no cards. `/deal` with a deck and `hand:5` draws five.")
_SIZES, _NAME, _FACE, _LABEL, _DECKS = 20, 40, 100, 70, 4


class Deed(StrEnum):
    """An action on a card of the hand that the player chooses."""

    PLAY = "play"
    DISCARD = "discard"
    RETURN = "return"
    SHOW = "show"


def hand_card(hand: Hand, moved_card: Event | None = None) -> Card:
    """Return a player's hand, a row for each card; `moved_card` is the event of the card that just left."""
    campaign_id, cards, sizes = hand.campaign_id, hand.cards, hand.sizes
    decks = [*dict.fromkeys(card.roller for card in cards)]
    deck = [escape(decks[0])] if len(decks) == 1 else []
    label = say("Draw") if deck else ""
    buttons = [CardButton("card-draw", (campaign_id, name), label) for name in decks[:_DECKS]]
    deeds = [deed for deed in Deed if cards and (deed is not Deed.PLAY or len(cards) > ROWS_PRESSED)]
    buttons += [CardButton("card-which", (campaign_id, deed)) for deed in deeds]
    buttons += [CardButton("card-again", (campaign_id, moved_card.seq))] if moved_card else []
    rows = [_card_row(campaign_id, card, deck=not deck) for card in cards]
    head = Head(say("Your hand"), aside=" · ".join([*deck, say_many("{n} card", "{n:,} cards", len(cards))]))
    counts = [f"{mention(user_id)} {n}" for user_id, n in sorted((sizes or {}).items())]
    others = [Small(say("At the table: {players}", players=first_few(counts, _SIZES)))] if sizes else []
    blocks = (head, *in_rows(rows)) if cards else (Text(say(EMPTY)),)
    return Card((*blocks, *others), (*buttons,), Tone.SECRET)


def _card_row(campaign_id: int, card: Event, *, deck: bool) -> tuple[CardRow, CardButton]:
    face = card.roll.results[0]
    apart = say("Play {face}", face=face[:_LABEL])
    play = CardButton("card-play", (campaign_id, card.seq), say("Play"), apart=apart)
    return CardRow(cut(face, _FACE), verdict=code(card.roller, _NAME) if deck else ""), play


def choose_card(campaign_id: int, deed: Deed) -> Card:
    """Return the question above the list of cards."""
    return Card((Text(say(TEXTS["hand"][deed]["asks"])),), (CardButton("hand", (campaign_id,)),), Tone.SECRET)


def card_moved(event: Event) -> str:
    """Return the public message about a card that left a hand or came back to it."""
    player, deck = mention(event.user_id), code(event.roller, _NAME)
    match event.body:
        case CardPlayed(results=(face,)):
            text = say("{player} plays **{card}** ({deck}).", player=player, card=escape(face), deck=deck)
        case CardReturned():
            text = say("{player} puts a card back into {deck}.", player=player, deck=deck)
        case Undone(target=undone):
            text = say("{player} takes #{number} back into their hand.", player=player, number=undone)
        case _:
            text = say("{player} discards a card ({deck}).", player=player, deck=deck)
    return f"{text}\n{footnote(event)}"


def offer_taken(event: Event, offer: Event) -> Card:
    """Return the public message about a card taken from an offer, with a button to return the others."""
    card = offer.roll.results[event.body.choice] if isinstance(event.body, CardChosen) else ""
    player, roller = mention(event.user_id), code(event.roller, _NAME)
    text = say("{player} takes **{card}** ({roller}).", player=player, card=escape(card), roller=roller)
    system = offer.roll.of.system
    has_return = system is not None and system.put_back(offer.roll.before or system.start(), 0) is not None
    button = CardButton("offer-back", offer.at)
    return Card((Text(text), Small(event_number(event))), (button,) if has_return else ())


def back_from_offer(events: Sequence[Event]) -> str:
    """Return the message that the other cards of an offer went back."""
    deck = code(events[0].roller, _NAME)
    singular, plural = "{n} card goes back into {deck}.", "{n} cards go back into {deck}."
    return f"{say_many(singular, plural, len(events), deck=deck)}\n{footnote(events[-1])}"


def played_cards(drawn: Sequence[Event]) -> Card:
    """Return the public card of the cards that a player shows and keeps."""
    rows = [
        CardRow(f"**{cut(card.roll.results[0], _FACE)}**", verdict=code(card.roller, _NAME)) for card in drawn
    ]
    text = say("{player} shows from their hand:", player=mention(drawn[0].user_id))
    numbers = Small(" · ".join(map(event_number, drawn)))
    return Card((Text(text), CardRows((*rows,)), numbers), tone=Tone.QUIET)


def kept_in_hands(cards: int) -> str:
    """Return how many cards stay in hands after a reset or the end of a session; "" for none."""
    singular, plural = "{n} card stays in players' hands.", "{n:,} cards stay in players' hands."
    return f"-# {say_many(singular, plural, cards)}" if cards else ""
