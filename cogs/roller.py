"""/roller: game masters make, tune, reset, undo and remove a channel's rollers; everybody lists them."""

import re
from typing import Self

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Button, Item, View

from bot.client import Evenhand
from bot.core.bases import Json
from bot.core.rollers import Remembers
from bot.render import rollers as render
from bot.services.rollers import Rollers
from cogs.shared.asking import asked, parent_id, person
from cogs.shared.pressing import Press, PressButton

Name = app_commands.Range[str, 1, 32]
Text = app_commands.Range[str, 1, 200]
Decimal = app_commands.Range[str, 1, 14]
Interaction = discord.Interaction[Evenhand]
MEMORIES = [
    app_commands.Choice(name="table: everybody shares one memory", value=Remembers.TABLE),
    app_commands.Choice(name="player: each player has their own", value=Remembers.PLAYER),
]
MODES = [
    app_commands.Choice(name="add: a new set joins the cards that are left", value="add"),
    app_commands.Choice(name="reset: all cards are shuffled anew", value="reset"),
]


class RollerCog(commands.GroupCog, name="roller", description="The rollers of this channel."):
    """The channel's rollers."""

    def __init__(self, rollers: Rollers) -> None:
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(
        name="What to call it; /roll takes the name",
        dice="The dice whose results are evened out, such as 2d6 or 1d20",
        tightness="How strongly: 0 is plain dice, 1 unless you say so, inf is like drawing from a hat",
        memory="Whose rolls it remembers: the table's, unless you say so",
    )
    @app_commands.choices(memory=MEMORIES)
    async def fair(
        self,
        interaction: Interaction,
        name: Name,
        dice: Text,
        tightness: Decimal = "1",
        memory: str = Remembers.TABLE,
    ) -> None:
        """Make a fair roller: what came up too often becomes rarer. Or change its tightness."""
        await self._make(interaction, name, {"system": "fair", "base": dice, "tightness": tightness}, memory)

    @app_commands.command()
    @app_commands.describe(
        name="What to call it; /roll takes the name",
        dice="Dice with equally likely results, such as 1d6",
        factor="What each result's weight is multiplied by when it comes up: over 0, at most 1",
        memory="Whose rolls it remembers: the table's, unless you say so",
    )
    @app_commands.choices(memory=MEMORIES)
    async def dynamic(
        self,
        interaction: Interaction,
        name: Name,
        dice: Text = "1d6",
        factor: Decimal = "0.355",
        memory: str = Remembers.TABLE,
    ) -> None:
        """Make dynamic dice: each result that comes up becomes less likely by a factor."""
        await self._make(interaction, name, {"system": "dynamic", "base": dice, "factor": factor}, memory)

    @app_commands.command()
    @app_commands.describe(
        name="What to call it; /roll takes the name",
        dice="The dice whose results are the cards, such as 1d6",
        size="How many sets of cards are in it: 1 unless you say so",
        refill="It is refilled when fewer cards than this are left: 1 unless you say so",
        mode="How it is refilled",
        memory="Whose draws it remembers: the table's, unless you say so",
    )
    @app_commands.choices(memory=MEMORIES, mode=MODES)
    async def deck(
        self,
        interaction: Interaction,
        name: Name,
        dice: Text = "1d6",
        size: app_commands.Range[int, 1, 1_000] = 1,
        refill: app_commands.Range[int, 1, 1_000_000] = 1,
        mode: str = "add",
        memory: str = Remembers.TABLE,
    ) -> None:
        """Make a deck: results are drawn like cards, and the deck is refilled in time."""
        spec: dict[str, Json] = {"system": "deck", "base": dice, "size": size, "refill": refill, "mode": mode}
        await self._make(interaction, name, spec, memory)

    @app_commands.command()
    @app_commands.describe(name="What to call it; /roll takes the name", dice="Any dice, such as 1d20+5")
    async def dice(self, interaction: Interaction, name: Name, dice: Text) -> None:
        """Make a roller of plain dice: a name for a roll, without a memory."""
        await self._make(interaction, name, {"system": "dice", "base": dice}, Remembers.TABLE)

    @app_commands.command(name="list")
    async def show(self, interaction: Interaction) -> None:
        """Show this channel's rollers."""
        rollers = await self._rollers.present(interaction.channel_id or 0)
        await interaction.response.send_message(render.listing(rollers), ephemeral=True)

    @app_commands.command()
    @app_commands.describe(name="Which roller")
    async def reset(self, interaction: Interaction, name: Name) -> None:
        """Let a roller forget everything; you are asked once more."""
        roller = await self._rollers.find(
            interaction.channel_id or 0,
            name,
            person(interaction),
            "Resetting a roller",
            parent_id(interaction),
        )
        view = View(timeout=None)
        view.add_item(ConfirmReset(roller.name))
        await interaction.response.send_message(render.confirm_reset(roller), view=view, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(name="Which roller")
    async def undo(self, interaction: Interaction, name: Name) -> None:
        """Take back the newest thing that happened to a roller; once more takes back the one before."""
        event, undone = await self._rollers.undo(asked(interaction), person(interaction), name)
        await interaction.response.send_message(render.undone(event, undone))

    @app_commands.command()
    @app_commands.describe(name="Which roller")
    async def remove(self, interaction: Interaction, name: Name) -> None:
        """Take a roller away; its history stays."""
        event = await self._rollers.remove(asked(interaction), person(interaction), name)
        await interaction.response.send_message(render.removed(event))

    @reset.autocomplete("name")
    @undo.autocomplete("name")
    @remove.autocomplete("name")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The channel's rollers."""
        names = await self._rollers.suggest(interaction.channel_id or 0, typed)
        return [app_commands.Choice(name=name, value=name) for name in names]

    async def _make(self, interaction: Interaction, name: str, spec: dict[str, Json], memory: str) -> None:
        made = await self._rollers.make(
            asked(interaction), person(interaction), name, spec, Remembers(memory)
        )
        await interaction.response.send_message(render.made(*made))


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
