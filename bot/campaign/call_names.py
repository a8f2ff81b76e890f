"""Names that a game master gives to people of their own: "Goblin x3, Boss" are four."""

import re

from bot.dice.errors import SpecError
from bot.dice.names import NAME_LIMIT, clean

_TIMES = re.compile(r"(?P<name>.*?)\s*(?:\bx|×|\*)\s*(?P<count>[0-9]{1,3})", re.IGNORECASE)


def read_names(text: str, count: int | None = None) -> tuple[str, ...]:
    """The names, cleaned; one name alone stands for `count` of them.

    SpecError where there are several names, and not `count`.
    """
    names: list[str] = []
    for part in text.split(","):
        found = _TIMES.fullmatch(part.strip())
        name = clean(found["name"] if found else part, NAME_LIMIT - 3)
        number = int(found["count"]) if found else 1
        if name:
            names += [name] if number == 1 else [f"{name} {n}" for n in range(1, number + 1)]
    if count is None or len(names) == count:
        return tuple(names)
    if len(names) > 1:
        raise SpecError(f"Those are {len(names)} names for {count} rolls. Give one name, or all of them.")
    name = names[0] if names else "No."
    return tuple(f"{name} {n}" for n in range(1, count + 1))
