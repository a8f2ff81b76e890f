"""A dozen commands on simcord's Discord and on the table's own: the bot says the same on both."""

import re
from pathlib import Path
from typing import Any

import pytest
from simcord.components import walk_components

from tests.support.discord import discord, served
from tests.support.shown import texts
from tests.support.table import table

COMMANDS: list[tuple[str, dict[str, Any]]] = [
    ("roll", {"dice": "2d6+3"}),
    ("roll", {"dice": "4d6kh3", "times": 3, "label": "to hit"}),
    ("roll", {"dice": "1d20", "visibility": "self"}),
    ("roll", {"dice": "2x6"}),
    ("roller fair", {"name": "Luck", "dice": "2d6"}),
    ("roll", {"dice": "Luck"}),
    ("roller list", {}),
    ("d100 roll", {}),
    ("group call", {"check": "Stealth", "dice": "1d20+2", "dc": 12}),
    ("group npc", {"dice": "1d20", "count": 2, "names": "Orc"}),
    ("history", {}),
    ("stats", {}),
    ("rigged", {}),
    ("help", {}),
]
_CHECKPOINT = re.compile("`evenhand/[0-9a-f]{32} [0-9]+ [A-Za-z0-9+/]{43}=`")
_NATURAL = re.compile(r" · \*\*natural \d+\*\*")
_STANDING = re.compile(r"\d+\.\d (?:ahead|due|more|fewer)|\beven$", re.MULTILINE)
_MEANT = re.compile(r"(?<=<@)\d+(?=>)|(?<=<t:)\d+|`[0-9a-f]{8}(?: [0-9a-f]{8}){3}`|\d[\d,]*\d|\d")


def plain(text: str) -> str:
    """The text without what chance and time put into it: people, dice, seals, checkpoints and times."""
    text = _STANDING.sub("ahead", _NATURAL.sub("", _CHECKPOINT.sub("a checkpoint", text)))
    return _MEANT.sub("n", re.sub(r"\*\*[^*]*\*\*|\([^)]*\)", "x", text))


def shape(components: list[Any]) -> list[tuple[Any, ...]]:
    """The components as kinds, styles and labels, each before what is within."""
    return [
        (part["type"], part.get("style"), part.get("label"), bool(part.get("disabled")))
        for part in walk_components(components)
    ]


@pytest.mark.parametrize("place", range(2))
async def test_both_say_the_same(tmp_path: Path, place: int) -> None:
    """Text, privacy and components of a dozen commands, by a game master and by a player."""
    async with (
        table(tmp_path / "simcord") as t,
        discord(tmp_path / "table") as d,
        served(d, tmp_path / "bot"),
    ):
        actor, person = [(t.mara, d.mara), (t.ann, d.ann)][place]
        await t.slash(t.mara, "admin settings", faces=False)
        await d.says(d.mara, "/admin settings faces:False")
        for name, options in COMMANDS:
            first = (await t.slash(actor, name, **options)).response
            line = "".join(f' {option}:"{value}"' for option, value in options.items())
            second = await d.says(person, f"/{name}{line}")

            assert first is not None
            assert plain(second.content or texts(second.components)) == plain(first.content), name
            assert shape(second.components) == shape(first.components), name
            assert second.flags == first.flags.value, name
