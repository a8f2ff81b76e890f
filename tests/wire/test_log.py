"""Where rolls go: a line in the log channel, a notice for game masters, and a server's usual settings."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import discord
import pytest
from simcord import ChannelHandle

from bot.campaign.command import Caller
from bot.services.privacy import Privacy
from bot.storage.erasing import Erased
from tests.support.groups import leads, moves
from tests.support.table import Table, numbered
from tests.support.wire import reply


def texts(channel: ChannelHandle) -> list[str]:
    """What stands in a channel, the oldest first."""
    return [message.content for message in channel.history()]


async def logged(t: Table) -> ChannelHandle:
    """A channel that the campaign's public rolls go to."""
    channel = t.guild.create_text_channel("log")
    await t.says(t.mara, "admin settings", log=channel)
    return channel


@pytest.fixture
async def log(t: Table) -> ChannelHandle:
    """Return such a channel."""
    return await logged(t)


async def test_each_public_roll_has_a_line_with_a_link_to_its_message(t: Table, log: ChannelHandle) -> None:
    """The line names who rolled what, and links to the very reply; hidden rolls have none."""
    await t.says(t.ann, "roll", dice="1d1+2", label="Climb")
    for hidden in ("self", "gm", "blind"):
        await t.slash(t.ann, "roll", dice="1d1+40", visibility=hidden)
    answered = t.channel.history()[1]

    at = f"https://discord.com/channels/{t.guild.id}/{t.channel.id}/{answered.id}"
    assert texts(log) == [f"{t.ann.mention} · Climb · **3** (`1d1+2`) · [#2]({at})"]
    assert "**3**" in answered.content


async def test_a_line_names_a_roller_once(t: Table, log: ChannelHandle) -> None:
    """So it does a game's roll."""
    await t.says(t.mara, "roller fair", name="Luck", dice="1d1+4")
    for dice in ("Luck", "dnd5 attack +5"):
        await t.says(t.ann, "roll", dice=dice)

    assert [line.count("`") for line in texts(log)] == [2, 2]


async def test_a_roll_for_a_call_links_to_its_board(t: Table, log: ChannelHandle) -> None:
    """Its line comes at once where all may see it; a call that holds its results back tells none."""
    board = await t.slash(t.mara, "group call", check="Stealth", dice="1d1+6")
    held = await t.slash(t.mara, "group call", check="Luck", dice="1d1+50", hold=True)
    for message in (board, held):
        await t.press(message, "Roll", t.ann)
    [line] = texts(log)

    assert line.startswith(f"{t.ann.mention} · Stealth · **7** (`1d1+6`) · [#4](")
    assert line.endswith(f"/{reply(board).id})")


async def test_game_masters_hear_of_hidden_rolls_and_look_with_a_press(t: Table) -> None:
    """The notice has neither result nor label; its button shows the roll to game masters alone."""
    there = t.guild.create_text_channel("screen")
    await t.says(t.mara, "admin settings", gm_channel=there)
    await t.slash(t.ann, "roll", dice="1d1+40", visibility="blind", label="Secret")
    await t.slash(t.ann, "roll", dice="1d1+41", visibility="gm")
    for unheard in ("self", "public"):
        await t.slash(t.ann, "roll", dice="1d1+42", visibility=unheard)
    blind, hidden = there.history()

    assert blind.content.startswith(f"{t.ann.mention} rolled blind: [#2](https://discord.com/channels/")
    assert hidden.content.startswith(f"{t.ann.mention} rolled hidden: [#3](")
    assert "**41**" in reply(await t.press(blind, "Look", t.mara)).content
    assert "41" not in reply(await t.press(blind, "Look", t.ann)).content


async def test_a_hidden_roll_has_its_line_once_it_is_revealed(t: Table, log: ChannelHandle) -> None:
    """The line names who rolled, whoever reveals it, and links to the moment of the reveal."""
    blind = await t.slash(t.ann, "roll", dice="1d1+40", visibility="blind", label="Climb")
    hidden = await t.slash(t.ann, "roll", dice="1d1+41", visibility="gm")
    before = texts(log)
    looked = await t.press(blind, "Look", t.mara)
    await t.press(blind, "Reveal", t.mara)
    await t.press(hidden, "Reveal", t.ann)
    reveal = t.channel.history()[-1]
    first, second = texts(log)
    link = second.rpartition("/")[2].partition(")")[0]

    assert (before, reply(looked).ephemeral) == ([], True)
    assert first.startswith(f"{t.ann.mention} · Climb · **41** (`1d1+40`) · [#2](")
    assert second.startswith(f"{t.ann.mention} **42** (`1d1+41`) · [#3](")
    assert first.endswith("), revealed")
    assert int(link) <= reveal.id


async def test_a_revealed_call_has_one_line_that_links_to_its_board(t: Table, log: ChannelHandle) -> None:
    """Its rolls stand on the board, as many as they are."""
    board = await t.slash(t.mara, "group call", check="Luck", dice="1d1+50", hidden="gm")
    await t.press(board, "Roll", t.ann)
    before = texts(log)
    await leads(t, board, "Reveal")
    [line] = texts(log)

    assert before == []
    assert line.startswith(
        f"The rolls for the call `Luck` are revealed · [#2](https://discord.com/channels/{t.guild.id}/"
    )
    assert int(line.rpartition("/")[2].removesuffix(")")) <= reply(board).id


async def test_a_roll_after_its_call_was_revealed_has_a_line(t: Table, log: ChannelHandle) -> None:
    """It was hidden when it was asked for, and all see it now; game masters are not told of it again."""
    there = t.guild.create_text_channel("screen")
    await t.says(t.mara, "admin settings", gm_channel=there)
    board = await t.slash(t.mara, "group call", check="Luck", dice="1d1+50", hidden="gm")
    await t.press(board, "Roll", t.ann)
    await leads(t, board, "Reveal")
    await t.press(board, "Roll", t.bob)
    _, line = texts(log)

    assert line.startswith(f"{t.bob.mention} · Luck · **51** (`1d1+50`) · [#")
    assert texts(there) == []


async def test_a_card_played_from_a_hand_has_a_line(t: Table, log: ChannelHandle) -> None:
    """With the number of the play; what is drawn, discarded or put back has none."""
    await t.says(t.mara, "roller cards", name="Cards", cards="elk_eye 9")
    await t.slash(t.ann, "deal", deck="Cards", hand=4)
    for done in ("Play", "Discard", "Put back"):
        await moves(t, t.ann, done)
    [line] = texts(log)

    assert line.startswith(
        f"{t.ann.mention} plays **elk\\_eye** (`Cards`) · [#7](https://discord.com/channels/"
    )


async def test_many_rolls_share_a_message(t: Table, log: ChannelHandle) -> None:
    """What comes while a channel rests is one message, in the order of the rolls."""
    cog: Any = t.bot.get_cog("Roll log")
    cog.seconds = 3_600
    for face in range(1, 4):
        await t.says(t.ann, "roll", dice=f"1d1+{face}")
    first = texts(log)
    cog._messages._finish(log.id)
    await t.env.settle()
    one, rest = texts(log)

    assert first == [one]
    assert [line.partition(" (")[0] for line in rest.splitlines()] == [
        f"{t.ann.mention} **3**",
        f"{t.ann.mention} **4**",
    ]


async def test_rolls_without_room_are_counted(
    t: Table, log: ChannelHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The channel rests while more rolls come than may wait; its next message says how many it lacks."""
    monkeypatch.setattr("cogs.log.cog.WAITING", 2)
    cog: Any = t.bot.get_cog("Roll log")
    cog.seconds = 3_600
    for face in range(1, 6):
        await t.says(t.ann, "roll", dice=f"1d1+{face}")
    cog._messages._finish(log.id)
    await t.env.settle()

    assert [line.split()[1] for line in texts(log)[1].splitlines()] == ["**3**", "**4**", "2"]


async def test_a_channel_that_dies_again_is_told_of_again(t: Table, log: ChannelHandle) -> None:
    """Lines came through in between."""
    cog: Any = t.bot.get_cog("Roll log")
    for status in (403, None, 403):
        if status:
            t.env.inject_error("POST", f"/channels/{log.id}/messages", status=status, code=50001, times=1)
        await t.says(t.ann, "roll", dice="1d1+2")
        with suppress(KeyError):  # it rests after a refusal alone
            cog._messages._finish(log.id)

    assert [len(texts(log)), sum("can't post" in text for text in texts(t.channel))] == [1, 2]


CLOSED = "The thread <#{id}> is closed, so rolls don't show there. Open it again, or"


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        (403, 50001, "I can't post in <#{id}>, so rolls don't show there."),
        (404, 50001, "The channel of `/admin settings log:` was deleted, so rolls don't show there."),
        (400, 50083, CLOSED),
        (403, 50083, CLOSED),
        (400, 160005, CLOSED),
    ],
)
async def test_a_dead_channel_is_told_of_once_and_keeps_no_roll_back(
    t: Table, log: ChannelHandle, status: int, code: int, reason: str
) -> None:
    """The roll is answered as ever; where it was made a sentence says what is missing, the first time.

    Open again the channel has the next rolls, and nothing is counted as left out.
    """
    cog: Any = t.bot.get_cog("Roll log")
    t.env.inject_error("POST", f"/channels/{log.id}/messages", status=status, code=code, times=2)
    first = await t.says(t.ann, "roll", dice="1d1+2")
    cog._messages._finish(log.id)
    second = await t.says(t.ann, "roll", dice="1d1+3")
    cog._messages._finish(log.id)
    await t.says(t.ann, "roll", dice="1d1+4")
    [said] = [text for text in texts(t.channel) if "rolls don't show there" in text]

    assert ("**3**" in first, "**4**" in second) == (True, True)
    assert said.startswith(reason.format(id=log.id))
    assert [line.split()[1] for line in texts(log)] == ["**5**"]


async def test_what_discord_fails_to_take_is_posted_later_without_who_was_erased(
    t: Table, log: ChannelHandle
) -> None:
    """A fault of Discord's keeps the lines; those of somebody who is erased meanwhile go."""
    cog: Any = t.bot.get_cog("Roll log")
    t.env.inject_error("POST", f"/channels/{log.id}/messages", status=500, times=None)
    await t.says(t.ann, "roll", dice="1d1+2")
    await t.says(t.bob, "roll", dice="1d1+3")
    t.env.backend.faults.clear()
    await t.press(await t.slash(t.ann, "data forget"), "Erase me", t.ann)
    cog._messages._finish(log.id)
    await t.env.settle()

    assert [line.split()[:2] for line in texts(log)] == [[t.bob.mention, "**4**"]]


class Erasing:
    """An interaction whose answer is looked up while its person is erased."""

    def __init__(self, interaction: Any, erase: Callable[[], Awaitable[None]]) -> None:
        self._interaction = interaction
        self._erase = erase

    def __getattr__(self, name: str) -> Any:
        """Everything else is the interaction's."""
        return getattr(self._interaction, name)

    async def original_response(self) -> Any:
        """Return the answer, after the erasure."""
        await self._erase()
        return await self._interaction.original_response()


async def test_who_is_erased_while_lines_are_made_has_none(t: Table, log: ChannelHandle) -> None:
    """The lines of the others are posted, though all were in one message."""
    cog: Any = t.bot.get_cog("Roll log")
    recent: Any = t.bot.recent_interactions
    cog.seconds = 3_600
    for actor, face in ((t.bob, 1), (t.ann, 2), (t.bob, 3)):
        await t.says(actor, "roll", dice=f"1d1+{face}")
    [hers] = [number for number, asked in recent.items() if asked.user.id == t.ann.id]
    recent[hers] = Erasing(recent[hers], lambda: cog.on_forgotten(t.ann.id))
    cog._messages._finish(log.id)
    await t.env.settle()

    assert [line.split()[:2] for line in texts(log)] == [[t.bob.mention, "**2**"], [t.bob.mention, "**4**"]]


async def test_who_is_being_erased_has_no_more_lines(t: Table, log: ChannelHandle) -> None:
    """From the first moment on, however long the erasure takes."""
    cog: Any = t.bot.get_cog("Roll log")

    class Slow(Privacy):
        """An erasure during which the channel's next lines are posted."""

        async def forget(self, caller: Caller) -> Erased:
            """Post, then erase."""
            await asyncio.sleep(0)
            await cog._post(log.id)
            return await super().forget(caller)

    cog.seconds = 3_600
    for actor, face in ((t.bob, 1), (t.ann, 2), (t.bob, 3)):
        await t.says(actor, "roll", dice=f"1d1+{face}")
    t.app.privacy = Slow(t.app.privacy.database, t.app.privacy.reader)
    await t.press(await t.slash(t.ann, "data forget"), "Erase me", t.ann)

    assert [line.split()[:2] for line in texts(log)] == [[t.bob.mention, "**2**"], [t.bob.mention, "**4**"]]


async def test_what_discord_refuses_holds_back_no_later_line(t: Table, log: ChannelHandle) -> None:
    """A line that is refused for what it says is left out of the channel."""
    t.env.inject_error("POST", f"/channels/{log.id}/messages", status=400, code=50035, times=None)
    await t.says(t.ann, "roll", dice="1d1+2")
    t.env.backend.faults.clear()
    await t.says(t.ann, "roll", dice="1d1+3")

    assert [line.split()[1] for line in texts(log)] == ["**4**"]


async def test_the_next_message_counts_what_discord_refused(t: Table, log: ChannelHandle) -> None:
    """The lines of a refused message are counted with those that found no room before it."""
    cog: Any = t.bot.get_cog("Roll log")
    t.env.inject_error("POST", f"/channels/{log.id}/messages", status=500, times=None)
    for bonus in (2, 3, 4):
        await t.says(t.ann, "roll", dice=f"1d1+{bonus}")
    cog._left_out[log.id] = 7
    t.env.backend.faults.clear()
    t.env.inject_error("POST", f"/channels/{log.id}/messages", status=400, code=50035, times=2)
    cog._messages._finish(log.id)
    await t.env.settle()
    await t.says(t.ann, "roll", dice="1d1+5")

    assert [line.split()[1] for line in texts(log)[0].splitlines()] == ["**6**", "10"]


async def test_rights_are_asked_for_where_the_channel_is_chosen(t: Table) -> None:
    """What the bot lacks is said in private; who can't write there may not choose it."""
    nobody: dict[Any, discord.PermissionOverwrite] = {
        t.guild.default_role: discord.PermissionOverwrite(send_messages=False)
    }
    closed = t.guild.create_text_channel("closed", overwrites=nobody)
    await t.says(t.mara, "campaign create", name="Dragons")
    await t.says(t.mara, "campaign gm add", who=t.ann)
    refused = await t.whispers(t.ann, "admin settings", log=closed)
    usual = await t.whispers(t.ann, "admin settings")

    assert refused == f"You can't write in <#{closed.id}> yourself. Choose another channel."
    assert "no channel that shows all rolls" in usual


async def test_a_channel_is_turned_off_again(t: Table, log: ChannelHandle) -> None:
    """Nothing more is posted there."""
    changed = await t.says(t.mara, "admin settings", stop="log_channel")
    await t.says(t.ann, "roll", dice="1d6")

    assert "no channel that shows all rolls" in changed
    assert texts(log) == []


async def test_a_servers_settings_hold_in_campaigns_to_come_and_in_those_that_chose_nothing(t: Table) -> None:
    """What a campaign chose for itself stays; a new one begins with the server's, which its history says."""
    other, fresh = (t.guild.create_text_channel(name) for name in ("other", "fresh"))
    await t.says(t.mara, "roll", dice="1d6")
    await t.mara.slash(other, "admin settings", footer="full")
    said = await t.says(t.mara, "admin settings", server=True, footer="number", pace=2)
    shown = [
        reply(await t.ann.slash(channel, "roll", dice="1d6")).content for channel in (t.channel, other, fresh)
    ]
    history = reply(await t.ann.slash(fresh, "history")).content

    assert "Changed in 2 campaigns here. New ones begin with it." in said
    assert ["computer-random bits" in text for text in shown] == [False, True, False]
    assert [numbered(text) for text in shown] == [3, 3, 2]
    assert "Evenhand · changed the settings: `pace`" in history
    assert "2 rolls per player in five seconds" in await t.whispers(t.mara, "admin settings", server=True)


async def test_a_refused_first_command_leaves_no_trace_of_the_servers_settings(t: Table) -> None:
    """A campaign begins with what is done in it, not with what is refused."""
    await t.says(t.mara, "admin settings", server=True, pace=2)
    refused = await t.whispers(t.mara, "roller reset", name="Nothing")

    assert "no roller `Nothing`" in refused
    assert "Nothing here yet" in await t.whispers(t.ann, "history")


async def test_only_managers_set_what_holds_for_the_server(t: Table) -> None:
    """A campaign's game master is refused."""
    await t.says(t.ann, "campaign create", name="Dragons")

    assert await t.whispers(t.ann, "admin settings", server=True, pace=2) == (
        "Only people with Manage Server change settings of the whole server."
    )
