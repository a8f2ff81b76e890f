"""A drand server on loopback that can fail on demand, and a clock whose waits end at once."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from aiohttp import web
from simcord import Env

from bot.entropy.config import EntropyConfig
from bot.entropy.drand import CHAIN
from bot.entropy.web import Clock


class DrandMood(StrEnum):
    """How the server behaves."""

    GOOD = "gives the round that is asked for"
    ANOTHER = "gives the round after it"
    FORGED = "gives a value that is not the hash of the signature"
    DEAD = "fails"
    SILENT = "takes the request and says nothing"


@dataclass
class DrandServer:
    """The running server; set `mood` at any time."""

    base: str = ""
    mood: DrandMood = DrandMood.GOOD
    asked: list[int] = field(default_factory=list[int])
    """Numbers of the requested rounds."""
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first request of a round."""

    async def public(self, request: web.Request) -> web.Response:
        """Answer with a round, as version 1 of drand's HTTP API does."""
        number = int(request.match_info["round"])
        self.asked.append(number)
        self.heard.set()
        if self.mood is DrandMood.SILENT:
            await asyncio.Event().wait()
        if self.mood is DrandMood.DEAD:
            return web.Response(status=500, text="no beacon")
        value, signature = signed(number)
        if self.mood is DrandMood.FORGED:
            value = "00" * 32
        shift = self.mood is DrandMood.ANOTHER
        return web.json_response({"round": number + shift, "randomness": value, "signature": signature})


class Prompt(Clock):
    """The time of the machine or of a simulated Discord; waits end at once, `slept` has their seconds."""

    env: Env | None = None

    def __init__(self) -> None:
        self.slept: list[float] = []

    def utc(self) -> datetime:
        """Return the time that interactions are stamped with."""
        return self.env.now() if self.env else super().utc()

    async def sleep(self, seconds: float) -> None:
        """Record a wait, and end it at once."""
        self.slept.append(seconds)
        await asyncio.sleep(0)


def asking(server: DrandServer, clock: Prompt) -> dict[str, Any]:
    """Return the options of a table whose bot uses this drand server and no other service."""
    off = {name: None for name in EntropyConfig.__dataclass_fields__ if name.endswith("_url")}
    return {**off, "contact_url": None, "drand_url": server.base, "remote_bits": True, "clock": clock}


def signed(number: int) -> tuple[str, str]:
    """Return a round's value and signature, both in hexadecimal."""
    signature = hashlib.sha512(str(number).encode()).digest()[:48]
    return hashlib.sha256(signature).hexdigest(), signature.hex()


@asynccontextmanager
async def drand_server() -> AsyncGenerator[DrandServer]:
    """Run the server on a free port of loopback until the block ends."""
    running = DrandServer()
    app = web.Application()
    app.add_routes([web.get(f"/{CHAIN}/public/{{round}}", running.public)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    running.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield running
    finally:
        await runner.cleanup()
