"""A bot that is stopped and started again between two things that people do."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from simcord import InteractionResult, MemberActor

from bot.app import open_app
from bot.dice.errors import DiceError
from tests.support.table import made_by, settings
from tests.support.wire import Wire, reply, wire


@dataclass(slots=True)
class Run:
    """A wire whose bot can be restarted; what people see stays."""

    wire: Wire
    folder: Path
    first: AsyncExitStack
    second: AsyncExitStack

    async def restart(self) -> None:
        """Close the app, open another on its database, and put a new bot in the old one's place."""
        await self.wire.env.settle(idle=0.002)
        await self.first.aclose()
        app = await self.second.enter_async_context(open_app(settings(self.folder)))
        bot = made_by(app)
        self.second.push_async_callback(bot.close)
        await self.wire.env.restart_bot(bot)

    async def says(self, actor: MemberActor, name: str, /, **options: object) -> str:
        """Return the answer to a command."""
        return reply(await self.wire.slash(actor, name, **options)).content

    async def pressed(self, message: InteractionResult, label: str, actor: MemberActor) -> str:
        """Return the answer to a press: a new message, or the changed one."""
        return reply(await self.wire.press(message, label, actor)).content


@asynccontextmanager
async def restartable(
    folder: Path, expected: type[BaseException] | tuple[type[BaseException], ...] = DiceError
) -> AsyncGenerator[Run, None]:
    """Yield a bot with its database in a folder, which may be restarted once; see `wire` for `expected`."""
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        app = await first.enter_async_context(open_app(settings(folder)))
        run = await second.enter_async_context(wire(lambda: made_by(app), expected=expected))
        yield Run(run, folder, first, second)
