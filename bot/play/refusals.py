"""Discord's refusals: status, code and message, as the bot gets them."""

from bot.play.store import Object


class RequestRefused(Exception):
    """A request that is refused, with Discord's code for it."""

    def __init__(self, status: int, code: int, message: str, errors: Object | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body: Object = {"message": message, "code": code}
        if errors:
            self.body["errors"] = errors


class Invalid:
    """Collects the faults of a body, by Discord's path to the field."""

    def __init__(self) -> None:
        self._errors: Object = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Note a fault; a path is such as "components.0.components.1.label"."""
        place = self._errors
        for part in path.split("."):
            place = place.setdefault(part, {})
        place.setdefault("_errors", []).append({"code": code, "message": message})

    def check_length(self, path: str, text: object, low: int, high: int) -> None:
        """Note a text that is none, or is too short or too long."""
        if not isinstance(text, str):
            self.add(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
        elif len(text) > high:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        elif len(text) < low:
            self.add(path, "BASE_TYPE_MIN_LENGTH", f"Must be {low} or more in length.")

    def check_count(self, path: str, things: object, high: int) -> list[Object]:
        """Return a list's objects; note what is no list of them, or too many."""
        if things is None:
            return []
        listed: list[object] = things if isinstance(things, list) else [None]  # pyright: ignore[reportUnknownVariableType]
        found: list[Object] = [thing for thing in listed if isinstance(thing, dict)]  # pyright: ignore[reportUnknownVariableType]
        if len(found) < len(listed):
            self.add(path, "LIST_ITEM_VALUE_REQUIRED", "Only lists of objects may be used here.")
        if len(found) > high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be {high} or fewer in length.")
        return found

    def refuse(self) -> None:
        """Raise if there is a fault."""
        if self._errors:
            raise RequestRefused(400, 50035, "Invalid Form Body", self._errors)


def unknown(code: int, what: str) -> RequestRefused:
    """Return the refusal of an id that nothing here has."""
    return RequestRefused(404, code, f"Unknown {what}")
