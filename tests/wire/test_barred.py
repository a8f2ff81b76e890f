"""Places that take no more messages: deleted channels, and threads that were archived or locked."""

from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands
from simcord import ChannelHandle

from cogs.group.live import SLOW_SECONDS
from tests.support.groups import group_table, live, rolls, text
from tests.support.proving import presses, proof_on
from tests.support.realm import people
from tests.support.table import Table, table
from tests.support.wire import reply
from tests.wire.test_campaigns import opened
from tests.wire.test_group_show import EDITS
from tests.wire.test_log import logged, texts
from tests.wire.test_proof import run_low

ARCHIVED = 50083


def posts(t: Table, channel: ChannelHandle) -> int:
    """How often the bot tried to post in a channel."""
    path = f"/channels/{channel.id}/messages"
    return sum((r.method, r.path) == ("POST", path) for r in t.env.backend.http_requests)


async def test_a_board_in_an_archived_thread_waits_until_the_thread_is_open(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its edit is not tried again and again; once the thread is open the board shows how the call ended."""
    async with group_table(tmp_path) as t:
        thread = await opened(t, "tavern")
        live(t).seconds = 1.0
        called = await t.mara.slash(thread, "group call", check="Stealth", dice="1d20", minutes=5)
        t.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
        t.env.inject_error("PATCH", EDITS, status=400, code=ARCHIVED, message="archived", times=None)
        await t.env.advance_time(300 + 10 * SLOW_SECONDS)
        tried, before = live(t).edits, text(called)
        t.env.backend.faults.clear()
        t.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": False})
        await t.env.settle()

        assert tried == 1
        assert ("Closed." in before, "Closed." in text(called)) == (False, True)
    [said] = [r.getMessage() for r in caplog.records if "call #1" in r.getMessage()]
    assert said.startswith("The message of call #1 waits until its thread is open again (400")


async def test_a_press_in_a_locked_thread_edits_its_own_message(t: Table) -> None:
    """Discord takes the answer to a press where it takes no edit of the bot's."""
    thread = await opened(t, "tavern")
    called = await t.mara.slash(thread, "group call", check="Stealth", dice="1d20")
    t.env.inject_error("PATCH", EDITS, status=400, code=ARCHIVED, message="archived", times=None)
    await rolls(t, called, t.ann)
    await rolls(t, called, t.bob)

    assert all(actor.mention in text(called) for actor in (t.ann, t.bob))


async def test_a_roll_that_comes_while_a_barred_channel_is_told_of_is_kept(t: Table) -> None:
    """It is no roll that the channel refused."""
    log = await logged(t)
    cog: Any = t.bot.get_cog("Roll log")

    async def told_late(_channel_id: int, roll: Any, *_why: object) -> None:
        cog._queue(roll.event, roll.campaign, None)

    cog._report_barred = told_late
    t.env.inject_error("POST", f"/channels/{log.id}/messages", status=403, code=50013, times=1)
    await t.says(t.ann, "roll", dice="1d1+2")
    cog._messages._finish(log.id)
    await t.env.settle()

    assert [line.split()[1] for line in texts(log)] == ["**3**"]


async def test_an_archived_thread_can_not_be_chosen(tmp_path: Path) -> None:
    """Discord tells the bot nothing of it, so whoever chooses it hears what helps."""
    async with table(tmp_path, expected=app_commands.TransformerError) as t:
        thread = await opened(t, "tavern")
        t.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})

        assert await t.whispers(t.mara, "admin settings", log=thread) == (
            "I don't see that channel. If it is an archived thread, open it. Then try again."
        )


async def test_a_deleted_channel_for_rolls_is_called_deleted(t: Table) -> None:
    """Nobody is asked for rights in it; the setting that names it is told instead."""
    log, screen = await logged(t), t.guild.create_text_channel("screen")
    await t.says(t.mara, "admin settings", gm_channel=screen)
    for channel in (log, screen):
        t.env.backend.delete_channel(channel.id)
    await t.says(t.ann, "roll", dice="1d6")
    await t.slash(t.ann, "roll", dice="1d6", visibility="gm")

    assert [said for said in texts(t.channel) if "rolls don't show" in said] == [
        f"The channel of `/admin settings {setting}:` was deleted, so rolls don't show there. Choose another "
        "one, or turn it off with `/admin settings stop:`."
        for setting in ("log", "gm_channel")
    ]


async def test_the_settings_say_which_of_their_channels_take_no_rolls(t: Table) -> None:
    """A deleted one, and one where the bot may not post, are not shown as if they worked."""
    log, screen = await logged(t), t.guild.create_text_channel("screen")
    await t.says(t.mara, "admin settings", gm_channel=screen)
    before = await t.slash(t.mara, "admin settings")
    t.env.backend.delete_channel(log.id)
    (told,) = (await t.slash(t.mara, "admin settings")).followups

    assert not before.followups
    assert told.ephemeral
    assert told.content.startswith(
        "The channel of `/admin settings log:` was deleted, so rolls don't show there."
    )


async def test_settings_are_shown_where_nobody_says_whether_their_channels_take_rolls(
    t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks while Discord is asked for a channel that it has not told of."""
    log = await logged(t)
    t.env.backend.delete_channel(log.id)

    async def broken(*_: object) -> None:
        raise aiohttp.ClientConnectionError

    monkeypatch.setattr(discord.Guild, "fetch_channel", broken)
    shown = await t.slash(t.mara, "admin settings")

    assert reply(shown).content.startswith("**Settings**")
    assert not shown.followups


async def test_new_keys_wait_where_their_channel_takes_nothing(t: Table) -> None:
    """One try is enough there; as soon as the campaign goes on in another channel, they are shown there."""
    await t.slash(t.mara, "campaign create", name="Dragons")
    await proof_on(t, t.mara)
    await t.slash(t.mara, "roll", dice="1d20")
    await run_low(t)
    t.env.backend.delete_channel(t.channel.id)
    cog: Any = t.bot.get_cog("Proof")
    for _ in range(3):
        await cog.renew()
    tries, other = posts(t, t.channel), t.guild.create_text_channel("other")
    await t.mara.slash(other, "campaign use", name="Dragons")
    await cog.renew()

    assert tries == 1
    assert "goes on with new keys" in texts(other)[-2]


async def test_who_switches_proof_mode_on_hears_that_new_keys_can_not_come(t: Table) -> None:
    """Commands work without the right to post; alone with the bot, where no rights count, nothing is said."""
    assert t.bot.user
    silent: dict[Any, discord.PermissionOverwrite] = {
        t.bot.user: discord.PermissionOverwrite(send_messages=False)
    }
    channel, alone = t.guild.create_text_channel("silent", overwrites=silent), people(t).alone
    form = await presses(t, t.mara, "Switch on…", channel)
    told = (await t.mara.submit_modal(form, {"drand": False})).followups
    form = await alone.click(reply(await alone.slash("proof")), "Switch on…")
    alone_told = (await alone.user.submit_modal(form, {"drand": False})).followups

    _, warning = told
    assert warning.ephemeral
    assert warning.content == (
        "I can't show new keys here unless I get Send Messages in this channel. Without them rolls are plain "
        "once these keys are used up."
    )
    assert not any(notice.ephemeral for notice in alone_told)
