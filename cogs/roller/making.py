"""The commands of /roller that make a roller of dice."""

from collections.abc import Callable

from discord import app_commands
from discord.ext import commands

from bot.campaign.campaigns import Remembers
from bot.dice.system import Json, System, read_base
from bot.services.rollers import Rollers
from bot.systems.registry import read_spec
from bot.words.systems import roller_made
from cogs.kit.interactions import DiceText, Interaction, Name, caller

Decimal = app_commands.Range[str, 1, 14]
Sets = app_commands.Range[int, 1, 1_000]
Refill = app_commands.Range[int, 1, 1_000_000]
SIZE = "How many sets of cards are in it: 1 if left out"
REFILL = "It is refilled when fewer cards than this are left: 1 if left out"
MEMORIES = [
    app_commands.Choice(name="table: everybody shares one memory", value=Remembers.TABLE),
    app_commands.Choice(name="player: each player has their own", value=Remembers.PLAYER),
]
MODES = [
    app_commands.Choice(name="add: a new set joins the cards that are left", value="add"),
    app_commands.Choice(name="reset: all cards are shuffled again", value="reset"),
]


class DiceCommands(commands.Cog):
    """Make rollers of dice; `make` and `make_of` are for all commands that make one."""

    rollers: Rollers

    @app_commands.command()
    @app_commands.describe(
        name="What to call it; /roll takes the name",
        dice="The dice whose results are evened out, such as 2d6 or 1d20",
        tightness="How strongly: 0 is plain dice, 1 if left out, inf is like drawing from a hat",
        memory="Whose rolls it remembers: the table's if left out",
    )
    @app_commands.choices(memory=MEMORIES)
    async def fair(
        self,
        interaction: Interaction,
        name: Name,
        dice: DiceText,
        tightness: Decimal = "1",
        memory: str = Remembers.TABLE,
    ) -> None:
        """Make a fair roller: what came up too often becomes rarer. Or change its tightness."""
        await self.make(interaction, name, {"system": "fair", "base": dice, "tightness": tightness}, memory)

    @app_commands.command()
    @app_commands.describe(
        name="What to call it; /roll takes the name",
        dice="Dice with equally likely results, such as 1d6",
        factor="What each result's weight is multiplied by when it comes up: over 0, at most 1",
        memory="Whose rolls it remembers: the table's if left out",
    )
    @app_commands.choices(memory=MEMORIES)
    async def dynamic(
        self,
        interaction: Interaction,
        name: Name,
        dice: DiceText = "1d6",
        factor: Decimal = "0.355",
        memory: str = Remembers.TABLE,
    ) -> None:
        """Make dynamic dice: each result that comes up becomes less likely by a factor."""
        await self.make(interaction, name, {"system": "dynamic", "base": dice, "factor": factor}, memory)

    @app_commands.command()
    @app_commands.describe(
        name="What to call it; /roll takes the name",
        dice="The dice whose results are the cards, such as 1d6",
        size=SIZE,
        refill="It is refilled when fewer cards than this are left: half of them if left out",
        mode="How it is refilled",
        memory="Whose draws it remembers: the table's if left out",
    )
    @app_commands.choices(memory=MEMORIES, mode=MODES)
    async def deck(
        self,
        interaction: Interaction,
        name: Name,
        dice: DiceText = "1d6",
        size: Sets = 1,
        refill: Refill | None = None,
        mode: str = "add",
        memory: str = Remembers.TABLE,
    ) -> None:
        """Make a deck: results are drawn like cards, and the deck is refilled in time."""

        def read() -> System:
            # A deck that is dealt to its end tells whoever kept count its last cards.
            least = refill or size * read_base(dice).total // 2 + 1
            return read_spec({"system": "deck", "base": dice, "size": size, "refill": least, "mode": mode})

        await self.make_of(interaction, name, read, memory)

    @app_commands.command()
    @app_commands.describe(name="What to call it; /roll takes the name", dice="Any dice, such as 1d20+5")
    async def dice(self, interaction: Interaction, name: Name, dice: DiceText) -> None:
        """Make a roller of plain dice: a name for a roll, without a memory."""
        await self.make(interaction, name, {"system": "dice", "base": dice}, Remembers.TABLE)

    async def make(self, interaction: Interaction, name: str, spec: dict[str, Json], memory: str) -> None:
        """Make a roller from its parameters, and tell everybody."""
        await self.make_of(interaction, name, lambda: read_spec(spec), memory)

    async def make_of(
        self, interaction: Interaction, name: str, read: Callable[[], System], memory: str
    ) -> None:
        """Make a roller of the system that `read` returns, and tell everybody."""
        made = await self.rollers.make_of(caller(interaction), name, read, Remembers(memory))
        if not interaction.response.is_done():
            await interaction.response.send_message(roller_made(*made))
            return
        # A file was fetched first, so the deferred answer is for the asker alone, as errors are.
        await interaction.followup.send("Done.")
        await interaction.followup.send(roller_made(*made))
