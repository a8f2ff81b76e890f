"""Messages and their files: post, edit and delete them; each change is saved before it is announced."""

import re
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from io import BytesIO
from warnings import catch_warnings

from bot.play import components
from bot.play.checks import FILE_BYTES, RequestRefused, refuse
from bot.play.store import Object, mapped
from bot.play.world import Message, Right, World
from bot.times import DAY, INSTANCE_BITS
from bot.words.saying import phrase

_MENTION = re.compile(r"<@(?P<role>&?)!?(?P<id>[0-9]{1,19})>|@everyone|@here")
UPLOAD_MS = 15 * 60 * 1000
"""How long an upload can be used that no message has."""
LOST, CLOSED = phrase("No answer came."), phrase("No answer came: the table was closed meanwhile.")
"""Placeholders of missing answers; each person reads them in their language."""
PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}


@dataclass(frozen=True, slots=True)
class Deleted:
    """Deleted messages of a channel, `ids` None for all; `viewer` is the only person who saw them, if any."""

    channel: int
    ids: tuple[int, ...] | None
    viewer: int | None = None


@dataclass
class Posts:
    """The messages of the table."""

    world: World

    def find(self, message: int | None) -> Message | None:
        """Return a message by its id, or None."""
        data = self.world.store.message(message) if message else None
        return Message(**data) if data else None

    def fill(self, message: Message, body: Object, *, edited: bool = False) -> None:
        """Apply a request's body to a message; raise RequestRefused for what Discord refuses.

        Its `files` are the names and bytes of uploaded files, by number.
        """
        files: dict[int, tuple[str, bytes]] = body.get("files") or {}
        v2 = becomes_v2(message, body)
        if message.v2 and body.get("flags") is not None and not int(body["flags"]) & components.V2:
            refuse("flags", "MESSAGE_FLAGS_INVALID", "IS_COMPONENTS_V2 cannot be taken away.")
        components.check_message({"content": message.content, **body}, v2=v2)
        if any(len(content) > FILE_BYTES for _, content in files.values()):
            raise RequestRefused(413, 40005, "Request entity too large")
        message.content = body.get("content", message.content) or ""
        message.components, message.v2 = body.get("components", message.components) or [], v2
        for part in message.parts():
            if emoji := mapped(part.get("emoji")).get("id"):
                part["emoji"]["id"] = str(emoji)
        if body.keys() & {"components" if v2 else "content", "allowed_mentions"}:
            message.calls = self.notified(message, body.get("allowed_mentions"))
        listed: dict[str, Object] = {str(item.get("id")): item for item in body.get("attachments") or ()}
        if "attachments" in body:
            message.attachments = [file for file in message.attachments if file["id"] in listed]
        new: list[Object] = []
        for number, (name, content) in files.items():
            entry = listed.get(str(number), {})
            filename, about = entry.get("filename") or name, entry.get("description") or ""
            new.append(self.keep_file(filename, content, about))
        message.attachments += new
        if v2:
            components.number(message.components)
            components.attach(message.components, message.attachments, [n["id"] for n in new if edited])
        has_content = message.components or (not v2 and (message.content.strip() or message.attachments))
        if not (has_content or message.waiting):
            raise RequestRefused(400, 50006, "Cannot send an empty message")

    def notified(self, message: Message, allowed: Object | None) -> list[int]:
        """Return the ids of the people whom a message notifies; `allowed` None allows all mentions."""
        world = self.world
        parse: set[str] = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse", []))
        allowed_ids = {str(i) for key in ("users", "roles") for i in (allowed or {}).get(key, [])}
        rights = world.rights(world.people[message.author], world.channels[message.channel])
        people: dict[int, None] = {}
        for mention in _MENTION.finditer(message.text):
            number = int(mention["id"] or 0)
            kind = "roles" if mention["role"] else "users" if number else "everyone"
            if kind not in parse and str(number) not in allowed_ids:
                continue
            if kind == "users":
                people[number] = None
            elif kind == "roles" or rights & (Right.MENTION_EVERYONE | Right.MANAGE_SERVER):
                people |= {p.id: None for p in world.seated() if kind == "everyone" or number in p.roles}
        return [person_id for person_id in people if person_id in world.people]

    def keep_file(self, name: str, content: bytes, about: str = "") -> Object:
        """Save a file that belongs to no message yet, and return its description."""
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)[-100:].lstrip(".") or "file"
        file: Object = {"id": str(self.world.new_id()), "key": secrets.token_urlsafe(16), "filename": plain}
        file |= {"size": len(content), "content_type": "application/octet-stream"}
        if header := picture(content):
            file |= dict(zip(("content_type", "width", "height"), header, strict=True))
        file |= {"description": about[:1024]} if about else {}
        self.world.store.add_file(int(file["id"]), file, content)
        return file

    def post(self, message: Message, *, new: bool = True) -> None:
        """Save a new or changed message, and announce it."""
        self.world.store.save(message.id, message.channel, message.viewer, asdict(message))
        self.world.tell(message, new=new)

    def edit(self, message: Message, body: Object) -> None:
        """Edit a message by a request's body; the first edit of a deferred answer is not marked as one."""
        self.fill(message, body, edited=True)
        message.edited = None if message.waiting else int(self.world.clock() * 1000)
        message.waiting = False
        self.post(message, new=False)

    def close_waiting(self, message: Message | None, sentence: str) -> None:
        """Fill a message that still waits for its answer with a placeholder."""
        if message and message.waiting:
            self.edit(message, {"content": sentence})

    def delete(self, message: Message) -> None:
        """Delete a message."""
        self.world.store.delete("id", message.id)
        self.world.tell(Deleted(message.channel, (message.id,), message.viewer))

    def clear(self, channel: int) -> None:
        """Delete all messages of a channel."""
        self.world.store.delete("channel", channel)
        self.world.tell(Deleted(channel, None))

    def tidy(self) -> None:
        """Delete messages and files beyond the limits, private answers older than a day, and unused files."""
        now = self.world.new_id()
        day, upload = DAY * 1000 << INSTANCE_BITS, UPLOAD_MS << INSTANCE_BITS
        for number in self.world.store.tidy(now - day, now - upload):
            if message := self.find(number):
                self.delete(message)


def becomes_v2(message: Message, body: Object) -> bool:
    """Return whether a message is of the second version once a request's body is applied."""
    return message.v2 or bool(int(body.get("flags") or 0) & components.V2)


def picture(content: bytes) -> tuple[str, int, int] | None:
    """Return media type, width and height of a PNG, JPEG, GIF or WebP by its header; None for others."""
    from PIL import Image, WebPImagePlugin  # late: the first picture comes long after the page

    formats = ("PNG", "JPEG", "GIF", WebPImagePlugin.WebPImageFile.format or "")
    # A broken file, or one whose size Pillow warns of, counts as no picture.
    with suppress(Exception), catch_warnings(action="error"):
        image = Image.open(BytesIO(content), formats=formats)
        # MPO is a JPEG with further pictures behind it, as some phones take them.
        return "image/jpeg" if image.format == "MPO" else f"image/{image.format}".lower(), *image.size
    return None
