"""The buttons under a group call's message: roll, roll with a modifier, pass the turn, and the GM's panel."""

from collections.abc import Mapping
from typing import Self

import discord
from discord.ui import TextInput, View
from discord.utils import MISSING

from bot.campaign.call_terms import Form
from bot.campaign.kinds import Visibility
from bot.campaign.standings import Standing
from cogs.group import panel, words
from cogs.group.live import Live
from cogs.kit.buttons import EVENT, NUMBER, CustomId, KeptButton, KindOfButton, row
from cogs.kit.context import Interaction, caller
from cogs.kit.forms import KeptForm
from cogs.kit.replies import REVEAL, keyboard_button


def board_buttons(standing: Standing) -> View:
    """Return the buttons that suit a call as it stands."""
    event, form = standing.call.event, standing.call.terms.form
    at = event.campaign_id, event.seq
    buttons: list[KeptButton] = []
    if form is Form.DEAL:
        buttons.append(HAND(*at))
    elif not standing.cancelled:
        buttons += [ROLL(*at), ROLL_WITH(*at)] if standing.is_open else [MY_ROLL(*at)]
    buttons.append(panel.OPEN(*at))
    if form is not Form.DEAL and standing.is_open:
        buttons.append(keyboard_button())
    # What comes later comes last: a button that moves is pressed by mistake.
    if form is Form.INITIATIVE and standing.call.entries and not standing.cancelled:
        buttons.append(NEXT(*at, standing.turn.passed if standing.turn else 0))
    return row(*buttons)


async def _roll(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Roll for a call once, or show the roll that was made."""
    await _answer(interaction, campaign_id, number, "")


async def _answer(interaction: Interaction, campaign_id: int, number: int, text: str) -> None:
    answering = interaction.client.app.answering
    pressed = await answering.answer(caller(interaction), campaign_id, number, text)
    if not pressed.again:
        message_id = interaction.message.id if interaction.message else None
        Live.of(interaction.client).changed(campaign_id, number, message_id)
    rolled = pressed.rolled.event
    own = rolled.visibility in {Visibility.SELF, Visibility.GM} and not pressed.terms.hold
    view = row(REVEAL(rolled.campaign_id, rolled.seq)) if own else MISSING
    await interaction.response.send_message(words.pressed(pressed), view=view, ephemeral=True)


async def _ask_with(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Ask what to roll with."""
    await RollWithForm(campaign_id, number).show(interaction)


async def _next(interaction: Interaction, campaign_id: int, number: int, passed: int) -> None:
    """Pass the turn; the id says how often it had passed, so that two presses count as one."""
    leading = interaction.client.app.leading
    standing, moved = await leading.next(caller(interaction), campaign_id, number, passed)
    await interaction.response.edit_message(content=words.board(standing), view=board_buttons(standing))
    Live.of(interaction.client).overtaken(campaign_id, number)
    now = standing.at_turn.user_id if standing.at_turn else None
    if moved and now and now != interaction.user.id:
        whom = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(now)])
        await interaction.followup.send(words.your_turn(standing, now), allowed_mentions=whom)


def _next_label(_campaign_id: int, _number: int, passed: int) -> str:
    return "Next turn" if passed else "Begin"


class RollWithForm(KeptForm, title="Roll with …"):
    """Asks what is added to the roll."""

    form = CustomId("call-with", EVENT)

    added: TextInput[Self] = TextInput(
        label="Modifier, adv or dis, or a saved roll",
        custom_id="added",
        placeholder="+5 · adv · dis -1 · adv +1d4",
        max_length=100,
    )

    def __init__(self, campaign_id: int, number: int) -> None:
        super().__init__(campaign_id, number)
        self._at = campaign_id, number

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll."""
        await _answer(interaction, *self._at, typed["added"])


BLUE = discord.ButtonStyle.primary
ROLL = KindOfButton("call-roll", "Roll", _roll, *EVENT, style=BLUE)
MY_ROLL = KindOfButton("call-mine", "My roll", _roll, *EVENT)
HAND = KindOfButton("call-hand", "My hand", _roll, *EVENT, style=BLUE)
ROLL_WITH = KindOfButton("call-with", "Roll with …", _ask_with, *EVENT)
NEXT = KindOfButton("call-next", _next_label, _next, *EVENT, NUMBER)
BUTTONS = (ROLL, MY_ROLL, HAND, ROLL_WITH, NEXT, *panel.BUTTONS)
FORMS = (RollWithForm, panel.NamesForm)
