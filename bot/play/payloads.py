"""The server's people, roles, channels and messages as Discord's JSON: as much of it as discord.py reads."""

from datetime import UTC, datetime

from bot.play import components, options
from bot.play.checks import FILE_BYTES
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, Role, World
from bot.times import milliseconds_of
from bot.words.languages import SPOKEN

_THREAD_ARCHIVES_MINUTES = 10_080


def timestamp(ms: int) -> str:
    """Return a time in Discord's form."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def user(person: Person) -> Object:
    """Return a user."""
    shown = {"id": str(person.id), "avatar": None}
    if person.bot:
        return shown | {"username": person.name, "global_name": None, "discriminator": "0000", "bot": True}
    return shown | {"username": f"person-{person.id}", "global_name": person.name, "discriminator": "0"}


def application(world: World) -> Object:
    """Return the bot's application; its id is the bot's."""
    shown = {"id": str(world.bot.id), "name": world.bot.name, "owner": user(world.bot), "verify_key": ""}
    return {**shown, "icon": None, "description": "", "bot_public": True, "bot_require_code_grant": False}


def member(person: Person) -> Object:
    """Return a member of the server, without the user."""
    roles, joined = [str(role_id) for role_id in person.roles], timestamp(milliseconds_of(person.id))
    return {"roles": roles, "joined_at": joined, "flags": 0}


def role(world: World, given: Role) -> Object:
    """Return a role."""
    shown = {"id": str(given.id), "name": given.name, "permissions": str(int(given.rights))}
    return {**shown, "mentionable": True, "position": 0 if given.id == world.guild_id else 1}


def channel(world: World, given: Channel) -> Object:
    """Return a channel, a thread, or the direct messages of somebody with the bot."""
    if given.person:
        return {"id": str(given.id), "type": 1, "recipients": [user(world.people[given.person])]}
    shown = {"id": str(given.id), "guild_id": str(world.guild_id), "name": given.name}
    if given.kind == "text":
        denied = int(world.denied(given))
        refusal = {"id": str(world.bot.id), "type": 1, "allow": "0", "deny": str(denied)}
        shown |= {"type": 0, "position": 0, "parent_id": None, "topic": given.about or None}
        return {**shown, "permission_overwrites": [refusal] if denied else []}
    metadata = {
        "archived": given.archived, "locked": given.archived,
        "archive_timestamp": timestamp(milliseconds_of(given.id)),
        "auto_archive_duration": _THREAD_ARCHIVES_MINUTES,
    }  # fmt: skip
    shown |= {"type": 11, "owner_id": str(world.bot.id), "parent_id": str(given.parent)}
    return {**shown, "thread_metadata": metadata, "message_count": 0, "member_count": 1}


def guild(world: World) -> Object:
    """Return the whole server, as the bot is told of it at the start."""
    channels = [c for c in world.channels.values() if c.kind == "text" or not c.archived]
    return {
        "id": str(world.guild_id), "name": world.name, "owner_id": str(world.guild_id - 1),
        "features": ["COMMUNITY"], "preferred_locale": world.locale, "member_count": len(world.seated()) + 1,
        "members": [{**member(world.bot), "user": user(world.bot)}],
        "roles": [role(world, each) for each in world.roles.values()],
        "channels": [channel(world, c) for c in channels if c.kind == "text"],
        "threads": [channel(world, c) for c in channels if c.kind == "thread"],
    }  # fmt: skip


def interaction(world: World, person: Person, given: Channel) -> Object:
    """Return what every interaction says of who does something where, in the language that is spoken."""
    rights, number, spoken = str(int(world.rights(person, given))), str(world.guild_id), SPOKEN.get()
    told: Object = {
        "application_id": str(world.bot.id), "version": 1, "entitlements": [],
        "locale": spoken.code if spoken else "en-US",
        "channel_id": str(given.id), "channel": {**channel(world, given), "permissions": rights},
        "attachment_size_limit": FILE_BYTES, "app_permissions": str(int(world.rights(world.bot, given))),
    }  # fmt: skip
    if given.kind == "alone":
        return told | {"context": 1, "authorizing_integration_owners": {"0": "0"}, "user": user(person)}
    return told | {
        "context": 0, "authorizing_integration_owners": {"0": number}, "guild_id": number,
        "guild_locale": world.locale,
        "guild": {"id": number, "locale": world.locale, "features": ["COMMUNITY"]},
        "member": {**member(person), "user": user(person), "permissions": rights},
    }  # fmt: skip


def message(world: World, given: Message) -> Object:
    """Return a message."""
    named = components.named(given.components)
    files = {each["id"]: attachment(world, each) for each in given.attachments}
    asked = {
        "id": str(given.interaction), "type": 2, "user": user(world.people[given.asker]),
        "authorizing_integration_owners": {"0": str(world.guild_id)},
    } if given.interaction and given.asker else None  # fmt: skip
    return {
        "id": str(given.id), "type": 20 if given.origin == "answer" else 0, "channel_id": str(given.channel),
        "author": user(world.people[given.author]), "content": given.content,
        "components": components.with_addresses(given.components, files), "embeds": [],
        "attachments": [file for number, file in files.items() if number not in named],
        "timestamp": timestamp(milliseconds_of(given.id)),
        "edited_timestamp": timestamp(given.edited) if given.edited else None,
        "mentions": [user(world.people[person]) for person in given.calls], "mention_everyone": False,
        "flags": given.flags, "tts": False, "pinned": False,
        **({"interaction_metadata": asked} if asked else {}),
    }  # fmt: skip


def attachment(world: World, kept: Object) -> Object:
    """Return a file's description with the address it is fetched from."""
    url = f"{world.address}/files/{kept['id']}/{kept['key']}/{kept['filename']}"
    return {**{key: value for key, value in kept.items() if key != "key"}, "url": url, "proxy_url": url}


def resolve(world: World, resolved: Object, kind: int, key: str) -> None:
    """Add what an id in an option or select stands for."""
    if kind in {options.USER, options.MENTIONABLE} and int(key) in world.people:
        resolved.setdefault("users", {})[key] = user(world.people[int(key)])
        resolved.setdefault("members", {})[key] = {**member(world.people[int(key)]), "permissions": "0"}
    elif kind in {options.ROLE, options.MENTIONABLE}:
        resolved.setdefault("roles", {})[key] = role(world, world.roles[int(key)])
    elif kind == options.CHANNEL:
        shown = channel(world, world.channels[int(key)])
        resolved.setdefault("channels", {})[key] = {**shown, "permissions": "0"}
    elif kind == options.FILE and (file := world.store.file(int(key))):
        resolved.setdefault("attachments", {})[key] = attachment(world, file[1])
