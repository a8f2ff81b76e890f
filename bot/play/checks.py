"""Requests of the bot, and what Discord refuses in them: its limits as one table, its refusals."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from bot.play.store import Object, listed, mapped

FILE_BYTES = 10 * 1024 * 1024
"""The largest file, both ways."""
_T = TypeVar("_T")
_Chooser: TypeAlias = Callable[[object], "_Fields"]
_Fields: TypeAlias = "dict[str, Shape]"
Shape: TypeAlias = "str | set[int | None] | tuple[Shape, int] | _Fields | _Chooser"
"""What a JSON value has to be. What is not given, or null, counts as an empty text, list or object.

A regular expression of a text, the numbers there are, a list's elements and how many at most, the fields of
an object that are looked at, or what tells these by the object.
"""
_FAULTS: dict[type, tuple[object, str, str]] = {
    str: ("", "STRING_TYPE_REGEX", "Must be text like {0}."),
    set: (None, "BASE_TYPE_CHOICES", "Must be one of {0}."),
    tuple: ([], "BASE_TYPE_BAD_LENGTH", "Must be a list of at most {0[1]}."),
    dict: ({}, "DICT_TYPE_CONVERT", "Only objects stand here."),
}
"""By the kind of shape: what null counts as, and Discord's code and sentence for all that does not fit."""


@dataclass(frozen=True, slots=True)
class RestCall:
    """A request: the parts of its path, its query, and its JSON with the files of a message as `files`."""

    part: Mapping[str, str]
    query: Mapping[str, str]
    body: Any

    def wants(self, name: str) -> bool:
        """Return whether the query asks for something by name."""
        return self.query.get(name, "").lower() in {"1", "true"}


class RequestRefused(Exception):
    """A request that is refused, with Discord's code for it."""

    def __init__(self, status: int, code: int, message: str, **more: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: Object = {"message": message, "code": code, **more}


def found(thing: _T | None, code: int, what: str) -> _T:
    """Return a thing; raise RequestRefused if it is None, for nothing here has that id."""
    if thing is None:
        raise RequestRefused(404, code, f"Unknown {what}")
    return thing


def check(shape: Shape, body: object) -> None:
    """Raise RequestRefused with Discord's nested faults if a body does not have a shape."""
    if errors := _faults(shape, body):
        raise RequestRefused(400, 50035, "Invalid Form Body", errors=errors)


def _faults(shape: Shape, value: object) -> Object:
    """Return the faults of a value, as deep as they are; {} if it has none."""
    shape = shape(value) if callable(shape) else shape
    empty, code, message = _FAULTS[type(shape)]
    value = empty if value is None else value
    match shape:
        case str() if isinstance(value, str) and re.fullmatch(shape, value, re.DOTALL):
            return {}
        case set() if isinstance(value, int | None) and value in shape:
            return {}
        case (each, most) if (given := listed(value)) is value and len(given) <= most:
            return {str(at): fault for at, one in enumerate(given) if (fault := _faults(each, one))}
        case dict() if (body := mapped(value)) is value:
            return {name: fault for name, of in shape.items() if (fault := _faults(of, body.get(name)))}
        case _:
            return {"_errors": [{"code": code, "message": message.format(shape)}]}


def _command(told: object) -> _Fields:
    """Return the shape of a command: what is typed (type 1) has a name for it and a description."""
    return _MENU if mapped(told).get("type") in (2, 3) else _TYPED


_SHORT, _NAME = ".{1,100}", r"(?:[^\WA-Z]|-){1,32}"
_CHOICES: Shape = ({"name": _SHORT}, 25)
_OPTION: _Fields = {"name": _NAME, "description": _SHORT, "choices": _CHOICES}
_OPTION["options"] = (_OPTION, 25)
_TYPED = {**_OPTION, "type": {1, None}}
_MENU: _Fields = {"name": ".{1,32}", "description": ".{0,100}"}
_COMPONENT: Shape = {
    "type": {2, 3, 5}, "style": {None, 1, 2, 3, 4, 5}, "custom_id": ".{0,100}", "label": ".{0,80}",
    "emoji": {}, "options": ({"label": _SHORT, "value": _SHORT}, 25),
}  # fmt: skip
_ROW: Shape = {"type": {1}, "components": (_COMPONENT, 5)}

MESSAGE: Shape = {"content": ".{0,2000}", "embeds": ({}, 0), "components": (_ROW, 5), "attachments": ({}, 10)}
MODAL: Shape = {"title": ".{1,45}", "custom_id": _SHORT, "components": ({}, 5)}
CHOICES: Shape = {"choices": _CHOICES}
COMMANDS: Shape = (_command, 130)
EMOJI: Shape = {"name": r"\w{2,32}", "image": "data:image/(png|jpeg|gif|webp);base64,.{0,360000}"}
