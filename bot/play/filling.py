"""Validation of filled forms and chosen values against the components that offer them."""

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
    """Validates values; raises ActRefused for those that a component does not accept.

    `files` are the ids of the person's uploads. `resolved` collects the objects behind ids in the values.
    """

    world: World
    files: Iterable[int]
    resolved: Object = field(default_factory=dict[str, Any])

    def form(self, parts: Iterable[Object], values: Object) -> list[Object]:
        """Return a form's rows, labels and fields with their values."""
        filled: list[Object] = []
        for part in parts:
            result: Object = {key: part[key] for key in ("type", "id", "custom_id") if key in part}
            if "component" in part:
                (result["component"],) = self.form([{"label": part["label"], **part["component"]}], values)
            elif "components" in part:
                result["components"] = self.form(part["components"], values)
            elif part["type"] != TEXT:
                result |= self._field(part, values.get(part["custom_id"]))
            filled.append(result)
        return filled

    def choose(self, part: Object, values: Sequence[str]) -> list[str]:
        """Return the values chosen in a component or uploaded for it, once validated."""
        kind, offered = options.TEXT, {option["value"] for option in part.get("options") or ()}
        if part["type"] == USERS:
            kind, offered = options.USER, {str(person.id) for person in self.world.seated()}
        elif part["type"] == UPLOAD:
            kind, offered = options.FILE, set(map(str, self.files))
        least, most = (1 if part.get(key) is None else part[key] for key in ("min_values", "max_values"))
        least = least if part.get("required", True) else 0
        if not least <= len(values) <= most or len(set(values)) < len(values) or not set(values) <= offered:
            raise ActRefused("That can't be chosen here.")
        for value in values:
            payloads.resolve(self.world, self.resolved, kind, value)
        return [*values]

    def _field(self, part: Object, value: object) -> Object:
        if part["type"] == INPUT:
            return {"value": _text(part, value if isinstance(value, str) else "")}
        if part["type"] == CHECK:
            return {"value": value is True}
        values = self.choose(part, listed(value))
        return {"value": next(iter(values), None)} if part["type"] == RADIO else {"values": values}


def _text(part: Object, text: str) -> str:
    """Return a field's text, once its length is validated."""
    name, low = part.get("label") or say("This"), part.get("min_length") or 0
    high = part.get("max_length") or 4_000
    if part.get("required", True) and not text.strip():
        raise ActRefused("{field} is needed.", field=name)
    if len(text) > high or (text and len(text) < low):
        raise ActRefused("{field} has {least} to {most} characters.", field=name, least=low, most=high)
    return text
