"""Discord's REST API: the routes that this bot and discord.py use; all others answer 501."""

import base64
import json
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from aiohttp import web
from aiohttp.typedefs import Middleware

from bot.charts.faces import all_faces
from bot.dice.errors import Unavailable
from bot.play import payloads
from bot.play.checks import COMMANDS, EMOJI, RequestRefused, RestCall, check, require
from bot.play.gateway import Gateway
from bot.play.interactions import Interactions
from bot.play.messages import Posts
from bot.play.store import Object
from bot.play.world import Channel, Message, Notice, Right, World, read_id
from bot.words.pictures import face_name

_TOKEN_ROUTES = ("/api/v10/interactions/", "/api/v10/webhooks/")
"""Routes that need no bot token, but an interaction's token in the path."""
_LARGEST_BODY = 110 * 1024 * 1024
_FILE_FIELD = re.compile(r"files\[(\d{1,3})\]")
_COMMAND: Object = {"description": "", "nsfw": False, "default_member_permissions": None, "type": 1}
_FIRST_FACE = 10**17
"""The first id of the faces; discord.py does not accept shorter ids."""
_EMOJI: Object = {"roles": [], "require_colons": True, "managed": False, "animated": False, "available": True}

_log = logging.getLogger(__name__)

_Route: TypeAlias = Callable[[RestCall], object]
"""Returns the JSON of the response, or None for 204."""


@dataclass
class RestApi:
    """The routes of the API; `missed` are the unsupported ones that the bot has requested.

    `faces` are the names of the emojis of dice, which exist from the start; the page draws them.
    """

    world: World
    posts: Posts
    interactions: Interactions
    gateway: Gateway
    token: str
    missed: set[str] = field(default_factory=set[str])
    faces: list[str] = field(default_factory=lambda: [face_name(*face) for face in all_faces()])

    def app(self, middlewares: Sequence[Middleware] = ()) -> web.Application:
        """Return the server; `middlewares` run before everything else (for tests)."""
        app = web.Application(client_max_size=_LARGEST_BODY, middlewares=middlewares)
        world, posts, interactions = self.world, self.posts, self.interactions
        application = f"/applications/{world.bot.id}"
        posted = r"/channels/{channel:\d+}/messages"
        message, followed = posted + r"/{message:\d+}", "/webhooks/{app}/{token}/messages/{message}"
        routes: list[tuple[str, str, _Route]] = [
            ("GET", "/users/@me", lambda _: payloads.user(world.bot)),
            ("GET", "/oauth2/applications/@me", lambda _: payloads.application(world)),
            ("GET", "/gateway/bot", self._start),
            ("PUT", f"{application}/commands", self._sync),
            ("GET", f"{application}/commands", lambda _: world.commands),
            ("POST", f"{application}/emojis", self._emoji),
            ("GET", f"{application}/emojis", self._emojis),
            ("POST", r"/interactions/{id:\d+}/{token}/callback", interactions.answer),
            ("POST", "/webhooks/{app}/{token}", interactions.follow),
            ("GET", followed, lambda call: payloads.message(world, interactions.message(call))),
            ("PATCH", followed, lambda call: self._edit(interactions.message(call), call)),
            ("DELETE", followed, lambda call: posts.delete(interactions.message(call))),
            ("POST", posted, self._post),
            ("PATCH", message, lambda call: self._edit(self._own_message(call), call)),
            ("DELETE", message, lambda call: posts.delete(self._own_message(call))),
            ("GET", r"/guilds/{guild:\d+}/members/{user:\d+}", self._member),
            ("GET", r"/users/{user:\d+}", self._user),
        ]
        for method, path, route in routes:
            app.router.add_route(method, f"/api/v10{path}", partial(self._serve, route))
        app.router.add_get("/api/v10/gateway", self._address)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_get("/files/{id}/{key}/{name}", self._file)
        app.router.add_route("*", "/{path:.*}", self._unsupported)
        return app

    async def _serve(self, route: _Route, request: web.Request) -> web.Response:
        """Check the token, and answer a request, or refuse it as Discord does."""
        has_token = request.headers.get("Authorization") == f"Bot {self.token}"
        if not has_token and not request.path.startswith(_TOKEN_ROUTES):
            return _answer({"message": "401: Unauthorized", "code": 0}, 401)
        try:
            answer = route(await _read(request))
        except RequestRefused as refusal:
            return _answer(refusal.body, refusal.status)
        except Unavailable as error:
            return _answer({"message": str(error), "code": 0}, 500)
        except web.HTTPRequestEntityTooLarge:
            return _answer({"message": "Request entity too large", "code": 40005}, 413)
        return web.Response(status=204) if answer is None else _answer(answer)

    async def _address(self, _request: web.Request) -> web.Response:
        """Return the gateway's address, which needs no token; the bot asks for it to learn the time."""
        return _answer({"url": self.gateway.address})

    async def _unsupported(self, request: web.Request) -> web.Response:
        route = f"{request.method} {re.sub(r'[0-9]{5,}', '…', request.path)}"
        if route not in self.missed:
            self.missed.add(route)
            _log.warning("The bot asked for %s, which this table does not have", route)
        return _answer({"code": 0, "message": f"this table has no {request.method} {request.path}"}, 501)

    async def _file(self, request: web.Request) -> web.Response:
        file = self.world.store.file(read_id(request.match_info["id"]) or 0)
        if file is None or file[1]["key"] != request.match_info["key"]:
            return web.Response(status=404)
        return web.Response(body=file[2], content_type=file[1]["content_type"])

    def _start(self, _: RestCall) -> object:
        limit = {"total": 1_000, "remaining": 999, "reset_after": 0, "max_concurrency": 16}
        return {"url": self.gateway.address, "shards": self.gateway.shards, "session_start_limit": limit}

    def _sync(self, call: RestCall) -> object:
        """Replace the bot's commands; those with the same name and type keep their ids."""
        check(COMMANDS, call.body)
        commands = [_COMMAND | command for command in call.body]
        previous = {(c["name"], c["type"]): c["id"] for c in self.world.commands}
        shared = {"application_id": str(self.world.bot.id), "version": str(self.world.new_id())}
        ids = [previous.get((c["name"], c["type"])) or str(self.world.new_id()) for c in commands]
        self.world.commands = [{**shared, "id": n, **c} for n, c in zip(ids, commands, strict=True)]
        self.world.store.put("commands", 0, self.world.commands)
        self.world.tell(Notice.COMMANDS)
        return self.world.commands

    def _emojis(self, _: RestCall) -> object:
        numbered = enumerate(self.faces, start=_FIRST_FACE)
        faces = {name: {**_EMOJI, "id": str(n), "name": name} for n, name in numbered}
        uploaded = {emoji["name"]: emoji for emoji in self.world.store.documents("emoji")}
        return {"items": [*(faces | uploaded).values()]}

    def _emoji(self, call: RestCall) -> object:
        """Save a picture that the bot can use in its texts and buttons."""
        check(EMOJI, call.body)
        name, (_, _, data) = call.body["name"], call.body["image"].partition(";base64,")
        file = self.posts.keep_file(f"{name}.png", base64.b64decode(data))
        emoji = {**_EMOJI, "id": file["id"], "name": name, "user": payloads.user(self.world.bot)}
        self.world.store.put("emoji", int(file["id"]), emoji)
        return emoji

    def _post(self, call: RestCall) -> object:
        channel = self._channel(call, Right.SEND)
        message = Message(self.world.new_id(), channel.id, self.world.bot.id, "post")
        self.posts.fill(message, call.body)
        self.posts.post(message)
        return payloads.message(self.world, message)

    def _edit(self, message: Message, call: RestCall) -> Object:
        self.posts.edit(message, call.body)
        return payloads.message(self.world, message)

    def _member(self, call: RestCall) -> object:
        require(call.part["guild"] == str(self.world.guild_id) or None, 10004, "Guild")
        person = self.world.people.get(int(call.part["user"]))
        person = require(None if person and person.gone else person, 10007, "Member")
        return {**payloads.member(person), "user": payloads.user(person)}

    def _user(self, call: RestCall) -> object:
        return payloads.user(require(self.world.people.get(int(call.part["user"])), 10013, "User"))

    def _channel(self, call: RestCall, needed: Right = Right.VIEW) -> Channel:
        """Return the channel of a path; raise RequestRefused unless the bot sees it and has a right there."""
        channel = require(self.world.channels.get(int(call.part["channel"])), 10003, "Channel")
        lacks = ~self.world.rights(self.world.bot, channel)
        if lacks & Right.VIEW:
            raise RequestRefused(403, 50001, "Missing Access")
        if lacks & needed or ("files" in call.body and lacks & Right.ATTACH):
            raise RequestRefused(403, 50013, "Missing Permissions")
        return channel

    def _own_message(self, call: RestCall) -> Message:
        """Return the public message of a path; raise RequestRefused unless the bot posted it there."""
        channel, message = self._channel(call), self.posts.find(int(call.part["message"]))
        visible = message and message.channel == channel.id and message.viewer is None
        message = require(message if visible else None, 10008, "Message")
        if message.author != self.world.bot.id:
            raise RequestRefused(403, 50005, "Cannot edit a message authored by another user")
        return message


async def _read(request: web.Request) -> RestCall:
    """Read a request's JSON and its files; raise RequestRefused."""
    files: dict[int, tuple[str, bytes]] = {}
    text: str | bytes | bytearray = ""
    if request.content_type != "multipart/form-data":
        text = await request.text()
    else:
        for name, value in (await request.post()).items():
            if not isinstance(value, web.FileField):
                text = value if name == "payload_json" else text
            elif number := _FILE_FIELD.fullmatch(name):
                files[int(number[1])] = (value.filename, value.file.read())
    try:
        body = json.loads(text or "{}")
    except ValueError:
        raise RequestRefused(400, 50109, "The request body contains invalid JSON.") from None
    if files:
        (body.get("data") or body)["files"] = files
    return RestCall(request.match_info, request.query, body)


def _answer(body: object, status: int = 200) -> web.Response:
    """Return a JSON response; discord.py reads it as text unless the type has no charset."""
    return web.Response(body=json.dumps(body).encode(), status=status, content_type="application/json")
