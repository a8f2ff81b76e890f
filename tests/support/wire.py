"""The real bot on a simulated Discord, in memory: whole commands in a millisecond or two, nothing replaced.

What the bot stands on (database, pool, writer) is opened before `wire` and closed after it, and starts its
tasks then: simcord waits for every task that is created while the bot is at work, five seconds, then fails.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import discord
from discord import app_commands
from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor, ResponseMessage

from bot.client import Evenhand
from bot.dice.errors import DiceError
from tests.support import held, shown
from tests.support.simulated import QuickEnv, World, arrange

shown.as_text()


@dataclass(frozen=True, slots=True)
class Wire:
    """A running bot and the people who can talk to it."""

    env: Env
    bot: Evenhand
    world: World

    @property
    def guild(self) -> GuildHandle:
        """The server."""
        return self.world.guild

    @property
    def channel(self) -> ChannelHandle:
        """The one channel; `guild.create_text_channel` makes more."""
        return self.world.channel

    @property
    def mara(self) -> MemberActor:
        """The GM: she may manage the server."""
        return self.world.mara

    @property
    def ann(self) -> MemberActor:
        """A player."""
        return self.world.ann

    @property
    def bob(self) -> MemberActor:
        """Another player."""
        return self.world.bob

    async def slash(self, actor: MemberActor, name: str, /, **options: object) -> InteractionResult:
        """Have `actor` run a command ("roller fair") in the channel; returns when the bot is done.

        Raises simcord's SetupError if a person could not do that: no such command, a value out of range.
        """
        return await actor.slash(self.channel, name, **options)

    async def press(
        self, message: InteractionResult | ResponseMessage | discord.Message, label: str, actor: MemberActor
    ) -> InteractionResult:
        """Have `actor` press a message's button; SetupError of simcord if there is none to be pressed."""
        target = reply(message) if isinstance(message, InteractionResult) else message
        return await actor.click(target, label=label)

    async def offered(
        self, actor: MemberActor, name: str, option: str, typed: str, /, **filled: object
    ) -> list[str]:
        """Return what the bot offers `actor` for the text typed in an option."""
        choices = await actor.autocomplete(self.channel, name, option, typed, **filled)
        return [str(choice["name"]) for choice in choices]

    def seen_by(self, actor: MemberActor) -> list[str]:
        """Return the texts of the messages in the channel that `actor` can see, the oldest first."""
        return [message.content for message in self.channel.history(viewer=actor)]


def reply(result: InteractionResult) -> ResponseMessage:
    """Return the bot's answer to a command or a button; AssertionError if there is none."""
    assert result.response is not None, f"the bot did not answer: {result!r}"
    return result.response


@asynccontextmanager
async def wire(
    make_bot: Callable[[], Evenhand],
    *,
    expected: type[BaseException] | tuple[type[BaseException], ...] = DiceError,
    later: float = 0,
) -> AsyncGenerator[Wire, None]:
    """Run a bot on the simulated server until the block ends.

    Errors that reached an error handler of the bot or ended one of its tasks are raised at the end, in an
    ExceptionGroup, except those caused by `expected`: these the bot answers in words.

    The clock stands at 2026-01-01 plus `later` seconds and moves only by `env.advance_time`. Every run hands
    out the same ids, of interactions too: a second bot on one database wants a `later`, or its first commands
    look like the first bot's, delivered twice.
    """
    async with AsyncExitStack() as stack:
        bot = make_bot()
        stack.push_async_callback(bot.close)
        # A timer of longer than this counts as waiting.
        env = QuickEnv(bot, check_errors=False, shard_count=bot.shard_count or 1, settle_timeout=9)
        world = arrange(env)
        env.backend.advance_clock(later)
        await env.start()
        stack.push_async_callback(env.shutdown)
        held.cards_held()
        yield Wire(env, bot, world)
        wrong = [*held.cards_held(), *held.messages_held(env.http_requests)]
    assert not wrong, wrong
    if faults := [error for error in env.errors if not isinstance(_cause(error), expected)]:
        raise BaseExceptionGroup("errors in the bot", faults)


def _cause(error: BaseException) -> BaseException:
    """Return the error that a command raised, out of discord.py's wrapping."""
    return error.original if isinstance(error, app_commands.CommandInvokeError) else error
