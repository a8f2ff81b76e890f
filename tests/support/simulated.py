"""The simulated server is arranged in one fixed order before it starts, so its ids are always the same."""

import asyncio
import copy
import marshal
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
from simcord import (
    ChannelHandle,
    Env,
    GuildHandle,
    MemberActor,
    _dpy_internals,
    _settlement,
    components,
    gateway,
    results,
)
from simcord.http import router

GUILD_ID = 1_420_000_000_000_000_000


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
_SHORT = 0.005
"""Seconds that new tasks are given before they are looked at: those that take longer wait for something."""


class QuickEnv(Env):
    """A simulated Discord that waits for the bot's new tasks, and seldom looks what all others wait for."""

    _long: frozenset[asyncio.Task[Any]] = frozenset()
    """Tasks that were still there when the bot was done: its writer, its services, views."""

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109  # the parent's signature
        idle: float = 0.005,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        wait = partial(super()._settle_internal, timeout=timeout, idle=idle, dispatch=dispatch)
        loop = asyncio.get_running_loop()
        until = loop.time() + (timeout or self.settle_timeout)
        while (new := self._tasks() - self._long - {asyncio.current_task()}) and loop.time() < until:
            _, waiting = await asyncio.wait(new, timeout=_SHORT)
            state = self._settlement_state()
            self._long |= {task for task in waiting if _settlement._is_parked(state, task, until)}
        for _ in range(_PATIENCE):
            with suppress(TimeoutError):
                await wait(_deadline=_deadline)
                break
            _deadline = None
        else:
            await wait()
        self._long = self._tasks()

    def _tasks(self) -> frozenset[asyncio.Task[Any]]:
        return frozenset(task for task in self._work.tasks if not task.done())


def _copied(thing: Any) -> Any:
    """Return a deep copy of a payload: mostly JSON, which `marshal` copies fastest."""
    try:
        return marshal.loads(marshal.dumps(thing))  # noqa: S302 (made here)
    except ValueError:
        parts: Any = thing
        if isinstance(thing, dict):
            return {key: _copied(parts[key]) for key in parts}
        return copy.deepcopy(thing)


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
