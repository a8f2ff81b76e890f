"""What people do with the bot (commands, presses, forms), and its answers, with Discord's deadlines."""

import asyncio
import secrets
from dataclasses import dataclass, field
from enum import IntEnum

from bot.play import payloads
from bot.play.checks import CHOICES, MODAL, RequestRefused, check, unknown
from bot.play.gateway import Gateway
from bot.play.messages import EPHEMERAL, LOADING, Posts, Uploads
from bot.play.store import Object
from bot.play.world import Channel, Message, Person, World


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
_PATIENCE_SECONDS, _READY_SECONDS = 3.0, 5.0
TOKEN_SECONDS = 15 * 60


@dataclass(frozen=True, slots=True)
class InteractionOutcome:
    """What came of an act: whether the bot answered in time, the form it showed, the choices it offered."""

    ok: bool
    form: Object | None = None
    choices: tuple[Object, ...] = ()


@dataclass(slots=True)
class OpenInteraction:
    """What somebody does, on its way to the bot and back; `born` is by the loop's clock.

    `data` is Discord's; `message` is the one that was pressed, or whose press opened the form; `command` and
    `line` are those of a typed command; `original` is the message that is its answer.
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
            posts.lose(Message(**data), "No answer came: the table was closed meanwhile.")

    async def begin(self, interaction: OpenInteraction) -> OpenInteraction:
        """Tell the bot what somebody does; raise Away if it does not come within five seconds."""
        session = await self.gateway.wait(interaction.channel, self.ready_seconds)
        loop = asyncio.get_running_loop()
        interaction.id, interaction.born = self._world.new_id(), loop.time()
        self.by_token[interaction.token] = interaction
        session.send("INTERACTION_CREATE", self.payload(interaction))
        loop.call_later(self.patience, interaction.close, InteractionOutcome(ok=False))
        while (oldest := next(iter(self.by_token.values()))).born < loop.time() - TOKEN_SECONDS - 3_600:
            del self.by_token[oldest.token]
        return interaction

    def payload(self, of: OpenInteraction) -> Object:
        """Return what the bot is told."""
        told = payloads.interaction(self._world, of.person, of.channel)
        told |= {"id": str(of.id), "token": of.token, "type": of.kind, "data": of.data}
        return told | ({"message": self._posts.payload(of.message)} if of.message else {})

    def answer(self, number: int, token: str, body: Object, uploads: Uploads) -> Object:
        """Take the bot's first answer; return what Discord tells of it."""
        interaction, oldest = self.by_token.get(token), asyncio.get_running_loop().time() - self.patience
        late = interaction and interaction.born < oldest and not interaction.answered
        if interaction is None or interaction.id != number or late:
            raise unknown(10062, "interaction")
        if interaction.answered:
            raise RequestRefused(400, 40060, "Interaction has already been acknowledged.")
        kind, message = body.get("type"), None
        data: Object = body.get("data") or {}
        if kind not in _ANSWERS[interaction.kind]:
            raise RequestRefused(400, 50035, "This interaction can't be answered so.")
        if kind in {_MESSAGE, _DEFERRED}:
            message = self._say(interaction, data, uploads, waiting=kind == _DEFERRED)
        elif kind in {_UPDATE, _DEFERRED_UPDATE}:
            message = self._posts.find(interaction.message and interaction.message.id)
            if message is None:
                raise unknown(10008, "Message")
            if kind == _UPDATE:
                self._posts.edit(message, data, uploads)
        else:
            check(CHOICES if kind == _CHOICES else MODAL, data)
        interaction.answered, interaction.original = True, message and message.id
        if kind == _MODAL:
            self.forms[number] = interaction, data
        choices = tuple(data.get("choices") or ())
        interaction.close(InteractionOutcome(True, data if kind == _MODAL else None, choices))
        told: Object = {"id": str(interaction.id), "type": interaction.kind}
        resource: Object = {"type": kind}
        if message:
            told["response_message_id"] = str(message.id)
            told["response_message_loading"] = kind == _DEFERRED
            told["response_message_ephemeral"] = bool(message.flags & EPHEMERAL)
            resource |= {"message": self._posts.payload(message)} if kind in {_MESSAGE, _UPDATE} else {}
        return {"interaction": told, "resource": resource}

    def _say(self, to: OpenInteraction, body: Object, uploads: Uploads, *, waiting: bool = False) -> Message:
        """Post the bot's answer or reply, or what stands there until it comes."""
        origin = "reply" if to.answered or to.kind != Act.COMMAND else "answer"
        private = int(body.get("flags") or 0) & EPHEMERAL
        message = Message(self._world.new_id(), to.channel.id, self._world.bot.id, origin, flags=private)
        message.viewer, message.asker = to.person.id if private else None, to.person.id
        message.command, message.line = to.command, to.line if origin == "answer" else None
        if waiting:
            message.waiting, message.flags = True, message.flags | LOADING
            asyncio.get_running_loop().call_later(
                TOKEN_SECONDS, lambda: self._posts.lose(self._posts.find(message.id), "No answer came.")
            )
        else:
            self._posts.fill(message, body, uploads)
        self._posts.post(message)
        return message

    def follow(self, token: str, body: Object, uploads: Uploads) -> Message:
        """Take a follow-up, which fills a deferred answer in if there is one."""
        interaction = self._acknowledged(token)
        message = self._posts.find(interaction.original)
        if message is None or not message.waiting:
            return self._say(interaction, body, uploads)
        self._posts.edit(message, body, uploads)
        return message

    def message(self, token: str, number: str) -> Message:
        """Return a message by the token of its interaction: the answer (`@original`) or a follow-up."""
        interaction = self._acknowledged(token)
        wanted = interaction.original if number == "@original" else int(number) if number.isdecimal() else 0
        message, author = self._posts.find(wanted), self._world.bot.id
        if message is None or (message.author, message.channel) != (author, interaction.channel.id):
            raise unknown(10008, "Message")
        return message

    def _acknowledged(self, token: str) -> OpenInteraction:
        interaction = self.by_token.get(token)
        if interaction is None or not interaction.answered:
            raise unknown(10015, "Webhook")
        if asyncio.get_running_loop().time() - interaction.born > TOKEN_SECONDS:
            raise RequestRefused(401, 50027, "Invalid Webhook Token")
        return interaction
