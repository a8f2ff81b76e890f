"""/deal: cards of a channel's decks, by name."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.events import Visibility
from bot.client import Evenhand
from bot.services.rollers import Rollers
from bot.services.rolling import Rolling
from cogs.shared.asking import VISIBILITIES, asked
from cogs.shared.telling import tell

Name = app_commands.Range[str, 1, 200]
Cards = app_commands.Range[int, 1, 20]


class DealCog(commands.Cog, name="Deal"):
    """Deal cards."""

    def __init__(self, rolling: Rolling, rollers: Rollers) -> None:
        self._rolling = rolling
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(
        deck="Which deck of this channel",
        cards="How many cards, or how many offers of several decks: 1 unless you say so",
        visibility="Who sees them: everybody, unless you or the campaign's settings say so",
        practice="From a fresh deck; the channel's own one keeps its cards",
    )
    @app_commands.choices(visibility=VISIBILITIES)
    async def deal(
        self,
        interaction: discord.Interaction[Evenhand],
        deck: Name,
        cards: Cards = 1,
        visibility: str | None = None,
        practice: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
    ) -> None:
        """Deal cards from a deck; several decks offer one card of each."""
        asking = asked(interaction, "", Visibility(visibility) if visibility else None)
        answer = await self._rolling.deal(asking, deck, cards, practice=practice)
        await tell(interaction, self._rolling, answer)

    @deal.autocomplete("deck")
    async def suggest(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """The channel's decks."""
        names = await self._rollers.suggest_decks(interaction.channel_id or 0, typed)
        return [app_commands.Choice(name=name, value=name) for name in names]


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(DealCog(bot.house.rolling, bot.house.rollers))
