"""Headless Chromium at the table, with elements found by role and name, as a person finds them.

Tests wait for elements of the page, and for time only where the table asks for it.
"""

import asyncio
import json
import os
import re
import secrets
import shutil
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Self, TypeAlias

import pytest
from playwright.async_api import Browser, Locator, Page, Route, WebSocketRoute, async_playwright, expect

from bot.words.languages import PSEUDO, language

# The shell has no windows of its own to draw: the same pages take a third less time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
BINARY = next(filter(None, map(shutil.which, _NAMES)), None)
ABSENT = "There is no Chromium: install Debian's package `chromium-headless-shell` for the browser tests."
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
    "--in-process-gpu",
)
_PATIENCE_MS = 60_000
"""Limit of each wait, since a busy machine takes half a minute to start the bot."""
SPOKEN = "en"
"""Language code of the tables that tests open."""
ANOTHER = "Another person at this device"
"""Name of the button that makes a link for one more person."""
LATE = int(os.environ.get("LATE", "0"))
"""Largest delay between a page and its server, in ms; `LATE=400` reveals tests that depend on speed."""
expect.set_options(timeout=_PATIENCE_MS)

_THREAD = """async (name) => {
    const load = (file) => import(`${location.origin}/site/${file}.js`);
    const [{ request }, { state }, { openChannel }] = await Promise.all(["socket", "state", "log"].map(load));
    const first = [...state.channels.values()].find(({ kind }) => kind === "text");
    await openChannel((await request("thread.create", { channel: first.id, name })).channel);
}"""

needs_chromium = pytest.mark.skipif(BINARY is None, reason=ABSENT)
"""Skips a test where no Chromium is installed, and only there."""


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser, None]:
    """Yield a browser with an empty profile, and close it at the end."""
    assert BINARY is not None, ABSENT
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=BINARY, args=list(_FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


Held: TypeAlias = asyncio.Queue[tuple[WebSocketRoute, str | bytes]]
"""Frames kept from a page, each with its route."""


def holding(sign: str, held: Held) -> Callable[[WebSocketRoute], None]:
    """Return a handler that keeps the server's frames with `sign` in them from a page."""

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(
            lambda frame: held.put_nowait((route, frame)) if sign in str(frame) else route.send(frame)
        )

    return hold


def holding_hints(line: str, held: Held) -> Callable[[WebSocketRoute], None]:
    """Return a handler that keeps the suggestions for exactly this line from a page."""
    numbers: set[int] = set()

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def forth(frame: str | bytes) -> None:
            question = json.loads(frame)
            if question.get("head") == line:
                numbers.add(question["n"])
            server.send(frame)

        def back(frame: str | bytes) -> None:
            if json.loads(frame).get("n") in numbers:
                held.put_nowait((route, frame))
            else:
                route.send(frame)

        route.on_message(forth)
        server.on_message(back)

    return hold


async def press(control: Locator) -> None:
    """Press Enter on an element that no dialog covers."""
    await control.click(trial=True)
    await control.press("Enter")


_shares = cycle((0.0, 0.7, 0.2, 1.0, 0.4))


async def load_late(route: Route) -> None:
    """Delay a picture or a file by up to `LATE` ms."""
    await asyncio.sleep(next(_shares) * LATE / 1000)
    await route.continue_()


def late(route: WebSocketRoute) -> None:
    """Delay each frame between a page and its server by up to `LATE` ms, in order."""
    server = route.connect_to_server()

    def carry(send: Callable[[str | bytes], None]) -> Callable[[str | bytes], None]:
        loop, due = asyncio.get_running_loop(), 0.0

        def later(frame: str | bytes) -> None:
            nonlocal due
            due = max(due + 1e-6, loop.time() + next(_shares) * LATE / 1000)
            loop.call_at(due, send, frame)

        return later

    route.on_message(carry(server.send))
    server.on_message(carry(route.send))


class Seat:
    """A person's window; each method waits until the page is ready for it."""

    def __init__(self, page: Page, name: str, *, touch: bool = False, speaks: str = "") -> None:
        self.page = page
        self.name = name
        self.speaks = speaks or SPOKEN
        self._touch = touch
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "console", lambda message: self.faults.append(message.text) if message.type == "error" else None
        )

    @classmethod
    async def take(
        cls,
        browser: Browser,
        link: str,
        name: str,
        *,
        width: int = 1280,
        touch: bool = False,
        light: bool = False,
        speaks: str = "",
    ) -> Self:
        """Open `link` in a new window and sit down as `name`; `touch` makes it a phone.

        `speaks` is the language of the page, and of the browser unless it is the pseudo-language.
        """
        context = await browser.new_context(
            viewport={"width": width, "height": 844 if touch else 900},
            has_touch=touch,
            is_mobile=touch,
            color_scheme="light" if light else "dark",
            locale="en-GB" if (speaks or SPOKEN) in {"en", PSEUDO} else speaks,
            timezone_id="Europe/Berlin",
        )
        context.set_default_timeout(_PATIENCE_MS)
        if speaks:
            await context.add_cookies([{"name": "language", "value": speaks, "url": link}])
        if LATE:
            await context.route("**", load_late)
            await context.route_web_socket(re.compile("/socket$"), late)
        seat = cls(await context.new_page(), name, touch=touch, speaks=speaks)
        await seat.sit(link)
        return seat

    async def sit(self, link: str) -> None:
        """Open an invitation link, and sit down by keyboard."""
        await self.page.goto(link)
        field = self.page.get_by_label(self.own("Your name"))
        await field.fill(self.name)
        await field.press("Enter")
        await expect(self.field).to_be_visible()
        await self.ready()

    async def ready(self) -> None:
        """Wait until the page is connected and the bot is there."""
        for absence in ("The table does not answer.", "Evenhand is coming back"):
            await expect(self.page.get_by_text(self.own(absence))).to_be_hidden()

    def own(self, text: str) -> str:
        """Return an English text in the language of this seat."""
        spoken = language(self.speaks if self.speaks != SPOKEN else "en")
        return spoken.catalogue.gettext(text) if spoken else text

    @property
    def field(self) -> Locator:
        """Return the field for messages and commands."""
        return self.page.get_by_role("combobox", name=self.own("Message or command"))

    @property
    def log(self) -> Locator:
        """Return the conversation."""
        return self.page.get_by_role("log", name=self.own("Conversation"))

    @property
    def rows(self) -> Locator:
        """Return the rows of the suggestions."""
        return self.page.get_by_role("listbox", name=self.own("Suggestions")).get_by_role("option")

    @property
    def alert(self) -> Locator:
        """Return the error messages of the page."""
        return self.page.get_by_role("alert")

    @property
    def dialog(self) -> Locator:
        """Return the open dialog."""
        return self.page.get_by_role("dialog")

    async def say(self, line: str) -> None:
        """Type a complete line and send it: with Enter, or on a phone with a tap."""
        await self.field.click(trial=True)
        await (self.field.tap() if self._touch else self.field.focus())
        await self.page.keyboard.insert_text(line)
        await (self.push("Send") if self._touch else self.page.keyboard.press("Enter"))

    async def say_all(self, lines: Sequence[str]) -> None:
        """Send lines one after another, and wait until all are shown."""
        await self.say(lines[0])
        for line in lines[1:]:
            await self.page.keyboard.insert_text(line)
            await self.page.keyboard.press("Enter")
        for line in lines:
            await expect(self.said(line)).to_be_visible()

    async def type(self, text: str) -> None:
        """Type key by key into the focused element."""
        await self.page.keyboard.type(text)

    async def press_key(self, *keys: str) -> None:
        """Press keys such as "Tab" or "Shift+F10", one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    def messages(self, text: str | re.Pattern[str]) -> Locator:
        """Return the messages that hold `text`, the oldest first."""
        return self.log.get_by_role("article").filter(has_text=text)

    def said(self, line: str) -> Locator:
        """Return the messages that end with a line."""
        return self.messages(re.compile(rf"{re.escape(line)}\s*$"))

    async def sees(self, text: str | re.Pattern[str]) -> Locator:
        """Wait until a message holds `text`, and return the newest that does."""
        newest = self.messages(text).last
        await expect(newest).to_be_visible()
        return newest

    async def push(self, name: str, *, inside: Locator | None = None) -> None:
        """Press the newest button of exactly this name: with Enter, or on a phone with a tap."""
        button = (inside or self.page).get_by_role("button", name=self.own(name), exact=True).last
        await (button.tap() if self._touch else press(button))

    async def again(self, handler: Callable[[WebSocketRoute], None]) -> "Seat":
        """Open the same seat on a second page, whose socket goes through `handler`."""
        seat = Seat(await self.page.context.new_page(), self.name, speaks=self.speaks)
        await seat.page.route_web_socket(re.compile("/socket$"), handler)
        await seat.page.goto(self.page.url)
        await expect(seat.field).to_be_focused()
        return seat

    async def close_others(self) -> None:
        """Close the window's other pages, since Chromium draws a hidden page only once a second."""
        for page in self.page.context.pages:
            if page != self.page:
                await page.close()

    async def paste(self, text: str) -> None:
        """Paste text into the field, as the clipboard does."""
        await self.field.focus()
        await self.field.evaluate(
            """(field, text) => {
                const clipboardData = new DataTransfer();
                clipboardData.setData("text/plain", text);
                const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
                if (field.dispatchEvent(event)) document.execCommand("insertText", false, text);
            }""",
            text,
        )

    async def begin(self) -> None:
        """Open a new thread of the first channel by script, and empty the line."""
        name = f"thread-{secrets.token_hex(4)}"
        await expect(self.field).to_be_visible()  # the page may just have been loaded again
        await self.page.evaluate(_THREAD, name)
        await expect(self.page.get_by_role("heading", name=name, level=1)).to_be_visible()
        await self.empty()

    async def open_thread(self, kind: str = "thread") -> str:
        """Make a thread in the first channel, or a channel, empty the line, and return the new name."""
        name = f"{kind}-{secrets.token_hex(4)}"
        await self.open_place(self.own("table"))
        await self.push("New channel or thread")
        await self.dialog.get_by_label(self.own("Kind")).select_option(kind)
        await self.dialog.get_by_label(self.own("Name")).fill(name)
        await self.press_key("Enter")
        await expect(self.page.get_by_role("heading", name=name, level=1)).to_be_visible()
        await expect(self.dialog).to_be_hidden()
        await self.empty()
        return name

    async def open_place(self, name: str) -> None:
        """Open a channel or thread from the side bar."""
        if self._touch:
            await self.push("Channels and people")
        place = self.page.get_by_role("navigation").get_by_role("button", name=name).first
        await (place.tap() if self._touch else press(place))
        await expect(self.page.get_by_role("heading", name=name, level=1)).to_be_visible()

    async def place(self) -> str:
        """Return the name of the open channel."""
        return await self.page.get_by_role("heading", level=1).inner_text()

    async def empty(self) -> None:
        """Empty the line, and leave the caret in it."""
        await self.field.fill("")
        await expect(self.rows).to_have_count(0)

    async def link(self, kind: str) -> str:
        """Return a link made under *Invite people*, as a game master, by keyboard."""
        await self.push("Invite people")
        await self.push(kind, inside=self.dialog)
        field = self.dialog.get_by_label(self.own("Link"), exact=True)
        await expect(field).to_have_value(re.compile(r"^http://.*#.{20}"))
        link = await field.input_value()
        await self.press_key("Escape")
        await expect(self.dialog).to_be_hidden()
        return link

    async def screenshot(self, path: Path) -> None:
        """Write a screenshot of the window to a PNG file."""
        await self.page.screenshot(path=path)
