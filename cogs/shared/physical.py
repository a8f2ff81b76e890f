"""Real dice by buttons: the message's own buttons hold all dice so far, so that a restart loses none."""

import re
from dataclasses import replace
from typing import Self

import discord
from discord.ui import Button, Item, View

from bot.campaign.d100_rolls import Real
from bot.campaign.events import Visibility
from bot.d100.physical import DICE_LIMIT, SIDES
from bot.d100.register import DICE_LIMIT as REGISTER_DICE
from bot.dice.errors import NotAllowed, SpecError
from bot.render import d100 as render
from bot.render import rolls as render_rolls
from bot.services.d100 import is_complete
from cogs.shared.asking import asked
from cogs.shared.pressing import Press, PressButton, row
from cogs.shared.telling import tell

_BACK, _ADD = "back", "add"
_LABELS = {_BACK: "Take one back", _ADD: "Add"}


def keys(real: Real, user_id: int, begun: int, faces: tuple[int, ...]) -> View:
    """The faces of a die; to take one back; and for a register, that these were all."""
    names = [*map(str, range(1, SIDES + 1)), *[_BACK] * bool(faces)]
    if faces and real is Real.REGISTER:
        names.append(_ADD)
    return row(*(Key(real, user_id, begun, faces, name) for name in names))


class Key(
    PressButton,
    template=r"die:(?P<real>[a-z]+):(?P<user>\d+):(?P<begun>\d+):(?P<faces>[1-6]*):(?P<key>[1-6]|back|add)",
):
    """One key; its id holds whose dice they are, the interaction they began with, and the dice so far."""

    def __init__(self, real: Real, user_id: int, begun: int, faces: tuple[int, ...], key: str) -> None:
        so_far = "".join(map(str, faces))
        style = discord.ButtonStyle.secondary if key == _BACK else discord.ButtonStyle.primary
        super().__init__(
            Button(
                label=_LABELS.get(key, key),
                style=style,
                row=0 if key in {"1", "2", "3"} else 1 if key.isdigit() else 2,
                custom_id=f"die:{real}:{user_id}:{begun}:{so_far}:{key}",
            )
        )
        self.real = real
        self.user_id = user_id
        self.begun = begun
        self.faces = faces
        self.key = key

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The key as its id names it."""
        faces = tuple(map(int, match["faces"]))
        return cls(Real(match["real"]), int(match["user"]), int(match["begun"]), faces, match["key"])

    async def press(self, interaction: Press) -> None:
        """One die more or less; once there is a value, the message becomes the roll."""
        if interaction.user.id != self.user_id:
            raise NotAllowed("These are somebody else's dice. Enter your own with /d100 physical.")
        faces = self._after()
        full = self.real is Real.REGISTER and len(faces) == REGISTER_DICE
        if self.key == _ADD or full or is_complete(faces, self.real):
            await self._finish(interaction, faces)
            return
        await interaction.response.edit_message(
            content=render.asking(self.real, faces, self.user_id),
            view=keys(self.real, self.user_id, self.begun, faces),
        )

    def _after(self) -> tuple[int, ...]:
        if self.key == _BACK:
            return self.faces[:-1]
        if self.key == _ADD:
            return self.faces
        if len(self.faces) >= DICE_LIMIT:
            raise SpecError(f"At most {DICE_LIMIT} dice can be entered. Take one back, or begin again.")
        return (*self.faces, int(self.key))

    async def _finish(self, interaction: Press, faces: tuple[int, ...]) -> None:
        house = interaction.client.house
        # The roll goes by the interaction that began it: a key pressed twice is rolled once.
        once = replace(asked(interaction, visibility=None), interaction_id=self.begun)
        answer = await house.d100.physical(once, faces, self.real)
        hidden = answer.rolled.event.visibility is not Visibility.PUBLIC
        private = bool(interaction.message and interaction.message.flags.ephemeral)
        # Only a message that everybody sees becomes a roll that everybody may see.
        apart = hidden or private
        text = render.ENTERED if apart else render_rolls.answer(answer.rolled, answer.late)
        try:
            await interaction.response.edit_message(content=text, view=None)
        except Exception:
            house.rolling.lost(answer)
            raise
        if apart:
            await tell(interaction, house.rolling, answer)
        else:
            house.rolling.delivered(answer)
