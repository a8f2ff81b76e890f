"""What was filled into a form, chosen from a select or named in an option, as Discord sends it."""

from collections.abc import Sequence

from bot.play import options, payloads
from bot.play.options import LineFault
from bot.play.store import Object, listed
from bot.play.world import World

_INPUT, _USERS, _TEXT_SHOWN, _LABEL = 4, 5, 10, 18


def resolve(world: World, resolved: Object, kind: int, key: str, address: str = "") -> None:
    """Add what an id in an option or select stands for; `address` is where the bot fetches files."""
    if kind in {options.USER, options.MENTIONABLE} and int(key) in world.people:
        person = world.people[int(key)]
        resolved.setdefault("users", {})[key] = payloads.user(person)
        resolved.setdefault("members", {})[key] = {**payloads.member(person), "permissions": "0"}
    elif kind in {options.ROLE, options.MENTIONABLE}:
        resolved.setdefault("roles", {})[key] = payloads.role(world, world.roles[int(key)])
    elif kind == options.CHANNEL:
        channel = payloads.channel(world, world.channels[int(key)])
        resolved.setdefault("channels", {})[key] = {**channel, "permissions": "0"}
    elif kind == options.FILE and (file := world.store.file(int(key))):
        resolved.setdefault("attachments", {})[key] = payloads.attachment(file[1], address)


def chosen(world: World, given: Object, values: Sequence[str]) -> Object:
    """Return what was chosen from a select; raise LineFault for what it does not offer."""
    people = {str(p.id) for p in world.seated()} if given["type"] == _USERS else set[str]()
    offered = people or {option["value"] for option in given.get("options", ())}
    fits = given.get("min_values", 1) <= len(values) <= given.get("max_values", 1)
    if not fits or len(set(values)) < len(values) or not set(values) <= offered:
        raise LineFault("That can't be chosen here.")
    resolved: Object = {}
    for value in values if people else ():
        resolve(world, resolved, options.USER, value)
    return {"values": list(values), **({"resolved": resolved} if resolved else {})}


def filled(world: World, form: Object, values: Object) -> list[Object]:
    """Return a form's rows and labels with what was filled in; raise LineFault for what it does not take."""

    def fill(given: Object) -> Object:
        if given["type"] == _LABEL:
            return {"type": _LABEL, "component": _field(world, given["component"], values)}
        fields = [_field(world, each, values) for each in given["components"]]
        return {"type": given["type"], "components": fields}

    return [fill(given) for given in form["components"] if given["type"] != _TEXT_SHOWN]


def _field(world: World, field: Object, values: Object) -> Object:
    value, needed = values.get(field["custom_id"]), field.get("required", True)
    told = {"type": field["type"], "custom_id": field["custom_id"]}
    if field["type"] != _INPUT:
        least = field.get("min_values", 1) if needed else 0
        return told | chosen(world, {**field, "min_values": least}, listed(value))
    text, name = value if isinstance(value, str) else "", field.get("label") or "This"
    low, high = field.get("min_length") or 0, field.get("max_length") or 4_000
    if needed and not text.strip():
        raise LineFault(f"{name} is needed.")
    if len(text) > high or (text and len(text) < low):
        raise LineFault(f"{name} has {low} to {high} characters.")
    return told | {"value": text}
