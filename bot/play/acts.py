"""What a person can do at the table: send a line, press, choose, send a form, look at what can be typed."""

import asyncio
from collections.abc import Sequence

from bot.play import hints, options
from bot.play import line as lines
from bot.play.filling import chosen, filled, resolve
from bot.play.hints import HintRow, Hints, Question
from bot.play.ids import milliseconds
from bot.play.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    PRESS,
    SUBMIT,
    Away,
    InteractionOutcome,
    Interactions,
    OpenInteraction,
)  # fmt: skip
from bot.play.messages import Posts
from bot.play.options import AppCommand, LineFault, Names
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, World

PERSON_MENU, MESSAGE_MENU = 2, 3
_BUTTON = 2
_CHAT_AT_MOST = 2_000
_UPLOAD_MS = 15 * 60 * 1000
_CHOICES_SECONDS = 1.5
NOT_HERE = "That is not here any more."


class Acts:
    """The people's side of the table; raises LineFault for what can't be done, and Away without the bot.

    `uploads` are each person's files that stand in no message yet, by name.
    """

    def __init__(self, world: World, posts: Posts, interactions: Interactions) -> None:
        self.uploads: dict[int, dict[str, int]] = {}
        self._world = world
        self._posts = posts
        self._interactions = interactions
        self._forms: dict[int, tuple[OpenInteraction, Object]] = {}

    def commands(self, person: Person, channel: Channel, kind: int = 1) -> list[Object]:
        """Return the commands, as they were synced, that somebody may run in a channel.

        What needs "0" is for administrators, whom this table has none of.
        """
        alone = channel.kind == "alone"
        lacks = ~self._world.rights(person, channel)

        def may(command: Object) -> bool:
            needed = command.get("default_member_permissions")
            here = int(alone) in (command.get("contexts") or (0, 1))
            return here and (alone or needed is None or (needed != "0" and not int(needed) & lacks))

        return [command for command in self._world.commands if command["type"] == kind and may(command)]

    def menus(self, person: Person, kind: int) -> list[str]:
        """Return the commands of a message's or a person's menu."""
        channel = next(c for c in self._world.channels.values() if c.kind == "text")
        return [command["name"] for command in self.commands(person, channel, kind)]

    def names(self, person: Person) -> Names:
        """Return who and what somebody can name."""
        world, oldest = self._world, self._world.ids.clock() * 1000 - _UPLOAD_MS
        own = self.uploads.get(person.id, {})
        return Names(
            people={p.name: p.id for p in world.seated()},
            roles={r.name: r.id for r in world.roles.values() if r.id != world.guild_id},
            channels={c.name: c.id for c in world.channels.values() if c.kind != "alone" and not c.archived},
            files={name: number for name, number in own.items() if milliseconds(number) > oldest},
        )

    async def line(
        self, person: Person, channel: Channel, line: str, files: Sequence[int] = ()
    ) -> OpenInteraction | None:
        """Say something, or run a command; return the command's interaction."""
        if channel.archived:
            raise LineFault("This channel is archived.")
        if line.startswith("/") and not line.startswith("//"):
            return await self._run(person, channel, line)
        text = options.mentioned(line[line.startswith("//") :], self.names(person)).strip()
        if len(text) > _CHAT_AT_MOST:
            raise LineFault(
                f"A message has at most 2,000 characters; this one has {len(text):,}.", _CHAT_AT_MOST
            )
        message = Message(self._world.ids.new(), channel.id, person.id, "chat", text)
        own = self.uploads.get(person.id, {})
        for name in [name for name, number in own.items() if number in files]:
            if found := self._world.store.file(own.pop(name)):
                message.attachments.append(found[1])
        if text or message.attachments:
            message.calls = self._posts.called(message, None)
            self._posts.post(message)
        return None

    async def _run(self, person: Person, channel: Channel, line: str) -> OpenInteraction:
        if not self._world.commands:  # the bot is at its first start, and tells them before it is ready
            await self._interactions.wait(channel)
        call = lines.read(line, options.commands(self.commands(person, channel)), self.names(person))
        resolved: dict[str, Object] = {}
        given: list[Object] = []
        for option in call.command.options:
            if (value := call.values.get(option["name"])) is not None:
                given.append({"name": option["name"], "type": option["type"], "value": value})
                resolve(self._world, resolved, option["type"], str(value), self._posts.address)
        data, name = _nested(call.command, given), call.command.name
        data |= {"resolved": resolved} if resolved else {}
        interaction = await self._interactions.begin(
            COMMAND, person, channel, data, command=f"/{name}", line=line
        )
        own, sent = self.uploads.get(person.id, {}), resolved.get("attachments", {})
        self.uploads[person.id] = {n: number for n, number in own.items() if str(number) not in sent}
        person.used[name] = person.used.get(name, 0) + 1
        self._world.note(person)
        return interaction

    async def press(
        self, person: Person, message: int, custom_id: str, values: Sequence[str] = ()
    ) -> OpenInteraction:
        """Press a button, or choose from a select."""
        found, channel = self._message(person, message)
        parts = (part for row in found.components for part in row["components"])
        part = next((each for each in parts if each.get("custom_id") == custom_id), None)
        if part is None or part.get("disabled"):
            raise LineFault(NOT_HERE)
        data: Object = {"custom_id": custom_id, "component_type": part["type"]}
        data |= {} if part["type"] == _BUTTON else chosen(self._world, part, values)
        return await self._interactions.begin(PRESS, person, channel, data, found)

    async def menu(self, person: Person, channel: Channel | None, target: int, name: str) -> OpenInteraction:
        """Run a command of a message's menu; with a channel, of a person's menu there."""
        kind, resolved = PERSON_MENU, dict[str, Object]()
        if channel:
            resolve(self._world, resolved, options.USER, str(target))
        else:
            found, channel = self._message(person, target)
            kind, resolved = MESSAGE_MENU, {"messages": {str(target): self._posts.payload(found)}}
        told = next((c for c in self.commands(person, channel, kind) if c["name"] == name), None)
        if told is None or not resolved:
            raise LineFault(NOT_HERE)
        data = {"id": told["id"], "name": name, "type": kind, "target_id": str(target), "resolved": resolved}
        return await self._interactions.begin(COMMAND, person, channel, data, command=name)

    def show(self, asked: OpenInteraction, form: Object) -> None:
        """Remember a form that somebody was shown for an act; they can send it once, by the act's id."""
        self._forms[asked.id] = asked, form

    async def submit(self, person: Person, number: int, values: Object) -> OpenInteraction:
        """Send a form; it stays open if the bot does not take it."""
        asked, form = self._forms.get(number) or (None, Object())
        if asked is None or asked.person is not person:
            raise LineFault("This form is not open any more.")
        data = {"custom_id": form["custom_id"], "components": filled(self._world, form, values)}
        del self._forms[number]
        try:
            interaction = await self._interactions.begin(SUBMIT, person, asked.channel, data, asked.message)
        except Away:
            self.show(asked, form)
            raise

        def ended(outcome: asyncio.Future[InteractionOutcome]) -> None:
            if not outcome.cancelled() and not outcome.result().ok:
                self.show(asked, form)

        interaction.outcome.add_done_callback(ended)
        return interaction

    def dismiss(self, person: Person, message: int | None) -> None:
        """Delete a private answer to oneself."""
        found = self._posts.find(message)
        if found is None or found.viewer != person.id:
            raise LineFault(NOT_HERE)
        self._posts.delete(found)

    def hints(self, person: Person, channel: Channel, line: str, at: int) -> Hints:
        """Return what can be typed at a place of a line."""
        known = options.commands(self.commands(person, channel))
        return hints.hints(line, at, known, self.names(person), person.used)

    async def choices(self, person: Person, channel: Channel, question: Question) -> list[HintRow]:
        """Return what the bot offers, or nothing if that takes too long."""
        option = question.option
        focused = {"name": option["name"], "type": option["type"], "value": question.typed, "focused": True}
        given = [{"name": n, "type": options.TEXT, "value": v} for n, v in question.values.items()]
        data = _nested(question.command, [*given, focused])
        try:
            async with asyncio.timeout(_CHOICES_SECONDS):
                interaction = await self._interactions.begin(AUTOCOMPLETE, person, channel, data)
                outcome = await interaction.outcome
        except (TimeoutError, Away):
            return []
        return [question.row(str(c["name"]), str(c["value"])) for c in outcome.choices]

    def _message(self, person: Person, number: int) -> tuple[Message, Channel]:
        """Return a message that somebody sees, and its channel."""
        found = self._posts.find(number)
        if found and self._world.sees(person, found.channel, found.viewer):
            channel = self._world.channels[found.channel]
            if not channel.archived:
                return found, channel
        raise LineFault(NOT_HERE)


def _nested(command: AppCommand, given: list[Object]) -> Object:
    """Return a command's data, with its options where Discord puts them: inside groups and subcommands."""
    kind = 1
    for word in reversed(command.name.split()[1:]):
        given, kind = [{"name": word, "type": kind, "options": given}], 2
    return {"id": command.told["id"], "name": command.told["name"], "type": 1, "options": given}
