"""Showing a roll: to whom it may be shown, with the buttons that go with it, and what became of the reply."""

import re
from typing import Self

import discord
from discord.ui import Button, Item, View

from bot.client import Evenhand
from bot.core.events import Event, Visibility
from bot.core.labels import Label
from bot.render import rolls as render
from bot.services.rolling import Answer, Rolling
from cogs.shared.asking import asked, person
from cogs.shared.pressing import Press, PressButton, row


async def tell(interaction: discord.Interaction[Evenhand], rolling: Rolling, answer: Answer) -> None:
    """Reply with a roll; where Discord refuses the reply, the roll stands and is told later."""
    event = answer.rolled.event
    try:
        if event.visibility is Visibility.BLIND:
            await interaction.response.send_message(render.hidden(event), view=_buttons(event, hidden=True))
        else:
            await interaction.response.send_message(
                render.answer(answer.rolled, answer.late),
                view=_buttons(event, hidden=False),
                ephemeral=event.visibility is not Visibility.PUBLIC,
            )
    except Exception:
        rolling.lost(answer)
        raise
    rolling.delivered(answer)
    if event.visibility is Visibility.GM:
        await interaction.followup.send(render.hidden(event), view=_buttons(event, hidden=True))


def _buttons(event: Event, *, hidden: bool) -> View:
    button = Look if hidden else Again
    # The bot can't throw somebody's own dice again.
    by_hand = event.source is Label.PHYSICAL
    buttons: list[_RollButton] = [] if by_hand else [button(event.campaign_id, event.seq)]
    if event.visibility is not Visibility.PUBLIC:
        buttons.append(RevealIt(event.campaign_id, event.seq))
    return row(*buttons)


class _RollButton(PressButton, template=r"never"):
    """A button about one roll; its id names the campaign and the number."""

    word = ""
    label = ""

    def __init__(self, campaign_id: int, number: int) -> None:
        super().__init__(Button(label=self.label, custom_id=f"{self.word}:{campaign_id}:{number}"))
        self.campaign_id = campaign_id
        self.number = number

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(int(match["campaign"]), int(match["number"]))


class Again(_RollButton, template=r"again:(?P<campaign>\d+):(?P<number>\d+)"):
    """The same roll once more, for who rolled it."""

    word = "again"
    label = "Roll again"

    async def press(self, interaction: Press) -> None:
        """Roll and tell."""
        rolling = interaction.client.house.rolling
        await tell(
            interaction, rolling, await rolling.again(asked(interaction), self.campaign_id, self.number)
        )


class Look(_RollButton, template=r"look:(?P<campaign>\d+):(?P<number>\d+)"):
    """A hidden roll, shown to whoever presses if they may see it."""

    word = "look"
    label = "Look"

    async def press(self, interaction: Press) -> None:
        """Show it privately."""
        rolled = await interaction.client.house.rolling.look(
            person(interaction), self.campaign_id, self.number
        )
        await interaction.response.send_message(render.result(rolled), ephemeral=True)


class RevealIt(_RollButton, template=r"reveal:(?P<campaign>\d+):(?P<number>\d+)"):
    """A hidden roll, shown to everybody."""

    word = "reveal"
    label = "Reveal"

    async def press(self, interaction: Press) -> None:
        """Record that it is revealed, and show it."""
        rolling = interaction.client.house.rolling
        rolled = await rolling.reveal(asked(interaction), person(interaction), self.campaign_id, self.number)
        await interaction.response.send_message(render.revealed(rolled, interaction.user.id))


ROLL_BUTTONS = (Again, Look, RevealIt)
