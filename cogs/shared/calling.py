"""The buttons under a call: everybody rolls, once; an initiative goes on; a game master has more."""

import re
from collections.abc import Mapping
from typing import Self

import discord
from discord.ui import Button, Item, TextInput, View
from discord.utils import MISSING

from bot.campaign.call_terms import Form
from bot.campaign.events import Visibility
from bot.campaign.standings import Standing
from bot.render import calls as render
from cogs.shared.asking import asked, person
from cogs.shared.leading import LEAD_BUTTONS, CallForm, Lead, Names
from cogs.shared.live import Live
from cogs.shared.pressing import EventButton, Press, PressButton, row
from cogs.shared.telling import RevealIt


def board_buttons(standing: Standing) -> View:
    """What goes with a call's message."""
    event, form = standing.call.event, standing.call.terms.form
    at = event.campaign_id, event.seq
    buttons: list[PressButton] = []
    if form is Form.DEAL:
        buttons.append(Hand(*at))
    elif not standing.cancelled:
        buttons += [RollCall(*at), RollWith(*at)] if standing.is_open else [MyRoll(*at)]
    buttons.append(Lead(*at))
    # What comes later comes last: a button that moves is pressed by mistake.
    if form is Form.INITIATIVE and standing.call.entries and not standing.cancelled:
        buttons.append(NextTurn(*at, standing.turn.passed if standing.turn else 0))
    return row(*buttons)


async def answer(interaction: Press, campaign_id: int, number: int, text: str = "") -> None:
    """Roll for a call, tell who pressed, and let the message fill in."""
    groups = interaction.client.house.groups
    pressed = await groups.answer(asked(interaction), person(interaction), campaign_id, number, text)
    if not pressed.again:
        message_id = interaction.message.id if interaction.message else None
        Live.of(interaction.client).changed(campaign_id, number, message_id)
    rolled = pressed.rolled.event
    own = rolled.visibility in {Visibility.SELF, Visibility.GM} and not pressed.terms.hold
    view = row(RevealIt(rolled.campaign_id, rolled.seq)) if own else MISSING
    await interaction.response.send_message(render.pressed(pressed), view=view, ephemeral=True)


class _Answer(EventButton, template="never"):
    """Rolls for the call, once; pressed again it shows that roll."""

    style = discord.ButtonStyle.primary

    async def press(self, interaction: Press) -> None:
        """Roll, or show what was rolled."""
        await answer(interaction, self.campaign_id, self.number)


class RollCall(_Answer, template=r"call-roll:(?P<campaign>\d+):(?P<number>\d+)"):
    """Rolls what is called for."""

    word = "call-roll"
    label = "Roll"


class MyRoll(_Answer, template=r"call-mine:(?P<campaign>\d+):(?P<number>\d+)"):
    """Shows one's own roll, once the call is over; who has none is told that it is closed."""

    word = "call-mine"
    label = "My roll"
    style = discord.ButtonStyle.secondary


class Hand(_Answer, template=r"call-hand:(?P<campaign>\d+):(?P<number>\d+)"):
    """Takes a hand of cards, or shows the one that was taken."""

    word = "call-hand"
    label = "My hand"


class RollWith(EventButton, template=r"call-with:(?P<campaign>\d+):(?P<number>\d+)"):
    """Asks what to roll with."""

    word = "call-with"
    label = "Roll with …"

    async def press(self, interaction: Press) -> None:
        """Show the form."""
        await With(self.campaign_id, self.number).show(interaction)


class With(CallForm, title="Roll with …"):
    """What is added to the roll."""

    word = "call-with"
    template = re.compile(r"call-with:(?P<campaign>\d+):(?P<number>\d+)")

    added: TextInput[Self] = TextInput(
        label="Modifier, adv or dis, or a saved roll",
        custom_id="added",
        placeholder="+5 · adv · dis -1 · adv +1d4",
        max_length=100,
    )

    async def send(self, interaction: Press, typed: Mapping[str, str]) -> None:
        """Roll."""
        await answer(interaction, self.campaign_id, self.number, typed["added"])


class NextTurn(PressButton, template=r"call-next:(?P<campaign>\d+):(?P<number>\d+):(?P<passed>\d+)"):
    """The next one's turn; its id says how often it had passed, so that two presses count as one."""

    def __init__(self, campaign_id: int, number: int, passed: int) -> None:
        label = "Next turn" if passed else "Begin"
        super().__init__(Button(label=label, custom_id=f"call-next:{campaign_id}:{number}:{passed}"))
        self.place = campaign_id, number, passed

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(int(match["campaign"]), int(match["number"]), int(match["passed"]))

    async def press(self, interaction: Press) -> None:
        """Pass the turn on."""
        standing = await interaction.client.house.groups.next(
            asked(interaction), person(interaction), *self.place
        )
        await interaction.response.edit_message(content=render.board(standing), view=board_buttons(standing))
        Live.of(interaction.client).overtaken(*self.place[:2])


CALL_BUTTONS = (RollCall, MyRoll, Hand, RollWith, NextTurn, *LEAD_BUTTONS)
"""Buttons that outlive a restart."""
CALL_FORMS = (With, Names)
"""Forms that do, too."""
