"""Forms that outlive a restart: the id holds all that a form needs, and nobody remembers having shown it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, cast

import discord
from discord.ui import Modal

from cogs.shared.pressing import Press


class KeptForm(Modal):
    """A form; whoever shows it listens for interactions and hands them to `receive`."""

    template: ClassVar[re.Pattern[str]]

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The form as its id names it."""
        raise NotImplementedError

    async def show(self, interaction: Press) -> None:
        """Show it."""
        # discord.py would keep it in memory, and answer it beside `receive`.
        self.stop()
        await interaction.response.send_modal(self)

    async def send(self, interaction: Press, typed: Mapping[str, str]) -> None:
        """What it does; `typed` is what stands in its fields, by their ids."""
        raise NotImplementedError


async def receive(interaction: discord.Interaction[Any], form: type[KeptForm]) -> None:
    """Take what was typed into such a form; anything else is left alone."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return
    data = cast("Mapping[str, Any]", interaction.data or {})
    match = form.template.fullmatch(str(data.get("custom_id")))
    if match is None:
        return
    press: Press = interaction
    tree = press.client.tree
    try:
        if await tree.interaction_check(press):
            await form.from_match(match).send(press, dict(_typed(data)))
    except Exception as error:  # noqa: BLE001 (the one place that turns a form's errors into words)
        await tree.report(press, error)


def _typed(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(part.get("value"), str):
        yield part["custom_id"], part["value"]
    for inner in [*part.get("components", ()), *filter(None, [part.get("component")])]:
        yield from _typed(inner)
