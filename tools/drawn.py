"""Take screenshots of the bot's messages: `python -m tools.drawn FOLDER`, or some, `... FOLDER stats odds`.

A language among the names, `... FOLDER de`, is that of the table. A game master and a player use each command
at a real table in headless Chromium. Each answer is saved as the page shows it, 400 and 720 pixels wide, in
FOLDER/NUMBER-NAME-400.png.
"""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from playwright.async_api import Locator, expect

from bot.words.languages import NAMES
from tests.support.chromium import ANOTHER, Seat, chromium
from tests.support.playing import UNHURRIED, playing

WIDTHS = 400, 720
PRESS = ">"
"""Prefix of a line that presses that button of the newest message."""
AS_IT_IS = "="
"""Prefix of a line that draws the newest message with that text, as it is by then."""
SETTLED = 400
"""Milliseconds to wait for a second message of an answer."""
EVENING = """
roll | /roll 1d20+5 adv label:Stealth
rolls | /roll 3#4d6kh3 label:Abilities
many | /roll 40d6
hidden | /roll dice:1d20+5 visibility:gm label:Insight
check | /check dice:1d20+4 dc:15 label:Climb
refused | /roll 2d
guess | /roll 1d6 x 3
save | /save dice:1d20+7 name:Sneak
saved | /save
fair | /roller fair name:Luck dice:2d6
luck | /roll Luck times:7
deck | /roller cards name:Tarot cards:The Fool, The Tower, The Sun, Strength
deal | /deal Tarot cards:3
kept | /deal deck:Tarot hand:3
hand | /hand
rollers | /roller list
odds | /odds 4d6kh3 at_least:15
tune | /lab tune
tuned | /lab tune dice:2d6 samples:15 to:20
session | /session start
initiative | /group initiative
next | >Roll
call | /group call check:Stealth dice:1d20+4 dc:14 rule:half
answer | >Roll
board | =@Mara
panel | >GM…
npc | /group npc dice:1d20+2 count:3 names:Goblin label:Ambush
me | /me
buttons | /buttons
d100 | /d100 roll
methods | /lab methods
destination | /destination
stats | /stats
rigged | /rigged
history | /history
details | /details number:1
recap | /session end
settings | /admin settings
campaign | /campaign show
games | /game list
verify | /verify
data | /data show
help | /help
"""


class Drawer:
    """Enters lines at a seat, and draws the answers."""

    def __init__(self, seat: Seat, folder: Path, names: set[str]) -> None:
        self._seat = seat
        self._folder = folder
        self._names = names
        self._drawn = 0

    async def say(self, name: str, line: str) -> None:
        """Enter a line, or press a button, and draw the new messages."""
        self._drawn += 1
        articles = self._seat.log.get_by_role("article")
        before = await articles.count()
        if line.startswith(AS_IT_IS):
            await self._draw_all([self._seat.messages(line[1:]).last], name)
            return
        if line.startswith(PRESS):
            await self._seat.push(line[1:])
        else:
            await self._seat.say(line)
        await expect(articles.nth(before)).to_be_visible()
        await self._seat.page.wait_for_timeout(SETTLED)
        for working in ("Evenhand is working …", "Looking"):
            await expect(articles.get_by_text(self._seat.own(working))).to_have_count(0)
        await self._draw_all([articles.nth(place) for place in range(before, await articles.count())], name)

    async def _draw_all(self, messages: Sequence[Locator], name: str) -> None:
        for width in WIDTHS if not self._names or name in self._names else ():
            await self._seat.page.set_viewport_size({"width": width, "height": 1_600})
            for place, message in enumerate(messages):
                file = self._folder / f"{self._drawn:02}-{name}-{place}-{width}.png"
                file.write_bytes(await message.screenshot())


async def draw(folder: Path, names: set[str], tongue: str) -> None:
    """Play the evening in a language, and draw the messages of these names; all without names."""
    with tempfile.TemporaryDirectory() as data:
        at = playing(Path(data), "--language", tongue, program=UNHURRIED)
        async with chromium() as browser, at as table:
            mara = await Seat.take(browser, table.link, "Mara", speaks=tongue)
            ann = await Seat.take(browser, await mara.link(ANOTHER), "Ann", speaks=tongue)
            for dice in ("1d20", "2d6", "1d20+3"):
                await ann.say(f"/roll {dice}")
                await mara.sees(dice)
            drawer = Drawer(mara, folder, names)
            for row in EVENING.strip().splitlines():
                name, _, line = row.partition(" | ")
                await drawer.say(name, line)


def main(folder: Path, names: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Draw the messages of these names into a folder, or all; a language among the names is the table's."""
    folder.mkdir(parents=True, exist_ok=True)
    selected = set(names or ())
    tongue = (*selected & NAMES.keys(), "en")[0]
    asyncio.run(draw(folder, selected - {tongue}, tongue))


if __name__ == "__main__":
    typer.run(main)
