"""/history: the campaign's events, ten a page, newest first."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.histories import Filter, Page
from bot.client import Evenhand
from bot.dice.names import clean
from bot.services.histories import PAGE
from bot.words.cards import CardButton
from bot.words.saying import say
from cogs.history import words
from cogs.kit.cards import edit, send
from cogs.kit.interactions import (
    BESIDE,
    NUMBER,
    ButtonHandler,
    Field,
    Interaction,
    caller,
    caller_and_campaign,
)
from cogs.kit.options import CharacterName, RollerName, must_be_once, read_reference

Words = app_commands.Range[str, 1, 25]
_OLDER, _NEWER = "o", "n"
_PERSON = Field(f"(?:{NUMBER.pattern})?")


class HistoryCog(commands.Cog, name="History"):
    """The history of a campaign."""

    @app_commands.command()
    async def history(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        roller: RollerName | None = None,
        label: Words | None = None,
        character: CharacterName | None = None,
        number: app_commands.Range[int, 1] | None = None,
        last: app_commands.Range[int, 1, PAGE] = PAGE,
    ) -> None:
        """Show what was rolled here, newest first.

        :param player: Only this player's rolls
        :param roller: Only this roller's rolls
        :param label: Only rolls with these words in the label
        :param character: Only this character's rolls
        :param number: Begin at this number
        :param last: How many rolls (10)
        """
        person, place = read_reference(roller)
        must_be_once(player, person)
        must_be_once(number, place)
        number = number or place
        criteria = Filter(
            player.id if player else person,
            None if person or place else clean(roller or "").casefold() or None,
            clean(label or "") or None,
            clean(character or "") or None,
        )
        asker, campaign_id = await caller_and_campaign(interaction)
        histories = interaction.client.app.histories
        if number is None:
            page = await histories.page(asker, criteria, last)
        else:
            page = await histories.around(asker, criteria, number, last)
        await send(interaction, words.page(page, *_buttons(campaign_id, page, criteria)), private=True)


async def _turn(
    interaction: Interaction, shown_in: int, way: str, number: int, user: str, *search: str
) -> None:
    """Replace the page by the one of older or newer events."""
    before, after = (number, None) if way == _OLDER else (None, number)
    roller, label, character = (part or None for part in search)
    criteria = Filter(int(user) if user else None, roller, label, character, before, after)
    histories = interaction.client.app.histories
    page = await histories.page(caller(interaction, shown_in), criteria)
    await edit(interaction, lambda: words.page(page, *_buttons(shown_in, page, criteria)))


def _label(_campaign_id: int, way: str, *_: object) -> str:
    return say("Older") if way == _OLDER else say("Newer")


def _buttons(campaign_id: int, page: Page, criteria: Filter) -> tuple[CardButton, ...]:
    if page.newer is None and page.older is None:
        return ()
    # A cleaned name or label has no @ in it.
    search = [part or "" for part in (criteria.user_id, criteria.roller, criteria.label, criteria.character)]
    buttons = tuple(
        CardButton("page", (campaign_id, way, number or 0, *search), on=number is not None)
        for way, number in ((_NEWER, page.newer), (_OLDER, page.older))
    )
    # A long filter does not fit into an id, and a part of it would match other events.
    return buttons if all(TURN.custom_id.fits(*button.values) for button in buttons) else ()


_SEARCH = _PERSON, Field("[^@]*"), BESIDE, BESIDE
TURN = ButtonHandler("page", _label, _turn, NUMBER, Field("[on]"), NUMBER, *_SEARCH)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(HistoryCog())
