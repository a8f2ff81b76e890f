"""HTTP server of the page: its files, joining, uploads and downloads, on a port that guests may reach."""

import asyncio
import json
import re
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from aiohttp import web
from aiohttp.typedefs import Handler
from pydantic_core import from_json

from bot.dice.errors import Unavailable
from bot.play.acts import Acts
from bot.play.checks import FILE_BYTES
from bot.play.frames import Frames
from bot.play.messages import PICTURES, Posts
from bot.play.options import ActRefused
from bot.play.pages import SEAT_GONE, UNREADABLE
from bot.play.seats import Seats
from bot.play.store import Object, mapped
from bot.play.world import Person, World, read_id
from bot.times import DAY
from bot.words.languages import NAMES, PSEUDO, codes, language, speaking, speaks
from bot.words.saying import phrase, refusal, say

_T = TypeVar("_T")
SITE = Path(__file__).parent / "site"
_SAY_CALL = re.compile(r'\bsay(?:Many)?\(("(?:[^"\\\n]|\\.)*")(?:, ("(?:[^"\\\n]|\\.)*"))?')
_NUMBERS = range(200)
"""Numbers with their own plural form; a larger one has the form of 100 and its last two digits."""
_ELSEWHERE = phrase(
    "The table is at {address}. If your link has a # in it, put this address in front of the #."
)
_DATA = {"application/json", "multipart/form-data"}
_BODY_BYTES, _BODY_SECONDS, _UPLOAD_SECONDS = 4_096, 10, 300
_LEAST_BYTES = 128 * 1024
"""What a file counts at least, for many small ones are a burden too."""
_COOKIE_SECONDS = 180 * DAY
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
_DOWNLOADED = {"Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'"}


@dataclass
class PageServer:
    """The routes of the page, served at the `origins`; other origins are sent to `address`."""

    world: World
    posts: Posts
    acts: Acts
    seats: Seats
    frames: Frames
    address: str = ""
    origins: set[str] = field(default_factory=set[str])

    def app(self) -> web.Application:
        """Return the server."""
        app = web.Application(client_max_size=FILE_BYTES + 65_536, middlewares=[self._guard])
        app.add_routes([
            web.get("/", self._index),
            web.get("/s/{seat}/", self._index),
            web.get("/favicon.ico", self._index),
            web.get("/texts", self._texts),
            web.static("/site", SITE),
            web.post("/api/enter", self._enter),
            web.post("/api/join", self._join),
            web.get("/s/{seat}/socket", self._socket),
            web.post("/s/{seat}/upload", self._upload),
            web.post("/s/{seat}/drop", self._drop),
            web.get("/s/{seat}/{kind:file}/{id}/{name}", self._file),
            web.get("/s/{seat}/{kind:emoji}/{id}", self._file),
        ])  # fmt: skip
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests from other hosts and pages, and answer refusals as JSON."""
        with speaking(language(code := request_language(request, self.world.locale))):
            try:
                self._check(request)
                return await handler(request)
            except web.HTTPMisdirectedRequest as other:
                address = f'<a href="{escape(self.address)}">{escape(self.address)}</a>'
                html = (SITE / "elsewhere.html").read_text("utf-8")
                html = html.format(
                    language=code,
                    title=say("The table is elsewhere"),
                    head=say("This is not the table's address"),
                    sentence=say(_ELSEWHERE, address=address),
                )
                return web.Response(text=html, content_type="text/html", status=other.status)
            except (ActRefused, Unavailable) as refused:
                return web.json_response({"error": refusal(refused)}, status=403)
            except web.HTTPException as other:
                sentence = other.reason or say("That can't be done.")
                if isinstance(other, web.HTTPRequestEntityTooLarge):
                    sentence = say("A file has at most {n} MB.", n=FILE_BYTES >> 20)
                return web.json_response({"error": sentence}, status=other.status)

    def _check(self, request: web.Request) -> None:
        """Refuse other hosts (DNS rebinding), other origins, and forms of other pages."""
        if request.host not in {origin.partition("://")[2] for origin in self.origins}:
            raise web.HTTPMisdirectedRequest
        if request.method == "GET" and not request.path.endswith("/socket"):
            return
        origin = request.headers.get("Origin", "")
        is_own = origin in self.origins and origin.partition("://")[2] == request.host
        is_data = request.headers.get("X-Table") == "1" and request.content_type in _DATA
        if not is_own or (request.method != "GET" and not is_data):
            raise web.HTTPForbidden(reason=say("That came from another page."))

    async def _index(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/favicon.ico":
            return web.Response(status=204)
        needed = say("The table needs JavaScript: it draws the dice and keeps the talk up to date.")
        text = (SITE / "index.html").read_text("utf-8")
        text = text.format(language=request_language(request, self.world.locale), noscript=escape(needed))
        return web.Response(text=text, content_type="text/html")

    async def _texts(self, request: web.Request) -> web.Response:
        return web.json_response(page_texts(request_language(request, self.world.locale)))

    async def _enter(self, request: web.Request) -> web.Response:
        link = self.seats.find((await _read(request))["secret"])
        seats = [{"seat": own.seat, "name": own.name} for own in self.seats.own(request.cookies)]
        first = link is not None and link.kind == "first" and not self.world.seated()
        entry = {"table": self.world.name, "seats": seats, "link": link.kind if link else None}
        return web.json_response({**entry, "name": say("GM") if first else ""})

    async def _join(self, request: web.Request) -> web.Response:
        # Behind the host's own proxy all requests have one address; the proxy appends the client's.
        sent_by = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        proxied = request.headers["Origin"].startswith("https:")
        if not self.frames.limits.allow("join", (proxied and sent_by) or request.remote):
            raise web.HTTPTooManyRequests(reason=say("Too many tries. Wait a minute."))
        body = await _read(request)
        person, token = self.seats.join(body["secret"], body["name"])
        response = web.json_response({"seat": person.seat})
        response.set_cookie(
            self.seats.cookies + person.seat, token, max_age=_COOKIE_SECONDS, httponly=True,
            samesite="Strict", secure=request.headers["Origin"].startswith("https:"),
        )  # fmt: skip
        return response

    def _person(self, request: web.Request) -> Person:
        person = self.seats.find_person(request.match_info["seat"], request.cookies)
        if person is None:
            raise ActRefused("There is no seat of yours here.")
        return person

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        try:
            return await self.frames.pages.serve(request, self._person(request), self.frames.take)
        except ActRefused:  # the page can read the socket's close code, but no HTTP error
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.close(code=SEAT_GONE)
            return socket

    async def _upload(self, request: web.Request) -> web.Response:
        person, size = self._person(request), request.content_length or FILE_BYTES
        if not self.frames.limits.allow("upload", person.id, max(size, _LEAST_BYTES)):
            raise web.HTTPTooManyRequests(reason=say("That was too much at once. Wait some minutes."))
        upload = (await _read_body(request.post(), _UPLOAD_SECONDS)).get("file")
        if not isinstance(upload, web.FileField):
            raise web.HTTPBadRequest(reason=say("There is no file in that."))
        content = upload.file.read()
        if len(content) > FILE_BYTES:
            raise web.HTTPRequestEntityTooLarge(FILE_BYTES, len(content))
        file = self.posts.keep_file(upload.filename, content)
        uploads, name = self.acts.uploads[person.id], file["filename"]
        while name.casefold() in map(str.casefold, uploads):
            name = f"{len(uploads)}-{name}"
        uploads[name] = int(file["id"])
        return web.json_response({"id": file["id"], "name": name, "size": len(content)})

    async def _drop(self, request: web.Request) -> web.Response:
        person, file = self._person(request), read_id((await _read(request))["id"]) or 0
        for number in self.acts.take(person, [file]):
            self.world.store.drop_file(number)
        return web.Response(status=204)

    async def _file(self, request: web.Request) -> web.Response:
        """Return a file of a message that the person sees, or an emoji; only pictures open in the page."""
        person, path, store = self._person(request), request.match_info, self.world.store
        file = store.file(read_id(path["id"]) or 0)
        if file is None:
            raise web.HTTPNotFound
        message_id, description, content = file
        if path["kind"] == "emoji":
            visible = any(emoji["id"] == path["id"] for emoji in store.documents("emoji"))
        else:
            message = self.posts.find(message_id)
            visible = message is not None and self.world.sees(person, message.channel, message.viewer)
        if not visible:
            raise web.HTTPNotFound
        kind = description["content_type"]
        is_picture = kind in PICTURES
        disposition = "inline" if is_picture else "attachment"
        headers = {
            "Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(description['filename'])}",
            "Cache-Control": "private, max-age=31536000, immutable",
        }
        return web.Response(
            body=content, content_type=kind, headers=headers if is_picture else headers | _DOWNLOADED
        )


async def _read(request: web.Request) -> dict[str, str]:
    """Return a request's JSON fields: a link's secret and a name, or the id of a file; "" if missing."""
    reading = request.clone(client_max_size=_BODY_BYTES).read()
    try:
        body = mapped(from_json(await _read_body(reading, _BODY_SECONDS)))
    except ValueError:
        raise web.HTTPBadRequest(reason=say(UNREADABLE)) from None
    return {key: str(body.get(key, "")) for key in ("secret", "name", "id")}


async def _read_body(reading: Awaitable[_T], seconds: float) -> _T:
    """Return the result of reading a request's body; raise an HTTP error if it is broken or too slow."""
    try:
        async with asyncio.timeout(seconds):
            return await reading
    except TimeoutError:
        raise web.HTTPRequestTimeout(reason=say("That took too long to arrive. Try again.")) from None
    except web.HTTPException:
        raise
    except Exception:  # noqa: BLE001 (aiohttp raises a dozen kinds for a broken body)
        raise web.HTTPBadRequest(reason=say(UNREADABLE)) from None


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    del response.headers["Server"]  # aiohttp's name and version


def script_texts(script: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a script, and its plural or ""."""
    for text, plural in _SAY_CALL.findall(script):
        yield json.loads(text), json.loads(plural or '""')


def request_language(request: web.Request, usual: str) -> str:
    """Return the code of a request's language: chosen in its page, the browser's, or the table's `usual`.

    It is the code of a catalogue, never a text of the request. At a table in the pseudo language the
    browser's is ignored.
    """
    header = request.headers.get("Accept-Language", "") if usual != PSEUDO else ""
    accepted = (part.split(";")[0].strip() for part in header.split(","))
    tags = (request.cookies.get("language", ""), *accepted, usual)
    spoken = language(next(filter(speaks, tags), ""))
    return spoken.code if spoken else "en"


@lru_cache(maxsize=16)
def page_texts(locale: str) -> Object:
    """Return the page's texts in a language, and the names of all languages.

    A text with a plural has its forms, and a digit for each number: the index of the number's form.
    """
    spoken = language(locale)
    code = spoken.code if spoken else "en"
    names = {key: NAMES.get(key, key) for key in dict.fromkeys(("en", *sorted(codes()), code))}
    catalogue: Object = {"language": code, "texts": {}, "counted": {}, "languages": names}
    if spoken is None:
        return catalogue
    for path in sorted(SITE.glob("*.js")):
        for text, plural in script_texts(path.read_text("utf-8")):
            if plural:
                forms = [spoken.catalogue.ngettext(text, plural, n) for n in _NUMBERS]
                distinct = [*dict.fromkeys(forms)]
                indices = "".join(str(distinct.index(form)) for form in forms)
                catalogue["counted"][text] = distinct, indices
            else:
                catalogue["texts"][text] = spoken.catalogue.gettext(text)
    return catalogue
