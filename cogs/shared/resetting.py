"""The second question before a reset, the form that asks why, and the button that takes it back."""

import re
from collections.abc import Mapping
from typing import Self

import discord
from discord.ui import Button, Item, TextInput, View

from bot.render import resets as render
from bot.services.resets import Aim, Scope
from cogs.shared.asking import asked, person
from cogs.shared.forms import KeptForm
from cogs.shared.pressing import Press, PressButton, row


class AskWhy(PressButton, template=r"why:(?P<scope>\w+):(?P<name>.{0,64})"):
    """Asks why, and so asks once more."""

    def __init__(self, aim: Aim) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(Button(label="Reset …", style=style, custom_id=f"why:{aim.scope}:{aim.name}"))
        self.aim = aim

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(Aim(Scope(match["scope"]), match["name"]))

    async def press(self, interaction: Press) -> None:
        """Show the form, to those who may still do it."""
        await interaction.client.house.resets.aimed(asked(interaction), person(interaction), self.aim)
        await Why(self.aim).show(interaction)


class Why(KeptForm, title="Reset"):
    """The form; sending it resets."""

    template = re.compile(r"why:(?P<scope>\w+):(?P<name>.{0,64})")

    who: TextInput[Self] = TextInput(label="Who wants it?", custom_id="who", required=False, max_length=30)
    why: TextInput[Self] = TextInput(
        label="Why?", custom_id="why", max_length=45, placeholder="A new season begins"
    )

    def __init__(self, aim: Aim) -> None:
        super().__init__(custom_id=f"why:{aim.scope}:{aim.name}")
        self.aim = aim

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The form as its id names it."""
        return cls(Aim(Scope(match["scope"]), match["name"]))

    async def send(self, interaction: Press, typed: Mapping[str, str]) -> None:
        """Reset, and tell everybody who did it and why."""
        who, why = typed.get("who", ""), typed.get("why", "")
        asking = asked(interaction, f"{who}: {why}" if who else why)
        events = await interaction.client.house.resets.reset(asking, person(interaction), self.aim)
        undo = TakeBack(events[0].campaign_id, asking.interaction_id, len(events))
        await interaction.response.send_message(render.done(events), view=row(undo))


class TakeBack(PressButton, template=r"back:(?P<campaign>\d+):(?P<interaction>\d+):(?P<count>\d+)"):
    """Takes a reset back, for game masters."""

    def __init__(self, campaign_id: int, interaction_id: int, count: int) -> None:
        super().__init__(Button(label="Undo", custom_id=f"back:{campaign_id}:{interaction_id}:{count}"))
        self.place = campaign_id, interaction_id, count

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(int(match["campaign"]), int(match["interaction"]), int(match["count"]))

    async def press(self, interaction: Press) -> None:
        """Undo, and tell everybody."""
        events = await interaction.client.house.resets.undo(
            asked(interaction), person(interaction), *self.place
        )
        await interaction.response.send_message(render.taken_back(events))
