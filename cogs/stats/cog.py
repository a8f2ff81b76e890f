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
from bot.services.dice_questions import DiceQuestion, Wanted
from bot.stats.check_evenings import AccountReport
from bot.systems.typed import read_owners
from bot.words import doubts, recap
from bot.words import luck as words
from bot.words.cards import CardButton, Picture, text_card
from bot.words.hands import kept_in_hands
from bot.words.saying import say
from bot.words.text import footing
from cogs.kit.cards import defer, send
from cogs.kit.interactions import NAME, NUMBER, ButtonHandler, Field, Interaction, caller
from cogs.kit.options import CharacterName, RolledName, landed
from cogs.kit.replies import charted, display_names, drawn

Owners = app_commands.Range[str, 1, 300]
SessionName = app_commands.Range[str, 1, 64]


def _wanted(player: discord.User | None, roller: str | None, session: int | None = None) -> Wanted:
    """Return what is asked for; a person may be typed in the roller's place."""
    person, _ = landed(roller)
    return Wanted(player.id if player else person, None if person else roller, session)


class StatsCog(commands.Cog, name="Stats"):
    """Luck, and whether dice are rigged."""

    @app_commands.command()
    async def stats(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        roller: RolledName | None = None,
        session: SessionName | None = None,
        character: CharacterName = "",
        owners: Owners = "",
    ) -> None:
        """Show how lucky the rolls were.

        :param player: Whose rolls (everybody's)
        :param roller: Which roller or die, such as d20 (the one rolled most)
        :param session: Which session (the whole campaign)
        :param character: Only this character's rolls, of the newest 5,000 entries
        :param owners: Who gains from which results, such as Ann: 6, 8; Bob: 5, 9
        """
        wanted = _wanted(player, roller, _number(session))
        await _show(interaction, replace(wanted, character=character, owners=read_owners(owners)))

    @app_commands.command()
    async def rigged(
        self, interaction: Interaction, roller: RolledName | None = None, player: discord.User | None = None
    ) -> None:
        """Check whether dice are rigged, as often as you like.

        :param roller: Which roller or die, such as d20 (the one rolled most)
        :param player: Whose rolls (everybody's)
        """
        await _doubt(interaction, _wanted(player, roller), private=False)

    @stats.autocomplete("session")
    async def suggest_session(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the latest sessions."""
        found: list[app_commands.Choice[str]] = []
        for session in await interaction.client.app.sessions.latest(caller(interaction)):
            day = datetime.fromtimestamp(session.began, UTC).strftime("%Y-%m-%d %H:%M UTC")
            told = "#{number}: {day}, going on" if session.end is None else "#{number}: {day}"
            name = say(told, number=session.start, day=day)
            found.append(app_commands.Choice(name=name, value=str(session.start)))
        return [choice for choice in found if typed.casefold() in choice.name.casefold()][:25]


class SessionCog(commands.GroupCog, name="session", description="Begin or end an evening."):
    """Evenings."""

    @app_commands.command()
    async def start(self, interaction: Interaction) -> None:
        """Begin a session."""
        event = await interaction.client.app.sessions.start(caller(interaction))
        await send(interaction, lambda: text_card(recap.started(event.seq)))

    @app_commands.command()
    async def end(self, interaction: Interaction) -> None:
        """End the session, and look back at everybody's dice."""
        asker, app = caller(interaction), interaction.client.app
        campaign_id, session = await app.sessions.end(asker)
        await defer(interaction)
        evening = await app.sessions.look_back(campaign_id, session)
        checkpoint = await app.verifying.checkpoint(asker)
        kept = kept_in_hands(await app.hands.count(asker)).removeprefix("-# ")
        players = evening.players[: recap.PLAYERS_SHOWN]
        known = await display_names(
            interaction.client, interaction.guild, [player.user_id for player in players]
        )
        names = [
            known.get(player.user_id) or say("player {n}", n=n) for n, player in enumerate(players, start=1)
        ]
        picture = Picture("session.png", recap.ranks_alt(names, players))
        foot = "\n".join(filter(None, [kept, footing(checkpoint.line).removeprefix("-# ")]))
        card = recap.card(session, evening, picture, foot, CardButton("recap", (campaign_id, session.start)))
        if not players:
            await send(interaction, card)
            return
        title = say(recap.TITLE)
        file = await charted(interaction.client, picture, ranks_chart, title, names, players)
        await send(interaction, card, file=file)


async def _recall(interaction: Interaction, shown_in: int, start: int) -> None:
    """Tell whoever pressed each player's dice of an evening."""
    interaction.client.app.pace.figures(interaction.user.id)
    sessions = interaction.client.app.sessions
    campaign_id, session = await sessions.past(caller(interaction, shown_in), start)
    await interaction.response.defer(ephemeral=True, thinking=True)
    card = recap.details(session, await sessions.look_back(campaign_id, session))
    await send(interaction, card, private=True)


@app_commands.context_menu(name="Luck so far")
async def _luck_of(interaction: Interaction, player: discord.User) -> None:
    """Show what somebody rolled here, to whoever chose that in the person's menu."""
    await _show(interaction, Wanted(player.id), private=True)


async def _show(interaction: Interaction, wanted: Wanted, *, private: bool = False) -> None:
    # What is wrong with the question is told to the asker alone; nothing is worked out before the defer.
    reports = interaction.client.app.reports
    asked = await reports.questions.ask(caller(interaction), wanted)
    await defer(interaction, private=private)
    report = await reports.report(asked)
    doubt = CardButton("rigged", (asked.campaign_id, report.name, asked.user_id or 0))
    if isinstance(report, AccountReport):
        card = words.checks(report, asked.user_id, asked.character, doubt)
        await send(interaction, card, private=private)
        return
    report = words.in_words(report)
    heading = words.heading(report.name, report.session)
    picture = Picture("stats.png", words.luck_alt(heading, report.luck))
    more = _more(asked, report.name) if report.luck.enough else None
    card = words.card(report, asked.user_id, asked.character, picture, *([more] if more else []), doubt)
    if report.luck.enough and more is None:
        rest = replace(report, luck=replace(report.luck, gains=()))
        whole = words.details(rest, asked.user_id, asked.character)
        card = replace(card, blocks=(*card.blocks, *whole.blocks))
    if not report.luck.enough:
        await send(interaction, card, private=private)
        return
    file = await drawn(interaction, picture, luck_chart, heading, words.note(report), report.luck)
    await send(interaction, card, file=file, private=private)


def _more(asked: DiceQuestion, name: str) -> CardButton | None:
    """Return the button for the details of the same; None where it holds too much."""
    owners = ";".join(f"{owner}:{','.join(faces)}" for owner, faces in asked.owners)
    # A cleaned name has no @ in it.
    names = f"{name}@{asked.character}@{owners}"
    session = asked.session.start if asked.session else 0
    values = asked.campaign_id, asked.user_id or 0, session, names
    fits = MORE.custom_id.fits(*values) and read_owners(owners) == asked.owners
    return CardButton("stats", values) if fits else None


async def _details(interaction: Interaction, shown_in: int, user_id: int, session: int, names: str) -> None:
    """Tell whoever pressed all figures of the same dice; user 0 is everybody, session 0 the campaign."""
    interaction.client.app.pace.figures(interaction.user.id)
    reports = interaction.client.app.reports
    name, character, owners = names.split("@", 2)
    wanted = Wanted(user_id or None, name, session or None, character, read_owners(owners))
    asked = await reports.questions.ask(caller(interaction, shown_in), wanted)
    await interaction.response.defer(ephemeral=True, thinking=True)
    report = await reports.report(asked)
    if isinstance(report, AccountReport):
        card = words.checks(report, asked.user_id, asked.character)
    else:
        card = words.details(words.in_words(report), asked.user_id, asked.character)
    await send(interaction, card, private=True)


def _number(session: str | None) -> int | None:
    if session is None:
        return None
    with contextlib.suppress(ValueError):
        return int(session.strip().removeprefix("#").partition(":")[0])
    raise Unknown("There is no such session. Choose one from the list.")


async def _doubt(
    interaction: Interaction,
    wanted: Wanted,
    shown_in: int = 0,
    *,
    private: bool = True,
    details: bool = False,
) -> None:
    """Answer whether dice are rigged, or with all that there is to say."""
    app = interaction.client.app
    app.pace.figures(interaction.user.id)
    asked = await app.reports.questions.ask(caller(interaction, shown_in), wanted)
    await defer(interaction, private=private)
    found = await app.rigging.examine(asked)
    about = words.about(found.system, found.name, found.examined.dice, asked.user_id)
    more = CardButton("rigged-more", (asked.campaign_id, found.name, asked.user_id or 0))
    card = doubts.card(about, found.examined, more)
    if details:
        card = doubts.details(about, found.system, found.examined)
    await send(interaction, card, private=private)


async def _press(interaction: Interaction, shown_in: int, name: str, user_id: int) -> None:
    """Tell whoever pressed whether the dice of a /stats are rigged; user 0 is everybody."""
    await _doubt(interaction, Wanted(user_id or None, name or None), shown_in)


async def _press_more(interaction: Interaction, shown_in: int, name: str, user_id: int) -> None:
    """Tell whoever pressed what else there is to say of a suspicion."""
    await _doubt(interaction, Wanted(user_id or None, name or None), shown_in, details=True)


RIGGED = ButtonHandler("rigged", "Is it rigged?", _press, NUMBER, NAME, NUMBER)
RIGGED_MORE = ButtonHandler("rigged-more", "Details", _press_more, NUMBER, NAME, NUMBER)
MORE = ButtonHandler("stats", "Details", _details, NUMBER, NUMBER, NUMBER, Field("[^@]*@[^@]*@.*", str))
RECAP = ButtonHandler("recap", "Each player", _recall, NUMBER, NUMBER)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(StatsCog())
    await bot.add_cog(SessionCog())
    bot.tree.add_command(_luck_of)
