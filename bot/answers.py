"""Answers to interactions: post and count replies, and explain errors and lateness in one private sentence.

A DiceError is the user's mistake, and its text is the answer; faults and refusals of Discord are named as
such. Any other error is the bot's: the user gets an apology with a number, the log the same number and the
traceback, without typed texts. The action may have succeeded in each case, so no answer suggests a repeat.
"""

import logging
import secrets
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import Enum, auto
from math import inf
from traceback import format_exception
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.dice.errors import LocalizedError, NotationError, Unavailable
from bot.dice.system import Json, is_list, is_object
from bot.record.codec import Unreadable
from bot.times import time_of
from bot.words.saying import phrase, refusal, say

if TYPE_CHECKING:
    from discord.types.interactions import InteractionCallback

AGES = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Upper bounds of the buckets of reply ages, in seconds; Discord waits three."""
_CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_COMMAND = 2
LATE_SECONDS = 2.5
"""Discord wants an answer within 3 s; a roll and its reply take well under half a second."""
_DISCORD_SECONDS = 3
_SPAN_SECONDS = 60

ALREADY_ANSWERED = 40060
"""Discord's code for an interaction that already has an answer: another delivery was faster."""
# Discord's codes: it gave up waiting, or already has an answer. The action succeeded in both cases.
CLOSED_CODES = {10062, ALREADY_ANSWERED}
_THREAD_CODES = {50083, 160005}
"""Discord's codes for what a thread takes no more: it is archived, or locked."""
_FORBIDDEN, _NOT_FOUND = 403, 404
_FAULTS = 500
DISCORD_ERRORS = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Errors of requests to Discord: refusals, and broken connections, which are not always an OSError."""
_MESSAGE_LIMIT = 2_000

_OUT_OF_DATE = phrase("Your Discord shows an old form of that command. Reload it, and try again.")
_UNKNOWN_VALUE = phrase("I can't take that value. Choose one from the list.")
# Discord tells of channels a moment after a start, and of no archived thread.
_UNKNOWN_PLACE = phrase("I don't see that channel. If it is an archived thread, open it. Then try again.")
OUT_OF_DATE = phrase("That button is too old for me. Use the command again.")
"""The answer to a button or form with an unknown custom id."""
_NOT_HERE = phrase("You can't do that here.")
_UNREADABLE_PREFIXES = "I can't read", "I don't know"
_LOOK = phrase("{refusal} Dice look like `2d6+3`. `/save` keeps a roll, `/me` a number.")
_DISCORDS_FAULT = phrase(
    "Discord had a fault and may not have shown the whole answer. What was done stands: see `/history`."
)
_REFUSED = phrase("Discord refused my answer. What was done stands: see `/history` before you do it again.")
_APOLOGY = phrase(
    "That went wrong, and it is my fault. Look at `/history` before you do it again. If it happens again, "
    "tell whoever runs this bot: it is error {number}."
)
_DAMAGED = phrase(
    "That went wrong, because an entry of this history is damaged. `/verify` names it. Tell whoever runs "
    "this bot: it is error {number}."
)

_log = logging.getLogger(__name__)


class AnswerRefused(Exception):
    """Discord refused the reply to a completed action; the text is the sentence for the user."""


class Barrier(Enum):
    """Why Discord takes nothing more in a place; another try helps only after somebody changed that."""

    GONE = auto()
    """It was deleted."""
    CLOSED = auto()
    """It is a thread that was archived or locked."""
    RIGHTS = auto()
    """The bot lacks a permission, or is no longer on the server."""


def barrier(error: BaseException) -> Barrier | None:
    """Return why Discord bars the bot from a place; None for errors that may pass by themselves."""
    if not isinstance(error, discord.HTTPException):
        return None
    if error.code in _THREAD_CODES:
        return Barrier.CLOSED
    return {_NOT_FOUND: Barrier.GONE, _FORBIDDEN: Barrier.RIGHTS}.get(error.status)


@contextmanager
def explain_refusal(sentence: str) -> Generator[None]:
    """Raise AnswerRefused with this sentence if Discord refuses a message sent within the block."""
    try:
        yield
    except discord.HTTPException as error:
        if may_be_shown(error):
            raise
        raise AnswerRefused(sentence) from error


def may_be_shown(error: discord.HTTPException) -> bool:
    """Return True if Discord may show the answer anyway or has another one; otherwise log the error."""
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
        text = say(_DAMAGED if isinstance(cause, Unreadable) else _APOLOGY, number=number)
    await tell(interaction, text)


async def tell(interaction: discord.Interaction, text: str) -> bool:
    """Send a private message to the user; return whether Discord accepted it. Never raise."""
    if interaction.type is discord.InteractionType.autocomplete:
        return False
    text = text[:_MESSAGE_LIMIT]
    try:
        if interaction.response.is_done():
            async with _without_public_wait(interaction):
                await interaction.followup.send(text, ephemeral=True)
        else:
            await interaction.response.send_message(text, ephemeral=True)
    except DISCORD_ERRORS as error:
        _log.warning("An answer could not be given: %s", error)
        return False
    return True


@asynccontextmanager
async def _without_public_wait(interaction: discord.Interaction) -> AsyncGenerator[None]:
    """Delete a public deferred answer after the block, so that the block's message does not fill it."""
    waiting = None
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        original = await interaction.original_response()
        if original.flags.loading and not original.flags.ephemeral:
            waiting = await original.edit(content="…")
    yield
    if waiting:
        await waiting.delete()


def sentence_for(error: BaseException) -> str | None:
    """Return the sentence for a refusal of the bot or discord.py; None for an error of the bot."""
    match error:
        case NotationError():
            unread = not error.readings and error.text.startswith(_UNREADABLE_PREFIXES)
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
        case app_commands.TransformerError(type=discord.AppCommandOptionType.channel):
            return say(_UNKNOWN_PLACE)
        case app_commands.TransformerError():
            return say(_UNKNOWN_VALUE)
        case app_commands.CheckFailure():
            return say(_NOT_HERE)
        case _:
            return None


class Lateness:
    """Detects late interactions by their age: the local clock minus Discord's timestamp.

    The local clock is monotonic with an arbitrary zero, so ages are compared with the smallest age of the
    last two minutes that had interactions. So the very first interaction is never late.
    """

    def __init__(self) -> None:
        self._span = 0
        self._least_before = inf
        self._least_now = inf

    def is_late(self, age: float, at: float) -> bool:
        """Return whether `age` is over the limit; `at` is the local time of arrival.

        Both are seconds, and `age` may be negative.
        """
        span = int(at // _SPAN_SECONDS)
        if span != self._span:
            self._span = span
            self._least_before, self._least_now = self._least_now, inf
        self._least_now = min(self._least_now, age)
        return age - self._least > LATE_SECONDS

    def note_accepted(self, age: float) -> None:
        """Note that Discord accepted the refusal of an interaction that seemed late.

        It accepts none after three seconds: then the clock was wrong, and ages count from this one.
        """
        if age - self._least >= _DISCORD_SECONDS:
            self._least_before = self._least_now = age

    def time(self, at: float) -> float | None:
        """Return Discord's time in seconds since 1970 at a local time; None before the first interaction."""
        return None if (least := self._least) == inf else round(at - least, 3)

    @property
    def _least(self) -> float:
        return min(self._least_before, self._least_now)


def _cause(error: BaseException) -> BaseException:
    """Return the error inside discord.py's wrapper of a command or converter error."""
    if isinstance(error, app_commands.CommandInvokeError):
        return error.original
    if isinstance(error, app_commands.TransformerError) and error.__cause__ is not None:
        return error.__cause__
    return error


def _trace(error: BaseException, interaction: discord.Interaction) -> str:
    text = "".join(format_exception(error))
    texts = {str(part["value"]) for part in typed_parts(interaction.data)}
    for typed in sorted(texts, key=len, reverse=True):
        if len(typed) > 1:
            text = text.replace(typed, "[typed]").replace(repr(typed)[1:-1], "[typed]")
    return text


def typed_parts(data: object) -> Iterator[dict[str, Json]]:
    """Yield the parts of an interaction's data whose `value` is a text that the user typed or chose."""
    if is_object(data):
        if isinstance(data.get("value"), str):
            yield data
        data = [*data.values()]
    if is_list(data):
        for part in data:
            yield from typed_parts(part)


class Replies:
    """Counts of replies; `now` returns Discord's time in seconds since 1970."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.late = 0
        """Interactions that came too late to be answered."""
        self.refused = Counter[int]()
        """Discord's code to its number of refused replies."""
        self.buckets = [0] * (len(AGES) + 1)
        """Numbers of accepted replies by the age of their interaction: up to each of `AGES`, and older."""
        self.seconds = 0.0
        """The sum of those ages."""

    def count(self, interaction_id: int) -> None:
        """Count a reply that Discord accepted."""
        age = max(0.0, self._now() - time_of(interaction_id))
        self.seconds += age
        self.buckets[bisect_left(AGES, age)] += 1


class NoEchoAdapter(AsyncWebhookAdapter):
    """Posts replies without Discord's copy of each message, which discord.py always requests.

    Everything else, retries too, is left to the wrapped adapter.
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
        **options: Any,  # noqa: ANN401 (discord.py's options of the connection)
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
        self._replies.count(interaction_id)
        return {"interaction": {"id": interaction_id, "type": _COMMAND}}


@contextmanager
def with_reply_ids() -> Generator[None]:
    """Request the messages of replies within the block back from Discord, to know their ids."""
    adapter = async_context.get()
    token = async_context.set(adapter.inner if isinstance(adapter, NoEchoAdapter) else adapter)
    try:
        yield
    finally:
        async_context.reset(token)
