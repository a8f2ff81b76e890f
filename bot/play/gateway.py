"""Discord's gateway: the websocket that sends the bot events of the server and interactions."""

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

_UNKNOWN_ERROR, _WRONG_TOKEN, _WRONG_NUMBER, _TIMED_OUT, _GOING_AWAY = 4000, 4004, 4007, 4009, 1001
_REPLAY_LIMIT = 500
HEARTBEAT_MS = 41_250


class Away(Exception):
    """The bot is not connected."""


class FrameSocket:
    """A websocket, the bot's or a page's, that writes its frames in order.

    It is cut off when more than `most` bytes wait to be written. `packed` compresses as zlib-stream.
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
        """Open the socket, and write the frames sent until the block ends."""
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
        """Close the socket once everything is written."""
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
    """The events of one `shard` (index, count), which has the server or not; it outlives its connection."""

    id: str
    shard: tuple[int, int]
    has_guild: bool
    number: int = 0
    sent: deque[Object] = field(default_factory=lambda: deque(maxlen=_REPLAY_LIMIT))
    connection: FrameSocket | None = None

    def send(self, event: str, data: object) -> None:
        """Send an event, and keep it for a connection that resumes."""
        self.number += 1
        self.sent.append(_frame(0, data, self.number, event))
        if self.connection:
            self.connection.send(self.sent[-1])


class Gateway:
    """The gateway; the bot connects to `address`."""

    def __init__(self, world: World, token: str, *, shards: int, heartbeat: int) -> None:
        self.address = ""
        self.shards = shards
        self.sessions: dict[str, GatewaySession] = {}
        self._world, self._token, self._heartbeat = world, token, heartbeat
        self._connected = asyncio.Event()
        world.listeners.append(self._hear)

    def live(self, shard: int = 0) -> GatewaySession | None:
        """Return the connected session of a shard, or None."""
        live = (s for s in self.sessions.values() if s.connection and s.shard[0] == shard)
        return next(live, None)

    async def wait(self, channel: Channel, seconds: float) -> GatewaySession:
        """Return the connected session for a channel's events; raise Away if none connects in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    count = max((s.shard[1] for s in self.sessions.values() if s.connection), default=1)
                    if session := self.live(0 if channel.kind == "alone" else self._shard(count)):
                        return session
                    self._connected.clear()
                    await self._connected.wait()
        raise Away

    def _shard(self, count: int) -> int:
        """Return which of `count` shards has the server."""
        return (self._world.guild_id >> INSTANCE_BITS) % count

    async def close(self) -> None:
        """Close all connections; the bot will try to resume."""
        for session in self.sessions.values():
            if session.connection:
                await session.connection.socket.close(code=_GOING_AWAY)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket until a frame is invalid, or none arrives in time."""
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
        """Handle a frame of the bot; return the code to close with if it is invalid."""
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

    def _identify(self, connection: FrameSocket, data: Object) -> None:
        index, count = data.get("shard", (0, 1))
        session = GatewaySession(secrets.token_hex(16), (index, count), has_guild=self._shard(count) == index)
        for old in [s for s in self.sessions.values() if s.shard == session.shard and not s.connection]:
            del self.sessions[old.id]
        self.sessions[session.id] = session
        self._connect(session, connection)
        guild: Object = {"id": str(self._world.guild_id), "unavailable": True}
        session.send("READY", {
            "v": 10, "user": payloads.user(self._world.bot), "session_id": session.id,
            "guilds": [guild] if session.has_guild else [], "resume_gateway_url": self.address,
            "shard": [index, count], "application": {"id": str(self._world.bot.id), "flags": 0},
        })  # fmt: skip
        if session.has_guild:
            session.send("GUILD_CREATE", payloads.guild(self._world))

    def _resume(self, connection: FrameSocket, data: Object) -> int | None:
        session, number = self.sessions.get(str(data.get("session_id"))), int(data.get("seq") or 0)
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
        self._connected.set()
        self._world.tell(Notice.BOT)

    def _hear(self, change: object, new: bool) -> None:  # noqa: FBT001 (what listeners are given)
        """Send the server's shard the changes of channels, threads and roles."""
        match change:
            case Channel(kind="text" | "thread"):
                event = "THREAD" if change.kind == "thread" else "CHANNEL"
                payload = payloads.channel(self._world, change)
            case Role():
                payload = {"guild_id": str(self._world.guild_id), "role": payloads.role(self._world, change)}
                event = "GUILD_ROLE"
            case _:
                return
        for session in self.sessions.values():
            if session.has_guild:
                session.send(f"{event}_{'CREATE' if new else 'UPDATE'}", payload)
