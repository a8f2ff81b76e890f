"""/roller: make, change, reset, undo, remove, list and export a campaign's rollers."""

from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.events import Rolled
from bot.client import Evenhand
from bot.services.rollers import Rollers
from cogs.kit.interactions import ROLLERS, Field, Interaction, KindOfButton, Name, add_buttons, caller, row
from cogs.kit.replies import send_with
from cogs.roller import words
from cogs.roller.cards import CardCommands
from cogs.roller.lucky import LuckCommands


class RollerCog(
    CardCommands, LuckCommands, commands.GroupCog, name="roller", description="The rollers of this campaign."
):
    """A campaign's rollers; the commands that make them come from the base classes."""

    def __init__(self, rollers: Rollers) -> None:
        self.rollers = rollers

    @app_commands.command(name="list")
    async def show(self, interaction: Interaction) -> None:
        """Show this campaign's rollers."""
        rollers = await self.rollers.present(caller(interaction))
        await interaction.response.send_message(words.listing(rollers), ephemeral=True)

    @app_commands.command()
    @app_commands.autocomplete(name=ROLLERS)
    @app_commands.describe(name="Which roller")
    async def reset(self, interaction: Interaction, name: Name) -> None:
        """Make a roller forget everything; you are asked to confirm."""
        roller = await self.rollers.find(caller(interaction), name, "Resetting a roller")
        question, button = words.confirm_reset(roller), row(RESET(roller.name))
        await interaction.response.send_message(question, view=button, ephemeral=True)

    @app_commands.command()
    @app_commands.autocomplete(name=ROLLERS)
    @app_commands.describe(name="Which roller")
    async def undo(self, interaction: Interaction, name: Name) -> None:
        """Undo the newest thing that happened to a roller; again undoes the one before."""
        event, undone = await self.rollers.undo(caller(interaction), name)
        await interaction.response.send_message(words.undone(event, undone))
        if undone and isinstance(undone.body, Rolled) and undone.target:
            # It was a roll for a group call, whose message shows it.
            interaction.client.dispatch("call_changed", undone.campaign_id, undone.target)

    @app_commands.command()
    @app_commands.autocomplete(name=ROLLERS)
    @app_commands.describe(name="Which roller")
    async def remove(self, interaction: Interaction, name: Name) -> None:
        """Remove a roller; its history stays."""
        event = await self.rollers.remove(caller(interaction), name)
        await interaction.response.send_message(words.removed(event))

    @app_commands.command()
    @app_commands.autocomplete(name=ROLLERS)
    @app_commands.describe(name="Which roller")
    async def export(self, interaction: Interaction, name: Name) -> None:
        """Get a roller as JSON, to import it elsewhere or to try it on the command line."""
        roller, _ = await self.rollers.known(caller(interaction), name)
        file = discord.File(BytesIO(words.exported_json(roller).encode()), "roller.json")
        await send_with(interaction.response.send_message, words.exported(roller), file, ephemeral=True)


async def _reset(interaction: Interaction, name: str) -> None:
    """Reset, and tell everybody."""
    event = await interaction.client.app.rollers.reset(caller(interaction), name)
    await interaction.response.edit_message(content="Done.", view=None)
    await interaction.followup.send(words.reset(event))


RESET = KindOfButton("reset", "Reset it", _reset, Field(".{1,64}", str), style=discord.ButtonStyle.danger)


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the button that confirms a reset."""
    add_buttons(bot, RESET)
    await bot.add_cog(RollerCog(bot.app.rollers))
