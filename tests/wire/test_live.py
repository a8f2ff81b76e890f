"""The message of a call is kept up to date: not too often, not given up, and after a restart too."""

import logging
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import InteractionResult
from sqlalchemy import update

from bot.storage import schema
from bot.storage.engine import transact
from bot.storage.queries import Queries, Query
from cogs.group.live import SLOW_SECONDS, TRIES
from tests.support.groups import call, group_table, live, rolls, text
from tests.support.restart import Run
from tests.support.table import Table, numbered
from tests.support.wire import Wire
from tests.wire.test_group_show import EDITS


async def paced_call(t: Wire) -> InteractionResult:
    """A call whose message is edited every ten seconds: simcord waits a shorter rest out, for real."""
    live(t).seconds = 10
    return await call(t)


async def test_many_presses_are_few_edits(t: Table) -> None:
    """The first shows at once, those within the next second together after it, and then it is at ease."""
    called = await paced_call(t)
    live(t).seconds = 1_000
    shown: list[int] = []
    for actor in (t.ann, t.bob, t.mara):
        await rolls(t, called, actor)
        shown.append(text(called).count("<@"))
    first = live(t).edits
    await t.env.advance_time(1_000)
    after = live(t).edits
    await t.env.advance_time(5_000)

    # Who called is mentioned, too.
    assert shown == [2, 2, 2]
    assert text(called).count("<@") == 4
    assert (first, after, live(t).edits) == (1, 2, 2)


async def test_an_edit_that_fails_is_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """After a rest, then after one of twice the length: the third succeeds, without another press."""
    async with group_table(tmp_path) as t:
        called = await paced_call(t)
        t.env.inject_error("PATCH", EDITS, status=503, times=2)
        await rolls(t, called, t.ann)
        seen = [t.ann.mention in text(called)]
        for seconds in (10, 19, 1):
            await t.env.advance_time(seconds)
            seen.append(t.ann.mention in text(called))

        assert seen == [False, False, False, True]
    assert len([r for r in caplog.records if "is out of date" in r.message]) == 2


async def test_it_gives_up_some_time(t: Table) -> None:
    """Where nothing helps it rests for a minute at most, ends after some tries, and begins with a press."""
    called = await paced_call(t)
    t.env.inject_error("PATCH", EDITS, status=503, times=None)
    await rolls(t, called, t.ann)
    for _ in range(2 * TRIES):
        await t.env.advance_time(SLOW_SECONDS)
    tried = live(t).edits
    t.env.backend.faults.clear()
    await rolls(t, called, t.bob)

    assert tried == TRIES
    assert t.ann.mention in text(called)


@pytest.mark.parametrize(("status", "barred"), [(503, 0), (403, 1)])
async def test_nothing_is_kept_of_calls_that_it_gave_up(t: Table, status: int, barred: int) -> None:
    """But which of the latest ones wait for an open thread, or for rights."""
    live(t).barred.most = 1
    calls = [await paced_call(t), await paced_call(t)]
    t.env.inject_error("PATCH", EDITS, status=status, times=None)
    for called in calls:
        await rolls(t, called, t.ann)
        await t.env.advance_time(1)
    for _ in range(2 * TRIES):
        await t.env.advance_time(SLOW_SECONDS)
    cog: Any = live(t)

    assert (cog._failures, cog._pressed, cog._channels) == ({}, {}, {})
    assert [*cog.barred.values()] == [t.channel.id] * barred


async def test_a_forbidden_edit_says_what_it_needs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Once in the log, with the permission by name; it is tried again only after a minute and a press."""
    async with group_table(tmp_path) as t:
        called = await paced_call(t)
        t.env.inject_error("PATCH", EDITS, status=403, code=50001, message="Missing Access", times=None)
        for actor in (t.ann, t.bob):
            await rolls(t, called, actor)
        await t.env.advance_time(SLOW_SECONDS / 2)
        tried = live(t).edits
        t.env.backend.faults.clear()
        await t.env.advance_time(SLOW_SECONDS / 2)

        assert tried == 1
        assert t.bob.mention in text(called)
    warnings = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert [w for w in warnings if "give me View Channel" in w] == [w for w in warnings if "call #" in w]
    assert "Missing Access" in " ".join(warnings)


async def test_a_message_that_was_deleted_is_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever still sees it gets their roll; nothing is tried again, and nothing is an error."""
    async with group_table(tmp_path) as t:
        called = await paced_call(t)
        t.env.inject_error("PATCH", EDITS, status=404, code=10008, message="Unknown Message")
        answer = await rolls(t, called, t.ann)
        await t.env.advance_time(SLOW_SECONDS)

        assert numbered(answer.content) == 2
        assert live(t).edits == 1
    assert not [r for r in caplog.records if "call #" in r.message and r.levelno >= logging.WARNING]


async def test_a_restart_makes_up_for_the_edit_it_cut_short(run: Run) -> None:
    """What was rolled while the message rested shows once the bot is back, without another press."""
    t = run.wire
    live(t).seconds = 1_000
    called = await call(t)
    await rolls(t, called, t.ann)
    await rolls(t, called, t.bob)
    before = text(called)
    await run.restart()
    await t.env.settle()

    assert t.bob.mention not in before
    assert t.bob.mention in text(called)


async def test_a_message_that_was_never_noted_is_found_by_a_press(t: Table) -> None:
    """The bot died between showing the call and noting where: the next press fills it in."""
    called = await call(t)
    await transact(t.database, forget_message())
    await rolls(t, called, t.ann)
    found = await t.app.calls.board(1, 1, 0)

    assert t.ann.mention in text(called)
    assert found
    assert found[0].message_id


@pytest.mark.parametrize(
    ("lacks", "minutes", "told"),
    [
        ({}, 5, []),
        ({"send_messages": False}, None, []),
        (
            {"send_messages": False},
            5,
            ["I can't remind those who are missing unless I get Send Messages in this channel."],
        ),
        (
            {"view_channel": False},
            None,
            ["I can't keep this message up to date unless I get View Channel in this channel."],
        ),
    ],
)
async def test_a_gm_is_told_what_the_bot_may_not(
    t: Table, lacks: dict[str, bool], minutes: int | None, told: list[str]
) -> None:
    """Alone, when calling: what the server has to grant so that the message fills in and reminders come."""
    assert t.bot.user
    hall = t.guild.create_text_channel("hall", overwrites={t.bot.user: discord.PermissionOverwrite(**lacks)})
    more = {"minutes": minutes} if minutes else {}
    called = await t.mara.slash(hall, "group call", check="Stealth", dice="1d20", **more)

    assert [followup.content for followup in called.followups] == told
    assert all(followup.ephemeral for followup in called.followups)


def forget_message() -> Queries[None]:
    """Forget where the board is."""
    yield Query(update(schema.board).values(message_id=None))
