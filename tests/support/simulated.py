"""The simulated server is arranged in one fixed order before it starts, so its ids are always the same."""

import copy
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeAlias

import discord
from discord.ext import commands
from simcord import (
    ChannelHandle,
    Env,
    GuildHandle,
    MemberActor,
    _dpy_internals,
    components,
    gateway,
    results,
)
from simcord.http import router

GUILD_ID = 1_420_000_000_000_000_000

AnyBot: TypeAlias = commands.Bot | commands.AutoShardedBot


@dataclass(frozen=True, slots=True)
class World:
    """A server with one channel, its GM (who has Manage Server by a role) and two players."""

    guild: GuildHandle
    channel: ChannelHandle
    mara: MemberActor
    ann: MemberActor
    bob: MemberActor

    @property
    def actors(self) -> tuple[MemberActor, ...]:
        """Everybody at the table, the GM first."""
        return self.mara, self.ann, self.bob


_PATIENCE = 5
"""How often a bot that is still at work at the end of a wait is waited for: a busy machine takes long."""


class QuickEnv(Env):
    """A simulated Discord that looks every 5 ms whether the bot is done, instead of every 50."""

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109  # the parent's signature
        idle: float = 0.005,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        wait = partial(super()._settle_internal, timeout=timeout, idle=idle, dispatch=dispatch)
        for _ in range(_PATIENCE):
            with suppress(TimeoutError):
                await wait(_deadline=_deadline)
                return
            _deadline = None
        await wait()


def _copied(thing: Any) -> Any:
    """A copy of what goes over the wire: JSON for the most part, which has no circles to look for."""
    kind: type = thing.__class__
    if kind is dict:
        return {key: _copied(value) for key, value in thing.items()}
    if kind is list:
        return [_copied(value) for value in thing]
    return thing if kind in _ATOMS else copy.deepcopy(thing)


_ATOMS = {str, int, float, bool, type(None)}
_copies: list[Any] = [components, results]
for _module in _copies:
    _module.deepcopy = _copied
_copies = [gateway, router]
for _module in _copies:
    _module.copy = SimpleNamespace(deepcopy=_copied)


def _look_no_further() -> None:
    """Have simcord ask the cheapest question first of each task that waits: it asks thousands of times."""
    internals: Any = _dpy_internals
    listens, expires = internals.is_wait_for_listener, internals._view_timeout_task_identity
    timer = internals._view.BaseView._BaseView__timeout_task_impl.__code__

    def listening(client: discord.Client, task: Any) -> bool:
        return bool(internals.listener_futures(client)) and listens(client, task)

    def expiring(client: discord.Client, task: Any) -> bool:
        return getattr(task.get_coro(), "cr_code", None) is timer and expires(client, task)

    internals.is_wait_for_listener, internals._view_timeout_task_identity = listening, expiring


_look_no_further()


def shard_count(bot: discord.Client) -> int | None:
    """What simcord wants to be told: a sharded bot's number, 1 if it leaves that to Discord; else None."""
    return (bot.shard_count or 1) if isinstance(bot, discord.AutoShardedClient) else None


def arrange(env: Env) -> World:
    """Make the server in `env`, which must not have started yet.

    Users' and channels' ids come from simcord's clock and a counter: a line added here goes last, or every
    database of an earlier run belongs to strangers.
    """
    env.backend.bot_user.name = "Evenhand"
    guild = env.create_guild("The Long Table", id=GUILD_ID)
    channel = guild.create_text_channel("table")
    mara, ann, bob = (env.create_user(name.lower(), global_name=name) for name in ("Mara", "Ann", "Bob"))
    master = guild.create_role("Game Master", permissions=discord.Permissions(manage_guild=True))
    return World(
        guild,
        channel,
        guild.add_member(mara, roles=[master]),
        guild.add_member(ann),
        guild.add_member(bob),
    )
