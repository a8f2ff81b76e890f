"""A small bot that does what the real one will do, for the tests of the table."""

import io
import re
import struct
import zlib
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.dice.errors import NotAllowed, NotationError

DICE = ("1d20", "2d6", "4d6kh3")


def png(width: int, height: int) -> bytes:
    """A plain blue picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x33\x66\xcc" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


class Again(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"again:(?P<dice>\w+):(?P<owner>\d+)"
):
    """A button that survives restarts: everything it needs is in its id."""

    def __init__(self, dice: str, owner: int) -> None:
        button: discord.ui.Button[discord.ui.View] = discord.ui.Button(
            label="Again", custom_id=f"again:{dice}:{owner}"
        )
        super().__init__(button)
        self.dice, self.owner = dice, owner

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], _item: discord.ui.Item[Any], match: re.Match[str]
    ) -> "Again":
        """The button of that id."""
        return cls(match["dice"], int(match["owner"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Roll again for the owner, and refuse anybody else."""
        if interaction.user.id != self.owner:
            await interaction.response.send_message("That button is somebody else's.", ephemeral=True)
            return
        await interaction.response.send_message(f"{interaction.user.display_name} rolls {self.dice} again")


class Confirm(discord.ui.View):
    """A question that gives up after `timeout` seconds, and says so."""

    def __init__(self, asked: discord.Interaction[Any], timeout: float) -> None:
        super().__init__(timeout=timeout)
        self._asked = asked

    @discord.ui.button(label="Yes, reset")
    async def yes(self, interaction: discord.Interaction[Any], _button: discord.ui.Button[Any]) -> None:
        """Reset."""
        await interaction.response.edit_message(content="Everything is reset.", view=None)
        self.stop()

    async def on_timeout(self) -> None:
        """Put the question away."""
        await self._asked.edit_original_response(content="Too late to reset.", view=None)


class Table(commands.Cog):
    """The commands of the tiny bot."""

    @app_commands.command()
    async def roll(self, interaction: discord.Interaction[Any], dice: str, label: str = "") -> None:
        """Roll some dice."""
        if not re.fullmatch(r"\w+", dice):
            raise NotationError(f"I can't read {dice} as dice.")
        view = discord.ui.View(timeout=None)
        view.add_item(Again(dice, interaction.user.id))
        text = f"**12** {dice} {label} for {interaction.user.display_name}"
        await interaction.response.send_message(text, view=view)

    @roll.autocomplete("dice")
    async def known_dice(
        self, _interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[str]]:
        """The dice that hold what is typed."""
        return [app_commands.Choice(name=dice, value=dice) for dice in DICE if typed in dice]

    @app_commands.command()
    async def odds(self, interaction: discord.Interaction[Any]) -> None:
        """Show a picture, after some thought."""
        await interaction.response.defer()
        picture = discord.File(io.BytesIO(png(320, 120)), "odds.png", description="Six bars of one height")
        await interaction.followup.send("The odds", file=picture)

    @app_commands.command()
    async def reset(self, interaction: discord.Interaction[Any]) -> None:
        """Ask the GM whether to forget everything."""
        if not interaction.permissions.manage_guild:
            raise NotAllowed("Only a GM can reset.")
        assert isinstance(interaction.client, Tiny)
        view = Confirm(interaction, interaction.client.patience)
        await interaction.response.send_message("Reset everything?", view=view, ephemeral=True)


class Tiny(commands.AutoShardedBot):
    """Rolls nothing, but answers like the real bot: publicly, privately, with a picture, with a refusal."""

    def __init__(self, *, patience: float = 60) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))
        self.tree.error(self.refuse)
        self.patience = patience
        self.asked: list[discord.Interaction[Any]] = []
        """Every command and button press, in order."""

    async def setup_hook(self) -> None:
        """Take up the commands and the buttons of earlier runs."""
        self.add_dynamic_items(Again)
        await self.add_cog(Table())
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Remember who asked."""
        self.asked.append(interaction)

    async def refuse(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        """Answer a wrong command with one private sentence."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await interaction.response.send_message(str(cause), ephemeral=True)
