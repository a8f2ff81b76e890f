"""Take the documentation's pictures: `python -m tools.pictures`, or some, `... calling odds`.

Three people play at a real table in headless Chromium, so the dice fall anew each time. Charts that no
message shows are drawn by the command line.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer
from PIL import Image
from playwright.async_api import Browser

from bot.charts.faces import draw_face
from bot.words.pictures import DieState
from tests.support.chromium import ANOTHER, Seat, chromium
from tests.support.playing import ROOT, UNHURRIED, playing

DOCS = ROOT / "docs"
EVENING = (
    '{"system": "fair", "base": "2d6", "tightness": "1"}',
    '{"system": "deck", "base": "2d6", "refill": 12}',
)
PLOTS = {
    "tune-6-25": ("tune", "--values", "6", "--samples", "25"),
    "tune-4-30": ("tune", "--values", "4", "--samples", "30"),
    "evening": ("evening", *EVENING, "--samples", "60"),
}


FACES = (
    (20, 17, DieState.KEPT),
    (20, 3, DieState.DROPPED),
    (12, 11, DieState.KEPT),
    (10, 8, DieState.SUCCESS),
    (10, 4, DieState.KEPT),
    (8, 8, DieState.KEPT),
    (6, 6, DieState.KEPT),
    (6, 2, DieState.DROPPED),
    (4, 3, DieState.KEPT),
)
"""The dice of `faces`: sides, value, state."""
GROUND, FACE_PIXELS, STEP_PIXELS = (0x31, 0x33, 0x38), 64, 76
"""Discord's dark background, the size of a die, and the distance between dice."""
FRAME_MS, LAST_MS = 1_100, 4_000
"""Milliseconds per frame of a moving picture, and for its last one."""
COLOURS = 64
"""Colours of a moving picture, few to keep the README small."""


class Album:
    """Writes pictures of a seat's page, only those of the given names, or all."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    async def page(self, name: str, seat: Seat) -> None:
        """Keep the whole page."""
        await self._keep(name, await seat.page.screenshot())

    async def messages(self, name: str, seat: Seat, count: int = 1) -> None:
        """Keep the newest messages."""
        articles = seat.log.get_by_role("article")
        last = await articles.count()
        shots = [await articles.nth(index).screenshot() for index in range(last - count, last)]
        await self._keep(name, *shots)

    def moving(self, name: str, shots: Sequence[bytes]) -> None:
        """Keep shots of one message that grows as a moving picture that begins again and again."""
        if self.names and name not in self.names:
            return
        parts = [_opened(shot) for shot in shots]
        size = max(part.width for part in parts), max(part.height for part in parts)
        frames: list[Image.Image] = []
        for part in parts:
            # A message that is still short has the page's ground below it.
            frame = Image.new("RGB", size, part.getpixel((0, 0)))
            frame.paste(part)
            frames.append(frame)
        # One palette for all, of every colour that any of them has.
        together = Image.new("RGB", (size[0], size[1] * len(frames)))
        for place, frame in enumerate(frames):
            together.paste(frame, (0, size[1] * place))
        palette = together.quantize(colors=COLOURS)
        first, *rest = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
        times = [FRAME_MS] * len(rest) + [LAST_MS]
        first.save(DOCS / f"{name}.gif", save_all=True, append_images=rest, duration=times, loop=0)

    async def _keep(self, name: str, *shots: bytes) -> None:
        if self.names and name not in self.names:
            return
        parts = [_opened(shot) for shot in shots]
        whole = Image.new("RGB", (parts[0].width, sum(part.height for part in parts)))
        above = 0
        for part in parts:
            whole.paste(part, (0, above))
            above += part.height
        whole.quantize(colors=256).save(DOCS / f"{name}.png", optimize=True)


def _opened(shot: bytes) -> Image.Image:
    return Image.open(BytesIO(shot)).convert("RGB")


class Sitter(Seat):
    """A seat that waits for the answer to what it says."""

    async def say_for(self, line: str, answer: str) -> None:
        """Say a line, and wait until one more message holds its answer."""
        before = await self.messages(answer).count()
        await self.say(line)
        await self.messages(answer).nth(before).wait_for()

    async def draw_for(self, line: str, answer: str) -> None:
        """Say a line, and wait until its answer is a card with a picture in it."""
        await self.say_for(line, answer)
        await self.messages(answer).last.locator(".box img").wait_for()


async def luck(album: Album, mara: Sitter, ann: Sitter, bob: Sitter, phone: Sitter) -> None:
    """Play an evening with a fair roller, a group check and its recap."""
    await mara.say_for("/session start", "session begins")
    await mara.say_for("/roller fair name:Luck dice:2d6", "Luck")
    for seat in (ann, bob, phone):
        for _ in range(3):
            await seat.say_for("/roll Luck times:7", "Luck")
    await mara.draw_for("/stats roller:Luck", "Everybody ·")
    await album.messages("stats", mara)
    await mara.draw_for("/odds 4d6kh3 at_least:15", "15 or more")
    await album.messages("odds", mara)
    await bob.say_for("/roll dice:2d20kh1+5 label:Stealth", "Stealth")
    await mara.say_for(
        "/group call check:Perception dice:1d20+5 dc:15 rule:half players:@Ann @Bob @Cem", "Missing"
    )
    for seat in (phone, ann):
        await seat.push("Roll", inside=await seat.sees("Missing"))
        await seat.sees("Only you can see this.")
    await ann.sees("of 2 pass")
    await album.page("table", ann)
    await album.page("table-phone", phone)
    await bob.push("Roll", inside=await bob.sees("Missing"))
    await mara.sees(re.compile("The group (succeeds|fails)"))
    await mara.draw_for("/session end", "Each player")
    await album.messages("recap", mara)
    for _ in range(8):
        await ann.say_for("/roll 30d6", "30d6")
    await mara.say_for("/rigged roller:d6", "240")
    await album.messages("rigged", mara)


async def calling(album: Album, mara: Sitter, ann: Sitter, bob: Sitter, phone: Sitter) -> None:
    """Call for a check, and watch its message fill in."""
    await mara.page.set_viewport_size({"width": 490, "height": 900})
    await mara.say_for(
        "/group call check:Stealth dice:1d20+4 dc:13 rule:half players:@Ann @Bob @Cem @Mara", "Missing"
    )
    message = await mara.sees("called by")
    shots = [await message.screenshot()]
    for count, seat in enumerate((ann, phone, mara, bob), start=1):
        await seat.push("Roll", inside=await seat.sees("called by"))
        await mara.sees(f"of {count} pass")
        await mara.field.focus()  # a button that has the focus is drawn with a ring
        shots.append(await message.screenshot())
    album.moving("calling", shots)


async def checks(album: Album, mara: Sitter, ann: Sitter, bob: Sitter, phone: Sitter) -> None:
    """Roll checks on a luck account."""
    await mara.say_for("/roller luck name:Fate", "Fate")
    await mara.say_for("/group call check:Leap dice:1d20 roller:Fate dc:12", "Leap")
    for seat in (ann, bob, phone):
        await seat.push("Roll", inside=await seat.sees("Leap"))
        await seat.sees("Only you can see this.")
    await ann.draw_for("/odds what:1d20 at_least:12 account:Fate", "against 12")
    await album.messages("checks-odds", mara, 2)
    await bob.say_for("/roll dice:1d20 label:Hide", "Hide")
    await ann.say_for("/check dice:1d20+5 against:@Bob label:Perception", "Bob")
    await ann.say_for("/stats roller:Fate player:@Ann", "expected")
    await album.messages("checks-contest", mara, 2)


async def game(album: Album, mara: Sitter, ann: Sitter, bob: Sitter, phone: Sitter) -> None:
    """Press a game's keys, and look at its odds."""
    await mara.say_for("/roll 2d6", "2d6")
    await mara.say_for("/game use game:blades", "Blades in the Dark")
    await mara.say_for("/buttons", "press a key")
    for seat, key in ((ann, "action 2"), (bob, "action 3")):
        before = await mara.messages("Again").count()
        await seat.push(key, inside=await seat.sees("press a key"))
        await mara.messages("Again").nth(before).wait_for()
    await album.messages("game-keys", mara, 4)
    await album.page("game-keys-phone", phone)
    await ann.draw_for("/odds what:action 2", "action 2")
    await album.messages("game-odds", ann)


def faces() -> None:
    """Draw a row of dice as Discord shows them, larger."""
    row = Image.new("RGB", (STEP_PIXELS * len(FACES) + 12, STEP_PIXELS + 12), GROUND)
    for place, face in enumerate(FACES):
        die = Image.open(BytesIO(draw_face(*face))).resize((FACE_PIXELS, FACE_PIXELS))
        row.paste(die, (12 + STEP_PIXELS * place, 12), die)
    row.quantize(colors=256).save(DOCS / "faces.png", optimize=True)


SCENES: dict[Callable[..., Awaitable[None]], set[str]] = {
    luck: {"stats", "odds", "rigged", "table", "table-phone", "recap"},
    calling: {"calling"},
    checks: {"checks-odds", "checks-contest"},
    game: {"game-keys", "game-keys-phone", "game-odds"},
}


async def take(names: set[str]) -> None:
    """Play each scene with a picture of these names at a table of its own; all scenes without names."""
    async with chromium() as browser:
        for scene, pictures in SCENES.items():
            if names and not names & pictures:
                continue
            with tempfile.TemporaryDirectory() as folder:
                async with playing(Path(folder), program=UNHURRIED) as table:
                    await scene(Album(names), *await _seated(browser, table.link))


async def _seated(browser: Browser, link: str) -> list[Sitter]:
    mara = await Sitter.take(browser, link, "Mara", width=1100)
    others = [
        await Sitter.take(browser, await mara.link(ANOTHER), name, width=width, touch=width < 500)
        for name, width in (("Ann", 1280), ("Bob", 1280), ("Cem", 390))
    ]
    await mara.page.set_viewport_size({"width": 1100, "height": 1600})
    return [mara, *others]


def main(names: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Take all pictures, or those that are named."""
    selected = set(names or ())
    for name, command in PLOTS.items():
        if not selected or name in selected:
            whole = [sys.executable, "-m", "bot", *command, "--plot", str(DOCS / f"{name}.png")]
            subprocess.run(whole, check=True)  # noqa: S603 (the program itself)
    if not selected or "faces" in selected:
        faces()
    asyncio.run(take(selected))


if __name__ == "__main__":
    typer.run(main)
