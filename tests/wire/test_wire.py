"""The support for whole commands fails a test where the bot failed, and runs it as the tests rely on."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from discord import Interaction, app_commands

from bot.client import Evenhand
from bot.dice.errors import NotationError
from tests.support.table import table


async def test_ids_repeat_unless_it_is_later(tmp_path: Path) -> None:
    """Two runs hand out the same ids; `later` moves the interactions' and no others."""
    asked: list[Interaction[Evenhand]] = []
    people: list[tuple[int, ...]] = []
    for name, later in (("one", 0), ("other", 0), ("late", 3600)):
        async with table(tmp_path / name, later=later) as t:
            await t.slash(t.ann, "roll", dice="2d6")
            asked += t.bot.recent_interactions.values()
            people.append((t.guild.id, t.channel.id, *(actor.id for actor in t.world.actors)))
        assert t.bot.is_closed()  # which simcord alone would not do
    first, second, third = asked

    assert people[0] == people[1] == people[2]
    assert first.id == second.id < third.id
    assert third.created_at - first.created_at == timedelta(hours=1)


async def test_an_answered_refusal_is_an_error_unless_it_is_expected(tmp_path: Path) -> None:
    """What a test does not expect fails it, though the bot said a sentence."""
    with pytest.raises(BaseExceptionGroup) as caught:
        async with table(tmp_path, expected=()) as t:
            await t.whispers(t.ann, "roll", dice="2d6+")

    [error] = caught.value.exceptions
    assert isinstance(error, app_commands.CommandInvokeError)
    assert isinstance(error.original, NotationError)


async def test_an_error_in_a_task_of_the_bot_is_raised(tmp_path: Path) -> None:
    """A task that fails behind a press's back fails the test."""
    tasks: list[asyncio.Task[None]] = []

    async def stumble() -> None:
        raise ZeroDivisionError

    async def begin(_: Interaction[Evenhand]) -> None:
        tasks.append(asyncio.create_task(stumble()))

    async def play() -> None:
        async with table(tmp_path) as t:
            rolled = await t.slash(t.ann, "roll", dice="2d6")
            t.bot.add_listener(begin, "on_interaction")
            await t.press(rolled, "Again", t.ann)

    with pytest.raises(BaseExceptionGroup) as caught:
        await play()

    assert [type(error) for error in caught.value.exceptions] == [ZeroDivisionError]
