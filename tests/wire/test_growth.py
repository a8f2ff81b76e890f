"""No command takes longer because much was rolled before, but those that read all of it.

Steps of SQLite are counted, not seconds. A new command needs a line in `TRIED` or a place in `READS_ALL`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from discord import app_commands

from tests.support.effort import Effort, counted, lengthen
from tests.support.table import Table, table
from tests.support.twins import ROLLERS, rolling

SOME, MANY = 400, 2_000
"""Rolls before the first count and before the second; a page of any list is full at the first one."""
READS_ALL = {
    "admin erase", "data forget", "data show", "export", "rigged",
    "session end", "session show", "stats", "verify",
}  # fmt: skip
"""Commands that delete, count or read events of the whole history or session, and say so."""
ONCE = {"campaign archive", "campaign create", "campaign use", "game import", "session start"}
"""Commands that begin something, which another history or a file goes with."""
Lines: TypeAlias = tuple[tuple[str, Mapping[str, object]], ...]
"""Commands with their options, in order."""
MAKING: Lines = (
    *((f"roller {kind}", {"name": name, **options}) for name, (kind, options) in ROLLERS.items()),
    ("roller import", {"name": "Brought", "json": '{"system":"dice","base":"3d6"}'}),
)
BEFORE: Lines = (
    ("campaign create", {"name": "Barrow"}),
    *MAKING,
    ("save", {"name": "Claw", "dice": "1d20+7"}),
    ("me", {"set": "stealth 5"}),
    ("game use", {"game": "dnd5"}),
)
NEW = {*(command for command, _ in MAKING), "roller remove", "campaign rename"}
"""Commands whose name is another one each time."""
TRIED: Lines = (
    *map(rolling, ROLLERS),
    *(("roll", {"dice": dice}) for dice in ("2d6+3", "attack +5 1d8+3", "Claw", "stealth", "Luck adv")),
    ("r", {"dice": "Luck", "visibility": "gm"}),
    *(("deal", {"deck": deck}) for deck in ("Cards", "Two", "Blocks")),
    ("deal", {"deck": "Cards", "hand": 3}),
    ("check", {"dice": "1d20", "dc": 11}),
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
    *MAKING,
    *(("roller remove", {"name": options["name"]}) for _, options in MAKING),
    ("campaign rename", {"new": "Barrow"}),
    ("game stop", {}),
    ("game use", {"game": "dnd5"}),
)


async def _steps(t: Table, effort: Effort, number: int) -> list[int]:
    """Return the steps of each command; what is new has the number in its name."""
    steps: list[int] = []
    for command, options in TRIED:
        given: dict[str, Any] = {
            option: f"{value} {number}" if command in NEW and option in {"name", "new"} else value
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
        for command, options in BEFORE:
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
