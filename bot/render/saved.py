"""What is said about saved rolls."""

from collections.abc import Sequence

from bot.render.escaping import code

NONE_YET = "You have saved no rolls here. `/save` keeps one."
_LIMIT = 1_900


def kept(name: str, text: str) -> str:
    """Says how to use it."""
    return f"Saved: {code(text)} as {code(name)}. Roll it with `/roll {name}`."


def removed(name: str) -> str:
    """Says what is gone."""
    return f"Removed {code(name)}."


def listing(saved: Sequence[tuple[str, str]]) -> str:
    """Name and dice, a line each."""
    text = ""
    for n, (name, dice) in enumerate(saved):
        line = f"{code(name)} — {code(dice)}\n"
        if len(text) + len(line) > _LIMIT:
            return f"{text}… and {len(saved) - n} more"
        text += line
    return text.rstrip() or NONE_YET
