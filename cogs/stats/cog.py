"""/stats, *Luck so far*, /rigged and /session: what was rolled against what is expected."""

import contextlib
from dataclasses import replace
from datetime import UTC, datetime

import discord
from discord import app_commands
from discord.ext import commands

from bot.charts.luck import luck_chart, ranks_chart
from bot.client import Evenhand
from bot.dice.errors import Unknown
from bot.services.dice_questions import Wanted
from bot.stats.reports import AccountReport
from bot.words import luck as words
from bot.words.cards import Picture
from bot.words.hands import kept_in_hands
from bot.words.text import footing
from cogs.kit.interactions import (
    CHARACTERS,
    NAME,
    NUMBER,
    ROLLED,
    Interaction,
    KindOfButton,
    Name,
    add_buttons,
    caller,
    landed,
    row,
)
from cogs.kit.replies import chart_file, display_names, drawn, send_with

RollerName = app_commands.Range[str, 1, 64]


def _wanted(player: discord.User | None, roller: str | None, session: int | None = None) -> Wanted:
    """Return what is asked for; a person may be typed in the roller's place."""
    person, _ = landed(roller)
    return Wanted(player.id if player else person, None if person else roller, session)


class StatsCog(commands.Cog, name="Stats"):
    """Show statistics of rolls."""

    @app_commands.command()
    @app_commands.autocomplete(roller=ROLLED, character=CHARACTERS)
    @app_commands.describe(
        player="Whose rolls (everybody's)",
        roller="Which roller or die, such as d20 (the one rolled most)",
        session="Which session (the whole campaign)",
        character="Only this character's rolls, of the newest 5,000 entries",
    )
    async def stats(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        roller: RollerName | None = None,
        session: RollerName | None = None,
        character: Name = "",
    ) -> None:
        """Show how lucky the rolls were."""
        wanted = _wanted(player, roller, _number(session))
        await _show(interaction, replace(wanted, character=character))

    @app_commands.command()
    @app_commands.autocomplete(roller=ROLLED)
    @app_commands.describe(
        roller="Which roller or die, such as d20 (the one rolled most)",
        player="Whose rolls (everybody's)",
    )
    async def rigged(
        self, interaction: Interaction, roller: RollerName | None = None, player: discord.User | None = None
    ) -> None:
        """Check whether dice are rigged, as often as you like."""
        await _doubt(interaction, _wanted(player, roller), private=False)

    @stats.autocomplete("session")
    async def suggest_session(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the latest sessions."""
        found: list[app_commands.Choice[str]] = []
        for session in await interaction.client.app.sessions.latest(caller(interaction)):
            day = datetime.fromtimestamp(session.began, UTC).strftime("%d %b %Y, %H:%M UTC")
            name = f"#{session.start}: {day}{', going on' if session.end is None else ''}"
            found.append(app_commands.Choice(name=name, value=str(session.start)))
        return [choice for choice in found if typed.casefold() in choice.name.casefold()][:25]


class SessionCog(commands.GroupCog, name="session", description="Begin or end an evening."):
    """Mark an evening, and look back on it."""

    @app_commands.command()
    async def start(self, interaction: Interaction) -> None:
        """Begin a session."""
        event = await interaction.client.app.sessions.start(caller(interaction))
        await interaction.response.send_message(words.started(event.seq))

    @app_commands.command()
    async def end(self, interaction: Interaction) -> None:
        """End the session, and look back at everybody's dice."""
        asking = caller(interaction)
        campaign_id, session = await interaction.client.app.sessions.end(asking)
        await interaction.response.defer()
        evening = await interaction.client.app.sessions.look_back(campaign_id, session)
        checkpoint = await interaction.client.app.verifying.checkpoint(asking)
        kept = kept_in_hands(await interaction.client.app.hands.count(asking))
        text = "\n".join(filter(None, [words.recap(session, evening), kept, footing(checkpoint.line)]))
        if not evening.players:
            await interaction.followup.send(text)
            return
        players = evening.players[: words.PLAYERS_SHOWN]
        known = await display_names(
            interaction.client, interaction.guild, [player.user_id for player in players]
        )
        names = [known.get(player.user_id, f"player {n}") for n, player in enumerate(players, start=1)]
        png = await interaction.client.app.drawing.do(ranks_chart, words.RECAP_TITLE, names, players)
        file = chart_file(png, "session.png", words.ranks_alt(names, players))
        await send_with(interaction.followup.send, text, file)


@app_commands.context_menu(name="Luck so far")
async def _luck_of(interaction: Interaction, player: discord.User) -> None:
    """Show what somebody rolled here, to whoever chose that in the person's menu."""
    await _show(interaction, Wanted(player.id), private=True)


async def _show(interaction: Interaction, wanted: Wanted, *, private: bool = False) -> None:
    # What is wrong with the question is told to the asker alone; nothing is worked out before the defer.
    reports = interaction.client.app.reports
    asked = await reports.asking.ask(caller(interaction), wanted)
    await interaction.response.defer(ephemeral=private, thinking=True)
    report = await reports.report(asked)
    text = words.report(report, asked.user_id, asked.character)
    doubt = row(RIGGED(report.name, asked.user_id or 0))
    if isinstance(report, AccountReport) or not report.luck.enough:
        await interaction.followup.send(text, view=doubt, ephemeral=private)
        return
    heading = words.heading(report.name, report.session)
    alt, note = words.luck_alt(heading, report.luck), words.note(report)
    file = await drawn(interaction, Picture("stats.png", alt), luck_chart, heading, note, report.luck)
    await send_with(interaction.followup.send, text, file, view=doubt, ephemeral=private)


def _number(session: str | None) -> int | None:
    if session is None:
        return None
    with contextlib.suppress(ValueError):
        return int(session.strip().removeprefix("#").partition(":")[0])
    raise Unknown("There is no such session. Choose one from the list.")


async def _doubt(interaction: Interaction, wanted: Wanted, *, private: bool) -> None:
    """Answer whether dice are rigged."""
    interaction.client.app.pace.figures(interaction.user.id)
    app = interaction.client.app
    asked = await app.reports.asking.ask(caller(interaction), wanted)
    await interaction.response.defer(ephemeral=private, thinking=True)
    found = await app.rigging.examine(asked)
    first = words.about(found.system, found.name, found.examined.dice, asked.user_id, None)
    lines = [first, *words.verdict(found.system, found.examined)]
    await interaction.followup.send("\n".join([*lines, words.COUNTED]), ephemeral=private)


async def _press(interaction: Interaction, name: str, user_id: int) -> None:
    """Tell whoever pressed whether the dice of a /stats are rigged; user 0 is everybody."""
    await _doubt(interaction, Wanted(user_id or None, name), private=True)


RIGGED = KindOfButton("rigged", "Is it rigged?", _press, NAME, NUMBER)


async def setup(bot: Evenhand) -> None:
    """Add the cogs, the menu of people, and the button."""
    add_buttons(bot, RIGGED)
    await bot.add_cog(StatsCog())
    bot.tree.add_command(_luck_of)
    await bot.add_cog(SessionCog())
