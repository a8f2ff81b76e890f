"""What was filled into a form or chosen from a select: checked, and in the shape that Discord sends it."""

from collections.abc import Sequence

from bot.play import payloads
from bot.play.store import Object, listed
from bot.play.values import LineFault
from bot.play.world import World

_INPUT, _USERS, _LABEL = 4, 5, 18


def part(given: Object, values: Object, world: World) -> Object:
    """Return a form's row or label with what was filled in; raise Fault."""
    if given["type"] == _LABEL:
        return {"type": _LABEL, "component": _field(given["component"], values, world)}
    return {
        "type": given["type"],
        "components": [_field(each, values, world) for each in given["components"]],
    }


def chosen(given: Object, values: Sequence[str], world: World) -> Object:
    """Return what was chosen from a select; raise Fault."""
    people = {str(p.id): payloads.user(p) for p in world.seated()} if given["type"] == _USERS else {}
    offered = set(people) or {option["value"] for option in given.get("options", ())}
    fits = given.get("min_values", 1) <= len(values) <= given.get("max_values", 1)
    if not fits or len(set(values)) < len(values) or not set(values) <= offered:
        raise LineFault("That can't be chosen here.", 0)
    told: Object = {"values": list(values)}
    return told | ({"resolved": {"users": {v: people[v] for v in values}}} if people else {})


def _field(field: Object, values: Object, world: World) -> Object:
    value = values.get(field["custom_id"])
    told = {"type": field["type"], "custom_id": field["custom_id"]}
    needed = field.get("required", True)
    if field["type"] != _INPUT:
        texts = listed(value)
        least = field.get("min_values", 1) if needed else 0
        return told | chosen({**field, "min_values": least}, [str(text) for text in texts], world)
    text = value if isinstance(value, str) else ""
    low, high = field.get("min_length") or 0, field.get("max_length") or 4_000
    if needed and not text.strip():
        raise LineFault(f"{field.get('label') or 'This'} is needed.", 0)
    if len(text) > high or (text and len(text) < low):
        raise LineFault(f"{field.get('label') or 'This'} has {low} to {high} characters.", 0)
    return told | {"value": text}
