"""The game master's private panel of a call, with its buttons, forms and lists."""

from collections.abc import Callable, Mapping
from functools import partial

import discord
from discord.ui import UserSelect, View

from bot.answers import OUT_OF_DATE
from bot.campaign.call_commands import (
    CancelCall,
    CloseCall,
    LeadCommand,
    ReopenCall,
    RevealCall,
    RollForNames,
    read_names,
)
from bot.campaign.calls import Standing
from bot.campaign.campaigns import Looks
from bot.campaign.replay import CallEntry
from bot.campaign.turns import entry_at
from bot.dice.errors import Unknown
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.languages import language, speaking
from bot.words.saying import say
from cogs.group import calling, words
from cogs.group.buttons import announce_turn
from cogs.group.entries import at_place, in_order
from cogs.group.live import Live, mentions
from cogs.group.picture import draw
from cogs.kit.cards import defer, edit, pictures_of, send
from cogs.kit.interactions import (
    EVENT,
    NUMBER,
    OPTIONS_LIMIT,
    ButtonHandler,
    ComponentHandler,
    Interaction,
    PersistentForm,
    Responder,
    caller,
    chosen_numbers,
    chosen_value,
    in_lists,
    service_handler,
)
from cogs.kit.replies import CALL_ID, display_names

_LISTS_LIMIT = 5
"""Discord's limit of lists under a message."""


async def show_panel(interaction: Interaction, standing: Standing, *, in_place: bool = False) -> None:
    """Send a game master the panel of a call, or edit the pressed one if `in_place`."""
    card, *further = words.panel(standing, pictures_of(interaction.client, standing.rules))
    # A choice replaces the called players, so the list must be able to show all of them.
    choosing = standing.is_open and standing.call.terms.named and len(standing.seats) <= OPTIONS_LIMIT
    lists = [_called_players(standing)] if choosing else []
    if in_place:
        await edit(interaction, card, *lists)
    else:
        await send(interaction, card, *lists, private=True)
    for more in further:
        await send(interaction, more, private=True)


def _looking(show: Responder[Standing]) -> Responder[int, int]:
    """Return a handler that shows something of a call if a game master pressed."""
    return service_handler(lambda app: app.leading.look, show)


async def _chart(interaction: Interaction, standing: Standing) -> None:
    """Send a check's chart to the presser."""
    if not words.chartable(standing):
        raise Unknown("There is no chart: that check goes on, or is hidden.")
    interaction.client.app.pace.figures(interaction.user.id)
    # Names are requested from Discord one by one, which can take longer than an answer may.
    await defer(interaction, private=True)
    file, described = await draw(interaction.client, interaction.guild, standing)
    await send(interaction, Card((described,), tone=Tone.QUIET), file=file, private=True)


def _leading(command: Callable[[int, int], LeadCommand]) -> Responder[int, int]:
    """Return a handler that runs a command on the call, and updates the panel."""
    return service_handler(
        lambda app: lambda asker, at, number: app.leading.lead(asker, command(at, number)), _show_again
    )


async def _ask_off(interaction: Interaction, standing: Standing) -> None:
    """Ask for confirmation before a call is cancelled, in place of the panel."""
    await edit(interaction, words.confirm_off(standing.call))


async def _show_again(interaction: Interaction, standing: Standing) -> None:
    """Update the board of a changed call, and the panel."""
    live = Live.of(interaction.client)
    live.changed(*standing.call.event.at)
    await show_panel(interaction, standing, in_place=True)
    live.plan()


async def _show_set_turn(interaction: Interaction, standing: Standing) -> None:
    """Update board and panel after a turn was given to somebody, and announce it as any other turn."""
    await _show_again(interaction, standing)
    await announce_turn(interaction, standing)


async def _show_out_or_in(interaction: Interaction, turned: tuple[Standing, bool]) -> None:
    """Update board and panel, and announce the turn if it passed on from who was taken out."""
    standing, passed_on = turned
    await _show_again(interaction, standing)
    if passed_on and standing.at_turn:
        await announce_turn(interaction, standing)


async def _ask_names(interaction: Interaction, standing: Standing) -> None:
    """Open the form for names of monsters."""
    await NamesForm.open(interaction, *standing.call.event.at, dice=standing.call.dice)


class NamesForm(PersistentForm, title="Add monsters", word="call-names", fields=EVENT, file=__file__):
    """Asks for names, and for the dice of each."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll for them."""
        app, asker = interaction.client.app, caller(interaction)
        command = RollForNames(typed["dice"], read_names(typed["names"]), *self.values)
        await app.rolling.roll_command(asker, command, paced=False)
        await _show_again(interaction, await app.leading.look(asker, *self.values))


async def _ask_place(interaction: Interaction, standing: Standing) -> None:
    """Let a game master choose an entry of the order to change."""
    order = standing.order[: _LISTS_LIMIT * OPTIONS_LIMIT]
    # Names are requested from Discord one by one.
    await interaction.response.defer()
    players = [entry.user_id for entry in order if entry.user_id is not None]
    names = await display_names(interaction.client, interaction.guild, players)
    options = {_place(entry): in_order(entry, names) for entry in order}
    at = standing.call.event.at
    lists = [
        _FURTHER.select(*at, first, options=part) if first else _PLACES.select(*at, options=part)
        for first, part in in_lists(options)
    ]
    await edit(interaction, text_card(say(words.CHOOSE_PLACE)), *lists)


async def _choose_place(interaction: Interaction, standing: Standing) -> None:
    """Show the chosen entry of the order with its buttons."""
    place = chosen_value(interaction)
    entry = next((entry for entry in standing.order if _place(entry) == place), None)
    if entry is None:
        raise Unknown(OUT_OF_DATE)
    out = standing.turn is not None and entry_at(entry) in standing.turn.out
    names = ("call-turn", "call-in" if out else "call-out", "call-note")
    buttons = [CardButton(name, (*standing.call.event.at, *entry_at(entry))) for name in names]
    await edit(interaction, text_card(at_place(standing, entry), *buttons))


def _place(entry: CallEntry) -> str:
    return ":".join(map(str, entry_at(entry)))


class NoteForm(PersistentForm, title="Note", word="call-note", fields=(*EVENT, *EVENT), file=__file__):
    """Asks for the note beside an entry of the order."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Set the note; an empty one removes it."""
        note = interaction.client.app.leading.note
        await _show_again(interaction, await note(caller(interaction), *self.values, text=typed["note"]))


def _called_players(standing: Standing) -> UserSelect[View]:
    """Return the list from which a game master chooses the called players, with the current ones chosen."""
    users = map(discord.Object, sorted(standing.seats))
    return UserSelect(
        custom_id=_PLAYERS.custom_id.write(*standing.call.event.at),
        placeholder=say("Who is called?"),
        max_values=OPTIONS_LIMIT,
        default_values=[*map(discord.SelectDefaultValue.from_user, users)],
    )


async def _choose_players(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Set the called players to the chosen ones, and notify the new ones."""
    leading = interaction.client.app.leading
    players = frozenset(chosen_numbers(interaction))
    standing, new = await leading.choose(caller(interaction), campaign_id, number, players)
    await _show_again(interaction, standing)
    if new:
        with speaking(language(standing.language)):
            called = calling.you_are_called(standing, new)
            await send(interaction, called, calls=mentions(new), looks=Looks.TEXT)


CHART = ButtonHandler("call-chart", "Chart", service_handler(lambda app: app.calls.look, _chart), *EVENT)
OPEN = ButtonHandler(CALL_ID.word, "GM…", _looking(show_panel), *CALL_ID.fields)
_roll_missing = service_handler(lambda app: app.leading.roll_for_missing, _show_again)
ROLL_MISSING = ButtonHandler("call-missing", "Roll for the missing", _roll_missing, *EVENT)
ADD_NAMES = ButtonHandler("call-names", "Add monsters…", _looking(_ask_names), *EVENT)
REVEAL_ALL = ButtonHandler("call-reveal", "Reveal", _leading(RevealCall), *EVENT)
CLOSE = ButtonHandler("call-close", "Close", _leading(CloseCall), *EVENT)
REOPEN = ButtonHandler("call-reopen", "Reopen", _leading(ReopenCall), *EVENT)
ASK_OFF = ButtonHandler("call-off", "Call it off…", _looking(_ask_off), *EVENT)
CANCEL = ButtonHandler("call-cancel", "Call it off", _leading(CancelCall), *EVENT, style="danger")
BACK = ButtonHandler("call-panel", "Back", _looking(partial(show_panel, in_place=True)), *EVENT)
ORDER = ButtonHandler("call-order", "Order…", _looking(_ask_place), *EVENT)
_set_turn = service_handler(lambda app: app.leading.set_turn, _show_set_turn)
_out_or_in = service_handler(lambda app: app.leading.take_out, _show_out_or_in)
SET_TURN = ButtonHandler("call-turn", "Set turn", _set_turn, *EVENT, *EVENT)
TAKE_OUT = ButtonHandler("call-out", "Take out", _out_or_in, *EVENT, *EVENT)
PUT_BACK = ButtonHandler("call-in", "Put back", _out_or_in, *EVENT, *EVENT)
NOTE = ButtonHandler("call-note", "Note…", NoteForm.open, *EVENT, *EVENT)
_choose_entry = _looking(_choose_place)


async def _choose_further(interaction: Interaction, campaign_id: int, number: int, _first: int) -> None:
    """Show the entry that was chosen from a further list."""
    await _choose_entry(interaction, campaign_id, number)


_PLACES = ComponentHandler("call-places", _choose_entry, *EVENT)
_FURTHER = ComponentHandler("call-places-on", _choose_further, *EVENT, NUMBER)
_PLAYERS = ComponentHandler("call-players", _choose_players, *EVENT)
