"""Read Discord's interactions: the caller, chosen values, and handlers of buttons, lists and forms.

Buttons and forms work after a restart: the custom id holds all that their handler needs. Each feature has
one table of its kinds of buttons: a word, a label, a handler, and the fields of the id behind the word.
Defining a handler or a form registers it, so the feature's `cog.py` imports its module.
"""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, TypeVarTuple, cast

import discord
from discord.ui import Button, Checkbox, Item, Label, LayoutView, Modal, Select, TextInput, UserSelect, View

from bot.answers import DISCORD_ERRORS, OUT_OF_DATE, AnswerRefused
from bot.app import App
from bot.campaign.command import Caller
from bot.client import Evenhand
from bot.dice.errors import NotAllowed, Unknown
from bot.dice.system import is_list, is_object
from bot.words.cards import CardButton
from bot.words.saying import read_table, say

Interaction: TypeAlias = discord.Interaction[Evenhand]
_ID_LIMIT = 100
"""Discord's limit of characters in a custom id."""
_LABEL_LIMIT, _OPTION_LIMIT = 80, 100
"""Discord's limits of characters in a button's label, and in an option's label or description."""
OPTIONS_LIMIT = 25
"""Discord's limit of options in a list."""


def caller(interaction: Interaction, shown_in: int = 0) -> Caller:
    """Return the user of an interaction with their place and rights; in a direct message they manage it.

    If the user installed the bot only for themselves, a server's rights do not count. A press that changes
    the content of a message or shows more of it passes its campaign as `shown_in` (0 if there is none yet),
    and is refused once another one is played. A press in place of typed words uses the current campaign.
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
    """Return the ids of a user's roles, as Discord sent them with the interaction."""
    if not isinstance(user, discord.Member):
        return frozenset()
    # `user.roles` is empty until Discord has sent the server, which can be late after a restart.
    return frozenset((user.guild.id, *user._roles))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


async def caller_and_campaign(interaction: Interaction, shown_in: int = 0) -> tuple[Caller, int]:
    """Return the caller bound to the current campaign, and its id for buttons (0 if there is none)."""
    campaign_id = await interaction.client.app.campaigns.played(caller(interaction, shown_in)) or 0
    return caller(interaction, campaign_id), campaign_id


def lacks_to_post(granted: discord.Permissions, *, threaded: bool) -> list[str]:
    """Return the names of the missing permissions to see a channel and to post there."""
    may_post = granted.send_messages_in_threads if threaded else granted.send_messages
    post = say("Send Messages in Threads") if threaded else say("Send Messages")
    permissions = {say("View Channel"): granted.view_channel, post: may_post}
    return [name for name, is_granted in permissions.items() if not is_granted]


def lacks_here(interaction: Interaction) -> list[str]:
    """Return the names of the permissions that the bot lacks to post where an interaction was sent."""
    if interaction.guild_id is None and interaction.context.dm_channel:
        return []  # it is alone with the user, where Discord counts no rights
    threaded = isinstance(interaction.channel, discord.Thread)
    return lacks_to_post(interaction.app_permissions, threaded=threaded)


_Values = TypeVarTuple("_Values")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Field:
    """A value in a custom id: the pattern of its text, the function that reads it, the sign before it.

    The label of a button can show a value that has a `name`.
    """

    pattern: str
    read: Callable[[str], object] = str
    before: str = ":"
    name: str = ""


NUMBER = Field("[0-8]?[0-9]{1,18}", int)
"""An id of Discord or the database: at most 63 bits, so with 19 digits it does not begin with 9."""
NAME = Field(r".{0,64}")
BESIDE = Field("[^@]*", before="@")
"""A text behind another one."""
EVENT = (NUMBER, NUMBER)
"""A campaign, and the number of an event in it."""


@dataclass(frozen=True)
class CustomId:
    """The form of a custom id: a word without a colon, and the values behind it."""

    word: str
    fields: tuple[Field, ...]

    @cached_property
    def _layout(self) -> str:
        return self.word + "".join(f"{field.before}{{}}" for field in self.fields)

    @cached_property
    def _template(self) -> re.Pattern[str]:
        return re.compile(self._layout.format(*(f"({field.pattern})" for field in self.fields)))

    def write(self, *values: object) -> str:
        """Return the id with these values."""
        return self._layout.format(*values)

    def fits(self, *values: object) -> bool:
        """Return whether an id with these values is short enough for Discord and can be read back."""
        written, texts = self.write(*values), tuple(map(str, values))
        match = self._template.fullmatch(written)
        return len(written) <= _ID_LIMIT and match is not None and match.groups() == texts

    def must_read(self, custom_id: str) -> list[Any]:
        """Return the values of an id. Raise Unknown for an id of another form."""
        values = self.read(custom_id)
        if values is None:
            raise Unknown(OUT_OF_DATE)
        return values

    def read(self, custom_id: str | None) -> list[Any] | None:
        """Return the values of an id, or None for an id of another form."""
        match = self._template.fullmatch(custom_id or "")
        return match and [field.read(text) for field, text in zip(self.fields, match.groups(), strict=True)]


Responder: TypeAlias = Callable[[Interaction, *_Values], Awaitable[None]]
"""A function that answers an interaction, from the values of its custom id or from a service's result."""


def service_handler(
    ask: Callable[[App], Callable[[Caller, *_Values], Awaitable[_Result]]], show: Responder[_Result]
) -> Responder[*_Values]:
    """Return a handler that calls a service with the values of the id, and shows the result."""

    async def press(interaction: Interaction, *values: *_Values) -> None:
        await show(interaction, await ask(interaction.client.app)(caller(interaction), *values))

    return press


@contextmanager
def only_once(interaction: Interaction, custom_id: str) -> Generator[None]:
    """Raise NotAllowed if that button or form of the message did its work already, or is doing it.

    After a refusal or a fault it may be pressed again; not if the answer to what was done is lost.
    """
    message, pressed = interaction.message, interaction.client.pressed
    at, own = (message.id if message else interaction.id, custom_id), str(interaction.id)
    if pressed.get(at, own) != own:
        raise NotAllowed("That is done already. To do it once more, use the command again.")
    pressed[at] = own
    try:
        yield
    except (AnswerRefused, *DISCORD_ERRORS):
        raise
    except BaseException:
        pressed.pop(at, None)
        raise


class ComponentHandler(Generic[*_Values]):
    """Handles a list or a button. Creating one registers it, so that it works after restarts too.

    One that works `once` refuses later presses under the same message.
    """

    def __init__(self, word: str, press: Responder[*_Values], *fields: Field, once: bool = False) -> None:
        self.custom_id = CustomId(word, fields)
        self._press: Callable[..., Awaitable[None]] = press
        self._once = once
        Evenhand.register_handler(discord.InteractionType.component, word, self.receive)

    def select(
        self,
        *values: *_Values,
        options: Mapping[str, str],
        about: Mapping[str, str] | None = None,
        placeholder: str | None = None,
        most: int = 1,
    ) -> Select[View]:
        """Return a list with these values in its id, for at most `most` choices.

        `options` are the labels, `about` are descriptions, both by their options' values.
        """
        select: Select[View] = Select(
            custom_id=self.custom_id.write(*values), placeholder=placeholder, max_values=most
        )
        for value, label in options.items():
            description = (about or {}).get(value, "")[:_OPTION_LIMIT]
            select.add_option(value=value, label=label[:_OPTION_LIMIT], description=description)
        return select

    async def receive(self, interaction: Interaction, custom_id: str) -> None:
        """Handle the interaction of the component with that id."""
        with only_once(interaction, custom_id) if self._once else nullcontext():
            await self._press(interaction, *self.custom_id.must_read(custom_id))


def in_lists(options: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the options of several lists, with the place of each list's first one."""
    pairs = [*options.items()]
    for place in range(0, len(pairs), OPTIONS_LIMIT):
        yield place, dict(pairs[place : place + OPTIONS_LIMIT])


class ButtonHandler(ComponentHandler[*_Values]):
    """Handles and draws one kind of button; cards name it by its word.

    `label` is a text, with the names of fields in braces for their values, or a function of the values.
    """

    by_word: ClassVar[dict[str, "ButtonHandler[*tuple[Any, ...]]"]] = {}

    def __init__(
        self,
        word: str,
        label: str | Callable[[*_Values], str],
        press: Responder[*_Values],
        *fields: Field,
        style: Literal["primary", "secondary", "danger"] = "secondary",
        once: bool = False,
    ) -> None:
        super().__init__(word, press, *fields, once=once)
        self._label: Callable[..., str] = label if callable(label) else partial(self._fill, label)
        self._style = style
        self.by_word[word] = self

    def _fill(self, label: str, *values: object) -> str:
        fields = zip(self.custom_id.fields, values, strict=True)
        return say(label, **{field.name: value for field, value in fields if field.name})

    def write(self, card_button: CardButton) -> dict[str, Any]:
        """Return a card's button as Discord's component."""
        picture = discord.PartialEmoji.from_str(card_button.emoji).to_dict() if card_button.emoji else None
        return {
            "type": discord.ComponentType.button.value,
            "style": discord.ButtonStyle[card_button.style or self._style].value,
            "label": (card_button.label or self._label(*card_button.values))[:_LABEL_LIMIT],
            "custom_id": self.custom_id.write(*card_button.values),
            "disabled": not card_button.on,
            **({"emoji": picture} if picture else {}),
        }


def button(card_button: CardButton) -> dict[str, Any]:
    """Return a card's button as Discord's component, by the handler of its name."""
    return ButtonHandler.by_word[card_button.name].write(card_button)


def parts_of(message: discord.Message | None) -> Iterable[Item[Any]]:
    """Return a message's components and their children, from top to bottom."""
    return LayoutView.from_message(message, timeout=None).walk_children() if message else ()


def buttons_on(message: discord.Message | None, *forms: CustomId) -> Iterator[tuple[Button[Any], list[Any]]]:
    """Yield a message's buttons of these forms, with the values in their ids."""
    for part in parts_of(message):
        if isinstance(part, Button):
            yield from ((part, values) for form in forms if (values := form.read(part.custom_id)) is not None)


def _list_of(options: Mapping[str, str], **more: Any) -> Item[Any]:  # noqa: ANN401 (as for discord.py's list)
    choices = [discord.SelectOption(value=value, label=say(text)) for value, text in options.items()]
    return Select(options=choices, **more)


_KINDS: Mapping[str, Callable[..., Item[Any]]] = {
    "line": TextInput[Any],
    "lines": partial(TextInput[Any], style=discord.TextStyle.paragraph),
    "people": UserSelect[Any],
    "box": Checkbox[Any],
    "list": _list_of,
}
"""Kinds of inputs in `forms.toml`."""


class PersistentForm(Modal):
    """A form with values in its id; defining a subclass registers it, so that it works after restarts too.

    If a subclass passes its `file`, its inputs are those of its word in `forms.toml` beside that file.
    """

    form: ClassVar[CustomId]
    inputs: ClassVar[Mapping[str, Mapping[str, Any]]]

    def __init_subclass__(cls, title: str, word: str, fields: tuple[Field, ...] = (), file: str = "") -> None:
        super().__init_subclass__(title=title)
        cls.form, cls.inputs = CustomId(word, fields), read_table(file, "forms")[word] if file else {}
        Evenhand.register_handler(discord.InteractionType.modal_submit, cls.form.word, cls.receive)

    def __init__(self, *values: object, **defaults: str) -> None:
        super().__init__(title=say(self.title), custom_id=self.form.write(*values))
        self.values: tuple[Any, ...] = values
        for custom_id, facts in self.inputs.items():
            more = {**facts, **({"default": defaults[custom_id]} if custom_id in defaults else {})}
            if "placeholder" in more:
                more["placeholder"] = say(more["placeholder"])
            label, about, kind = more.pop("label"), more.pop("about", ""), more.pop("kind", "line")
            self.ask(label, _KINDS[kind](custom_id=custom_id, **more), about)

    def ask(self, label: str, component: Item[Any], about: str = "") -> None:
        """Add an input below a label, with a description of it if it needs one."""
        self.add_item(Label(text=say(label), component=component, description=say(about) or None))

    @classmethod
    async def open(cls, interaction: Interaction, *values: object, **defaults: str) -> None:
        """Open a form with these values in its id, and these texts in its inputs."""
        await cls(*values, **defaults).show(interaction)

    async def show(self, interaction: Interaction) -> None:
        """Open the form."""
        # discord.py would keep it in memory, and handle it besides `receive`.
        self.stop()
        await interaction.response.send_modal(self)

    @classmethod
    async def receive(cls, interaction: Interaction, custom_id: str) -> None:
        """Create the form of that id anew and handle its submission; a missing field is empty."""
        form = cls(*cls.form.must_read(custom_id))
        await form.send(interaction, defaultdict(str, _read_fields(interaction.data)))

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Handle a submission; `typed` maps the ids of its fields to their texts.

        A ticked checkbox is "yes"; values chosen from a list are joined by blanks.
        """
        raise NotImplementedError


def _chosen_values(interaction: Interaction) -> list[str]:
    values = cast("Mapping[str, object]", interaction.data or {}).get("values")
    return [str(value) for value in values] if is_list(values) else []


def chosen_numbers(interaction: Interaction) -> list[int]:
    """Return the values chosen from a list of numbers."""
    return [int(value) for value in _chosen_values(interaction) if re.fullmatch(NUMBER.pattern, value)]


def chosen_value(interaction: Interaction) -> str:
    """Return the value chosen from a list of one choice. Raise Unknown if there is none."""
    if not (values := _chosen_values(interaction)):
        raise Unknown(OUT_OF_DATE)
    return values[0]


def _read_fields(part: object) -> Iterator[tuple[str, str]]:
    if is_list(part):
        for item in part:
            yield from _read_fields(item)
    elif is_object(part):
        match part:
            case {"custom_id": str(field), "value": str(text)}:
                yield field, text
            case {"custom_id": str(field), "value": True}:
                yield field, "yes"
            case {"custom_id": str(field), "values": [*values]}:
                yield field, " ".join(map(str, values))
            case _:
                yield from _read_fields(part.get("components"))
                yield from _read_fields(part.get("component"))
