"""What a page is shown: people, channels and messages as the page's JSON, for one person's eyes."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.play import marks, results
from bot.play.ids import milliseconds
from bot.play.store import Object, mapped
from bot.play.world import Channel, Message, Person, World

PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link"}
_BUTTON, _INPUT, _USERS, _TEXT_SHOWN, _LABEL = 2, 4, 5, 10, 18
_PARAGRAPH = 2
_UNREAD_AT_MOST = 100
_MENTION = re.compile(r"<(@&|@!?|#)(\d{1,19})>")
_HIDING = re.compile(r"\b(?:visibility|hidden):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a person, and the seat whose address their files have."""

    person: Person
    seat: str


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


def message(world: World, shown: Message, viewer: Viewer) -> Object:
    """Return a message as the viewer sees it; its files are fetched with their seat."""
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
        "calls_you": viewer.person.id in shown.calls,
        "state": "working" if shown.waiting else "lost" if shown.lost else "done",
        "text": _named(world, shown.content),
        "nodes": body,
        "margin": margin,
        "files": [_file(each, viewer.seat) for each in shown.attachments],
        "rows": [[_component(each) for each in row["components"]] for row in shown.components],
    }
    if shown.asker == viewer.person.id and shown.line:
        view["line"] = shown.line
        if label := again(shown):
            view["again"] = label
    return view


def again(shown: Message) -> str | None:
    """Return how the button that repeats a message's line is called; None if it is no open roll."""
    line = (shown.line or "")[1:]
    repeated = line.lower().startswith(("roll ", "d100 roll ")) and not _HIDING.search(line)
    return (
        line.removeprefix("roll ").removeprefix("dice:")[:60] if repeated and shown.viewer is None else None
    )


def form(shown: Object, number: int) -> Object:
    """Return a modal."""
    fields: list[Object] = []
    texts: list[list[Object]] = []
    for part in shown["components"]:
        if part["type"] == _TEXT_SHOWN:
            texts.append(marks.blocks(part["content"]))
        elif part["type"] == _LABEL:
            fields.append(_field(part["component"], part["label"], part.get("description") or ""))
        else:
            fields += [_field(each, each.get("label") or "", "") for each in part["components"]]
    return {"id": str(number), "title": shown["title"], "fields": fields, "texts": texts}


def _field(shown: Object, label: str, about: str) -> Object:
    view: Object = {"id": shown["custom_id"], "label": label, "about": about}
    view |= {"required": shown.get("required", True), "placeholder": shown.get("placeholder") or ""}
    if shown["type"] != _INPUT:
        few = {"min_values": shown.get("min_values", 1), "max_values": shown.get("max_values", 1)}
        return view | {"kind": "select", "options": _options(shown), **few}
    limits = {"min": shown.get("min_length") or 0, "max": shown.get("max_length") or 4_000}
    long = shown.get("style") == _PARAGRAPH
    return view | {"kind": "text", "long": long, "value": shown.get("value") or "", **limits}


def _component(shown: Object) -> Object:
    """Return a button or a select."""
    view: Object = {"id": shown.get("custom_id"), "disabled": bool(shown.get("disabled"))}
    if shown["type"] == _BUTTON:
        emoji = mapped(shown.get("emoji"))
        drawn: object = {"n": "emoji", "id": str(emoji.get("id")), "text": emoji.get("name")}
        view |= {"type": "button", "style": _STYLES[shown["style"]], "label": shown.get("label") or ""}
        said = [drawn if emoji.get("id") else emoji["name"]] if emoji else []
        return view | {"emoji": said, "url": shown.get("url")}
    few = {"min": shown.get("min_values", 1), "max": shown.get("max_values", 1), "options": _options(shown)}
    of = "user" if shown["type"] == _USERS else "string"
    return view | {"type": "select", "of": of, "placeholder": shown.get("placeholder") or "", **few}


def _options(shown: Object) -> list[Object]:
    def view(option: Object) -> Object:
        named = {"value": option["value"], "label": option["label"], "about": option.get("description") or ""}
        return {**named, "chosen": bool(option.get("default"))}

    return [view(option) for option in shown.get("options") or ()]


def _file(shown: Object, seat: str) -> Object:
    view = {"id": shown["id"], "name": shown["filename"], "size": shown["size"]}
    view |= {
        "url": f"/s/{seat}/file/{shown['id']}/{shown['filename']}",
        "alt": shown.get("description") or "",
    }
    view |= {"width": shown.get("width"), "height": shown.get("height")}
    return {**view, "picture": shown["content_type"] in PICTURES}


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
