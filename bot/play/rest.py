"""Discord's REST API, as far as this bot and discord.py use it; everything else is 501 and says so."""

import base64
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.play import payloads
from bot.play.checks import COMMANDS, EMOJI, RequestRefused, check, unknown
from bot.play.gateway import Gateway
from bot.play.interactions import Interactions
from bot.play.messages import EPHEMERAL, Posts, Upload, Uploads
from bot.play.store import Object
from bot.play.world import Channel, Message, Right, World, read_id

_OPEN = ("/api/v10/interactions/", "/api/v10/webhooks/")
"""Routes that an interaction's token opens by itself."""
_LARGEST = 110 * 1024 * 1024
_YES = {"1", "true"}
_FILE_FIELD = re.compile(r"files\[(\d{1,3})\]")
_COMMAND: Object = {"description": "", "nsfw": False, "default_member_permissions": None}
_EMOJI: Object = {"roles": [], "require_colons": True, "managed": False, "animated": False, "available": True}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RestCall:
    """A request: the parts of its path, its query, its JSON, and its files by their number."""

    part: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    uploads: Uploads


_Route: TypeAlias = Callable[[RestCall], object]
"""Answers with JSON, or with None for 204."""


@dataclass
class RestApi:
    """The routes of the API; `missed` are those that the bot has asked for in vain."""

    world: World
    posts: Posts
    interactions: Interactions
    gateway: Gateway
    token: str
    missed: set[str] = field(default_factory=set[str])

    def app(self, middlewares: Sequence[Middleware] = ()) -> web.Application:
        """Return the server; `middlewares` stand before everything else (for tests)."""
        app = web.Application(client_max_size=_LARGEST, middlewares=[*middlewares, self._guard])
        world, posts, application = self.world, self.posts, f"/applications/{self.world.bot.id}"
        posted = r"/channels/{channel:\d+}/messages"
        message, followed = posted + r"/{message:\d+}", "/webhooks/{app}/{token}/messages/{message}"
        routes: list[tuple[str, str, _Route]] = [
            ("GET", "/users/@me", lambda _: payloads.user(world.bot)),
            ("GET", "/oauth2/applications/@me", lambda _: payloads.application(world)),
            ("GET", "/gateway/bot", self._start),
            ("PUT", f"{application}/commands", self._sync),
            ("GET", f"{application}/commands", lambda _: world.commands),
            ("POST", f"{application}/emojis", self._emoji),
            ("GET", f"{application}/emojis", lambda _: {"items": world.store.documents("emoji")}),
            ("POST", r"/interactions/{id:\d+}/{token}/callback", self._callback),
            ("POST", "/webhooks/{app}/{token}", self._follow),
            ("GET", followed, lambda asked: posts.payload(self._of_token(asked))),
            ("PATCH", followed, lambda asked: self._edited(self._of_token(asked), asked)),
            ("DELETE", followed, lambda asked: posts.delete(self._of_token(asked))),
            ("POST", posted, self._post),
            ("GET", message, lambda asked: posts.payload(self._of_channel(asked))),
            ("PATCH", message, lambda asked: self._edited(self._own(asked), asked)),
            ("DELETE", message, lambda asked: posts.delete(self._own(asked))),
            ("GET", r"/guilds/{guild:\d+}/members/{user:\d+}", self._member),
            ("GET", r"/users/{user:\d+}", self._user),
        ]
        for method, path, route in routes:
            app.router.add_route(method, f"/api/v10{path}", partial(_serve, route))
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_get("/files/{id}/{key}/{name}", self._file)
        app.router.add_route("*", "/{path:.*}", self._unsupported)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Ask for the token, and answer refusals as Discord does."""
        guarded = request.path.startswith("/api/") and not request.path.startswith(_OPEN)
        if guarded and request.headers.get("Authorization") != f"Bot {self.token}":
            return _answer({"message": "401: Unauthorized", "code": 0}, 401)
        try:
            return await handler(request)
        except RequestRefused as refusal:
            return _answer(refusal.body, refusal.status)
        except web.HTTPRequestEntityTooLarge:
            return _answer({"message": "Request entity too large", "code": 40005}, 413)

    async def _unsupported(self, request: web.Request) -> web.Response:
        route = f"{request.method} {re.sub(r'[0-9]{5,}', '…', request.path)}"
        if route not in self.missed:
            self.missed.add(route)
            _log.warning("The bot asked for %s, which this table does not have", route)
        return _answer({"code": 0, "message": f"this table has no {request.method} {request.path}"}, 501)

    async def _file(self, request: web.Request) -> web.Response:
        found = self.world.store.file(read_id(request.match_info["id"]) or 0)
        if found is None or found[1]["key"] != request.match_info["key"]:
            return web.Response(status=404)
        return web.Response(body=found[2], content_type=found[1]["content_type"])

    def _start(self, _: RestCall) -> object:
        limit = {"total": 1_000, "remaining": 999, "reset_after": 0, "max_concurrency": 16}
        return {"url": self.gateway.address, "shards": self.gateway.shards, "session_start_limit": limit}

    def _sync(self, asked: RestCall) -> object:
        """Take the bot's commands; an id stays while name and type stay."""
        check(COMMANDS, asked.body)
        world, told = self.world, [{**_COMMAND, "type": 1, **command} for command in asked.body]
        known = {(c["name"], c["type"]): c["id"] for c in world.commands}
        same = {"application_id": str(world.bot.id), "version": str(world.new_id())}
        ids = [known.get((c["name"], c["type"])) or str(world.new_id()) for c in told]
        world.keep_commands([{**same, "id": n, **c} for n, c in zip(ids, told, strict=True)])
        return world.commands

    def _emoji(self, asked: RestCall) -> object:
        """Keep a picture that the bot may put into its texts and buttons."""
        check(EMOJI, asked.body)
        name, (_, _, data) = asked.body["name"], asked.body["image"].partition(";base64,")
        file = self.posts.keep_file(Upload(f"{name}.png", base64.b64decode(data)), self.world.bot.id)
        emoji = {**_EMOJI, "id": file["id"], "name": name, "user": payloads.user(self.world.bot)}
        self.world.store.put("emoji", int(file["id"]), emoji)
        return emoji

    def _callback(self, asked: RestCall) -> object:
        number, token = int(asked.part["id"]), asked.part["token"]
        told = self.interactions.answer(number, token, asked.body, asked.uploads)
        return told if asked.query.get("with_response", "").lower() in _YES else None

    def _follow(self, asked: RestCall) -> object:
        message = self.interactions.follow(asked.part["token"], asked.body, asked.uploads)
        return self.posts.payload(message) if asked.query.get("wait", "").lower() in _YES else None

    def _post(self, asked: RestCall) -> object:
        channel = self._channel(asked)
        needed = Right.SEND_IN_THREADS if channel.kind == "thread" else Right.SEND
        if not self.world.rights(self.world.bot, channel) & needed:
            raise RequestRefused(403, 50013, "Missing Permissions")
        message = Message(self.world.new_id(), channel.id, self.world.bot.id, "post")
        self.posts.fill(message, asked.body, asked.uploads)
        self.posts.post(message)
        return self.posts.payload(message)

    def _edited(self, message: Message, asked: RestCall) -> Object:
        self.posts.edit(message, asked.body, asked.uploads)
        return self.posts.payload(message)

    def _member(self, asked: RestCall) -> object:
        person = self.world.people.get(int(asked.part["user"]))
        if int(asked.part["guild"]) != self.world.guild_id:
            raise unknown(10004, "Guild")
        if person is None or person.gone:
            raise unknown(10007, "Member")
        return {**payloads.member(person), "user": payloads.user(person)}

    def _user(self, asked: RestCall) -> object:
        person = self.world.people.get(int(asked.part["user"]))
        if person is None:
            raise unknown(10013, "User")
        return payloads.user(person)

    def _channel(self, asked: RestCall) -> Channel:
        """Return the channel of a path, which the bot sees, and to which it may attach what it sends."""
        channel = self.world.channels.get(int(asked.part["channel"]))
        if channel is None:
            raise unknown(10003, "Channel")
        rights = self.world.rights(self.world.bot, channel)
        if not rights & Right.VIEW:
            raise RequestRefused(403, 50001, "Missing Access")
        if asked.uploads and not rights & Right.ATTACH:
            raise RequestRefused(403, 50013, "Missing Permissions")
        return channel

    def _of_channel(self, asked: RestCall) -> Message:
        channel, message = self._channel(asked), self.posts.find(int(asked.part["message"]))
        if message is None or message.channel != channel.id or message.flags & EPHEMERAL:
            raise unknown(10008, "Message")
        return message

    def _own(self, asked: RestCall) -> Message:
        message = self._of_channel(asked)
        if message.author != self.world.bot.id:
            raise RequestRefused(403, 50005, "Cannot edit a message authored by another user")
        return message

    def _of_token(self, asked: RestCall) -> Message:
        return self.interactions.message(asked.part["token"], asked.part["message"])


async def _serve(route: _Route, request: web.Request) -> web.Response:
    """Read a request's JSON, and its files where it has several parts; answer it."""
    uploads: dict[int, Upload] = {}
    text: str | bytes | bytearray = ""
    if request.content_type != "multipart/form-data":
        text = await request.text()
    else:
        for name, value in (await request.post()).items():
            if not isinstance(value, web.FileField):
                text = value if name == "payload_json" else text
            elif number := _FILE_FIELD.fullmatch(name):
                uploads[int(number[1])] = Upload(value.filename, value.file.read())
    try:
        body = json.loads(text or "{}")
    except ValueError:
        raise RequestRefused(400, 50109, "The request body contains invalid JSON.") from None
    told = route(RestCall(request.match_info, request.query, body, uploads))
    return web.Response(status=204) if told is None else _answer(told)


def _answer(body: object, status: int = 200) -> web.Response:
    """Return JSON. discord.py takes it for text unless the type is exactly this, without a charset."""
    return web.Response(body=json.dumps(body).encode(), status=status, content_type="application/json")
