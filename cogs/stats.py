"""/stats: what was rolled against what is to be expected, as a chart and in words."""

import asyncio
import contextlib
from datetime import UTC, datetime
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.dice.errors import Unknown
from bot.render import stats as render
from bot.render.luck_charts import luck_chart
from bot.services.reports import Reports, Wanted
from bot.services.sessions import Sessions
from cogs.shared.asking import place

Name = app_commands.Range[str, 1, 64]


class StatsCog(commands.Cog, name="Stats"):
    """Numbers that calm."""

    def __init__(self, reports: Reports, sessions: Sessions) -> None:
        self._reports = reports
        self._sessions = sessions

    @app_commands.command()
    @app_commands.describe(
        player="Whose rolls: everybody's, unless you say so",
        roller="Which roller or die, such as d20: the one rolled most, unless you say so",
        session="Which evening: the whole campaign, unless you say so",
    )
    async def stats(
        self,
        interaction: discord.Interaction[Evenhand],
        player: discord.User | None = None,
        roller: Name | None = None,
        session: Name | None = None,
    ) -> None:
        """Show what was rolled here against what is to be expected."""
        user_id = player.id if player else None
        wanted = Wanted(user_id, roller, _number(session))
        report = await self._reports.report(place(interaction), wanted)
        # Only now: what is wrong with the question is told to the asker alone.
        await interaction.response.defer()
        text = render.report(
            report.name,
            report.luck,
            report.streak,
            (report.true, report.rolls),
            user_id=user_id,
            session=report.session,
            plainly=report.system.remembers and not report.own,
        )
        if not report.luck.enough:
            await interaction.followup.send(text)
            return
        heading = render.heading(report.name, report.session)
        chart = await asyncio.to_thread(luck_chart, heading, render.note(report.luck), report.luck)
        file = discord.File(BytesIO(chart.png), "stats.png", description=chart.alt)
        await interaction.followup.send(text, file=file)

    @stats.autocomplete("roller")
    async def suggest_roller(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """What was rolled here."""
        names = await self._reports.suggest(place(interaction), typed)
        return [app_commands.Choice(name=name, value=name) for name in names]

    @stats.autocomplete("session")
    async def suggest_session(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """The latest evenings."""
        choices: list[app_commands.Choice[str]] = []
        for session in await self._sessions.latest(place(interaction)):
            day = datetime.fromtimestamp(session.began, UTC).strftime("%d %b %Y, %H:%M UTC")
            name = f"#{session.start}: {day}{', going on' if session.end is None else ''}"
            choices.append(app_commands.Choice(name=name, value=str(session.start)))
        return [choice for choice in choices if typed.casefold() in choice.name.casefold()][:25]


def _number(session: str | None) -> int | None:
    if session is None:
        return None
    with contextlib.suppress(ValueError):
        return int(session.strip().removeprefix("#").partition(":")[0])
    raise Unknown("There is no such session. Choose one of those that are offered.")


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(StatsCog(bot.house.reports, bot.house.sessions))
