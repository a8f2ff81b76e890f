"""What people do with the bot (commands, presses, forms), and its answers, with Discord's deadlines."""

import asyncio
import secrets
from dataclasses import dataclass, field
from enum import IntEnum

from bot.play import payloads
from bot.play.checks import CHOICES, RequestRefused, RestCall, check, found
from bot.play.components import check_form
from bot.play.gateway import Gateway
from bot.play.messages import CLOSED, LOST, Posts, becomes_v2
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, World, read_id


class Act(IntEnum):
    """What an interaction is about."""

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
    """What came of an act: whether the bot answered in time, the form it showed, the choices it offered."""

    ok: bool
    form: Object | None = None
    choices: tuple[Object, ...] = ()


@dataclass(slots=True)
class OpenInteraction:
    """What somebody does, on its way to the bot and back; `born` is by the loop's clock.

    `data` is Discord's; `message` is the one that was pressed, or whose press opened the form; `command` is
    what was run or pressed, `line` what was typed for it; `original` is the message that is its answer.
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
    born: float = 0.0
    outcome: asyncio.Future[InteractionOutcome] = field(default_factory=asyncio.Future[InteractionOutcome])
    answered: bool = False
    original: int | None = None

    def close(self, outcome: InteractionOutcome) -> None:
        """Tell those who wait what came of it, unless they know."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)


class Interactions:
    """Tells the bot what people do, and takes its answers; these raise RequestRefused for what is wrong.

    `forms` are those that people were shown, with the acts that showed them, by these acts' ids.
    """

    def __init__(self, world: World, posts: Posts, gateway: Gateway) -> None:
        self.patience, self.ready_seconds = _PATIENCE_SECONDS, _READY_SECONDS
        self.by_token: dict[str, OpenInteraction] = {}
        self.forms: dict[int, tuple[OpenInteraction, Object]] = {}
        self._world, self._posts, self.gateway = world, posts, gateway
        for data in world.store.unfinished():
            posts.lose(Message(**data), CLOSED)

    async def begin(self, interaction: OpenInteraction) -> OpenInteraction:
        """Tell the bot what somebody does; raise Away if it does not come within five seconds."""
        session = await self.gateway.wait(interaction.channel, self.ready_seconds)
        loop = asyncio.get_running_loop()
        interaction.id, interaction.born = self._world.new_id(), loop.time()
        self.by_token[interaction.token] = interaction
        session.send("INTERACTION_CREATE", self.payload(interaction))
        loop.call_later(self.patience, interaction.close, InteractionOutcome(ok=False))
        loop.call_later(_REMEMBERED_SECONDS, self._forget, interaction)
        return interaction

    def _forget(self, interaction: OpenInteraction) -> None:
        del self.by_token[interaction.token]
        self.forms.pop(interaction.id, None)

    def payload(self, of: OpenInteraction) -> Object:
        """Return what the bot is told."""
        told = payloads.interaction(self._world, of.person, of.channel)
        told |= {"id": str(of.id), "token": of.token, "type": of.kind, "data": of.data}
        return told | ({"message": payloads.message(self._world, of.message)} if of.message else {})

    def answer(self, asked: RestCall) -> Object | None:
        """Take the bot's first answer; return what Discord tells of it, if that is wanted."""
        interaction, body = self.by_token.get(asked.part["token"]), asked.body
        oldest = asyncio.get_running_loop().time() - self.patience
        late = interaction and interaction.born < oldest and not interaction.answered
        known = interaction and str(interaction.id) == asked.part["id"] and not late
        interaction = found(interaction if known else None, 10062, "interaction")
        if interaction.answered:
            raise RequestRefused(400, 40060, "Interaction has already been acknowledged.")
        if body.get("type") not in _ANSWERS[interaction.kind]:
            raise RequestRefused(400, 50035, "This interaction can't be answered so.")
        message = self._take(interaction, body["type"], body.get("data") or {})
        told: Object = {"id": str(interaction.id), "type": interaction.kind}
        resource: Object = {"type": body["type"]}
        if message:
            told |= {
                "response_message_id": str(message.id), "response_message_loading": message.waiting,
                "response_message_ephemeral": message.viewer is not None,
            }  # fmt: skip
        if message and body["type"] in {_MESSAGE, _UPDATE}:
            resource["message"] = payloads.message(self._world, message)
        return {"interaction": told, "resource": resource} if asked.wants("with_response") else None

    def _take(self, interaction: OpenInteraction, kind: int, data: Object) -> Message | None:
        """Do what an answer of some type says; return the message that it made or changed."""
        message, pressed, form = None, interaction.message, None
        if kind in {_MESSAGE, _DEFERRED}:
            message = self._say(interaction, data, waiting=kind == _DEFERRED)
        elif kind in {_UPDATE, _DEFERRED_UPDATE}:
            message = found(pressed and self._posts.find(pressed.id), 10008, "Message")
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

    def _say(self, to: OpenInteraction, body: Object, *, waiting: bool = False) -> Message:
        """Post the bot's answer or reply, or what stands there until it comes."""
        origin = "reply" if to.answered or to.kind != Act.COMMAND else "answer"
        private = int(body.get("flags") or 0) & _EPHEMERAL
        message = Message(
            self._world.new_id(), to.channel.id, self._world.bot.id, origin,
            viewer=to.person.id if private else None, asker=to.person.id, interaction=to.id,
            command=to.command, line=to.line if origin == "answer" else None, waiting=waiting,
        )  # fmt: skip
        if waiting:
            asyncio.get_running_loop().call_later(
                TOKEN_SECONDS, lambda: self._posts.lose(self._posts.find(message.id), LOST)
            )
        else:
            self._posts.fill(message, body)
        self._posts.post(message)
        return message

    def follow(self, asked: RestCall) -> Object | None:
        """Take a follow-up, which fills a deferred answer in if there is one; return it if that is wanted."""
        interaction = self._acknowledged(asked)
        message = self._posts.find(interaction.original)
        if message and message.waiting:
            self._posts.edit(message, asked.body)
        else:
            message = self._say(interaction, asked.body)
        return payloads.message(self._world, message) if asked.wants("wait") else None

    def message(self, asked: RestCall) -> Message:
        """Return a message by the token of its interaction: the answer (`@original`) or a follow-up."""
        interaction, number = self._acknowledged(asked), asked.part["message"]
        message = self._posts.find(interaction.original if number == "@original" else read_id(number))
        own = message and (message.author, message.channel) == (self._world.bot.id, interaction.channel.id)
        return found(message if own else None, 10008, "Message")

    def _acknowledged(self, asked: RestCall) -> OpenInteraction:
        interaction = self.by_token.get(asked.part["token"])
        interaction = found(interaction if interaction and interaction.answered else None, 10015, "Webhook")
        if asyncio.get_running_loop().time() - interaction.born > TOKEN_SECONDS:
            raise RequestRefused(401, 50027, "Invalid Webhook Token")
        return interaction
