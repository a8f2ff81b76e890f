"""The table in the browser: the real bot in a simulated Discord server, shown on a page of this machine."""

import logging
from collections.abc import Callable
from contextlib import AsyncExitStack

from discord import app_commands

from bot.dice.errors import DiceError
from bot.play.clock import WallClock
from bot.play.live import LivePreview
from bot.play.world import AnyBot, QuickEnv, arrange, shard_count

_log = logging.getLogger(__name__)


async def host(make_bot: Callable[[], AnyBot], *, port: int = 0, on_ready: Callable[[str], None]) -> None:
    """Run the table until it is cancelled or a page ends it; then page, server and bot are closed.

    `on_ready` gets the address to open; its last part is a key, so whoever has the address can play.
    `port` 0 takes a free one; a port in use raises simcord's SetupError. What the bot stands on (database,
    pool) is the caller's, opened before and closed after: simcord waits for every task made inside it.
    """
    async with AsyncExitStack() as stack:
        bot = make_bot()
        stack.push_async_callback(bot.close)  # simcord never closes a bot
        env = _TableEnv(bot, shard_count=shard_count(bot))
        world = arrange(env)
        env.backend.clock = WallClock()
        await env.start()
        stack.push_async_callback(env.shutdown)
        stack.enter_context(env.time_context())
        preview = LivePreview(env, world.channel, world.actors, port=port)
        await stack.enter_async_context(preview)
        on_ready(preview.url)
        await preview.follow()


class _TableEnv(QuickEnv):
    """A simulated Discord in which an error that the bot has answered is no failure of the table."""

    def _record_error(self, error: BaseException) -> None:
        # simcord notes what any error handler of the bot saw, and its page then calls the action uncertain.
        if not isinstance(error, DiceError | app_commands.AppCommandError):
            _log.error("An error in the bot", exc_info=error)
