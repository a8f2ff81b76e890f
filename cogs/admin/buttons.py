"""The buttons and the form behind /admin and /erase: ask why before a reset, undo it, delete all data."""

from collections.abc import Mapping
from typing import Self

import discord
from discord.ui import TextInput

from bot.services.resets import Aim, Scope
from cogs.admin import words
from cogs.kit.interactions import (
    NAME,
    NUMBER,
    CustomId,
    Field,
    Interaction,
    KeptForm,
    KindOfButton,
    caller,
    row,
)

_AIM = (Field("roller|campaign", Scope), NAME)


async def _ask_why(interaction: Interaction, scope: Scope, name: str) -> None:
    """Show the form, to those who may still reset."""
    await interaction.client.app.resets.aimed(caller(interaction), Aim(scope, name))
    await ResetForm(scope, name).show(interaction)


async def _undo(interaction: Interaction, campaign_id: int, interaction_id: int) -> None:
    """Undo a reset, and tell everybody."""
    events = await interaction.client.app.resets.undo(caller(interaction), campaign_id, interaction_id)
    await interaction.response.send_message(words.reset_undone(events))


async def _delete(interaction: Interaction) -> None:
    """Delete the place's data, for those who may still do it."""
    await interaction.response.defer()
    await interaction.client.app.privacy.delete_home(caller(interaction))
    await interaction.edit_original_response(content=words.DELETED, view=None)


class ResetForm(KeptForm, title="Reset"):
    """Asks who wants a reset and why; sending it resets."""

    form = CustomId("why", _AIM)

    who: TextInput[Self] = TextInput(label="Who wants it?", custom_id="who", required=False, max_length=30)
    why: TextInput[Self] = TextInput(
        label="Why?", custom_id="why", max_length=45, placeholder="A new season begins"
    )

    def __init__(self, scope: Scope, name: str) -> None:
        super().__init__(scope, name)
        self._aim = Aim(scope, name)

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Reset, and tell everybody who did it and why."""
        who, why = typed.get("who", ""), typed.get("why", "")
        reason = f"{who}: {why}" if who else why
        events = await interaction.client.app.resets.reset(caller(interaction), self._aim, reason)
        undo = UNDO(events[0].campaign_id, interaction.id)
        await interaction.response.send_message(words.reset_done(events), view=row(undo))


RED = discord.ButtonStyle.danger
ASK_WHY = KindOfButton("why", "Reset …", _ask_why, *_AIM, style=RED)
UNDO = KindOfButton("undo-reset", "Undo", _undo, NUMBER, NUMBER)
DELETE = KindOfButton("delete-home", "Delete it all", _delete, style=RED)
BUTTONS = (ASK_WHY, UNDO, DELETE)
