"""/history: what was rolled here, ten entries a page, the newest first."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.histories import Page
from bot.client import Evenhand
from bot.dice.names import clean
from bot.services.histories import PAGE, Filter
from bot.words.cards import CardButton
from bot.words.saying import say
from cogs.history import words
from cogs.kit.cards import edit, send
from cogs.kit.interactions import NUMBER, ButtonHandler, Field, Interaction, caller, caller_and_campaign
from cogs.kit.options import CharacterName, RollerName, landed

Words = app_commands.Range[str, 1, 25]
_OLDER, _NEWER = "o", "n"
_PERSON = Field(f"(?:{NUMBER.pattern})?", str)


class HistoryCog(commands.Cog, name="History"):
    """What was rolled so far."""

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
        person, place = landed(roller)
        number = number or place
        wanted = Filter(
            player.id if player else person,
            clean(roller).casefold() or None if roller and not (person or place) else None,
            clean(label).casefold() or None if label else None,
            clean(character) or None if character else None,
        )
        histories, (asker, here) = interaction.client.app.histories, await caller_and_campaign(interaction)
        if number is None:
            page = await histories.page(asker, wanted, count=last)
        else:
            page = await histories.around(asker, wanted, number)
        await send(interaction, words.page(page, *_buttons(here, page, wanted)), private=True)


async def _turn(
    interaction: Interaction, shown_in: int, way: str, number: int, user: str, search: str
) -> None:
    """Show the page of older or newer events in place of this one."""
    roller, label, character, *_ = (part or None for part in f"{search}@@".split("@"))
    wanted = Filter(int(user) if user else None, roller, label, character)
    asker = caller(interaction, shown_in)
    before, after = (number, None) if way == _OLDER else (None, number)
    page = await interaction.client.app.histories.page(asker, wanted, before, after)
    await edit(interaction, lambda: words.page(page, *_buttons(shown_in, page, wanted)))


def _label(_here: int, way: str, _number: int, _user: str, _search: str) -> str:
    return say("Older") if way == _OLDER else say("Newer")


def _buttons(here: int, page: Page, wanted: Filter) -> tuple[CardButton, ...]:
    if page.newer is None and page.older is None:
        return ()
    buttons = _button(here, _NEWER, page.newer, wanted), _button(here, _OLDER, page.older, wanted)
    # A long filter by all that there is fits no id, and a part of it would find something else.
    return buttons if all(TURN.custom_id.fits(*one.values) for one in buttons) else ()


def _button(here: int, way: str, number: int | None, wanted: Filter) -> CardButton:
    # A cleaned name or label has no @ in it.
    search = "@".join(part or "" for part in (wanted.roller, wanted.label, wanted.character))
    values = here, way, number or 0, str(wanted.user_id or ""), search
    return CardButton("page", values, on=number is not None)


TURN = ButtonHandler(
    "page", _label, _turn, NUMBER, Field("[on]", str), NUMBER, _PERSON, Field("[^@]*@.*", str)
)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(HistoryCog())
