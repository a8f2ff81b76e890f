"""The verifier in JavaScript, on a page of its own in headless Chromium, for tests that do not wait."""

import asyncio
from base64 import b64encode
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.async_api import Page

from tests.support.chromium import chromium

MODULE = Path(__file__).parents[2] / "tools" / "verify.js"
_LOAD = """async (source) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    window.verifier = await import(address);
    window.bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}"""


class Script:
    """A page that has the module as `verifier`, and nothing of the network."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._page: Page | None = None

    async def open(self, page: Page) -> None:
        """Load the module, and cut the page off."""
        self._page = page
        await page.context.set_offline(True)
        await page.evaluate(_LOAD, MODULE.read_text("utf-8"))

    def run(self, script: str, argument: object = None) -> Any:
        """Return what a function of the page gives."""
        assert self._page is not None
        return self._wait(self._page.evaluate(script, argument))

    def verify(self, files: list[bytes], **options: object) -> tuple[int, str]:
        """Return the exit code and the words for files."""
        said = self.run(
            "([files, options]) => verifier.verify(files.map(bytes), options)",
            [[b64encode(file).decode() for file in files], options],
        )
        return said["code"], said["words"]

    def _wait(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


@contextmanager
def browsing() -> Generator[Script]:
    """Open a browser whose loop runs in a thread, for other tests have loops of their own."""
    loop = asyncio.new_event_loop()
    script, opened, done = Script(loop), loop.create_future(), asyncio.Event()

    async def serve() -> None:
        async with chromium() as browser:
            await script.open(await browser.new_page())
            opened.set_result(None)
            await done.wait()

    thread = Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(asyncio.wait_for(opened, None), loop).result()
        yield script
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()
