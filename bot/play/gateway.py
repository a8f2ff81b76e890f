"""Discord's gateway: the websocket on which the bot hears of the server and of what people do."""

import asyncio
import importlib
import json
import logging
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.play import payloads
from bot.play.store import Object, mapped
from bot.play.world import Channel, Role, World

_DISPATCH, _INVALID, _HELLO, _ACK = 0, 9, 10, 11
_UNKNOWN_ERROR, _WRONG_TOKEN, _WRONG_NUMBER, _TIMED_OUT = 4000, 4004, 4007, 4009
_REPLAYED = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BotState:
    """The bot has come or gone."""

    ready: bool


@dataclass(slots=True)
class GatewaySession:
    """What one shard of the bot hears: it outlives its connection."""

    id: str
    shard: tuple[int, int]
    number: int = 0
    sent: deque[Object] = field(default_factory=lambda: deque[Object](maxlen=_REPLAYED))
    connection: "Connection | None" = None

    def send(self, event: str, data: object) -> None:
        """Send an event, or keep it for a connection that comes back."""
        self.number += 1
        payload = {"op": _DISPATCH, "s": self.number, "t": event, "d": data}
        self.sent.append(payload)
        if self.connection:
            self.connection.send(payload)


class Connection:
    """One websocket of the bot. Frames go out in order, compressed as the bot asked."""

    def __init__(self, socket: web.WebSocketResponse, compress: str | None) -> None:
        self.socket = socket
        self.session: GatewaySession | None = None
        self.frozen = False
        """Sends nothing any more, as a connection that has died unnoticed (for tests)."""
        self._pack = _packer(compress)
        self._waiting: asyncio.Queue[Object] = asyncio.Queue()

    def send(self, payload: Object) -> None:
        """Send a frame soon."""
        if not self.frozen:
            self._waiting.put_nowait(payload)

    async def write(self) -> None:
        """Write what is sent, until cancelled."""
        while True:
            text = json.dumps(await self._waiting.get())
            if self._pack:
                await self.socket.send_bytes(self._pack(text.encode()))
            else:
                await self.socket.send_str(text)


class Gateway:
    """All connections of the bot. `token` is the one it has to know; `heartbeat` is in milliseconds."""

    def __init__(self, world: World, token: str, *, shards: int = 1, heartbeat: int = 41_250) -> None:
        self.shards = shards
        self.sessions: dict[str, GatewaySession] = {}
        self.address = ""
        self._world = world
        self._token = token
        self._heartbeat = heartbeat
        self._came = asyncio.Event()
        world.listeners.append(self._hear)

    def live(self, shard: int = 0) -> GatewaySession | None:
        """Return the session of a shard that is connected, or None."""
        live = (s for s in self.sessions.values() if s.connection and s.shard[0] == shard)
        return next(live, None)

    async def wait(self, shard: int, seconds: float) -> GatewaySession | None:
        """Return the session of a shard once it is connected, or None if it does not come in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (session := self.live(shard)):
                    self._came.clear()
                    await self._came.wait()
                return session
        return None

    def shard_of(self, channel: Channel) -> int:
        """Return the shard that hears what happens in a channel."""
        if channel.kind == "alone":
            return 0
        counts = {session.shard[1] for session in self.sessions.values() if session.connection}
        return self._shard(max(counts, default=1))

    def _shard(self, count: int) -> int:
        """Return which of so many shards has the server."""
        return (self._world.guild_id >> 22) % count

    def dispatch(self, event: str, data: object) -> None:
        """Send an event of the server to the shard that it concerns."""
        for session in self.sessions.values():
            if session.shard[0] == self._shard(session.shard[1]):
                session.send(event, data)

    async def close(self) -> None:
        """Close all connections; the bot will try to resume."""
        for session in self.sessions.values():
            if session.connection:
                await session.connection.socket.close(code=1001)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket."""
        socket = web.WebSocketResponse(max_msg_size=1 << 20)
        await socket.prepare(request)
        connection = Connection(socket, request.query.get("compress"))
        writing = asyncio.create_task(connection.write())
        connection.send({"op": _HELLO, "s": None, "t": None, "d": {"heartbeat_interval": self._heartbeat}})
        try:
            await self._read(connection)
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            self._leave(connection)
        return socket

    async def _read(self, connection: Connection) -> None:
        socket = connection.socket
        while True:
            try:
                message = await socket.receive(timeout=2 * self._heartbeat / 1000)
            except TimeoutError:
                await socket.close(code=_TIMED_OUT)
                return
            if message.type is not WSMsgType.TEXT:
                return
            code = None
            frame: Object = json.loads(message.data)
            asked = mapped(frame.get("d"))
            match frame.get("op"):
                case 1:
                    connection.send({"op": _ACK, "d": None, "s": None, "t": None})
                case 2:
                    code = self._identify(connection, asked)
                case 6:
                    code = self._resume(connection, asked)
                case int():
                    pass
                case _:
                    code = _UNKNOWN_ERROR
            if code:
                await socket.close(code=code)
                return

    def _identify(self, connection: Connection, asked: Object) -> int | None:
        if asked.get("token") != self._token:
            return _WRONG_TOKEN
        index, count = asked.get("shard", (0, 1))
        session = GatewaySession(secrets.token_hex(16), (index, count))
        for old in [s for s in self.sessions.values() if s.shard == session.shard and not s.connection]:
            del self.sessions[old.id]
        self.sessions[session.id] = session
        self._join(session, connection)
        ready = {
            "v": 10,
            "user": payloads.user(self._world.bot),
            "guilds": [{"id": str(self._world.guild_id), "unavailable": True}],
            "session_id": session.id,
            "resume_gateway_url": self.address,
            "shard": [index, count],
            "application": {"id": str(self._world.bot.id), "flags": 0},
        }
        here = self._shard(count) == index
        session.send("READY", ready if here else {**ready, "guilds": []})
        if here:
            session.send("GUILD_CREATE", payloads.guild(self._world))
        return None

    def _resume(self, connection: Connection, asked: Object) -> int | None:
        if asked.get("token") != self._token:
            return _WRONG_TOKEN
        session, number = self.sessions.get(str(asked.get("session_id"))), asked.get("seq")
        if session and (not isinstance(number, int) or number > session.number):
            return _WRONG_NUMBER
        if session is None or not isinstance(number, int) or session.number - number > len(session.sent):
            connection.send({"op": _INVALID, "d": False, "s": None, "t": None})
            return None
        self._join(session, connection)
        for payload in [p for p in session.sent if p["s"] > number]:
            connection.send(payload)
        session.send("RESUMED", {})
        return None

    def _join(self, session: GatewaySession, connection: Connection) -> None:
        session.connection, connection.session = connection, session
        self._came.set()
        self._world.tell(BotState(ready=True))

    def _leave(self, connection: Connection) -> None:
        session = connection.session
        if session and session.connection is connection:
            session.connection = None
            self._world.tell(BotState(ready=False))

    def _hear(self, change: object, new: bool) -> None:  # noqa: FBT001 (what listeners are given)
        verb = "CREATE" if new else "UPDATE"
        if isinstance(change, Channel) and change.kind != "alone":
            kind = "THREAD" if change.kind == "thread" else "CHANNEL"
            self.dispatch(f"{kind}_{verb}", payloads.channel(self._world, change))
        elif isinstance(change, Role):
            shown = {"guild_id": str(self._world.guild_id), "role": payloads.role(self._world, change)}
            self.dispatch(f"GUILD_ROLE_{verb}", shown)


def _packer(compress: str | None) -> Callable[[bytes], bytes] | None:
    """Return what compresses one frame after another, or None."""
    if compress == "zlib-stream":
        stream = zlib.compressobj()
        return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)
    if compress == "zstd-stream":
        for name in ("zstandard", "compression.zstd"):
            with suppress(ModuleNotFoundError):
                module = importlib.import_module(name)
                if name == "zstandard":
                    frames = module.ZstdCompressor().compressobj()
                    return lambda data: frames.compress(data) + frames.flush(module.COMPRESSOBJ_FLUSH_BLOCK)
                packer = module.ZstdCompressor()
                return lambda data: packer.compress(data, packer.FLUSH_BLOCK)
        _log.warning("The bot asked for zstd, which this Python can't do")
    return None
