"""HTTP requests with limits on time, length and redirects; failures become `Refused` in our own words.

Nothing that a service sends becomes part of a message, and no key is part of an address.
"""

import asyncio
import math
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TypeAlias

import aiohttp

from bot.dice.errors import LocalizedError


class Clock:
    """The real time."""

    def now(self) -> float:
        """Return the seconds of a monotonic clock."""
        return time.monotonic()

    def utc(self) -> datetime:
        """Return the current date and time in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)


Params: TypeAlias = Mapping[str, str | int]
Fields: TypeAlias = Mapping[str, object]
Headers: TypeAlias = Mapping[str, str]
_KEY_REFUSED_WAIT = 3600.0
_BODY_LIMIT = 64 * 1024


class Refused(LocalizedError):
    """A source did not give what was requested; the text is our own and safe to show to an admin."""

    def __init__(
        self, text: str, wait: float | None = None, quota: int | None = None, /, **values: object
    ) -> None:
        super().__init__(text, **values)
        self.wait = wait
        """Seconds until the service wants the next request, if it said so."""
        self.quota = quota
        """Our remaining bits, if the service reported them."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A raw answer; status and content type (`kind`) are not checked yet."""

    status: int
    kind: str
    body: bytes = field(repr=False)
    wait: float | None = None

    def keyed(self) -> "Reply":
        """Return the reply itself; raise Refused if the service does not accept our key."""
        if self.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise Refused("it does not accept our key", _KEY_REFUSED_WAIT)
        return self

    def text(self, kind: str) -> str:
        """Return the body as text; raise Refused unless status is 200, type is `kind`, and it is UTF-8."""
        if self.status != HTTPStatus.OK:
            raise Refused("it answered with status {status}", self.wait, status=self.status)
        if self.kind != kind:
            raise Refused("its answer is of the wrong type", self.wait)
        try:
            return self.body.decode()
        except UnicodeDecodeError:
            raise Refused("its answer is not text", self.wait) from None


class Web:
    """HTTP for the sources."""

    def __init__(self, session: aiohttp.ClientSession, clock: Clock) -> None:
        self._session = session
        self.clock = clock

    async def get(self, url: str, params: Params, *, within: float, headers: Headers | None = None) -> Reply:
        """Return the reply to a GET; raise Refused if it takes over `within` seconds, or is too long."""
        limit = aiohttp.ClientTimeout(total=within)
        request = self._session.get(url, params=params, headers=headers, timeout=limit, allow_redirects=False)
        return await self._receive(request, within)

    async def post(self, url: str, json: Fields, *, within: float, headers: Headers | None = None) -> Reply:
        """Return the reply to a POST of a JSON object; raise Refused as for a GET."""
        limit = aiohttp.ClientTimeout(total=within)
        request = self._session.post(url, json=json, headers=headers, timeout=limit, allow_redirects=False)
        return await self._receive(request, within)

    async def _receive(
        self, request: AbstractAsyncContextManager[aiohttp.ClientResponse], within: float
    ) -> Reply:
        try:
            async with request as response:
                if HTTPStatus.MULTIPLE_CHOICES <= response.status < HTTPStatus.BAD_REQUEST:
                    raise Refused("it sent us to another address")
                wait = retry_after(response.headers.get("Retry-After"), self.clock.utc())
                return Reply(response.status, response.content_type, await _read_body(response), wait)
        except TimeoutError:
            raise Refused("no whole answer within {seconds:g} seconds", seconds=within) from None
        except aiohttp.InvalidURL:
            raise Refused("its address in the settings is not an address") from None
        except aiohttp.ClientConnectionError:
            raise Refused("no connection") from None
        except aiohttp.ClientError:
            raise Refused("its answer broke off or is not HTTP") from None


async def _read_body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for part in response.content.iter_any():
        body += part
        if len(body) > _BODY_LIMIT:
            raise Refused("its answer is far too long")
    return bytes(body)


def retry_after(header: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, which has seconds or a date; None if neither."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except (ValueError, OverflowError):
            return None
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
