"""/history: what was rolled here, ten at a time, newest first."""

import re
from typing import Self

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Button, Item, View

from bot.campaign.histories import Page
from bot.client import Evenhand
from bot.dice.names import clean
from bot.render.histories import page as render
from bot.services.histories import PAGE, Filter, Histories
from bot.services.rollers import Rollers
from cogs.shared.asking import person, place
from cogs.shared.pressing import Press, PressButton, row

Name = app_commands.Range[str, 1, 32]
Words = app_commands.Range[str, 1, 25]


class HistoryCog(commands.Cog, name="History"):
    """Look back."""

    def __init__(self, histories: Histories, rollers: Rollers) -> None:
        self._histories = histories
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(
        player="Only this player's",
        roller="Only this roller's",
        label="Only with these words in the label",
        number="From this number downwards",
        last="How many: 10 unless you say fewer",
    )
    async def history(
        self,
        interaction: discord.Interaction[Evenhand],
        player: discord.User | None = None,
        roller: Name | None = None,
        label: Words | None = None,
        number: app_commands.Range[int, 1] | None = None,
        last: app_commands.Range[int, 1, PAGE] = PAGE,
    ) -> None:
        """Show what was rolled here, the newest first; only you see the answer."""
        wanted = Filter(
            player.id if player else None,
            clean(roller).casefold() or None if roller else None,
            clean(label).casefold() or None if label else None,
        )
        who, here = person(interaction), place(interaction)
        if number is None:
            page = await self._histories.newest(here, who, wanted, last)
        else:
            page = await self._histories.around(here, who, wanted, number)
        await interaction.response.send_message(
            render(page.entries, page.beginning), view=_buttons(page, wanted), ephemeral=True
        )

    @history.autocomplete("roller")
    async def suggest(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """The channel's rollers."""
        names = await self._rollers.suggest(interaction.channel_id or 0, typed)
        return [app_commands.Choice(name=name, value=name) for name in names]


class Turn(
    PressButton, template=r"h:(?P<way>[on])(?P<number>\d+):(?P<user>\d*):(?P<roller>[^@]*)(?:@(?P<label>.*))?"
):
    """To the page of older (o) or newer (n) events; its id holds the place and the filter."""

    def __init__(self, way: str, number: int | None, wanted: Filter) -> None:
        label = "Older" if way == "o" else "Newer"
        # No name and no label has an @ in it, once it is clean.
        custom_id = f"h:{way}{number or 0}:{wanted.user_id or ''}:{wanted.roller or ''}@{wanted.label or ''}"
        super().__init__(Button(label=label, custom_id=custom_id[:100], disabled=number is None))
        self.way = way
        self.number = number or 0
        self.wanted = wanted

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        user = int(match["user"]) if match["user"] else None
        return cls(
            match["way"], int(match["number"]), Filter(user, match["roller"] or None, match["label"] or None)
        )

    async def press(self, interaction: Press) -> None:
        """Turn the page."""
        histories = interaction.client.house.histories
        turn = histories.older if self.way == "o" else histories.newer
        page = await turn(place(interaction), person(interaction), self.wanted, self.number)
        await interaction.response.edit_message(
            content=render(page.entries, page.beginning), view=_buttons(page, self.wanted)
        )


def _buttons(page: Page, wanted: Filter) -> View:
    return row(Turn("n", page.newer, wanted), Turn("o", page.older, wanted))


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the buttons that turn pages."""
    bot.add_dynamic_items(Turn)
    await bot.add_cog(HistoryCog(bot.house.histories, bot.house.rollers))
