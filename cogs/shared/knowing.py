"""People by the names that the server knows them by; nothing of it is kept."""

from collections.abc import Iterable

import discord


async def known_names(
    client: discord.Client, guild: discord.Guild | None, user_ids: Iterable[int]
) -> dict[int, str]:
    """The names of these people, on the server or at large, as far as Discord tells them."""
    names: dict[int, str] = {}
    for user_id in user_ids:
        try:
            found = await (guild.fetch_member(user_id) if guild else client.fetch_user(user_id))
        except discord.HTTPException:
            continue
        names[user_id] = found.display_name
    return names
