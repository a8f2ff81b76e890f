"""What people do with the bot (commands, presses, forms), and its answers, with Discord's deadlines."""

import asyncio
import secrets

from bot.play import payloads
from bot.play.gateway import Gateway, GatewaySession
from bot.play.interaction import (
    AUTOCOMPLETE,
    COMMAND,
    PRESS,
    SUBMIT,
    Act,
    Away,
    InteractionOutcome,
    Modal,
    OpenInteraction,
)
from bot.play.messages import EPHEMERAL, LOADING, Message, Origin
from bot.play.posting import Posts, Uploads
from bot.play.refusals import Invalid, RequestRefused, unknown
from bot.play.store import Object
from bot.play.world import Channel, World

_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _CHOICES, _MODAL = 4, 5, 6, 7, 8, 9
_ANSWERS = {
    COMMAND: {_MESSAGE, _DEFERRED, _MODAL},
    PRESS: {_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _MODAL},
    AUTOCOMPLETE: {_CHOICES},
    SUBMIT: {_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE},
}
PATIENCE_SECONDS = 3.0
_READY_SECONDS = 5.0
TOKEN_SECONDS = 15 * 60
_CHOICES_AT_MOST, _TITLE = 25, 45
TOO_LATE = "Evenhand did not answer in time."


class Interactions:
    """Tells the bot what people do, and takes its answers."""

    def __init__(self, world: World, posts: Posts, gateway: Gateway) -> None:
        self.patience = PATIENCE_SECONDS
        self.ready_seconds = _READY_SECONDS
        self.by_token: dict[str, OpenInteraction] = {}
        self._world = world
        self._posts = posts
        self._gateway = gateway
        for data in world.store.unfinished():
            posts.lose(Message(**data), "No answer came: the table was closed meanwhile.")

    async def begin(self, act: Act) -> OpenInteraction:
        """Tell the bot of an act; raise Away if it does not come within five seconds."""
        session = await self.wait(act.channel)
        loop = asyncio.get_running_loop()
        token = secrets.token_urlsafe(96)
        interaction = OpenInteraction(act, self._world.ids.new(), token, loop.time(), loop.create_future())
        self.by_token[token] = interaction
        session.send("INTERACTION_CREATE", self.payload(interaction))
        loop.call_later(self.patience, self._expire, interaction)
        self._forget(loop.time())
        return interaction

    async def wait(self, channel: Channel) -> GatewaySession:
        """Return the bot's session for a channel; raise Away if it does not come within five seconds."""
        session = await self._gateway.wait(self._gateway.shard_of(channel), self.ready_seconds)
        if session is None:
            raise Away
        return session

    def payload(self, interaction: OpenInteraction) -> Object:
        """Return what the bot is told."""
        act = interaction.act
        told = payloads.interaction(self._world, act.person, act.channel)
        told |= {"id": str(interaction.id), "token": interaction.token, "type": act.kind, "data": act.data}
        return told | ({"message": self._posts.payload(act.message)} if act.message else {})

    def answer(self, number: int, token: str, body: Object, uploads: Uploads) -> Object:
        """Take the bot's first answer; return what Discord tells of it. Raise Refused."""
        interaction = self.by_token.get(token)
        if interaction is None or interaction.id != number or interaction.late:
            raise unknown(10062, "interaction")
        if interaction.answered:
            raise RequestRefused(400, 40060, "Interaction has already been acknowledged.")
        kind = int(body.get("type") or 0)
        data: Object = body.get("data") or {}
        if kind not in _ANSWERS[interaction.act.kind]:
            faults = Invalid()
            faults.add("type", "BASE_TYPE_CHOICES", "This interaction can't be answered so.")
            faults.refuse()
        form: Modal | None = None
        message: Message | None = None
        match kind:
            case 4 | 5:
                message = self._first(interaction, data, uploads, waiting=kind == _DEFERRED)
            case 6 | 7:
                message = self._source(interaction)
                if kind == _UPDATE:
                    self._posts.edit(message, data, uploads)
            case 9:
                form = self._form(interaction, data)
            case _:
                _check_choices(data)
        interaction.answered = True
        interaction.original = message.id if message else None
        outcome = InteractionOutcome(ok=True, form=form, choices=tuple(data.get("choices") or ()))
        if not interaction.outcome.done():
            interaction.outcome.set_result(outcome)
        return self._told(interaction, kind, message)

    def follow(self, token: str, body: Object, uploads: Uploads) -> Message:
        """Take a follow-up, which fills a deferred answer in if there is one. Raise Refused."""
        interaction = self.acknowledged(token)
        original = self._posts.find(interaction.original) if interaction.original else None
        if original and original.waiting:
            self._posts.edit(original, body, uploads)
            return original
        act = interaction.act
        message = self._new(act, "reply", body)
        self._posts.fill(message, body, uploads)
        self._posts.post(message)
        return message

    def acknowledged(self, token: str) -> OpenInteraction:
        """Return the interaction of a token that was answered and still lives; raise Refused."""
        interaction = self.by_token.get(token)
        if interaction is None or not interaction.answered:
            raise unknown(10015, "Webhook")
        if asyncio.get_running_loop().time() - interaction.born > TOKEN_SECONDS:
            raise RequestRefused(401, 50027, "Invalid Webhook Token")
        return interaction

    def message(self, token: str, number: str) -> Message:
        """Return a message by the token of its interaction: the answer (`@original`) or a follow-up."""
        interaction = self.acknowledged(token)
        wanted = (
            interaction.original if number == "@original" else int(number) if number.isdecimal() else None
        )
        message = self._posts.find(wanted) if wanted else None
        if (
            message is None
            or message.author != self._world.bot.id
            or message.channel != interaction.act.channel.id
        ):
            raise unknown(10008, "Message")
        return message

    def _new(self, act: Act, origin: Origin, body: Object) -> Message:
        private = int(body.get("flags") or 0) & EPHEMERAL
        return Message(
            id=self._world.ids.new(),
            channel=act.channel.id,
            author=self._world.bot.id,
            origin=origin,
            flags=private,
            viewer=act.person.id if private else None,
            asker=act.person.id,
            command=act.command,
            line=act.line if origin == "answer" else None,
        )

    def _first(
        self, interaction: OpenInteraction, data: Object, uploads: Uploads, *, waiting: bool
    ) -> Message:
        act = interaction.act
        message = self._new(act, "answer" if act.kind == COMMAND else "reply", data)
        message.waiting = waiting
        if waiting:
            message.flags |= LOADING
            asyncio.get_running_loop().call_later(TOKEN_SECONDS, self._give_up, message.id)
        else:
            self._posts.fill(message, data, uploads)
        self._posts.post(message)
        return message

    def _source(self, interaction: OpenInteraction) -> Message:
        source = interaction.act.message
        message = self._posts.find(source.id) if source else None
        if message is None:
            raise unknown(10008, "Message")
        return message

    def _form(self, interaction: OpenInteraction, data: Object) -> Modal:
        faults = Invalid()
        faults.check_length("data.title", data.get("title"), 1, _TITLE)
        faults.check_length("data.custom_id", data.get("custom_id"), 1, 100)
        faults.check_count("data.components", data.get("components"), 5)
        faults.refuse()
        act = interaction.act
        return Modal(self._world.ids.new(), act.person.id, act.channel.id, data, act.message)

    def _told(self, interaction: OpenInteraction, kind: int, message: Message | None) -> Object:
        told: Object = {"id": str(interaction.id), "type": interaction.act.kind}
        resource: Object = {"type": kind}
        if message:
            told |= {
                "response_message_id": str(message.id),
                "response_message_loading": kind == _DEFERRED,
                "response_message_ephemeral": bool(message.flags & EPHEMERAL),
            }
            if kind in {_MESSAGE, _UPDATE}:
                resource["message"] = self._posts.payload(message)
        return {"interaction": told, "resource": resource}

    def _give_up(self, number: int) -> None:
        """Say that no answer came, now that the bot can't send one any more."""
        message = self._posts.find(number)
        if message and message.waiting:
            self._posts.lose(message, "No answer came.")

    def _expire(self, interaction: OpenInteraction) -> None:
        if not interaction.answered:
            interaction.late = True
        if not interaction.outcome.done():
            interaction.outcome.set_result(InteractionOutcome(ok=False))

    def _forget(self, now: float) -> None:
        """Drop tokens that died an hour ago; the oldest come first."""
        while (oldest := next(iter(self.by_token.values()))).born < now - TOKEN_SECONDS - 3_600:
            del self.by_token[oldest.token]


def _check_choices(data: Object) -> None:
    faults = Invalid()
    for c, choice in enumerate(faults.check_count("data.choices", data.get("choices"), _CHOICES_AT_MOST)):
        faults.check_length(f"data.choices.{c}.name", choice.get("name"), 1, 100)
    faults.refuse()
