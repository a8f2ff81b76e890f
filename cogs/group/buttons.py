"""Buttons and forms of a group call's board."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from discord.ui import Label, TextInput

from bot.answers import DISCORD_ERRORS, OUT_OF_DATE, explain_refusal
from bot.campaign.call_commands import RollForNames, read_names
from bot.campaign.call_rolls import Answered, CallOver
from bot.campaign.calls import Standing
from bot.campaign.campaigns import Looks
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.dice.by_hand import read_thrown
from bot.dice.errors import SpecError, Unavailable, Unknown
from bot.dice.naming import UnknownName
from bot.services.calls import CallAnswer
from bot.services.characters import NO_NUMBERS, Numbers
from bot.words.cards import CardButton, text_card
from bot.words.languages import language, speaking
from bot.words.rolls import stands
from bot.words.saying import phrase, say
from bot.words.text import coins
from cogs.group import calling, words
from cogs.group.live import Live, mentions
from cogs.group.picture import boards
from cogs.kit.cards import edit, pictures_for, send
from cogs.kit.hands import show_hand
from cogs.kit.interactions import (
    BESIDE,
    EVENT,
    NUMBER,
    ButtonHandler,
    Field,
    Interaction,
    PersistentForm,
    caller,
    service_handler,
)
from cogs.kit.prompts import MOST, OWN_DICE_LABEL, WAY, OwnDiceForm, ask_for, options_in, take_numbers
from cogs.kit.replies import reply

_ADDED = phrase("+5 · adv · dis -1 · adv +1d4")


async def _take_hand(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Deal the presser their hand, if they have none of this call, and show it."""
    app, asker = interaction.client.app, caller(interaction)
    dealt = await app.calls.take_hand(asker, campaign_id, number)
    if dealt is None:
        await _answer(interaction, campaign_id, number)
        return
    if dealt:
        _changed(interaction, (campaign_id, number))
    await show_hand(interaction, await app.hands.hand(asker, campaign_id))


async def _roll_own(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Roll for a call with the presser's numbers; ask for missing ones in a form."""
    try:
        await _answer(interaction, campaign_id, number, asks=True)
    except UnknownName as unknown:
        form = OwnForm(campaign_id, number)
        _must_fit(unknown, MOST)
        bonus: TextInput[PersistentForm] = TextInput(
            custom_id="added", placeholder=say(_ADDED), max_length=100, required=False
        )
        ask_for(form, unknown, Label(text=say("+ bonus"), component=bonus))
        await form.show(interaction)


async def _ask_bonus(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Ask for a bonus, and for numbers of the presser that the call lacks."""
    await _ask_too(interaction, RollWithForm(campaign_id, number), MOST)


async def _ask_faces(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Ask for the faces of the presser's own dice, and for numbers of theirs that the call lacks."""
    await _ask_too(interaction, CallDiceForm(campaign_id, number), MOST - 1)


async def _ask_too(interaction: Interaction, form: PersistentForm, most: int) -> None:
    """Show a form if the call takes a roll of the presser, with fields for their numbers that it lacks.

    A form can open no other.
    """
    calls, asker, (campaign_id, number) = interaction.client.app.calls, caller(interaction), form.values
    try:
        async with _updating_at_end(interaction, (campaign_id, number)):
            unknown = await calls.unknown(asker, campaign_id, number)
    except Answered as answered:
        await _show(interaction, await calls.earlier(asker, campaign_id, answered))
        return
    if unknown:
        _must_fit(unknown, most)
        ask_for(form, unknown)
    await form.show(interaction)


def _must_fit(unknown: UnknownName, most: int) -> None:
    """Raise SpecError for more unknown numbers than a form has fields for."""
    if len(unknown.names) > most:
        raise SpecError(
            "I don't know your {names} yet. Set them first, such as `/me set:{first} 3`.",
            names=", ".join(unknown.names),
            first=unknown.names[0],
        )


async def _answer(
    interaction: Interaction,
    campaign_id: int,
    number: int,
    *,
    text: str = "",
    asks: bool = False,
    numbers: Numbers = NO_NUMBERS,
    thrown: tuple[int, ...] = (),
) -> None:
    """Roll for a call, or show the presser's earlier roll."""
    calls, at = interaction.client.app.calls, (campaign_id, number)
    async with _updating_at_end(interaction, at):
        pressed = await calls.answer(
            caller(interaction), *at, text, asks=asks, numbers=numbers, thrown=thrown
        )
    if not pressed.is_repeat:
        _changed(interaction, at)
    await _show(interaction, pressed)


async def _show(interaction: Interaction, pressed: CallAnswer) -> None:
    """Show the presser their roll for a call."""
    rolled = pressed.rolled.event
    own = rolled.visibility in {Visibility.SELF, Visibility.GM} and not pressed.terms.hold
    reveal = [CardButton("reveal", rolled.at)] if own else []
    with explain_refusal(stands(rolled)):
        await _edit_barred(interaction, (rolled.campaign_id, rolled.target or 0))
        await send(interaction, words.pressed(pressed, reveal, await pictures_for(interaction)), private=True)


def _changed(interaction: Interaction, at: tuple[int, int]) -> None:
    """Update the message of a call that the presser has changed."""
    message_id = interaction.message.id if interaction.message else None
    Live.of(interaction.client).changed(*at, message_id)


@asynccontextmanager
async def _updating_at_end(interaction: Interaction, at: tuple[int, int]) -> AsyncGenerator[None]:
    """Update the pressed message if the call is over: it still has its button, so it missed the end."""
    try:
        yield
    except CallOver:
        _changed(interaction, at)
        with suppress(*DISCORD_ERRORS, Unavailable):
            await _edit_barred(interaction, at)
        raise


async def _edit_barred(interaction: Interaction, at: tuple[int, int]) -> None:
    """Edit the pressed message of a call by the answer to the press, if the bot may not edit it itself."""
    live = Live.of(interaction.client)
    if interaction.message and (at in live.barred or not interaction.app_permissions.view_channel):
        standing = await interaction.client.app.calls.standing(*at, live.now())
        with speaking(language(standing.language)):
            await edit(interaction, boards(interaction.client, standing)[0])


async def _show_turn(interaction: Interaction, turned: tuple[Standing, bool]) -> None:
    """Show the player at turn on the board, and announce the turn if it was passed to them."""
    standing, moved = turned
    live = Live.of(interaction.client)
    with speaking(language(standing.language)):
        first, *rest = boards(interaction.client, standing)
        await edit(interaction, first)
    (live.changed if rest else live.overtaken)(*standing.call.event.at)
    if moved:
        await announce_turn(interaction, standing)


async def _show_turn_anew(interaction: Interaction, turned: tuple[Standing, bool]) -> None:
    """Announce the turn after the one whose message was pressed, and update the board."""
    standing, moved = turned
    if not moved:  # somebody else pressed too
        if standing.turn is None:  # a backup from before it began was restored
            raise Unknown(OUT_OF_DATE)
        await send(interaction, calling.at_turn(standing), private=True)
        return
    live, pressed = Live.of(interaction.client), interaction.message
    live.changed(*standing.call.event.at)
    await announce_turn(interaction, standing, pressed.id if pressed else None)


async def announce_turn(interaction: Interaction, standing: Standing, earlier_id: int | None = None) -> None:
    """Post whose turn it is, with the buttons that end it, in place of the message of the turn before.

    It notifies the player at turn, unless they passed the turn to themselves.
    """
    now = standing.at_turn
    called = [now.user_id] if now and now.user_id and now.user_id != interaction.user.id else []
    with speaking(language(standing.language)):
        card = text_card(calling.at_turn(standing), *words.turn_buttons(standing))
        message_id = await send(interaction, card, calls=mentions(called), looks=Looks.TEXT)
    turn_calls = Live.of(interaction.client).turn_calls
    await turn_calls.replace(standing, interaction.channel_id, message_id, earlier_id)


def _next_label(_campaign_id: int, _number: int, passed: int) -> str:
    return say("Next turn") if passed else say("Begin")


class OwnForm(PersistentForm, title="Your numbers", word="call-own", fields=EVENT):
    """Asks for the missing numbers of a call's dice and for a bonus, and rolls for it."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll, with the typed numbers if it asked for some."""
        numbers = await take_numbers(interaction, typed)
        await _answer(interaction, *self.values, text=typed["added"], asks=True, numbers=numbers)


class RollWithForm(OwnForm, title="+ bonus…", word="call-with", fields=EVENT, file=__file__):
    """Asks for a modifier of the roll."""


class CallDiceForm(OwnDiceForm, title=OWN_DICE_LABEL, word="call-own-dice", fields=EVENT, file=__file__):
    """Asks for the faces of a player's own dice, and for a bonus."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll, with the typed numbers if it asked for some."""
        added, thrown = typed["added"], read_thrown(coins(typed["thrown"]))
        numbers = await take_numbers(interaction, typed)
        await _answer(interaction, *self.values, text=added, asks=True, numbers=numbers, thrown=thrown)


async def roll_for_names(
    interaction: Interaction, dice: str, count: int, names: str, options: RollOptions
) -> None:
    """Roll for each of a game master's monsters, and reply."""
    command = RollForNames(dice, read_names(names, count), options=replace(options, called=True))
    rolling = interaction.client.app.rolling
    await reply(interaction, await rolling.roll_command(caller(interaction), command, paced=False))


async def _npc_as(interaction: Interaction, count: int, way: str, dice: str, names: str, label: str) -> None:
    """Roll the reading that was chosen for the monsters."""
    await roll_for_names(interaction, dice, count, names, options_in(way, label))


ROLL = ButtonHandler("call-roll", "Roll", _answer, *EVENT, style="primary")
ASK = ButtonHandler("call-ask", "Roll", _roll_own, *EVENT, style="primary")
MY_ROLL = ButtonHandler("call-mine", "My roll", _answer, *EVENT)
HAND = ButtonHandler("call-hand", "My hand", _take_hand, *EVENT, style="primary")
ROLL_WITH = ButtonHandler("call-with", "+ bonus…", _ask_bonus, *EVENT)
OWN_DICE = ButtonHandler("call-own-dice", OWN_DICE_LABEL, _ask_faces, *EVENT)
# The id holds the number of turns passed, so that two presses count as one.
_TURN = *EVENT, NUMBER
_next = service_handler(lambda app: app.leading.next, _show_turn)
_delay = service_handler(lambda app: app.leading.delay, _show_turn)
NEXT = ButtonHandler("call-next", _next_label, _next, *_TURN)
DELAY = ButtonHandler("call-delay", "Delay", _delay, *_TURN)
_next_anew = service_handler(lambda app: app.leading.next, _show_turn_anew)
_delay_anew = service_handler(lambda app: app.leading.delay, _show_turn_anew)
NEXT_ANEW = ButtonHandler("turn-next", _next_label, _next_anew, *_TURN, style="primary")
DELAY_ANEW = ButtonHandler("turn-delay", "Delay", _delay_anew, *_TURN)
_READING = NUMBER, WAY, Field(".+", name="dice"), BESIDE, BESIDE
NPC_AS = ButtonHandler("npc-as", "Roll {dice}", _npc_as, *_READING)
