"""What a game master does with a call: buttons that only they are shown, checked again at every press."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar, Self

import discord
from discord.ui import TextInput, View

from bot.campaign.call_names import read_names
from bot.campaign.call_terms import Form
from bot.campaign.events import Asked, Visibility
from bot.campaign.standings import Standing
from bot.render.leading import panel
from bot.services.access import Person
from bot.services.groups import Groups
from cogs.shared.asking import asked, person
from cogs.shared.forms import KeptForm
from cogs.shared.live import Live
from cogs.shared.pressing import EventButton, Press, PressButton, row


class CallForm(KeptForm, title="Form"):
    """A form about a call; its id is its word, the campaign and the call's number."""

    word = ""

    def __init__(self, campaign_id: int, number: int) -> None:
        super().__init__(custom_id=f"{self.word}:{campaign_id}:{number}")
        self.campaign_id = campaign_id
        self.number = number

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The form as its id names it."""
        return cls(int(match["campaign"]), int(match["number"]))


class Lead(EventButton, template=r"call-lead:(?P<campaign>\d+):(?P<number>\d+)"):
    """What a game master can do with a call."""

    word = "call-lead"
    label = "GM …"

    async def press(self, interaction: Press) -> None:
        """Show the buttons for it, to a game master alone."""
        groups = interaction.client.house.groups
        standing = await groups.look(asked(interaction), person(interaction), self.campaign_id, self.number)
        view = _lead_buttons(standing)
        await interaction.response.send_message(panel(standing), view=view, ephemeral=True)


def _lead_buttons(standing: Standing) -> View:
    call = standing.call
    at = call.event.campaign_id, call.event.seq
    buttons: list[PressButton] = []
    if standing.is_open and standing.missing:
        buttons.append(ForMissing(*at))
    if standing.is_open and call.terms.form is not Form.DEAL:
        buttons.append(AddNames(*at))
    if not call.shown and call.terms.visibility is not Visibility.SELF:
        buttons.append(RevealCalled(*at))
    if standing.is_open:
        buttons.append(Close(*at))
    else:
        buttons.append(Reopen(*at))
    if not standing.cancelled:
        buttons.append(Cancel(*at))
    return row(*buttons)


class _LeadButton(EventButton, template="never"):
    """One of a game master's buttons: it does something, and the panel follows."""

    deed: ClassVar[Callable[[Groups, Asked, Person, int, int], Awaitable[Standing]]]

    async def press(self, interaction: Press) -> None:
        """Do it, and show how the call stands."""
        doing = type(self).deed(
            interaction.client.house.groups,
            asked(interaction),
            person(interaction),
            self.campaign_id,
            self.number,
        )
        await _led(interaction, await doing)


async def _led(interaction: Press, standing: Standing) -> None:
    event = standing.call.event
    Live.of(interaction.client).changed(event.campaign_id, event.seq)
    view = _lead_buttons(standing)
    await interaction.response.edit_message(content=panel(standing), view=view)
    await Live.of(interaction.client).plan()


class ForMissing(_LeadButton, template=r"call-missing:(?P<campaign>\d+):(?P<number>\d+)"):
    """Rolls for everybody who was named and has not rolled."""

    word = "call-missing"
    label = "Roll for the missing"
    deed = Groups.roll_for_missing


class Close(_LeadButton, template=r"call-close:(?P<campaign>\d+):(?P<number>\d+)"):
    """Takes no more rolls."""

    word = "call-close"
    label = "Close"
    deed = Groups.close


class Reopen(_LeadButton, template=r"call-reopen:(?P<campaign>\d+):(?P<number>\d+)"):
    """Takes rolls again."""

    word = "call-reopen"
    label = "Reopen"
    deed = Groups.reopen


class Cancel(_LeadButton, template=r"call-cancel:(?P<campaign>\d+):(?P<number>\d+)"):
    """Calls it off."""

    word = "call-cancel"
    label = "Cancel"
    style = discord.ButtonStyle.danger
    deed = Groups.cancel


class RevealCalled(_LeadButton, template=r"call-reveal:(?P<campaign>\d+):(?P<number>\d+)"):
    """Shows everybody the rolls."""

    word = "call-reveal"
    label = "Reveal"
    deed = Groups.reveal


class AddNames(EventButton, template=r"call-names:(?P<campaign>\d+):(?P<number>\d+)"):
    """Asks for whom the game master rolls besides."""

    word = "call-names"
    label = "Add monsters"

    async def press(self, interaction: Press) -> None:
        """Show the form, to a game master."""
        groups = interaction.client.house.groups
        standing = await groups.look(asked(interaction), person(interaction), self.campaign_id, self.number)
        form = Names(self.campaign_id, self.number)
        form.dice.default = standing.call.dice
        await form.show(interaction)


class Names(CallForm, title="Add monsters"):
    """Who they are, and what is rolled for each."""

    word = "call-names"
    template = re.compile(r"call-names:(?P<campaign>\d+):(?P<number>\d+)")

    names: TextInput[Self] = TextInput(
        label="Names", custom_id="names", placeholder="Goblin x3, Boss", max_length=400
    )
    dice: TextInput[Self] = TextInput(label="Dice for each", custom_id="dice", max_length=200)

    async def send(self, interaction: Press, typed: Mapping[str, str]) -> None:
        """Roll for them."""
        groups = interaction.client.house.groups
        at = self.campaign_id, self.number
        asking, who = asked(interaction), person(interaction)
        await groups.roll_for_names(asking, who, typed["dice"], read_names(typed["names"]), at)
        await _led(interaction, await groups.look(asking, who, *at))


LEAD_BUTTONS = (Lead, ForMissing, AddNames, RevealCalled, Close, Reopen, Cancel)
"""Buttons that outlive a restart."""
