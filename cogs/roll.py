"""/roll: plain dice and the channel's rollers, in the open or hidden, and once more at a press."""

from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.events import Asked, Visibility
from bot.client import Evenhand
from bot.dice.errors import NotationError
from bot.dice.names import clean
from bot.services.rolling import Answer, Rolling
from bot.services.saved import Saved
from cogs.shared.asking import VISIBILITIES, asked
from cogs.shared.telling import ROLL_BUTTONS, tell

Text = app_commands.Range[str, 1, 200]
Times = app_commands.Range[int, 1, 20]
Label = app_commands.Range[str, 1, 80]


class RollCog(commands.Cog, name="Roll"):
    """Roll dice."""

    def __init__(self, rolling: Rolling, saved: Saved) -> None:
        self._rolling = rolling
        self._saved = saved

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
        answer = await self._roll(asking, dice, times, practice=practice)
        await tell(interaction, self._rolling, answer)

    async def _roll(self, asking: Asked, dice: str, times: int, *, practice: bool) -> Answer:
        """What the text says: a roller, dice, or else a saved roll, which gives the label."""
        try:
            return await self._rolling.roll(asking, dice, times, practice=practice)
        except NotationError:
            saved = await self._saved.find(asking, dice)
            if saved is None:
                raise
        asking = replace(asking, label=asking.label or clean(dice))
        return await self._rolling.roll(asking, saved, times, practice=practice)

    @roll.autocomplete("dice")
    async def suggest(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """One's saved rolls and the channel's rollers first, then one's own recent rolls."""
        names = await self._saved.suggest(asked(interaction), typed)
        found = await self._rolling.suggest(interaction.channel_id or 0, interaction.user.id, typed)
        # What reads as dice stands first, for Enter takes the first one.
        begin = found[:1] if found and found[0] == typed.strip() else []
        texts = dict.fromkeys([*begin, *names, *found])
        return [app_commands.Choice(name=t, value=t) for t in texts][:25]


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the buttons that stand under every roll."""
    bot.add_dynamic_items(*ROLL_BUTTONS)
    await bot.add_cog(RollCog(bot.house.rolling, bot.house.saved))
