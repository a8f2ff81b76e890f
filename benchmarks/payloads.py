"""What Discord sends when somebody runs a command or presses a button, and what it answers to the bot."""

from collections.abc import Mapping
from typing import Any

from tests.support.loopback import APPLICATION

GUILD = "1420000000000000000"
COMMAND, PRESS = 2, 3
"""What an interaction is about."""

_CHANNEL = 1_430_000_000_000_000_000
_USER = 1_440_000_000_000_000_000
_SUBCOMMAND, _TEXT, _NUMBER = 1, 3, 4
_BUTTON = 2
_MANAGE_GUILD = "32"
_VIEW_AND_SEND = "3072"
_TEMPLATE: dict[str, Any] = {"guild_id": GUILD, "type": 0, "permission_overwrites": [], "nsfw": False}


def guild(members: int) -> dict[str, Any]:
    """A server in which each member sits in a channel of their own."""
    everyone = {"id": GUILD, "name": "@everyone", "permissions": "0", "color": 0, "position": 0}
    channels = [_channel(member) for member in range(members)]
    return {"id": GUILD, "name": "The Long Table", "roles": [everyone], "channels": channels}


def channel_id(member: int) -> str:
    """Which channel is a member's own."""
    return str(_CHANNEL + member)


def command(name: str, options: Mapping[str, str | int]) -> dict[str, Any]:
    """What is typed, such as "d100 roll"."""
    first, _, subcommand = name.partition(" ")
    given: list[Any] = [
        {"name": key, "type": _TEXT if isinstance(value, str) else _NUMBER, "value": value}
        for key, value in options.items()
    ]
    if subcommand:
        given = [{"name": subcommand, "type": _SUBCOMMAND, "options": given}]
    return {"id": "1", "name": first, "type": 1, "options": given}


def button(message: Mapping[str, Any], label: str) -> dict[str, Any]:
    """The press of a message's button; StopIteration if it has none of that label."""
    row = (part for row in message["components"] for part in row["components"])
    found = next(part for part in row if part.get("label") == label)
    return {"custom_id": found["custom_id"], "component_type": _BUTTON}


def interaction(number: str, member: int, table: int, kind: int, data: dict[str, Any]) -> dict[str, Any]:
    """What a member does in the channel of the member `table`."""
    user = {"id": str(_USER + member), "username": f"u{member}", "discriminator": "0", "avatar": None}
    return {
        "id": number,
        "application_id": APPLICATION,
        "type": kind,
        "token": f"token-of-{number}",
        "version": 1,
        "data": data,
        "guild_id": GUILD,
        "guild": {"id": GUILD, "locale": "en-GB", "features": []},
        "guild_locale": "en-GB",
        "channel_id": channel_id(table),
        "channel": _channel(table),
        "member": {
            "user": user,
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": _MANAGE_GUILD if member == table else "0",
        },
        "entitlements": [],
        "authorizing_integration_owners": {"0": GUILD},
        "attachment_size_limit": 1,
        "locale": "en-GB",
        "context": 0,
        "app_permissions": _VIEW_AND_SEND,
    }


def message(message_id: str, channel: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """The bot's message."""
    return {
        "id": message_id,
        "channel_id": channel,
        "type": 20,
        "author": {"id": APPLICATION, "username": "Evenhand", "discriminator": "0000", "avatar": None},
        "content": said["content"],
        "components": said.get("components", []),
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "pinned": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
    }


def callback(number: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """What the bot is told of its answer to an interaction."""
    return {
        "interaction": {"id": number, "type": 2, "response_message_id": answer["id"]},
        "resource": {"type": 4, "message": answer},
    }


def _channel(member: int) -> dict[str, Any]:
    return {"id": channel_id(member), "name": f"table-{member}", "position": member, **_TEMPLATE}
