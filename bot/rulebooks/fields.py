"""Typed fields of a game's file; every error names the path of the field."""

from collections.abc import Collection, Mapping

from bot.dice.errors import LocalizedError, SpecError, value_text
from bot.dice.system import Json, is_integer, is_list, is_object

TEXT_LIMIT = 200


def require_object(
    path: str | LocalizedError, value: object, allowed: Collection[str] = ()
) -> Mapping[str, Json]:
    """Return an object; raise SpecError for anything else, and for a field that is not allowed."""
    if not is_object(value):
        raise SpecError("{at} is an object in braces, not {short}.", at=path, short=_shorten(value))
    for name in value:
        if allowed and name not in allowed:
            raise SpecError(
                "{at} has no field {name!r}. It has: {known}.", at=path, name=name, known=", ".join(allowed)
            )
    return value


def require_list(path: str, value: object) -> list[Json]:
    """Return a non-empty list; raise SpecError for anything else."""
    if not is_list(value) or not value:
        raise SpecError("{at} is a list in brackets with at least one entry.", at=path)
    return value


def require_text(path: str, value: object, limit: int = TEXT_LIMIT) -> str:
    """Return a text of 1 to `limit` characters; raise SpecError for anything else."""
    if not isinstance(value, str) or not value.strip() or len(value) > limit:
        raise SpecError(
            "{at} is a text of 1 to {limit} characters, not {short}.",
            at=path,
            limit=limit,
            short=_shorten(value),
        )
    return value.strip()


def require_integer(path: str, value: object, low: int, high: int) -> int:
    """Return an integer of low..high; raise SpecError for anything else."""
    if not is_integer(value, low, high):
        raise SpecError(
            "{at} is an integer of {low:,} to {high:,}, not {short}.",
            at=path,
            low=low,
            high=high,
            short=_shorten(value),
        )
    return value


def require_name(path: str, name: str) -> str:
    """Return a name for formulas and players; raise SpecError unless it is one short lower-case word."""
    if not name.isascii() or not name.isidentifier() or name != name.casefold() or len(name) > 16:
        raise SpecError(
            "{at} has the name {name!r}: a name is one word of up to 16 letters a to z and digits.",
            at=path,
            name=name,
        )
    return name


def _shorten(value: object) -> LocalizedError | str:
    text = "null" if value is None else value_text(value)
    return text if len(str(text)) <= 40 else f"{str(text)[:40]} …"
