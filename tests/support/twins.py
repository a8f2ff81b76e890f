"""Pairs of histories that differ in hidden results alone, and every text that a player may see of them."""

import re
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, TypeAlias

import discord
import pytest
from discord import AppCommandOptionType, InteractionType, app_commands
from simcord import InteractionResult, MemberActor, SetupError
from simcord.backend.models.message import Message
from simcord.components import walk_components
from sqlalchemy import select

from bot.campaign.d100_rolls import METHODS, roller_name
from bot.dice.draws import Source
from bot.dice.system import Memory, System, step
from bot.storage import reading, schema
from bot.storage.queries import execute
from cogs.kit.interactions import EVENT, NUMBER
from tests.support.groups import plays
from tests.support.pressing import arrives, forms
from tests.support.table import Table
from tests.support.wire import reply

AnyCommand: TypeAlias = app_commands.Command[Any, ..., Any]
Parameter: TypeAlias = app_commands.transformers.CommandParameter | app_commands.Parameter
Finding: TypeAlias = tuple[str, str]
"""Where somebody looked, and what was there."""
OPENLY = 3
"""The place of the face that every roll shows which everybody may see."""
VALUE = "50"
"""What every d100 comes to that everybody may see."""
ROLLERS: dict[str, tuple[str, dict[str, object]]] = {
    "Luck": ("fair", {"dice": "2d6", "tightness": "3"}),
    "Own": ("fair", {"dice": "1d6", "memory": "player"}),
    "Waves": ("dynamic", {}),
    "Deck": ("deck", {"size": 60}),
    "Cards": ("cards", {"cards": "a 99, b 99, c 99, d 99, e 99, f 99"}),
    "Two": ("decks", {"decks": "x: a, b, c, d, e, f; y: g, h, i, j, k, l", "size": 600}),
    "Blocks": ("blocks", {"categories": "x: a, b, c, d, e, f, g; y: h, i, j, k, l, m, n", "block": 2}),
    "Woods": ("chart", {"dice": "1d6", "chart": "1 a; 2 b; 3 c; 4 d; 5 e; 6 f", "tightness": "3"}),
    "Snow": ("renewal", {"chance": "0.25"}),
    "Tune": ("recency", {"dice": "1d6"}),
    "Plain": ("dice", {"dice": "1d6"}),
    "Fate": ("luck", {}),
    "Fates": ("luck", {"whose": "player"}),
}
"""A roller of each kind that is made with a command."""
_BUTTON = 2
_PROVED = re.compile(r"(?<=^extra )(\S+)", re.MULTILINE)
_SECRETS = re.compile(r"[0-9a-f]{32,}|[0-9a-f]{8}( [0-9a-f]{8}){3}|[A-Za-z0-9+/]{43}=")
"""Seals, roots, commitments and salts: they bind what is hidden, and differ with it."""


@dataclass(slots=True)
class Told:
    """Draws that fall as they are told to."""

    place: int = OPENLY
    """Of what comes out."""
    tape: list[int] = field(default_factory=list[int])
    """What comes out first."""
    source: Source = Source.LOCAL
    drawn: int = 0

    def open(self) -> "Told":
        """Return the draws of one roll."""
        self.drawn = 0
        return self

    def below(self, n: int) -> int:
        """Return the index that was set; later draws of a roll differ, for some rolls go on until they do."""
        self.drawn += 1
        return (self.tape.pop(0) if self.tape else self.place + 7 * (self.drawn - 1)) % n

    def choose(self, weights: Sequence[int]) -> int:
        """Return the place that was set, or the next one that can come out."""
        first = self.below(len(weights))
        return next(i % len(weights) for i in count(first) if weights[i % len(weights)])


def _aimed(system: System, memory: Memory, value: str) -> list[int]:
    """Draws with which a system comes to a value."""
    for seed in count():
        random = Random(seed)  # noqa: S311 (a search)
        tape = [random.randrange(6) for _ in range(30)]
        if step(system, memory, Told(tape=[*tape]))[0].face == value:
            return tape
    raise AssertionError


async def play(t: Table, draws: Told, hidden: int) -> None:
    """Play with rollers of all kinds; the rolls that are hidden from Ann show the face at place `hidden`."""
    # Ann sees where rolls go too, also what is meant for game masters.
    log, screen = (t.guild.create_text_channel(name) for name in ("log", "screen"))
    await t.slash(t.mara, "admin settings", log=log, gm_channel=screen)
    for name, (kind, options) in ROLLERS.items():
        await t.slash(t.mara, f"roller {kind}", name=name, **options)
    for part in ("before", "in"):
        if part == "in":
            await t.slash(t.mara, "session start")
        for name in ROLLERS:
            await _openly_and_hidden(t, draws, hidden, *rolling(name))
        await _openly_and_hidden(t, draws, hidden, "roll", {"dice": "1d20", "label": "open"})
        await _openly_and_hidden(t, draws, hidden, "roll", {"dice": "coriolis 1"})
        await _openly_and_hidden(t, draws, hidden, "deal", {"deck": "Cards", "offer": 2})
        await _openly_and_hidden(t, draws, hidden, "deal", {"deck": "Cards", "cards": 2})
        await _openly_and_hidden(t, draws, hidden, "destination", {})
        await _openly_and_hidden(t, draws, hidden, "check", {"dice": "1d20", "dc": 11})
        await _hundreds(t, draws, hidden)
        await _calls(t, draws, hidden)
    for name in ROLLERS:
        command, options = rolling(name)
        for actor in (t.ann, t.bob):
            await t.slash(actor, command, **options, **({"times": 20} if command == "roll" else {}))
    await _hand(t, draws, hidden)


def rolling(name: str) -> tuple[str, dict[str, object]]:
    """Return the command that rolls a roller, with its options; an account of luck takes checks."""
    if name.startswith("Fate"):
        return "check", {"dice": "1d20", "dc": 11, "roller": name}
    return "roll", {"dice": name}


async def _openly_and_hidden(
    t: Table, draws: Told, hidden: int, command: str, options: dict[str, object]
) -> None:
    for actor in (t.ann, t.bob):
        await t.slash(actor, command, **options)
    draws.place = hidden
    for actor, visibility in ((t.bob, "self"), (t.bob, "gm"), (t.bob, "blind"), (t.ann, "blind")):
        await t.slash(actor, command, **options, visibility=visibility)
    draws.place = OPENLY


async def _hand(t: Table, draws: Told, hidden: int) -> None:
    """Bob draws cards that he keeps, puts one back and discards one."""
    draws.place = hidden
    await t.slash(t.bob, "deal", deck="Cards", hand=3)
    for done in ("Put back", "Discard"):
        await plays(t, t.bob, done)
    draws.place = OPENLY


async def _calls(t: Table, draws: Told, hidden: int) -> None:
    """Hidden and held calls that Bob answers."""
    for how in ({"hidden": "gm"}, {"hidden": "blind"}, {"hold": True}):
        for dice in ("1d20", "Luck"):
            called = await t.slash(t.mara, "group call", check="Stealth", dice=dice, dc=11, **how)
            draws.place = hidden
            await t.press(called, "Roll", t.bob)
            draws.place = OPENLY


async def _hundreds(t: Table, draws: Told, hidden: int) -> None:
    """Roll a d100 in every way that has state: openly, hidden, and openly again, to the same value."""
    keeping = {name: way for name, way in METHODS.items() if way.has_state}
    for actor, visibility in ((t.ann, "public"), (t.bob, "public"), (t.bob, "gm"), (t.ann, "blind")) * 2:
        await t.slash(t.mara, "admin settings", visibility=visibility)
        openly = visibility == "public"
        for name, way in keeping.items():
            _, memory = await t.app._store.reader.do(reading.find_roller(1, roller_name(way), actor.id))
            value = VALUE if openly else str(80 + hidden)
            draws.tape = _aimed(way, way.start() if memory is None else memory, value)
            await t.slash(actor, "d100 roll", method=name)
            draws.tape, draws.place = [], OPENLY if openly else hidden
            await t.slash(actor, "d100 roll")
            draws.place = OPENLY
    await t.slash(t.mara, "admin settings", visibility="public")


FILLED: dict[str, Sequence[object]] = {
    "dice": ["1d6"],
    "name": ["Luck", "New"],
    "new": ["Renamed"],
    "cards": ["a 2, b 2"],
    "decks": ["x: a 1"],
    "categories": ["x: a, b"],
    "check": ["Stealth"],
    "from": ["d6"],
    "words": ["salt"],
    "label": ["open"],
    "program": ["roll20"],
    "rule": ["a+b"],
}
"""What is typed where nothing is offered, by the option's name; a new required option wants a line."""
LAST = ("campaign", "export", "data", "proof", "admin", "roller", "session", "game")
"""Commands that change much are tried behind the others, in this order."""
SHOWS = {"reveal", "call-reveal", "call-close"}
"""Buttons with which a game master shows what is hidden."""
_OPTION = AppCommandOptionType
_TRIED = 2
"""Values of an option that each other person tries, at whom the reader only looks."""
_STRIDE = 83
"""Ids are made up for every event of so many: rolls come in sixes and eights."""
_PRESSES = 3
"""Buttons of a kind that are pressed where they are found."""


@dataclass(slots=True)
class Walk:
    """Goes to every place there is, and writes down all that one reader finds."""

    t: Table
    reader: MemberActor
    changed: dict[int, Message]
    """Messages that were sent or edited since somebody looked, by id."""
    found: list[Finding] = field(default_factory=list[Finding])
    pressed: Counter[str] = field(default_factory=Counter[str])

    async def menus(self) -> None:
        """Read what was played, and try every menu, and every button that an own client could make up."""
        await self._note("what was played", None)
        await self._menus()
        await self._ids()

    async def commands(self, who: MemberActor) -> None:
        """Have somebody try every command, and the buttons below, while the reader looks on."""
        for command in sorted(self._commands(), key=_late):
            await self._command(who, command)

    async def _menus(self) -> None:
        for menu in self.t.bot.tree.get_commands():
            if not isinstance(menu, app_commands.ContextMenu):
                continue
            messages = self.t.channel.history(viewer=self.reader)
            targets = messages if menu.type is discord.AppCommandType.message else self.t.world.actors
            for target in targets:
                where = f"{menu.name} of {target.id}"
                await self._note(where, await self.reader.context_menu(self.t.channel, menu.name, target))

    async def _ids(self) -> None:
        """Press what the reader's own client could make up: each button of an event."""
        carrier = reply(await self.reader.slash(self.t.channel, "help"))
        events = await self._events()
        newest = max(row["seq"] for row in events)
        # Hers that she may not see: the newest of each roller, and of what needs none.
        blind = [row for row in events if row["user_id"] == self.reader.id and row["visibility"] == "blind"]
        hers = {(row["roller_key"], "offer" in row["what"]): row["seq"] for row in blind}
        numbers = sorted({*range(1, newest + 1, _STRIDE), *hers.values()})
        for (kind, _), form in forms(self.t).items():
            if kind is InteractionType.component and form.fields in {EVENT, (*EVENT, NUMBER)}:
                for number in numbers:
                    custom_id = form.write(1, number, *[0] * (len(form.fields) - len(EVENT)))
                    answer = await arrives(self.t, self.reader, kind, custom_id, carrier)
                    await self._note(custom_id, answer)

    async def _command(self, who: MemberActor, command: AnyCommand) -> None:
        name = command.qualified_name
        for options in [choice async for choice in self._options(who, command)]:
            where = f"/{name} {options} by {who.name}"
            answer = await who.slash(self.t.channel, name, **options)
            await self._note(where, answer)
            for label, custom_id in _buttons(answer):
                word = custom_id.partition(":")[0]
                self.pressed[word] += 1
                if self.pressed[word] <= _PRESSES and (who is self.reader or word not in SHOWS):
                    with suppress(SetupError):  # an earlier press took it away
                        pressed = await who.click(reply(answer), custom_id=custom_id)
                        await self._note(f"{label} under {where}", pressed)

    async def _options(self, who: MemberActor, command: AnyCommand) -> AsyncIterator[dict[str, object]]:
        """Each value of each option once, beside what is required."""
        values = {p.display_name: await self._values(who, command, p) for p in command.parameters}
        usual = {p.display_name: values[p.display_name][0] for p in command.parameters if p.required}
        yield usual
        for option, several in values.items():
            for value in several if who is self.reader else several[:_TRIED]:
                if usual.get(option) != value:
                    yield {**usual, option: value}

    async def _values(self, who: MemberActor, command: AnyCommand, option: Parameter) -> Sequence[object]:
        name = option.display_name
        if option.choices:
            return [choice.value for choice in option.choices]
        if option.autocomplete:
            offers = await who.autocomplete(self.t.channel, command.qualified_name, name, "")
            if who is self.reader:
                self.found.append((f"offers of /{command.qualified_name} {name}", repr(offers)))
            texts = [str(offer["value"]) for offer in offers]
            return [*texts, *(text for text in FILLED.get(name, []) if text not in texts)]
        match option.type:
            case _OPTION.boolean:
                return [True]
            case _OPTION.integer:
                low = int(option.min_value or 1)
                return [*range(low, low + 6)] if name == "number" else [max(low, 6)]
            case _OPTION.user | _OPTION.mentionable:
                return [self.t.bob]
            case _OPTION.channel:
                return [self.t.guild.channels["log"]]
            case _OPTION.attachment:
                return [("file.json", b"{}")]
            case _ if name in FILLED:
                return FILLED[name]
            case _:
                assert not option.required, f"/{command.qualified_name} {name}: say in FILLED what is typed"
                return []

    async def _note(self, where: str, answer: InteractionResult | None) -> None:
        """Write down what became of the messages that the reader sees, and what is theirs alone."""
        if answer and answer.modal:
            self.found.append((where, _masked(repr(answer.modal))))
        changed = [*self.changed.values()]
        self.changed.clear()
        visible = [message for message in changed if message.visible_to(self.reader.id)]
        self.found += [(where, self._shown(message)) for message in visible]

    def _shown(self, message: Message) -> str:
        files = [self.t.env.backend.cdn.get(attachment["url"]) or b"" for attachment in message.attachments]
        descriptions = [attachment.get("description") for attachment in message.attachments]
        text = repr((message.content, message.embeds, descriptions, message.components))
        return _masked("\n".join([text, *(file.decode("utf-8", "replace") for file in files)]))

    async def _events(self) -> Any:
        return await self.t.database.reader.do(execute(select(schema.event)))

    def _commands(self) -> list[AnyCommand]:
        return [c for c in self.t.bot.tree.walk_commands() if isinstance(c, app_commands.Command)]


def _late(command: AnyCommand) -> tuple[int, str]:
    first = command.qualified_name.split()[0]
    return (LAST.index(first) + 1 if first in LAST else 0), command.qualified_name


def _buttons(answer: InteractionResult) -> list[tuple[str, str]]:
    if answer.response is None:
        return []
    return [
        (part.get("label", ""), part["custom_id"])
        for part in walk_components(answer.response.components)
        if part["type"] == _BUTTON and not part.get("disabled") and "custom_id" in part
    ]


def _masked(text: str) -> str:
    """Return the text without seals; the event in a proof is read first."""
    return _SECRETS.sub("…", _PROVED.sub(lambda match: b64decode(match[1]).decode(), text))


def changes(monkeypatch: pytest.MonkeyPatch) -> dict[int, Message]:
    """Messages that are sent or edited from now on; the simulated Discord puts new values in their places."""
    changed: dict[int, Message] = {}

    def change(message: Message, name: str, value: object) -> None:
        object.__setattr__(message, name, value)
        changed[message.id] = message

    monkeypatch.setattr(Message, "__setattr__", change)
    return changed


def sketch(_self: object, work: Callable[..., bytes], *values: object) -> Awaitable[bytes]:
    """In the place of a drawing, what would have been drawn."""

    async def drawn() -> bytes:
        return f"{work.__name__} {values!r}".encode()

    return drawn()
