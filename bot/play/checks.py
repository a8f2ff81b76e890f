"""What Discord refuses in a body: its limits as one table, and its refusals as the bot gets them."""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from bot.play.store import Object, listed, mapped

FILE_BYTES = 10 * 1024 * 1024
"""The largest file, both ways."""
Shape: TypeAlias = Callable[[object], Object]
"""Returns Discord's nested faults of a JSON value; {} if it has none."""


class RequestRefused(Exception):
    """A request that is refused, with Discord's code for it."""

    def __init__(self, status: int, code: int, message: str, **more: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: Object = {"message": message, "code": code, **more}


def unknown(code: int, what: str) -> RequestRefused:
    """Return the refusal of an id that nothing here has."""
    return RequestRefused(404, code, f"Unknown {what}")


def check(shape: Shape, body: object) -> None:
    """Raise RequestRefused with Discord's nested faults if a body does not have a shape."""
    if errors := shape(body):
        raise RequestRefused(400, 50035, "Invalid Form Body", errors=errors)


def _fault(code: str, message: str) -> Object:
    return {"_errors": [{"code": code, "message": message}]}


def _text(least: int, most: int, form: str = "(?s:.*)") -> Shape:
    def shape(value: object) -> Object:
        if not isinstance(value, str) or not re.fullmatch(form, value):
            return _fault("STRING_TYPE_REGEX", "This is not text of the kind that stands here.")
        fits = least <= len(value) <= most
        return {} if fits else _fault("BASE_TYPE_BAD_LENGTH", f"Must be {least} to {most} in length.")

    return shape


def _one_of(*values: int) -> Shape:
    return lambda value: {} if value in values else _fault("BASE_TYPE_CHOICES", f"Must be one of {values}.")


def _each(shape: Shape, least: int, most: int, whole: Callable[[list[Any]], Object] = lambda _: {}) -> Shape:
    """Return the shape of a list, of which `whole` may ask more."""

    def found(value: object) -> Object:
        given = listed(value)
        if given is not value or not least <= len(given) <= most:
            return _fault("BASE_TYPE_BAD_LENGTH", f"Must be a list of {least} to {most}.")
        faults = {str(at): fault for at, each in enumerate(given) if (fault := shape(each))}
        return faults or whole(given)

    return found


def _object(needed: str = "", whole: Callable[[Object], Object] = lambda _: {}, **fields: Shape) -> Shape:
    """Return the shape of an object with these fields, any others, and those that are `needed`."""

    def found(value: object) -> Object:
        if mapped(value) is not value:
            return _fault("DICT_TYPE_CONVERT", "Only objects stand here.")
        given = {name: each for name, each in mapped(value).items() if each is not None}
        required = _fault("BASE_TYPE_REQUIRED", "This field is required")
        faults = {name: required for name in needed.split() if name not in given}
        faults |= {
            name: fault for name, each in fields.items() if name in given and (fault := each(given[name]))
        }
        return faults or whole(given)

    return found


def _complete(component: Object) -> Object:
    """Ask for what only some kinds need: a link (style 5) has no id, a button something to show."""
    if "custom_id" not in component and component.get("style") != 5:
        return {"custom_id": _fault("BASE_TYPE_REQUIRED", "This field is required")}
    blank = component["type"] == 2 and not component.get("label") and not component.get("emoji")
    return {"label": _fault("BUTTON_COMPONENT_INVALID", "A button has a label or an emoji.")} if blank else {}


def _distinct(rows: list[Object]) -> Object:
    ids = [part["custom_id"] for row in rows for part in row["components"] if part.get("custom_id")]
    twice = len(set(ids)) < len(ids)
    return _fault("COMPONENT_CUSTOM_ID_DUPLICATED", "Ids cannot be duplicated.") if twice else {}


def _needed_first(options: list[Object]) -> Object:
    needed = [bool(option.get("required")) for option in options]
    wrong = needed != sorted(needed, reverse=True)
    return _fault("OPTION_REQUIRED_INVALID", "Required options come before others.") if wrong else {}


def _name(value: object) -> Object:
    lower = {} if value == str(value).lower() else _fault("STRING_TYPE_REGEX", "A name has small letters.")
    return _text(1, 32, r"[-\w]+")(value) or lower


def _options(value: object) -> Object:
    return _each(_OPTION, 0, 25, _needed_first)(value)


def _command(value: object) -> Object:
    """Return the faults of a command: what is typed (type 1) has a name for it and a description."""
    return (_MENU if mapped(value).get("type", 1) in (2, 3) else _TYPED)(value)


_ANY, _SHORT, _LABEL = _object(), _text(1, 100), _text(0, 80)
_CHOICES = _each(_object("name", name=_SHORT), 0, 25)
_SELECT_OPTIONS = _each(_object("label value", label=_SHORT, value=_SHORT), 0, 25)
_COMPONENT = _object(
    "type", _complete, type=_one_of(2, 3, 5), style=_one_of(1, 2, 3, 4, 5), custom_id=_SHORT, label=_LABEL,
    options=_SELECT_OPTIONS,
)  # fmt: skip
_ROW = _object("type components", type=_one_of(1), components=_each(_COMPONENT, 1, 5))
_OPTION = _object("type name description", name=_name, description=_SHORT, choices=_CHOICES, options=_options)
_TYPED = _object("name description", type=_one_of(1), name=_name, description=_SHORT, options=_options)
_MENU = _object("name", name=_text(1, 32), description=_text(0, 100))

MESSAGE = _object(
    content=_text(0, 2_000), embeds=_each(_ANY, 0, 0), components=_each(_ROW, 0, 5, _distinct),
    attachments=_each(_ANY, 0, 10),
)  # fmt: skip
MODAL = _object(
    "title custom_id components", title=_text(1, 45), custom_id=_SHORT, components=_each(_ANY, 0, 5)
)
CHOICES = _object(choices=_CHOICES)
COMMANDS = _each(_command, 0, 130)
EMOJI = _object(
    "name image", name=_text(2, 32, r"\w*"),
    image=_text(0, 360_000, "data:image/(png|jpeg|gif|webp);base64,.*"),
)  # fmt: skip
