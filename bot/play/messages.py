"""Messages and their files come, change and go: each is kept before anybody is told of it."""

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
"""How long a file can be used that stands in no message."""
LOST, CLOSED = phrase("No answer came."), phrase("No answer came: the table was closed meanwhile.")
"""What stands in place of an answer: each reads it in their language."""
PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}


@dataclass(frozen=True, slots=True)
class Gone:
    """Messages of a channel are gone; `ids` None means all. `viewer` is the only one who saw them."""

    channel: int
    ids: tuple[int, ...] | None
    viewer: int | None = None


@dataclass
class Posts:
    """The messages of the table."""

    world: World

    def find(self, message: int | None) -> Message | None:
        """Return a message."""
        data = self.world.store.message(message) if message else None
        return Message(**data) if data else None

    def fill(self, message: Message, body: Object, *, edited: bool = False) -> None:
        """Take over what a request says of a message; raise RequestRefused for what Discord refuses.

        The names and bytes of files that came along stand in `files` by their number.
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
            message.calls = self.called(message, body.get("allowed_mentions"))
        listed: dict[str, Object] = {str(each.get("id")): each for each in body.get("attachments") or ()}
        if "attachments" in body:
            message.attachments = [kept for kept in message.attachments if kept["id"] in listed]
        new: list[Object] = []
        for number, (name, content) in files.items():
            said = listed.get(str(number), {})
            named, about = said.get("filename") or name, said.get("description") or ""
            new.append(self.keep_file(named, content, about))
        message.attachments += new
        if v2:
            components.number(message.components)
            components.attach(message.components, message.attachments, [n["id"] for n in new if edited])
        shown = message.components or (not v2 and (message.content.strip() or message.attachments))
        if not (shown or message.waiting):
            raise RequestRefused(400, 50006, "Cannot send an empty message")

    def called(self, message: Message, allowed: Object | None) -> list[int]:
        """Return whom a message notifies, as far as `allowed_mentions` lets it; None allows all."""
        world = self.world
        parse: set[str] = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse", []))
        named = {str(i) for key in ("users", "roles") for i in (allowed or {}).get(key, [])}
        rights = world.rights(world.people[message.author], world.channels[message.channel])
        found: dict[int, None] = {}
        for mention in _MENTION.finditer(message.text):
            number = int(mention["id"] or 0)
            kind = "roles" if mention["role"] else "users" if number else "everyone"
            if kind not in parse and str(number) not in named:
                continue
            if kind == "users":
                found[number] = None
            elif kind == "roles" or rights & (Right.MENTION_EVERYONE | Right.MANAGE_SERVER):
                found |= {p.id: None for p in world.seated() if kind == "everyone" or number in p.roles}
        return [person for person in found if person in world.people]

    def keep_file(self, name: str, content: bytes, about: str = "") -> Object:
        """Keep a file that stands in no message yet, and return its description."""
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)[-100:].lstrip(".") or "file"
        kept: Object = {"id": str(self.world.new_id()), "key": secrets.token_urlsafe(16), "filename": plain}
        kept |= {"size": len(content), "content_type": "application/octet-stream"}
        if found := picture(content):
            kept |= dict(zip(("content_type", "width", "height"), found, strict=True))
        kept |= {"description": about[:1024]} if about else {}
        self.world.store.add_file(int(kept["id"]), kept, content)
        return kept

    def post(self, message: Message, *, new: bool = True) -> None:
        """Keep a new or changed message, and tell it."""
        self.world.store.save(message.id, message.channel, message.viewer, asdict(message))
        self.world.tell(message, new=new)

    def edit(self, message: Message, body: Object) -> None:
        """Change a message as a request says; the first change of a deferred answer is none to be seen."""
        self.fill(message, body, edited=True)
        message.edited = None if message.waiting else int(self.world.clock() * 1000)
        message.waiting = False
        self.post(message, new=False)

    def lose(self, message: Message | None, sentence: str) -> None:
        """Say in a message that still waits that its answer never came."""
        if message and message.waiting:
            self.edit(message, {"content": sentence})

    def delete(self, message: Message) -> None:
        """Delete a message."""
        self.world.store.delete("id", message.id)
        self.world.tell(Gone(message.channel, (message.id,), message.viewer))

    def clear(self, channel: int) -> None:
        """Delete all messages of a channel."""
        self.world.store.delete("channel", channel)
        self.world.tell(Gone(channel, None))

    def tidy(self) -> None:
        """Delete what is beyond the limits, private answers of more than a day ago, and unused files."""
        now = self.world.new_id()
        day, upload = DAY * 1000 << INSTANCE_BITS, UPLOAD_MS << INSTANCE_BITS
        for number in self.world.store.tidy(now - day, now - upload):
            if message := self.find(number):
                self.delete(message)


def becomes_v2(message: Message, body: Object) -> bool:
    """Return whether a message is made of components alone once a request is carried out."""
    return message.v2 or bool(int(body.get("flags") or 0) & components.V2)


def picture(content: bytes) -> tuple[str, int, int] | None:
    """Return media type, width and height of a PNG, JPEG, GIF or WebP by its header; None for others."""
    from PIL import Image, WebPImagePlugin  # late: the first picture comes long after the page

    formats = ("PNG", "JPEG", "GIF", WebPImagePlugin.WebPImageFile.format or "")
    # whatever is wrong with a file, and a size that Pillow warns of: it is no picture
    with suppress(Exception), catch_warnings(action="error"):
        found = Image.open(BytesIO(content), formats=formats)
        # MPO: a JPEG with more pictures behind it, as some phones take them
        return "image/jpeg" if found.format == "MPO" else f"image/{found.format}".lower(), *found.size
    return None
