"""Messages and their files come, change and go: each is kept before anybody is told of it."""

import re
import secrets
import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from bot.play import payloads
from bot.play.checks import FILE_BYTES, MESSAGE, RequestRefused, check
from bot.play.store import Object, mapped
from bot.play.world import Message, Right, World

EPHEMERAL, LOADING = 64, 128
_MENTION = re.compile(r"<@(?P<role>&?)!?(?P<id>[0-9]{1,19})>|@everyone|@here")
_DAY_MS = 86_400_000
PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_PNG = re.compile(rb"\x89PNG\r\n\x1a\n.{4}IHDR(.{8})", re.DOTALL)
_GIF = re.compile(rb"GIF8[79]a(.{4})", re.DOTALL)
_WEBP = re.compile(rb"RIFF.{4}WEBP(?:VP8 .{10}(.{4})|VP8L.{5}(.{4})|VP8X.{8}(.{6}))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Gone:
    """Messages of a channel are gone; `ids` None means all. `viewer` is the only one who saw them."""

    channel: int
    ids: tuple[int, ...] | None
    viewer: int | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came."""

    name: str
    content: bytes


Uploads: TypeAlias = Mapping[int, Upload]
"""Files by their number in a request."""


@dataclass
class Posts:
    """The messages of the table. `address` is where the bot fetches files."""

    world: World
    address: str = ""

    def find(self, message: int | None) -> Message | None:
        """Return a message."""
        data = self.world.store.message(message) if message else None
        return Message(**data) if data else None

    def payload(self, message: Message) -> Object:
        """Return a message as Discord's JSON."""
        return payloads.message(self.world, message, self.address)

    def fill(self, message: Message, body: Object, uploads: Uploads) -> None:
        """Take over what a request says of a message; raise RequestRefused for what Discord refuses."""
        check(MESSAGE, body)
        if any(len(upload.content) > FILE_BYTES for upload in uploads.values()):
            raise RequestRefused(413, 40005, "Request entity too large")
        message.content = body.get("content", message.content) or ""
        message.components = body.get("components", message.components) or []
        for part in message.parts():
            if mapped(part.get("emoji")).get("id"):
                part["emoji"]["id"] = str(part["emoji"]["id"])
        if "content" in body or "allowed_mentions" in body:
            message.calls = self.called(message, body.get("allowed_mentions"))
        listed: dict[str, Object] = {str(each.get("id")): each for each in body.get("attachments") or ()}
        if "attachments" in body:
            message.attachments = [kept for kept in message.attachments if kept["id"] in listed]
        for number, upload in uploads.items():
            said = listed.get(str(number), {})
            named = Upload(said.get("filename") or upload.name, upload.content)
            message.attachments.append(self.keep_file(named, message.author, said.get("description") or ""))
        if not (message.content.strip() or message.attachments or message.components or message.waiting):
            raise RequestRefused(400, 50006, "Cannot send an empty message")

    def called(self, message: Message, allowed: Object | None) -> list[int]:
        """Return whom a message notifies, as far as `allowed_mentions` lets it; None allows all."""
        world = self.world
        parse: set[str] = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse", []))
        named = {str(i) for key in ("users", "roles") for i in (allowed or {}).get(key, [])}
        rights = world.rights(world.people[message.author], world.channels[message.channel])
        found: dict[int, None] = {}
        for mention in _MENTION.finditer(message.content):
            number = int(mention["id"] or 0)
            kind = "roles" if mention["role"] else "users" if number else "everyone"
            if kind not in parse and str(number) not in named:
                continue
            if kind == "users":
                found[number] = None
            elif kind == "roles" or rights & (Right.MENTION_EVERYONE | Right.MANAGE_SERVER):
                found |= {p.id: None for p in world.seated() if kind == "everyone" or number in p.roles}
        return [person for person in found if person in world.people]

    def keep_file(self, upload: Upload, owner: int, about: str = "") -> Object:
        """Keep a file that stands in no message yet, and return its description."""
        kept: Object = {
            "id": str(self.world.new_id()),
            "key": secrets.token_urlsafe(16),
            "filename": re.sub(r"[^A-Za-z0-9._-]", "_", upload.name)[-100:].lstrip(".") or "file",
            "size": len(upload.content),
            "content_type": "application/octet-stream",
        }
        if found := picture(upload.content):
            kept |= dict(zip(("content_type", "width", "height"), found, strict=True))
        kept |= {"description": about[:1024]} if about else {}
        self.world.store.add_file(int(kept["id"]), owner, kept, upload.content)
        return kept

    def post(self, message: Message, *, new: bool = True) -> None:
        """Keep a new or changed message, and tell it."""
        self.world.store.save(message.id, message.channel, message.viewer, asdict(message))
        self.world.tell(message, new=new)

    def edit(self, message: Message, body: Object, uploads: Uploads) -> None:
        """Change a message as a request says; the first change of a deferred answer is none to be seen."""
        self.fill(message, body, uploads)
        message.edited = None if message.waiting else int(self.world.clock() * 1000)
        message.waiting, message.flags = False, message.flags & ~LOADING
        self.post(message, new=False)

    def lose(self, message: Message | None, sentence: str) -> None:
        """Say in a message that still waits that its answer never came."""
        if message and message.waiting:
            self.edit(message, {"content": sentence}, {})

    def delete(self, message: Message) -> None:
        """Delete a message."""
        self.world.store.delete("id", message.id)
        self.world.tell(Gone(message.channel, (message.id,), message.viewer))

    def clear(self, channel: int) -> None:
        """Delete all messages of a channel."""
        self.world.store.delete("channel", channel)
        self.world.tell(Gone(channel, None))

    def tidy(self) -> None:
        """Delete what is beyond the limits, and private answers of more than a day ago."""
        for number in self.world.store.tidy(self.world.new_id() - (_DAY_MS << 22)):
            if message := self.find(number):
                self.delete(message)


def picture(content: bytes) -> tuple[str, int, int] | None:
    """Return media type, width and height of a PNG, JPEG, GIF or WebP by its first bytes; None for others."""
    if found := _PNG.match(content):
        return "image/png", *struct.unpack(">II", found[1])
    if found := _GIF.match(content):
        return "image/gif", *struct.unpack("<HH", found[1])
    if found := _WEBP.match(content):
        # lossy: 14 bits of size and 2 of scale, twice; lossless: two times 14 bits, less one; extended: 24.
        apart, wide, less = ((16, 14, 0), (14, 14, 1), (24, 24, 1))[(found.lastindex or 1) - 1]
        bits, mask = int.from_bytes(found[found.lastindex or 1], "little"), (1 << wide) - 1
        return "image/webp", (bits & mask) + less, (bits >> apart & mask) + less
    return _jpeg(content) if content.startswith(b"\xff\xd8\xff") else None


def _jpeg(content: bytes) -> tuple[str, int, int] | None:
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return "image/jpeg", width, height
        at += 2 + length
    return None
