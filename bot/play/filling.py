"""What somebody fills into a form or chooses in a message, held against what the bot's component offers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.play import options, payloads
from bot.play.components import CHECK, INPUT, RADIO, TEXT, UPLOAD, USERS
from bot.play.options import ActRefused
from bot.play.store import Object, listed
from bot.play.world import World
from bot.words.saying import say


@dataclass
class Filling:
    """Reads values; raises ActRefused for those that are not taken.

    `files` are the ids of the uploads that may be given, `resolved` tells what ids in the values stand for.
    """

    world: World
    files: Iterable[int]
    resolved: Object = field(default_factory=dict[str, Any])

    def form(self, parts: Iterable[Object], values: Object) -> list[Object]:
        """Return a form's rows, labels and fields as filled in."""
        filled: list[Object] = []
        for part in parts:
            told: Object = {key: part[key] for key in ("type", "id", "custom_id") if key in part}
            if "component" in part:
                (told["component"],) = self.form([{"label": part["label"], **part["component"]}], values)
            elif "components" in part:
                told["components"] = self.form(part["components"], values)
            elif part["type"] != TEXT:
                told |= self._field(part, values.get(part["custom_id"]))
            filled.append(told)
        return filled

    def chosen(self, given: Object, values: Sequence[str]) -> list[str]:
        """Return what was chosen of what a component offers, or uploaded for it."""
        kind, offered = options.TEXT, {option["value"] for option in given.get("options") or ()}
        if given["type"] == USERS:
            kind, offered = options.USER, {str(person.id) for person in self.world.seated()}
        elif given["type"] == UPLOAD:
            kind, offered = options.FILE, set(map(str, self.files))
        least, most = (1 if given.get(key) is None else given[key] for key in ("min_values", "max_values"))
        least = least if given.get("required", True) else 0
        if not least <= len(values) <= most or len(set(values)) < len(values) or not set(values) <= offered:
            raise ActRefused("That can't be chosen here.")
        for value in values:
            payloads.resolve(self.world, self.resolved, kind, value)
        return [*values]

    def _field(self, given: Object, value: object) -> Object:
        if given["type"] == INPUT:
            return {"value": _text(given, value if isinstance(value, str) else "")}
        if given["type"] == CHECK:
            return {"value": value is True}
        values = self.chosen(given, listed(value))
        return {"value": next(iter(values), None)} if given["type"] == RADIO else {"values": values}


def _text(given: Object, text: str) -> str:
    """Return what was typed into a field."""
    name, low = given.get("label") or say("This"), given.get("min_length") or 0
    high = given.get("max_length") or 4_000
    if given.get("required", True) and not text.strip():
        raise ActRefused("{field} is needed.", field=name)
    if len(text) > high or (text and len(text) < low):
        raise ActRefused("{field} has {least} to {most} characters.", field=name, least=low, most=high)
    return text
