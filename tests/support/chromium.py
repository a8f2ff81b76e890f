"""Headless Chromium at the table: everything a person does on the page, waited for and never slept for.

A browser that opens, looks and waits like a person is the only proof that `make play` works.
"""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, async_playwright

BINARY = shutil.which("chromium") or shutil.which("chromium-browser")
ABSENT = "There is no Chromium here: install Debian's package `chromium` to test the table in a browser."
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PATIENCE_MS = 10_000

needs_chromium = pytest.mark.skipif(BINARY is None, reason=ABSENT)
"""Skips a test where no Chromium is installed, and only there."""


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser, None]:
    """A browser with an empty profile, closed at the end."""
    assert BINARY is not None, ABSENT
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=BINARY, args=list(_FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


class Seat:
    """One person's own window; every method waits for what it needs, 10 seconds at most."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name

    @classmethod
    async def take(cls, browser: Browser, address: str, name: str) -> "Seat":
        """Open `address` in a window of its own and sit down as `name` ("Mara", "Ann" or "Bob")."""
        context = await browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(_PATIENCE_MS)
        page = await context.new_page()
        await page.goto(address)
        seat = cls(page, name)
        await seat.become(name)
        return seat

    async def become(self, name: str) -> None:
        """Switch who sits here."""
        who = self.page.locator("#viewer-picker")
        identity = await who.locator("option", has_text=name).get_attribute("value")
        await self._idle()
        await who.select_option(value=identity)
        await self.page.wait_for_function(
            "id => window.simcordPreview.ready && window.simcordPreview.viewerId === id", arg=identity
        )
        self.name = name

    async def slash(self, name: str, /, **options: str) -> None:
        """Type a slash command ("roller fair") with its options by name, and send it."""
        await self.choose(name)
        for option, value in options.items():
            await self.fill(option, value)
        await self.send()

    async def choose(self, name: str) -> None:
        """Type the command's name and take it from the list."""
        await self._idle()
        await self.page.locator("#channel-composer-input").fill(f"/{name}")
        entry = self.page.locator(".command-entry", has=self.page.get_by_text(f"/{name}", exact=True))
        await entry.click()

    async def fill(self, option: str, value: str) -> None:
        """Type an option's value, first fetching the option from the list of optional ones if it is there.

        Of a fixed list of choices the one named `value` is taken. What autocomplete offers is left alone:
        that is `offered`.
        """
        field = self.page.locator(f'.command-option-input[data-option="{option}"]')
        if not await field.count():
            await self.page.locator(".command-chip").click()
            await self.offered.get_by_text(option, exact=True).click()
        await field.click()
        fixed = self.offered.get_by_text(value, exact=True)
        if await fixed.count():
            await fixed.click()
        else:
            await field.fill(value)

    @property
    def offered(self) -> Locator:
        """The choices offered for the option under the cursor."""
        return self.page.locator(".command-suggestion-label")

    async def send(self) -> None:
        """Send what is typed, and wait until the bot has answered it."""
        await self.page.locator("#send-message").click()
        await self.page.locator(".command-chip").wait_for(state="detached")

    async def press(self, label: str) -> None:
        """Press the newest button of that label that can be pressed."""
        await self._idle()
        await self.page.locator(".component-button:enabled", has_text=label).last.click()

    async def _idle(self) -> None:
        """Wait until the page takes the next action: what is clicked earlier, it drops without a word."""
        await self.page.wait_for_function(
            "() => { const page = window.simcordPreview;"
            " return page.ready && page.pendingAction === null && page.awaitingRevision === null; }"
        )

    def message(self, text: str) -> Locator:
        """The messages that hold `text`, the oldest first; an expectation or a wait on it polls."""
        return self.page.locator(".channel-message", has_text=text)

    async def sees(self, text: str, *, seconds: float = 10) -> Locator:
        """Wait until a message holds `text`, and return the newest that does."""
        newest = self.message(text).last
        await newest.wait_for(timeout=seconds * 1000)
        return newest

    async def messages(self) -> list[str]:
        """What every message on the page says, the oldest first, author and buttons included."""
        return await self.message("").all_inner_texts()

    async def screenshot(self, path: Path) -> None:
        """Write what the window shows to a PNG file."""
        await self.page.screenshot(path=path)
