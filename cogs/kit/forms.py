"""Forms (modals) that work after a restart: the custom id holds all that sending one needs to know."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, cast

import discord
from discord.ui import Modal

from cogs.kit.buttons import CustomId, attend
from cogs.kit.context import Interaction


class KeptForm(Modal):
    """A form; the cog that shows it listens for interactions and hands them to `receive`."""

    form: ClassVar[CustomId]

    def __init__(self, *values: object) -> None:
        super().__init__(custom_id=self.form.write(*values))

    async def show(self, interaction: Interaction) -> None:
        """Open the form."""
        # discord.py would keep it in memory, and answer it beside `receive`.
        self.stop()
        await interaction.response.send_modal(self)

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Do what the form is for; `typed` has the texts of its fields by their ids."""
        raise NotImplementedError


async def receive(interaction: Interaction, form: type[KeptForm]) -> None:
    """Send such a form if this is one; ignore any other interaction."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return
    data = cast("Mapping[str, Any]", interaction.data or {})
    match = form.form.template.fullmatch(str(data.get("custom_id")))
    if match is None:
        return
    await attend(interaction, form(*form.form.read(match)).send, dict(_typed(data)))


def _typed(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(part.get("value"), str):
        yield part["custom_id"], part["value"]
    for inner in [*part.get("components", ()), *filter(None, [part.get("component")])]:
        yield from _typed(inner)
