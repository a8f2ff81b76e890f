"""What Discord refuses in a body: its limits as data, and its refusals as the bot gets them."""

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bot.play.store import Object

FILE_BYTES = 10 * 1024 * 1024
"""The largest file, both ways."""
_CODES = {
    "string_too_long": "BASE_TYPE_MAX_LENGTH",
    "string_too_short": "BASE_TYPE_MIN_LENGTH",
    "too_long": "BASE_TYPE_BAD_LENGTH",
    "missing": "BASE_TYPE_REQUIRED",
}
_Short = Annotated[str, Field(min_length=1, max_length=100)]
_Label = Annotated[str, Field(max_length=80)]


class RequestRefused(Exception):
    """A request that is refused, with Discord's code for it."""

    def __init__(self, status: int, code: int, message: str, **more: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: Object = {"message": message, "code": code, **more}


def unknown(code: int, what: str) -> RequestRefused:
    """Return the refusal of an id that nothing here has."""
    return RequestRefused(404, code, f"Unknown {what}")


def check(shape: TypeAdapter[Any], body: object) -> None:
    """Raise RequestRefused with Discord's nested faults if a body does not have a shape."""
    try:
        shape.validate_python(body)
    except ValidationError as error:
        errors: Object = {}
        for fault in error.errors():
            place = errors
            for part in fault["loc"]:
                place = place.setdefault(str(part), {})
            code = _CODES.get(fault["type"], fault["type"].upper())
            place.setdefault("_errors", []).append({"code": code, "message": fault["msg"]})
        raise RequestRefused(400, 50035, "Invalid Form Body", errors=errors) from None


class _SelectOption(BaseModel):
    label: _Short
    value: _Short


class _Component(BaseModel):
    type: Literal[2, 3, 5]
    style: Literal[1, 2, 3, 4, 5] = 1
    custom_id: _Short | None = None
    label: _Label | None = None
    emoji: Object | None = None
    options: Annotated[list[_SelectOption], Field(max_length=25)] = []

    @model_validator(mode="after")
    def whole(self) -> "_Component":
        """Ask for what only some kinds need: a link (style 5) has no id, a button something to show."""
        if self.custom_id is None and self.style != 5:
            raise ValueError("custom_id is needed.")
        if self.type == 2 and not self.label and not self.emoji:
            raise ValueError("A button has a label or an emoji.")
        return self


class _Row(BaseModel):
    type: Literal[1]
    components: Annotated[list[_Component], Field(min_length=1, max_length=5)]


class _MessageBody(BaseModel):
    """What the bot says of a message: no embeds, five rows, each id once."""

    content: Annotated[str, Field(max_length=2_000)] | None = None
    embeds: Annotated[list[Any], Field(max_length=0)] | None = None
    components: Annotated[list[_Row], Field(max_length=5)] | None = None
    attachments: Annotated[list[Object], Field(max_length=10)] | None = None

    @model_validator(mode="after")
    def distinct(self) -> "_MessageBody":
        """Refuse an id that two components have."""
        ids = [each.custom_id for row in self.components or () for each in row.components if each.custom_id]
        if len(set(ids)) < len(ids):
            raise ValueError("Component custom id cannot be duplicated.")
        return self


class _ModalBody(BaseModel):
    """A modal."""

    title: Annotated[str, Field(min_length=1, max_length=45)]
    custom_id: _Short
    components: Annotated[list[Object], Field(max_length=5)]


class _Choice(BaseModel):
    name: _Short


_Choices = Annotated[list[_Choice], Field(max_length=25)]


class _ChoicesBody(BaseModel):
    """What autocomplete offers."""

    choices: _Choices = []


def _needed_first(options: "list[_Option]") -> "list[_Option]":
    needed = [option.required for option in options]
    if needed != sorted(needed, reverse=True):
        raise ValueError("Required options must be placed before non-required options.")
    return options


def _name(name: str) -> str:
    if name != name.lower() or not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError("Command name is invalid.")
    return name


class _Option(BaseModel):
    type: int
    name: Annotated[str, Field(max_length=32), AfterValidator(_name)]
    description: _Short
    required: bool = False
    choices: _Choices = []
    options: "_Options" = []


_Options = Annotated[list[_Option], Field(max_length=25), AfterValidator(_needed_first)]


class _Command(BaseModel):
    type: Literal[1, 2, 3] = 1
    name: Annotated[str, Field(min_length=1, max_length=32)]
    description: Annotated[str, Field(max_length=100, validate_default=True)] = ""
    options: _Options = []

    @field_validator("name", "description")
    @classmethod
    def typed(cls, text: str, given: ValidationInfo) -> str:
        """Ask a slash command (type 1) for what is typed and shown; a menu has neither."""
        if given.data.get("type") == 1 and given.field_name == "name":
            return _name(text)
        if given.data.get("type") == 1 and not text:
            raise ValueError("A command has a description.")
        return text


class _EmojiBody(BaseModel):
    """An emoji of the bot's own."""

    name: Annotated[str, Field(pattern=r"^\w{2,32}$")]
    image: Annotated[str, Field(pattern=r"^data:image/(png|jpeg|gif|webp);base64,", max_length=360_000)]


MESSAGE, MODAL, CHOICES = TypeAdapter(_MessageBody), TypeAdapter(_ModalBody), TypeAdapter(_ChoicesBody)
COMMANDS = TypeAdapter(Annotated[list[_Command], Field(max_length=130)])
EMOJI = TypeAdapter(_EmojiBody)
