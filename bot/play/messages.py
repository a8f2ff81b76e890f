"""Messages: what the bot may put into one, how it is kept, and how Discord's JSON shows it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bot.play import payloads
from bot.play.ids import milliseconds
from bot.play.refusals import Invalid, RequestRefused
from bot.play.store import Object
from bot.play.world import Right, World

EPHEMERAL, LOADING = 64, 128
_CONTENT, _FILES = 2_000, 10
_ROWS, _BUTTONS, _LABEL, _ID, _OPTIONS = 5, 5, 80, 100, 25
_ROW, _BUTTON, _LINK_STYLE = 1, 2, 5
SELECTS = {3: "string", 5: "user"}
_MENTION = re.compile(r"<@(?P<role>&?)!?(?P<id>[0-9]{1,19})>|@everyone|@here")

Origin: TypeAlias = Literal["chat", "answer", "reply", "post"]


@dataclass(slots=True)
class Message:
    """A message.

    `origin` says what it is: a person's words, the bot's answer to a command, its reply to a press or form,
    or its post of its own accord. `asker` is whom it answers, `line` what they typed for it.
    """

    id: int
    channel: int
    author: int
    origin: Origin
    content: str = ""
    components: list[Object] = field(default_factory=list[Object])
    attachments: list[Object] = field(default_factory=list[Object])
    calls: list[int] = field(default_factory=list[int])
    """The people whom it notifies."""
    flags: int = 0
    edited: int | None = None
    viewer: int | None = None
    """The only person who sees it, where it is an ephemeral one."""
    asker: int | None = None
    command: str | None = None
    line: str | None = None
    waiting: bool = False
    lost: bool = False

    def data(self) -> Object:
        """Return it as it is kept."""
        return {name: getattr(self, name) for name in self.__slots__}


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
    type: str


def payload(world: World, message: Message, address: str) -> Object:
    """Return a message as Discord's JSON; `address` is where the bot fetches files."""
    author = world.people[message.author]
    asker = world.people.get(message.asker or 0)
    shown: Object = {
        "id": str(message.id),
        "type": 20 if message.origin == "answer" else 0,
        "channel_id": str(message.channel),
        "author": payloads.user(author),
        "content": message.content,
        "timestamp": payloads.timestamp(milliseconds(message.id)),
        "edited_timestamp": payloads.timestamp(message.edited) if message.edited else None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [payloads.user(world.people[p]) for p in message.calls if p in world.people],
        "mention_roles": [],
        "attachments": [attachment(each, address) for each in message.attachments],
        "embeds": [],
        "pinned": False,
        "flags": message.flags,
        "components": message.components,
    }
    if author.bot and message.origin != "post" and asker:
        shown["application_id"] = shown["webhook_id"] = str(author.id)
        shown["interaction_metadata"] = {
            "id": str(message.id - 1),
            "type": 2,
            "user": payloads.user(asker),
            "authorizing_integration_owners": {"0": str(world.guild_id)},
        }
    return shown


def attachment(kept: Object, address: str) -> Object:
    """Return a file's description with the address it is fetched from."""
    url = f"{address}/files/{kept['id']}/{kept['key']}/{kept['filename']}"
    return {**{key: value for key, value in kept.items() if key != "key"}, "url": url, "proxy_url": url}


def check(body: Object, uploads: Sequence[Upload]) -> None:
    """Refuse what Discord refuses in a message: limits, components, files."""
    faults = Invalid()
    if body.get("content") is not None:
        faults.check_length("content", body["content"], 0, _CONTENT)
    if body.get("embeds"):
        faults.add("embeds", "TABLE_UNSUPPORTED", "This table shows no embeds.")
    rows = faults.check_count("components", body.get("components"), _ROWS)
    seen: set[str] = set()
    for r, row in enumerate(rows):
        if row.get("type") != _ROW:
            faults.add(f"components.{r}.type", "BASE_TYPE_CHOICES", "Value must be one of (1,).")
            continue
        path = f"components.{r}.components"
        for c, component in enumerate(faults.check_count(path, row.get("components"), _BUTTONS)):
            _check_component(faults, f"{path}.{c}", component, seen)
    faults.check_count("attachments", body.get("attachments"), _FILES)
    faults.refuse()
    if any(len(upload.content) > payloads.FILE_BYTES for upload in uploads):
        raise RequestRefused(413, 40005, "Request entity too large")


def refuse_empty(message: Message) -> None:
    """Refuse a message that shows nothing."""
    if not (message.content.strip() or message.attachments or message.components or message.waiting):
        raise RequestRefused(400, 50006, "Cannot send an empty message")


def _check_component(faults: Invalid, path: str, component: Object, seen: set[str]) -> None:
    kind = component.get("type")
    if kind == _BUTTON:
        if not component.get("emoji"):
            faults.check_length(f"{path}.label", component.get("label"), 1, _LABEL)
        elif component.get("label"):
            faults.check_length(f"{path}.label", component["label"], 0, _LABEL)
        if component.get("style") == _LINK_STYLE:
            return
        if component.get("style") not in {1, 2, 3, 4}:
            faults.add(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2, 3, 4, 5).")
    elif kind in SELECTS:
        options = faults.check_count(f"{path}.options", component.get("options"), _OPTIONS)
        for o, option in enumerate(options):
            faults.check_length(f"{path}.options.{o}.label", option.get("label"), 1, 100)
            faults.check_length(f"{path}.options.{o}.value", option.get("value"), 1, 100)
    else:
        faults.add(
            f"{path}.type", "BASE_TYPE_CHOICES", "This table has buttons and selects of strings and users."
        )
        return
    faults.check_length(f"{path}.custom_id", component.get("custom_id"), 1, _ID)
    if component.get("custom_id") in seen:
        faults.add(
            f"{path}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
        )
    seen.add(str(component.get("custom_id")))


def called(world: World, message: Message, allowed: Object | None) -> list[int]:
    """Return the people whom a message notifies, as far as `allowed_mentions` lets it; None allows all."""
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
        elif kind == "roles":
            found |= dict.fromkeys(p.id for p in world.seated() if number in p.roles)
        elif rights & (Right.MENTION_EVERYONE | Right.MANAGE_SERVER):
            found |= dict.fromkeys(p.id for p in world.seated())
    return [person for person in found if person in world.people]


def buttons(components: Iterable[Object]) -> Iterable[Object]:
    """Return the buttons and selects of a message."""
    return (component for row in components for component in row.get("components", []))
