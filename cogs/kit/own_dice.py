"""*My dice…*: a form for dice that somebody threw by hand, under checks and calls."""

from collections.abc import Mapping
from typing import Self

from discord.ui import TextInput

from bot.dice.by_hand import read_thrown
from cogs.kit.interactions import EVENT, CustomId, Interaction, KeptForm, KindOfButton, caller
from cogs.kit.replies import reply

OWN_DICE_LABEL = "My dice…"


class OwnDiceForm(KeptForm, title=OWN_DICE_LABEL):
    """Asks what somebody's own dice show, and makes the same roll with them."""

    form = CustomId("own-dice", EVENT)

    thrown: TextInput[Self] = TextInput(
        label="What do your dice show?", custom_id="thrown", placeholder="5 2", max_length=200
    )

    def __init__(self, campaign_id: int, number: int) -> None:
        super().__init__(campaign_id, number)
        self._at = campaign_id, number

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll."""
        again, faces = interaction.client.app.rolling.again, read_thrown(typed["thrown"])
        await reply(interaction, await again(caller(interaction), *self._at, faces))


async def _ask(interaction: Interaction, campaign_id: int, number: int) -> None:
    await OwnDiceForm(campaign_id, number).show(interaction)


OWN_DICE = KindOfButton("own-dice", OWN_DICE_LABEL, _ask, *EVENT)
