"""The bot on a network that is busy, slow, broken or doubled: no roll is lost, and none happens twice."""

import asyncio
import re
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.discord import CALLBACK, EDIT, PATIENCE, WEBHOOK, Discord, discord, served
from tests.support.openapi import faults_of

_RUN = """
import runpy, sys
sys.argv = ["bot", "run"]
runpy.run_module("bot", run_name="__main__")
"""
_GIVES_UP = """
import discord.state as s
plain = s.ConnectionState.__init__
s.ConnectionState.__init__ = lambda self, *a, **o: plain(self, *a, **{**o, "heartbeat_timeout": 1})
"""
IMPATIENT = ("-c", _GIVES_UP + _RUN)
"""The bot that gives a silent connection up after one second instead of sixty."""
NUMBER = re.compile(r"#(\d+)")


def numbers(d: Discord) -> list[int]:
    """The numbers of all events that the channel shows to anybody, the smallest first."""
    seen = [message for person in d.table.world.seated() for message in d.messages(person)]
    return sorted({int(n) for message in seen for n in NUMBER.findall(message.text)})


@asynccontextmanager
async def evening(folder: Path, **more: Any) -> AsyncGenerator[Discord]:
    """A table with its bot; every request of that evening is one that Discord's own description allows."""
    async with discord(folder / "table", **more) as d, served(d, folder / "bot"):
        yield d
        assert faults_of(d.requests) == []


@pytest.fixture
async def d(tmp_path: Path) -> AsyncGenerator[Discord]:
    """Such an evening."""
    async with evening(tmp_path) as begun:
        yield begun


async def test_two_hundred_commands_in_flight(d: Discord) -> None:
    """All are acknowledged and answered, each once."""
    people = (d.mara, d.ann, d.bob)
    begun = [await d.begin(people[n % 3], f"/roll 1d20+{n}") for n in range(200)]
    answers = await asyncio.gather(*(d.answer(interaction) for interaction in begun))

    assert numbers(d) == list(range(1, 201))
    assert all(f"+ {n}" in answer.text for n, answer in enumerate(answers) if n)
    assert len(d.sent(CALLBACK)) == 200


async def test_fifty_people_press_one_button_at_once(d: Discord) -> None:
    """None is lost, each is told their own, and the message shows them all."""
    crowd = [d.table.world.add_person(f"P{n}") for n in range(50)]
    call = await d.says(d.mara, "/group call check:Perception dice:1d20 dc:10")
    told = await asyncio.gather(*(d.pressed(person, call, "Roll") for person in crowd))
    await d.until(lambda: "of 50 pass" in d.message(call.id).text)

    assert [answer.viewer for answer in told] == [person.id for person in crowd]
    assert len({NUMBER.findall(answer.text)[-1] for answer in told}) == 50


async def test_two_taps_pass_the_turn_once(d: Discord) -> None:
    """*Next turn* pressed twice on the same message moves on by one."""
    call = await d.says(d.mara, "/group initiative")
    for person in (d.mara, d.ann, d.bob):
        await d.pressed(person, call, "Roll")
    await d.until(lambda: d.message(call.id).text.count("**") >= 8)
    order = re.findall(r"<@(\d+)> \*\*", d.message(call.id).text)
    await d.press(d.mara, call, "Begin")
    await asyncio.gather(*(d.press(d.mara, call, "Next turn") for _ in range(2)))
    await d.until(lambda: f"➤ <@{order[1]}>" in d.message(call.id).text)
    await d.press(d.mara, call, "Next turn")
    await d.until(lambda: f"➤ <@{order[2]}>" in d.message(call.id).text)


async def test_undo_against_a_roll(d: Discord) -> None:
    """A reset is undone while others roll: done, or refused to who asked; no roll is lost."""
    await d.says(d.mara, "/roller fair name:Luck dice:2d6")
    await d.says(d.ann, "/roll Luck")
    asked = await d.says(d.mara, "/admin reset scope:campaign")
    form = await d.press(d.mara, asked, "Reset…")
    done = await d.answer(await d.submit(d.mara, form, why="A new season", who=""))
    told, *_ = await asyncio.gather(
        d.pressed(d.mara, done, "Undo"), d.says(d.ann, "/roll Luck"), d.says(d.bob, "/roll Luck")
    )

    assert "undid the reset" in told.text or told.viewer == d.mara.id
    assert numbers(d)[-2:] == [numbers(d)[-1] - 1, numbers(d)[-1]]


async def test_the_connection_breaks_in_mid_command(d: Discord) -> None:
    """A command told into a dead connection is replayed when the bot resumes: answered once."""
    await d.says(d.ann, "/roll 1d6")
    session = d.live()
    d.freeze()
    begun = await d.begin(d.ann, "/roll 1d6")
    await d.drop()
    await d.answer(begun)

    assert d.live() is session
    assert numbers(d) == [1, 2]
    assert len(d.sent(CALLBACK)) == 2


async def test_the_bot_identifies_again(d: Discord) -> None:
    """Asked to reconnect it resumes; with its session forgotten it identifies; it serves either way."""
    session = d.live()
    call = await d.says(d.mara, "/group call check:Perception dice:1d20")
    session.connection.send({"op": 7, "d": None, "s": None, "t": None})
    await d.until(lambda: not d.table.gateway.live())
    await d.ready()
    assert d.live() is session
    await d.pressed(d.ann, call, "Roll")
    await d.invalidate()
    await d.ready(but=session.id)
    await d.pressed(d.bob, call, "Roll")

    assert numbers(d) == [1, 2, 3]


async def test_no_heartbeat_is_acknowledged(tmp_path: Path) -> None:
    """A connection that has died unnoticed is given up by the bot, which comes back."""
    async with discord(tmp_path / "table", heartbeat=300) as d, served(d, tmp_path / "bot", IMPATIENT):
        await d.says(d.ann, "/roll 1d6")
        connection = d.live().connection
        d.freeze()
        await d.until(lambda: (now := d.table.gateway.live()) and now.connection is not connection)
        await d.says(d.ann, "/roll 1d6")

        assert numbers(d) == [1, 2]


async def test_too_many_requests(d: Discord) -> None:
    """429 is waited out: the reply comes, once."""
    d.too_many(CALLBACK, 0.05, times=2)
    await d.says(d.ann, "/roll 1d6")

    assert numbers(d) == [1]
    assert [request.status for request in d.sent(CALLBACK)] == [429, 429, 204]


async def test_a_lost_reply_is_told_later_once(d: Discord) -> None:
    """A reply that Discord refuses is no lost roll: the next answer tells of it, the one after does not."""
    d.answer_next(CALLBACK, 404, body={"message": "Unknown interaction", "code": 10062})
    d.table.interactions.patience = 0.5
    assert not (await (await d.line(d.ann, "/roll 1d6")).outcome).ok
    d.table.interactions.patience = PATIENCE
    await d.says(d.ann, "/roll 1d6")
    await d.says(d.ann, "/roll 1d6")

    told = [m for m in d.messages() if "#1 of " in m.text and "reply may be lost" in m.text]
    assert numbers(d) == [1, 2, 3]
    assert len(told) == 1


async def test_the_reply_arrived_and_its_answer_did_not(d: Discord) -> None:
    """Discord took the reply and then failed (503): the bot tries again, and nothing is rolled twice."""
    d.answer_next(CALLBACK, 503, lost=True)
    await d.says(d.ann, "/roll 1d6")
    await d.until(lambda: len(d.sent(CALLBACK)) == 2)
    await d.says(d.ann, "/roll 1d6")

    assert numbers(d) == [1, 2]


async def test_a_board_whose_edit_fails_is_edited_again(d: Discord) -> None:
    """A 500 on the shared message delays it; in the end it shows who has rolled."""
    call = await d.says(d.mara, "/group call check:Perception dice:1d20")
    d.answer_next(EDIT, 500, times=1)
    await d.pressed(d.ann, call, "Roll")
    await d.until(lambda: f"<@{d.ann.id}> **" in d.message(call.id).text)

    assert d.sent(EDIT)[0].status == 500


async def test_one_command_delivered_twice(d: Discord) -> None:
    """Rolled once, and answered the same."""
    gate = asyncio.Event()
    d.answer_next(CALLBACK, times=1, gate=gate)
    begun = await d.begin(d.ann, "/roll 1d6")
    await d.until(lambda: d.sent(CALLBACK))
    d.deliver_again(begun)
    gate.set()
    await d.until(lambda: len(d.sent(CALLBACK)) == 2)
    await d.answer(begun)
    first, second = d.sent(CALLBACK)

    assert first.body["data"]["content"] == second.body["data"]["content"]
    assert numbers(d) == [1]


async def test_one_command_delivered_late(d: Discord) -> None:
    """What comes too old to be answered in time is not rolled."""
    begun = await d.begin(d.ann, "/roll 1d6")
    await d.answer(begun)
    d.deliver_again(begun, age=60)
    await d.until(lambda: len(d.sent(CALLBACK)) == 2)
    await d.says(d.ann, "/roll 1d6")

    assert numbers(d) == [1, 2]


async def test_rights_are_lost_in_mid_call(d: Discord) -> None:
    """A board that may not be edited any more costs no roll, and fills in once it may."""
    call = await d.says(d.mara, "/group call check:Perception dice:1d20")
    d.channel.lacks = ["view"]
    d.table.world.keep(d.channel)
    told = await d.pressed(d.ann, call, "Roll")
    assert "**" in told.text
    d.channel.lacks = []
    d.table.world.keep(d.channel)
    await d.pressed(d.bob, call, "Roll")
    await d.until(lambda: d.message(call.id).text.count("> **") == 2)


async def test_two_shards(tmp_path: Path) -> None:
    """Each hears its own: the server's shard the channel, shard 0 the direct messages."""
    async with evening(tmp_path, shards=2) as d:
        await d.until(lambda: d.table.gateway.live(0) and d.table.gateway.live(1))
        await d.says(d.ann, "/roll 1d6")
        alone = next(c for c in d.table.world.channels.values() if c.person == d.ann.id)
        said = await d.says(d.ann, "/roll 1d6", alone)

        assert said.channel == alone.id
        assert len(d.messages(d.ann, alone)) == 1


async def test_the_bot_is_killed_between_acknowledgement_and_edit(tmp_path: Path) -> None:
    """The press counts, and the board is made up for by the next bot."""
    async with discord(tmp_path / "table") as d:
        gate = asyncio.Event()
        async with served(d, tmp_path / "bot") as child:
            call = await d.says(d.mara, "/group call check:Perception dice:1d20")
            d.answer_next(EDIT, gate=gate, status=500)
            await d.pressed(d.ann, call, "Roll")
            await d.until(lambda: d.sent(EDIT))
            child.send_signal(signal.SIGKILL)
            await child.wait()
        gate.set()
        async with served(d, tmp_path / "bot"):
            await d.until(lambda: f"<@{d.ann.id}> **" in d.message(call.id).text)
            again = await d.pressed(d.ann, call, "Roll")

        assert "You already rolled" in again.text


async def test_the_table_is_restarted(tmp_path: Path) -> None:
    """A new table on the same folder has the same people, messages and buttons; the bot sits down again."""
    async with evening(tmp_path) as d:
        call = await d.says(d.mara, "/group call check:Perception dice:1d20")
        before = d.messages()
    async with evening(tmp_path) as d:
        assert d.messages() == before
        assert not d.sent(r"PUT .*")
        await d.pressed(d.ann, call, "Roll")
        await d.until(lambda: f"<@{d.ann.id}> **" in d.message(call.id).text)


async def test_what_is_slow_is_deferred(d: Discord) -> None:
    """A chart comes as a file of the deferred answer, with its description; then that becomes a card."""
    await d.says(d.mara, "/roller fair name:Luck dice:2d6")
    said = await d.says(d.ann, "/odds Luck")

    assert [file["content_type"] for file in said.attachments] == ["image/png"]
    assert said.attachments[0]["description"]
    assert d.sent(WEBHOOK)
    await d.until(lambda: d.message(said.id).v2)
    assert [part["type"] for part in d.message(said.id).parts()].count(12) == 1
    assert len(d.message(said.id).attachments) == 1


async def test_a_finished_check_gets_its_chart(d: Discord) -> None:
    """Its message is made of components already, and takes no new file in a picture."""
    players = [d.ann, d.bob, *(d.table.world.add_person(f"P{n}") for n in range(3))]
    call = await d.says(
        d.mara, "/group call climb 1d20 players:" + ",".join(f"@{one.name}" for one in players)
    )
    for player in players:
        await d.press(player, call, "Roll")
    await d.until(lambda: 12 in [part["type"] for part in d.message(call.id).parts()])

    assert "file" not in d.message(call.id).text
    assert [one.status for one in d.sent(EDIT) if one.status != 200] == []


async def test_a_chart_that_may_not_be_attached_is_said(d: Discord) -> None:
    """In its place; the board is looked at, edited, and the file refused."""
    players = [d.ann, d.bob, *(d.table.world.add_person(f"P{n}") for n in range(3))]
    call = await d.says(
        d.mara, "/group call climb 1d20 players:" + ",".join(f"@{one.name}" for one in players)
    )
    panel = await d.pressed(d.mara, call, "GM…")
    d.answer_next(EDIT, times=2)
    d.answer_next(EDIT, 403, body={"code": 50013, "message": "Missing Permissions"})
    await d.press(d.mara, panel, "Roll for the missing")
    await d.until(lambda: "Attach Files" in d.message(call.id).text)

    assert "All in." in d.message(call.id).text
