"""/roller: game masters make, tune, reset, undo and remove rollers; everybody lists and exports them."""

import re
from io import BytesIO
from typing import Self

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Button, Item, View

from bot.campaign.events import Kind
from bot.client import Evenhand
from bot.render import rollers as render
from bot.services.rollers import Rollers
from cogs.shared.asking import asked, parent_id, person
from cogs.shared.card_making import CardMaking
from cogs.shared.live import Live
from cogs.shared.making import Interaction, Name
from cogs.shared.pressing import Press, PressButton, row


class RollerCog(CardMaking, commands.GroupCog, name="roller", description="The rollers of this channel."):
    """The channel's rollers; how they are made is in the classes it comes from."""

    def __init__(self, rollers: Rollers) -> None:
        self.rollers = rollers

    @app_commands.command(name="list")
    async def show(self, interaction: Interaction) -> None:
        """Show this channel's rollers."""
        rollers = await self.rollers.present(interaction.channel_id or 0)
        await interaction.response.send_message(render.listing(rollers), ephemeral=True)

    @app_commands.command()
    @app_commands.describe(name="Which roller")
    async def reset(self, interaction: Interaction, name: Name) -> None:
        """Let a roller forget everything; you are asked once more."""
        roller = await self.rollers.find(
            interaction.channel_id or 0,
            name,
            person(interaction),
            "Resetting a roller",
            parent_id(interaction),
        )
        question, button = render.confirm_reset(roller), row(ConfirmReset(roller.name))
        await interaction.response.send_message(question, view=button, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(name="Which roller")
    async def undo(self, interaction: Interaction, name: Name) -> None:
        """Take back the newest thing that happened to a roller; once more takes back the one before."""
        event, undone = await self.rollers.undo(asked(interaction), person(interaction), name)
        await interaction.response.send_message(render.undone(event, undone))
        if undone and undone.kind is Kind.ROLL and undone.target:
            Live.of(interaction.client).changed(undone.campaign_id, undone.target)

    @app_commands.command()
    @app_commands.describe(name="Which roller")
    async def remove(self, interaction: Interaction, name: Name) -> None:
        """Take a roller away; its history stays."""
        event = await self.rollers.remove(asked(interaction), person(interaction), name)
        await interaction.response.send_message(render.removed(event))

    @app_commands.command()
    @app_commands.describe(name="Which roller")
    async def export(self, interaction: Interaction, name: Name) -> None:
        """Get a roller as JSON, to import it elsewhere or to try it on the command line."""
        roller = await self.rollers.show(interaction.channel_id or 0, name, interaction.user.id)
        file = discord.File(BytesIO(render.exported_json(roller).encode()), "roller.json")
        await interaction.response.send_message(render.exported(roller), file=file, ephemeral=True)

    @reset.autocomplete("name")
    @undo.autocomplete("name")
    @remove.autocomplete("name")
    @export.autocomplete("name")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The channel's rollers."""
        names = await self.rollers.suggest(interaction.channel_id or 0, typed)
        return [app_commands.Choice(name=name, value=name) for name in names]


class ConfirmReset(PressButton, template=r"reset:(?P<name>.{1,64})"):
    """The second question before a reset."""

    def __init__(self, name: str) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(Button(label="Reset it", style=style, custom_id=f"reset:{name}"))
        self.name = name

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(match["name"])

    async def press(self, interaction: Press) -> None:
        """Reset, and tell everybody."""
        event = await interaction.client.house.rollers.reset(
            asked(interaction), person(interaction), self.name
        )
        await interaction.response.edit_message(content="Done.", view=None)
        await interaction.followup.send(render.reset(event))


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the button that confirms a reset."""
    bot.add_dynamic_items(ConfirmReset)
    await bot.add_cog(RollerCog(bot.house.rollers))
