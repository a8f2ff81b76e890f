"""Interactions: commands, presses and forms of people, and the bot's answers within Discord's deadlines."""

import asyncio
import secrets
from dataclasses import dataclass, field
from enum import IntEnum

from bot.play import payloads
from bot.play.checks import CHOICES, RequestRefused, RestCall, check, require
from bot.play.components import check_form
from bot.play.gateway import Gateway
from bot.play.messages import CLOSED, LOST, Posts, becomes_v2
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, World, read_id


class Act(IntEnum):
    """The type of an interaction, by Discord's number."""

    COMMAND = 2
    PRESS = 3
    AUTOCOMPLETE = 4
    SUBMIT = 5


_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _CHOICES, _MODAL = 4, 5, 6, 7, 8, 9
_ANSWERS = {
    Act.COMMAND: {_MESSAGE, _DEFERRED, _MODAL},
    Act.PRESS: {_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _MODAL},
    Act.AUTOCOMPLETE: {_CHOICES},
    Act.SUBMIT: {_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE},
}
_EPHEMERAL = 64
_PATIENCE_SECONDS, _READY_SECONDS = 3.0, 5.0
TOKEN_SECONDS, _REMEMBERED_SECONDS = 15 * 60, 75 * 60


@dataclass(frozen=True, slots=True)
class InteractionOutcome:
    """The result of an interaction: whether the bot answered in time, and the form or choices it sent."""

    ok: bool
    form: Object | None = None
    choices: tuple[Object, ...] = ()


@dataclass(slots=True)
class OpenInteraction:
    """An interaction from its start to its answer; `started` is its start by the event loop's clock.

    `data` is Discord's payload; `message` is the pressed one, also for the form that its press opened;
    `command` is the name of the command or button, `line` the typed line; `original` is the answer's message.
    """

    kind: Act
    person: Person
    channel: Channel
    data: Object
    message: Message | None = None
    command: str | None = None
    line: str | None = None
    id: int = 0
    token: str = field(default_factory=lambda: secrets.token_urlsafe(96))
    started: float = 0.0
    outcome: asyncio.Future[InteractionOutcome] = field(default_factory=asyncio.Future[InteractionOutcome])
    answered: bool = False
    original: int | None = None

    def close(self, outcome: InteractionOutcome) -> None:
        """Set the outcome, unless it is set already."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)


class Interactions:
    """Sends interactions to the bot, and takes its answers; an invalid answer raises RequestRefused.

    `forms` maps an interaction's id to the interaction and the form that answered it.
    """

    def __init__(self, world: World, posts: Posts, gateway: Gateway) -> None:
        self.patience, self.ready_seconds = _PATIENCE_SECONDS, _READY_SECONDS
        self.by_token: dict[str, OpenInteraction] = {}
        self.forms: dict[int, tuple[OpenInteraction, Object]] = {}
        self._world, self._posts, self.gateway = world, posts, gateway
        for data in world.store.unfinished():
            posts.close_waiting(Message(**data), CLOSED)

    async def begin(self, interaction: OpenInteraction) -> OpenInteraction:
        """Send an interaction to the bot; raise Away if the bot does not connect within five seconds."""
        session = await self.gateway.wait(interaction.channel, self.ready_seconds)
        loop = asyncio.get_running_loop()
        interaction.id, interaction.started = self._world.new_id(), loop.time()
        self.by_token[interaction.token] = interaction
        session.send("INTERACTION_CREATE", self.payload(interaction))
        loop.call_later(self.patience, interaction.close, InteractionOutcome(ok=False))
        is_passing = interaction.kind is Act.AUTOCOMPLETE  # there is one for each letter typed
        loop.call_later(self.patience if is_passing else _REMEMBERED_SECONDS, self._forget, interaction)
        return interaction

    def _forget(self, interaction: OpenInteraction) -> None:
        del self.by_token[interaction.token]
        self.forms.pop(interaction.id, None)

    def payload(self, interaction: OpenInteraction) -> Object:
        """Return an interaction as the bot receives it."""
        payload = payloads.interaction(self._world, interaction.person, interaction.channel)
        payload |= {
            "id": str(interaction.id), "token": interaction.token, "type": interaction.kind,
            "data": interaction.data,
        }  # fmt: skip
        if interaction.message:
            payload["message"] = payloads.message(self._world, interaction.message)
        return payload

    def answer(self, request: RestCall) -> Object | None:
        """Take the bot's first answer; return Discord's response to it if the request asks for one."""
        interaction, body = self.by_token.get(request.part["token"]), request.body
        oldest = asyncio.get_running_loop().time() - self.patience
        late = interaction and interaction.started < oldest and not interaction.answered
        valid = interaction and str(interaction.id) == request.part["id"] and not late
        interaction = require(interaction if valid else None, 10062, "interaction")
        if interaction.answered:
            raise RequestRefused(400, 40060, "Interaction has already been acknowledged.")
        if body.get("type") not in _ANSWERS[interaction.kind]:
            raise RequestRefused(400, 50035, "This interaction can't be answered so.")
        message = self._take(interaction, body["type"], body.get("data") or {})
        callback: Object = {"id": str(interaction.id), "type": interaction.kind}
        resource: Object = {"type": body["type"]}
        if message:
            callback |= {
                "response_message_id": str(message.id), "response_message_loading": message.waiting,
                "response_message_ephemeral": message.viewer is not None,
            }  # fmt: skip
        if message and body["type"] in {_MESSAGE, _UPDATE}:
            resource["message"] = payloads.message(self._world, message)
        return {"interaction": callback, "resource": resource} if request.wants("with_response") else None

    def _take(self, interaction: OpenInteraction, kind: int, data: Object) -> Message | None:
        """Carry out an answer of some type; return the message that it posted or edited."""
        message, pressed, form = None, interaction.message, None
        if kind in {_MESSAGE, _DEFERRED}:
            message = self._say(interaction, data, waiting=kind == _DEFERRED)
        elif kind in {_UPDATE, _DEFERRED_UPDATE}:
            message = require(pressed and self._posts.find(pressed.id), 10008, "Message")
            if kind == _UPDATE:
                if becomes_v2(message, data):  # Discord loses the files that come with such an answer
                    data.pop("files", None)
                self._posts.edit(message, data)
        elif kind == _CHOICES:
            check(CHOICES, data)
        else:
            check_form(data)
            form = data
            self.forms[interaction.id] = interaction, form
        interaction.answered, interaction.original = True, message and message.id
        interaction.close(InteractionOutcome(True, form, tuple(data.get("choices") or ())))
        return message

    def _say(self, interaction: OpenInteraction, body: Object, *, waiting: bool = False) -> Message:
        """Post the bot's answer or reply, or a placeholder until it comes."""
        origin = "reply" if interaction.answered or interaction.kind != Act.COMMAND else "answer"
        private = int(body.get("flags") or 0) & _EPHEMERAL
        message = Message(
            self._world.new_id(), interaction.channel.id, self._world.bot.id, origin,
            viewer=interaction.person.id if private else None, asker=interaction.person.id,
            interaction=interaction.id, command=interaction.command,
            line=interaction.line if origin == "answer" else None, waiting=waiting,
        )  # fmt: skip
        if waiting:
            asyncio.get_running_loop().call_later(
                TOKEN_SECONDS, lambda: self._posts.close_waiting(self._posts.find(message.id), LOST)
            )
        else:
            self._posts.fill(message, body)
        self._posts.post(message)
        return message

    def follow(self, request: RestCall) -> Object | None:
        """Take a follow-up, or the deferred answer; return it if the request asks for it."""
        interaction = self._find_acknowledged(request)
        message = self._posts.find(interaction.original)
        if message and message.waiting:
            self._posts.edit(message, request.body)
        else:
            message = self._say(interaction, request.body)
        return payloads.message(self._world, message) if request.wants("wait") else None

    def message(self, request: RestCall) -> Message:
        """Return a message by the token of its interaction: the answer (`@original`) or a follow-up."""
        interaction, number = self._find_acknowledged(request), request.part["message"]
        message = self._posts.find(interaction.original if number == "@original" else read_id(number))
        own = message and (message.author, message.channel) == (self._world.bot.id, interaction.channel.id)
        return require(message if own else None, 10008, "Message")

    def _find_acknowledged(self, request: RestCall) -> OpenInteraction:
        interaction = self.by_token.get(request.part["token"])
        interaction = require(interaction if interaction and interaction.answered else None, 10015, "Webhook")
        if asyncio.get_running_loop().time() - interaction.started > TOKEN_SECONDS:
            raise RequestRefused(401, 50027, "Invalid Webhook Token")
        return interaction
