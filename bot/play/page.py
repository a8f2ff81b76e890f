"""The page's HTTP: its files, joining, uploads and downloads, on a port that guests may reach."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from aiohttp import web
from pydantic import BaseModel, ValidationError

from bot.play.acts import Acts
from bot.play.checks import FILE_BYTES
from bot.play.frames import Frames
from bot.play.ids import read_id
from bot.play.messages import Posts, Upload
from bot.play.pages import SEAT_GONE
from bot.play.protocol import Bucket
from bot.play.seats import NoSeat, Seats
from bot.play.store import Object
from bot.play.views import PICTURES, Viewer
from bot.play.world import World

SITE = Path(__file__).parent / "site"
_DATA = {"application/json", "multipart/form-data"}
_BODY_BYTES = 4_096
_COOKIE_SECONDS = 180 * 86_400
_JOINS = (10 / 60, 10)
_UPLOADS = (40 * 1024 * 1024 / 600, 40 * 1024 * 1024)
"""How many joins of one address, and bytes of one seat, a second and at once."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types lit-html"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class _Entering(BaseModel):
    secret: str = ""
    name: str = ""


class _Dropped(BaseModel):
    id: str


class PageServer:
    """The routes of the page. `origins` are the addresses that are printed; others are refused."""

    def __init__(self, world: World, posts: Posts, acts: Acts, seats: Seats, frames: Frames) -> None:
        self.origins: set[str] = set()
        self.silent: set[object] = set()
        """The connections that have brought no request yet."""
        self._world = world
        self._posts = posts
        self._acts = acts
        self._seats = seats
        self._frames = frames
        self._buckets: dict[object, Bucket] = {}

    def app(self) -> web.Application:
        """Return the server."""
        app = web.Application(client_max_size=FILE_BYTES + 65_536, middlewares=[self._guard])
        app.add_routes([
            web.get("/", self._index),
            web.get("/s/{seat}/", self._index),
            web.get("/favicon.ico", self._nothing),
            web.static("/site", SITE),
            web.post("/api/enter", self._enter),
            web.post("/api/join", self._join),
            web.get("/s/{seat}/socket", self._socket),
            web.post("/s/{seat}/upload", self._upload),
            web.post("/s/{seat}/drop", self._drop),
            web.get("/s/{seat}/file/{id}/{name}", self._file),
            web.get("/s/{seat}/emoji/{id}", self._emoji),
        ])  # fmt: skip
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse what comes from elsewhere, and answer refusals as JSON."""
        self.silent.discard(request.protocol)
        try:
            self._check(request)
            return await handler(request)
        except NoSeat as refusal:
            more = {"field": refusal.field} if refusal.field else {}
            return _json({"error": str(refusal), **more}, 400 if refusal.field else 403)
        except ValidationError:
            return _json({"error": "That can't be read."}, 400)
        except web.HTTPException as other:
            return _json({"error": other.reason or "That can't be done."}, other.status)

    def _check(self, request: web.Request) -> None:
        """Refuse other hosts (rebinding), other origins, and forms of other pages."""
        if request.host not in {origin.partition("://")[2] for origin in self.origins}:
            raise web.HTTPMisdirectedRequest(reason="This is not the address of this table.")
        if request.method == "GET" and not request.path.endswith("/socket"):
            return
        origin = request.headers.get("Origin", "")
        ours = origin in self.origins and origin.partition("://")[2] == request.host
        data = request.headers.get("X-Table") == "1" and request.content_type in _DATA
        if not ours or (request.method != "GET" and not data):
            raise web.HTTPForbidden(reason="That came from another page.")

    async def _nothing(self, _: web.Request) -> web.StreamResponse:
        return web.Response(status=204)

    async def _index(self, _: web.Request) -> web.StreamResponse:
        return web.FileResponse(SITE / "index.html")

    async def _enter(self, request: web.Request) -> web.Response:
        link = self._seats.find((await _read(request, _Entering)).secret)
        seats = [{"seat": slug, "name": name} for slug, name in self._seats.own(request.cookies).items()]
        first = link is not None and link.kind == "first" and not self._world.seated()
        shown = {"table": self._world.name, "seats": seats, "link": link.kind if link else None}
        return _json({**shown, "name": "GM" if first else ""})

    async def _join(self, request: web.Request) -> web.Response:
        self._limit("join", request.remote, _JOINS, 1, "That was too often. Wait a minute.")
        body = await _read(request, _Entering)
        seat, token = self._seats.join(body.secret, body.name)
        response = _json({"seat": seat.slug})
        response.set_cookie(
            self._seats.cookie(seat.slug),
            token,
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="Strict",
            secure=request.headers["Origin"].startswith("https:"),
        )
        return response

    def _limit(self, what: str, who: object, limit: tuple[float, float], count: float, sentence: str) -> None:
        if not self._buckets.setdefault((what, who), Bucket(*limit)).take(count):
            raise web.HTTPTooManyRequests(reason=sentence)

    def _viewer(self, request: web.Request) -> Viewer:
        seat = request.match_info["seat"]
        person = self._seats.sitting(seat, request.cookies)
        if person is None:
            raise NoSeat("There is no seat of yours here.")
        return Viewer(person, seat)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        try:
            viewer = self._viewer(request)
        except NoSeat:  # said with the socket's own code, which the page can read
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.close(code=SEAT_GONE)
            return socket
        return await self._frames.serve(request, viewer)

    async def _upload(self, request: web.Request) -> web.Response:
        person, size = self._viewer(request).person, request.content_length or FILE_BYTES
        self._limit("upload", person.id, _UPLOADS, size, "That was too much at once. Wait some minutes.")
        given = (await request.post()).get("file")
        if not isinstance(given, web.FileField):
            raise web.HTTPBadRequest(reason="There is no file in that.")
        content = given.file.read()
        if len(content) > FILE_BYTES:
            raise web.HTTPRequestEntityTooLarge(FILE_BYTES, len(content))
        kept = self._posts.keep_file(Upload(given.filename, content), person.id)
        own, name = self._acts.uploads.setdefault(person.id, {}), kept["filename"]
        while name in own:
            name = f"{len(own)}-{name}"
        own[name] = int(kept["id"])
        return _json({"id": kept["id"], "name": name, "size": len(content), "write": name})

    async def _drop(self, request: web.Request) -> web.Response:
        own = self._acts.uploads.get(self._viewer(request).person.id, {})
        given = (await _read(request, _Dropped)).id
        for name in [name for name, number in own.items() if str(number) == given]:
            self._world.store.drop_file(own.pop(name))
        return web.Response(status=204)

    async def _file(self, request: web.Request) -> web.Response:
        """Return a file of a message that the viewer sees; only pictures are shown."""
        person = self._viewer(request).person
        found = self._world.store.file(read_id(request.match_info["id"]) or 0)
        message = self._posts.find(found[0]) if found else None
        if not found or not message or not self._world.sees(person, message.channel, message.viewer):
            raise web.HTTPNotFound
        return _kept(found[1], found[2])

    async def _emoji(self, request: web.Request) -> web.Response:
        """Return an emoji of the bot's."""
        self._viewer(request)
        emojis = {emoji["id"] for emoji in self._world.store.documents("emoji")}
        found = self._world.store.file(read_id(request.match_info["id"]) or 0)
        if not found or request.match_info["id"] not in emojis:
            raise web.HTTPNotFound
        return _kept(found[1], found[2])


_Body = TypeVar("_Body", bound=BaseModel)


async def _read(request: web.Request, shape: type[_Body]) -> _Body:
    return shape.model_validate_json(await request.content.read(_BODY_BYTES))


def _kept(file: Object, content: bytes) -> web.Response:
    shown = file["content_type"] in PICTURES
    name = f"{'inline' if shown else 'attachment'}; filename*=UTF-8''{quote(file['filename'])}"
    headers = {"Content-Disposition": name, "Cache-Control": "private, max-age=31536000, immutable"}
    if not shown:
        headers["Content-Security-Policy"] = "sandbox; default-src 'none'; frame-ancestors 'none'"
    return web.Response(body=content, content_type=file["content_type"], headers=headers)


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


def _json(body: Object, status: int = 200) -> web.Response:
    return web.json_response(body, status=status, headers={"Cache-Control": "no-store"})
