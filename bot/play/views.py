"""The page's JSON of people, channels and messages, as one person sees them."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby

from bot.play import components, marks
from bot.play.messages import CLOSED, LOST
from bot.play.store import LATEST, Object
from bot.play.world import Channel, Message, Person, World
from bot.times import milliseconds_of
from bot.words.saying import say

_PAGE_SIZE, _UNREAD_AT_MOST = 50, 100
_SENT_BYTES = 256 * 1024
"""What is sent of a history at once, far below the size at which a page that does not read is cut off."""
_MENTION = re.compile(r"<(@&|@!?|#)(\d{1,19})>")
_SIZES = re.compile(r"^(?:#{1,3}|-#) ", re.MULTILINE)
_VISIBILITY_OPTION = re.compile(r"\b(?:visibility|hidden):", re.IGNORECASE)
_KINDS = {1: "head", 2: "rows", 3: "small"}
"""Thousands of a text display's numeric id to its kind."""
_TONES = {"good": 0x86CDB2, "bad": 0xF0A092, "secret": 0xE3B661, "quiet": 0x607275}
"""Tone to its colour; a container gets the tone whose colour is nearest to its accent."""
_ROLL = re.compile(r"^roll (?:dice:)?", re.IGNORECASE)


def person(world: World, source: Person) -> Object:
    """Return a person."""
    view = {"id": str(source.id), "name": source.name, "color": source.colour}
    return {**view, "gm": world.is_gm(source), "bot": source.bot, "gone": source.gone}


def reading(world: World, source: Channel, viewer: Person) -> Object:
    """Return the viewer's read mark of a channel, and their counts of unread messages and mentions."""
    read = viewer.read.get(str(source.id))
    newer = world.store.messages(source.id, viewer.id, read or viewer.id, limit=_UNREAD_AT_MOST)
    unread = [entry for entry in newer if entry["author"] != viewer.id]
    calls = sum(viewer.id in entry["calls"] for entry in unread)
    return {"read": _id(read), "unread": len(unread), "calls": calls}


def channel(world: World, source: Channel, viewer: Person) -> Object:
    """Return a channel."""
    latest = [entry["id"] for entry in world.store.messages(source.id, viewer.id)]
    view = {"id": str(source.id), "kind": source.kind, "name": source.name, "about": source.about}
    view |= {"parent": _id(source.parent), "archived": source.archived, "bot_lacks": source.lacks}
    return {**view, **reading(world, source, viewer), "latest": _id(latest[0]) if latest else None}


def message(world: World, source: Message, viewer: Person) -> Object:
    """Return a message, with its components and files as in Discord's JSON, and texts as nodes."""
    files = {file["id"]: {key: file[key] for key in file.keys() - {"key"}} for file in source.attachments}
    is_placeholder = source.interaction and source.content in {LOST, CLOSED}
    content = say(source.content) if is_placeholder else source.content
    text = _SIZES.sub("", source.text) if source.v2 else content
    view: Object = {
        "id": str(source.id),
        "channel": str(source.channel),
        "kind": source.origin,
        "author": str(source.asker or source.author),
        "asker": _id(source.asker),
        "command": source.command,
        "time": milliseconds_of(source.id),
        "only_you": source.viewer is not None,
        "calls_you": viewer.id in source.calls,
        "waiting": source.waiting,
        "text": _MENTION.sub(lambda mention: _name(world, mention), marks.without_faces(text)),
        "nodes": _tree(content),
        "files": [] if source.v2 else [*files.values()],
        "components": [_part(part, files) for part in source.components],
    }
    return view | ({"line": source.line, "again": _repeat_label(source)} if source.asker == viewer.id else {})


def _part(part: Object, files: Mapping[str, Object]) -> Object:
    """Return a component with its texts as nodes, its files, and a tone for its colour."""
    view = {**part}
    for key in ("components", "items"):
        if key in part:
            view[key] = [_part(child, files) for child in part[key]]
    if "accessory" in part:
        view["accessory"] = _part(part["accessory"], files)
    if part.get("type") == components.TEXT:
        view["kind"] = kind = _KINDS.get(part["id"] // 1_000, "")
        view["nodes"] = (_rows if kind == "rows" else marks.blocks)(part["content"])
    for key in part.keys() & {"media", "file"}:
        view["file"] = {**files.get(part[key].get("attachment_id", ""), {"url": part[key]["url"]})}
        view["file"] |= {"description": part["description"]} if part.get("description") else {}
    if colour := part.get("accent_color"):
        view["tone"] = min(_TONES, key=lambda tone: _distance(_TONES[tone], colour))
    return view


def _rows(text: str) -> list[Object]:
    """Return the blocks of a text of rows: headings and small lines as usual, other lines as items."""
    nodes: list[Object] = []
    lines = (line for line in text.split("\n") if line.strip())
    for other, group in groupby(lines, lambda line: line.startswith(("#", "-# "))):
        block = list(group)
        rows = [{"n": "rows", "items": [marks.inline(line) for line in block]}]
        nodes += marks.blocks("\n".join(block)) if other else rows
    return nodes


def _distance(first: int, second: int) -> int:
    """Return the squared distance of two RGB colours."""
    return sum(((first >> shift & 255) - (second >> shift & 255)) ** 2 for shift in (0, 8, 16))


def history(
    world: World, viewer: Person, source: Channel,
    before: int | None = None, after: int | None = None, around: int | None = None,
) -> Object:  # fmt: skip
    """Return a page of a channel's messages: the newest, or those before, after or around an id."""
    high, size = around or before or LATEST, _PAGE_SIZE // 2 if around else _PAGE_SIZE
    start = around - 1 if around else after
    older = [] if after else world.store.messages(source.id, viewer.id, 0, high, size + 1)
    newer: list[Object] = []
    if start:
        newer = world.store.messages(source.id, viewer.id, start, LATEST, _PAGE_SIZE + 1, oldest=True)
    before_it, after_it = (
        fitting(message(world, Message(**entry), viewer) for entry in entries)
        for entries in (older[: -size - 1 : -1], newer[:_PAGE_SIZE])
    )
    return {
        "channel": str(source.id),
        "messages": before_it[::-1] + after_it,
        "more": len(older) > len(before_it),
        "later": len(newer) > len(after_it),
    }


def fitting(parts: Iterable[Object]) -> list[Object]:
    """Return the first of these parts that are short enough to be sent at once; at least one of them."""
    fits, room = list[Object](), _SENT_BYTES
    for part in parts:
        room -= len(json.dumps(part))
        if room < 0 and fits:
            break
        fits.append(part)
    return fits


def _repeat_label(source: Message) -> str | None:
    """Return the label of the button that repeats a message's line, or None if it is no public roll."""
    line = (source.line or "")[1:]
    is_roll = line.lower().startswith(("roll ", "d100 roll "))
    if source.viewer or not is_roll or _VISIBILITY_OPTION.search(line):
        return None
    return _ROLL.sub("", line, count=1).replace(" label:", " ")[:60]


def form(modal: Object, number: int) -> Object:
    """Return a modal, with its fields and their labels as in Discord's JSON."""
    fields = [
        part["component"] | {"label": part["label"], "description": part.get("description")}
        for part in modal["components"]
    ]
    return {"id": str(number), "title": modal["title"], "fields": fields}


@lru_cache(maxsize=1_000)
def _tree(content: str) -> list[Object]:
    return marks.blocks(content)


def _name(world: World, mention: re.Match[str]) -> str:
    """Return the text of a mention: the name of the person, role or channel."""
    number = int(mention[2])
    if mention[1] == "#":
        return f"#{world.channels[number].name}" if number in world.channels else f"#{say('somewhere')}"
    targets = world.roles if mention[1] == "@&" else world.people
    return f"@{targets[number].name}" if number in targets else f"@{say('somebody')}"


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)
