"""What a page is shown: people, channels and messages as the page's JSON, for one person's eyes."""

import re
from functools import lru_cache

from bot.play import marks, results
from bot.play.store import LATEST, Object
from bot.play.world import Channel, Message, Person, World, milliseconds

_PAGE, _UNREAD_AT_MOST = 50, 100
_MENTION = re.compile(r"<(@&|@!?|#)(\d{1,19})>")
_HIDING = re.compile(r"\b(?:visibility|hidden):", re.IGNORECASE)
_ROLL = re.compile(r"^roll (?:dice:)?", re.IGNORECASE)


def person(world: World, shown: Person) -> Object:
    """Return somebody."""
    view = {"id": str(shown.id), "name": shown.name, "color": shown.colour}
    return {**view, "gm": world.is_gm(shown), "bot": shown.bot, "gone": shown.gone}


def reading(world: World, shown: Channel, viewer: Person) -> Object:
    """Return how far the viewer has read a channel, and how much of it they have not."""
    read = viewer.read.get(str(shown.id))
    newer = world.store.messages(shown.id, viewer.id, read or viewer.id, limit=_UNREAD_AT_MOST)
    unread = [message for message in newer if message["author"] != viewer.id]
    calls = sum(viewer.id in message["calls"] for message in unread)
    return {"read": _id(read), "unread": len(unread), "calls": calls}


def channel(world: World, shown: Channel, viewer: Person) -> Object:
    """Return a channel."""
    latest = [message["id"] for message in world.store.messages(shown.id, viewer.id)]
    view = {"id": str(shown.id), "kind": shown.kind, "name": shown.name, "about": shown.about}
    view |= {"parent": _id(shown.parent), "archived": shown.archived, "bot_lacks": shown.lacks}
    return {**view, **reading(world, shown, viewer), "latest": _id(latest[0]) if latest else None}


def message(world: World, shown: Message, viewer: Person) -> Object:
    """Return a message; its buttons, selects and files are shown as Discord tells of them."""
    body, margin = _tree(shown.content, bot=world.people[shown.author].bot)
    view: Object = {
        "id": str(shown.id),
        "channel": str(shown.channel),
        "kind": shown.origin,
        "author": str(shown.asker if shown.origin == "answer" else shown.author),
        "asker": _id(shown.asker),
        "command": shown.command,
        "time": milliseconds(shown.id),
        "only_you": shown.viewer is not None,
        "calls_you": viewer.id in shown.calls,
        "waiting": shown.waiting,
        "text": _MENTION.sub(lambda found: _name(world, found), shown.content),
        "nodes": body,
        "margin": margin,
        "files": [{key: each[key] for key in each.keys() - {"key"}} for each in shown.attachments],
        "rows": [row["components"] for row in shown.components],
    }
    return view | ({"line": shown.line, "again": _again(shown)} if shown.asker == viewer.id else {})


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
        fields += [field | said for field in part.get("components") or [part["component"]]]
    return {"id": str(number), "title": shown["title"], "fields": fields}


@lru_cache(maxsize=1_000)
def _tree(content: str, *, bot: bool) -> tuple[list[Object], list[list[marks.MarkNode]]]:
    return results.body(content) if bot else (marks.blocks(content), [])


def _name(world: World, found: re.Match[str]) -> str:
    """Return the name that stands for a mention."""
    number = int(found[2])
    if found[1] == "#":
        return f"#{world.channels[number].name}" if number in world.channels else "#somewhere"
    known = world.roles if found[1] == "@&" else world.people
    return f"@{known[number].name}" if number in known else "@somebody"


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)
