"""A player's hand as a private message: each card with *Play* beside it, other actions below."""

from collections.abc import Callable

from bot.answers import OUT_OF_DATE, explain_refusal
from bot.campaign.command import Command
from bot.campaign.events import CardLeft, CardReturned, Event
from bot.campaign.hand_commands import DiscardCard, Hand, PlayCard, TakeBack
from bot.dice.errors import Unknown
from bot.words import hands as words
from bot.words.rolls import DEED_STANDS, stands
from bot.words.saying import TEXTS, say
from cogs.kit.cards import edit, send
from cogs.kit.interactions import (
    EVENT,
    NAME,
    NUMBER,
    ButtonHandler,
    ComponentHandler,
    Field,
    Interaction,
    Responder,
    caller,
    chosen_numbers,
    service_handler,
)

_DEED = Field("|".join(words.Deed), words.Deed)


async def show_hand(interaction: Interaction, hand: Hand) -> None:
    """Send the player their hand."""
    await send(interaction, words.hand_card(hand), private=True)


async def _show_in_place(interaction: Interaction, hand: Hand, removal: Event | None = None) -> None:
    await edit(interaction, lambda: words.hand_card(hand, removal))


async def _ask(interaction: Interaction, campaign_id: int, deed: words.Deed) -> None:
    """Ask for the cards of an action, in place of the hand."""
    hand = await interaction.client.app.hands.hand(caller(interaction), campaign_id)
    if not hand.cards:
        await _show_in_place(interaction, hand)
        return
    options = {str(card.seq): card.roll.results[0] for card in hand.cards}
    most = len(options) if deed is words.Deed.SHOW else 1
    listed = _CARDS.select(campaign_id, deed, options=options, most=most)
    await edit(interaction, lambda: words.choose_card(campaign_id, deed), listed)


async def _choose(interaction: Interaction, campaign_id: int, deed: words.Deed) -> None:
    """Do the list's action with the chosen cards."""
    if not (numbers := chosen_numbers(interaction)):
        raise Unknown(OUT_OF_DATE)
    if deed is words.Deed.SHOW:
        await _show(interaction, campaign_id, numbers)
    else:
        await _DEEDS[deed](interaction, campaign_id, numbers[0])


async def _show(interaction: Interaction, campaign_id: int, numbers: list[int]) -> None:
    """Show cards to everybody, and keep them."""
    asker, app = caller(interaction), interaction.client.app
    parts = enumerate(numbers, start=1)
    drawn = [
        (await app.histories.reveal(asker.at_part(part), campaign_id, number)).event for part, number in parts
    ]
    with explain_refusal(stands(drawn[0], DEED_STANDS)):
        await _show_in_place(interaction, await app.hands.hand(asker, campaign_id))
        await send(interaction, lambda: words.played_cards(drawn))


async def _draw(interaction: Interaction, campaign_id: int, deck: str) -> None:
    """Draw one more card."""
    hands = interaction.client.app.hands
    await _show_in_place(interaction, await hands.draw(caller(interaction), deck, campaign_id=campaign_id))


def _card_handler(command: Callable[[int, int], Command]) -> Responder[int, int]:
    """Return a handler that runs a command on a card."""
    return service_handler(
        lambda app: lambda asker, at, number: app.hands.move(asker, at, command(at, number)), _show_move
    )


async def _show_move(interaction: Interaction, moved: tuple[Event, Hand]) -> None:
    """Update the hand, and announce the event in the channel."""
    event, hand = moved
    goes_back = isinstance(event.body, CardLeft) and not isinstance(event.body, CardReturned)
    with explain_refusal(stands(event, DEED_STANDS)):
        await _show_in_place(interaction, hand, event if goes_back else None)
        await send(interaction, lambda: words.card_moved(event))


_PLAY = _card_handler(PlayCard)
_PUT_BACK = service_handler(lambda app: app.hands.put_back, _show_move)
_DEEDS = {
    words.Deed.PLAY: _PLAY,
    words.Deed.DISCARD: _card_handler(DiscardCard),
    words.Deed.RETURN: _PUT_BACK,
}
PLAY = ButtonHandler("card-play", "Play", _PLAY, *EVENT)
WHICH = ButtonHandler("card-which", lambda _, deed: say(TEXTS["hand"][deed]["label"]), _ask, NUMBER, _DEED)
DRAW = ButtonHandler("card-draw", "Draw from {deck}", _draw, NUMBER, Field(NAME.pattern, name="deck"))
TAKE_BACK = ButtonHandler("card-again", "Take it back", _card_handler(TakeBack), *EVENT)
BACK = ButtonHandler("hand", "Back", service_handler(lambda app: app.hands.hand, _show_in_place), NUMBER)
_CARDS = ComponentHandler("cards", _choose, NUMBER, _DEED)
