"""Something that a person does with the bot, on its way: what is told, and what comes of it."""

import asyncio
from dataclasses import dataclass, field

from bot.play.messages import Message
from bot.play.store import Object
from bot.play.world import Channel, Person

COMMAND, PRESS, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
"""What an interaction is about."""


class Away(Exception):
    """The bot is not there."""


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal that the bot has shown to somebody."""

    id: int
    person: int
    channel: int
    data: Object
    message: Message | None
    """The message whose button opened it."""


@dataclass(frozen=True, slots=True)
class InteractionOutcome:
    """What came of an interaction: whether the bot acknowledged it, and the form or choices it sent."""

    ok: bool
    form: Modal | None = None
    choices: tuple[Object, ...] = ()


@dataclass(slots=True)
class Act:
    """What somebody does.

    `data` is the interaction's own; `message` is the one that was pressed, or whose press opened the form;
    `command` and `line` are those of a typed command.
    """

    kind: int
    person: Person
    channel: Channel
    data: Object
    message: Message | None = None
    command: str | None = None
    line: str | None = None


@dataclass(slots=True)
class OpenInteraction:
    """An act on its way: born when it was told to the bot, by the loop's clock."""

    act: Act
    id: int
    token: str
    born: float
    outcome: asyncio.Future[InteractionOutcome] = field(repr=False)
    answered: bool = False
    late: bool = False
    original: int | None = None
    """The message that is its answer."""
