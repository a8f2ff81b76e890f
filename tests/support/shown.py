"""Messages made of components read as their texts, as `content` of the simulated Discord's messages."""

from collections.abc import Iterable
from typing import Any

import discord
from simcord import ResponseMessage, builders, results
from simcord.components import walk_components


def texts(components: Iterable[Any]) -> str:
    """All texts of components, from top to bottom, as plain text has them."""
    contents = [part["content"] for part in walk_components(components) if part["type"] == 10]
    return "\n".join(
        text[2:].replace("\n-# ", " · ").replace("\n", " ← ") if text[:2] == "# " else text
        for text in contents
    )


def labels(components: Iterable[Any]) -> list[str]:
    """Return the labels of all buttons, from top to bottom."""
    return [part["label"] for part in walk_components(components) if part["type"] == 2]


def as_text() -> None:
    """Give such messages their texts as content wherever a test looks at them; the bot gets none of it."""
    original = results.to_discord_message

    def with_text(env: Any, message: Any) -> discord.Message:
        built = original(env, message)
        built.content = built.content or texts(message.components)
        return built

    modules: list[Any] = [results, builders]
    for module in modules:
        module.to_discord_message = with_text
    response: Any = ResponseMessage
    response.content = property(lambda self: self._message.content or texts(self._message.components))
