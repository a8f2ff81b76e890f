"""/deal and /hand: cards of a deck, dealt openly or into a hand."""

from discord import app_commands
from discord.ext import commands

from bot.answers import explain_refusal
from bot.campaign.campaigns import HAND_LIMIT
from bot.campaign.deals import DealCards
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.client import Evenhand
from bot.dice.errors import DiceReading, NotationError, SpecError, Unknown
from bot.dice.names import closest_name
from bot.systems.registry import CARD_SYSTEMS
from bot.words import hands as words
from bot.words.rolls import DEED_STANDS, stands
from bot.words.saying import phrase
from cogs.kit.cards import send
from cogs.kit.hands import show_hand
from cogs.kit.interactions import EVENT, NAME, NUMBER, ButtonHandler, Interaction, caller
from cogs.kit.options import DeckName, Seen, Times, roll_options
from cogs.kit.prompts import offer_readings
from cogs.kit.replies import reply

_CHOICE_STANDS = phrase("Your choice stands ({number}), but Discord refused my answer.")


class DealCog(commands.Cog, name="Deal"):
    """Commands for cards and hands."""

    @app_commands.command()
    async def deal(
        self,
        interaction: Interaction,
        deck: DeckName,
        cards: Times = 1,
        hand: app_commands.Range[int, 1, HAND_LIMIT] | None = None,
        visibility: Seen | None = None,
        practice: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
        offer: app_commands.Range[int, 2, 10] | None = None,
    ) -> None:
        """Deal cards from a deck, to all or into your hand.

        :param deck: Which deck
        :param cards: How many cards (1)
        :param offer: Show this many cards, and take one of them
        :param hand: Fill your hand up to this many cards, and keep them
        :param visibility: Who sees it (as the campaign's settings say)
        :param practice: Deal from a fresh deck, and leave the real one as it is
        """
        app, asker = interaction.client.app, caller(interaction)
        if hand is None:
            options = roll_options(visibility=visibility, practice=practice)
            if offer and (practice or cards != 1):
                raise SpecError("An offer says how many cards. Leave out cards and practice.")
            command = DealCards(deck, offer or cards, options, offer=offer is not None)
            try:
                await reply(interaction, await app.rolling.ask(asker, command))
            except Unknown as refused:
                is_plain = command == DealCards(deck, 1, roll_options())
                await _offer_near(interaction, refused, deck, is_plain=is_plain)
            return
        if practice or visibility or cards != 1 or offer:
            raise SpecError("Only you see your hand. Leave out cards, offer, visibility and practice.")
        try:
            await show_hand(interaction, await app.hands.draw(asker, deck, hand))
        except Unknown as refused:
            await _offer_near(interaction, refused, deck, is_plain=False)

    @app_commands.command()
    async def hand(self, interaction: Interaction) -> None:
        """Show your cards, and play them. Only you see them."""
        await show_hand(interaction, await interaction.client.app.hands.hand(caller(interaction)))


async def _offer_near(interaction: Interaction, refused: Unknown, deck: str, *, is_plain: bool) -> None:
    """Ask about the deck whose name is close to an unknown one, with a button to deal from it if `is_plain`.

    Raise the refusal if there is none.
    """
    names = await interaction.client.app.rollers.suggest(caller(interaction), "", CARD_SYSTEMS)
    decks = {name.casefold(): name for name in names}
    if not (near := closest_name(deck.casefold(), decks)):
        raise refused
    offered = NotationError(refused.text, readings=(DiceReading(decks[near]),), **refused.values)
    # In `Omens 3` the button would lose the number.
    has_same_digits = [*filter(str.isdigit, deck)] == [*filter(str.isdigit, near)]
    values = [(decks[near],)] if is_plain and has_same_digits else []
    await offer_readings(interaction, offered, DEAL.custom_id, values)


async def _deal(interaction: Interaction, deck: str) -> None:
    """Deal one card openly."""
    command = DealCards(deck, 1, roll_options())
    await reply(interaction, await interaction.client.app.rolling.ask(caller(interaction), command))


def _is_public(event: Event) -> bool:
    return event.visibility is Visibility.PUBLIC


async def _take(interaction: Interaction, campaign_id: int, number: int, place: int) -> None:
    """Take a card of an offer, and announce it."""
    hands = interaction.client.app.hands
    event, offer = await hands.choose(caller(interaction), campaign_id, number, place)
    with explain_refusal(stands(event, _CHOICE_STANDS)):
        await send(interaction, lambda: words.offer_taken(event, offer), private=not _is_public(event))


async def _return_others(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Put the other cards of an offer back, and announce it."""
    events = await interaction.client.app.hands.return_others(caller(interaction), campaign_id, number)
    with explain_refusal(stands(events[-1], DEED_STANDS)):
        await send(interaction, lambda: words.back_from_offer(events), private=not _is_public(events[-1]))


TAKE = ButtonHandler("take", "Take", _take, *EVENT, NUMBER)
OFFER_BACK = ButtonHandler("offer-back", "Put the others back", _return_others, *EVENT)
DEAL = ButtonHandler("deal", "Deal", _deal, NAME)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(DealCog())
