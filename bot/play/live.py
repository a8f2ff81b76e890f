"""simcord's preview, made live: what one page does, all pages show.

As shipped, an action republishes its own page only, and an action that meets a newer revision is refused.
Here one lock orders actions and refreshes, and every action runs on its page's newest revision.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from simcord import ChannelHandle, Env, MemberActor, Preview
from simcord.preview._pages import _Page  # pyright: ignore[reportPrivateUsage]  # what `_publish` is given

from bot.play import markdown
from bot.play.page import TableServer

_log = logging.getLogger(__name__)
_TICK_SECONDS = 0.25
_AUTOCOMPLETE = 8  # Discord's number for an answer of autocomplete choices, which only the asker sees
_NO_INDEX = (
    "0"  # a search for message 0: the preview's index of all messages, which our page hides, stays empty
)

_Reason: TypeAlias = Literal[
    "initial", "refresh", "snapshot", "navigation", "query", "presentation", "action", "capture"
]


class LivePreview(Preview):
    """A preview whose pages follow the channel within about half a second (a page asks twice a second)."""

    def __init__(
        self, env: Env, channel: ChannelHandle, viewers: tuple[MemberActor, ...], *, port: int
    ) -> None:
        super().__init__(
            env,
            channel,
            viewers,
            layout="channel",
            display="responsive",
            width=1280,
            height=900,
            locale="en-GB",
            timezone="UTC",
            presentation_time=None,
            assets=None,
            port=port,
        )
        markdown.keep_parsers()
        self._server = TableServer(self, port)
        self._turn = asyncio.Lock()

    async def follow(self) -> None:
        """Show the bot's own doings (timers, late edits) as they happen, until a page ends the session."""
        while not self._closed:
            async with self._turn:
                try:
                    await self.env.settle()
                except TimeoutError as error:  # a slow handler: the pages still show what there is
                    _log.warning("The table is waiting for the bot: %s", error)
                self._publish_news()
            await asyncio.sleep(_TICK_SECONDS)

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._turn:
            newest = {"published_revision": self._get_page(context_id).revision}
            result = await super()._action(context_id, {**body, **newest})
            self._publish_news()
            return result

    def _publish_news(self) -> None:
        """Publish every page if something happened since the last time."""
        transcript = self.env.backend.transcript
        if not self._closed and any(_is_news(kind, name, payload) for kind, name, payload in transcript):
            self._advance_presentation_time()
            self._publish_message_pages(reason="refresh")
        self._forget()

    def _publish_message_pages(self, *, reason: str = "action") -> None:
        for page in tuple(self._pages.values()):
            if page.id in self._pages and page is not self._python:  # that one is for scripts: nobody looks
                self._publish(page, reason="action" if reason == "action" else "refresh")
        self._forget()

    def _publish(self, page: _Page, *, reason: _Reason = "action") -> None:
        page.navigation_query = _NO_INDEX
        super()._publish(page, reason=reason)

    def _forget(self) -> None:
        """Empty the transcript: it says what is unpublished, and would else grow for ever."""
        self.env.backend.transcript.clear()
        self.env.backend.http_requests.clear()


def _is_news(kind: str, name: str, payload: Mapping[str, object] | None) -> bool:
    """Whether a line of the transcript can change what a page shows."""
    if kind != "HTTP":
        return name != "INTERACTION_CREATE"
    return not (name.endswith("/callback") and payload and payload.get("type") == _AUTOCOMPLETE)
