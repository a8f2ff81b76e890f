"""The time as Discord tells it, in the header of an answer that is fetched for nothing else."""

import logging
from email.utils import parsedate_to_datetime

import aiohttp

_PATIENCE = aiohttp.ClientTimeout(total=10)

_log = logging.getLogger(__name__)


async def fetch_time(api: str) -> float | None:
    """Return the time of the server behind an address, in seconds since 1970; None if it gives none."""
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE) as session,
            session.get(f"{api}/gateway", allow_redirects=False) as response,
        ):
            return parsedate_to_datetime(response.headers["Date"]).timestamp()
    except (aiohttp.ClientError, OSError, KeyError, ValueError) as error:
        _log.warning("Discord could not be asked for the time: %s", type(error).__name__)
        return None
