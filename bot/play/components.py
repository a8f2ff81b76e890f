"""Components of messages and forms: their shapes and limits, as Discord has them.

A message of the second version (V2) consists of components alone: texts, pictures, files, sections of text
with a button, and containers of these. Other messages hold only rows of buttons and selects.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import count

from bot.play.checks import SHORT, PlainShape, Shape, ShapeFields, check, refuse
from bot.play.store import Object, mapped

ROW, BUTTON, SELECT, INPUT, USERS = range(1, 6)
SECTION, TEXT, _, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, RADIO, CHECK = 17, 18, 21, 23
"""The components that this bot sends."""
V2 = 1 << 15
"""The flag of a message that is made of components alone."""
_MOST_PARTS, _MOST_LETTERS = 40, 4_000
_LEGACY_FIELDS = ("content", "embeds", "poll", "sticker_ids")
_ATTACHED = "attachment://"


def _optional(shape: PlainShape) -> Shape:
    """Return the shape of a value that may be missing, but not empty."""
    return lambda value: {None} if value is None else shape


def _one_of(shapes: Mapping[int, ShapeFields]) -> Shape:
    """Return the shape of a component of any of these types."""

    def shape(value: object) -> PlainShape:
        kind = mapped(value).get("type")
        own = shapes.get(kind, {}) if isinstance(kind, int) else {}
        return {"type": set(shapes), "id": range(1 << 31), **own}

    return shape


_CHOICE: Shape = {"label": SHORT, "value": SHORT, "description": ".{0,100}"}
_TEXT: ShapeFields = {"content": ".{1,4000}"}
_MEDIA: Shape = {"url": r"(attachment|https?)://\S{1,2000}"}
_PICTURE: ShapeFields = {"media": _MEDIA, "description": _optional(".{1,1024}")}
_BUTTON: ShapeFields = {
    "style": {1, 2, 3, 4}, "custom_id": SHORT, "label": ".{0,80}", "emoji": {},
}  # fmt: skip
_USERS: ShapeFields = {
    "custom_id": SHORT, "placeholder": ".{0,150}", "min_values": range(26),
    "max_values": _optional(range(1, 26)),
}  # fmt: skip
_SELECT: ShapeFields = {**_USERS, "options": (_CHOICE, 1, 25)}
_ROW: ShapeFields = {"components": (_one_of({BUTTON: _BUTTON, SELECT: _SELECT, USERS: _USERS}), 1, 5)}
_NESTABLE: dict[int, ShapeFields] = {
    ROW: _ROW,
    SECTION: {"components": (_one_of({TEXT: _TEXT}), 1, 3), "accessory": _one_of({BUTTON: _BUTTON})},
    TEXT: _TEXT,
    GALLERY: {"items": (_PICTURE, 1, 10)},
    FILE: {"file": {"url": rf"{_ATTACHED}\S{{1,2000}}"}},
    SEPARATOR: {},
}
_CONTAINER: ShapeFields = {"accent_color": range(1 << 24), "components": (_one_of(_NESTABLE), 1, _MOST_PARTS)}
_FILES: ShapeFields = {"attachments": ({}, 0, 10)}
_CONTENT: ShapeFields = {**_FILES, "content": ".{0,2000}", "embeds": ({}, 0, 0)}
_LEGACY_MESSAGE: ShapeFields = {**_CONTENT, "components": (_one_of({ROW: _ROW}), 0, 5)}
_V2_MESSAGE: ShapeFields = {
    **_FILES,
    "components": (_one_of({**_NESTABLE, CONTAINER: _CONTAINER}), 0, _MOST_PARTS),
}

_INPUT: ShapeFields = {
    "custom_id": SHORT, "style": {1, 2}, "label": ".{0,45}", "placeholder": ".{0,100}", "value": ".{0,4000}",
    "min_length": range(4_001), "max_length": _optional(range(1, 4_001)),
}  # fmt: skip
_FIELDS: dict[int, ShapeFields] = {
    SELECT: _SELECT, INPUT: _INPUT, USERS: _USERS, CHECK: {"custom_id": SHORT},
    RADIO: {"custom_id": SHORT, "options": (_CHOICE, 2, 10)},
}  # fmt: skip
_LABEL: ShapeFields = {"label": ".{1,45}", "description": _optional(SHORT), "component": _one_of(_FIELDS)}
_FORM: ShapeFields = {
    "title": ".{1,45}", "custom_id": SHORT, "components": (_one_of({LABEL: _LABEL}), 1, 5),
}  # fmt: skip


def walk(components: Iterable[Object]) -> Iterator[Object]:
    """Yield components and all inside them, each before its children."""
    for part in components:
        yield part
        inner = (part.get("accessory"), part.get("component"))
        yield from walk([*(part.get("components") or ()), *filter(None, inner)])


def _media(components: Iterable[Object]) -> Iterator[tuple[Object, Object]]:
    """Yield each component that shows a picture or file, with its mutable media object."""
    for part in walk(components):
        yield from ((part, item["media"]) for item in part.get("items") or ())
        yield from ((part, part[key]) for key in ("media", "file") if key in part)


def texts(components: Iterable[Object]) -> list[str]:
    """Return the texts of all text displays."""
    return [part["content"] for part in walk(components) if part["type"] == TEXT]


def check_message(body: Object, *, v2: bool) -> None:
    """Raise RequestRefused for components or legacy fields that Discord refuses."""
    for field in filter(body.get, _LEGACY_FIELDS if v2 else ()):
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        refuse(field, code, f"The '{field}' field cannot be used when using IS_COMPONENTS_V2")
    check(_V2_MESSAGE if v2 else _LEGACY_MESSAGE, body)
    parts: Sequence[Object] = body.get("components") or ()
    _check_ids(parts)
    if len([*walk(parts)]) > _MOST_PARTS:
        refuse("components", "BASE_TYPE_BAD_LENGTH", f"There are at most {_MOST_PARTS} components.")
    if sum(map(len, texts(parts))) > _MOST_LETTERS:
        sentence = f"The texts have at most {_MOST_LETTERS:,} characters together."
        refuse("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", sentence)


def check_form(body: Object) -> None:
    """Raise RequestRefused for a form that Discord or discord.py refuses; both allow five fields."""
    check(_FORM, body)
    _check_ids(body["components"])


def _check_ids(components: Iterable[Object]) -> None:
    for key in ("custom_id", "id"):
        ids = Counter(part[key] for part in walk(components) if part.get(key))
        if any(uses > 1 for uses in ids.values()):
            refuse("components", f"COMPONENT_{key.upper()}_DUPLICATED", "Ids cannot be duplicated.")


def number(components: Sequence[Object]) -> None:
    """Give each component without a numeric id one, as Discord does."""
    used = {part.get("id") for part in walk(components)}
    free = (component_id for component_id in count(1) if component_id not in used)
    for part in walk(components):
        part["id"] = part.get("id") or next(free)


def attach(components: Sequence[Object], files: Iterable[Object], new: Sequence[str]) -> None:
    """Put the file's id into each media object that names a file of the message; raise RequestRefused.

    `new` are the ids of files that came with an edit: Discord finds these for a File alone, not for pictures.
    """
    ids: dict[str, str] = {_ATTACHED + file["filename"]: file["id"] for file in files}
    for part, media in _media(components):
        if media["url"].startswith(_ATTACHED):
            media["attachment_id"] = file_id = ids.get(media["url"])
            if file_id is None or (file_id in new and part["type"] != FILE):
                code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
                refuse("components", code, "The referenced attachment was not found.")


def attached(components: Iterable[Object]) -> set[str]:
    """Return the ids of the files that components show."""
    return {media["attachment_id"] for _, media in _media(components) if "attachment_id" in media}


def with_addresses(components: Sequence[Object], files: Mapping[str, Object]) -> list[Object]:
    """Return a copy of components with the addresses of the files that they show."""
    copies = deepcopy([*components])
    for part, media in _media(copies):
        file = files.get(media.get("attachment_id", ""), {})
        keys = ("id", "url", "proxy_url", "width", "height", "content_type")
        media |= {"id": "0", "proxy_url": media["url"], **{key: file[key] for key in keys if key in file}}
        if part["type"] == FILE:
            part.update(name=file.get("filename"), size=file.get("size"))
    return copies
