"""/roll: plain dice and the channel's rollers, in the open or hidden, and once more at a press."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.core.events import Visibility
from bot.services.rolling import Rolling
from cogs.shared.asking import VISIBILITIES, asked
from cogs.shared.telling import ROLL_BUTTONS, tell

Text = app_commands.Range[str, 1, 200]
Times = app_commands.Range[int, 1, 20]
Label = app_commands.Range[str, 1, 80]


class RollCog(commands.Cog, name="Roll"):
    """Roll dice."""

    def __init__(self, rolling: Rolling) -> None:
        self._rolling = rolling

    @app_commands.command()
    @app_commands.describe(
        dice="Dice such as 2d6+3 or 4d6kh3, or the name of a roller of this channel",
        times="How often; each roll gets its own result",
        label="What it is for",
        visibility="Who sees the result: everybody, unless you or the campaign's settings say so",
        practice="Plain dice, which no roller's memory counts",
    )
    @app_commands.choices(visibility=VISIBILITIES)
    async def roll(
        self,
        interaction: discord.Interaction[Evenhand],
        dice: Text,
        times: Times = 1,
        label: Label = "",
        visibility: str | None = None,
        practice: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
    ) -> None:
        """Roll dice, or one of this channel's rollers."""
        asking = asked(interaction, label, Visibility(visibility) if visibility else None)
        answer = await self._rolling.roll(asking, dice, times, practice=practice)
        await tell(interaction, self._rolling, answer)

    @roll.autocomplete("dice")
    async def suggest(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """The channel's rollers first, then one's own recent rolls."""
        texts = await self._rolling.suggest(interaction.channel_id or 0, interaction.user.id, typed)
        return [app_commands.Choice(name=text, value=text) for text in texts]


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the buttons that stand under every roll."""
    bot.add_dynamic_items(*ROLL_BUTTONS)
    await bot.add_cog(RollCog(bot.house.rolling))
