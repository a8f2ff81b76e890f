"""What Discord is told of the commands, worked out once for all tables: that is most of opening one."""

import json
from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand, SlashCommands, Translations
from bot.words.languages import codes

_told: dict[tuple[object, ...], dict[str, Any]] = {}
_fingerprints: dict[tuple[object, ...], str] = {}


def told_once(bot: type[Evenhand]) -> None:
    """Have commands of such a bot remember what Discord is told of them in these languages."""
    for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
        _remember(kind, bot)
    _remember_fingerprint(bot)


def _remember(kind: Any, bot: type[Evenhand]) -> None:
    original = kind.get_translated_payload

    async def payload(
        self: Any, tree: app_commands.CommandTree[commands.Bot], translator: app_commands.Translator
    ) -> dict[str, Any]:
        if not isinstance(tree.client, bot) or not isinstance(translator, Translations) or _parent(self):
            return await original(self, tree, translator)
        key = (kind, json.dumps(self.to_dict(tree), sort_keys=True), codes())
        if key not in _told:
            _told[key] = await original(self, tree, translator)
        return _told[key]

    kind.get_translated_payload = payload


def _remember_fingerprint(bot: type[Evenhand]) -> None:
    original = SlashCommands._fingerprint

    async def fingerprint(self: SlashCommands) -> str:
        if not isinstance(self.client, bot):
            return await original(self)
        key = codes(), *sorted(json.dumps(one.to_dict(self), sort_keys=True) for one in self.get_commands())
        if key not in _fingerprints:
            _fingerprints[key] = await original(self)
        return _fingerprints[key]

    SlashCommands._fingerprint = fingerprint


def _parent(command: Any) -> object:
    return getattr(command, "parent", None)
