"""Buttons whose errors reach the person who pressed, as a command's do."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeVar

import discord

from bot.client import Evenhand

Press = discord.Interaction[Evenhand]
_Item = TypeVar("_Item")


def answered(callback: Callable[[_Item, Press], Awaitable[None]]) -> Callable[[_Item, Press], Awaitable[None]]:
    """The callback, with stale presses refused and its errors told; discord.py would only log them."""

    @wraps(callback)
    async def press(item: _Item, interaction: Press) -> None:
        tree = interaction.client.tree
        try:
            if await tree.interaction_check(interaction):
                await callback(item, interaction)
        except Exception as error:  # noqa: BLE001 (the one place that turns a press's errors into words)
            await tree.report(interaction, error)

    return press
