"""One HTTP request with everything bounded: time, length, redirects; failures are told in our own words.

Nothing that a service sends is ever put into a message, and no key is ever in an address.
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
        """Seconds on a clock that only goes forward; its zero means nothing."""
        return time.monotonic()

    def utc(self) -> datetime:
        """Return the calendar's time."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        await asyncio.sleep(seconds)


Params: TypeAlias = Mapping[str, str | int]
Fields: TypeAlias = Mapping[str, object]
Headers: TypeAlias = Mapping[str, str]
_KEY_REFUSED_WAIT = 3600.0
_LONGEST_BODY = 64 * 1024


class Refused(LocalizedError):
    """A source did not give what it was asked for; the text is ours and fit for an admin's eyes."""

    def __init__(
        self, text: str, wait: float | None = None, quota: int | None = None, /, **values: object
    ) -> None:
        super().__init__(text, **values)
        self.wait = wait
        """Seconds that the service wants to be left alone, if it said so."""
        self.quota = quota
        """Bits that it says are left to us, if it said so."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came; neither status nor kind is believed yet."""

    status: int
    kind: str
    body: bytes = field(repr=False)
    wait: float | None = None

    def keyed(self) -> "Reply":
        """Return the reply itself; Refused if the service does not accept our key."""
        if self.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise Refused("it does not accept our key", _KEY_REFUSED_WAIT)
        return self

    def text(self, kind: str) -> str:
        """Return the body; Refused unless status is 200, content type is `kind`, and the body is UTF-8."""
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
        """Return the reply to a GET; Refused if none comes within that many seconds, or it is too long."""
        limit = aiohttp.ClientTimeout(total=within)
        asked = self._session.get(url, params=params, headers=headers, timeout=limit, allow_redirects=False)
        return await self._replied(asked, within)

    async def post(self, url: str, json: Fields, *, within: float, headers: Headers | None = None) -> Reply:
        """Return the reply to a POST of a JSON object; Refused as for a GET."""
        limit = aiohttp.ClientTimeout(total=within)
        asked = self._session.post(url, json=json, headers=headers, timeout=limit, allow_redirects=False)
        return await self._replied(asked, within)

    async def _replied(
        self, asked: AbstractAsyncContextManager[aiohttp.ClientResponse], within: float
    ) -> Reply:
        try:
            async with asked as response:
                if HTTPStatus.MULTIPLE_CHOICES <= response.status < HTTPStatus.BAD_REQUEST:
                    raise Refused("it sent us to another address")
                wait = retry_after(response.headers.get("Retry-After"), self.clock.utc())
                return Reply(response.status, response.content_type, await _body(response), wait)
        except TimeoutError:
            raise Refused("no whole answer within {seconds:g} seconds", seconds=within) from None
        except aiohttp.InvalidURL:
            raise Refused("its address in the settings is not an address") from None
        except aiohttp.ClientConnectionError:
            raise Refused("no connection") from None
        except aiohttp.ClientError:
            raise Refused("its answer broke off or is not HTTP") from None


async def _body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for part in response.content.iter_any():
        body += part
        if len(body) > _LONGEST_BODY:
            raise Refused("its answer is far too long")
    return bytes(body)


def retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds to wait by a Retry-After header, which has seconds or a date; None if neither."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except ValueError:
            return None
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
