"""The page's HTTP: its files, joining, uploads and downloads, on a port that guests may reach."""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

from aiohttp import web

from bot.play.acts import Acts
from bot.play.feed import Viewer
from bot.play.frames import Frames
from bot.play.ids import read_id
from bot.play.limits import Bucket
from bot.play.messages import Upload
from bot.play.pages import SEAT_GONE
from bot.play.payloads import FILE_BYTES
from bot.play.posting import Posts
from bot.play.seats import NoSeat, Seats, cookie, slugs
from bot.play.store import Object, mapped
from bot.play.world import World

SITE = Path(__file__).parent / "site"
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".txt": "text/plain"}
_PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_DATA = {"application/json", "multipart/form-data"}
_BODY_BYTES = 4_096
_COOKIE_SECONDS = 180 * 86_400
_JOINS_A_MINUTE = 10
_UPLOAD_BYTES, _UPLOAD_SECONDS = 40 * 1024 * 1024, 600
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


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
        self._joins: dict[str, Bucket] = {}
        self._uploads: dict[int, Bucket] = {}

    def app(self) -> web.Application:
        """Return the server."""
        app = web.Application(client_max_size=FILE_BYTES + 65_536, middlewares=[self._guard])
        app.router.add_get("/", self._index)
        app.router.add_get("/favicon.ico", self._nothing)
        app.router.add_get("/s/{seat}/", self._index)
        app.router.add_get("/site/{path:.+}", self._static)
        app.router.add_post("/api/enter", self._enter)
        app.router.add_post("/api/join", self._join)
        app.router.add_get("/s/{seat}/socket", self._socket)
        app.router.add_post("/s/{seat}/upload", self._upload)
        app.router.add_post("/s/{seat}/drop", self._drop)
        app.router.add_get("/s/{seat}/file/{id}/{name}", self._file)
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Refuse what comes from elsewhere, and answer refusals as JSON."""
        self.silent.discard(request.protocol)
        try:
            self._check(request)
            return await handler(request)
        except NoSeat as refusal:
            body: Object = {"error": str(refusal)} | ({"field": refusal.field} if refusal.field else {})
            return _json(body, 400 if refusal.field else 403)
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

    async def _index(self, _: web.Request) -> web.StreamResponse:
        return _static("index.html")

    async def _nothing(self, _: web.Request) -> web.StreamResponse:
        return web.Response(status=204)

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return _static(request.match_info["path"])

    async def _enter(self, request: web.Request) -> web.Response:
        body = await self._body(request)
        link = self._seats.find(str(body["secret"])) if "secret" in body else None
        seats = [
            {"seat": slug, "name": person.name}
            for slug, token in slugs(self._seats.table, dict(request.cookies)).items()
            if (person := self._seats.sitting(slug, token))
        ]
        first = link is not None and link.kind == "first"
        shown = {"table": self._world.name, "seats": seats, "link": link.kind if link else None}
        return _json({**shown, "name": "GM" if first and not self._world.seated() else ""})

    async def _join(self, request: web.Request) -> web.Response:
        body = await self._body(request)
        seat, token = self._seats.join(str(body.get("secret")), str(body.get("name", "")))
        response = _json({"seat": seat.slug})
        response.set_cookie(
            cookie(self._seats.table, seat.slug),
            token,
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="Strict",
            secure=request.headers["Origin"].startswith("https:"),
        )
        return response

    async def _body(self, request: web.Request) -> Object:
        """Return a small JSON body; ten a minute from one address."""
        bucket = self._joins.setdefault(request.remote or "", Bucket(_JOINS_A_MINUTE / 60, _JOINS_A_MINUTE))
        if request.path == "/api/join" and not bucket.take():
            raise web.HTTPTooManyRequests(reason="That was too often. Wait a minute.")
        text = await request.content.read(_BODY_BYTES)
        try:
            return mapped(json.loads(text))
        except (ValueError, RecursionError):
            raise web.HTTPBadRequest(reason="That can't be read.") from None

    def _viewer(self, request: web.Request) -> Viewer:
        seat = request.match_info["seat"]
        token = request.cookies.get(cookie(self._seats.table, seat), "")
        person = self._seats.sitting(seat, token)
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
        person = self._viewer(request).person
        bucket = self._uploads.setdefault(person.id, Bucket(_UPLOAD_BYTES / _UPLOAD_SECONDS, _UPLOAD_BYTES))
        if not bucket.take(request.content_length or FILE_BYTES):
            raise web.HTTPTooManyRequests(reason="That was too much at once. Wait some minutes.")
        given = (await request.post()).get("file")
        if not isinstance(given, web.FileField):
            raise web.HTTPBadRequest(reason="There is no file in that.")
        content = given.file.read()
        if len(content) > FILE_BYTES:
            raise web.HTTPRequestEntityTooLarge(FILE_BYTES, len(content))
        own = self._acts.uploads.setdefault(person.id, {})
        kept = self._posts.keep_file(Upload(given.filename, content, ""), person.id)
        name = kept["filename"]
        while name in own:
            name = f"{len(own)}-{name}"
        own[name] = int(kept["id"])
        return _json({"id": kept["id"], "name": name, "size": len(content), "write": name})

    async def _drop(self, request: web.Request) -> web.Response:
        person = self._viewer(request).person
        number = read_id((await self._body(request)).get("id"))
        own = self._acts.uploads.get(person.id, {})
        for name in [name for name, each in own.items() if each == number]:
            self._world.store.drop_file(own.pop(name))
        return web.Response(status=204)

    async def _file(self, request: web.Request) -> web.Response:
        person = self._viewer(request).person
        found = self._world.store.file(read_id(request.match_info["id"]) or 0)
        message = self._posts.find(found[1]) if found and found[1] else None
        if not found or not message or message.viewer not in {None, person.id}:
            raise web.HTTPNotFound
        if not self._world.sees(person, self._world.channels[message.channel]):
            raise web.HTTPNotFound
        kept, content = found[2], found[3]
        shown = kept["content_type"] in _PICTURES
        name = quote(kept["filename"])
        headers = {
            "Content-Disposition": f"{'inline' if shown else 'attachment'}; filename*=UTF-8''{name}",
            "Cache-Control": "private, max-age=31536000, immutable",
        }
        if not shown:
            headers["Content-Security-Policy"] = "sandbox; default-src 'none'; frame-ancestors 'none'"
        kind = kept["content_type"] if shown else "application/octet-stream"
        return web.Response(body=content, content_type=kind, headers=headers)


def _static(path: str) -> web.Response:
    """Return a file of the page."""
    file = (SITE / path).resolve()
    if not re.fullmatch(r"[\w./-]+", path, re.ASCII) or not file.is_relative_to(SITE) or not file.is_file():
        raise web.HTTPNotFound
    kind = _TYPES.get(file.suffix, "application/octet-stream")
    headers = {"Cache-Control": "no-cache"}
    return web.Response(body=file.read_bytes(), content_type=kind, charset="utf-8", headers=headers)


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


def _json(body: Object, status: int = 200) -> web.Response:
    return web.json_response(body, status=status, headers={"Cache-Control": "no-store"})
