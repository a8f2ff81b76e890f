"""Discord's JSON of the server's people, roles, channels and messages: the part that discord.py reads."""

from datetime import UTC, datetime

from bot.play import components, options
from bot.play.checks import FILE_BYTES
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, Role, World
from bot.times import milliseconds_of
from bot.words.languages import SPOKEN

_THREAD_ARCHIVES_MINUTES = 10_080


def timestamp(ms: int) -> str:
    """Return a time, in milliseconds since 1970, in Discord's form."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def user(person: Person) -> Object:
    """Return a user."""
    payload = {"id": str(person.id), "avatar": None}
    if person.bot:
        return payload | {"username": person.name, "global_name": None, "discriminator": "0000", "bot": True}
    return payload | {"username": f"person-{person.id}", "global_name": person.name, "discriminator": "0"}


def application(world: World) -> Object:
    """Return the bot's application; its id is the bot's."""
    payload = {"id": str(world.bot.id), "name": world.bot.name, "owner": user(world.bot), "verify_key": ""}
    return {**payload, "icon": None, "description": "", "bot_public": True, "bot_require_code_grant": False}


def member(person: Person) -> Object:
    """Return a member of the server, without the user."""
    roles, joined = [str(role_id) for role_id in person.roles], timestamp(milliseconds_of(person.id))
    return {"roles": roles, "joined_at": joined, "flags": 0}


def role(world: World, source: Role) -> Object:
    """Return a role."""
    payload = {"id": str(source.id), "name": source.name, "permissions": str(int(source.rights))}
    return {**payload, "mentionable": True, "position": 0 if source.id == world.guild_id else 1}


def channel(world: World, source: Channel) -> Object:
    """Return a channel, a thread, or the direct messages of somebody with the bot."""
    if source.person:
        return {"id": str(source.id), "type": 1, "recipients": [user(world.people[source.person])]}
    payload = {"id": str(source.id), "guild_id": str(world.guild_id), "name": source.name}
    if source.kind == "text":
        denied = int(world.denied(source))
        refusal = {"id": str(world.bot.id), "type": 1, "allow": "0", "deny": str(denied)}
        payload |= {"type": 0, "position": 0, "parent_id": None, "topic": source.about or None}
        return {**payload, "permission_overwrites": [refusal] if denied else []}
    metadata = {
        "archived": source.archived, "locked": source.archived,
        "archive_timestamp": timestamp(milliseconds_of(source.id)),
        "auto_archive_duration": _THREAD_ARCHIVES_MINUTES,
    }  # fmt: skip
    payload |= {"type": 11, "owner_id": str(world.bot.id), "parent_id": str(source.parent)}
    return {**payload, "thread_metadata": metadata, "message_count": 0, "member_count": 1}


def guild(world: World) -> Object:
    """Return the whole server, as the bot receives it at the start."""
    channels = [c for c in world.channels.values() if c.kind == "text" or not c.archived]
    return {
        "id": str(world.guild_id), "name": world.name, "owner_id": str(world.guild_id - 1),
        "features": ["COMMUNITY"], "preferred_locale": world.locale, "member_count": len(world.seated()) + 1,
        "members": [{**member(world.bot), "user": user(world.bot)}],
        "roles": [role(world, source) for source in world.roles.values()],
        "channels": [channel(world, c) for c in channels if c.kind == "text"],
        "threads": [channel(world, c) for c in channels if c.kind == "thread"],
    }  # fmt: skip


def interaction(world: World, person: Person, source: Channel) -> Object:
    """Return the fields that every interaction has: person, channel, rights, and the spoken language."""
    rights, number, spoken = str(int(world.rights(person, source))), str(world.guild_id), SPOKEN.get()
    payload: Object = {
        "application_id": str(world.bot.id), "version": 1, "entitlements": [],
        "locale": spoken.code if spoken else "en-US",
        "channel_id": str(source.id), "channel": {**channel(world, source), "permissions": rights},
        "attachment_size_limit": FILE_BYTES, "app_permissions": str(int(world.rights(world.bot, source))),
    }  # fmt: skip
    if source.kind == "alone":
        return payload | {"context": 1, "authorizing_integration_owners": {"0": "0"}, "user": user(person)}
    return payload | {
        "context": 0, "authorizing_integration_owners": {"0": number}, "guild_id": number,
        "guild_locale": world.locale,
        "guild": {"id": number, "locale": world.locale, "features": ["COMMUNITY"]},
        "member": {**member(person), "user": user(person), "permissions": rights},
    }  # fmt: skip


def message(world: World, source: Message) -> Object:
    """Return a message."""
    attached = components.attached(source.components)
    files = {file["id"]: attachment(world, file) for file in source.attachments}
    metadata = {
        "id": str(source.interaction), "type": 2, "user": user(world.people[source.asker]),
        "authorizing_integration_owners": {"0": str(world.guild_id)},
    } if source.interaction and source.asker else None  # fmt: skip
    return {
        "id": str(source.id), "type": 20 if source.origin == "answer" else 0,
        "channel_id": str(source.channel), "author": user(world.people[source.author]),
        "content": source.content, "embeds": [],
        "components": components.with_addresses(source.components, files),
        "attachments": [file for number, file in files.items() if number not in attached],
        "timestamp": timestamp(milliseconds_of(source.id)),
        "edited_timestamp": timestamp(source.edited) if source.edited else None,
        "mentions": [user(world.people[person]) for person in source.calls], "mention_everyone": False,
        "flags": source.flags, "tts": False, "pinned": False,
        **({"interaction_metadata": metadata} if metadata else {}),
    }  # fmt: skip


def attachment(world: World, file: Object) -> Object:
    """Return a file's description with its address."""
    url = f"{world.address}/files/{file['id']}/{file['key']}/{file['filename']}"
    return {**{key: value for key, value in file.items() if key != "key"}, "url": url, "proxy_url": url}


def resolve(world: World, resolved: Object, kind: int, key: str) -> None:
    """Add the object behind an id in an option or select to `resolved`."""
    if kind in {options.USER, options.MENTIONABLE} and int(key) in world.people:
        resolved.setdefault("users", {})[key] = user(world.people[int(key)])
        resolved.setdefault("members", {})[key] = {**member(world.people[int(key)]), "permissions": "0"}
    elif kind in {options.ROLE, options.MENTIONABLE}:
        resolved.setdefault("roles", {})[key] = role(world, world.roles[int(key)])
    elif kind == options.CHANNEL:
        payload = channel(world, world.channels[int(key)])
        resolved.setdefault("channels", {})[key] = {**payload, "permissions": "0"}
    elif kind == options.FILE and (file := world.store.file(int(key))):
        resolved.setdefault("attachments", {})[key] = attachment(world, file[1])
