"""/group: a game master calls for rolls, everybody presses Roll, and one message fills in."""

import re
from collections.abc import Mapping
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import explain_refusal, with_reply_ids
from bot.campaign.call_commands import NAMES_LIMIT
from bot.campaign.call_terms import CARDS_LIMIT, NEEDED_LIMIT, Form, Rule, Terms
from bot.campaign.calls import Standing
from bot.campaign.campaigns import Looks, Remembers
from bot.campaign.kinds import Visibility
from bot.client import Evenhand
from bot.dice.errors import NotationError, SpecError, Unknown
from bot.dice.names import clean
from bot.parsing.suggestions import D20
from bot.parsing.texts import single_rolls
from bot.systems.checks import DC_LIMIT, read_degrees
from bot.words.cards import plain
from bot.words.languages import speaking
from bot.words.rolls import stands
from cogs.group import buttons, calling
from cogs.group.live import Live, called
from cogs.group.panel import show_panel
from cogs.group.picture import boards
from cogs.kit.cards import language_of_place, send
from cogs.kit.interactions import (
    BESIDE,
    NUMBER,
    ButtonHandler,
    Field,
    Interaction,
    PersistentForm,
    caller,
    lacks_here,
)
from cogs.kit.options import AccountName, AnyDice, DeckName, Label, Seen, offered, roll_options
from cogs.kit.prompts import offer_readings, way_of

PARTS = (buttons,)
"""Modules whose import registers their buttons."""
_NAMES = 400
Names = app_commands.Range[str, 1, _NAMES]
Players = app_commands.Range[str, 1, 3_000]
"""Room for a hundred mentions."""
Degrees = app_commands.Range[str, 1, 400]
Minutes = app_commands.Range[int, 1, 10_080]
RULES = offered(__file__, "rules", Rule)
MEMORIES = offered(__file__, "memories", Remembers)
HIDDEN = offered(__file__, "hidden", Visibility)
_MENTION = re.compile(rf"<@!?(?!0)({NUMBER.pattern})>")


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class GroupCog(commands.GroupCog, name="group", description="Roll with the whole table."):
    """Rolls of the whole table."""

    @app_commands.command()
    async def call(
        self,
        interaction: Interaction,
        check: Label | None = None,
        dice: AnyDice | None = None,
        dc: app_commands.Range[int, -DC_LIMIT, DC_LIMIT] | None = None,
        rule: app_commands.Transform[Rule, RULES] = Rule.EACH,
        players: Players = "",
        role: discord.Role | None = None,
        memory: app_commands.Transform[Remembers, MEMORIES] | None = None,
        hidden: app_commands.Transform[Visibility, HIDDEN] = Visibility.PUBLIC,
        hold: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
        under: bool | None = None,  # noqa: FBT001
        needed: app_commands.Range[int, 1, NEEDED_LIMIT] | None = None,
        minutes: Minutes | None = None,
        roller: AccountName = "",
        degrees: Degrees = "",
        choose: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Call for a check that everybody rolls with one press.

        :param check: Name the check, such as Stealth
        :param dice: What everybody rolls: 1d20, a roller, or a game's words
        :param dc: What the rolls must reach
        :param rule: How the rolls make one result (each for themselves)
        :param players: Mention the players (everybody)
        :param role: Call only this role
        :param choose: Pick the players from a list afterwards
        :param memory: Whose rolls the roller remembers (as the roller is set)
        :param hidden: Who sees the rolls until you reveal them
        :param hold: Show no result before all are in
        :param under: Pass at or under the DC
        :param roller: A luck account that counts the rolls
        :param degrees: Name degrees of success: critical miss, -9 miss, 0 pass, 10 critical pass
        :param needed: Successes that the rule 'enough successes' needs
        :param minutes: Minutes until the call closes, with a reminder before
        """
        if not [*interaction.namespace]:
            await _open_form(interaction)
            return
        if not (title := check or dice):
            raise SpecError("A call needs a check or dice. Or send `/group call` alone: a form opens.")
        if needed is not None and rule is not Rule.SUCCESSES:
            raise SpecError(
                "`needed` goes with the rule 'enough successes'. Take that rule, or leave `needed` out."
            )
        terms = Terms(
            Form.CHECK,
            dc,
            rule=rule,
            needed=needed or 1,
            role=_role_id(role),
            whose=memory,
            visibility=hidden,
            hold=hold,
            degrees=read_degrees(degrees),
            named=choose,
        )
        try:
            await open_call(interaction, terms, dice or title, title, players, minutes, roller, under=under)
        except NotationError as refused:
            if terms != Terms(dc=dc) or players or minutes or roller or under is not None:
                raise
            number, name = "" if dc is None else str(dc), clean(title)
            refused.readings = single_rolls(refused.readings)
            values = [(number, reading.text, name) for reading in refused.readings]
            await offer_readings(interaction, refused, CALL_AS.custom_id, values)

    @app_commands.command()
    async def deal(
        self,
        interaction: Interaction,
        deck: DeckName,
        cards: app_commands.Range[int, 1, CARDS_LIMIT] = 1,
        players: Players = "",
        role: discord.Role | None = None,
        choose: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Deal everybody a hand that only they see.

        :param deck: Which deck
        :param cards: Cards for each (1)
        :param players: Mention the players to deal to at once (everybody takes a hand)
        :param role: Only this role may take a hand
        :param choose: Pick the players from a list afterwards
        """
        terms = Terms(
            Form.DEAL,
            cards=cards,
            role=_role_id(role),
            whose=Remembers.TABLE,
            visibility=Visibility.SELF,
            named=choose,
        )
        await open_call(interaction, terms, deck, "Hand", players)

    @app_commands.command()
    async def initiative(
        self,
        interaction: Interaction,
        dice: AnyDice = "",
        players: Players = "",
        role: discord.Role | None = None,
        choose: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Call for initiative, and show whose turn it is.

        :param dice: What everybody rolls (1d20, or the game's usual dice)
        :param players: Mention the players (everybody)
        :param role: Call only this role
        :param choose: Pick the players from a list afterwards
        """
        terms = Terms(Form.INITIATIVE, role=_role_id(role), named=choose)
        await open_call(interaction, terms, dice, "Initiative", players)

    @app_commands.command()
    async def npc(
        self,
        interaction: Interaction,
        dice: AnyDice,
        count: app_commands.Range[int, 1, NAMES_LIMIT],
        names: Names = "",
        label: Label = "",
        visibility: Seen | None = None,
    ) -> None:
        """Roll for each of your monsters.

        :param dice: Dice such as 1d20+4, a roller, or a game's words
        :param count: How many roll
        :param names: One name for all, or each name: Orc, Wolf, Boss
        :param label: What it is for
        :param visibility: Who sees it (as the campaign's settings say)
        """
        comment = label or await interaction.client.app.saved.comment(caller(interaction), dice)
        options = roll_options(comment, visibility)
        try:
            await buttons.roll_for_names(interaction, dice, count, names, options)
        except NotationError as refused:
            refused.readings = single_rolls(refused.readings)
            rest = clean(names, _NAMES), options.label
            values = [(count, way_of(options), reading.text, *rest) for reading in refused.readings]
            await offer_readings(interaction, refused, buttons.NPC_AS.custom_id, values)

    @app_commands.command()
    async def show(
        self, interaction: Interaction, number: app_commands.Range[int, 1, 2**53 - 1] | None = None
    ) -> None:
        """Show a call's message again.

        :param number: The call's number (the newest call)
        """
        app, live = interaction.client.app, Live.of(interaction.client)
        standing = await app.leading.find(caller(interaction), number)
        stored = await app.calls.board(*standing.call.event.at, live.now())
        message_id = await _post(interaction, standing)
        if stored and message_id:
            channel_id, guild_id = interaction.channel_id or 0, interaction.guild_id
            place = interaction.client.get_partial_messageable(channel_id, guild_id=guild_id)
            earlier = [*filter(None, (stored[0].message_id, *stored[0].further))]
            url = place.get_partial_message(message_id).jump_url
            await live.retire(standing, stored[0].channel_id, earlier, url)


async def open_call(
    interaction: Interaction,
    terms: Terms,
    dice: str,
    name: str,
    players: str,
    minutes: int | None = None,
    account: str = "",
    *,
    under: bool | None = None,
) -> None:
    """Open a call, post its board, and warn its game master of missing permissions.

    Where `under` is None, the campaign's game decides whether low rolls pass.
    """
    app, asker = interaction.client.app, caller(interaction)
    await app.targets.ask_about_game(asker, dice)
    is_plain = not (under or account or terms.degrees) and terms.rule is Rule.EACH
    dc = terms.dc if is_plain else None
    if dc is not None and (aimed := await app.targets.aim(asker, dice, dc, takes_number=False)):
        dice, terms = aimed, replace(terms, dc=None)
    if under is None:
        under = terms.dc is not None and await app.targets.passes_low(asker, dice)
    standing = await app.leading.open(
        asker,
        replace(terms, under=under),
        dice,
        clean(name),
        account=account,
        seats=_read_mentions(players),
        seconds=None if minutes is None else minutes * 60,
    )
    if standing.call.deadline:
        Live.of(interaction.client).plan()
    await _post(interaction, standing)
    if terms.named:
        await show_panel(interaction, standing)
    if lacks := _lacks(interaction, reminds=minutes is not None):
        await send(interaction, calling.lacking(lacks), private=True)


async def _call_as(interaction: Interaction, dc: str, dice: str, title: str) -> None:
    """Open the call with the reading that was chosen."""
    await open_call(interaction, Terms(dc=int(dc) if dc else None), dice, title, "")


_READING = Field(r"(?:-?\d{1,6})?"), Field(".+", name="dice"), BESIDE
CALL_AS = ButtonHandler("call-as", "Call for {dice}", _call_as, *_READING)


class CallForm(PersistentForm, title="Call for a check", word="call-form", file=__file__):
    """Asks for the check, its dice, DC, players and rules; sending it opens the call."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Open the call. Raise SpecError if two choices exclude each other."""
        rest, dc = typed["rest"].split(), typed["dc"].strip()
        rules, hidden = ([value for value in rest if value in {*kind}] for kind in (Rule, Visibility))
        if len(rules) > 1 or len(hidden) > 1:
            raise SpecError("Choose one rule, and one way to hide the rolls.")
        try:
            number = int(dc) if dc else None
        except ValueError:
            raise SpecError("{dc!r} is no DC. Type a number, such as 15.", dc=dc) from None
        terms = Terms(
            Form.CHECK,
            number,
            rule=Rule(rules[0]) if rules else Rule.EACH,
            visibility=Visibility(hidden[0]) if hidden else Visibility.PUBLIC,
            hold="hold" in rest,
        )
        players = " ".join(f"<@{user_id}>" for user_id in typed["who"].split())
        under = True if "under" in rest else None
        dice = typed["dice"].strip() or typed["check"]
        await open_call(interaction, terms, dice, typed["check"], players, under=under)


async def _open_form(interaction: Interaction) -> None:
    """Ask for a call if the presser may call, with the usual dice of the game that is played.

    Raise Unknown where Discord offers no calls.
    """
    app, asker = interaction.client.app, caller(interaction)
    if asker.guild_id is None:
        raise Unknown("Calls need a server that I am on. `/buttons` puts up dice here too.")
    await app.campaigns.only_for_masters(asker)
    game = await app.games.current(asker)
    await CallForm.open(interaction, dice=game.usual if game else D20)


NEW_CALL = ButtonHandler("call-new", "Call for a roll…", _open_form)


async def _post(interaction: Interaction, standing: Standing) -> int | None:
    """Post a call's board in the channel, and store the id of its message; return it if it is known."""
    spoken = language_of_place(interaction, standing.rules)
    with explain_refusal(stands(standing.call.event, calling.STANDS)), speaking(spoken):
        message_id = await _show(interaction, standing)
    if message_id is not None:
        at = interaction.channel_id or 0, message_id, spoken.code if spoken else ""
        await interaction.client.app.calls.store_board(standing, *at)
        Live.of(interaction.client).put_up(standing)
    return message_id


async def _show(interaction: Interaction, standing: Standing) -> int | None:
    """Post the call's board; return the message's id, or None if Discord does not return it."""
    card, looks = boards(interaction.client, standing)[0], standing.rules.looks
    calls = called(standing) if standing.is_open and (standing.missing or standing.call.terms.role) else None
    rest = calling.also_called(standing, plain(card)) if standing.is_open else ""
    where: Interaction | discord.abc.Messageable = interaction
    try:
        with with_reply_ids():
            message_id = await send(interaction, card, calls=calls, looks=looks)
    except discord.NotFound:
        # Discord no longer accepts a reply. The call is open, so its board is posted without one, once.
        if (await interaction.client.app.leases.take(f"board for {interaction.id}"))[0]:
            return None
        where = interaction.client.get_partial_messageable(interaction.channel_id or 0)
        message_id = await send(where, card, calls=calls, looks=looks)
    if rest:
        await send(where, rest, calls=called(standing), looks=Looks.TEXT)
    return message_id


def _lacks(interaction: Interaction, *, reminds: bool) -> list[str]:
    """Return the permissions that the bot lacks to update the board and to remind players."""
    lacks = lacks_here(interaction)
    return lacks if reminds else lacks[: not interaction.app_permissions.view_channel]


def _role_id(role: discord.Role | None) -> int | None:
    """Return the called role's id; None for @everyone or no role."""
    return role.id if role and not role.is_default() else None


def _read_mentions(players: str) -> set[int]:
    """Return the mentioned users' ids. Raise SpecError for any other text."""
    user_ids = {int(number) for number in _MENTION.findall(players)}
    if _MENTION.sub("", players).strip(" ,;\n"):
        raise SpecError("Name players by mentioning them: type @ and choose each of them.")
    return user_ids


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(Live(bot))
    await bot.add_cog(GroupCog())
