"""The server's people, roles and channels as Discord's JSON."""

from datetime import UTC, datetime

from bot.play.ids import milliseconds
from bot.play.store import Object
from bot.play.world import Channel, Person, Role, World

FILE_BYTES = 10 * 1024 * 1024
"""The largest file, both ways."""
_TEXT, _ALONE, _THREAD = 0, 1, 11
_THREAD_ARCHIVES_MINUTES = 10_080
_MEMBER_OVERWRITE = 1


def timestamp(ms: int) -> str:
    """Return a time in Discord's form."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def user(person: Person) -> Object:
    """Return a user."""
    shown: Object = {
        "id": str(person.id),
        "username": person.name if person.bot else f"person-{person.id}",
        "global_name": None if person.bot else person.name,
        "discriminator": "0000" if person.bot else "0",
        "avatar": None,
        "public_flags": 0,
    }
    return {**shown, "bot": True} if person.bot else shown


def application(world: World) -> Object:
    """Return the bot's application; its id is the bot's."""
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "",
        "flags": 0,
        "owner": user(world.bot),
        "team": None,
    }


def member(person: Person) -> Object:
    """Return a member of the server, without the user."""
    return {
        "roles": [str(role) for role in person.roles],
        "nick": None,
        "avatar": None,
        "joined_at": timestamp(milliseconds(person.id)),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def role(world: World, given: Role) -> Object:
    """Return a role."""
    return {
        "id": str(given.id),
        "name": given.name,
        "permissions": str(int(given.rights)),
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0 if given.id == world.guild_id else 1,
        "managed": False,
        "mentionable": True,
        "flags": 0,
    }


def channel(world: World, given: Channel) -> Object:
    """Return a channel, a thread, or the direct messages of somebody with the bot."""
    if given.kind == "alone" and given.person:
        return {
            "id": str(given.id),
            "type": _ALONE,
            "recipients": [user(world.people[given.person])],
            "flags": 0,
        }
    shown: Object = {
        "id": str(given.id),
        "guild_id": str(world.guild_id),
        "name": given.name,
        "last_message_id": None,
        "rate_limit_per_user": 0,
        "flags": 0,
    }
    if given.kind == "thread":
        metadata = {
            "archived": given.archived,
            "auto_archive_duration": _THREAD_ARCHIVES_MINUTES,
            "archive_timestamp": timestamp(milliseconds(given.id)),
            "locked": given.archived,
        }
        counts = {"message_count": 0, "total_message_sent": 0, "member_count": 1}
        owner = {"type": _THREAD, "owner_id": str(world.bot.id), "parent_id": str(given.parent)}
        return {**shown, **counts, **owner, "thread_metadata": metadata}
    denied = world.denied(given)
    refusal = {"id": str(world.bot.id), "type": _MEMBER_OVERWRITE, "allow": "0", "deny": str(int(denied))}
    return {
        **shown,
        "type": _TEXT,
        "topic": given.about or None,
        "position": 0,
        "nsfw": False,
        "parent_id": None,
        "permission_overwrites": [refusal] if denied else [],
    }


def interaction(world: World, person: Person, given: Channel) -> Object:
    """Return what every interaction says of who does something where."""
    rights = str(int(world.rights(person, given)))
    told: Object = {
        "application_id": str(world.bot.id),
        "version": 1,
        "channel_id": str(given.id),
        "channel": {**channel(world, given), "permissions": rights},
        "locale": "en-US",
        "entitlements": [],
        "attachment_size_limit": FILE_BYTES,
        "app_permissions": str(int(world.rights(world.bot, given))),
    }
    if given.kind == "alone":
        return told | {"context": 1, "authorizing_integration_owners": {"0": "0"}, "user": user(person)}
    number = str(world.guild_id)
    return told | {
        "context": 0,
        "authorizing_integration_owners": {"0": number},
        "guild_id": number,
        "guild_locale": "en-US",
        "guild": {"id": number, "locale": "en-US", "features": []},
        "member": {**member(person), "user": user(person), "permissions": rights},
    }


def guild(world: World) -> Object:
    """Return the whole server, as the bot is told of it at the start."""
    given = list(world.channels.values())
    return {
        "id": str(world.guild_id),
        "name": world.name,
        "owner_id": str(world.guild_id - 1),
        "icon": None,
        "splash": None,
        "description": None,
        "features": [],
        "preferred_locale": "en-US",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_progress_bar_enabled": False,
        "joined_at": timestamp(milliseconds(world.bot.id)),
        "large": False,
        "unavailable": False,
        "member_count": len(world.seated()) + 1,
        "roles": [role(world, each) for each in world.roles.values()],
        "emojis": [],
        "stickers": [],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "members": [{**member(world.bot), "user": user(world.bot)}],
        "channels": [channel(world, c) for c in given if c.kind == "text"],
        "threads": [channel(world, c) for c in given if c.kind == "thread" and not c.archived],
    }
