"""Discord's REST API, as far as this bot and discord.py use it; everything else is 501 and says so."""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web
from aiohttp.typedefs import Middleware

from bot.play import payloads
from bot.play.commands import synced
from bot.play.gateway import Gateway
from bot.play.ids import read_id
from bot.play.interactions import Interactions
from bot.play.messages import Message, Upload
from bot.play.posting import Posts
from bot.play.refusals import RequestRefused, unknown
from bot.play.store import Object
from bot.play.world import Channel, Right, World

_OPEN = ("/api/v10/interactions/", "/api/v10/webhooks/")
"""Routes that an interaction's token opens by itself."""
_LARGEST = 110 * 1024 * 1024
_FILE_FIELD = re.compile(r"files\[(\d{1,3})\]")

_log = logging.getLogger(__name__)


class RestApi:
    """The routes of the API."""

    def __init__(
        self, world: World, posts: Posts, interactions: Interactions, gateway: Gateway, token: str
    ) -> None:
        self._world = world
        self._posts = posts
        self._interactions = interactions
        self._gateway = gateway
        self._token = token
        self._missed: set[str] = set()

    def app(self, middlewares: Sequence[Middleware] = ()) -> web.Application:
        """Return the server; `middlewares` stand before everything else (for tests)."""
        app = web.Application(client_max_size=_LARGEST, middlewares=[*middlewares, self._guard])
        app.router.add_get("/gateway", self._gateway.serve)
        app.router.add_get("/gateway/", self._gateway.serve)
        app.router.add_get("/files/{id}/{key}/{name}", self._file)
        application = f"/applications/{self._world.bot.id}"
        message = r"/channels/{channel:\d+}/messages/{message:\d+}"
        followed = "/webhooks/{app}/{token}/messages/{message}"
        routes: list[tuple[str, str, Callable[[web.Request], Awaitable[web.Response]]]] = [
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/gateway/bot", self._gateway_bot),
            ("PUT", f"{application}/commands", self._sync),
            ("GET", f"{application}/commands", self._commands),
            ("POST", r"/interactions/{id:\d+}/{token}/callback", self._callback),
            ("POST", "/webhooks/{app}/{token}", self._follow),
            ("GET", followed, self._followed),
            ("PATCH", followed, self._edit_followed),
            ("DELETE", followed, self._delete_followed),
            ("POST", r"/channels/{channel:\d+}/messages", self._post),
            ("GET", message, self._message),
            ("PATCH", message, self._edit),
            ("DELETE", message, self._delete),
            ("GET", r"/guilds/{guild:\d+}/members/{user:\d+}", self._member),
            ("GET", r"/users/{user:\d+}", self._user),
        ]
        for method, path, handler in routes:
            app.router.add_route(method, f"/api/v10{path}", handler)
        app.router.add_route("*", "/{path:.*}", self._unsupported)
        return app

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Ask for the token, and answer refusals as Discord does."""
        guarded = request.path.startswith("/api/") and not request.path.startswith(_OPEN)
        if guarded and request.headers.get("Authorization") != f"Bot {self._token}":
            return answer({"message": "401: Unauthorized", "code": 0}, 401)
        try:
            return await handler(request)
        except RequestRefused as refusal:
            return answer(refusal.body, refusal.status)
        except web.HTTPRequestEntityTooLarge:
            return answer({"message": "Request entity too large", "code": 40005}, 413)

    async def _unsupported(self, request: web.Request) -> web.Response:
        route = f"{request.method} {re.sub(r'[0-9]{5,}', '…', request.path)}"
        if route not in self._missed:
            self._missed.add(route)
            _log.warning("The bot asked for %s, which this table does not have", route)
        return answer({"code": 0, "message": f"this table has no {request.method} {request.path}"}, 501)

    async def _me(self, _: web.Request) -> web.Response:
        return answer(payloads.user(self._world.bot))

    async def _application(self, _: web.Request) -> web.Response:
        return answer(payloads.application(self._world))

    async def _gateway_bot(self, _: web.Request) -> web.Response:
        limit = {"total": 1_000, "remaining": 999, "reset_after": 0, "max_concurrency": 16}
        shards = self._gateway.shards
        return answer({"url": self._gateway.address, "shards": shards, "session_start_limit": limit})

    async def _sync(self, request: web.Request) -> web.Response:
        told = synced(await request.json(), self._world)
        self._world.keep_commands(told)
        return answer(told)

    async def _commands(self, _: web.Request) -> web.Response:
        return answer(self._world.commands)

    async def _callback(self, request: web.Request) -> web.Response:
        body, uploads = await read(request)
        number, token = int(request.match_info["id"]), request.match_info["token"]
        told = self._interactions.answer(number, token, body, uploads)
        if request.query.get("with_response", "").lower() in {"1", "true"}:
            return answer(told)
        return web.Response(status=204)

    async def _follow(self, request: web.Request) -> web.Response:
        body, uploads = await read(request)
        message = self._interactions.follow(request.match_info["token"], body, uploads)
        if request.query.get("wait", "").lower() in {"1", "true"}:
            return answer(self._posts.payload(message))
        return web.Response(status=204)

    async def _followed(self, request: web.Request) -> web.Response:
        return answer(self._posts.payload(self._of_token(request)))

    async def _edit_followed(self, request: web.Request) -> web.Response:
        body, uploads = await read(request)
        message = self._of_token(request)
        self._posts.edit(message, body, uploads)
        return answer(self._posts.payload(message))

    async def _delete_followed(self, request: web.Request) -> web.Response:
        self._posts.delete(self._of_token(request))
        return web.Response(status=204)

    async def _post(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        rights = self._world.rights(self._world.bot, channel)
        needed = Right.SEND_IN_THREADS if channel.kind == "thread" else Right.SEND
        body, uploads = await read(request)
        if not rights & Right.VIEW:
            raise RequestRefused(403, 50001, "Missing Access")
        if not rights & needed or (uploads and not rights & Right.ATTACH):
            raise RequestRefused(403, 50013, "Missing Permissions")
        message = Message(self._world.ids.new(), channel.id, self._world.bot.id, "post")
        self._posts.fill(message, body, uploads)
        self._posts.post(message)
        return answer(self._posts.payload(message))

    async def _message(self, request: web.Request) -> web.Response:
        return answer(self._posts.payload(self._of_channel(request)))

    async def _edit(self, request: web.Request) -> web.Response:
        body, uploads = await read(request)
        message = self._of_channel(request)
        if message.author != self._world.bot.id:
            raise RequestRefused(403, 50005, "Cannot edit a message authored by another user")
        if uploads and not self._world.rights(self._world.bot, self._channel(request)) & Right.ATTACH:
            raise RequestRefused(403, 50013, "Missing Permissions")
        self._posts.edit(message, body, uploads)
        return answer(self._posts.payload(message))

    async def _delete(self, request: web.Request) -> web.Response:
        message = self._of_channel(request)
        if message.author != self._world.bot.id:
            raise RequestRefused(403, 50013, "Missing Permissions")
        self._posts.delete(message)
        return web.Response(status=204)

    async def _member(self, request: web.Request) -> web.Response:
        if int(request.match_info["guild"]) != self._world.guild_id:
            raise unknown(10004, "Guild")
        person = self._world.people.get(int(request.match_info["user"]))
        if person is None or person.gone:
            raise unknown(10007, "Member")
        return answer({**payloads.member(person), "user": payloads.user(person)})

    async def _user(self, request: web.Request) -> web.Response:
        person = self._world.people.get(int(request.match_info["user"]))
        if person is None:
            raise unknown(10013, "User")
        return answer(payloads.user(person))

    async def _file(self, request: web.Request) -> web.Response:
        found = self._world.store.file(read_id(request.match_info["id"]) or 0)
        if found is None or found[2]["key"] != request.match_info["key"]:
            return web.Response(status=404)
        return web.Response(body=found[3], content_type=found[2]["content_type"])

    def _channel(self, request: web.Request) -> Channel:
        channel = self._world.channels.get(int(request.match_info["channel"]))
        if channel is None:
            raise unknown(10003, "Channel")
        return channel

    def _of_channel(self, request: web.Request) -> Message:
        channel = self._channel(request)
        if not self._world.rights(self._world.bot, channel) & Right.VIEW:
            raise RequestRefused(403, 50001, "Missing Access")
        return self._posts.own(channel.id, int(request.match_info["message"]))

    def _of_token(self, request: web.Request) -> Message:
        return self._interactions.message(request.match_info["token"], request.match_info["message"])


def answer(body: object, status: int = 200) -> web.Response:
    """Return JSON. discord.py takes it for text unless the type is exactly this, without a charset."""
    headers = {"Content-Type": "application/json"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)


async def read(request: web.Request) -> tuple[Object, dict[int, Upload]]:
    """Return a request's JSON, and its files where it has several parts."""
    uploads: dict[int, Upload] = {}
    text: str | bytes | bytearray = "{}"
    if request.content_type == "multipart/form-data":
        for name, value in (await request.post()).items():
            field = _FILE_FIELD.fullmatch(name)
            if name == "payload_json":
                text = "" if isinstance(value, web.FileField) else value
            elif field and isinstance(value, web.FileField):
                uploads[int(field[1])] = Upload(value.filename, value.file.read(), value.content_type)
    else:
        text = await request.text() or text
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise RequestRefused(400, 50109, "The request body contains invalid JSON.")
    return body, uploads  # pyright: ignore[reportUnknownVariableType]
