"""The actions of people at the table: send a line, press, choose, submit a form, ask for completions."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator

from bot.play import line as lines
from bot.play import options, payloads
from bot.play.components import BUTTON, CHECK, INPUT, RADIO, USERS
from bot.play.gateway import Away
from bot.play.interactions import Act, InteractionOutcome, Interactions, OpenInteraction
from bot.play.messages import UPLOAD_MS, Posts
from bot.play.options import ActRefused, Names
from bot.play.store import Object, listed
from bot.play.world import Channel, Message, Person, World, read_id
from bot.times import milliseconds_of
from bot.words.saying import phrase, say

PERSON_MENU, MESSAGE_MENU = 2, 3
PageId: TypeAlias = Annotated[int, BeforeValidator(read_id)]
"""An id, which a page sends as a string of digits."""
_CHAT_AT_MOST = 2_000
_CHOICES_SECONDS = 1.5
_NOT_HERE = phrase("That is not here any more.")


@dataclass
class Acts:
    """Carries out people's actions; raises ActRefused for an invalid one, and Away without the bot.

    `uploads` maps a person's id to their files that belong to no message yet: ids by name.
    """

    world: World
    posts: Posts
    interactions: Interactions
    uploads: defaultdict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))

    def commands(self, person: Person, channel: Channel, kind: int = 1) -> list[Object]:
        """Return the synced commands of a kind that a person may run in a channel."""
        alone, missing = channel.kind == "alone", ~self.world.rights(person, channel)

        def is_allowed(command: Object) -> bool:
            needed = command.get("default_member_permissions")
            if int(alone) not in (command.get("contexts") or (0, 1)):
                return False
            return alone or needed is None or not int(needed) & missing

        return [command for command in self.world.commands if command["type"] == kind and is_allowed(command)]

    def names(self, person: Person) -> Names:
        """Return the ids of everything that a person can name in an option, by kind and name."""
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
        """Post a chat line and return None, or run a command and return its interaction."""
        _must_be_open(channel)
        if line.startswith("/") and not line.startswith("//"):
            return await self._run(person, channel, line)
        text = options.with_mentions(line[line.startswith("//") :], self.names(person)).strip()
        if len(text) > _CHAT_AT_MOST:
            raise ActRefused(
                "A message has at most {most:,} characters; this one has {n:,}.",
                _CHAT_AT_MOST,
                most=_CHAT_AT_MOST,
                n=len(text),
            )
        message = Message(self.world.new_id(), channel.id, person.id, "chat", text)
        attached = set(files)
        uploads = (self.world.store.file(n) for n in self._unused(person).values() if n in attached)
        message.attachments = [file[1] for file in uploads if file]
        if text or message.attachments:
            message.calls = self.posts.notified(message, None)
            self.posts.post(message)
        self.take(person, attached)
        return None

    async def _run(self, person: Person, channel: Channel, line: str) -> OpenInteraction:
        if not self.world.commands:  # at its first start the bot syncs them before it is ready
            await self.interactions.gateway.wait(channel, self.interactions.ready_seconds)
        available = options.commands(self.commands(person, channel))
        if channel.kind == "alone" and not lines.find(line, available):
            elsewhere = options.commands(self.commands(person, self.world.first_channel))
            if match := lines.find(line, elsewhere):
                raise ActRefused(
                    "/{command} needs a channel: here you are alone with {bot}.",
                    command=match[0].name,
                    bot=self.world.bot.name,
                )
        command, arguments = lines.read(line, available, self.names(person))
        resolved: dict[str, Object] = {}
        for argument in arguments:
            payloads.resolve(self.world, resolved, argument["type"], str(argument["value"]))
        data = command.data(arguments) | {"resolved": resolved}
        person.used[command.name] = person.used.get(command.name, 0) + 1
        self.world.note(person)
        interaction = await self.interactions.begin(
            OpenInteraction(Act.COMMAND, person, channel, data, None, f"/{command.name}", line)
        )
        self.take(person, map(int, resolved.get("attachments", ())))
        return interaction

    async def press(
        self, person: Person, message: PageId, custom_id: str, values: Sequence[str] = ()
    ) -> OpenInteraction:
        """Press a button, or choose from a select."""
        target, channel = self._message(person, message)
        part = next((part for part in target.parts() if part.get("custom_id") == custom_id), None)
        if part is None or part.get("disabled"):
            raise ActRefused(_NOT_HERE)
        data: Object = {key: part[key] for key in ("custom_id", "id") if key in part}
        data["component_type"] = part["type"]
        if part["type"] != BUTTON:
            filling = Filling(self.world)
            data["values"] = filling.choose(part, values)
            data |= {"resolved": filling.resolved} if filling.resolved else {}
        label = None if target.viewer else part.get("label") or part.get("placeholder")
        return await self.interactions.begin(OpenInteraction(Act.PRESS, person, channel, data, target, label))

    async def menu(
        self, person: Person, target: PageId, name: str, channel: Channel | None = None
    ) -> OpenInteraction:
        """Run a command of a message's menu or, with a channel, of a person's menu."""
        kind, resolved = PERSON_MENU, dict[str, Object]()
        if channel:
            _must_be_open(channel)
            payloads.resolve(self.world, resolved, options.USER, str(target))
        else:
            message, channel = self._message(person, target)
            kind, resolved = MESSAGE_MENU, {"messages": {str(target): payloads.message(self.world, message)}}
        command = next((c for c in self.commands(person, channel, kind) if c["name"] == name), None)
        if command is None or not resolved:
            raise ActRefused(_NOT_HERE)
        data = {
            "id": command["id"], "name": name, "type": kind, "target_id": str(target), "resolved": resolved,
        }  # fmt: skip
        label = options.localised(command, "name")
        return await self.interactions.begin(OpenInteraction(Act.COMMAND, person, channel, data, None, label))

    async def submit(
        self, person: Person, modal: PageId, values: dict[str, str | bool | list[str] | None]
    ) -> OpenInteraction:
        """Submit the form that an interaction (its id) opened; it stays open if the bot does not take it."""
        forms = self.interactions.forms
        opener, form = forms.get(modal) or (None, Object())
        if opener is None or opener.person is not person:
            raise ActRefused("This form is not open any more.")
        _must_be_open(opener.channel)
        filling = Filling(self.world)
        filled = filling.form(form["components"], values)
        data = {"custom_id": form["custom_id"], "components": filled, "resolved": filling.resolved}
        interaction = OpenInteraction(
            Act.SUBMIT, person, opener.channel, data, opener.message, opener.command
        )
        del forms[modal]

        def reopen_after_failure(outcome: asyncio.Future[InteractionOutcome]) -> None:
            if outcome.cancelled() or not outcome.result().ok:
                forms[modal] = opener, form

        interaction.outcome.add_done_callback(reopen_after_failure)
        try:
            await self.interactions.begin(interaction)
        except Away:
            interaction.outcome.cancel()
            raise
        return interaction

    def dismiss(self, person: Person, message_id: int) -> None:
        """Delete a private answer to this person."""
        message = self.posts.find(message_id)
        if message is None or message.viewer != person.id:
            raise ActRefused(_NOT_HERE)
        self.posts.delete(message)

    def take(self, person: Person, files: Iterable[int]) -> list[int]:
        """Remove files from a person's uploads; return the ids of those that were among them."""
        uploads, requested = self._unused(person), set(files)
        self.uploads[person.id] = {name: n for name, n in uploads.items() if n not in requested}
        return [number for number in uploads.values() if number in requested]

    def _unused(self, person: Person) -> dict[str, int]:
        """Return a person's uploads of the last 15 minutes: ids by name."""
        oldest = self.world.clock() * 1000 - UPLOAD_MS
        return {name: n for name, n in self.uploads[person.id].items() if milliseconds_of(n) > oldest}

    async def hints(self, person: Person, channel: Channel, head: str) -> AsyncGenerator[Object]:
        """Yield the completions of the beginning of a line, and once more with the bot's choices."""
        available = options.commands(self.commands(person, channel))
        context = head, available, self.names(person), person.used
        completions, data = lines.hints(*context)
        yield completions | {"wait": data is not None}
        if data:
            interaction = OpenInteraction(Act.AUTOCOMPLETE, person, channel, data)
            choices = tuple[Object]()
            with suppress(TimeoutError, Away):
                async with asyncio.timeout(_CHOICES_SECONDS):
                    choices = (await (await self.interactions.begin(interaction)).outcome).choices
            yield lines.hints(*context, choices)[0] | {"wait": False}

    def _message(self, person: Person, message_id: int) -> tuple[Message, Channel]:
        """Return a message that a person sees, and its channel; raise ActRefused for any other."""
        message = self.posts.find(message_id)
        if message and self.world.sees(person, message.channel, message.viewer):
            channel = self.world.channels[message.channel]
            if not channel.archived:
                return message, channel
        raise ActRefused(_NOT_HERE)


def _must_be_open(channel: Channel) -> None:
    if channel.archived:
        raise ActRefused("This channel is archived.")


@dataclass
class Filling:
    """Validates filled forms and chosen values; raises ActRefused for those that a component does not accept.

    `resolved` collects the people behind ids in the values.
    """

    world: World
    resolved: Object = field(default_factory=dict[str, Any])

    def form(self, labels: Iterable[Object], values: Object) -> list[Object]:
        """Return a form's labels and their fields, with the values."""
        filled: list[Object] = []
        for label in labels:
            part = {"label": label["label"], **label["component"]}
            result = {key: label[key] for key in ("type", "id") if key in label}
            result["component"] = {key: part[key] for key in ("type", "id", "custom_id") if key in part}
            result["component"] |= self._field(part, values.get(part["custom_id"]))
            filled.append(result)
        return filled

    def choose(self, part: Object, values: Sequence[str]) -> list[str]:
        """Return the values chosen in a component, once validated."""
        kind, offered = options.TEXT, {option["value"] for option in part.get("options") or ()}
        if part["type"] == USERS:
            kind, offered = options.USER, {str(person.id) for person in self.world.seated()}
        least, most = (1 if part.get(key) is None else part[key] for key in ("min_values", "max_values"))
        least = least if part.get("required", True) else 0
        if not least <= len(values) <= most or len(set(values)) < len(values) or not set(values) <= offered:
            raise ActRefused("That can't be chosen here.")
        for value in values:
            payloads.resolve(self.world, self.resolved, kind, value)
        return [*values]

    def _field(self, part: Object, value: object) -> Object:
        if part["type"] == INPUT:
            return {"value": _text(part, value if isinstance(value, str) else "")}
        if part["type"] == CHECK:
            return {"value": value is True}
        values = self.choose(part, listed(value))
        return {"value": next(iter(values), None)} if part["type"] == RADIO else {"values": values}


def _text(part: Object, text: str) -> str:
    """Return a field's text, once its length is validated."""
    name, low = part.get("label") or say("This"), part.get("min_length") or 0
    high = part.get("max_length") or 4_000
    if part.get("required", True) and not text.strip():
        raise ActRefused("{field} is needed.", field=name)
    if len(text) > high or (text and len(text) < low):
        raise ActRefused("{field} has {least} to {most} characters.", field=name, least=low, most=high)
    return text
