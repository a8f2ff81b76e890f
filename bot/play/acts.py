"""What a person can do at the table: send a line, press, choose, send a form, look at what can be typed."""

import asyncio
from collections.abc import Sequence

from bot.play import hints, options, payloads
from bot.play import line as lines
from bot.play.hints import HintRow, Hints, Question
from bot.play.ids import milliseconds
from bot.play.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    PRESS,
    SUBMIT,
    Act,
    Away,
    Interactions,
    Modal,
    OpenInteraction,
)
from bot.play.messages import Posts
from bot.play.options import AppCommand, LineFault, Names
from bot.play.store import Object, listed
from bot.play.world import Channel, Message, Person, World

PERSON_MENU, MESSAGE_MENU = 2, 3
_BUTTON, _INPUT, _USERS, _TEXT_SHOWN, _LABEL = 2, 4, 5, 10, 18
_CHAT_AT_MOST = 2_000
_UPLOAD_MS = 15 * 60 * 1000
_CHOICES_SECONDS = 1.5
NOT_HERE = "That is not here any more."


class Acts:
    """The people's side of the table; raises LineFault for what can't be done, and Away without the bot."""

    def __init__(self, world: World, posts: Posts, interactions: Interactions) -> None:
        self.uploads: dict[int, dict[str, int]] = {}
        """Each person's files that stand in no message yet, by name."""
        self._world = world
        self._posts = posts
        self._interactions = interactions
        self._forms: dict[int, Modal] = {}

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
        return Names(
            people={p.name: p.id for p in world.seated()},
            roles={r.name: r.id for r in world.roles.values() if r.id != world.guild_id},
            channels={c.name: c.id for c in world.channels.values() if c.kind != "alone" and not c.archived},
            files={
                name: n for name, n in self.uploads.get(person.id, {}).items() if milliseconds(n) > oldest
            },
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
                self._resolve(resolved, option["type"], str(value))
        data, name = _nested(call.command, given), call.command.name
        act = Act(
            COMMAND, person, channel, data | ({"resolved": resolved} if resolved else {}), None, name, line
        )
        interaction = await self._interactions.begin(act)
        own = self.uploads.get(person.id, {})
        self.uploads[person.id] = {
            n: i for n, i in own.items() if str(i) not in resolved.get("attachments", {})
        }
        person.used[name] = person.used.get(name, 0) + 1
        self._world.note(person)
        return interaction

    def _resolve(self, resolved: dict[str, Object], kind: int, key: str) -> None:
        """Add what an id in an option stands for."""
        world = self._world
        if kind in {options.USER, options.MENTIONABLE} and int(key) in world.people:
            person = world.people[int(key)]
            resolved.setdefault("users", {})[key] = payloads.user(person)
            resolved.setdefault("members", {})[key] = {**payloads.member(person), "permissions": "0"}
        elif kind in {options.ROLE, options.MENTIONABLE}:
            resolved.setdefault("roles", {})[key] = payloads.role(world, world.roles[int(key)])
        elif kind == options.CHANNEL:
            channel = payloads.channel(world, world.channels[int(key)])
            resolved.setdefault("channels", {})[key] = {**channel, "permissions": "0"}
        elif kind == options.FILE and (file := world.store.file(int(key))):
            resolved.setdefault("attachments", {})[key] = payloads.attachment(file[1], self._posts.address)

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
        data |= {} if part["type"] == _BUTTON else self._chosen(part, values)
        return await self._interactions.begin(Act(PRESS, person, channel, data, found))

    async def menu(self, person: Person, message: int, name: str) -> OpenInteraction:
        """Run a command of a message's menu."""
        found, channel = self._message(person, message)
        resolved = {"messages": {str(message): self._posts.payload(found)}}
        return await self._menu(person, channel, MESSAGE_MENU, name, message, resolved)

    async def menu_of(self, person: Person, channel: Channel, whom: int, name: str) -> OpenInteraction:
        """Run a command of a person's menu."""
        resolved: dict[str, Object] = {}
        self._resolve(resolved, options.USER, str(whom))
        return await self._menu(person, channel, PERSON_MENU, name, whom, resolved)

    async def _menu(
        self, person: Person, channel: Channel, kind: int, name: str, target: int, resolved: Object
    ) -> OpenInteraction:
        told = next((c for c in self.commands(person, channel, kind) if c["name"] == name), None)
        if told is None or not resolved:
            raise LineFault(NOT_HERE)
        data = {"id": told["id"], "name": name, "type": kind, "target_id": str(target), "resolved": resolved}
        return await self._interactions.begin(Act(COMMAND, person, channel, data, command=name))

    def show(self, form: Modal) -> None:
        """Remember a form that somebody was shown; they can send it once."""
        self._forms[form.id] = form

    async def submit(self, person: Person, number: int, values: Object) -> OpenInteraction:
        """Send a form; it stays open if the bot does not take it."""
        form = self._forms.get(number)
        if form is None or form.act.person is not person:
            raise LineFault("This form is not open any more.")
        shown = [part for part in form.data["components"] if part.get("type") != _TEXT_SHOWN]
        data = {
            "custom_id": form.data["custom_id"],
            "components": [self._part(part, values) for part in shown],
        }
        del self._forms[number]
        try:
            act = Act(SUBMIT, person, form.act.channel, data, form.act.message)
            interaction = await self._interactions.begin(act)
        except Away:
            self.show(form)
            raise
        interaction.outcome.add_done_callback(
            lambda done: None if done.cancelled() or done.result().ok else self.show(form)
        )
        return interaction

    def _part(self, given: Object, values: Object) -> Object:
        """Return a form's row or label with what was filled in."""
        if given["type"] == _LABEL:
            return {"type": _LABEL, "component": self._field(given["component"], values)}
        return {
            "type": given["type"],
            "components": [self._field(each, values) for each in given["components"]],
        }

    def _field(self, field: Object, values: Object) -> Object:
        value, needed = values.get(field["custom_id"]), field.get("required", True)
        told = {"type": field["type"], "custom_id": field["custom_id"]}
        if field["type"] != _INPUT:
            least = field.get("min_values", 1) if needed else 0
            return told | self._chosen({**field, "min_values": least}, listed(value))
        text, name = value if isinstance(value, str) else "", field.get("label") or "This"
        low, high = field.get("min_length") or 0, field.get("max_length") or 4_000
        if needed and not text.strip():
            raise LineFault(f"{name} is needed.")
        if len(text) > high or (text and len(text) < low):
            raise LineFault(f"{name} has {low} to {high} characters.")
        return told | {"value": text}

    def _chosen(self, given: Object, values: Sequence[str]) -> Object:
        """Return what was chosen from a select."""
        people = {str(p.id): p for p in self._world.seated()} if given["type"] == _USERS else {}
        offered = set(people) or {option["value"] for option in given.get("options", ())}
        fits = given.get("min_values", 1) <= len(values) <= given.get("max_values", 1)
        if not fits or len(set(values)) < len(values) or not set(values) <= offered:
            raise LineFault("That can't be chosen here.")
        resolved: dict[str, Object] = {}
        for value in values if people else ():
            self._resolve(resolved, options.USER, value)
        return {"values": list(values), **({"resolved": resolved} if resolved else {})}

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
                interaction = await self._interactions.begin(Act(AUTOCOMPLETE, person, channel, data))
                outcome = await interaction.outcome
        except (TimeoutError, Away):
            return []
        return [question.row(str(c["name"]), str(c["value"])) for c in outcome.choices]

    def _message(self, person: Person, number: int) -> tuple[Message, Channel]:
        """Return a message that somebody sees, and its channel."""
        found = self._posts.find(number)
        channel = self._world.channels[found.channel] if found else None
        if not found or not channel or channel.archived or found.viewer not in {None, person.id}:
            raise LineFault(NOT_HERE)
        if not self._world.sees(person, channel):
            raise LineFault(NOT_HERE)
        return found, channel


def _nested(command: AppCommand, given: list[Object]) -> Object:
    """Return a command's data, with its options where Discord puts them: inside groups and subcommands."""
    subs = command.name.split()[1:]
    for depth in range(len(subs), 0, -1):
        kind = 1 if depth == len(subs) else 2
        given = [{"name": subs[depth - 1], "type": kind, "options": given}]
    return {"id": command.told["id"], "name": command.told["name"], "type": 1, "options": given}
