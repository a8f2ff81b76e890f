"""The private panel of a game master: buttons that lead a call, with rights checked at every press."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Self, TypeAlias, cast

import discord
from discord.ui import TextInput, UserSelect, View

from bot.campaign.call_rolls import read_names
from bot.campaign.call_terms import Form
from bot.campaign.caller import Caller
from bot.campaign.kinds import Visibility
from bot.campaign.standings import Standing
from bot.services.leading import Leading
from cogs.group import words
from cogs.group.live import Live
from cogs.kit.buttons import EVENT, CustomId, KeptButton, KindOfButton, row
from cogs.kit.context import Interaction, caller
from cogs.kit.forms import KeptForm
from cogs.kit.replies import CALL_ID

_Deed: TypeAlias = Callable[[Leading, Caller, int, int], Awaitable[Standing]]


def panel_view(standing: Standing) -> View:
    """Return what a game master can do with a call as it stands."""
    call = standing.call
    at = call.event.campaign_id, call.event.seq
    buttons: list[KeptButton] = []
    if standing.is_open and standing.missing:
        buttons.append(ROLL_MISSING(*at))
    if standing.is_open and call.terms.form is not Form.DEAL:
        buttons.append(ADD_NAMES(*at))
    if not call.shown and call.terms.visibility is not Visibility.SELF:
        buttons.append(REVEAL(*at))
    buttons.append(CLOSE(*at) if standing.is_open else REOPEN(*at))
    if not standing.cancelled:
        buttons.append(CANCEL(*at))
    view = row(*buttons)
    # A choice replaces who is called, so it must be able to show them all.
    if standing.is_open and call.terms.named and len(standing.seats) <= CHOSEN_LIMIT:
        view.add_item(called_players(standing))
    return view


async def _open(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Show the panel, to a game master alone."""
    standing = await interaction.client.app.leading.look(caller(interaction), campaign_id, number)
    await interaction.response.send_message(words.panel(standing), view=panel_view(standing), ephemeral=True)


def _doing(deed: _Deed) -> Callable[[Interaction, int, int], Awaitable[None]]:
    """Return the press that does something to a call and shows the panel again."""

    async def press(interaction: Interaction, campaign_id: int, number: int) -> None:
        standing = await deed(interaction.client.app.leading, caller(interaction), campaign_id, number)
        await _show_again(interaction, standing)

    return press


async def _show_again(interaction: Interaction, standing: Standing) -> None:
    event = standing.call.event
    live = Live.of(interaction.client)
    live.changed(event.campaign_id, event.seq)
    await interaction.response.edit_message(content=words.panel(standing), view=panel_view(standing))
    await live.plan()


async def _ask_names(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Ask a game master for whom they roll besides."""
    standing = await interaction.client.app.leading.look(caller(interaction), campaign_id, number)
    form = NamesForm(campaign_id, number)
    form.dice.default = standing.call.dice
    await form.show(interaction)


class NamesForm(KeptForm, title="Add monsters"):
    """Asks for names, and for the dice that are rolled for each."""

    form = CustomId("call-names", EVENT)

    names: TextInput[Self] = TextInput(
        label="Names", custom_id="names", placeholder="Goblin x3, Boss", max_length=400
    )
    dice: TextInput[Self] = TextInput(label="Dice for each", custom_id="dice", max_length=200)

    def __init__(self, campaign_id: int, number: int) -> None:
        super().__init__(campaign_id, number)
        self._at = campaign_id, number

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll for them."""
        leading, asking = interaction.client.app.leading, caller(interaction)
        await leading.add_names(asking, *self._at, typed["dice"], read_names(typed["names"]))
        await _show_again(interaction, await leading.look(asking, *self._at))


CALLED_PLAYERS = CustomId("call-players", EVENT)
CHOSEN_LIMIT = 25
"""Discord lets so many be chosen from a list of people."""


def called_players(standing: Standing) -> UserSelect[View]:
    """Return the list of people from which a game master chooses who is called; those who are, are chosen."""
    event = standing.call.event
    return UserSelect(
        custom_id=CALLED_PLAYERS.write(event.campaign_id, event.seq),
        placeholder="Who is called?",
        max_values=CHOSEN_LIMIT,
        default_values=[
            discord.SelectDefaultValue.from_user(discord.Object(n)) for n in sorted(standing.seats)
        ],
    )


async def choose_players(interaction: Interaction, custom_id: str) -> None:
    """Call those who were chosen from the list of that id, and tell those who were not called before."""
    at = CALLED_PLAYERS.read(custom_id)
    chosen = cast("Mapping[str, list[str]]", interaction.data).get("values")
    if at is None or chosen is None:
        return
    leading = interaction.client.app.leading
    campaign_id, number = at
    players = frozenset(map(int, chosen))
    standing, new = await leading.choose(caller(interaction), campaign_id, number, players)
    await _show_again(interaction, standing)
    if new:
        whom = discord.AllowedMentions(everyone=False, roles=False, users=[*map(discord.Object, new)])
        await interaction.followup.send(words.you_are_called(standing, new), allowed_mentions=whom)


OPEN = KindOfButton(CALL_ID.word, "GM …", _open, *CALL_ID.fields)
ROLL_MISSING = KindOfButton("call-missing", "Roll for the missing", _doing(Leading.roll_for_missing), *EVENT)
ADD_NAMES = KindOfButton("call-names", "Add monsters", _ask_names, *EVENT)
REVEAL = KindOfButton("call-reveal", "Reveal", _doing(Leading.reveal), *EVENT)
CLOSE = KindOfButton("call-close", "Close", _doing(Leading.close), *EVENT)
REOPEN = KindOfButton("call-reopen", "Reopen", _doing(Leading.reopen), *EVENT)
CANCEL = KindOfButton(
    "call-cancel", "Cancel", _doing(Leading.cancel), *EVENT, style=discord.ButtonStyle.danger
)
BUTTONS = (OPEN, ROLL_MISSING, ADD_NAMES, REVEAL, CLOSE, REOPEN, CANCEL)
