"""No command takes longer because much was rolled before, but those that read all of it.

Steps of SQLite are counted, not seconds. A new command needs a line in `TRIED` or a place in `READS_ALL`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from tests.support.effort import Effort, counted, lengthen
from tests.support.table import Table, table

SOME, MANY = 400, 2_000
"""Rolls before the first count and before the second; a page of any list is full at the first one."""
READS_ALL = {
    "admin erase", "data forget", "data show", "export", "rigged",
    "session end", "session show", "stats", "verify",
}  # fmt: skip
"""Commands that delete, count or read events of the whole history or session, and say so."""
ONCE = {"campaign archive", "campaign create", "campaign use", "game import", "session start"}
"""Commands that begin something, which another history or a file goes with."""
MADE: Mapping[str, Mapping[str, object]] = {
    "campaign create": {"name": "Barrow"},
    "roller fair": {"name": "Luck", "dice": "2d6"},
    "roller deck": {"name": "Deck"},
    "roller dice": {"name": "Plain", "dice": "1d6"},
    "roller dynamic": {"name": "Waves"},
    "roller cards": {"name": "Cards", "cards": "52"},
    "roller decks": {"name": "Two", "decks": "a: x 2; b: y 2"},
    "roller blocks": {"name": "Blocks", "categories": "a: x; b: y", "block": 2},
    "roller chart": {"name": "Woods", "dice": "1d6", "chart": "1-3 elk; 4-6 owl"},
    "roller luck": {"name": "Fate"},
    "roller renewal": {"name": "Snow", "chance": "0.25"},
    "roller recency": {"name": "Tune", "dice": "1d6"},
    "roller import": {"name": "Brought", "json": '{"system":"dice","base":"3d6"}'},
    "save": {"name": "Claw", "dice": "1d20+7"},
    "me": {"set": "stealth 5"},
    "game use": {"game": "dnd5"},
}
"""A campaign with a roller of each kind, and what else is rolled by its name."""
ROLLED = ("Luck", "Deck", "Plain", "Waves", "Woods", "Snow", "Tune", "Claw", "stealth", "Luck adv")
TRIED: tuple[tuple[str, Mapping[str, object]], ...] = (
    *(("roll", {"dice": dice}) for dice in ("2d6+3", "attack +5 1d8+3", *ROLLED)),
    ("r", {"dice": "Luck", "visibility": "gm"}),
    *(("deal", {"deck": deck}) for deck in ("Cards", "Two", "Blocks")),
    ("deal", {"deck": "Cards", "hand": 3}),
    ("check", {"dice": "1d20", "dc": 11}),
    ("check", {"dice": "1d20", "dc": 11, "roller": "Fate"}),
    ("check", {"dice": "1d20", "against": "1d20"}),
    ("d100 roll", {}),
    ("d100 roll", {"visibility": "gm"}),
    ("d100 show", {}),
    ("d100 physical", {"dice": "3 5 1 6"}),
    ("d100 reset", {}),
    ("destination", {}),
    ("hand", {}),
    ("me", {}),
    ("save", {}),
    ("buttons", {}),
    ("help", {}),
    ("odds", {"what": "Luck"}),
    ("odds", {"what": "4d6kh3"}),
    ("history", {}),
    ("history", {"number": 20}),
    ("history", {"roller": "Luck"}),
    ("details", {"number": 20}),
    ("proof", {}),
    ("roller list", {}),
    ("roller export", {"name": "Luck"}),
    ("roller undo", {"name": "Luck"}),
    ("roller reset", {"name": "Luck"}),
    ("admin reset", {"scope": "campaign"}),
    ("group call", {"check": "Stealth", "dice": "1d20", "dc": 11}),
    ("group call", {"check": "Luck", "dice": "Luck"}),
    ("group call", {"check": "Fate", "dice": "1d20", "dc": 11, "roller": "Fate"}),
    ("group initiative", {}),
    ("group npc", {"dice": "1d20", "count": 3}),
    ("group deal", {"deck": "Cards"}),
    ("group show", {}),
    ("game list", {}),
    ("game show", {}),
    ("admin settings", {}),
    ("campaign list", {}),
    ("campaign show", {}),
    ("campaign dialect", {"program": "roll20"}),
    ("campaign gm add", {}),
    ("campaign gm remove", {}),
    ("lab sources", {}),
    ("lab methods", {}),
    ("lab convert", {"from": "d6", "to": 2}),
    ("lab score", {"rule": "a+b"}),
    ("lab tune", {"values": 2, "samples": 3}),
    *((command, options) for command, options in MADE.items() if command.startswith("roller ")),
    *(
        ("roller remove", {"name": MADE[command]["name"]})
        for command in MADE
        if command.startswith("roller ")
    ),
    ("campaign rename", {"new": "Barrow"}),
    ("game stop", {}),
    ("game use", {"game": "dnd5"}),
)


async def _steps(t: Table, effort: Effort, number: int) -> list[int]:
    """Return the steps of each command; what is new has the number in its name."""
    steps: list[int] = []
    for command, options in TRIED:
        is_new = command in MADE or command in {"roller remove", "campaign rename"}
        given: dict[str, Any] = {
            option: f"{value} {number}" if is_new and option in {"name", "new"} else value
            for option, value in options.items()
        } | ({"who": t.bob} if "gm" in command.split() else {})
        effort.ticks = 0
        await t.slash(t.mara, command, **given)
        steps.append(effort.ticks)
    return steps


async def test_a_long_history_makes_no_command_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six times as many rolls of the same rollers, open and hidden, make trees of rows a little higher."""
    effort = counted(monkeypatch)
    async with table(tmp_path, holds=False, expected=()) as t:
        for command, options in MADE.items():
            await t.slash(t.mara, command, **options)
        await _steps(t, effort, 0)
        await lengthen(t, SOME)
        short = [await _steps(t, effort, number) for number in (1, 2)]
        await lengthen(t, MANY)
        long = [await _steps(t, effort, number) for number in (3, 4)]
        commands = {
            c.qualified_name for c in t.bot.tree.walk_commands() if isinstance(c, app_commands.Command)
        }

    assert commands - {command for command, _ in TRIED} == READS_ALL | ONCE
    rows = zip(TRIED, map(min, *short), map(min, *long), strict=True)
    assert [(line, few, many) for line, few, many in rows if many > 1.5 * few + 30] == []
