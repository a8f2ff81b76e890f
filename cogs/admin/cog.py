"""/admin: a campaign's settings, resets of its rollers, and deleting a server's data."""

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.campaign.rules import LONGEST_RETENTION, PACE_LIMIT, Whose
from bot.campaign.visibility import Visibility
from bot.client import Evenhand
from bot.services.administration import Administration
from bot.services.privacy import Privacy
from bot.services.resets import Aim, Resets, Scope
from cogs.admin import words
from cogs.admin.buttons import ASK_WHY, BUTTONS, DELETE, ResetForm
from cogs.kit.buttons import add_buttons, row
from cogs.kit.context import Interaction, Name, caller
from cogs.kit.forms import receive

VISIBILITIES = [
    app_commands.Choice(name="public: everybody", value=Visibility.PUBLIC),
    app_commands.Choice(name="self: only the player who rolled", value=Visibility.SELF),
    app_commands.Choice(name="gm: the player who rolled and the game masters", value=Visibility.GM),
    app_commands.Choice(name="blind: only the game masters", value=Visibility.BLIND),
]
WHOSE = [
    app_commands.Choice(name="only game masters", value=Whose.GMS),
    app_commands.Choice(name="everybody", value=Whose.EVERYONE),
]
SCOPES = [
    app_commands.Choice(name="one roller", value=Scope.ROLLER),
    app_commands.Choice(name="all rollers of the campaign", value=Scope.CAMPAIGN),
]


class AdminCog(commands.GroupCog, name="admin", description="Settings of this campaign."):
    """Settings of a campaign, and what only those who lead it may do."""

    def __init__(self, administration: Administration, resets: Resets, privacy: Privacy) -> None:
        self._administration = administration
        self._resets = resets
        self._privacy = privacy

    @app_commands.command()
    @app_commands.describe(
        visibility="Who sees a roll that does not say so itself",
        makers="Who may make rollers",
        odds="Who may see the odds of the next roll",
        called_only="Count only rolls that a game master called for in memories; others are practice",
        pace="How many rolls a player has in five seconds; 0 is the bot's own limit",
        retention="For how many days the history is kept, 30 to 3,650; 0 is as long as possible",
        faces="Draw dice in results, where the bot has pictures of them; else they are text",
    )
    @app_commands.choices(visibility=VISIBILITIES, makers=WHOSE, odds=WHOSE)
    async def settings(
        self,
        interaction: Interaction,
        visibility: str | None = None,
        makers: str | None = None,
        odds: str | None = None,
        called_only: bool | None = None,  # noqa: FBT001 (an option of the command)
        pace: app_commands.Range[int, 0, PACE_LIMIT] | None = None,
        retention: app_commands.Range[int, 0, LONGEST_RETENTION] | None = None,
        faces: bool | None = None,  # noqa: FBT001 (an option of the command)
    ) -> None:
        """Show the campaign's settings, or change the ones you fill in."""
        rules = before = await self._administration.rules(caller(interaction))
        if visibility:
            rules = replace(rules, visibility=Visibility(visibility))
        if makers:
            rules = replace(rules, makers=Whose(makers))
        if odds:
            rules = replace(rules, odds=Whose(odds))
        if called_only is not None:
            rules = replace(rules, called_only=called_only)
        if pace is not None:
            rules = replace(rules, pace=pace)
        if retention is not None:
            rules = replace(rules, retention=retention)
        if faces is not None:
            rules = replace(rules, faces=faces)
        limit = self._administration.retention
        if rules == before:
            await interaction.response.send_message(words.settings(rules, limit), ephemeral=True)
            return
        event = await self._administration.set_rules(caller(interaction), rules)
        await interaction.response.send_message(words.settings_changed(event, before, rules, limit))

    @app_commands.command()
    @app_commands.describe(scope="What to reset", roller="Which roller, if it is only one")
    @app_commands.choices(scope=SCOPES)
    async def reset(self, interaction: Interaction, scope: str, roller: Name = "") -> None:
        """Make rollers forget everything; you are asked to confirm, and why."""
        aim = Aim(Scope(scope), roller)
        rollers = await self._resets.aimed(caller(interaction), aim)
        await interaction.response.send_message(
            words.confirm_reset(rollers, aim.scope), view=row(ASK_WHY(aim.scope, aim.name)), ephemeral=True
        )

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Take the form that asks why."""
        await receive(interaction, ResetForm)

    @app_commands.command()
    async def data(self, interaction: Interaction) -> None:
        """Delete everything stored for this server; you are asked to confirm."""
        campaigns, events = await self._privacy.size(caller(interaction))
        text = words.confirm_delete(campaigns, events)
        await interaction.response.send_message(text, view=row(DELETE()), ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the buttons of a reset and of a deletion."""
    add_buttons(bot, *BUTTONS)
    await bot.add_cog(AdminCog(bot.app.administration, bot.app.resets, bot.app.privacy))
