"""The random services on loopback: every interface the bot knows, in good moods and in all the bad ones.

Each handler speaks like the service it stands for; a mood then spoils the bytes, the answer or the line.
The bytes come from a seeded generator, so that a run can be repeated.
"""

import asyncio
import base64
import json
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import cast

from aiohttp import web

from bot.entropy.config import EntropyConfig

KEY = "key-3f9c-never-to-be-shown"
EMAIL = "operator@example.org"
PATIENT, IMPATIENT = 30.0, 0.1
"""Seconds that the bot may wait here: for answers that come, and for those that don't."""


class Service(StrEnum):
    """A service, by the name that the bot gives it."""

    RANDOM_ORG = "random.org"
    RANDOM_ORG_RPC = "random.org (key)"
    AQN = "ANU (key)"
    OUTSHIFT = "Outshift (key)"
    LFD = "lfdr.de"
    ANU = "ANU"
    QRANDOM = "qrandom.io"


class Mood(StrEnum):
    """How a service behaves."""

    GOOD = "good"
    SLOW = "begins its answer and stops"
    SILENT = "takes the request and says nothing"
    HANGING_UP = "closes the line in the middle"
    TRUNCATED = "sends half of the text as if it were all"
    SHORT = "sends one number too few"
    REPEATED = "sends the same block again"
    CONSTANT = "sends one byte only"
    ASCII = "sends hex digits for bytes"
    HTML = "sends a page with status 200"
    STATUS_500 = "sends a good body with status 500"
    ERROR_503 = "sends 503 and a line that begins with Error:"
    NO_QUOTA = "says that our allowance is used up"
    WRONG_KEY = "does not know our key"
    REDIRECTING = "sends us elsewhere"
    HUGE = "sends 10 MB"


_PAGE = "<html><body>Too many requests. Please wait.</body></html>"


@dataclass
class Services:
    """The running services; set `moods[service]` at any time."""

    base: str = ""
    moods: dict[Service, Mood] = field(default_factory=lambda: dict.fromkeys(Service, Mood.GOOD))
    quota: int = 1_000_000
    retry_after: str | None = None
    advisory_delay: int = 290
    requests: list[tuple[Service, Mapping[str, str], Mapping[str, str]]] = field(
        default_factory=list[tuple[Service, Mapping[str, str], Mapping[str, str]]]
    )
    """Service, query or JSON body's members, headers: of every request so far."""
    sent: list[bytes] = field(default_factory=list[bytes])
    """The blocks that were sent, as bytes, whatever their dress."""
    busiest: Counter[Service] = field(default_factory=Counter[Service])
    """The most requests that one service had at the same time."""
    followed: bool = False
    """Whether a redirect was followed."""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever a request has come in."""
    _busy: Counter[Service] = field(default_factory=Counter[Service])
    _closing: asyncio.Event = field(default_factory=asyncio.Event)
    _random: Random = field(default_factory=lambda: Random(20261121))  # noqa: S311

    def config(self, within: float = PATIENT) -> EntropyConfig:
        """Return settings with every service here and all keys."""
        return EntropyConfig(
            operator_email=EMAIL,
            contact_url="https://example.org/evenhand",
            random_org_url=self.base,
            random_org_rpc_url=f"{self.base}/json-rpc/4/invoke",
            random_org_key=KEY,
            aqn_url=f"{self.base}/aqn",
            aqn_key=KEY,
            outshift_url=f"{self.base}/api/v1/random_numbers",
            outshift_key=KEY,
            lfd_url=f"{self.base}/qrng_api/qrng",
            anu_url=f"{self.base}/API/jsonI.php",
            qrandom_url=f"{self.base}/api/random/ints",
            drand_url=None,
            timeout=within,
            patient_timeout=within,
        )

    def only(self, *services: Service, within: float = PATIENT) -> EntropyConfig:
        """Return the same settings with only these services on."""
        config = self.config(within)
        addresses = {
            Service.RANDOM_ORG: "random_org_url",
            Service.RANDOM_ORG_RPC: "random_org_rpc_url",
            Service.AQN: "aqn_url",
            Service.OUTSHIFT: "outshift_url",
            Service.LFD: "lfd_url",
            Service.ANU: "anu_url",
            Service.QRANDOM: "qrandom_url",
        }
        off = {name: None for service, name in addresses.items() if service not in services}
        return replace(config, **off)

    def app(self) -> web.Application:
        """Return the application with all services."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/integers/", self._as(Service.RANDOM_ORG, self._integers)),
                web.get("/quota/", self._as(Service.RANDOM_ORG, self._quota)),
                web.post("/json-rpc/4/invoke", self._as(Service.RANDOM_ORG_RPC, self._rpc)),
                web.get("/aqn", self._as(Service.AQN, self._aqn)),
                web.post("/api/v1/random_numbers", self._as(Service.OUTSHIFT, self._outshift)),
                web.get("/qrng_api/qrng", self._as(Service.LFD, self._lfd)),
                web.get("/API/jsonI.php", self._as(Service.ANU, self._anu)),
                web.get("/api/random/ints", self._as(Service.QRANDOM, self._qrandom)),
                web.get("/elsewhere", self._elsewhere),
            ]
        )
        return app

    def hang_up(self) -> None:
        """Let go of every request that is kept waiting."""
        self._closing.set()

    def _as(
        self, service: Service, handler: Callable[[web.Request, Mood], Awaitable[web.Response]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            members = await request.json() if request.method == "POST" else request.query
            self.requests.append((service, dict(members), dict(request.headers)))
            self._busy[service] += 1
            self.busiest[service] = max(self.busiest[service], self._busy[service])
            self.asked.set()
            try:
                mood = self.moods[service]
                return await self._deliver(request, await handler(request, mood), mood)
            finally:
                self._busy[service] -= 1

        return handle

    async def _deliver(self, request: web.Request, good: web.Response, mood: Mood) -> web.StreamResponse:
        kind = good.content_type
        body = cast("bytes", good.body)
        headers = {"Retry-After": self.retry_after} if self.retry_after else {}
        match mood:
            case Mood.SILENT:
                await self._closing.wait()
            case Mood.SLOW | Mood.HANGING_UP:
                return await self._half(request, good, hang_up=mood is Mood.HANGING_UP)
            case Mood.TRUNCATED:
                good = web.Response(body=body[: len(body) // 2], content_type=kind)
            case Mood.HTML:
                good = web.Response(text=_PAGE, content_type="text/html")
            case Mood.STATUS_500:
                good = web.Response(status=500, body=body, content_type=kind, headers=headers)
            case Mood.ERROR_503:
                good = web.Response(status=503, text="Error: the generator is busy", headers=headers)
            case Mood.REDIRECTING:
                good = web.Response(status=302, headers={"Location": f"{self.base}/elsewhere"})
            case Mood.HUGE:
                good = web.Response(body=body + b" " * 10_000_000, content_type=kind)
            case _:
                pass
        return good

    async def _half(self, request: web.Request, good: web.Response, *, hang_up: bool) -> web.StreamResponse:
        body = cast("bytes", good.body)
        answer = web.StreamResponse(headers={"Content-Type": good.content_type})
        answer.content_length = len(body)
        await answer.prepare(request)
        await answer.write(body[: len(body) // 2])
        if not hang_up:
            await self._closing.wait()
        if request.transport is not None:
            request.transport.close()
        return answer

    async def _elsewhere(self, _request: web.Request) -> web.Response:
        self.followed = True
        return web.Response(text="elsewhere")

    def _bytes(self, count: int, mood: Mood) -> bytes:
        match mood:
            case Mood.CONSTANT:
                data = bytes([0x5A]) * count
            case Mood.ASCII:
                data = self._random.randbytes(count // 2).hex().encode()
            case Mood.REPEATED:
                data = Random(1).randbytes(count)  # noqa: S311
            case Mood.SHORT:
                data = self._random.randbytes(count - 2)
            case _:
                data = self._random.randbytes(count)
        self.sent.append(data)
        return data

    async def _integers(self, request: web.Request, mood: Mood) -> web.Response:
        data = self._bytes(int(request.query["num"]), mood)
        self.quota -= 8 * len(data)
        return web.Response(text="".join(f"{byte:02x}\n" for byte in data))

    async def _quota(self, _request: web.Request, mood: Mood) -> web.Response:
        return web.Response(text=f"{-3_512 if mood is Mood.NO_QUOTA else self.quota}\n")

    async def _rpc(self, request: web.Request, mood: Mood) -> web.Response:
        question = await request.json()
        params = question["params"]
        code = {Mood.NO_QUOTA: 403, Mood.WRONG_KEY: 400}.get(mood)
        if code or params["apiKey"] != KEY:
            error = {"code": code or 400, "message": f"The key {params['apiKey']} may not", "data": None}
            return _json({"jsonrpc": "2.0", "error": error, "id": question["id"]})
        blob = base64.b64encode(self._bytes(params["size"] // 8, mood)).decode()
        self.quota -= params["size"]
        result = {
            "random": {"data": [blob], "completionTime": "2026-11-21 19:54:31Z"},
            "bitsUsed": params["size"],
            "bitsLeft": self.quota,
            "requestsLeft": 900,
            "advisoryDelay": self.advisory_delay,
        }
        return _json({"jsonrpc": "2.0", "result": result, "id": question["id"]})

    async def _aqn(self, request: web.Request, mood: Mood) -> web.Response:
        if mood is Mood.WRONG_KEY or request.headers.get("x-api-key") != KEY:
            return _json({"message": "Forbidden"}, status=403)
        if mood is Mood.NO_QUOTA:
            return _json({"message": "Limit Exceeded"}, status=429)
        count = request.query["length"]
        data = list(self._bytes(int(count), mood))
        return _json({"success": True, "type": "uint8", "length": count, "data": data})

    async def _anu(self, request: web.Request, mood: Mood) -> web.Response:
        if mood is Mood.NO_QUOTA:
            return web.Response(
                status=500, text="The QRNG API is limited to 1 requests per minute. For more, see our page."
            )
        count = int(request.query["length"])
        data = list(self._bytes(count, mood))
        return _json({"type": "uint8", "length": count, "data": data, "success": True})

    async def _outshift(self, request: web.Request, mood: Mood) -> web.Response:
        if mood is Mood.WRONG_KEY or request.headers.get("x-id-api-key") != KEY:
            return _json({"error": "unauthorized"}, status=401)
        if mood is Mood.NO_QUOTA:
            return _json({"error": "limit"}, status=429)
        question = await request.json()
        size = question["bits_per_block"] // 8
        rows = [
            {"decimal": str(number), "binary": f"{number:b}"}
            for number in _split(self._bytes(size * question["number_of_blocks"], mood), size)
        ]
        return _json({"encoding": "raw", "random_numbers": rows})

    async def _lfd(self, request: web.Request, mood: Mood) -> web.Response:
        if mood is Mood.NO_QUOTA:
            return _json({"error": "Failed to read device"})
        count = int(request.query["length"])
        return _json({"qrn": self._bytes(count, mood).hex(), "length": count})

    async def _qrandom(self, request: web.Request, mood: Mood) -> web.Response:
        query = request.query
        if mood is Mood.NO_QUOTA or int(query["n"]) > 1000:
            return web.Response(status=503, text="busy")
        size = (int(query["max"]).bit_length() + 7) // 8
        numbers = _split(self._bytes(size * int(query["n"]), mood), size)
        return _json({"id": "a1", "numbers": numbers, "resultType": "randomIntArray", "signature": "s"})


def _split(data: bytes, size: int) -> list[int]:
    return [int.from_bytes(data[at : at + size]) for at in range(0, len(data), size)]


def _json(value: object, status: int = 200) -> web.Response:
    return web.Response(status=status, body=json.dumps(value).encode(), content_type="application/json")


@asynccontextmanager
async def services() -> AsyncGenerator[Services]:
    """All services on a free port of loopback, until the end of the block."""
    running = Services()
    runner = web.AppRunner(running.app(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    running.base = f"http://127.0.0.1:{port}"
    try:
        yield running
    finally:
        running.hang_up()
        await runner.cleanup()
