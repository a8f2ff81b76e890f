"""Fields of a game's file: read with the path in every error, so that whoever writes one finds the place."""

from collections.abc import Collection, Mapping

from bot.dice.errors import LocalizedError, SpecError, quoted
from bot.dice.system import Json, is_list, is_object

TEXT_LIMIT = 200


def an_object(at: str | LocalizedError, value: object, known: Collection[str] = ()) -> Mapping[str, Json]:
    """Return an object; SpecError for anything else, and for a field that is not among the known ones."""
    if not is_object(value):
        raise SpecError("{at} is an object in braces, not {short}.", at=at, short=_short(value))
    for name in value:
        if known and name not in known:
            raise SpecError(
                "{at} has no field {name!r}. It has: {known}.", at=at, name=name, known=", ".join(known)
            )
    return value


def a_list(at: str, value: object) -> list[Json]:
    """Return a list that is not empty; SpecError for anything else."""
    if not is_list(value) or not value:
        raise SpecError("{at} is a list in brackets with at least one entry.", at=at)
    return value


def a_text(at: str, value: object, limit: int = TEXT_LIMIT) -> str:
    """Return a text of at most `limit` characters; SpecError for anything else."""
    if not isinstance(value, str) or not value.strip() or len(value) > limit:
        raise SpecError(
            "{at} is a text of 1 to {limit} characters, not {short}.", at=at, limit=limit, short=_short(value)
        )
    return value.strip()


def an_integer(at: str, value: object, low: int, high: int) -> int:
    """Return an integer of low..high; SpecError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SpecError(
            "{at} is an integer of {low:,} to {high:,}, not {short}.",
            at=at,
            low=low,
            high=high,
            short=_short(value),
        )
    return value


def a_name(at: str, name: str) -> str:
    """Return a name as formulas and players write it; SpecError unless it is one small word."""
    if not name.isascii() or not name.isidentifier() or name != name.casefold() or len(name) > 16:
        raise SpecError(
            "{at} has the name {name!r}: a name is one word of up to 16 letters a to z and digits.",
            at=at,
            name=name,
        )
    return name


def _short(value: object) -> LocalizedError | str:
    said = "null" if value is None else quoted(value)
    return said if len(str(said)) <= 40 else f"{str(said)[:40]} …"
