"""The real application and bot on the simulated Discord: whole commands down to the database and back."""

import os
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import discord
from simcord import InteractionResult, MemberActor
from sqlalchemy import text

from bot.answers import AnswerRefused
from bot.app import App, open_app
from bot.client import Evenhand
from bot.dice.draws import seeded
from bot.dice.errors import DiceError
from bot.entropy.supply import Supply
from bot.entropy.web import Clock
from bot.settings import Settings
from bot.storage.engine import Database
from bot.storage.queries import execute
from cogs.group.live import Live
from cogs.log.cog import RollLog
from tests.support.databases import lay_tables
from tests.support.registering import told_once
from tests.support.shown import texts
from tests.support.wire import Wire, reply, wire

NUMBER = re.compile(r"^-# (?:.*· )?#(\d+)(?= sealed | ·|$)", re.MULTILINE)
_TOTALS = re.compile(r"^\*\*([^*]+)\*\*( ←| <:)?", re.MULTILINE)
_CALLBACK = re.compile(r"/interactions/\d+/[^/]+/callback")
REPLIES = "/interactions/*/callback"
"""The endpoint of replies, for `env.inject_error`."""
REFUSALS = (DiceError, AnswerRefused, discord.HTTPException)
"""What comes of it where Discord refuses requests."""


@dataclass(frozen=True, slots=True)
class Table(Wire):
    """A wire with the app behind it."""

    app: App

    async def says(self, actor: MemberActor, name: str, /, **options: object) -> str:
        """Return the public answer to a command."""
        answer = reply(await self.slash(actor, name, **options))
        assert not answer.ephemeral, answer.content
        return answer.content

    async def whispers(self, actor: MemberActor, name: str, /, **options: object) -> str:
        """Return the private answer to a command."""
        answer = reply(await self.slash(actor, name, **options))
        assert answer.ephemeral, answer.content
        return answer.content

    async def pressed(self, message: InteractionResult, label: str, actor: MemberActor) -> str:
        """Return the answer to a press: a new message, or the changed one."""
        return reply(await self.press(message, label, actor)).content

    async def deliver_again(self) -> None:
        """Have Discord deliver its newest interaction once more, and wait until the bot is done with it."""
        transcript = self.env.backend.transcript
        payload: Any = next(p for _, event, p in reversed(transcript) if event == "INTERACTION_CREATE")
        self.env.backend.emit("INTERACTION_CREATE", payload)
        await self.env.settle(idle=0.002)

    @property
    def replies(self) -> list[str]:
        """Return the texts of all replies that the bot sent, those that Discord refused included."""
        sent: list[Any] = [r.json for r in self.env.backend.http_requests if _CALLBACK.fullmatch(r.path)]
        data = [body.get("data", {}) for body in sent]
        return [text for part in data if (text := part.get("content") or texts(part.get("components", ())))]

    @property
    def database(self) -> Database:
        """The open database."""
        return self.app._store.database

    @property
    def supply(self) -> Supply:
        """Where the rolls' bits come from."""
        supply: Any = self.app._store.writer._transactions.open_draws
        return supply.__self__

    async def command(self, pragma: str) -> None:
        """Change a setting of the writing connection, outside of its transactions."""
        async with self.database.writing() as connection:
            await connection.do(execute(text(pragma)))


def numbered(text: str) -> int:
    """Return the number of the event in an answer."""
    match = NUMBER.search(text)
    assert match, text
    return int(match[1])


def entries(page: str) -> list[str]:
    """Return the lines of a page of /history, without the checkpoint at its foot."""
    *lines, foot = page.splitlines()
    assert foot.startswith("-# Checkpoint: `evenhand/"), page
    return lines


def totals(text: str) -> list[str]:
    """Return the totals of a roll, in order: of those with dice, or else all."""
    pairs = _TOTALS.findall(text)
    assert pairs, text
    shown_totals = [total for total, dice in pairs if dice] or [total for total, _ in pairs]
    return [total for joined in shown_totals for total in joined.split(" · ")]


def settings(folder: Path, **more: Any) -> Settings:
    """Return settings with the data in a folder, and no outside requests unless `more` allows them."""
    return _quiet().model_copy(update={"data": folder, **more})


@cache
def _quiet() -> Settings:
    return Settings(_env_file=None, remote_bits=False, user_rolls=0, guild_rolls=0)  # pyright: ignore[reportCallIssue] -- pydantic's own


class _Quick(Evenhand):
    """A bot that edits its calls' messages, and tells of rolls elsewhere, at once, however often."""

    async def setup_hook(self) -> None:
        """Load the cogs, and take the rest from what edits."""
        self.http.bulk_upsert_global_commands = self._told
        await super().setup_hook()
        log = self.get_cog("Roll log")
        assert isinstance(log, RollLog)
        Live.of(self).seconds = log.seconds = 0

    async def _told(self, application_id: Any, payload: list[Any]) -> list[Any]:  # noqa: ARG002 (discord.py's)
        """Register the commands as they are: thousands of copies are most of opening a table."""
        http: Any = self.http
        http.backend.register_commands(None, [_without(command, "nsfw") for command in payload])
        return []


def _without(command: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name != field}


told_once(_Quick)


def made_by(app: App) -> Evenhand:
    """Return a bot of one shard on an app, which takes the time from the simulated Discord."""
    return _Quick(app, shard_count=1, clock=lambda: discord.utils.utcnow().timestamp())


@asynccontextmanager
async def table(
    folder: Path,
    *,
    later: float = 0,
    expected: type[BaseException] | tuple[type[BaseException], ...] = DiceError,
    clock: Clock | None = None,
    opened: bool = True,
    holds: bool = True,
    **more: Any,
) -> AsyncGenerator[Table, None]:
    """Yield a table on a folder; see `wire` for `later` and `expected`; `more` are settings.

    `clock` is the random sources'. The server has `opened` all commands to everybody, who is refused by the
    bot alone; else Discord hides some of them. At the end every campaign `holds`, as /verify finds it.
    Without remote bits a test's dice fall the same in each run, so that no test fails by bad luck.

    On the second opening of a folder `later` must be set.
    """
    async with AsyncExitStack() as stack:
        chosen = settings(folder, **more)
        lay_tables(chosen.database_url)
        app = await stack.enter_async_context(open_app(chosen, clock))
        run = await stack.enter_async_context(wire(lambda: made_by(app), expected=expected, later=later))
        for command in run.env.backend.commands[None].values() if opened else ():
            run.guild.set_command_permissions(int(command["id"]), {run.guild.default_role: True})
        t = Table(run.env, run.bot, run.world, app)
        if not chosen.remote_bits:
            t.supply._register = seeded(f"{os.environ.get('PYTEST_CURRENT_TEST', '')} {later}")
        yield t
        if holds:
            await run.env.settle(idle=0.002)
            for campaign_id in await app.verifying.campaigns():
                await app.verifying.check(campaign_id)


@asynccontextmanager
async def forged(run: Table, **values: str) -> AsyncGenerator[None, None]:
    """Has every command carry these values, which Discord itself would not let through, in its options."""

    def forge(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            for option in _leaves(payload["data"].get("options", [])):
                option["value"] = values.get(option["name"], option["value"])

    listeners = run.env.backend.subscribers
    listeners.insert(0, forge)
    try:
        yield
    finally:
        listeners.remove(forge)


def _leaves(options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [leaf for o in options for leaf in (_leaves(o["options"]) if "options" in o else [o])]
