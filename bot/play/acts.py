"""What a person can do at the table: send a line, press, choose, send a form, look at what can be typed."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.play import line as lines
from bot.play import options, payloads
from bot.play.gateway import Away
from bot.play.interactions import Act, InteractionOutcome, Interactions, OpenInteraction
from bot.play.line import HintRow, Hints, Question
from bot.play.messages import Posts
from bot.play.options import AppCommand, LineFault, Names
from bot.play.store import Object, listed
from bot.play.world import Channel, Message, Person, World, milliseconds

PERSON_MENU, MESSAGE_MENU = 2, 3
_BUTTON, _INPUT, _USERS, _TEXT_SHOWN, _LABEL = 2, 4, 5, 10, 18
_CHAT_AT_MOST = 2_000
_UPLOAD_MS = 15 * 60 * 1000
_CHOICES_SECONDS = 1.5
NOT_HERE = "That is not here any more."


@dataclass
class Acts:
    """The people's side of the table; raises LineFault for what can't be done, and Away without the bot.

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
        alone = channel.kind == "alone"
        lacks = ~self.world.rights(person, channel)

        def may(command: Object) -> bool:
            needed = command.get("default_member_permissions")
            here = int(alone) in (command.get("contexts") or (0, 1))
            return here and (alone or needed is None or (needed != "0" and not int(needed) & lacks))

        return [command for command in self.world.commands if command["type"] == kind and may(command)]

    def names(self, person: Person) -> Names:
        """Return who and what somebody can name."""
        world, own, oldest = self.world, self.uploads[person.id], self.world.clock() * 1000 - _UPLOAD_MS
        channels = [c for c in world.channels.values() if c.kind != "alone" and not c.archived]
        people = {p.name: p.id for p in world.seated()}
        roles = {r.name: r.id for r in world.roles.values() if r.id != world.guild_id}
        return {
            options.USER: people,
            options.ROLE: roles,
            options.MENTIONABLE: people | roles,
            options.CHANNEL: {c.name: c.id for c in channels},
            options.FILE: {name: number for name, number in own.items() if milliseconds(number) > oldest},
        }

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
            sentence = f"A message has at most {_CHAT_AT_MOST:,} characters; this one has {len(text):,}."
            raise LineFault(sentence, _CHAT_AT_MOST)
        message = Message(self.world.new_id(), channel.id, person.id, "chat", text)
        for number in self.take(person, files):
            if found := self.world.store.file(number):
                message.attachments.append(found[1])
        if text or message.attachments:
            message.calls = self.posts.called(message, None)
            self.posts.post(message)
        return None

    async def _run(self, person: Person, channel: Channel, line: str) -> OpenInteraction:
        if not self.world.commands:  # the bot is at its first start, and tells them before it is ready
            await self.interactions.gateway.wait(channel, self.interactions.ready_seconds)
        known = options.commands(self.commands(person, channel))
        command, values = lines.read(line, known, self.names(person))
        resolved: dict[str, Object] = {}
        given: list[Object] = []
        for option in command.options:
            if (value := values.get(option["name"])) is not None:
                given.append({"name": option["name"], "type": option["type"], "value": value})
                payloads.resolve(self.world, resolved, option["type"], str(value), self.posts.address)
        data, name = _nested(command, given), command.name
        data |= {"resolved": resolved} if resolved else {}
        interaction = await self.interactions.begin(
            OpenInteraction(Act.COMMAND, person, channel, data, None, f"/{name}", line)
        )
        self.take(person, map(int, resolved.get("attachments", ())))
        person.used[name] = person.used.get(name, 0) + 1
        self.world.note(person)
        return interaction

    async def press(
        self, person: Person, message: int, custom_id: str, values: Sequence[str] = ()
    ) -> OpenInteraction:
        """Press a button, or choose from a select."""
        found, channel = self._message(person, message)
        part = next((each for each in found.parts() if each.get("custom_id") == custom_id), None)
        if part is None or part.get("disabled"):
            raise LineFault(NOT_HERE)
        data: Object = {"custom_id": custom_id, "component_type": part["type"]}
        data |= {} if part["type"] == _BUTTON else _chosen(self.world, part, values)
        return await self.interactions.begin(OpenInteraction(Act.PRESS, person, channel, data, found))

    async def menu(self, person: Person, channel: Channel | None, target: int, name: str) -> OpenInteraction:
        """Run a command of a message's menu; with a channel, of a person's menu there."""
        kind, resolved = PERSON_MENU, dict[str, Object]()
        if channel:
            payloads.resolve(self.world, resolved, options.USER, str(target))
        else:
            found, channel = self._message(person, target)
            kind, resolved = MESSAGE_MENU, {"messages": {str(target): self.posts.payload(found)}}
        told = next((c for c in self.commands(person, channel, kind) if c["name"] == name), None)
        if told is None or not resolved:
            raise LineFault(NOT_HERE)
        data = {"id": told["id"], "name": name, "type": kind, "target_id": str(target), "resolved": resolved}
        return await self.interactions.begin(OpenInteraction(Act.COMMAND, person, channel, data, None, name))

    async def submit(self, person: Person, number: int, values: Object) -> OpenInteraction:
        """Send the form that an act (its id) has shown; it stays open if the bot does not take it."""
        forms = self.interactions.forms
        asked, form = forms.get(number) or (None, Object())
        if asked is None or asked.person is not person:
            raise LineFault("This form is not open any more.")
        data = {"custom_id": form["custom_id"], "components": _filled(self.world, form, values)}
        del forms[number]
        try:
            interaction = await self.interactions.begin(
                OpenInteraction(Act.SUBMIT, person, asked.channel, data, asked.message)
            )
        except Away:
            forms[number] = asked, form
            raise

        def ended(outcome: asyncio.Future[InteractionOutcome]) -> None:
            if not outcome.cancelled() and not outcome.result().ok:
                forms[number] = asked, form

        interaction.outcome.add_done_callback(ended)
        return interaction

    def dismiss(self, person: Person, message: int | None) -> None:
        """Delete a private answer to oneself."""
        found = self.posts.find(message)
        if found is None or found.viewer != person.id:
            raise LineFault(NOT_HERE)
        self.posts.delete(found)

    def take(self, person: Person, files: Iterable[int]) -> list[int]:
        """Take files from somebody's uploads; return those that were there."""
        own, wanted = self.uploads[person.id], set(files)
        self.uploads[person.id] = {name: number for name, number in own.items() if number not in wanted}
        return [number for number in own.values() if number in wanted]

    def hints(self, person: Person, channel: Channel, line: str, at: int) -> Hints:
        """Return what can be typed at a place of a line."""
        known = options.commands(self.commands(person, channel))
        return lines.hints(line, at, known, self.names(person), person.used)

    async def choices(self, person: Person, channel: Channel, question: Question) -> list[HintRow]:
        """Return what the bot offers, or nothing if that takes too long."""
        option = question.option
        focused = {"name": option["name"], "type": option["type"], "value": question.typed, "focused": True}
        given = [{"name": n, "type": options.TEXT, "value": v} for n, v in question.values.items()]
        data = _nested(question.command, [*given, focused])
        try:
            async with asyncio.timeout(_CHOICES_SECONDS):
                interaction = await self.interactions.begin(
                    OpenInteraction(Act.AUTOCOMPLETE, person, channel, data)
                )
                outcome = await interaction.outcome
        except (TimeoutError, Away):
            return []
        return [question.row(str(c["name"]), str(c["value"])) for c in outcome.choices]

    def _message(self, person: Person, number: int) -> tuple[Message, Channel]:
        """Return a message that somebody sees, and its channel."""
        found = self.posts.find(number)
        if found and self.world.sees(person, found.channel, found.viewer):
            channel = self.world.channels[found.channel]
            if not channel.archived:
                return found, channel
        raise LineFault(NOT_HERE)


def _nested(command: AppCommand, given: list[Object]) -> Object:
    """Return a command's data, with its options where Discord puts them: inside groups and subcommands."""
    kind = 1
    for word in reversed(command.name.split()[1:]):
        given, kind = [{"name": word, "type": kind, "options": given}], 2
    return {"id": command.told["id"], "name": command.told["name"], "type": 1, "options": given}


def _chosen(world: World, given: Object, values: Sequence[str]) -> Object:
    """Return what was chosen from a select; raise LineFault for what it does not offer."""
    people = {str(p.id) for p in world.seated()} if given["type"] == _USERS else set[str]()
    offered = people or {option["value"] for option in given.get("options", ())}
    fits = given.get("min_values", 1) <= len(values) <= given.get("max_values", 1)
    if not fits or len(set(values)) < len(values) or not set(values) <= offered:
        raise LineFault("That can't be chosen here.")
    resolved: Object = {}
    for value in values if people else ():
        payloads.resolve(world, resolved, options.USER, value)
    return {"values": list(values), **({"resolved": resolved} if resolved else {})}


def _filled(world: World, form: Object, values: Object) -> list[Object]:
    """Return a form's rows and labels with what was filled in; raise LineFault for what it does not take."""

    def fill(given: Object) -> Object:
        if given["type"] == _LABEL:
            return {"type": _LABEL, "component": _field(world, given["component"], values)}
        fields = [_field(world, each, values) for each in given["components"]]
        return {"type": given["type"], "components": fields}

    return [fill(given) for given in form["components"] if given["type"] != _TEXT_SHOWN]


def _field(world: World, field: Object, values: Object) -> Object:
    value, needed = values.get(field["custom_id"]), field.get("required", True)
    told = {"type": field["type"], "custom_id": field["custom_id"]}
    if field["type"] != _INPUT:
        least = field.get("min_values", 1) if needed else 0
        return told | _chosen(world, {**field, "min_values": least}, listed(value))
    text, name = value if isinstance(value, str) else "", field.get("label") or "This"
    low, high = field.get("min_length") or 0, field.get("max_length") or 4_000
    if needed and not text.strip():
        raise LineFault(f"{name} is needed.")
    if len(text) > high or (text and len(text) < low):
        raise LineFault(f"{name} has {low} to {high} characters.")
    return told | {"value": text}
