"""The verifier in JavaScript and its page, in Chromium, for tests without an event loop."""

import asyncio
from base64 import b64encode
from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.async_api import Browser, FilePayload, Page

from tests.support.chromium import chromium

ROOT = Path(__file__).parents[2]
MODULE, PAGE = ROOT / "tools" / "verify.js", ROOT / "docs" / "verify.html"
_LOAD = """async (source) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    window.verifier = await import(address);
}"""
_CHECK = """async ([files, checkpoints, seals, part]) => {
    document.body.hidden = true;  // nobody looks at these verdicts, and to draw them takes longest
    const at = (id) => document.getElementById(id), found = () => at("verdict").querySelector("pre");
    const until = async (done) => {
        while (!done()) await new Promise((go) => setTimeout(go));
    };
    while (at("list").firstChild) at("list").querySelector("button").click();
    const given = new DataTransfer();
    for (const [place, text] of files.entries()) {
        const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
        given.items.add(new File([bytes], `history-${place + 1}.jsonl`));
    }
    at("files").files = given.files;
    at("files").dispatchEvent(new Event("change"));
    await until(() => at("list").children.length === files.length);
    [at("checkpoints").value, at("seals").value, at("part").checked] = [checkpoints, seals, part];
    at("form").requestSubmit();
    await until(found);
    return [Number(at("verdict").dataset.code), `${found().textContent}\\n`];
}"""
_ELSEWHERE = """() => new Promise((resolve) => {
    document.onsecuritypolicyviolation = (broken) => resolve(broken.effectiveDirective);
    fetch("http://127.0.0.1:9/").catch(() => {});
})"""


class Script:
    """The module as `verifier` on an empty page, and the verifier's own page, both without a network.

    `requests` are the addresses that its own page requested, `faults` the errors on it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._module: Page | None = None
        self._page: Page | None = None
        self.requests: list[str] = []
        self.faults: list[str] = []

    async def open(self, browser: Browser) -> None:
        """Load the module and the page, and take both off the network."""
        self._module, self._page = await browser.new_page(), await browser.new_page()
        await self._module.evaluate(_LOAD, MODULE.read_text("utf-8"))
        self._page.on("request", lambda request: self.requests.append(request.url))
        self._page.on("pageerror", lambda error: self.faults.append(str(error)))
        self._page.on("console", lambda message: self.faults.append(message.text))
        await self._page.goto(PAGE.as_uri())
        for page in (self._module, self._page):
            await page.context.set_offline(True)

    def run(self, script: str, argument: object = None) -> Any:
        """Return the result of a JavaScript function on the module's page."""
        assert self._module is not None
        return self._wait(self._module.evaluate(script, argument))

    def verify(
        self,
        files: Sequence[bytes],
        checkpoints: Sequence[str] = (),
        seals: Sequence[str] = (),
        *,
        part: bool = False,
    ) -> tuple[int, str]:
        """Return the page's exit code and text for files that a script puts into its form."""
        assert self._page is not None
        encoded = [b64encode(file).decode() for file in files]
        arguments = [encoded, "\n".join(checkpoints), "\n".join(seals), part]
        code, words = self._wait(self._page.evaluate(_CHECK, arguments))
        return code, words

    def told(
        self,
        files: Sequence[bytes],
        checkpoints: Sequence[str] = (),
        seals: Sequence[str] = (),
        *,
        part: bool = False,
    ) -> tuple[int, str, str]:
        """Return the exit code, the text and its heading for files that are chosen by hand."""
        return self._wait(self._ask(files, checkpoints, seals, part=part))

    def dropped(self, drop: str, texts: Sequence[str]) -> tuple[int, str]:
        """Reload the page, drop files with a JavaScript function, and return the exit code and text."""
        return self._wait(self._dropped(drop, texts))

    def asks_elsewhere(self) -> str:
        """Return the name of the security rule that blocks a request to a server on this machine."""
        assert self._page is not None
        return self._wait(self._page.evaluate(_ELSEWHERE))

    async def _dropped(self, drop: str, texts: Sequence[str]) -> tuple[int, str]:
        page = self._page
        assert page is not None
        await page.reload()
        await page.evaluate(drop, texts)
        await page.get_by_role("listitem").wait_for()
        return (await self._checked(page))[:2]

    async def _ask(
        self, files: Sequence[bytes], checkpoints: Sequence[str], seals: Sequence[str], *, part: bool
    ) -> tuple[int, str, str]:
        page = self._page
        assert page is not None
        await page.evaluate("() => { document.body.hidden = false; }")
        for _ in range(await page.get_by_role("listitem").count()):
            await page.get_by_role("button", name="Remove").first.click()
        payloads: list[FilePayload] = [
            {"name": f"history-{place}.jsonl", "mimeType": "", "buffer": file}
            for place, file in enumerate(files, 1)
        ]
        await page.get_by_label("Choose them").set_input_files(payloads)
        await page.locator(f"li:nth-child({len(files)})").wait_for()
        await page.get_by_label("The files before these").set_checked(part)
        await page.get_by_label("Paste the line").fill("\n".join(checkpoints))
        await page.get_by_label("Seals").fill("\n".join(seals))
        return await self._checked(page)

    @staticmethod
    async def _checked(page: Page) -> tuple[int, str, str]:
        await page.get_by_role("button", name="Check", exact=True).click()
        verdict = page.locator("output[data-code]")
        await verdict.locator("pre").wait_for()
        code, words = await verdict.get_attribute("data-code"), await verdict.locator("pre").text_content()
        return int(code or 0), f"{words}\n", await verdict.get_by_role("heading").inner_text()

    def _wait(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


@contextmanager
def browsing() -> Generator[Script]:
    """Open a browser with an event loop in a thread, since other tests have loops of their own."""
    loop = asyncio.new_event_loop()
    script, opened, done = Script(loop), loop.create_future(), asyncio.Event()

    async def serve() -> None:
        async with chromium() as browser:
            try:
                opened.set_result(await script.open(browser))
            except Exception as error:  # noqa: BLE001 (the waiting test gets it)
                opened.set_exception(error)
                return
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
