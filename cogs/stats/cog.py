"""/stats, *Luck so far*, /rigged and /session: observed rolls against expected ones."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.histories import Session
from bot.charts.luck import luck_chart, ranks_chart
from bot.client import Evenhand
from bot.dice.errors import Unknown
from bot.services.dice_questions import DiceQuestion, StatsQuery
from bot.stats.check_evenings import AccountReport
from bot.systems.typed import read_owners
from bot.words import doubts, recap
from bot.words import luck as words
from bot.words.cards import CardButton, Picture, text_card
from bot.words.hands import kept_in_hands
from bot.words.saying import say
from bot.words.text import footing
from cogs.kit.cards import defer, send
from cogs.kit.interactions import (
    BESIDE,
    NAME,
    NUMBER,
    OPTIONS_LIMIT,
    ButtonHandler,
    Field,
    Interaction,
    caller,
)
from cogs.kit.options import CharacterName, RolledName, must_be_once, read_reference
from cogs.kit.replies import charted, display_names, drawn

Owners = app_commands.Range[str, 1, 300]
SessionName = app_commands.Range[str, 1, 64]


def _query(player: discord.User | None, roller: str | None, session: int | None = None) -> StatsQuery:
    """Return the query of a command's options; a user may be mentioned as the roller."""
    person, _ = read_reference(roller)
    must_be_once(player, person)
    return StatsQuery(player.id if player else person, None if person else roller, session)


async def _suggest_sessions(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest the latest sessions."""
    choices: list[app_commands.Choice[str]] = []
    for session in await interaction.client.app.sessions.latest(caller(interaction)):
        day = datetime.fromtimestamp(session.began, UTC).strftime("%Y-%m-%d %H:%M UTC")
        template = "#{number}: {day}, going on" if session.end is None else "#{number}: {day}"
        name = say(template, number=session.start, day=day)
        if typed.casefold() in name.casefold():
            choices.append(app_commands.Choice(name=name, value=str(session.start)))
    return choices[:OPTIONS_LIMIT]


class StatsCog(commands.Cog, name="Stats"):
    """Luck, and tests for rigged dice."""

    @app_commands.command()
    @app_commands.autocomplete(session=_suggest_sessions)
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
        query = _query(player, roller, _number(session))
        await _show(interaction, replace(query, character=character, owners=read_owners(owners)))

    @app_commands.command()
    async def rigged(
        self, interaction: Interaction, roller: RolledName | None = None, player: discord.User | None = None
    ) -> None:
        """Check whether dice are rigged, as often as you like.

        :param roller: Which roller or die, such as d20 (the one rolled most)
        :param player: Whose rolls (everybody's)
        """
        await _show_verdict(interaction, _query(player, roller), private=False)


class SessionCog(
    commands.GroupCog, name="session", description="Begin or end an evening, or look back at one."
):
    """Evenings."""

    @app_commands.command()
    async def start(self, interaction: Interaction) -> None:
        """Begin a session."""
        event, forgotten = await interaction.client.app.sessions.start(caller(interaction))
        await send(interaction, lambda: text_card(recap.started(event.seq, forgotten)))

    @app_commands.command()
    async def end(self, interaction: Interaction) -> None:
        """End the session, and look back at everybody's dice."""
        asker, app = caller(interaction), interaction.client.app
        campaign_id, ended = await app.sessions.end(asker)
        await defer(interaction)
        await _look_back(interaction, campaign_id, ended, kept_in_hands(await app.hands.count(asker)))

    @app_commands.command()
    @app_commands.autocomplete(session=_suggest_sessions)
    async def show(self, interaction: Interaction, session: SessionName | None = None) -> None:
        """Look back at everybody's dice of a session, as often as you like.

        :param session: Which session (the latest)
        """
        asker, app = caller(interaction), interaction.client.app
        app.pace.figures(asker.user_id)
        campaign_id, past = await app.sessions.past(asker, _number(session))
        await defer(interaction)
        await _look_back(interaction, campaign_id, past)


async def _look_back(interaction: Interaction, campaign_id: int, session: Session, note: str = "") -> None:
    """Send the summary of a session, with a note at its end, and the chart of everybody's dice."""
    app = interaction.client.app
    evening = await app.sessions.look_back(campaign_id, session)
    checkpoint = await app.verifying.checkpoint(caller(interaction))
    players = recap.pictured(evening.players)
    user_ids = [player.user_id for player in players]
    known_names = await display_names(interaction.client, interaction.guild, user_ids)
    names = [known_names.get(own) or say("player {n}", n=n) for n, own in enumerate(user_ids, start=1)]
    picture = Picture("session.png", recap.ranks_alt(names, players))
    foot = "\n".join(line.removeprefix("-# ") for line in (note, footing(checkpoint.line)) if line)
    card = recap.card(session, evening, picture, foot, CardButton("recap", (campaign_id, session.start)))
    if not players:
        await send(interaction, card)
        return
    title = say(recap.TITLE)
    file = await charted(interaction.client, picture, ranks_chart, title, names, players)
    await send(interaction, card, file=file)


async def _recall(interaction: Interaction, shown_in: int, start: int) -> None:
    """Send each player's dice of an evening to the presser."""
    interaction.client.app.pace.figures(interaction.user.id)
    sessions = interaction.client.app.sessions
    campaign_id, session = await sessions.past(caller(interaction, shown_in), start)
    await interaction.response.defer(ephemeral=True, thinking=True)
    card = recap.details(session, await sessions.look_back(campaign_id, session))
    await send(interaction, card, private=True)


@app_commands.context_menu(name="Luck so far")
async def _luck_of(interaction: Interaction, player: discord.User) -> None:
    """Show a player's luck in private, from the menu of the user."""
    await _show(interaction, StatsQuery(player.id), private=True)


async def _show(interaction: Interaction, query: StatsQuery, *, private: bool = False) -> None:
    # Errors in the question are private, so they are raised before the public deferral.
    reports = interaction.client.app.reports
    question = await reports.questions.ask(caller(interaction), query)
    await defer(interaction, private=private)
    report = await reports.report(question)
    subject = words.Whose(question.user_id, question.character)
    doubt = CardButton("rigged", (question.campaign_id, report.name, question.user_id or 0))
    if isinstance(report, AccountReport):
        await send(interaction, words.checks(report, subject, doubt), private=private)
        return
    report = words.in_words(report)
    heading = words.heading(report.name, report.session)
    picture = Picture("stats.png", words.luck_alt(heading, report.luck))
    if not report.luck.enough:
        await send(interaction, words.card(report, subject, picture, doubt), private=private)
        return
    more = _more(question, report.name)
    card = words.card(report, subject, picture, *([more] if more else []), doubt)
    if more is None:
        rest = replace(report, luck=replace(report.luck, gains=()))
        card = replace(card, blocks=(*card.blocks, *words.details(rest, subject).blocks))
    file = await drawn(interaction, picture, luck_chart, heading, words.note(report), report.luck)
    await send(interaction, card, file=file, private=private)


def _more(question: DiceQuestion, name: str) -> CardButton | None:
    """Return the button for the details of the question, or None if it does not fit into an id."""
    owners = ";".join(f"{owner}:{','.join(faces)}" for owner, faces in question.owners)
    session = question.session.start if question.session else 0
    # A cleaned name has no @ in it.
    values = question.campaign_id, question.user_id or 0, session, name, question.character, owners
    fits = MORE.custom_id.fits(*values) and read_owners(owners) == question.owners
    return CardButton("stats", values) if fits else None


async def _details(
    interaction: Interaction,
    shown_in: int,
    user_id: int,
    session: int,
    name: str,
    character: str,
    owners: str,
) -> None:
    """Send all figures of the dice to the presser; user 0 is everybody, session 0 the campaign."""
    interaction.client.app.pace.figures(interaction.user.id)
    reports = interaction.client.app.reports
    query = StatsQuery(user_id or None, name, session or None, character, read_owners(owners))
    question = await reports.questions.ask(caller(interaction, shown_in), query)
    await interaction.response.defer(ephemeral=True, thinking=True)
    report, subject = await reports.report(question), words.Whose(question.user_id, question.character)
    is_account = isinstance(report, AccountReport)
    card = words.checks(report, subject) if is_account else words.details(words.in_words(report), subject)
    await send(interaction, card, private=True)


def _number(session: str | None) -> int | None:
    try:
        return None if session is None else int(session.strip().removeprefix("#").partition(":")[0])
    except ValueError:
        raise Unknown("There is no such session. Choose one from the list.") from None


async def _show_verdict(
    interaction: Interaction,
    query: StatsQuery,
    shown_in: int = 0,
    *,
    private: bool = True,
    details: bool = False,
) -> None:
    """Send the verdict whether dice are rigged, or all its details."""
    app = interaction.client.app
    app.pace.figures(interaction.user.id)
    question = await app.reports.questions.ask(caller(interaction, shown_in), query)
    await defer(interaction, private=private)
    die, examined = await app.rigging.examine(question)
    about = words.about(die.system, die.name, examined.dice, words.Whose(question.user_id))
    more = CardButton("rigged-more", (question.campaign_id, die.name, question.user_id or 0))
    card = doubts.card(about, examined, more)
    if details:
        card = doubts.details(about, die.system, examined)
    await send(interaction, card, private=private)


async def _press(
    interaction: Interaction, shown_in: int, name: str, user_id: int, *, details: bool = False
) -> None:
    """Send the verdict on dice, or its details, to the presser; user 0 is everybody."""
    await _show_verdict(interaction, StatsQuery(user_id or None, name or None), shown_in, details=details)


_FIELDS = NUMBER, NAME, NUMBER
RIGGED = ButtonHandler("rigged", "Is it rigged?", _press, *_FIELDS)
RIGGED_MORE = ButtonHandler("rigged-more", "Details", partial(_press, details=True), *_FIELDS)
_NAMES = Field("[^@]*"), BESIDE, BESIDE
MORE = ButtonHandler("stats", "Details", _details, NUMBER, NUMBER, NUMBER, *_NAMES)
RECAP = ButtonHandler("recap", "Each player", _recall, NUMBER, NUMBER)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(StatsCog())
    await bot.add_cog(SessionCog())
    bot.tree.add_command(_luck_of)
