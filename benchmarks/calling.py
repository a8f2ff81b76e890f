"""Discord's side of a load test: members run commands, press buttons, and wait for the bot's answer."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.play.host import Table, open_table
from bot.play.interactions import OpenInteraction
from bot.play.world import Channel, Message, Person

_PATIENCE_SECONDS = 15


@dataclass(frozen=True, slots=True)
class Said:
    """The bot's answer."""

    message: Message

    @property
    def private(self) -> bool:
        """Whether only one person sees it."""
        return self.message.viewer is not None

    @property
    def content(self) -> str:
        """Its words."""
        return self.message.text


@dataclass(frozen=True, slots=True)
class Edit:
    """A message was edited."""

    at: float
    """By `time.perf_counter`."""
    message_id: int
    content: str


@dataclass(slots=True)
class Calling:
    """The table's Discord with members who are game masters, each with a channel of their own.

    `edits` has every edit of a message, in order.
    """

    table: Table
    members: list[tuple[Person, Channel]]
    edits: list[Edit] = field(default_factory=list[Edit])
    _edited: asyncio.Event = field(default_factory=asyncio.Event)

    async def call(self, member: int, name: str, options: Mapping[str, str | int] | None = None) -> Said:
        """Have a member run a command ("d100 roll") in their channel; the bot's answer, once it is in.

        AssertionError if it answers in private, as it answers errors, or not in time.
        """
        person, channel = self.members[member]
        typed = "".join(f' {option}:"{value}"' for option, value in (options or {}).items())
        interaction = await self.table.acts.line(person, channel, f"/{name}{typed}")
        assert interaction is not None
        message = await self._said(interaction)
        assert not message.private, message.content
        return message

    async def press(self, member: int, message: Said, label: str) -> Said:
        """Have a member press a message's button; the bot's answer, once it is in."""
        parts = message.message.parts()
        custom_id = next(str(part["custom_id"]) for part in parts if part.get("label") == label)
        person, _ = self.members[member]
        return await self._said(await self.table.acts.press(person, message.message.id, custom_id))

    async def wait_for_edit(self, seconds: float) -> None:
        """Wait until a message is edited; raise TimeoutError if it is not."""
        self._edited.clear()
        async with asyncio.timeout(seconds):
            await self._edited.wait()

    def hear(self, change: object, new: bool) -> None:  # noqa: FBT001 (what listeners are given)
        """Note an edit."""
        if isinstance(change, Message) and not new:
            self.edits.append(Edit(time.perf_counter(), change.id, change.text))
            self._edited.set()

    async def _said(self, interaction: OpenInteraction) -> Said:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            outcome = await interaction.outcome
        assert outcome.ok, "the bot did not answer in time"
        message = self.table.posts.find(interaction.original or 0)
        assert message is not None
        return Said(message)


@asynccontextmanager
async def calling(folder: Path, members: int) -> AsyncGenerator[Calling]:
    """Open the table's Discord with `members` members, kept in a folder."""
    async with open_table(folder) as table:
        table.interactions.patience = _PATIENCE_SECONDS
        world = table.world
        seats = [
            (world.add_person(f"m{n}", gm=True), world.add_channel(f"table-{n}")) for n in range(members)
        ]
        discord = Calling(table, seats)
        world.listeners.append(discord.hear)
        yield discord
