"""The support for whole commands does what the tests of commands rely on."""

import asyncio
from datetime import timedelta

import pytest
from discord import Interaction, app_commands

from bot.dice.errors import NotationError
from tests.support.wire import reply, wire
from tests.wire.tiny import Tiny


async def test_a_command_is_answered_to_everybody() -> None:
    """What Ann rolls, Bob reads."""
    async with wire(Tiny) as table:
        rolled = await table.slash(table.ann, "roll", dice="2d6", label="owl")

        assert not reply(rolled).ephemeral
        assert table.seen_by(table.bob) == ["**12** 2d6 owl for Ann"]


async def test_a_button_knows_who_pressed_it() -> None:
    """A button answers its owner openly and everybody else in private."""
    async with wire(Tiny) as table:
        rolled = await table.slash(table.ann, "roll", dice="2d6")
        refused = await table.press(rolled, "Again", table.bob)
        again = await table.press(rolled, "Again", table.ann)

        assert reply(refused).ephemeral
        assert reply(again).content == "Ann rolls 2d6 again"
        assert reply(refused).content not in table.seen_by(table.ann)


async def test_only_mara_may_manage_the_server() -> None:
    """The GM's role reaches the bot as the permission it checks."""
    async with wire(Tiny) as table:
        answers = [
            reply(await table.slash(actor, "reset")).content for actor in (table.ann, table.bob, table.mara)
        ]

        assert answers == ["Only a GM can reset.", "Only a GM can reset.", "Reset everything?"]


async def test_offers_and_pictures() -> None:
    """Autocomplete is read as names, and an attachment after a deferral is part of the reply."""
    async with wire(Tiny) as table:
        drawn = reply(await table.slash(table.bob, "odds"))

        assert await table.offered(table.ann, "roll", "dice", "d6") == ["2d6", "4d6kh3"]
        assert [(picture.filename, picture.description) for picture in drawn.attachments] == [
            ("odds.png", "Six bars of one height")
        ]


async def test_time_moves_only_when_told_to() -> None:
    """A view gives up when the clock is moved past its time-out, and not a second earlier."""
    async with wire(Tiny) as table:
        asked = await table.slash(table.mara, "reset")
        await table.env.advance_time(59)
        before = reply(asked).content
        await table.env.advance_time(1)

        assert (before, reply(asked).content) == ("Reset everything?", "Too late to reset.")


async def test_ids_repeat_unless_it_is_later() -> None:
    """Two runs hand out the same ids; `later` moves the interactions' and no others."""
    bots = [Tiny() for _ in range(3)]
    people: list[tuple[int, ...]] = []
    for bot, later in zip(bots, (0, 0, 3600), strict=True):
        async with wire(lambda bot=bot: bot, later=later) as table:
            await table.slash(table.ann, "roll", dice="2d6")
            people.append((table.guild.id, table.channel.id, *(actor.id for actor in table.world.actors)))
    first, second, third = (bot.asked[0] for bot in bots)

    assert people[0] == people[1] == people[2]
    assert first.id == second.id < third.id
    assert third.created_at - first.created_at == timedelta(hours=1)


async def test_the_bot_is_closed_at_the_end() -> None:
    """A bot is closed with its server, which simcord alone would not do."""
    async with wire(Tiny) as table:
        assert not table.bot.is_closed()

    assert table.bot.is_closed()


async def test_an_answered_refusal_is_no_error() -> None:
    """A sentence the bot meant to say does not fail the test, unless the test expects none."""
    async with wire(Tiny) as table:
        said = reply(await table.slash(table.ann, "roll", dice="2d6+"))
    with pytest.raises(BaseExceptionGroup) as caught:
        async with wire(Tiny, expected=()) as table:
            await table.slash(table.ann, "roll", dice="2d6+")

    assert (said.ephemeral, said.content) == (True, "I can't read 2d6+ as dice.")
    assert [type(_original(error)) for error in caught.value.exceptions] == [NotationError]


async def test_an_error_in_a_task_of_the_bot_is_raised() -> None:
    """A task that fails behind a command's back fails the test."""

    async def stumble() -> None:
        raise ZeroDivisionError

    class Stumbling(Tiny):
        async def on_interaction(self, interaction: Interaction) -> None:
            await super().on_interaction(interaction)
            self.task = asyncio.create_task(stumble())

    with pytest.raises(BaseExceptionGroup) as caught:
        async with wire(Stumbling) as table:
            await table.slash(table.ann, "roll", dice="2d6")

    assert [type(error) for error in caught.value.exceptions] == [ZeroDivisionError]


async def test_a_service_may_wait_as_it_likes_if_it_started_before() -> None:
    """A task made outside the bot may be parked, woken by a command, and keep nobody waiting."""
    work: asyncio.Queue[asyncio.Future[str]] = asyncio.Queue()

    async def serve() -> None:
        while True:
            (await work.get()).set_result("served")

    class Served(Tiny):
        async def on_interaction(self, interaction: Interaction) -> None:
            await super().on_interaction(interaction)
            answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            work.put_nowait(answer)
            answers.append(await answer)

    answers: list[str] = []
    service = asyncio.create_task(serve())
    async with wire(Served) as table:
        await table.slash(table.ann, "roll", dice="2d6")
    service.cancel()

    assert answers == ["served"]


def _original(error: BaseException) -> BaseException:
    return error.original if isinstance(error, app_commands.CommandInvokeError) else error
