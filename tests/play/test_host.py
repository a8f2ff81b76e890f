"""`play` as people start it: one process with the bot as its child, both ended by one signal."""

import asyncio
import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from bot.play.components import walk
from tests.play.guest import Guest, guest
from tests.support.forked import forked
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
async def test_a_killed_bot_and_a_killed_table_come_back(tmp_path: Path) -> None:
    """The bot by itself; the next table on the same port, with all seats. No bot outlives its table."""
    # Its own port, for others open tables on the usual one meanwhile.
    async with playing(tmp_path) as play:
        base = play.link.partition("/#")[0]
        async with guest(base) as mara:
            await sit(mara, play.link)
            await mara.line("hello")
            await mara.line("/group call check:Perception dice:1d20")
            call = (await mara.hear(lambda f: f["t"] == "message" and f["message"]["components"]))["message"]
            play.kill_bot()
            await mara.hear(lambda f: f["t"] == "bot" and f["state"] == "coming")
            await mara.hear(lambda f: f["t"] == "bot" and f["state"] == "ready")
            button = next(p["custom_id"] for p in walk(call["components"]) if "custom_id" in p)
            await mara.send(t="press", nonce="press-0001", message=call["id"], custom_id=button)
            told = await mara.hear(lambda f: f["t"] == "message" and f["message"]["only_you"])
            assert told["message"]["components"]
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
                bot = again.bot
                await again.stop(signal.SIGTERM)
                assert not runs(bot)


async def test_a_wrong_setting_ends_both(tmp_path: Path) -> None:
    """The bot says what is wrong and ends with code 2; so does the table."""
    async with playing(tmp_path, EVENHAND_RETENTION_DAYS="1") as play:
        assert await play.end() == 2


async def test_in_a_network_without_the_bot(tmp_path: Path) -> None:
    """It prints a link for players and a code of it, where its data lies, and where a bot can sit down."""
    options = ("--lan", "--port", "0", "--without-bot", "--data", str(tmp_path / "chest"))
    async with playing(tmp_path, *options) as play:
        await play.says(re.compile("Ctrl-C closes it"))

    assert "Everybody else opens" in play.said
    assert "\u2580" in play.said or "\u2588" in play.said
    assert re.search(r"sits down at http://127\.0\.0\.1:\d+/api/v10", play.said)
    assert f"Its data is in {tmp_path / 'chest' / 'play'}." in play.said
    assert (tmp_path / "chest" / "play").is_dir()
    assert not (tmp_path / "data").exists()


async def test_at_a_wrong_address(tmp_path: Path) -> None:
    """Others can't open that link, and it says so."""
    async with playing(tmp_path, "--host", "10.254.3.2", "--without-bot") as play:
        await play.says(re.compile("Ctrl-C closes it"))

    assert "Others can't open that link as it is" in play.said


async def test_a_port_in_use(tmp_path: Path) -> None:
    """One sentence and code 2."""
    environment = {"PATH": os.environ["PATH"], "EVENHAND_DATA": str(tmp_path)}
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        child = await forked(("-m", "bot", "play", "--port", str(port)), environment)
        said = await child.said()

    assert child.returncode == 2
    assert said == f"The port {port} is in use. Choose another with --port.\n"
