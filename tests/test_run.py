"""`run` says what is wrong with a token in one sentence, waits for Discord, and closes at a signal."""

import os
import re
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.cli.serving import _FINAL_CODES
from bot.times import next_pause
from tests.support.cli import evenhand
from tests.support.discord import TOKEN, Discord, discord, ready
from tests.support.forked import Child, forked


@asynccontextmanager
async def running(data: Path, *options: str, **settings: str) -> AsyncGenerator[Child]:
    """`python -m bot run` as a process of its own; killed if it still runs at the end."""
    environment = {"PATH": os.environ["PATH"], "EVENHAND_DATA": str(data), "EVENHAND_REMOTE_BITS": "false"}
    child = await forked(("-m", "bot", "run", *options), environment | settings, data)
    try:
        yield child
    finally:
        if child.returncode is None:
            child.send_signal(signal.SIGKILL)
        await child.said()


async def heard(child: Child, words: str) -> None:
    """Return when it has said a line with these words; AssertionError if it ends before."""
    while line := await child.stderr.readline():
        if words in line.decode():
            return
    raise AssertionError(f"it ended without saying: {words}")


def served(d: Discord) -> dict[str, str]:
    """The settings that point the bot to the simulated Discord."""
    return {"EVENHAND_DISCORD_API": d.table.api, "DISCORD_TOKEN": d.table.token}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "developer portal.*Reset Token.*evenhand play"),
        ({"DISCORD_TOKEN": "two words"}, "That is no bot token"),
        ({"EVENHAND_PLAY_PORT": "x"}, "The setting EVENHAND_PLAY_PORT can't be used"),
    ],
)
def test_what_it_can_not_start_with_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], sentence: str
) -> None:
    """Without a token it says where to get one, one with a blank is not tried and not shown; code 2."""
    monkeypatch.chdir(tmp_path)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    done = evenhand("run")

    assert done.exit_code == 2
    assert re.search(sentence, done.stderr)
    assert done.stderr.count("\n") == 1
    assert "two words" not in done.output


async def test_a_refused_token_is_tried_once(tmp_path: Path) -> None:
    """Discord says 401: one request, one sentence, code 2, no traceback, and the token nowhere."""
    async with discord(tmp_path / "table") as d:
        settings = served(d) | {"DISCORD_TOKEN": "wrong-but-well-formed"}
        async with running(tmp_path, **settings) as child:
            text = await child.said()

            assert child.returncode == 2
            assert [request.route for request in d.requests] == ["GET /users/@me"]
            assert text.splitlines()[-1].startswith("Discord refused the bot token.")
            assert "Traceback" not in text
            assert "wrong-but-well-formed" not in text


async def test_it_waits_for_a_discord_that_is_away(tmp_path: Path) -> None:
    """No connection is a line in the log and another try; a signal ends it with code 0."""
    away = {"EVENHAND_DISCORD_API": "http://127.0.0.1:9/api", "DISCORD_TOKEN": TOKEN}
    async with running(tmp_path, **away) as child:
        await heard(child, "Discord can't be reached")
        await heard(child, "Trying again in 1 s")
        child.send_signal(signal.SIGTERM)
        text = await child.said()

        assert child.returncode == 0
        assert "Traceback" not in text


@pytest.mark.parametrize("route", ["GET /users/@me", r"PUT /applications/\d+/commands"])
async def test_a_start_that_is_refused_is_tried_again(tmp_path: Path, route: str) -> None:
    """Discord says 403, as to an address that it has banned for a while: the log says so, and it waits."""
    async with discord(tmp_path / "table") as d:
        d.answer_next(route, 403)
        async with running(tmp_path, **served(d)) as child:
            await heard(child, "Discord refuses to let the bot begin (status 403, 0)")
            await ready(d, child)


async def test_it_serves_until_a_signal(tmp_path: Path) -> None:
    """It tells the commands and identifies itself; a signal ends it; the second start tells none."""
    async with discord(tmp_path / "table") as d:
        for start in (1, 2):
            async with running(tmp_path, **served(d)) as child:
                await ready(d, child)
                if start == 1:  # discord.py waits two seconds for further servers before this is said
                    await heard(child, "in 1 server, invite: https://discord.com/oauth2/authorize?client_id=")
                child.send_signal(signal.SIGTERM)
                text = await child.said()

                assert child.returncode == 0
                assert "Traceback" not in text
                assert d.table.token not in text

        assert len(d.sent(r"PUT /applications/\d+/commands")) == 1


FINAL = {
    4004: "Discord refused the bot token.",
    4010: "Discord refused this number of shards. Set EVENHAND_SHARDS",
    4012: "Discord no longer takes this version of the bot. Update Evenhand.",
    4013: "Discord refused what the bot asks to see",
}


@pytest.mark.parametrize("code", FINAL)
def test_each_code_that_is_final_has_a_sentence(code: int) -> None:
    """They say what to do."""
    assert _FINAL_CODES[code].startswith(FINAL[code])


@pytest.mark.parametrize(("code", "sentence"), [*FINAL.items()][::3])
async def test_what_discord_refuses_for_good_ends_it(tmp_path: Path, code: int, sentence: str) -> None:
    """While it serves the token is reset, the shards are wrong, ...: one sentence and code 2."""
    async with discord(tmp_path / "table") as d, running(tmp_path, **served(d)) as child:
        await ready(d, child)
        await d.says(d.ann, "/roll 1d6")  # it listens now; a connection that breaks earlier is tried again
        await d.drop(code)
        text = await child.said()

        assert child.returncode == 2
        assert text.splitlines()[-1].startswith(sentence)
        assert "Traceback" not in text


async def test_a_bot_that_has_grown_asks_for_its_shards_anew(tmp_path: Path) -> None:
    """Discord closes what has too many servers for a shard (4011), and tells another number."""
    async with discord(tmp_path / "table") as d, running(tmp_path, **served(d)) as child:
        await ready(d, child)
        await d.says(d.ann, "/roll 1d6")
        before, asked = d.live().id, len(d.sent("GET /gateway/bot"))
        await d.drop(4011)
        await d.ready(but=before)
        answer = await d.says(d.ann, "/roll 1d6")

        assert "#2" in answer.text
        assert len(d.sent("GET /gateway/bot")) == 2 * asked


async def test_what_can_not_be_read_ends_no_evening(tmp_path: Path) -> None:
    """One event of Discord's that discord.py can't read is in the log, and the bot comes back."""
    async with discord(tmp_path / "table") as d, running(tmp_path, **served(d)) as child:
        await ready(d, child)
        await d.says(d.ann, "/roll 1d6")
        before = d.live().id
        d.live().send("INTERACTION_CREATE", {"id": "1", "type": 2})
        await heard(child, "Discord sent what can't be read")
        await d.ready(but=before)
        answer = await d.says(d.ann, "/roll 1d6")

        assert "#2" in answer.text


def test_pauses_double_and_begin_again_after_a_steady_time() -> None:
    """From a second to the longest; after it went well for over a minute they begin with a second again."""
    pauses = [0]
    for well in (0, 5, 60, 0, 61, 0):
        pauses.append(next_pause(pauses[-1], well, 5))

    assert pauses == [0, 1, 2, 4, 5, 1, 2]
