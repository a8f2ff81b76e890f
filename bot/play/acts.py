"""What a person can do at the table: send a line, press, choose, send a form, look at what can be typed."""

import asyncio
from collections.abc import Sequence

from bot.play import filled, hints, payloads, told
from bot.play import line as lines
from bot.play.hints import HintRow, Hints, Question
from bot.play.ids import milliseconds, read_id
from bot.play.interaction import AUTOCOMPLETE, COMMAND, PRESS, SUBMIT, Act, Away, Modal, OpenInteraction
from bot.play.interactions import Interactions
from bot.play.messages import Message, attachment, buttons, called
from bot.play.posting import Posts
from bot.play.store import Object
from bot.play.told import AppCommand
from bot.play.values import LineFault, Names, mentioned
from bot.play.world import Channel, Person, Right, World

_MENU = 3
_CHAT_AT_MOST = 2_000
_UPLOAD_MS = 15 * 60 * 1000
_CHOICES_SECONDS = 1.5
AWAY = "Evenhand is not here at the moment. Send it again when it is back."
NOT_HERE = "That is not here any more."


class Acts:
    """The people's side of the table; each raises Fault for what can't be done, and Away without the bot."""

    def __init__(self, world: World, posts: Posts, interactions: Interactions) -> None:
        self.uploads: dict[int, dict[str, int]] = {}
        """Each person's files that stand in no message yet, by name."""
        self._world = world
        self._posts = posts
        self._interactions = interactions
        self._forms: dict[int, Modal] = {}

    def commands(self, person: Person, channel: Channel, kind: int = 1) -> list[Object]:
        """Return the commands, as they were synced, that somebody may run in a channel."""
        rights, context = self._world.rights(person, channel), 1 if channel.kind == "alone" else 0
        return [
            command
            for command in self._world.commands
            if command["type"] == kind
            and context in (command.get("contexts") or (0, 1))
            and (context or _may(rights, command.get("default_member_permissions")))
        ]

    def menus(self, person: Person) -> list[str]:
        """Return the commands of a message's menu."""
        channel = next(c for c in self._world.channels.values() if c.kind == "text")
        return [command["name"] for command in self.commands(person, channel, _MENU)]

    def names(self, person: Person) -> Names:
        """Return who and what somebody can name."""
        oldest = self._world.ids.clock() * 1000 - _UPLOAD_MS
        files = {name: n for name, n in self.uploads.get(person.id, {}).items() if milliseconds(n) > oldest}
        roles = {r.name: r.id for r in self._world.roles.values() if r.id != self._world.guild_id}
        channels = {
            c.name: c.id for c in self._world.channels.values() if c.kind != "alone" and not c.archived
        }
        return Names({p.name: p.id for p in self._world.seated()}, roles, channels, files)

    async def line(
        self, person: Person, channel: Channel, line: str, files: Sequence[int] = ()
    ) -> OpenInteraction | None:
        """Say something, or run a command; return the command's interaction."""
        if channel.archived:
            raise LineFault("This channel is archived.", 0)
        if line.startswith("/") and not line.startswith("//"):
            return await self._run(person, channel, line)
        text = mentioned(
            line.removeprefix("/") if line.startswith("//") else line, self.names(person)
        ).strip()
        if len(text) > _CHAT_AT_MOST:
            raise LineFault(
                f"A message has at most 2,000 characters; this one has {len(text):,}.", _CHAT_AT_MOST
            )
        own = self.uploads.get(person.id, {})
        taken = [name for name, number in own.items() if number in files]
        found = [self._world.store.file(own.pop(name)) for name in taken]
        message = Message(self._world.ids.new(), channel.id, person.id, "chat", text)
        message.attachments = [each[2] for each in found if each]
        if text or message.attachments:
            message.calls = called(self._world, message, None)
            self._posts.post(message)
        return None

    async def press(
        self, person: Person, message: int, custom_id: str, values: Sequence[str] = ()
    ) -> OpenInteraction:
        """Press a button, or choose from a select."""
        found, channel = self._message(person, message)
        part = next((b for b in buttons(found.components) if b.get("custom_id") == custom_id), None)
        if part is None or part.get("disabled"):
            raise LineFault(NOT_HERE, 0)
        data: Object = {"custom_id": custom_id, "component_type": part["type"]}
        if part["type"] != 2:
            data |= filled.chosen(part, values, self._world)
        return await self._interactions.begin(Act(PRESS, person, channel, data, found))

    async def menu(self, person: Person, message: int, name: str) -> OpenInteraction:
        """Run a command of a message's menu."""
        found, channel = self._message(person, message)
        told = next((c for c in self.commands(person, channel, _MENU) if c["name"] == name), None)
        if told is None:
            raise LineFault(NOT_HERE, 0)
        resolved = {"messages": {str(message): self._posts.payload(found)}}
        data = {
            "id": told["id"],
            "name": name,
            "type": _MENU,
            "target_id": str(message),
            "resolved": resolved,
        }
        return await self._interactions.begin(Act(COMMAND, person, channel, data, command=name))

    def show(self, form: Modal) -> None:
        """Remember a form that somebody was shown; they can send it once."""
        self._forms[form.id] = form

    async def submit(self, person: Person, number: int, values: Object) -> OpenInteraction:
        """Send a form."""
        form = self._forms.get(number)
        if form is None or form.person != person.id:
            raise LineFault("This form is not open any more.", 0)
        parts = [
            filled.part(part, values, self._world)
            for part in form.data.get("components", ())
            if part.get("type") != 10
        ]
        data = {"custom_id": form.data["custom_id"], "components": parts}
        del self._forms[number]
        try:
            channel = self._world.channels[form.channel]
            interaction = await self._interactions.begin(Act(SUBMIT, person, channel, data, form.message))
        except Away:
            self._forms[number] = form
            raise
        interaction.outcome.add_done_callback(
            lambda done: None if done.cancelled() or done.result().ok else self._forms.update({number: form})
        )
        return interaction

    def hints(self, person: Person, channel: Channel, line: str, at: int) -> Hints:
        """Return what can be typed at a place of a line."""
        known = told.commands(self.commands(person, channel))
        return hints.hints(line, at, known, self.names(person), person.used)

    async def choices(self, person: Person, channel: Channel, question: Question) -> list[HintRow]:
        """Return what the bot offers, or nothing if that takes too long."""
        command, option = question.command, question.option
        focused = {"name": option.name, "type": option.kind, "value": question.typed, "focused": True}
        given = [{"name": n, "type": told.TEXT, "value": v} for n, v in question.values.items() if v]
        data = _nested(command, [*given, focused])
        try:
            async with asyncio.timeout(_CHOICES_SECONDS):
                interaction = await self._interactions.begin(Act(AUTOCOMPLETE, person, channel, data))
                outcome = await interaction.outcome
        except (TimeoutError, Away):
            return []
        return [question.row(str(c["name"]), str(c["value"])) for c in outcome.choices]

    async def _run(self, person: Person, channel: Channel, line: str) -> OpenInteraction:
        if not self._world.commands:  # the bot is at its first start, and tells them before it is ready
            await self._interactions.wait(channel)
        known = told.commands(self.commands(person, channel))
        call = lines.read(line, known, self.names(person))
        resolved: dict[str, Object] = {}
        options: list[Object] = []
        for option in call.command.options:
            if option.name in call.values:
                value = call.values[option.name]
                options.append({"name": option.name, "type": option.kind, "value": value})
                self._resolve(resolved, option.kind, value)
        data = _nested(call.command, options)
        if resolved:
            data["resolved"] = resolved
        name = call.command.name
        interaction = await self._interactions.begin(
            Act(COMMAND, person, channel, data, command=name, line=line)
        )
        for file in resolved.get("attachments", {}):
            self.uploads[person.id] = {n: i for n, i in self.uploads[person.id].items() if i != int(file)}
        person.used[name] = person.used.get(name, 0) + 1
        self._world.note(person)
        return interaction

    def _resolve(self, resolved: dict[str, Object], kind: int, value: object) -> None:
        """Add what an id in an option stands for."""
        key = str(value)
        number = read_id(key) or 0
        if kind in {told.USER, told.MENTIONABLE} and number in self._world.people:
            person = self._world.people[number]
            resolved.setdefault("users", {})[key] = payloads.user(person)
            resolved.setdefault("members", {})[key] = {**payloads.member(person), "permissions": "0"}
        elif kind in {told.ROLE, told.MENTIONABLE}:
            resolved.setdefault("roles", {})[key] = payloads.role(self._world, self._world.roles[number])
        elif kind == told.CHANNEL:
            channel = payloads.channel(self._world, self._world.channels[number])
            resolved.setdefault("channels", {})[key] = {**channel, "permissions": "0"}
        elif kind == told.FILE and (file := self._world.store.file(number)):
            resolved.setdefault("attachments", {})[key] = attachment(file[2], self._posts.address)

    def _message(self, person: Person, number: int) -> tuple[Message, Channel]:
        """Return a message that somebody sees, and its channel."""
        found = self._posts.find(number)
        if found is None or found.viewer not in {None, person.id}:
            raise LineFault(NOT_HERE, 0)
        channel = self._world.channels[found.channel]
        if channel.archived or not self._world.sees(person, channel):
            raise LineFault(NOT_HERE, 0)
        return found, channel


def _may(rights: Right, needed: str | None) -> bool:
    """Return whether rights suffice for a command; "0" is for administrators, whom this table has none of."""
    return needed is None or (needed != "0" and not int(needed) & ~rights)


def _nested(command: AppCommand, options: list[Object]) -> Object:
    """Return a command's data, with its options where Discord puts them: inside groups and subcommands."""
    names = command.name.split()
    root = command.told["name"].count(" ") + 1
    subs = names[root:]
    for depth in range(len(subs), 0, -1):
        kind = 1 if depth == len(subs) else 2
        options = [{"name": subs[depth - 1], "type": kind, "options": options}]
    return {"id": command.told["id"], "name": command.told["name"], "type": 1, "options": options}
