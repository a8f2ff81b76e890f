"""What a page is shown: people, channels and messages as the page's JSON, for one person's eyes."""

import re
from functools import lru_cache
from typing import Any

from bot.play import marks, results
from bot.play.ids import milliseconds
from bot.play.messages import SELECTS, Message
from bot.play.store import Object
from bot.play.world import Channel, Person, World

_STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link"}
_BUTTON, _INPUT, _TEXT_SHOWN, _LABEL = 2, 4, 10, 18
_PARAGRAPH = 2
_PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_MENTION = re.compile(r"<(@&|@!?|#)(\d{1,19})>")
_ROLLS = ("roll ", "d100 roll ")
_HIDING = re.compile(r"\b(?:visibility|hidden):", re.IGNORECASE)


def person(world: World, shown: Person) -> Object:
    """Return somebody."""
    return {
        "id": str(shown.id),
        "name": shown.name,
        "color": shown.colour,
        "gm": world.is_gm(shown),
        "bot": shown.bot,
        "gone": shown.gone,
    }


def channel(world: World, shown: Channel, viewer: Person) -> Object:
    """Return a channel, with what the viewer has not read of it."""
    read = world.store.marks(viewer.id).get(shown.id)
    unread = world.store.unread(shown.id, viewer.id, read or viewer.id)
    latest = world.store.latest(shown.id, viewer.id)
    return {
        "id": str(shown.id),
        "kind": shown.kind,
        "name": shown.name,
        "about": shown.about,
        "parent": _id(shown.parent),
        "archived": shown.archived,
        "bot_lacks": shown.lacks,
        "read": _id(read),
        "unread": len(unread),
        "calls": sum(viewer.id in message["calls"] for message in unread),
        "latest": _id(latest),
    }


def message(world: World, shown: Message, viewer: Person, seat: str) -> Object:
    """Return a message as the viewer sees it; its files are fetched with their seat."""
    mine = shown.asker == viewer.id
    body, margin = _tree(shown.content, bot=world.people[shown.author].bot)
    who: list[Any] = [{"n": "user", "id": str(shown.asker)}]
    if shown.origin == "answer" and margin[:1] == [who]:  # it stands above the message already
        margin = margin[1:]
    view: Object = {
        "id": str(shown.id),
        "channel": str(shown.channel),
        "kind": shown.origin,
        "author": str(shown.asker if shown.origin == "answer" else shown.author),
        "asker": _id(shown.asker),
        "command": shown.command,
        "time": milliseconds(shown.id),
        "edited": shown.edited is not None,
        "only_you": shown.viewer is not None,
        "calls_you": viewer.id in shown.calls,
        "state": "working" if shown.waiting else "lost" if shown.lost else "done",
        "text": _named(world, shown.content),
        "nodes": body,
        "margin": margin,
        "files": [_file(each, seat) for each in shown.attachments],
        "rows": [[_component(each) for each in row.get("components", ())] for row in shown.components],
    }
    if mine and shown.line:
        view["line"] = shown.line
        if label := again(shown):
            view["again"] = label
    return view


def again(shown: Message) -> str | None:
    """Return how the button that repeats a message's line is called; None if it is no open roll."""
    line = shown.line or ""
    repeated = line[1:].lower().startswith(_ROLLS) and not _HIDING.search(line) and shown.viewer is None
    return line[1:].removeprefix("roll ").removeprefix("dice:")[:60] if repeated else None


def form(shown: Object, number: int) -> Object:
    """Return a modal."""
    fields: list[Object] = []
    texts: list[list[Object]] = []
    for part in shown.get("components", ()):
        if part.get("type") == _TEXT_SHOWN:
            texts.append(marks.blocks(str(part.get("content", ""))))
        elif part.get("type") == _LABEL:
            fields.append(_field(part["component"], part.get("label", ""), part.get("description") or ""))
        else:
            fields += [_field(each, each.get("label", ""), "") for each in part.get("components", ())]
    return {"id": str(number), "title": shown["title"], "fields": fields, "texts": texts}


def _field(shown: Object, label: str, about: str) -> Object:
    view: Object = {
        "id": shown.get("custom_id"),
        "label": label,
        "about": about,
        "required": shown.get("required", True),
        "placeholder": shown.get("placeholder") or "",
    }
    if shown.get("type") == _INPUT:
        return view | {
            "kind": "text",
            "long": shown.get("style") == _PARAGRAPH,
            "min": shown.get("min_length") or 0,
            "max": shown.get("max_length") or 4_000,
            "value": shown.get("value") or "",
        }
    few = {"min_values": shown.get("min_values", 1), "max_values": shown.get("max_values", 1)}
    return view | {"kind": "select", "options": _options(shown), **few}


def _component(shown: Object) -> Object:
    """Return a button or a select."""
    kind = shown["type"]
    view: Object = {"id": shown.get("custom_id"), "disabled": bool(shown.get("disabled"))}
    if kind == _BUTTON:
        return view | {
            "type": "button",
            "style": _STYLES[shown["style"]],
            "label": shown.get("label") or "",
            "emoji": str((shown.get("emoji") or {"name": ""})["name"]),
            "url": shown.get("url"),
        }
    return view | {
        "type": "select",
        "of": SELECTS[kind],
        "placeholder": shown.get("placeholder") or "",
        "min": shown.get("min_values", 1),
        "max": shown.get("max_values", 1),
        "options": _options(shown),
    }


def _options(shown: Object) -> list[Object]:
    return [
        {
            "value": o["value"],
            "label": o["label"],
            "about": o.get("description") or "",
            "chosen": bool(o.get("default")),
        }
        for o in shown.get("options") or ()
    ]


def _file(shown: Object, seat: str) -> Object:
    return {
        "id": shown["id"],
        "name": shown["filename"],
        "size": shown["size"],
        "url": f"/s/{seat}/file/{shown['id']}/{shown['filename']}",
        "picture": shown["content_type"] in _PICTURES,
        "width": shown.get("width"),
        "height": shown.get("height"),
        "alt": shown.get("description") or "",
    }


@lru_cache(maxsize=1_000)
def _tree(content: str, *, bot: bool) -> tuple[list[Object], list[list[Any]]]:
    return results.body(content) if bot else (marks.blocks(content), [])


def _named(world: World, content: str) -> str:
    """Return a text with names in place of mentions."""

    def name(found: re.Match[str]) -> str:
        number = int(found[2])
        if found[1] == "#":
            return f"#{world.channels[number].name}" if number in world.channels else "#somewhere"
        known = world.roles if found[1] == "@&" else world.people
        return f"@{known[number].name}" if number in known else "@somebody"

    return _MENTION.sub(name, content)


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)
