"""Commands as a bot tells them: shaped like the real ones, and small enough to be read beside the tests."""

from typing import Any

from bot.play import options
from bot.play.options import Names

VISIBILITY = [
    {"name": "public: everybody", "value": "public"},
    {"name": "self: only you", "value": "self"},
    {"name": "gm: you and the game masters", "value": "gm"},
    {"name": "blind: only the game masters", "value": "blind"},
]


def option(name: str, about: str, kind: int = 3, **more: Any) -> dict[str, Any]:
    """Return an option."""
    return {"name": name, "description": about, "type": kind, **more}


def command(name: str, about: str, *options: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a command; `options` may be its subcommands."""
    return {
        "id": str(len(name)),
        "type": 1,
        "name": name,
        "description": about,
        "options": list(options),
        **more,
    }


DICE = option(
    "dice", "Dice such as 2d6+3, or a roller", required=True, min_length=1, max_length=200, autocomplete=True
)
TIMES = option("times", "How often", 4, min_value=1, max_value=20)
LABEL = option("label", "What it is for", min_length=1, max_length=80)
SEEN = option("visibility", "Who sees it", choices=VISIBILITY)
PRACTICE = option("practice", "Plain dice", 5)
CALL = option(
    "call",
    "Call for a check.",
    1,
    options=[
        option("check", "What it is for, such as Stealth", required=True),
        option("dice", "What everybody rolls", required=True),
        option("dc", "What the rolls are held against", 4, min_value=-1000, max_value=1000),
        option("players", "Who is called"),
        option("role", "The role that is called", 8),
    ],
)
DYNAMIC = option(
    "dynamic",
    "Make a dynamic roller.",
    1,
    options=[
        option("name", "Its name", required=True),
        option("dice", "Its dice", required=True),
        option("threshold", "From where on", 4, required=True),
    ],
)
TOLD = [
    command("roll", "Roll dice.", DICE, TIMES, LABEL, SEEN, PRACTICE),
    command("group", "The table.", CALL, option("npc", "Roll for your own.", 1, options=[])),
    command("roller", "Rollers.", DYNAMIC, option("list", "List them.", 1, options=[])),
    command("d100", "From dice.", option("roll", "Roll d100.", 1, options=[])),
    command(
        "import", "Bring rollers.", option("file", "The file", 11, required=True), option("name", "A name")
    ),
    command(
        "luck",
        "Of somebody.",
        option("who", "Whose", 6, required=True),
        option("where", "In which channel", 7),
    ),
    command(
        "me",
        "Your numbers.",
        option("set", "Numbers"),
        option("new", "A name"),
        option("last", "How many", 4),
    ),
    command("save", "A roll with a name.", option("name", "Its name"), option("dice", "Its dice")),
    command("data", "Your data.", option("forget", "Delete it.", 1, options=[])),
    command(
        "admin", "For admins.", option("reset", "Reset.", 1, options=[]), default_member_permissions="32"
    ),
    command("call", "To whom.", option("whom", "A person or role", 9, required=True)),
    {"id": "99", "type": 3, "name": "Roll details", "description": ""},
]
PEOPLE, ROLES = {"Ann": 11, "Bob": 12, "Ann Marie": 13}, {"Game Master": 21}
NAMES: Names = {
    options.USER: PEOPLE,
    options.ROLE: ROLES,
    options.MENTIONABLE: PEOPLE | ROLES,
    options.CHANNEL: {"table": 31},
    options.FILE: {"sheet.json": 41},
}
