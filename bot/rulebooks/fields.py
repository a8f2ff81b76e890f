"""Typed fields of a game's file; every error names the path of the field."""

from collections.abc import Collection, Iterator

from bot.dice.errors import LocalizedError, SpecError, value_text
from bot.dice.system import Json, is_list, is_object, require_integer
from bot.rulebooks.formula import Formula, check_names, formula_at

TEXT_LIMIT = 200
_FORMULA_LIMIT = 300


class GameFields:
    """The fields of an object at a path of a file; "" is the whole file. SpecError for what is none.

    A field that is missing has the value `usual`; without one it is required.
    """

    def __init__(self, path: str, value: object, allowed: Collection[str] = ()) -> None:
        """Take an object with no other than the allowed fields; any if there are none."""
        at = path or LocalizedError("The game")
        if not is_object(value):
            raise SpecError("{at} is an object in braces, not {short}.", at=at, short=value_text(value))
        for name in value:
            if allowed and name not in allowed:
                raise SpecError(
                    "{at} has no field {name!r}. It has: {known}.", at=at, name=name, known=", ".join(allowed)
                )
        self.path, self.values = path, value

    def at(self, name: str) -> str:
        """Return the path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def items(self) -> Iterator[tuple[str, str, Json]]:
        """Yield the path, the name and the value of each field."""
        return ((self.at(name), name, value) for name, value in self.values.items())

    def fields(self, name: str, usual: Json = None, allowed: Collection[str] = ()) -> "GameFields":
        """Return the fields of an object."""
        return GameFields(self.at(name), self.values.get(name, usual), allowed)

    def list(self, name: str, usual: Json = None) -> list[Json]:
        """Return a list that is not empty."""
        value = self.values.get(name, usual)
        if not is_list(value) or not value:
            raise SpecError("{at} is a list in brackets with at least one entry.", at=self.at(name))
        return value

    def text(self, name: str, limit: int = TEXT_LIMIT, usual: Json = None) -> str:
        """Return a text of 1 to `limit` characters."""
        return require_text(self.at(name), self.values.get(name, usual), limit)

    def texts(self, name: str, limit: int) -> tuple[str, ...]:
        """Return a list of such texts, () where it is missing."""
        listed = self.list(name) if name in self.values else []
        return tuple(require_text(self.at(name), text, limit) for text in listed)

    def integer(self, name: str, low: int, high: int, usual: Json = None) -> int:
        """Return an integer of low..high."""
        return require_integer(self.at(name), self.values.get(name, usual), low, high)

    def formula(self, name: str, usual: Json = None, names: Collection[str] | None = None) -> Formula:
        """Return a formula that uses no other than these names; any if they are None."""
        formula = formula_at(self.at(name), self.text(name, _FORMULA_LIMIT, usual))
        if names is not None:
            check_names(self.at(name), formula, names)
        return formula


def require_text(path: str, value: object, limit: int = TEXT_LIMIT) -> str:
    """Return a text of 1 to `limit` characters; raise SpecError for anything else."""
    if not isinstance(value, str) or not value.strip() or len(value) > limit:
        raise SpecError(
            "{at} is a text of 1 to {limit} characters, not {short}.",
            at=path,
            limit=limit,
            short=value_text(value),
        )
    return value.strip()


def require_name(path: str, name: str) -> str:
    """Return a name for formulas and players; raise SpecError unless it is one short lower-case word."""
    if not name.isascii() or not name.isidentifier() or name != name.casefold() or len(name) > 16:
        raise SpecError(
            "{at} has the name {name!r}: a name is one word of up to 16 letters a to z and digits.",
            at=path,
            name=name,
        )
    return name
