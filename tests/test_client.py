"""The client answers every error in private, and tells Discord its commands only when they changed."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import discord
import pytest
from simcord import SetupError

from bot.answers import LATE_SECONDS, Lateness, report, sentence_for
from bot.client import COGS, Evenhand
from bot.dice.errors import NotationError
from bot.services.pace import Pace
from tests.support.wire import Wire, reply, wire

if TYPE_CHECKING:
    from bot.app import App

FAULTY = ("tests.support.faulty",)


def faulty(**options: Any) -> Callable[[], Evenhand]:
    """A client with nothing but the faulty cog, which needs no app."""
    return lambda: Evenhand(cast("App", SimpleNamespace(pace=Pace())), cogs=FAULTY, **options)


async def answer(table: Wire, command: str, **options: str) -> str:
    """What Ann alone is told."""
    response = reply(await table.slash(table.ann, command, **options))

    assert response.ephemeral
    return response.content


async def test_it_asks_for_no_more_than_the_guilds_intent() -> None:
    """No privileged intent, no message, no member and no mention reaches or leaves the bot."""
    bot = faulty()()

    assert bot.intents == discord.Intents(guilds=True)
    assert bot.allowed_mentions is not None
    assert bot.allowed_mentions.to_dict() == {"parse": []}
    assert bot._connection.max_messages is None
    assert bot.tree.allowed_installs is not None
    assert (bot.tree.allowed_installs.guild, bot.tree.allowed_installs.user) == (True, True)


async def test_a_bot_that_never_got_there_was_not_online_for_a_moment() -> None:
    """However long it has tried: only a connection that was there counts as steady."""
    bot = faulty()()

    assert bot.online_seconds == 0
    async with wire(lambda: bot):
        assert bot.online_seconds > 0


async def test_the_askers_error_is_their_sentence() -> None:
    """A misreading comes with its place and a suggestion, also after the answer was put off."""
    async with wire(faulty()) as table:
        misread = await answer(table, "misread", dice="2x6")
        refused = await answer(table, "refuse")

        assert misread == "I can't read '2x6'. Here: `2x▸6◂`. Did you mean `2d6`?"
        assert refused == "Only a game master may do that."


async def test_what_is_unavailable_is_said_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A full disk is told to the asker and to whoever runs the bot."""
    async with wire(faulty(), expected=Exception) as table:
        said = await answer(table, "full")

        assert said == "The disk is full: nothing was rolled."
        assert said in caplog.text


async def test_a_fault_of_ours_has_a_number_in_answer_and_log(caplog: pytest.LogCaptureFixture) -> None:
    """The traceback is logged under the number, without what the asker typed."""
    async with wire(faulty(), expected=RuntimeError) as table:
        said = await answer(table, "crash", secret="it's my\nname")
        number = said.removesuffix(".").split()[-1]

        assert f"Error {number}\nTraceback" in caplog.text
        assert "RuntimeError: cannot handle" in caplog.text
        assert "my\\nname" not in caplog.text
        assert "RuntimeError" not in said


async def test_a_failed_check_is_answered() -> None:
    """A check that says no has a sentence, and not the library's."""
    async with wire(faulty(), expected=Exception) as table:
        assert await answer(table, "forbidden") == "You can't do that here."


async def test_an_answer_can_be_followed_by_an_apology() -> None:
    """After a public answer, the apology is a private message of its own."""
    async with wire(faulty(), expected=KeyError) as table:
        result = await table.slash(table.ann, "twice")

        assert reply(result).content == "Here you are, @everyone."
        assert [message.ephemeral for message in result.followups] == [True]


async def test_an_apology_does_not_take_the_place_of_a_public_answer_to_come() -> None:
    """What all were to wait for goes, and whoever asked is told alone; others see nothing."""
    async with wire(faulty(), expected=KeyError) as table:
        result = await table.slash(table.ann, "late")

        assert [message.ephemeral for message in result.followups] == [True]
        assert table.seen_by(table.bob) == []


async def test_a_stop_says_what_it_could_not_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits is told alone, and nothing goes on with connections that are closed."""
    monkeypatch.setattr("bot.client._LAST_ANSWERS_SECONDS", 0)
    async with wire(faulty()) as table:
        bot = table.bot
        cog: Any = bot.get_cog("Faulty")
        cog.wait = lambda: table.env.external_wait(asyncio.Event().wait(), reason="it never ends")
        await table.slash(table.ann, "endless")
        (running,) = bot.tree._running
        await bot.tree.finish()

        assert running.cancelled()
        assert table.seen_by(table.ann) == [
            "I am restarting and could not finish this. Look at `/history` before you do it again."
        ]
        assert table.seen_by(table.bob) == []


async def test_a_stop_may_see_the_last_answer_at_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is answered in the very step in which the time is over needs no apology, and breaks nothing."""
    monkeypatch.setattr("bot.client._LAST_ANSWERS_SECONDS", 0)
    tree = faulty()().tree

    async def answered() -> None:
        pass

    last: asyncio.Task[object] = asyncio.create_task(answered())
    tree._running[last] = cast("discord.Interaction[Evenhand]", None)
    last.add_done_callback(tree._running.pop)
    await tree.finish()

    assert last.done()


async def test_what_is_suggested_while_typing_displaces_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest commands and presses are known by their ids, however much is typed meanwhile."""
    monkeypatch.setattr("bot.client._MOST_RECENT", 1)
    async with wire(faulty()) as table:
        await answer(table, "refuse")
        bot = table.bot
        known = list(bot.recent_interactions)
        for _ in range(3):
            bot.dispatch("interaction", await interaction(table, age_seconds=0, kind=4))

        assert list(bot.recent_interactions) == known != []


async def test_what_discord_no_longer_takes_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    """An unknown interaction (10062) gives no second try and no error number."""
    async with wire(faulty()) as table:
        stale = await interaction(table, age_seconds=0)
        await report(stale, gone(10062))

        assert "what was done stands" in caplog.text
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_late_interaction_is_refused() -> None:
    """An interaction that is seconds older than others were is not let through."""
    async with wire(faulty()) as table:
        check = table.bot.tree.interaction_check

        assert await check(await interaction(table, age_seconds=0.2))
        assert not await check(await interaction(table, age_seconds=3))


async def test_commands_are_told_only_when_they_changed(tmp_path: Path) -> None:
    """The second start tells nothing; other commands, or the asking for it, do."""
    memory = tmp_path / "commands"
    async with wire(faulty(sync_memory=memory)) as table:
        assert reply(await table.slash(table.ann, "refuse")).ephemeral
    first = memory.read_text(encoding="ascii")
    assert memory.stat().st_mode & 0o077 == 0

    async with wire(faulty(sync_memory=memory)) as table:
        with pytest.raises(SetupError):
            await table.slash(table.ann, "refuse")
    async with wire(faulty(sync_memory=memory, sync=True)) as table:
        assert reply(await table.slash(table.ann, "refuse")).ephemeral
    async with wire(lambda: Evenhand(cast("App", None), cogs=(), sync_memory=memory)):
        assert memory.read_text(encoding="ascii") != first


def test_an_age_counts_from_the_smallest() -> None:
    """A clock that is wrong by a constant changes nothing, in either direction."""
    for wrong in (-1_000.0, 0.0, 1_000.0):
        lateness = Lateness()

        assert not lateness.is_late(wrong + 0.25, at=0)
        assert not lateness.is_late(wrong + 0.25 + LATE_SECONDS, at=1)
        assert lateness.is_late(wrong + 0.5 + LATE_SECONDS, at=2)


def test_a_clock_put_right_is_believed_after_two_minutes() -> None:
    """Only the smallest age of the last two minutes with any traffic counts, however long ago they were."""
    lateness = Lateness()

    assert not lateness.is_late(0, at=0)
    assert [lateness.is_late(9, at=at) for at in (30, 7_000, 14_000, 14_001)] == [True, True, False, False]


def test_sentences_are_for_our_own_errors_only() -> None:
    """An error that is not of the core has no sentence."""
    assert sentence_for(ValueError("internal")) is None
    assert sentence_for(NotationError("I can't read 'x'.", column=2)) == (
        "I can't read 'x'. Dice look like `2d6+3`. `/save` keeps a roll, `/me` a number."
    )


def test_every_cog_is_loaded() -> None:
    """The client's list is what stands in the folder."""
    found = sorted(f"cogs.{path.parent.name}.cog" for path in Path("cogs").glob("*/cog.py"))

    assert sorted(COGS) == found


async def interaction(table: Wire, age_seconds: float, kind: int = 2) -> discord.Interaction[Any]:
    """A real interaction, made `age_seconds` ago by the clock of Discord's ids; `kind` 2 is a command."""
    made = discord.utils.utcnow().timestamp() - age_seconds
    payload: dict[str, Any] = {
        "id": str(int(made * 1000 - discord.utils.DISCORD_EPOCH) << 22),
        "application_id": "1",
        "type": kind,
        "token": "gone",
        "version": 1,
        "data": {"id": "1", "name": "refuse", "type": 1},
        "channel": {"id": "7", "type": 1, "recipients": []},
        "user": {"id": "5", "username": "ann", "discriminator": "0", "avatar": None},
        "entitlements": [],
        "authorizing_integration_owners": {},
        "attachment_size_limit": 1,
        "locale": "en-GB",
        "context": 1,
        "app_permissions": "0",
    }
    return discord.Interaction(data=cast("Any", payload), state=table.bot._connection)


def gone(code: int) -> discord.NotFound:
    """Discord's answer that it no longer knows the interaction."""

    class Response:
        status = 404
        reason = "Not Found"

    return discord.NotFound(cast("Any", Response()), {"code": code, "message": "Unknown interaction"})
