"""A connection to Discord that breaks, which is neither a refusal nor an OSError: what waits goes on."""

import asyncio
import gc
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from discord import AllowedMentions, DiscordException, InteractionResponse, InteractionType
from discord.http import Route

from bot.answers import AnswerRefused, sentence_for
from bot.app import App
from bot.campaign.campaigns import Looks
from bot.cli.stopping import background_task
from bot.client import Evenhand
from bot.dice.errors import Unavailable
from bot.services.calls import Calls
from bot.storage.engine import transact
from cogs.kit.cards import send
from cogs.kit.throttle import Progress
from tests.support.groups import call, rolls, text
from tests.support.pressing import arrives
from tests.support.proving import proof_on
from tests.support.table import Table, table
from tests.support.wire import reply
from tests.wire.test_live import forget_message
from tests.wire.test_log import logged, texts
from tests.wire.test_proof import run_low


@contextmanager
def cut(t: Table, monkeypatch: pytest.MonkeyPatch, route: str) -> Generator[None]:
    """Break the connection at each request of the bot's whose method and path fit, within the block."""
    ask = t.bot.http.request

    async def request(asked: Route, **more: Any) -> Any:
        if re.fullmatch(route, f"{asked.method} {asked.url.removeprefix(Route.BASE)}"):
            raise aiohttp.ServerDisconnectedError
        return await ask(asked, **more)

    with monkeypatch.context() as patch:
        patch.setattr(t.bot.http, "request", request)
        yield


async def test_a_log_goes_on_where_nobody_could_be_told_that_it_is_barred(
    t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The channel takes nothing, and saying so fails too: later rolls have their lines all the same."""
    log = await logged(t)
    cog: Any = t.bot.get_cog("Roll log")
    t.env.inject_error("POST", f"/channels/{log.id}/messages", status=403, code=50001)
    with cut(t, monkeypatch, f"POST /channels/{t.channel.id}/messages"):
        await t.says(t.ann, "roll", dice="1d1+2")
    resting = cog._messages._states[log.id].timer is not None
    cog._messages._finish(log.id)
    await t.says(t.ann, "roll", dice="1d1+4")

    assert resting
    assert [line.split()[1] for line in texts(log)] == ["**5**"]


async def test_an_evening_is_looked_back_at_without_the_names_that_did_not_come(
    t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord does not tell a player's name, and the session's end says all else."""
    await t.says(t.mara, "session start")
    await t.says(t.ann, "roll", dice="1d6")
    with cut(t, monkeypatch, "GET /guilds/.*"):
        ended = await t.says(t.mara, "session end")

    assert "A short night" in ended


async def test_a_start_needs_no_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot serves where the list of its pictures does not come."""

    async def lost(_: Evenhand) -> None:
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(Evenhand, "fetch_application_emojis", lost)
    async with table(tmp_path) as t:
        assert "**3**" in await t.says(t.ann, "roll", dice="1d1+2")


async def test_new_keys_are_tried_again_at_once(t: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that could not be shown leave the turn to the next minute's look."""
    await proof_on(t, t.mara)
    await t.slash(t.mara, "roll", dice="1d20")
    await run_low(t)
    cog: Any = t.bot.get_cog("Proof")
    with cut(t, monkeypatch, "POST /channels/.*"):
        await cog.renew()
    before = "\n".join(t.seen_by(t.bob))
    await cog.renew()

    assert "goes on with new keys" not in before
    assert "goes on with new keys" in t.seen_by(t.bob)[-2]


async def test_a_press_is_kept_in_mind_until_its_board_is_edited(
    t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is away at the first try, and only the press knows which message is the board."""
    looks, board = iter([Unavailable("away")]), Calls.board

    async def away_once(calls: Calls, *at: Any) -> Any:
        if error := next(looks, None):
            raise error
        return await board(calls, *at)

    called = await call(t)
    await transact(t.database, forget_message())
    monkeypatch.setattr(Calls, "board", away_once)
    await rolls(t, called, t.ann)

    assert t.ann.mention in text(called)


async def test_a_bar_that_could_not_be_shown_is_nobodys_error() -> None:
    """The edit that the end waits for fails, and no exception is left behind for the loop to complain of."""
    complaints: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context))

    async def edit(_done: int, _of: int) -> None:
        raise aiohttp.ServerDisconnectedError

    progress = Progress(edit, iter(range(0, 100, 5)).__next__)
    await asyncio.to_thread(progress.tell, 1, 11)
    await progress.end()
    del progress
    gc.collect()
    await asyncio.sleep(0)

    assert complaints == []


async def test_a_file_that_does_not_come_is_nobodys_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The asker reads that Discord did not give it, and not that the bot has a fault."""

    async def lost(_: str) -> bytes:
        raise aiohttp.ServerDisconnectedError

    async with table(tmp_path, expected=Unavailable) as t:
        monkeypatch.setattr(t.bot.http, "get_from_cdn", lost)
        answer = await t.slash(t.ann, "me", file=("mira.txt", b"str 3"))

    assert "Discord did not give me the file" in reply(answer).content


async def test_a_message_that_rings_stays_text_where_it_can_not_become_a_card(
    t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there, and what is noted of it goes on; only its look is the plainer one."""
    channel = t.bot.get_partial_messageable(t.channel.id)
    with cut(t, monkeypatch, "PATCH .*"):
        number = await send(channel, "Wake up", calls=AllowedMentions.none(), looks=Looks.CARDS)

    assert [message.id for message in t.channel.history()] == [number]


def test_an_answer_that_was_cut_off_is_discords_fault() -> None:
    """Whoever asked is not told to report it."""
    assert (sentence_for(aiohttp.ServerDisconnectedError()) or "").startswith("Discord had a fault")


async def test_work_beside_that_breaks_off_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """At once, with what broke it off, and not only when all ends."""

    async def breaks() -> None:
        raise ArithmeticError("two and two")

    async with background_task(breaks(), "sums"):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        [record] = caplog.records

    assert record.getMessage() == "The sums broke off"
    assert record.exc_info


@pytest.mark.parametrize(
    "error", [aiohttp.ServerDisconnectedError, ConnectionResetError, DiscordException, AnswerRefused]
)
async def test_what_is_done_is_not_done_again_where_its_answer_was_lost(
    t: Table, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """The reset stands, its answer does not come through, and a second press resets nothing."""

    async def lost(*_: object, **__: object) -> None:
        raise error

    await t.says(t.mara, "roller deck", name="Cards")
    question = reply(await t.slash(t.mara, "roller reset", name="Cards"))
    with monkeypatch.context() as patch:
        patch.setattr(InteractionResponse, "edit_message", lost)
        await arrives(t, t.mara, InteractionType.component, "reset:1:Cards", question)
    again = reply(await arrives(t, t.mara, InteractionType.component, "reset:1:Cards", question))

    assert again.content.startswith("That is done already.")
    assert (await t.whispers(t.mara, "history")).count("reset `Cards`") == 1


async def test_a_press_may_be_repeated_after_a_fault_of_the_database(
    t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is away at the first press, so nothing is done, and the same button works then."""

    async def away(*_: object) -> None:
        raise Unavailable("away")

    await t.says(t.mara, "roller deck", name="Cards")
    asked = await t.slash(t.mara, "roller reset", name="Cards")
    with monkeypatch.context() as patch:
        patch.setattr(App, "ask", away)
        await t.press(asked, "Reset it", t.mara)
    await t.press(asked, "Reset it", t.mara)

    assert (await t.whispers(t.mara, "history")).count("reset `Cards`") == 1
