"""How replies to interactions are posted, and how they fare."""

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import aiohttp
import discord
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

if TYPE_CHECKING:
    from discord.types.interactions import InteractionCallback

AGES = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Seconds up to which replies are counted; Discord waits for three."""
_CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_COMMAND = 2


class Replies:
    """Counts replies; `now` gives Discord's time in seconds since 1970."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.late = 0
        """Interactions that came too late to be answered."""
        self.refused = Counter[int]()
        """Replies that Discord did not take, by its code."""
        self.buckets = [0] * (len(AGES) + 1)
        """Replies that it took, by the age of their interaction: up to each of `AGES`, and older ones."""
        self.seconds = 0.0
        """All those ages together."""

    def taken(self, interaction_id: int) -> None:
        """Count a reply that Discord took."""
        age = max(0.0, self._now() - discord.utils.snowflake_time(interaction_id).timestamp())
        self.seconds += age
        self.buckets[next((i for i, bound in enumerate(AGES) if age <= bound), len(AGES))] += 1


class UnreadReplies(AsyncWebhookAdapter):
    """Posts replies without having Discord send each message back, which discord.py always asks for.

    Everything else, retries too, is left to the adapter that it wraps.
    """

    def __init__(self, inner: AsyncWebhookAdapter, replies: Replies) -> None:
        self.inner = inner
        self.request = inner.request
        self._replies = replies

    async def create_interaction_response(
        self,
        interaction_id: int,
        token: str,
        *,
        session: aiohttp.ClientSession,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        params: MultipartParameters,
    ) -> "InteractionCallback":
        """Post a reply; return what discord.py can't do without."""
        try:
            await self.request(
                Route("POST", _CALLBACK, webhook_id=interaction_id, webhook_token=token),
                session,
                proxy=proxy,
                proxy_auth=proxy_auth,
                payload=params.payload,
                multipart=params.multipart,
                files=params.files,
            )
        except discord.HTTPException as error:
            self._replies.refused[error.code] += 1
            raise
        self._replies.taken(interaction_id)
        return {"interaction": {"id": interaction_id, "type": _COMMAND}}


@contextmanager
def reading_replies() -> Generator[None]:
    """Have Discord send the messages back that are replied within the block, for their ids."""
    adapter = async_context.get()
    token = async_context.set(adapter.inner if isinstance(adapter, UnreadReplies) else adapter)
    try:
        yield
    finally:
        async_context.reset(token)
