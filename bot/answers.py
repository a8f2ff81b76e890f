"""Answer interactions: post and count replies, and say one private sentence where something fails or is late.

A DiceError is the asker's fault and its text is the answer; Discord's own faults and refusals are called so.
Anything else is ours: they get an apology with a number, the log gets the number and the traceback, without
the words that the asker typed. What was done may stand in each case, so nobody is told to just do it again.
"""

import logging
import secrets
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from math import inf
from traceback import format_exception
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.dice.errors import LocalizedError, NotationError, Unavailable
from bot.dice.system import is_list, is_object
from bot.times import time_of
from bot.words.saying import phrase, refusal, say

if TYPE_CHECKING:
    from discord.types.interactions import InteractionCallback

AGES = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Seconds up to which replies are counted; Discord waits for three."""
_CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_COMMAND = 2
LATE_SECONDS = 2.5
"""Discord wants an answer within 3 s; a roll and its reply take well under half a second."""
_DISCORD_SECONDS = 3
_SPAN_SECONDS = 60

ALREADY_ANSWERED = 40060
"""Discord's code for an interaction that has its answer already: another delivery was faster."""
# Discord's codes: it gave up waiting, or already has an answer. In both cases what was done stands.
CLOSED_CODES = {10062, ALREADY_ANSWERED}
_FAULTS = 500
UNANSWERED = (discord.DiscordException, aiohttp.ClientError, OSError)
"""How asking Discord fails: it refuses, or the connection does not hold, which is no OSError each time."""
_MESSAGE_LIMIT = 2_000

_OUT_OF_DATE = phrase("Your Discord shows an old form of that command. Reload it, and try again.")
_UNKNOWN_VALUE = phrase("I can't take that value. Choose one from the list.")
OUT_OF_DATE = phrase("That button is too old for me. Use the command again.")
"""What is told for a button or a form whose custom id nobody understands."""
_NOT_HERE = phrase("You can't do that here.")
_UNREAD = "I can't read", "I don't know"
_LOOK = phrase("{refusal} Dice look like `2d6+3`. `/save` keeps a roll, `/me` a number.")
_DISCORDS_FAULT = phrase(
    "Discord had a fault and may not have shown the whole answer. What was done stands: see `/history`."
)
_REFUSED = phrase("Discord refused my answer. What was done stands: see `/history` before you do it again.")
_APOLOGY = phrase(
    "That went wrong, and it is my fault. Look at `/history` before you do it again. If it happens again, "
    "tell whoever runs this bot: it is error {number}."
)

_log = logging.getLogger(__name__)


class AnswerRefused(Exception):
    """Discord refused the reply to something that was done; the text is what to tell the user."""


@contextmanager
def explain_refusal(sentence: str) -> Generator[None]:
    """Raise AnswerRefused with that sentence if Discord refuses a message sent within the block."""
    try:
        yield
    except discord.HTTPException as error:
        if may_stand(error):
            raise
        raise AnswerRefused(sentence) from error


def may_stand(error: discord.HTTPException) -> bool:
    """Return True if Discord may show the answer anyway, or has another one; else log the error."""
    if error.code in CLOSED_CODES or error.status >= _FAULTS:
        return True
    _log.warning("Discord refused an answer: %s", error)
    return False


async def report(interaction: discord.Interaction, error: BaseException) -> None:
    """Answer an error privately; never raise."""
    cause = _cause(error)
    if isinstance(cause, discord.HTTPException):
        if cause.code in CLOSED_CODES:
            _log.warning("Discord no longer took the answer (%s); what was done stands", cause.code)
            return
        _log.warning("Discord did not take an answer: %s", cause)
    text = sentence_for(cause)
    if isinstance(cause, Unavailable):
        _log.error("Unavailable: %s", cause)
    if text is None:
        number = secrets.token_hex(4)
        _log.error("Error %s\n%s", number, _trace(cause, interaction))
        text = say(_APOLOGY, number=number)
    await tell(interaction, text)


async def tell(interaction: discord.Interaction, text: str) -> bool:
    """Send a private message to the user; return False if Discord did not take it. Never raise."""
    if interaction.type is discord.InteractionType.autocomplete:
        return False
    text = text[:_MESSAGE_LIMIT]
    try:
        if interaction.response.is_done():
            async with _without_public_wait(interaction):
                await interaction.followup.send(text, ephemeral=True)
        else:
            await interaction.response.send_message(text, ephemeral=True)
    except UNANSWERED as error:
        _log.warning("An answer could not be given: %s", error)
        return False
    return True


@asynccontextmanager
async def _without_public_wait(interaction: discord.Interaction) -> AsyncGenerator[None]:
    """Keep what is sent in the block from filling a deferred answer that all can read, which is deleted."""
    waiting = None
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        original = await interaction.original_response()
        if original.flags.loading and not original.flags.ephemeral:
            waiting = await original.edit(content="…")
    yield
    if waiting:
        await waiting.delete()


def sentence_for(error: BaseException) -> str | None:
    """Return the sentence for a refusal by us or by discord.py; None for an error that is a fault of ours."""
    match error:
        case NotationError():
            unread = not error.readings and error.text.startswith(_UNREAD)
            return say(_LOOK, refusal=refusal(error)) if unread else refusal(error)
        case LocalizedError():
            return refusal(error)
        case AnswerRefused():
            return str(error)
        case discord.HTTPException():
            return say(_DISCORDS_FAULT if error.status >= _FAULTS else _REFUSED)
        case aiohttp.ClientError():
            return say(_DISCORDS_FAULT)
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return say(_OUT_OF_DATE)
        case app_commands.TransformerError():
            return say(_UNKNOWN_VALUE)
        case app_commands.CheckFailure():
            return say(_NOT_HERE)
        case _:
            return None


class Lateness:
    """Detects late interactions by their age: the local clock minus Discord's timestamp.

    The local clock is monotonic with an arbitrary zero, so ages are compared with the smallest age of the
    last two minutes that had interactions. The very first interaction is therefore never late.
    """

    def __init__(self) -> None:
        self._span = 0
        self._least_before = inf
        self._least_now = inf

    def late(self, age: float, at: float) -> bool:
        """Return whether `age` is over the limit; `at` is when it was received, on our clock.

        Both are seconds, and `age` may be negative.
        """
        span = int(at // _SPAN_SECONDS)
        if span != self._span:
            self._span = span
            self._least_before, self._least_now = self._least_now, inf
        self._least_now = min(self._least_now, age)
        return age - self._least > LATE_SECONDS

    def accepted(self, age: float) -> None:
        """Note that Discord took the refusal of an interaction that seemed late.

        Past three seconds it would not have: then the clock was wrong, and ages count from this one.
        """
        if age - self._least >= _DISCORD_SECONDS:
            self._least_before = self._least_now = age

    def time(self, at: float) -> float | None:
        """Return Discord's time in seconds since 1970 at a moment of our clock; None if nothing came yet."""
        return None if (least := self._least) == inf else round(at - least, 3)

    @property
    def _least(self) -> float:
        return min(self._least_before, self._least_now)


def _cause(error: BaseException) -> BaseException:
    """Return the error inside the wrapper of a command or a converter."""
    if isinstance(error, app_commands.CommandInvokeError):
        return error.original
    if isinstance(error, app_commands.TransformerError) and error.__cause__ is not None:
        return error.__cause__
    return error


def _trace(error: BaseException, interaction: discord.Interaction) -> str:
    text = "".join(format_exception(error))
    for typed in sorted(set(_typed(interaction.data)), key=len, reverse=True):
        text = text.replace(typed, "[typed]").replace(repr(typed)[1:-1], "[typed]")
    return text


def _typed(data: object) -> Iterator[str]:
    """Yield the texts of two characters or more that the user typed or chose."""
    if is_object(data):
        for key, part in data.items():
            if key == "value" and isinstance(part, str) and len(part) > 1:
                yield part
            else:
                yield from _typed(part)
    elif is_list(data):
        for part in data:
            yield from _typed(part)


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
        age = max(0.0, self._now() - time_of(interaction_id))
        self.seconds += age
        self.buckets[bisect_left(AGES, age)] += 1


class NoEchoAdapter(AsyncWebhookAdapter):
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
        params: MultipartParameters,
        **options: Any,  # noqa: ANN401 (how to connect, as discord.py says it)
    ) -> "InteractionCallback":
        """Post a reply; return the minimal response that discord.py needs."""
        try:
            await self.request(
                Route("POST", _CALLBACK, webhook_id=interaction_id, webhook_token=token),
                **options,
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
    """Ask Discord to return the messages of replies within the block, so that their ids are known."""
    adapter = async_context.get()
    token = async_context.set(adapter.inner if isinstance(adapter, NoEchoAdapter) else adapter)
    try:
        yield
    finally:
        async_context.reset(token)
