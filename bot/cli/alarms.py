"""Say what must not wait: in the log, and at an address that whoever runs the bot has set.

Only sentences of the bot's own leave it. No word or id of a person, no path and no secret is in them.
"""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

import aiohttp

from bot.cli.stopping import beside

_LOOK_SECONDS = 15
_PATIENCE = aiohttp.ClientTimeout(total=10)
_DIGITS = re.compile(r"\d+")
_log = logging.getLogger(__name__)


@asynccontextmanager
async def alarms(
    address: str | None, problems: Callable[[], Awaitable[Iterable[str]]], *, every: float = _LOOK_SECONDS
) -> AsyncGenerator[None]:
    """Look for problems until the block ends, and report each once while it lasts.

    What could not be sent is sent with the next look.
    """

    async def look() -> None:
        known: set[str] = set()
        unsent: list[str] = []
        while True:
            try:
                told = await problems()
            except Exception:  # noqa: BLE001 (whatever it is, it must not end the looking)
                told = ["I can't find out how the bot is doing."]
            # The same with other figures is nothing new.
            found = {_DIGITS.sub("", one): one for one in told}
            new = [one for key, one in found.items() if key not in known]
            known = set(found)
            for one in new:
                _log.warning("%s", one)
            if address and (new or unsent):
                failed_before, unsent = bool(unsent), list(dict.fromkeys([*unsent, *new]))
                if await _sent(address, " ".join(["Evenhand:", *unsent])):
                    unsent = []
                elif not failed_before:
                    _log.warning("The alarm can't be sent to EVENHAND_ALARM_WEBHOOK; I keep trying")
            await asyncio.sleep(every)

    async with beside(look(), "alarms"):
        yield


async def _sent(address: str, text: str) -> bool:
    """Return whether the address took it; Discord's webhooks read `content`, those of others `text`."""
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE) as session,
            session.post(address, json={"content": text, "text": text}, allow_redirects=False) as answer,
        ):
            return answer.status < 300
    except (aiohttp.ClientError, OSError):
        return False
