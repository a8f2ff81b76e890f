"""Cache the registration of commands for all tables, which takes most of the time to open one."""

from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand, Translations
from bot.words.languages import codes

_told: dict[tuple[object, ...], dict[str, Any]] = {}


def told_once(bot: type[Evenhand]) -> None:
    """Have such bots, all with the same commands, remember what Discord is told in these languages."""
    for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
        _remember(kind, bot)


def _remember(kind: Any, bot: type[Evenhand]) -> None:
    original = kind.get_translated_payload

    async def payload(
        self: Any, tree: app_commands.CommandTree[commands.Bot], translator: app_commands.Translator
    ) -> dict[str, Any]:
        if not isinstance(tree.client, bot) or not isinstance(translator, Translations) or _parent(self):
            return await original(self, tree, translator)
        key = (kind, self.qualified_name, codes())
        if key not in _told:
            _told[key] = await original(self, tree, translator)
        return _told[key]

    kind.get_translated_payload = payload


def _parent(command: Any) -> object:
    return getattr(command, "parent", None)
