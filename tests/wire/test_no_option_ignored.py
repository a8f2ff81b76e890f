"""No option of a command is left out in silence because of another one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any, TypeAlias

import discord
import pytest
from simcord import InteractionResult

from bot.answers import report as answers_report
from bot.dice.draws import seeded
from bot.storage import reading
from tests.support.shown import labels
from tests.support.table import Table
from tests.support.wire import reply

_NUMBERS = re.compile(r"#\d+|<[@t]!?&?:?\d+(?::R)?>|\b[Nn]\d{4}\b|\d{9,}")


Given: TypeAlias = tuple[str, Mapping[str, object]]
"""A command with its options."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A command with what it needs, and a value for each of its other options."""

    name: str
    needed: Mapping[str, object]
    others: Mapping[str, object]
    before: Sequence[Given] = ()
    """Commands that are given before each try, by a game master."""

    def __str__(self) -> str:
        return " ".join([self.name, *map(str, self.needed.values())])


DECK: Sequence[Given] = (
    ("roller remove", {"name": "Omens"}),
    ("roller cards", {"name": "Omens", "cards": "52"}),
)
FROM_ZERO: Sequence[Given] = (("d100 reset", {}),)
DEGREES = "miss, 0 pass, 5 great"
CALL = {
    "dc": 12,
    "rule": "half",
    "memory": "table",
    "hidden": "gm",
    "hold": True,
    "under": True,
    "needed": 2,
    "minutes": 5,
    "roller": "Luck",
    "degrees": DEGREES,
    "choose": True,
}
CHECK = {
    "dc": 12,
    "roller": "Luck",
    "label": "x",
    "under": True,
    "against": "d6",
    "degrees": DEGREES,
    "visibility": "self",
    "thrown": "5",
}
NAMED = {"name": "N"}
TRIED = (
    Tried(
        "roll",
        {"dice": "d20+2"},
        {"times": 2, "label": "x", "visibility": "self", "practice": True, "thrown": "5"},
    ),
    Tried("check", {"dice": "d20+2"}, CHECK),
    Tried("check", {"dice": "d20+2", "dc": 12}, CHECK),
    Tried("check", {"dice": "d20+2", "dc": 12, "roller": "Luck"}, CHECK),
    Tried("check", {"dice": "2d6", "roller": "Ranks"}, CHECK),
    Tried("check", {"dice": "Fair"}, CHECK),
    Tried("check", {"dice": "attack +5", "dc": 12}, CHECK),
    Tried("save", {}, {"name": "N", "dice": "d20", "shared": True}),
    Tried(
        "odds",
        {"what": "2d6"},
        {"at_least": 4, "at_most": 9, "versus": "d8", "account": "Luck", "after": "7", "tightness": "2"},
    ),
    Tried(
        "deal",
        {"deck": "Omens"},
        {"cards": 2, "hand": 3, "visibility": "self", "practice": True, "offer": 3},
        DECK,
    ),
    Tried("buttons", {}, {"set": "d20", "rolls": "d8"}),
    Tried("group call", {"check": "Climb", "dice": "d20"}, CALL),
    Tried("group call", {"check": "Climb", "dice": "d20", "dc": 12}, CALL),
    Tried("group call", {"check": "Climb", "dice": "Fair"}, CALL),
    Tried("group call", {"check": "Climb", "dice": "d20", "dc": 12, "roller": "Luck"}, CALL),
    Tried("group call", {"check": "Climb", "dice": "2d6", "roller": "Ranks"}, CALL),
    Tried("group call", {"check": "Climb", "dice": "attack +5"}, CALL),
    Tried("group deal", {"deck": "Omens"}, {"cards": 2, "choose": True}, DECK),
    Tried("group initiative", {}, {"dice": "d8", "choose": True}),
    Tried("group npc", {"dice": "d20", "count": 2}, {"names": "Orc", "label": "x", "visibility": "self"}),
    Tried(
        "d100 roll",
        {},
        {
            "dice": 5,
            "method": "table",
            "practice": True,
            "dc": 45,
            "under": True,
            "times": 2,
            "label": "x",
            "visibility": "self",
        },
        FROM_ZERO,
    ),
    Tried("d100 physical", {}, {"dice": "3 5 1", "method": "table"}, FROM_ZERO),
    Tried(
        "destination",
        {},
        {"region": "Coast", "where": "*", "number": "5", "dice": "5 2 heads", "visibility": "self"},
    ),
    Tried("roller fair", {**NAMED, "dice": "2d6"}, {"tightness": "2", "memory": "player", "after": "7"}),
    Tried("roller dynamic", NAMED, {"dice": "1d8", "factor": "0.5", "memory": "player"}),
    Tried("roller deck", NAMED, {"dice": "1d8", "size": 3, "refill": 2, "mode": "reset", "memory": "player"}),
    Tried(
        "roller cards",
        {**NAMED, "cards": "a 3, b 4"},
        {
            "no_repeat": True,
            "size": 3,
            "refill": 4,
            "mode": "reset",
            "memory": "player",
            "tightness": "2",
        },
    ),
    Tried(
        "roller decks",
        {**NAMED, "decks": "a: x 3, y 2; b: z 4, w"},
        {"no_repeat": True, "size": 3, "refill": 4, "mode": "reset", "memory": "player"},
    ),
    Tried(
        "roller chart",
        NAMED,
        {"dice": "2d6", "chart": "2-6 a; 7-12 b", "tightness": "2", "memory": "player"},
    ),
    Tried(
        "roller luck",
        NAMED,
        {
            "feel": "gentle",
            "tightness": "0.7",
            "drought": "2",
            "cap": "2",
            "whose": "table",
            "own": "minor",
            "keep": "always",
            "counts": "rank",
            "degrees": "miss = 0, 0 pass = 2, 10 critical = 3",
        },
    ),
    Tried(
        "roller renewal",
        NAMED,
        {
            "chance": "0.25",
            "latest": 9,
            "table": "0.25, 0.5 1",
            "event": "storm",
            "nothing": "calm",
            "memory": "player",
        },
    ),
    Tried(
        "roller renewal",
        {**NAMED, "chance": "0.25"},
        {"event": "storm", "nothing": "calm", "memory": "player"},
    ),
    Tried(
        "roller recency",
        NAMED,
        {"dice": "1d8", "weights": "0, 0.5", "last": 3, "tries": 4, "memory": "player"},
    ),
    Tried("campaign create", NAMED, {"fresh": True}),
    Tried("admin reset", {"scope": "campaign"}, {"roller": "Fair"}),
    Tried(
        "history",
        {},
        {"player": "bob", "roller": "Fair", "label": "climb", "character": "Mira", "number": 5, "last": 2},
    ),
    Tried("stats", {}, {"player": "bob", "roller": "d8", "session": "1", "owners": "Ann: 6; Bob: 5"}),
    Tried("rigged", {}, {"player": "bob", "roller": "d8"}),
    Tried("lab convert", {"from": "d6", "to": 20}, {"rolls": 4, "thrown": "4 5 1"}),
    Tried("lab score", {"rule": "6*(a-1)+b"}, {"dice": 8, "values": 36}),
    Tried(
        "lab tune",
        {},
        {
            "values": 2,
            "samples": 3,
            "unpredictability": 80,
            "roller": "Fair",
            "beside": "Bag",
            "dice": "d3",
            "to": 5,
        },
    ),
)


KNOWN: Sequence[Given] = (
    ("session start", {}),
    ("roller luck", {"name": "Luck"}),
    ("roller luck", {"name": "Ranks", "counts": "rank"}),
    ("roller fair", {"name": "Fair", "dice": "2d6"}),
    ("roller deck", {"name": "Bag"}),
    ("roller cards", {"name": "Omens", "cards": "52"}),
)
ROLLS: Sequence[Given] = [
    ("roll", {"dice": dice, "label": "climb"}) for dice in ("d20", "d20", "d8", "Fair")
] * 6
OF_BOB: Sequence[Given] = (
    ("me", {"new": "Mira"}),
    ("roll", {"dice": "d20", "label": "hide"}),
    ("roll", {"dice": "Fair", "label": "climb"}),
    ("roll", {"dice": "d8", "label": "climb"}),
    ("me", {"new": "Finn"}),
)
"""What a game master does before, and Bob."""
LOOK_BACK = {"history", "stats", "rigged"}
"""Commands that need rolls to look back at."""


ALONE = {
    "r": "it is `/roll`",
    "me": "two characters at once are refused, and numbers are those of the one in use then",
    "admin settings": "each option is a setting of its own; a channel that is stopped too is refused",
    "export": "what `bring_back` leaves over is refused",
    "roller import": "exactly one of two is taken",
}
"""Commands that no try is made of, each with the reason."""
NARROW = {"role", "players", "file", "character", "session", "map"}
"""Options that a try has no value of: they narrow or bring, whatever stands beside them."""


async def outcome(t: Table, answer: InteractionResult) -> list[str]:
    """All that a command answered and recorded, without its numbers."""
    shown = [message for message in (answer.response, *answer.followups) if message]
    told = [f"{m.content} {m.ephemeral} {labels(m.components)} {len(m.attachments)}" for m in shown]
    rows = await t.app._store.reader.do(reading.page(1, limit=1))
    recorded = [f"{row.event.body} {row.event.words} {row.event.visibility}" for row in rows]
    return [_NUMBERS.sub("#", text) for text in (*told, *recorded, str(answer.modal))]


@pytest.mark.parametrize("tried", TRIED, ids=str)
async def test_no_option_is_left_out_in_silence(
    t: Table, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two options a command does something else than with one of them, or it refuses them."""
    refused: list[BaseException] = []

    async def report(interaction: discord.Interaction, error: BaseException) -> None:
        refused.append(error)
        await answers_report(interaction, error)

    monkeypatch.setattr("bot.client.report", report)
    await t.says(t.mara, "game use", game="dnd5")
    for command, options in KNOWN:
        await t.slash(t.mara, command, **options)
    if tried.name in LOOK_BACK:
        await _rolled(t)
    names, answers = count(), dict[frozenset[str], list[str]]()
    refusals = dict[frozenset[str], bool]()

    async def answer(options: frozenset[str]) -> list[str]:
        if options not in answers:
            for command, given in tried.before:
                await t.slash(t.mara, command, **given)
            t.supply._register = seeded("options")
            given = {**tried.needed, **{name: tried.others[name] for name in options}}
            fresh = f"N{next(names):04}"
            given = {k: {"N": fresh, "bob": t.bob}.get(str(v), v) for k, v in given.items()}
            refused.clear()
            answers[options] = await outcome(t, await t.slash(t.mara, tried.name, **given))
            refusals[options] = bool(refused)
        return answers[options]

    ignored = [
        (left_out, kept)
        for one, other in combinations(tried.others.keys() - tried.needed, 2)
        for left_out, kept in ((one, other), (other, one))
        if await answer(frozenset({left_out, kept})) == await answer(frozenset({kept}))
        and not refusals[frozenset({kept})]
    ]

    assert not ignored, "\n".join(f"{left_out} beside {kept}" for left_out, kept in ignored)


async def _rolled(t: Table) -> None:
    for command, options in ROLLS:
        await t.slash(t.mara, command, **options)
    for command, options in (*OF_BOB, *OF_BOB[1:]):
        await t.slash(t.bob, command, **options)
    await t.slash(t.ann, "me", new="Mira")
    for player in (t.ann, t.mara, t.mara):
        await t.slash(player, "roll", dice="d8")


async def test_every_option_is_tried(t: Table) -> None:
    """Of each command that has two that may be left out."""
    tried: dict[str, set[str]] = {}
    for each in TRIED:
        tried.setdefault(each.name, set()).update({*each.others, *each.needed})
    missing = {
        name: left_out
        for name, options in optional(t).items()
        if len(options) > 1 and name not in ALONE
        if (left_out := options - tried.get(name, set()) - NARROW)
    }

    assert missing == {}


def optional(t: Table) -> dict[str, set[str]]:
    """The options of each command that may be left out."""
    found: dict[str, set[str]] = {}
    waiting = [(command["name"], command) for command in t.env.backend.commands[None].values()]
    while waiting:
        name, command = waiting.pop()
        parts: list[Any] = command.get("options", [])
        waiting += [(f"{name} {part['name']}", part) for part in parts if part["type"] in {1, 2}]
        found[name] = {part["name"] for part in parts if part["type"] > 2 and not part.get("required")}
    return found


async def test_a_channel_is_chosen_or_stopped(t: Table) -> None:
    """Not both at once; another one may be."""
    for stop, refused in (("log_channel", True), ("gm_channel", False)):
        said = reply(await t.slash(t.mara, "admin settings", log=t.channel, stop=stop)).content

        assert said.startswith("Choose that channel, or stop it.") == refused


async def test_a_file_to_bring_back_has_its_format(t: Table) -> None:
    """So none can be chosen."""
    said = await t.whispers(t.mara, "export", bring_back=("export.json", b"{}"), format="json")

    assert said.startswith("A file that you bring back has its format.")
