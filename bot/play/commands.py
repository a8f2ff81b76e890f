"""The commands that the bot has told: what Discord refuses in them, and the ids they keep."""

from bot.play.refusals import Invalid
from bot.play.store import Object
from bot.play.world import World

_CHAT = 1
_GROUPS = {1, 2}
_OPTIONS, _CHOICES, _COMMANDS = 25, 25, 130


def synced(told: object, world: World) -> list[Object]:
    """Return the commands as Discord answers them; raise Refused. An id stays while name and type stay."""
    faults = Invalid()
    commands = faults.check_count("commands", told, _COMMANDS)
    known = {(c["name"], c["type"]): c["id"] for c in world.commands}
    answered: list[Object] = []
    for c, command in enumerate(commands):
        kind = command.get("type", _CHAT)
        _check(faults, str(c), command, menu=kind != _CHAT)
        kept = {
            "id": known.get((command.get("name"), kind)) or str(world.ids.new()),
            "application_id": str(world.bot.id),
            "version": str(world.ids.new()),
            "type": kind,
            "description": "",
            "default_member_permissions": None,
            "nsfw": False,
        }
        answered.append({**kept, **command, "type": kind})
    faults.refuse()
    return answered


def _check(faults: Invalid, path: str, told: Object, *, menu: bool = False) -> None:
    name = told.get("name")
    faults.check_length(f"{path}.name", name, 1, 32)
    if menu:
        return
    if isinstance(name, str) and (
        name != name.lower() or not name.replace("-", "").replace("_", "").isalnum()
    ):
        faults.add(f"{path}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    faults.check_length(f"{path}.description", told.get("description"), 1, 100)
    optional = False
    for o, option in enumerate(faults.check_count(f"{path}.options", told.get("options"), _OPTIONS)):
        below = f"{path}.options.{o}"
        _check(faults, below, option)
        if option.get("type") in _GROUPS:
            continue
        if option.get("required") and optional:
            code = "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"
            faults.add(below, code, "Required options must be placed before non-required options")
        optional = optional or not option.get("required")
        for k, choice in enumerate(faults.check_count(f"{below}.choices", option.get("choices"), _CHOICES)):
            faults.check_length(f"{below}.choices.{k}.name", choice.get("name"), 1, 100)
