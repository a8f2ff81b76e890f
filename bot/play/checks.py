"""Validation of the bot's requests: the limits of Discord as shapes, and its refusals."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias, TypeVar

from bot.play.store import Object, listed, mapped

FILE_BYTES = 10 * 1024 * 1024
"""The largest file, both ways."""
_T = TypeVar("_T")
ShapeFields: TypeAlias = "dict[str, Shape]"
PlainShape: TypeAlias = "str | range | set[int | None] | tuple[Shape, int, int] | ShapeFields"
Shape: TypeAlias = "PlainShape | Callable[[object], PlainShape]"
"""The form that a JSON value must have. A missing value or null counts as an empty text, list or object.

A regular expression for a text, a range or set for a number, (element, least, most) for a list, the checked
fields of an object, or a function that returns one of these for the value.
"""
_FAULTS: dict[type, tuple[object, str, str]] = {
    str: ("", "STRING_TYPE_REGEX", "Must be text like {0}."),
    range: (0, "NUMBER_TYPE_MAX", "Must be a number from {0.start} to below {0.stop}."),
    set: (None, "BASE_TYPE_CHOICES", "Must be one of {0}."),
    tuple: ([], "BASE_TYPE_BAD_LENGTH", "Must be a list of {0[1]} to {0[2]}."),
    dict: ({}, "DICT_TYPE_CONVERT", "Only objects stand here."),
}
"""Kind of shape to the value that null counts as, and Discord's code and sentence for a misfit."""


@dataclass(frozen=True, slots=True)
class RestCall:
    """A request: the parts of its path, its query, and its JSON body, with uploaded files in `files`."""

    part: Mapping[str, str]
    query: Mapping[str, str]
    body: Any

    def wants(self, name: str) -> bool:
        """Return whether the query sets a flag."""
        return self.query.get(name, "").lower() in {"1", "true"}


class RequestRefused(Exception):
    """A refused request, with Discord's code for the refusal."""

    def __init__(self, status: int, code: int, message: str, **more: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: Object = {"message": message, "code": code, **more}


def require(value: _T | None, code: int, kind: str) -> _T:
    """Return the value; raise RequestRefused (404) if it is None."""
    if value is None:
        raise RequestRefused(404, code, f"Unknown {kind}")
    return value


def check(shape: Shape, body: object) -> None:
    """Raise RequestRefused with Discord's nested faults if a body does not have a shape."""
    if errors := _faults(shape, body):
        raise RequestRefused(400, 50035, "Invalid Form Body", errors=errors)


def refuse(field: str, code: str, message: str) -> NoReturn:
    """Raise RequestRefused with Discord's code and sentence for a fault of one field."""
    fault = {"code": code, "message": message}
    raise RequestRefused(400, 50035, "Invalid Form Body", errors={field: {"_errors": [fault]}})


def _faults(shape: Shape, value: object) -> Object:
    """Return the faults of a value, nested like the value; {} if it has none."""
    shape = shape(value) if callable(shape) else shape
    empty, code, message = _FAULTS[type(shape)]
    value = empty if value is None else value
    match shape:
        case str() if isinstance(value, str) and re.fullmatch(shape, value, re.DOTALL):
            return {}
        case set() | range() if isinstance(value, int | None) and value in shape:
            return {}
        case tuple() if (items := listed(value)) is value and shape[1] <= len(items) <= shape[2]:
            return {str(i): fault for i, item in enumerate(items) if (fault := _faults(shape[0], item))}
        case dict() if (body := mapped(value)) is value:
            return {name: fault for name, part in shape.items() if (fault := _faults(part, body.get(name)))}
        case _:
            return {"_errors": [{"code": code, "message": message.format(shape)}]}


def _command(command: object) -> ShapeFields:
    """Return the shape of a command: of a menu (types 2 and 3) or typed (type 1)."""
    return _MENU if mapped(command).get("type") in (2, 3) else _TYPED


SHORT, _NAME = ".{1,100}", r"(?:[^\WA-Z]|-){1,32}"
_CHOICES: Shape = ({"name": SHORT}, 0, 25)
_OPTION: ShapeFields = {"name": _NAME, "description": SHORT, "choices": _CHOICES}
_OPTION["options"] = (_OPTION, 0, 25)
_TYPED = {**_OPTION, "type": {1, None}}
_MENU: ShapeFields = {"name": ".{1,32}", "description": ".{0,100}"}

CHOICES: Shape = {"choices": _CHOICES}
COMMANDS: Shape = (_command, 0, 130)
EMOJI: Shape = {"name": r"\w{2,32}", "image": "data:image/(png|jpeg|gif|webp);base64,.{0,360000}"}
