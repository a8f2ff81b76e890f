"""What is gone amid a game: players who left, deleted roles, channels and campaigns, calls that ended."""

from typing import Any

import discord
from simcord.backend.models import Overwrite
from simcord.components import walk_components
from simcord.enums import OverwriteType

from tests.support.groups import call, leads, live, named, rolls, text
from tests.support.table import Table
from tests.support.wire import reply
from tests.wire.test_group_show import EDITS

GONE = "That campaign is gone."
CLOSED = "This call is closed. A game master can reopen it."


async def test_a_player_who_left_keeps_their_name(t: Table) -> None:
    """In a chart's text, and in the list of the order: a number tells nobody who it was."""
    names = {"cid", "dan", "eve", "fay", "gus"}
    five = [t.guild.add_member(t.env.create_user(name)) for name in sorted(names)]
    called, order = await call(t, dc=10), await t.slash(t.mara, "group initiative")
    for actor in five:
        await rolls(t, called, actor)
        await rolls(t, order, actor)
    for actor in five[:2]:
        t.guild.remove_member(actor)
    await leads(t, called, "Close")
    await t.env.settle()
    [chart] = next(message for message in t.channel.history() if message.attachments).attachments
    parts = walk_components(reply(await leads(t, order, "Order…")).components)
    options = [option["label"] for part in parts for option in part.get("options", [])]

    assert {name for name in names if f"{name}: " in (chart.description or "")} == names
    assert {option.partition(":")[0] for option in options} == names


async def test_a_call_for_a_role_says_for_which(t: Table) -> None:
    """No list adds anybody to it, so nobody is sent to ask for that."""
    role = t.guild.create_role("Party", permissions=discord.Permissions.none())
    called = await call(t, role=role)

    assert (await rolls(t, called, t.ann)).content == (
        f"This call is for <@&{role.id}>. Ask a game master for that role, or for another call."
    )


async def test_whatever_belonged_to_an_erased_campaign_says_so(t: Table) -> None:
    """No button of it claims to be another place's."""
    called = await call(t)
    order = await t.slash(t.mara, "group initiative")
    await rolls(t, order, t.ann)
    rolled = await t.slash(t.ann, "roll", dice="2d6")
    panel = await t.press(called, "GM…", t.mara)
    await t.press(await t.slash(t.mara, "admin erase"), "Delete it all", t.mara)
    await call(t)  # of the next campaign there, to which they do not belong
    presses = [(called, "Roll"), (called, "GM…"), (panel, "Close"), (order, "Begin"), (rolled, "Again")]
    answers = [reply(await t.press(message, label, t.mara)) for message, label in presses]

    assert [(answer.ephemeral, answer.content) for answer in answers] == [(True, GONE)] * len(presses)


async def test_a_late_press_shows_that_the_call_is_over(t: Table) -> None:
    """The bot could not edit the message at the deadline; the press does, and is told why it is no roll."""
    assert t.bot.user
    called = await call(t, minutes=5)
    unseen = Overwrite(t.bot.user.id, OverwriteType.MEMBER, 0, discord.Permissions(view_channel=True).value)
    t.env.backend.set_overwrite(t.channel.id, unseen)
    await t.env.advance_time(301)
    before = text(called)
    pressed = await t.press(called, "Roll", t.ann)

    assert ("Closed." in before, "Closed." in text(called)) == (False, True)
    assert [(told.ephemeral, told.content) for told in pressed.followups] == [(True, CLOSED)]


async def test_a_late_press_makes_up_for_an_edit_that_was_given_up(t: Table) -> None:
    """Discord failed for long after the deadline; the next press brings the message up to date."""
    called = await call(t, minutes=5, players=named(t.ann))
    live(t).seconds = 1.0
    t.env.inject_error("PATCH", EDITS, status=503, times=None)
    await t.env.advance_time(1_000)
    t.env.backend.faults.clear()
    before = text(called)
    said = (await rolls(t, called, t.ann)).content
    await t.env.settle()

    assert ("Closed." in before, "Closed." in text(called), said) == (False, True, CLOSED)


async def test_no_role_is_called_deleted_before_discord_has_told_the_roles(t: Table) -> None:
    """After a restart the bot knows no role of the server for a while."""
    role = t.guild.create_role("Keepers", permissions=discord.Permissions.none())
    await t.says(t.mara, "campaign gm add", who=role)
    guild: Any = t.bot.get_guild(t.guild.id)
    guild._roles = {}

    assert f"**Game masters** · <@&{role.id}>," in await t.whispers(t.mara, "campaign show")
