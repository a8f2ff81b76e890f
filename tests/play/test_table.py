"""`make play` as a newcomer has it: the real bot in a process of its own, a browser, and a restart."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import expect

from tests.support.chromium import Seat, chromium, needs_chromium

ROOT = Path(__file__).parent.parent.parent
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")
_START_SECONDS = 60


@asynccontextmanager
async def playing(folder: Path) -> AsyncGenerator[str, None]:
    """The address of `python -m bot play` on a data directory; Ctrl-C ends it, and it must end well."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "play", "--port", "0"),
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "EVENHAND_DATA": str(folder / "data"),
            "EVENHAND_REMOTE_BITS": "false",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_START_SECONDS):
            address = await _address(child)
        yield address
        child.send_signal(signal.SIGINT)
        async with asyncio.timeout(_START_SECONDS):
            _, said = await child.communicate()
        assert child.returncode == 0, said.decode()
        assert "Traceback" not in said.decode()
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()


async def _address(child: asyncio.subprocess.Process) -> str:
    assert child.stdout is not None
    assert child.stderr is not None
    async for line in child.stdout:
        if found := _ADDRESS.search(line.decode()):
            return found[0]
    raise AssertionError((await child.stderr.read()).decode())


@needs_chromium
async def test_an_evening_at_the_table(tmp_path: Path) -> None:
    """Roll, roll again, a fair roller, its odds as a picture, the GM's reset; a restart keeps all of it."""
    async with chromium() as browser:
        async with playing(tmp_path) as address:
            ann, mara = await asyncio.gather(*(Seat.take(browser, address, name) for name in ("Ann", "Mara")))
            await _first_evening(ann, mara)
        async with playing(tmp_path) as address:
            ann = await Seat.take(browser, address, "Ann")
            await _next_evening(ann)


async def _first_evening(ann: Seat, mara: Seat) -> None:
    await ann.slash("roll", dice="2d6+3")
    await mara.sees("#1 ·", seconds=5)
    await ann.press("Roll again")
    await mara.sees("#2 ·", seconds=5)

    await mara.slash("roller fair", name="Luck", dice="2d6")
    await ann.sees("Luck is: fair 2d6, tightness 1.", seconds=5)
    await ann.slash("roll", dice="Luck")
    await ann.sees("#4 ·")
    await ann.slash("odds", roller="Luck")
    picture = (await mara.sees("next roll")).locator("img.attachment-image, .attachment-image img")
    await expect(picture).to_be_visible()
    loaded = "image => image.complete && image.naturalWidth > 300"
    await mara.page.wait_for_function(loaded, arg=await picture.element_handle())
    assert "fair 2d6" in str(await picture.get_attribute("alt"))

    await ann.slash("roller reset", name="Luck")
    await ann.sees("is for game masters")
    await mara.slash("roller reset", name="Luck")
    await mara.sees("Reset Luck?")
    await mara.press("Reset it")
    await ann.sees("reset Luck: it starts afresh.", seconds=5)


async def _next_evening(ann: Seat) -> None:
    await ann.choose("roll")
    await ann.fill("dice", "lu")
    await expect(ann.offered).to_have_text(["Luck"])
    await ann.offered.click()
    await ann.send()
    await ann.sees("Luck fair 2d6, tightness 1 · #6 ·")
    await ann.slash("history")
    history = await (await ann.sees("#1 ·")).inner_text()
    assert "reset Luck" in history
    assert "made or tuned Luck" in history
    assert len(re.findall(r"#\d+ ·", history)) == 6
