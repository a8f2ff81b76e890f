"""The words of hands: what a player holds, one card of it, and what everybody sees of a card."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Self

from bot.campaign.events import CardChosen, CardPlayed, CardReturned, Event, Undone
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
from bot.words.saying import phrase, say, say_many
from bot.words.text import code, cut, escape, event_number, first_few, footnote, mention

EMPTY = phrase("You hold no cards. `/deal` with a deck and `hand:5` draws five.")
_SIZES, _NAME, _FACE, _LABEL, _DECKS = 20, 40, 100, 70, 4


class Deed(StrEnum):
    """What can be done with a card of which one says which."""

    label: str
    """What stands on its button."""
    asks: str

    def __new__(cls, word: str, label: str, asks: str) -> Self:
        """Make the member whose value is the word."""
        member = str.__new__(cls, word)
        member._value_, member.label, member.asks = word, label, asks
        return member

    PLAY = "play", phrase("Play…"), phrase("Play which card?")
    DISCARD = "discard", phrase("Discard…"), phrase("Discard which card?")
    RETURN = "return", phrase("Put back…"), phrase("Put which card back?")
    SHOW = "show", phrase("Reveal…"), phrase("Show which cards?")


def hand(
    campaign_id: int,
    cards: Sequence[Event],
    sizes: Mapping[int, int] | None = None,
    left: Event | None = None,
) -> Card:
    """Return what a player holds, a row for each card; `left` is what left the hand just now.

    A game master also reads how many cards others hold.
    """
    decks = [*dict.fromkeys(card.roller for card in cards)]
    deck = [escape(decks[0])] if len(decks) == 1 else []
    buttons = [
        CardButton("card-draw", (campaign_id, one), say("Draw") if deck else "") for one in decks[:_DECKS]
    ]
    deeds = [deed for deed in Deed if cards and (deed is not Deed.PLAY or len(cards) > ROWS_PRESSED)]
    buttons += [CardButton("card-which", (campaign_id, deed)) for deed in deeds]
    buttons += [CardButton("card-again", (campaign_id, left.seq))] if left else []
    rows = [_held(campaign_id, card, deck=not deck) for card in cards]
    head = Head(say("Your hand"), aside=" · ".join([*deck, say_many("{n} card", "{n:,} cards", len(cards))]))
    held = [f"{mention(user_id)} {n}" for user_id, n in sorted((sizes or {}).items())]
    others = [Small(say("At the table: {players}", players=first_few(held, _SIZES)))] if sizes else []
    return Card(
        (*((head, *in_rows(rows)) if cards else (Text(say(EMPTY)),)), *others), (*buttons,), Tone.SECRET
    )


def _held(campaign_id: int, card: Event, *, deck: bool) -> tuple[CardRow, CardButton]:
    face = card.roll.results[0]
    play = CardButton(
        "card-play", (campaign_id, card.seq), say("Play"), apart=say("Play {face}", face=face[:_LABEL])
    )
    return CardRow(cut(face, _FACE), verdict=code(card.roller, _NAME) if deck else ""), play


def which(campaign_id: int, deed: Deed) -> Card:
    """Return the question above the list of cards."""
    return Card((Text(say(deed.asks)),), (CardButton("hand", (campaign_id,)),), Tone.SECRET)


def moved(event: Event) -> str:
    """Return what everybody sees of a card that left a hand, or came back into it."""
    player, deck = mention(event.user_id), code(event.roller, _NAME)
    match event.body:
        case CardPlayed(results=(face,)):
            told = say("{player} plays **{card}** ({deck}).", player=player, card=escape(face), deck=deck)
        case CardReturned():
            told = say("{player} puts a card back into {deck}.", player=player, deck=deck)
        case Undone(target=undone):
            told = say("{player} takes #{number} back into their hand.", player=player, number=undone)
        case _:
            told = say("{player} discards a card ({deck}).", player=player, deck=deck)
    return f"{told}\n{footnote(event)}"


def taken(event: Event, offer: Event) -> Card:
    """Return what everybody sees of a card that was taken from an offer, with a button for the others."""
    card = offer.roll.results[event.body.choice] if isinstance(event.body, CardChosen) else ""
    did = say(
        "{player} takes **{card}** ({roller}).",
        player=mention(event.user_id),
        card=escape(card),
        roller=code(event.roller, _NAME),
    )
    system = offer.roll.of.system
    back = system is not None and system.put_back(offer.roll.before or system.start(), 0) is not None
    button = CardButton("offer-back", offer.at)
    return Card((Text(did), Small(event_number(event))), (button,) if back else ())


def back_from_offer(events: Sequence[Event]) -> str:
    """Return that the other cards of an offer went back."""
    deck = code(events[0].roller, _NAME)
    one, many = "{n} card goes back into {deck}.", "{n} cards go back into {deck}."
    return f"{say_many(one, many, len(events), deck=deck)}\n{footnote(events[-1])}"


def played_cards(drawn: Sequence[Event]) -> Card:
    """Return the cards that a player shows to everybody and keeps."""
    rows = [
        CardRow(f"**{cut(card.roll.results[0], _FACE)}**", verdict=code(card.roller, _NAME)) for card in drawn
    ]
    what = say("{player} shows from their hand:", player=mention(drawn[0].user_id))
    return Card(
        (Text(what), CardRows((*rows,)), Small(" · ".join(map(event_number, drawn)))), tone=Tone.QUIET
    )


def kept_in_hands(cards: int) -> str:
    """Return that cards stay in hands, after a reset or the end of a session; "" for none."""
    one, many = "{n} card stays in players' hands.", "{n:,} cards stay in players' hands."
    return f"-# {say_many(one, many, cards)}" if cards else ""
