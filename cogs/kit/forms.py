"""Forms (modals) that work after a restart: the custom id holds all that sending one needs to know."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, cast

import discord
from discord.ui import Modal

from bot.client import Evenhand
from cogs.kit.buttons import CustomId
from cogs.kit.context import Interaction


class KeptForm(Modal):
    """A form; the feature that shows it adds it with `add_forms`."""

    form: ClassVar[CustomId]

    def __init__(self, *values: object) -> None:
        super().__init__(custom_id=self.form.write(*values))

    async def show(self, interaction: Interaction) -> None:
        """Open the form."""
        # discord.py would keep it in memory, and answer it beside `receive`.
        self.stop()
        await interaction.response.send_modal(self)

    @classmethod
    async def receive(cls, interaction: Interaction, custom_id: str) -> None:
        """Make the form of that id anew and send it; nothing where the id has another form."""
        values = cls.form.read(custom_id)
        if values is not None:
            data = cast("Mapping[str, Any]", interaction.data)
            await cls(*values).send(interaction, dict(_typed(data)))

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Do what the form is for; `typed` has the texts of its fields by their ids."""
        raise NotImplementedError


def add_forms(bot: Evenhand, *forms: type[KeptForm]) -> None:
    """Have the bot hand these forms on when they are sent."""
    for form in forms:
        bot.handlers[discord.InteractionType.modal_submit, form.form.word] = form.receive


def _typed(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(part.get("value"), str):
        yield part["custom_id"], part["value"]
    for inner in [*part.get("components", ()), *filter(None, [part.get("component")])]:
        yield from _typed(inner)
