"""A player's hand as a private message: a button for each card, and what can be done with one."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from discord.ui import View

from bot.answers import standing
from bot.campaign.command import Command
from bot.campaign.events import Event
from bot.campaign.hand_commands import DiscardCard, PlayCard, TakeBack
from bot.campaign.hands import CardLeft, CardReturned
from bot.services.hands import HAND_LIMIT, Hand
from bot.words import hands as words
from bot.words.rolls import stands
from cogs.kit.interactions import EVENT, NAME, NUMBER, Interaction, KeptButton, KindOfButton, caller, row

_LABEL, _DECKS = 80, 4
_Press: TypeAlias = Callable[[Interaction, int, int], Awaitable[None]]


async def show_hand(interaction: Interaction, hand: Hand) -> None:
    """Show the asker their hand."""
    text, view = words.hand(hand.cards, hand.sizes), _buttons(hand)
    await interaction.response.send_message(text, view=view, ephemeral=True)


async def _show_in_place(interaction: Interaction, hand: Hand, left: Event | None = None) -> None:
    text = words.hand(hand.cards, hand.sizes)
    await interaction.response.edit_message(content=text, view=_buttons(hand, left))


def _buttons(hand: Hand, left: Event | None = None) -> View:
    """Return a button for each card and each deck, and one that takes back what left the hand just now."""
    buttons: list[KeptButton] = []
    for card in hand.cards[:HAND_LIMIT]:
        buttons.append(button := CARD(hand.campaign_id, card.seq))
        button.label = card.roll.results[0][:_LABEL]
    decks = [*dict.fromkeys(card.roller for card in hand.cards)][:_DECKS]
    buttons += [DRAW(hand.campaign_id, deck) for deck in decks]
    return row(*buttons, *([TAKE_BACK(hand.campaign_id, left.seq)] if left else ()))


async def _show_card(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Show one card and what can be done with it in the place of the hand."""
    hand = await interaction.client.app.hands.held(caller(interaction), campaign_id)
    at = campaign_id, number
    view = row(PLAY(*at), DISCARD(*at), PUT_BACK(*at), BACK(campaign_id))
    await interaction.response.edit_message(content=words.card(hand.card(number)), view=view)


async def _show_again(interaction: Interaction, campaign_id: int) -> None:
    """Show the hand in the place of the card."""
    await _show_in_place(
        interaction, await interaction.client.app.hands.held(caller(interaction), campaign_id)
    )


async def _draw(interaction: Interaction, campaign_id: int, deck: str) -> None:
    """Draw one more card."""
    hands = interaction.client.app.hands
    await _show_in_place(interaction, await hands.draw(caller(interaction), deck, campaign_id=campaign_id))


def _moves(command: Callable[[int, int], Command]) -> _Press:
    """Return the press that does something with a card."""

    async def press(interaction: Interaction, campaign_id: int, number: int) -> None:
        hands, move = interaction.client.app.hands, command(number, campaign_id)
        await _tell(interaction, *(await hands.move(caller(interaction), campaign_id, move)))

    return press


async def _put_back(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Put a card back into its deck."""
    hands = interaction.client.app.hands
    await _tell(interaction, *(await hands.put_back(caller(interaction), campaign_id, number)))


async def _tell(interaction: Interaction, event: Event, hand: Hand) -> None:
    """Show the hand as it is now, and tell everybody what happened."""
    goes_back = isinstance(event.body, CardLeft) and not isinstance(event.body, CardReturned)
    with standing(stands(event, "What you did")):
        await _show_in_place(interaction, hand, event if goes_back else None)
        await interaction.followup.send(words.moved(event))


CARD = KindOfButton("card", "Card", _show_card, *EVENT)
DRAW = KindOfButton("card-draw", lambda _, deck: f"Draw from {deck}", _draw, NUMBER, NAME)
PLAY = KindOfButton("card-play", "Play", _moves(PlayCard), *EVENT)
DISCARD = KindOfButton("card-discard", "Discard", _moves(DiscardCard), *EVENT)
PUT_BACK = KindOfButton("card-return", "Put back", _put_back, *EVENT)
TAKE_BACK = KindOfButton("card-again", "Take it back", _moves(TakeBack), *EVENT)
BACK = KindOfButton("hand", "Back", _show_again, NUMBER)
HAND_BUTTONS = (CARD, DRAW, PLAY, DISCARD, PUT_BACK, TAKE_BACK, BACK)
