"""Discord's gateway: the websocket on which the bot hears of the server and of what people do."""

import asyncio
import json
import math
import secrets
import zlib
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from aiohttp import web

from bot.play import payloads
from bot.play.store import Object
from bot.play.world import Channel, Notice, Role, World
from bot.times import INSTANCE_BITS

_UNKNOWN_ERROR, _WRONG_TOKEN, _WRONG_NUMBER, _TIMED_OUT, _GOING = 4000, 4004, 4007, 4009, 1001
_REPLAYED = 500
HEARTBEAT_MS = 41_250


class Away(Exception):
    """The bot is not there."""


class FrameSocket:
    """A websocket, the bot's or a page's, whose frames are written in order; packed: as zlib-stream.

    One that lets more than `most` bytes wait is cut off.
    """

    def __init__(
        self, socket: web.WebSocketResponse, *, most: float = math.inf, packed: bool = False
    ) -> None:
        self.socket = socket
        self._most = most
        self._stream = zlib.compressobj() if packed else None
        self._waiting: asyncio.Queue[str | int] = asyncio.Queue()
        self._bytes = 0
        self._transport: asyncio.BaseTransport | None = None

    @asynccontextmanager
    async def opened(self, request: web.Request) -> AsyncGenerator[web.WebSocketResponse]:
        """Open the socket, and write what is sent until the block ends."""
        await self.socket.prepare(request)
        self._transport = request.transport
        writing = asyncio.create_task(self._write())
        try:
            yield self.socket
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    def send(self, frame: Object) -> None:
        """Send a frame soon."""
        text = json.dumps(frame)
        self._bytes += len(text)
        if self._bytes <= self._most:
            self._waiting.put_nowait(text)
        elif isinstance(self._transport, asyncio.Transport):
            self._transport.abort()

    def close(self, code: int) -> None:
        """Close it once everything is written."""
        self._waiting.put_nowait(code)

    async def _write(self) -> None:
        with suppress(ConnectionError):
            while isinstance(text := await self._waiting.get(), str):
                if stream := self._stream:
                    packed = stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(packed)
                else:
                    await self.socket.send_str(text)
                self._bytes -= len(text)
            await self.socket.close(code=text)


def _frame(op: int, data: object = None, number: int | None = None, event: str | None = None) -> Object:
    return {"op": op, "d": data, "s": number, "t": event}


@dataclass(slots=True)
class GatewaySession:
    """What a shard (index, and of how many) hears, `here` if of the server; it outlives its connection."""

    id: str
    shard: tuple[int, int]
    here: bool
    number: int = 0
    sent: deque[Object] = field(default_factory=lambda: deque(maxlen=_REPLAYED))
    connection: FrameSocket | None = None

    def send(self, event: str, data: object) -> None:
        """Send an event, or keep it for a connection that comes back."""
        self.number += 1
        self.sent.append(_frame(0, data, self.number, event))
        if self.connection:
            self.connection.send(self.sent[-1])


class Gateway:
    """The gateway; `address` is where the bot connects to."""

    def __init__(self, world: World, token: str, *, shards: int, heartbeat: int) -> None:
        self.address = ""
        self.shards = shards
        self.sessions: dict[str, GatewaySession] = {}
        self._world, self._token, self._heartbeat = world, token, heartbeat
        self._came = asyncio.Event()
        world.listeners.append(self._hear)

    def live(self, shard: int = 0) -> GatewaySession | None:
        """Return the session of a shard that is connected, or None."""
        live = (s for s in self.sessions.values() if s.connection and s.shard[0] == shard)
        return next(live, None)

    async def wait(self, channel: Channel, seconds: float) -> GatewaySession:
        """Return the session that hears of a channel; raise Away if it does not come in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    count = max((s.shard[1] for s in self.sessions.values() if s.connection), default=1)
                    if session := self.live(0 if channel.kind == "alone" else self._shard(count)):
                        return session
                    self._came.clear()
                    await self._came.wait()
        raise Away

    def _shard(self, count: int) -> int:
        """Return which of `count` shards has the server."""
        return (self._world.guild_id >> INSTANCE_BITS) % count

    async def close(self) -> None:
        """Close all connections; the bot will try to resume."""
        for session in self.sessions.values():
            if session.connection:
                await session.connection.socket.close(code=_GOING)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket until a frame is wrong, or none comes."""
        socket = web.WebSocketResponse(max_msg_size=1 << 20, receive_timeout=2 * self._heartbeat / 1000)
        connection = FrameSocket(socket, packed=request.query.get("compress") == "zlib-stream")
        async with connection.opened(request):
            connection.send(_frame(10, {"heartbeat_interval": self._heartbeat}))
            try:
                async for message in socket:
                    if code := self._take(connection, json.loads(message.data)):
                        await socket.close(code=code)
            except TimeoutError:
                await socket.close(code=_TIMED_OUT)
            finally:
                for session in self.sessions.values():
                    if session.connection is connection:
                        self._connect(session, None)
        return socket

    def _take(self, connection: FrameSocket, frame: Object) -> int | None:
        """Take a frame of the bot; return the code to close with if it is wrong."""
        match frame.get("op"):
            case 1:
                connection.send(_frame(11))
            case 2 | 6 if frame["d"].get("token") != self._token:
                return _WRONG_TOKEN
            case 2:
                self._identify(connection, frame["d"])
            case 6:
                return self._resume(connection, frame["d"])
            case op:
                return None if isinstance(op, int) else _UNKNOWN_ERROR
        return None

    def _identify(self, connection: FrameSocket, asked: Object) -> None:
        index, count = asked.get("shard", (0, 1))
        session = GatewaySession(secrets.token_hex(16), (index, count), here=self._shard(count) == index)
        for old in [s for s in self.sessions.values() if s.shard == session.shard and not s.connection]:
            del self.sessions[old.id]
        self.sessions[session.id] = session
        self._connect(session, connection)
        guild: Object = {"id": str(self._world.guild_id), "unavailable": True}
        session.send("READY", {
            "v": 10, "user": payloads.user(self._world.bot), "session_id": session.id,
            "guilds": [guild] if session.here else [], "resume_gateway_url": self.address,
            "shard": [index, count], "application": {"id": str(self._world.bot.id), "flags": 0},
        })  # fmt: skip
        if session.here:
            session.send("GUILD_CREATE", payloads.guild(self._world))

    def _resume(self, connection: FrameSocket, asked: Object) -> int | None:
        session, number = self.sessions.get(str(asked.get("session_id"))), int(asked.get("seq") or 0)
        if session and number > session.number:
            return _WRONG_NUMBER
        if session is None or session.number - number > len(session.sent):
            connection.send(_frame(9, data=False))
            return None
        for frame in session.sent:
            if frame["s"] > number:
                connection.send(frame)
        self._connect(session, connection)
        session.send("RESUMED", {})
        return None

    def _connect(self, session: GatewaySession, connection: FrameSocket | None) -> None:
        session.connection = connection
        self._came.set()
        self._world.tell(Notice.BOT)

    def _hear(self, change: object, new: bool) -> None:  # noqa: FBT001 (what listeners are given)
        """Tell the shard that has the server of its channels, threads and roles."""
        match change:
            case Channel(kind="text" | "thread"):
                event = "THREAD" if change.kind == "thread" else "CHANNEL"
                shown = payloads.channel(self._world, change)
            case Role():
                shown = {"guild_id": str(self._world.guild_id), "role": payloads.role(self._world, change)}
                event = "GUILD_ROLE"
            case _:
                return
        for session in self.sessions.values():
            if session.here:
                session.send(f"{event}_{'CREATE' if new else 'UPDATE'}", shown)
