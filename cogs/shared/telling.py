"""Showing a roll: to whom it may be shown, with the buttons that go with it, and what became of the reply."""

import discord
from discord.ui import View

from bot.campaign.events import Event, Visibility
from bot.client import Evenhand
from bot.dice.labels import Label
from bot.render import rolls as render
from bot.services.rolling import Answer, Rolling
from cogs.shared.asking import asked, person
from cogs.shared.pressing import EventButton, Press, row


async def tell(interaction: discord.Interaction[Evenhand], rolling: Rolling, answer: Answer) -> None:
    """Reply with a roll; where Discord refuses the reply, the roll stands and is told later."""
    event = answer.rolled.event
    # Where the answer began as another message, such as the keys of real dice, the roll follows it.
    done = interaction.response.is_done()
    send = interaction.followup.send if done else interaction.response.send_message
    try:
        if event.visibility is Visibility.BLIND:
            await send(render.hidden(event), view=_buttons(event, hidden=True))
        else:
            await send(
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
    final = event.source is Label.PHYSICAL and not hidden
    buttons: list[EventButton] = [] if final else [button(event.campaign_id, event.seq)]
    if event.visibility is not Visibility.PUBLIC:
        buttons.append(RevealIt(event.campaign_id, event.seq))
    return row(*buttons)


class Again(EventButton, template=r"again:(?P<campaign>\d+):(?P<number>\d+)"):
    """The same roll once more, for who rolled it."""

    word = "again"
    label = "Roll again"

    async def press(self, interaction: Press) -> None:
        """Roll and tell."""
        rolling = interaction.client.house.rolling
        await tell(
            interaction, rolling, await rolling.again(asked(interaction), self.campaign_id, self.number)
        )


class Look(EventButton, template=r"look:(?P<campaign>\d+):(?P<number>\d+)"):
    """A hidden roll, shown to whoever presses if they may see it."""

    word = "look"
    label = "Look"

    async def press(self, interaction: Press) -> None:
        """Show it privately."""
        rolled = await interaction.client.house.rolling.look(
            asked(interaction), person(interaction), self.campaign_id, self.number
        )
        await interaction.response.send_message(render.result(rolled), ephemeral=True)


class RevealIt(EventButton, template=r"reveal:(?P<campaign>\d+):(?P<number>\d+)"):
    """A hidden roll, shown to everybody."""

    word = "reveal"
    label = "Reveal"

    async def press(self, interaction: Press) -> None:
        """Record that it is revealed, and show it."""
        rolling = interaction.client.house.rolling
        rolled = await rolling.reveal(asked(interaction), person(interaction), self.campaign_id, self.number)
        await interaction.response.send_message(render.revealed(rolled, interaction.user.id))


ROLL_BUTTONS = (Again, Look, RevealIt)
