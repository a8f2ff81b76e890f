"""The server's people, roles, channels and messages as Discord's JSON."""

from datetime import UTC, datetime

from bot.play.checks import FILE_BYTES
from bot.play.ids import milliseconds
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, Role, World

_ALONE, _THREAD = 1, 11
_THREAD_ARCHIVES_MINUTES = 10_080
_SERVER: Object = {
    "features": [], "emojis": [], "stickers": [], "voice_states": [], "presences": [], "stage_instances": [],
    "guild_scheduled_events": [], "preferred_locale": "en-US", "afk_timeout": 300, "afk_channel_id": None,
    "system_channel_id": None, "rules_channel_id": None, "icon": None, "splash": None, "description": None,
    "verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0,
    "nsfw_level": 0, "system_channel_flags": 0, "premium_tier": 0, "premium_progress_bar_enabled": False,
    "large": False, "unavailable": False,
}  # fmt: skip
"""What is the same for every table."""


def timestamp(ms: int) -> str:
    """Return a time in Discord's form."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def user(person: Person) -> Object:
    """Return a user."""
    named = {"username": person.name if person.bot else f"person-{person.id}"}
    named |= {"global_name": None} if person.bot else {"global_name": person.name}
    shown = {"id": str(person.id), **named, "discriminator": "0000" if person.bot else "0", "avatar": None}
    return {**shown, "public_flags": 0, **({"bot": True} if person.bot else {})}


def application(world: World) -> Object:
    """Return the bot's application; its id is the bot's."""
    shown = {"id": str(world.bot.id), "name": world.bot.name, "owner": user(world.bot), "flags": 0}
    shown |= {"icon": None, "description": "", "verify_key": "", "team": None}
    return {**shown, "bot_public": True, "bot_require_code_grant": False}


def member(person: Person) -> Object:
    """Return a member of the server, without the user."""
    shown = {"roles": [str(role) for role in person.roles], "joined_at": timestamp(milliseconds(person.id))}
    shown |= dict.fromkeys(("nick", "avatar", "premium_since")) | {"flags": 0}
    return shown | dict.fromkeys(("deaf", "mute", "pending"), False)


def role(world: World, given: Role) -> Object:
    """Return a role."""
    colours = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    shown = {"id": str(given.id), "name": given.name, "permissions": str(int(given.rights)), "flags": 0}
    shown |= {"position": 0 if given.id == world.guild_id else 1, "color": 0, "colors": colours}
    return {**shown, "hoist": False, "managed": False, "mentionable": True}


def channel(world: World, given: Channel) -> Object:
    """Return a channel, a thread, or the direct messages of somebody with the bot."""
    if given.kind == "alone" and given.person:
        person = user(world.people[given.person])
        return {"id": str(given.id), "type": _ALONE, "recipients": [person], "flags": 0}
    shown: Object = {"id": str(given.id), "guild_id": str(world.guild_id), "name": given.name}
    shown |= {"last_message_id": None, "rate_limit_per_user": 0, "flags": 0}
    if given.kind == "thread":
        began = timestamp(milliseconds(given.id))
        metadata = {"archived": given.archived, "locked": given.archived, "archive_timestamp": began}
        metadata |= {"auto_archive_duration": _THREAD_ARCHIVES_MINUTES}
        shown |= {"type": _THREAD, "owner_id": str(world.bot.id), "parent_id": str(given.parent)}
        return shown | {
            "thread_metadata": metadata,
            "message_count": 0,
            "total_message_sent": 0,
            "member_count": 1,
        }
    denied = int(world.denied(given))
    refusal = {"id": str(world.bot.id), "type": 1, "allow": "0", "deny": str(denied)}
    shown |= {"type": 0, "topic": given.about or None, "position": 0, "nsfw": False, "parent_id": None}
    return {**shown, "permission_overwrites": [refusal] if denied else []}


def guild(world: World) -> Object:
    """Return the whole server, as the bot is told of it at the start."""
    open_ones = [c for c in world.channels.values() if c.kind == "text" or not c.archived]
    return {
        **_SERVER,
        "id": str(world.guild_id),
        "name": world.name,
        "owner_id": str(world.guild_id - 1),
        "joined_at": timestamp(milliseconds(world.bot.id)),
        "member_count": len(world.seated()) + 1,
        "members": [{**member(world.bot), "user": user(world.bot)}],
        "roles": [role(world, each) for each in world.roles.values()],
        "channels": [channel(world, c) for c in open_ones if c.kind == "text"],
        "threads": [channel(world, c) for c in open_ones if c.kind == "thread"],
    }


def interaction(world: World, person: Person, given: Channel) -> Object:
    """Return what every interaction says of who does something where."""
    rights, number = str(int(world.rights(person, given))), str(world.guild_id)
    told: Object = {"application_id": str(world.bot.id), "version": 1, "locale": "en-US", "entitlements": []}
    told |= {"channel_id": str(given.id), "channel": {**channel(world, given), "permissions": rights}}
    told |= {"attachment_size_limit": FILE_BYTES, "app_permissions": str(int(world.rights(world.bot, given)))}
    if given.kind == "alone":
        return told | {"context": 1, "authorizing_integration_owners": {"0": "0"}, "user": user(person)}
    told |= {"context": 0, "authorizing_integration_owners": {"0": number}, "guild_id": number}
    told |= {"guild_locale": "en-US", "guild": {"id": number, "locale": "en-US", "features": []}}
    return told | {"member": {**member(person), "user": user(person), "permissions": rights}}


def message(world: World, given: Message, address: str) -> Object:
    """Return a message; `address` is where the bot fetches files."""
    author, asker = world.people[given.author], world.people.get(given.asker or 0)
    shown: Object = {
        "id": str(given.id),
        "type": 20 if given.origin == "answer" else 0,
        "channel_id": str(given.channel),
        "author": user(author),
        "content": given.content,
        "timestamp": timestamp(milliseconds(given.id)),
        "edited_timestamp": timestamp(given.edited) if given.edited else None,
        "mentions": [user(world.people[person]) for person in given.calls],
        "attachments": [attachment(each, address) for each in given.attachments],
        "components": given.components,
        "flags": given.flags,
        "embeds": [],
        "mention_roles": [],
        **dict.fromkeys(("tts", "pinned", "mention_everyone"), False),
    }
    if author.bot and given.origin != "post" and asker:
        shown["application_id"] = shown["webhook_id"] = str(author.id)
        asked = {"id": str(given.id - 1), "type": 2, "user": user(asker)}
        owners = {"authorizing_integration_owners": {"0": str(world.guild_id)}}
        shown["interaction_metadata"] = {**asked, **owners}
    return shown


def attachment(kept: Object, address: str) -> Object:
    """Return a file's description with the address it is fetched from."""
    url = f"{address}/files/{kept['id']}/{kept['key']}/{kept['filename']}"
    return {**{key: value for key, value in kept.items() if key != "key"}, "url": url, "proxy_url": url}
