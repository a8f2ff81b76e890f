"""What a page is shown: people, channels and messages as the page's JSON, for one person's eyes."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby

from bot.play import components, marks
from bot.play.messages import CLOSED, LOST
from bot.play.store import LATEST, Object
from bot.play.world import Channel, Message, Person, World
from bot.times import milliseconds_of
from bot.words.saying import say

_PAGE, _UNREAD_AT_MOST = 50, 100
_MENTION = re.compile(r"<(@&|@!?|#)(\d{1,19})>")
_SIZES = re.compile(r"^(?:#{1,3}|-#) ", re.MULTILINE)
_HIDING = re.compile(r"\b(?:visibility|hidden):", re.IGNORECASE)
_KINDS = {1: "head", 2: "rows", 3: "small"}
"""What a text display is for, by the thousands of its numeric id."""
_TONES = {"good": 0x86CDB2, "bad": 0xF0A092, "secret": 0xE3B661, "quiet": 0x607275}
"""The colours that a container's accent is taken for: the nearest."""
_ROLL = re.compile(r"^roll (?:dice:)?", re.IGNORECASE)


def person(world: World, shown: Person) -> Object:
    """Return somebody."""
    view = {"id": str(shown.id), "name": shown.name, "color": shown.colour}
    return {**view, "gm": world.is_gm(shown), "bot": shown.bot, "gone": shown.gone}


def reading(world: World, shown: Channel, viewer: Person) -> Object:
    """Return how far the viewer has read a channel, and how much of it they have not."""
    read = viewer.read.get(str(shown.id))
    newer = world.store.messages(shown.id, viewer.id, read or viewer.id, limit=_UNREAD_AT_MOST)
    unread = [each for each in newer if each["author"] != viewer.id]
    calls = sum(viewer.id in each["calls"] for each in unread)
    return {"read": _id(read), "unread": len(unread), "calls": calls}


def channel(world: World, shown: Channel, viewer: Person) -> Object:
    """Return a channel."""
    latest = [each["id"] for each in world.store.messages(shown.id, viewer.id)]
    view = {"id": str(shown.id), "kind": shown.kind, "name": shown.name, "about": shown.about}
    view |= {"parent": _id(shown.parent), "archived": shown.archived, "bot_lacks": shown.lacks}
    return {**view, **reading(world, shown, viewer), "latest": _id(latest[0]) if latest else None}


def message(world: World, shown: Message, viewer: Person) -> Object:
    """Return a message; its components and files are shown as Discord tells of them, texts as nodes."""
    files = {each["id"]: {key: each[key] for key in each.keys() - {"key"}} for each in shown.attachments}
    content = say(shown.content) if shown.interaction and shown.content in {LOST, CLOSED} else shown.content
    text = _SIZES.sub("", shown.text) if shown.v2 else content
    view: Object = {
        "id": str(shown.id),
        "channel": str(shown.channel),
        "kind": shown.origin,
        "author": str(shown.asker or shown.author),
        "asker": _id(shown.asker),
        "command": shown.command,
        "time": milliseconds_of(shown.id),
        "only_you": shown.viewer is not None,
        "calls_you": viewer.id in shown.calls,
        "waiting": shown.waiting,
        "text": _MENTION.sub(lambda found: _name(world, found), marks.without_faces(text)),
        "nodes": _tree(content),
        "files": [] if shown.v2 else [*files.values()],
        "components": [_part(each, files) for each in shown.components],
    }
    return view | ({"line": shown.line, "again": _again(shown)} if shown.asker == viewer.id else {})


def _part(part: Object, files: Mapping[str, Object]) -> Object:
    """Return a component with its texts as nodes, the files that it names, and a tone for its colour."""
    view = {**part}
    for key in ("components", "items"):
        if key in part:
            view[key] = [_part(each, files) for each in part[key]]
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
    """Return the blocks of a text of rows: headings and small lines as they are, the others as items."""
    found: list[Object] = []
    lines = (line for line in text.split("\n") if line.strip())
    for other, group in groupby(lines, lambda line: line.startswith(("#", "-# "))):
        block = list(group)
        rows = [{"n": "rows", "items": [marks.inline(line) for line in block]}]
        found += marks.blocks("\n".join(block)) if other else rows
    return found


def _distance(one: int, other: int) -> int:
    """Return how far two colours are from each other."""
    return sum(((one >> shift & 255) - (other >> shift & 255)) ** 2 for shift in (0, 8, 16))


def history(
    world: World, viewer: Person, shown: Channel,
    before: int | None = None, after: int | None = None, around: int | None = None,
) -> Object:  # fmt: skip
    """Return a channel's newest messages, or those before, after or around one."""
    high, size = around or before or LATEST, _PAGE // 2 if around else _PAGE
    start = around - 1 if around else after
    older = [] if after else world.store.messages(shown.id, viewer.id, 0, high, size + 1)
    newer = world.store.messages(shown.id, viewer.id, start, LATEST, _PAGE + 1, oldest=True) if start else []
    return {
        "channel": str(shown.id),
        "messages": [message(world, Message(**each), viewer) for each in older[-size:] + newer[:_PAGE]],
        "more": len(older) > size,
        "later": len(newer) > _PAGE,
    }


def _again(shown: Message) -> str | None:
    """Return how the button that repeats a message's line is called; None if it is no open roll."""
    line = (shown.line or "")[1:]
    if shown.viewer or not line.lower().startswith(("roll ", "d100 roll ")) or _HIDING.search(line):
        return None
    return _ROLL.sub("", line, count=1).replace(" label:", " ")[:60]


def form(shown: Object, number: int) -> Object:
    """Return a modal: its fields, with their labels, as Discord tells of them."""
    fields: list[Object] = []
    for part in shown["components"]:
        said = {"label": part["label"], "description": part.get("description")} if "label" in part else {}
        inner = part.get("components") or [part.get("component") or _part({"id": 0, **part}, {})]
        fields += [field | said for field in inner]
    return {"id": str(number), "title": shown["title"], "fields": fields}


@lru_cache(maxsize=1_000)
def _tree(content: str) -> list[Object]:
    return marks.blocks(content)


def _name(world: World, found: re.Match[str]) -> str:
    """Return the name that stands for a mention."""
    number = int(found[2])
    if found[1] == "#":
        return f"#{world.channels[number].name}" if number in world.channels else f"#{say('somewhere')}"
    known = world.roles if found[1] == "@&" else world.people
    return f"@{known[number].name}" if number in known else f"@{say('somebody')}"


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)
