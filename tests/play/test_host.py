"""`play` as people start it: one process with the bot as its child, both ended by one signal."""

import asyncio
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from bot.play.components import walk
from tests.play.guest import Guest, guest
from tests.support.playing import playing


async def sit(page: Guest, address: str) -> None:
    """Take the seat of an address; return when the bot is there too."""
    await page.join(address.partition("#")[2], "Mara")
    await with_bot(page)


async def with_bot(page: Guest) -> None:
    """Return when the bot is there, however busy the machine is: the table itself waits for five seconds."""
    if page.welcome["bot"]["state"] != "ready":
        await page.hear(lambda frame: frame["t"] == "bot" and frame["state"] == "ready")


def runs(pid: int) -> bool:
    """Whether a process still runs."""
    try:
        return b"bot" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def ended(pid: int) -> None:
    """Return once a process that is no child of ours has ended."""
    while runs(pid):
        time.sleep(0)


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@linux
async def test_an_evening_with_a_killed_bot(tmp_path: Path) -> None:
    """The bot comes back by itself, old buttons work, and Ctrl-C ends both."""
    async with playing(tmp_path) as play:
        async with guest(play.link.partition("/#")[0]) as mara:
            await sit(mara, play.link)
            await mara.line("/group call check:Perception dice:1d20")
            call = (await mara.hear(lambda f: f["t"] == "message"))["message"]
            play.kill_bot()
            await mara.hear(lambda f: f["t"] == "bot" and f["state"] == "coming")
            await mara.hear(lambda f: f["t"] == "bot" and f["state"] == "ready")
            button = next(p["custom_id"] for p in walk(call["components"]) if "custom_id" in p)
            await mara.send(t="press", nonce="press-0001", message=call["id"], custom_id=button)
            told = await mara.hear(lambda f: f["t"] == "message" and f["message"]["only_you"])
            assert told["message"]["components"]
            bot = play.bot
        await play.stop()
        assert not runs(bot)


@linux
async def test_a_killed_table_takes_its_bot_with_it(tmp_path: Path) -> None:
    """And the next one opens on the same port, with what was said, and the same seat."""
    # Its own port, for others open tables on the usual one meanwhile.
    async with playing(tmp_path) as play:
        base = play.link.partition("/#")[0]
        async with guest(base) as mara:
            await sit(mara, play.link)
            await mara.line("hello")
            await mara.line("/roll 1d6")
            await mara.hear(lambda f: f["t"] == "done")
            bot = play.bot
            await play.kill()
            await asyncio.to_thread(ended, bot)
            async with playing(tmp_path, "--port", "0") as again:
                assert again.link.startswith(base)
                await mara.open()
                await with_bot(mara)
                assert mara.welcome["open"]["messages"][0]["text"] == "hello"
                await mara.line("/roll 1d6", nonce="another-one")
                await mara.hear(lambda f: f["t"] == "done" and f["nonce"] == "another-one")
                await again.stop(signal.SIGTERM)


async def test_a_wrong_setting_ends_both(tmp_path: Path) -> None:
    """The bot says what is wrong and ends with code 2; so does the table."""
    async with playing(tmp_path, EVENHAND_RETENTION_DAYS="1") as play:
        assert await play.end() == 2


async def test_without_the_bot(tmp_path: Path) -> None:
    """It prints where a bot of one's own can sit down."""
    async with playing(tmp_path, "--without-bot") as play:
        assert await play.says(re.compile(r"http://127\.0\.0\.1:\d+/api/v10"))


async def test_in_a_network(tmp_path: Path) -> None:
    """It prints a link for players and a code of it; the API stays on loopback."""
    async with playing(tmp_path, "--lan", "--port", "0", "--without-bot") as play:
        await play.says(re.compile("Ctrl-C closes it"))
        assert "Everybody else opens" in play.said
        assert "\u2580" in play.said or "\u2588" in play.said


async def test_a_port_in_use(tmp_path: Path) -> None:
    """One sentence and code 2."""
    server = await asyncio.start_server(lambda _r, w: w.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with playing(tmp_path, "--port", str(port)) as play:
        assert await play.end() == 2
        assert f"The port {port} is in use. Choose another with --port." in play.said
    server.close()
