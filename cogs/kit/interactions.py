"""Discord's interactions as values: who asks and what they chose, buttons, lists and forms.

Buttons and forms work after a restart: the custom id holds all that a press, or sending one, needs to know.
Each feature has one table of its kinds of buttons: a word, a label, what a press does, and the values that
stand in the id behind the word. A kind of button, a list or a form answers once its module is imported, so
the feature's `cog.py` imports it, directly or by another one.
"""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, TypeVarTuple, cast

import discord
from discord.ui import Modal, Select, View

from bot.answers import OUT_OF_DATE
from bot.app import App
from bot.campaign.command import Caller
from bot.client import Evenhand
from bot.dice.errors import Unknown
from bot.dice.system import is_list, is_object
from bot.words.cards import CardButton
from bot.words.languages import SPOKEN
from bot.words.saying import say

Interaction: TypeAlias = discord.Interaction[Evenhand]
_ID_LIMIT = 100
"""Discord's limit of characters in the id of a button."""


def caller(interaction: Interaction, shown_in: int = 0) -> Caller:
    """Return who asks, where, and with which rights; alone with the bot everybody manages the place.

    Where the bot is only a guest of theirs, a server's rights count for nothing. A press that changes what a
    message showed, or tells more of it, names the campaign it was shown in (0 is none yet), and is refused
    once another one is played. One that stands for words to type is read in what is played here.
    """
    visits = interaction.is_user_integration() and not interaction.is_guild_integration()
    alone = interaction.guild_id is None and interaction.context.dm_channel
    channel, user = interaction.channel, interaction.user
    return Caller(
        interaction_id=interaction.id,
        guild_id=None if visits else interaction.guild_id,
        channel_id=interaction.channel_id or user.id,
        user_id=user.id,
        parent_id=channel.parent_id if isinstance(channel, discord.Thread) else None,
        manages=alone or (interaction.permissions.manage_guild and not visits),
        roles=_roles(user),
        shown_in=shown_in or None,
    )


def _roles(user: discord.User | discord.Member) -> frozenset[int]:
    """Return the ids of somebody's roles, as Discord sent them with what they did."""
    if not isinstance(user, discord.Member):
        return frozenset()
    # `user.roles` has none until Discord has told the server, which a restarted bot may wait for.
    return frozenset((user.guild.id, *user._roles))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


async def caller_and_campaign(interaction: Interaction, shown_in: int = 0) -> tuple[Caller, int]:
    """Return who asks for what is played here and nothing else, and that campaign's number for buttons."""
    found = await interaction.client.app.campaigns.played(caller(interaction, shown_in)) or 0
    return caller(interaction, found), found


def lacks_to_post(granted: discord.Permissions, *, threaded: bool) -> list[str]:
    """Return the names of the permissions that are missing to see a place and to post there."""
    may_post = granted.send_messages_in_threads if threaded else granted.send_messages
    post = say("Send Messages in Threads") if threaded else say("Send Messages")
    named = {say("View Channel"): granted.view_channel, post: may_post}
    return [name for name, given in named.items() if not given]


_Values = TypeVarTuple("_Values")
_Found = TypeVar("_Found")
_BUTTON = discord.ComponentType.button.value


@dataclass(frozen=True, slots=True)
class Field:
    """A value in a custom id: the pattern of its text, and the function that reads it."""

    pattern: str
    read: Callable[[str], object]


NUMBER = Field("[0-8]?[0-9]{1,18}", int)
"""No number of Discord's or of the database's is longer, or begins with 9 at that length: it has 63 bits."""
NAME = Field(r".{0,64}", str)
EVENT = (NUMBER, NUMBER)
"""A campaign, and the number of an event in it."""


@dataclass(frozen=True)
class CustomId:
    """The form of a custom id: a word without a colon and the values behind it, with colons between."""

    word: str
    fields: tuple[Field, ...]

    @cached_property
    def _template(self) -> re.Pattern[str]:
        return re.compile(":".join([re.escape(self.word), *(f"({field.pattern})" for field in self.fields)]))

    def write(self, *values: object) -> str:
        """Return the id with these values."""
        return ":".join([self.word, *map(str, values)])

    def fits(self, *values: object) -> bool:
        """Return whether an id with these values is short enough for Discord and can be read again."""
        written = self.write(*values)
        return len(written) <= _ID_LIMIT and self.read(written) is not None

    def must_read(self, custom_id: str) -> list[Any]:
        """Return the values of an id; raise Unknown for one of another form."""
        values = self.read(custom_id)
        if values is None:
            raise Unknown(OUT_OF_DATE)
        return values

    def read(self, custom_id: str | None) -> list[Any] | None:
        """Return the values of an id; None for one of another form."""
        match = self._template.fullmatch(custom_id or "")
        return match and [field.read(text) for field, text in zip(self.fields, match.groups(), strict=True)]


def service_handler(
    ask: Callable[[App], Callable[[Caller, *_Values], Awaitable[_Found]]],
    show: Callable[[Interaction, _Found], Awaitable[None]],
) -> Callable[[Interaction, *_Values], Awaitable[None]]:
    """Return a handler that calls a service with the values of the id, and shows the result."""

    async def press(interaction: Interaction, *values: *_Values) -> None:
        await show(interaction, await ask(interaction.client.app)(caller(interaction), *values))

    return press


class ComponentHandler(Generic[*_Values]):
    """Handles a list or a button: making one registers it, so that it works after restarts too."""

    def __init__(
        self, word: str, press: Callable[[Interaction, *_Values], Awaitable[None]], *fields: Field
    ) -> None:
        self.custom_id = CustomId(word, fields)
        self._press: Callable[..., Awaitable[None]] = press
        Evenhand.register_handler(discord.InteractionType.component, word, self.receive)

    def select(
        self,
        *values: *_Values,
        options: list[discord.SelectOption],
        placeholder: str | None = None,
        most: int = 1,
    ) -> Select[View]:
        """Return a list with these values in its id, from which at most so many are chosen."""
        custom_id = self.custom_id.write(*values)
        return Select(custom_id=custom_id, options=options, placeholder=placeholder, max_values=most)

    async def receive(self, interaction: Interaction, custom_id: str) -> None:
        """Do what the component of that id does."""
        await self._press(interaction, *self.custom_id.must_read(custom_id))


class ButtonHandler(ComponentHandler[*_Values]):
    """Handles and draws one kind of button; cards name it by its word.

    `label` is a text, or a function of the values.
    """

    by_word: ClassVar[dict[str, "ButtonHandler[*tuple[Any, ...]]"]] = {}

    def __init__(
        self,
        word: str,
        label: str | Callable[[*_Values], str],
        press: Callable[[Interaction, *_Values], Awaitable[None]],
        *fields: Field,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> None:
        super().__init__(word, press, *fields)
        self._label: Callable[..., str] = label if callable(label) else lambda *_: say(label)
        self._style = style
        self.by_word[word] = self

    def write(self, named: CardButton) -> dict[str, Any]:
        """Return the button that a card names as Discord is told of it."""
        picture = discord.PartialEmoji.from_str(named.emoji).to_dict() if named.emoji else None
        return {
            "type": _BUTTON,
            "style": (discord.ButtonStyle[named.style] if named.style else self._style).value,
            "label": named.label or self._label(*named.values),
            "custom_id": self.custom_id.write(*named.values),
            "disabled": not named.on,
            **({"emoji": picture} if picture else {}),
        }


def button(named: CardButton) -> dict[str, Any]:
    """Return the button that a card names."""
    return ButtonHandler.by_word[named.name].write(named)


def parts_of(message: discord.Message | None) -> Iterator[object]:
    """Yield a message's components and what is inside them, from top to bottom."""
    return _parts(message.components if message else ())


def _parts(parts: Iterable[object]) -> Iterator[object]:
    for part in parts:
        yield part
        yield from _parts(getattr(part, "children", ()))
        yield from _parts(filter(None, [getattr(part, "accessory", None)]))


def buttons_on(
    message: discord.Message | None, *forms: CustomId
) -> Iterator[tuple[discord.Button, list[Any]]]:
    """Yield a message's buttons of these forms, with the values in their ids."""
    for part in parts_of(message):
        if isinstance(part, discord.Button):
            yield from ((part, values) for form in forms if (values := form.read(part.custom_id)) is not None)


class PersistentForm(Modal):
    """A form with values in its id; defining a subclass registers it, so that it works after restarts too."""

    form: ClassVar[CustomId]

    def __init_subclass__(cls, title: str, word: str, fields: tuple[Field, ...] = ()) -> None:
        super().__init_subclass__(title=title)
        cls.form = CustomId(word, fields)
        Evenhand.register_handler(discord.InteractionType.modal_submit, cls.form.word, cls.receive)

    def __init__(self, *values: object) -> None:
        super().__init__(custom_id=self.form.write(*values))
        self.values: tuple[Any, ...] = values

    @classmethod
    async def open(cls, interaction: Interaction, *values: object) -> None:
        """Open a form with these values in its id."""
        await cls(*values).show(interaction)

    def to_dict(self) -> dict[str, Any]:
        """Return what Discord is told, in the language that is spoken."""
        return _spoken(super().to_dict()) if SPOKEN.get() else super().to_dict()

    async def show(self, interaction: Interaction) -> None:
        """Open the form."""
        # discord.py would keep it in memory, and answer it beside `receive`.
        self.stop()
        await interaction.response.send_modal(self)

    @classmethod
    async def receive(cls, interaction: Interaction, custom_id: str) -> None:
        """Make the form of that id anew and send it; a field that is not there is empty."""
        form = cls(*cls.form.must_read(custom_id))
        await form.send(interaction, defaultdict(str, _typed(interaction.data)))

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Do what the form is for; `typed` has the texts of its fields by their ids.

        A ticked box is "yes"; what was chosen from a list stands with blanks between.
        """
        raise NotImplementedError


_SAID = {"title", "label", "description", "placeholder"}
"""What people read of a form and its fields."""


def _spoken(part: Any) -> Any:  # noqa: ANN401 (any part of what Discord is told)
    if is_list(part):
        return [_spoken(one) for one in part]
    if not is_object(part):
        return part
    return {
        name: say(value) if name in _SAID and isinstance(value, str) else _spoken(value)
        for name, value in part.items()
    }


def chosen(interaction: Interaction) -> list[str]:
    """Return what was chosen from a list."""
    values = cast("Mapping[str, object]", interaction.data or {}).get("values")
    return [str(value) for value in values] if is_list(values) else []


def chosen_one(interaction: Interaction) -> str:
    """Return what was chosen from a list that has one choice; raise Unknown where nothing was."""
    for value in chosen(interaction):
        return value
    raise Unknown(OUT_OF_DATE)


def _typed(part: object) -> Iterator[tuple[str, str]]:
    if is_list(part):
        for one in part:
            yield from _typed(one)
    elif is_object(part):
        match part:
            case {"custom_id": str(field), "value": str(text)}:
                yield field, text
            case {"custom_id": str(field), "value": True}:
                yield field, "yes"
            case {"custom_id": str(field), "values": [*given]}:
                yield field, " ".join(map(str, given))
            case _:
                yield from _typed(part.get("components"))
                yield from _typed(part.get("component"))
