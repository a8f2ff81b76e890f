"""What a person can do at the table: send a line, press, choose, send a form, look at what can be typed."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from bot.play import components, options, payloads
from bot.play import line as lines
from bot.play.filling import Filling
from bot.play.gateway import Away
from bot.play.interactions import Act, InteractionOutcome, Interactions, OpenInteraction
from bot.play.messages import UPLOAD_MS, Posts
from bot.play.options import ActRefused, Names
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, World, read_id
from bot.times import milliseconds_of
from bot.words.saying import phrase

PERSON_MENU, MESSAGE_MENU = 2, 3
PageId: TypeAlias = Annotated[int, BeforeValidator(read_id)]
"""An id, which a page sends as a string of digits."""
_CHAT_AT_MOST = 2_000
_CHOICES_SECONDS = 1.5
_NOT_HERE = phrase("That is not here any more.")


@dataclass
class Acts:
    """The people's side of the table; raises ActRefused for what can't be done, and Away without the bot.

    `uploads` are each person's files that stand in no message yet, by name.
    """

    world: World
    posts: Posts
    interactions: Interactions
    uploads: defaultdict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))

    def commands(self, person: Person, channel: Channel, kind: int = 1) -> list[Object]:
        """Return the commands, as they were synced, that somebody may run in a channel.

        What needs "0" is for administrators, whom this table has none of.
        """
        alone, lacks = channel.kind == "alone", ~self.world.rights(person, channel)

        def may(command: Object) -> bool:
            needed = command.get("default_member_permissions")
            here = int(alone) in (command.get("contexts") or (0, 1))
            return here and (alone or needed is None or (needed != "0" and not int(needed) & lacks))

        return [command for command in self.world.commands if command["type"] == kind and may(command)]

    def names(self, person: Person) -> Names:
        """Return who and what somebody can name."""
        world = self.world
        channels = [c for c in world.channels.values() if c.kind != "alone" and not c.archived]
        people = {p.name: p.id for p in world.seated()}
        roles = {r.name: r.id for r in world.roles.values() if r.id != world.guild_id}
        return {
            options.USER: people,
            options.ROLE: roles,
            options.MENTIONABLE: people | roles,
            options.CHANNEL: {c.name: c.id for c in channels},
            options.FILE: self._unused(person),
        }

    async def line(
        self, person: Person, channel: Channel, line: str, files: Sequence[PageId] = ()
    ) -> OpenInteraction | None:
        """Say something, or run a command; return the command's interaction."""
        if channel.archived:
            raise ActRefused("This channel is archived.")
        if line.startswith("/") and not line.startswith("//"):
            return await self._run(person, channel, line)
        text = options.mentioned(line[line.startswith("//") :], self.names(person)).strip()
        if len(text) > _CHAT_AT_MOST:
            raise ActRefused(
                "A message has at most {most:,} characters; this one has {n:,}.",
                _CHAT_AT_MOST,
                most=_CHAT_AT_MOST,
                n=len(text),
            )
        message = Message(self.world.new_id(), channel.id, person.id, "chat", text)
        found = map(self.world.store.file, self.take(person, files))
        message.attachments = [file[1] for file in found if file]
        if text or message.attachments:
            message.calls = self.posts.called(message, None)
            self.posts.post(message)
        return None

    async def _run(self, person: Person, channel: Channel, line: str) -> OpenInteraction:
        if not self.world.commands:  # the bot is at its first start, and tells them before it is ready
            await self.interactions.gateway.wait(channel, self.interactions.ready_seconds)
        known = options.commands(self.commands(person, channel))
        if channel.kind == "alone" and not lines.find(line, known):
            elsewhere = options.commands(self.commands(person, self.world.first_channel))
            if found := lines.find(line, elsewhere):
                raise ActRefused(
                    "/{command} needs a channel: here you are alone with {bot}.",
                    command=found[0].name,
                    bot=self.world.bot.name,
                )
        command, given = lines.read(line, known, self.names(person))
        resolved: dict[str, Object] = {}
        for option in given:
            payloads.resolve(self.world, resolved, option["type"], str(option["value"]))
        data = command.data(given) | {"resolved": resolved}
        asked = OpenInteraction(Act.COMMAND, person, channel, data, None, f"/{command.name}", line)
        interaction = await self.interactions.begin(asked)
        self.take(person, map(int, resolved.get("attachments", ())))
        person.used[command.name] = person.used.get(command.name, 0) + 1
        self.world.note(person)
        return interaction

    async def press(
        self, person: Person, message: PageId, custom_id: str, values: Sequence[str] = ()
    ) -> OpenInteraction:
        """Press a button, or choose from a select."""
        found, channel = self._message(person, message)
        part = next((each for each in found.parts() if each.get("custom_id") == custom_id), None)
        if part is None or part.get("disabled"):
            raise ActRefused(_NOT_HERE)
        data = {key: part[key] for key in ("custom_id", "id") if key in part} | {
            "component_type": part["type"]
        }
        if part["type"] != components.BUTTON:
            filling = Filling(self.world, ())
            data["values"] = filling.chosen(part, values)
            data |= {"resolved": filling.resolved} if filling.resolved else {}
        label = None if found.viewer else part.get("label") or part.get("placeholder")
        return await self.interactions.begin(OpenInteraction(Act.PRESS, person, channel, data, found, label))

    async def menu(
        self, person: Person, target: PageId, name: str, channel: Channel | None = None
    ) -> OpenInteraction:
        """Run a command of a message's menu; with a channel, of a person's menu there."""
        kind, resolved = PERSON_MENU, dict[str, Object]()
        if channel:
            payloads.resolve(self.world, resolved, options.USER, str(target))
        else:
            found, channel = self._message(person, target)
            kind, resolved = MESSAGE_MENU, {"messages": {str(target): payloads.message(self.world, found)}}
        told = next((c for c in self.commands(person, channel, kind) if c["name"] == name), None)
        if told is None or not resolved:
            raise ActRefused(_NOT_HERE)
        data = {"id": told["id"], "name": name, "type": kind, "target_id": str(target), "resolved": resolved}
        chosen = options.localised(told, "name")
        return await self.interactions.begin(
            OpenInteraction(Act.COMMAND, person, channel, data, None, chosen)
        )

    async def submit(
        self, person: Person, modal: PageId, values: dict[str, str | bool | list[str] | None]
    ) -> OpenInteraction:
        """Send the form that an act (its id) has shown; it stays open if the bot does not take it."""
        forms = self.interactions.forms
        asked, form = forms.get(modal) or (None, Object())
        if asked is None or asked.person is not person:
            raise ActRefused("This form is not open any more.")
        filling = Filling(self.world, self._unused(person).values())
        filled = filling.form(form["components"], values)
        data = {"custom_id": form["custom_id"], "components": filled, "resolved": filling.resolved}
        sent = OpenInteraction(Act.SUBMIT, person, asked.channel, data, asked.message, asked.command)
        del forms[modal]

        def ended(outcome: asyncio.Future[InteractionOutcome]) -> None:
            if outcome.cancelled() or not outcome.result().ok:
                forms[modal] = asked, form

        sent.outcome.add_done_callback(ended)
        try:
            await self.interactions.begin(sent)
        except Away:
            sent.outcome.cancel()
            raise
        self.take(person, map(int, filling.resolved.get("attachments", ())))
        return sent

    def dismiss(self, person: Person, message: int) -> None:
        """Delete a private answer to oneself."""
        found = self.posts.find(message)
        if found is None or found.viewer != person.id:
            raise ActRefused(_NOT_HERE)
        self.posts.delete(found)

    def take(self, person: Person, files: Iterable[int]) -> list[int]:
        """Take files from somebody's uploads; return those that were there."""
        own, wanted = self._unused(person), set(files)
        self.uploads[person.id] = {name: number for name, number in own.items() if number not in wanted}
        return [number for number in own.values() if number in wanted]

    def _unused(self, person: Person) -> dict[str, int]:
        """Return somebody's uploads of the last 15 minutes, by name."""
        oldest = self.world.clock() * 1000 - UPLOAD_MS
        return {name: n for name, n in self.uploads[person.id].items() if milliseconds_of(n) > oldest}

    async def hints(self, person: Person, channel: Channel, head: str) -> AsyncGenerator[Object]:
        """Yield what can be typed behind the beginning of a line, again with what the bot offers in time."""
        known = options.commands(self.commands(person, channel))
        typed = head, known, self.names(person), person.used
        found, data = lines.hints(*typed)
        yield found | {"wait": data is not None}
        if data:
            asked, choices = OpenInteraction(Act.AUTOCOMPLETE, person, channel, data), tuple[Object]()
            with suppress(TimeoutError, Away):
                async with asyncio.timeout(_CHOICES_SECONDS):
                    choices = (await (await self.interactions.begin(asked)).outcome).choices
            yield lines.hints(*typed, choices)[0] | {"wait": False}

    def _message(self, person: Person, number: int) -> tuple[Message, Channel]:
        """Return a message that somebody sees, and its channel."""
        found = self.posts.find(number)
        if found and self.world.sees(person, found.channel, found.viewer):
            channel = self.world.channels[found.channel]
            if not channel.archived:
                return found, channel
        raise ActRefused(_NOT_HERE)
