"""/deal: deal cards from a campaign's decks."""

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.services.rollers import Rollers
from bot.services.rolling import Rolling
from cogs.kit.choices import VISIBILITIES, DiceText, choices, roll_options
from cogs.kit.context import Interaction, caller
from cogs.kit.replies import reply

Cards = app_commands.Range[int, 1, 20]


class DealCog(commands.Cog, name="Deal"):
    """Deal cards."""

    def __init__(self, rolling: Rolling, rollers: Rollers) -> None:
        self._rolling = rolling
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(
        deck="Which deck",
        cards="How many cards, or how many offers of several decks: 1 if left out",
        visibility="Who sees them: left out, what the campaign's settings say",
        practice="From a fresh deck; the campaign's own one keeps its cards",
    )
    @app_commands.choices(visibility=VISIBILITIES)
    async def deal(
        self,
        interaction: Interaction,
        deck: DiceText,
        cards: Cards = 1,
        visibility: str | None = None,
        practice: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
    ) -> None:
        """Deal cards from a deck; several decks offer one card of each."""
        options = roll_options(visibility=visibility, practice=practice)
        answer = await self._rolling.deal(caller(interaction), deck, cards, options)
        await reply(interaction, self._rolling, answer)

    @deal.autocomplete("deck")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest decks of the campaign."""
        return choices(await self._rollers.suggest_decks(caller(interaction), typed))


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(DealCog(bot.app.rolling, bot.app.rollers))
