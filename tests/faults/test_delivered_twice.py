"""Discord brings what people do to two processes at once: what comes of it is posted once, whatever it is."""

import asyncio
import json
import signal
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg

from bot.play.acts import PERSON_MENU
from bot.play.interactions import Act, OpenInteraction
from bot.play.world import Message
from tests.support.discord import CALLBACK, PATIENCE, Discord, discord, served
from tests.support.forked import Child
from tests.support.table import NUMBER, numbered

LINES = (
    "help", "buttons",
    "roll 2d6", "roll 2d6 visibility:self", "roll 2d6 visibility:gm", "roll 2d6 visibility:blind",
    "check 1d20 dc:11", "check 1d20 dc:11 visibility:gm", "d100 roll", "d100 physical",
    "lab methods", "lab score a+b", "d100 show", "d100 reset", "lab convert 2d6 to:100",
    "destination", "destination visibility:blind",
    "save Claw 1d20+7", "save", "r 2d6",
    "me set:str 3 new:Mira",
    "roller fair Luck 2d6", "roller dynamic Flow", "roller deck Cards", "roller dice Sword 1d8",
    "roller luck Fate", "roller renewal Turn", "roller recency Late", "roller cards Tarot Sun,Moon",
    "roller decks Both Cards,Tarot", "roller blocks Blocks a,b block:4", "roller chart Chart", "roller list",
    "deal Cards", "deal Cards visibility:gm", "deal Cards hand:2", "hand",
    "roll Luck", "odds Luck", "roller export Luck",
    "roller reset Luck", "roller undo Luck", "admin reset roller roller:Luck", "details 1", "history",
    "session start", "stats", "rigged", "session end", "session show",
    "lab sources", "verify", "export", "data show",
    "group call climb 1d20", "group call hide 1d20 players:@Ann minutes:5", "group deal Cards", "group show",
    "group initiative", "group npc 1d20 count:3", "group npc 1d20 count:3 visibility:gm",
    "campaign create Barrow", "campaign use", "campaign list", "campaign show", "campaign rename Hill",
    "campaign dialect avrae", "campaign gm add @Bob", "campaign gm remove @Bob", "admin settings pace:20",
    "game list", "game show", "game use dnd5", "game stop", "roller import Brought file:roller.json",
    "game import file:game.json", "export bring_back:rollers.json",
    "proof", "roller remove Sword",
    "lab tune values:3 samples:5", "campaign archive", "data forget", "admin erase",
)  # fmt: skip
"""A line for each command, in an order in which each has something to do."""
BUTTON, MESSAGE_MENU = 2, 3
FORMS: dict[str, tuple[dict[str, Any], int]] = {
    "proof-keys": ({}, 2),
    "proof-words": ({"words": "seven ravens"}, 5),
}
"""The forms that are sent once they are shown, by the words of their ids: what is typed into them, and the
number of the event that follows."""
ROLLER = b'{"system": "fair", "base": "2d6"}'


class Both:
    """Mara does things; both processes hear each of them at the same time.

    She presses what is under answers that all see; given the database, what is under hers alone too.
    """

    def __init__(self, d: Discord, database: str = "") -> None:
        self._d, self._viewer, self._database = d, d.mara if database else None, database
        self.done: list[OpenInteraction] = []

    async def runs(self, line: str) -> None:
        """She runs a command, presses each button under its answer, and sends the forms of `FORMS`."""
        d, known = self._d, {message.id for message in self._d.messages(self._viewer)}
        await self._hear(await d.begin(d.mara, f"/{line}"))
        for message in d.messages(self._viewer):
            if message.id not in known and message.author == d.table.world.bot.id:
                await self._presses(message)

    async def opens_menus(self) -> None:
        """She runs each command of a message's and of a person's menu."""
        d, acts = self._d, self._d.table.acts
        rolled = next(message for message in d.messages() if message.parts())
        for menu in acts.commands(d.mara, d.channel, MESSAGE_MENU):
            await self._hear(await acts.menu(d.mara, rolled.id, menu["name"]))
        for menu in acts.commands(d.mara, d.channel, PERSON_MENU):
            await self._hear(await acts.menu(d.mara, d.ann.id, menu["name"], d.channel))

    async def _presses(self, message: Message) -> None:
        d = self._d
        for custom_id in [str(part["custom_id"]) for part in message.parts() if part["type"] == BUTTON]:
            # What was pressed before it may have taken it away.
            if custom_id in [part.get("custom_id") for part in d.message(message.id).parts()]:
                pressed = await d.table.acts.press(d.mara, message.id, custom_id)
                await self._hear(pressed)
                await self._sends(pressed)

    async def _sends(self, pressed: OpenInteraction) -> None:
        """She fills in and sends the form that a press has shown, if it is one of those to send."""
        form = (await pressed.outcome).form
        if form and (sent := FORMS.get(_word(form["custom_id"]))):
            values, number = sent
            await self._hear(await self._d.table.acts.submit(self._d.mara, pressed.id, dict(values)))
            # Keys and words are shown before they are recorded.
            await _recorded(self._database, number)

    async def _hear(self, interaction: OpenInteraction) -> None:
        d = self._d
        for session in list(d.table.gateway.sessions.values())[1:]:
            session.send("INTERACTION_CREATE", d.table.interactions.payload(interaction))
        self.done.append(interaction)
        answer = CALLBACK.replace(r"\d+", str(interaction.id))
        await d.until(lambda: [one.status > 0 for one in d.sent(answer)] == [True, True])


async def test_what_two_processes_hear_is_posted_once(tmp_path: Path, postgresql_url: str) -> None:
    """Whoever answers second sends nothing more, to each command and each button under its answer."""
    async with discord(tmp_path / "table") as d, _two(d, tmp_path, postgresql_url) as children:
        she = Both(d)
        game = (Path("bot") / "games" / "fate.json").read_bytes()
        for name, content in {"game.json": game, "roller.json": ROLLER, "rollers.json": ROLLER}.items():
            kept = d.table.posts.keep_file(name, content)
            d.table.acts.uploads[d.mara.id][name] = int(kept["id"])
        for line in LINES:
            await she.runs(line)
        await she.opens_menus()
        await _stop(children)
        commands = {name for one in d.table.world.commands if one["type"] == 1 for name in _leaves(one)}

    sent = _posted(d)
    more = Counter(path.rpartition("/")[2] for path, _ in sent.elements() if path.startswith("/webhooks"))

    assert {" ".join(line.split()[: len(name.split())]) for line in LINES for name in commands} >= commands
    assert len(more) > 10
    assert {post: count for post, count in sent.items() if count > 1} == {}


async def test_proof_mode_switched_on_twice_is_on_once(tmp_path: Path, postgresql_url: str) -> None:
    """Its forms too come to both: one shows its keys and commits to them, the other does nothing."""
    async with discord(tmp_path / "table") as d, _two(d, tmp_path, postgresql_url) as children:
        she = Both(d, postgresql_url)
        for line in ("proof", "roll 2d6", "proof"):
            await she.runs(line)
            # The message that says the keys' number comes after both.
            await d.until(lambda: any(NUMBER.search(message.text) for message in d.messages()))
        await _stop(children)
        told = [message.text for message in d.messages()]

    assert [_word(one.data["custom_id"]) for one in she.done if one.kind == Act.SUBMIT] == [*FORMS]
    # The keys are #1, and #2 notes which message has shown them.
    assert [numbered(text) for text in told if NUMBER.search(text)] == [1, 3, 4, 6]
    for text, said in zip((told[0], *told[4:]), ("mode on", "`seven ravens`", "mode off"), strict=True):
        assert said in text
    assert {post: count for post, count in _posted(d).items() if count > 1} == {}


@asynccontextmanager
async def _two(d: Discord, folder: Path, url: str) -> AsyncGenerator[list[Child]]:
    """Two processes of one bot, both of which hear everything."""
    both = {"EVENHAND_CLUSTER": "1/1", "EVENHAND_DATABASE": url}
    async with served(d, folder, **both) as one, served(d, folder, **both) as other:
        await d.until(lambda: sum(bool(s.connection) for s in d.table.gateway.sessions.values()) == 2)
        yield [one, other]


async def _recorded(url: str, number: int) -> None:
    """Wait until the only campaign has an event of a number."""
    connection = await asyncpg.connect(url)
    async with asyncio.timeout(PATIENCE):
        while (await connection.fetchval("SELECT max(seq) FROM event") or 0) < number:  # noqa: ASYNC110 (other processes write it)
            await asyncio.sleep(0.01)
    await connection.close()


async def _stop(children: list[Child]) -> None:
    for child in children:
        child.send_signal(signal.SIGTERM)
    await asyncio.gather(*(child.wait() for child in children))


def _posted(d: Discord) -> Counter[tuple[str, str]]:
    """How often each was posted that Discord took."""
    return Counter(
        (one.path, json.dumps(one.body, sort_keys=True))
        for one in d.requests
        if one.method == "POST" and one.status < 400 and "commands" not in one.path
    )


def _word(custom_id: str) -> str:
    return custom_id.partition(":")[0]


def _leaves(command: Any, before: str = "") -> list[str]:
    name = f"{before}{command['name']}"
    inner = [one for one in command.get("options", ()) if one["type"] in {1, 2}]
    return [leaf for one in inner for leaf in _leaves(one, f"{name} ")] if inner else [name]
