"""Texts are read before a command is handed to the writer: no command reads one while it is decided."""

import dataclasses
import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from discord import AppCommandOptionType
from discord.app_commands import Command as SlashCommand
from simcord import InteractionResult

from bot.campaign.command import Command, Drawing, Plain
from tests.support.groups import leads, plays
from tests.support.proving import proof_on, salts
from tests.support.table import Table
from tests.support.tripwire import tripwire

FILLED: dict[str, Any] = {
    "dice": "1d20+1",
    "what": "1d20",
    "versus": "2d6",
    "against": "1d20",
    "check": "Stealth",
    "rolls": "2d6",
    "deck": "Cards",
    "cards": "a 2, b",
    "decks": "x: a 2; y: b",
    "categories": "a 2, b",
    "block": 3,
    "text": "seven ravens",
    "from": "d6",
    "to": 20,
    "count": 2,
    "names": "Orc",
    "number": 1,
    "game": "wod",
    "program": "avrae",
    "scope": "roller",
    "degrees": "a, 0 b",
    "players": "<@1>",
    "dc": 12,
    "chart": "2-7 a; 8-12 b",
    "table": "a 1, b 2",
    "chance": "1/6",
    "weights": "1 2",
    "rounds": 1,
    "json": '{"system":"plain","base":"2d6"}',
    "event": "a",
    "nothing": "b",
    "tightness": "1",
    "cap": "2",
}
"""What each option is given, where it is not left out; names are new ones, or of what is there."""
THERE = {"roller": "Luck", "account": "Fate", "campaign": "Owls", "map": "Destination", "session": "1"}
HOSTILE = "1234567890" * 9 + "x"
MORE = ("Luck", "wod 3", "Keep", "20#1d20", "1d20 adv", "4d6 drop lowest")
"""What is typed for dice too: a roller, a game's words, a saved roll, dice that are read again."""


LAST = ("remove", "archive", "reset", "undo")
"""What takes away what the others are about."""


def _commands(t: Table) -> list[SlashCommand[Any, ..., Any]]:
    """All that a person can fill in here, the destructive ones at the end."""
    found = [one for one in t.bot.tree.walk_commands() if isinstance(one, SlashCommand)]
    files = AppCommandOptionType.attachment
    able = [one for one in found if not any(o.required and o.type is files for o in one.parameters)]
    return sorted(able, key=lambda one: one.name in LAST)


def _value(t: Table, command: str, option: Any, fresh: Iterator[int]) -> Any:
    if option.choices:
        return option.choices[0].value
    if option.type in {AppCommandOptionType.user, AppCommandOptionType.mentionable}:
        return t.bob
    if option.display_name in {"name", "new"} and command.split(maxsplit=1)[0] in {"roller", "campaign"}:
        made = not option.autocomplete
        return f"Name {next(fresh)}" if made else "Luck" if command.startswith("roller") else "Owls"
    filled = {**FILLED, **THERE}.get(option.display_name, "Keep" if option.display_name == "name" else "Fire")
    # One command's number is another one's text.
    return str(filled) if option.type is AppCommandOptionType.string else filled


_DICE = {"dice", "what", "versus", "against", "rolls", "from"}
"""Options with dice, which each program writes in its own way."""


async def _type_everywhere(t: Table, *, dice_alone: bool) -> None:
    """Every command runs with each of its texts: a fitting one, a hostile one, for dice some more."""
    fresh = iter(range(10_000))
    for command in _commands(t):
        needed = [o for o in command.parameters if o.required]
        for text in command.parameters:
            is_text = text.type is AppCommandOptionType.string and not text.choices
            if not is_text or (dice_alone and text.display_name not in _DICE):
                continue
            for typed in (None, HOSTILE, *(MORE if text.display_name in {"dice", "against"} else ())):
                given = {o.display_name: _value(t, command.qualified_name, o, fresh) for o in {*needed, text}}
                if typed is not None:
                    given[text.display_name] = typed[: int(text.max_value or len(typed))]
                if "roller" in given and command.name in {"check", "call"}:
                    given |= {"roller": "Fate" if typed is None else given["roller"], "dc": 12}
                elif command.name == "check":
                    given["dc"] = 12
                await t.slash(t.mara, command.qualified_name, **given)


async def _press(t: Table, called: InteractionResult) -> None:
    """Calls are answered with every kind of addition, and led."""
    await t.press(called, "Roll", t.mara)
    for actor, added in zip((t.ann, t.bob), ("adv +1d4", "wod 3"), strict=True):
        await actor.submit_modal(await t.press(called, "+ bonus…", actor), {"added": added})
    panel = await leads(t, called, "Add monsters…")
    await t.mara.submit_modal(panel, {"names": "Orc x3", "dice": "1d20+2"})


def _with_text(kind: type[Command]) -> Iterator[str]:
    """The names of all commands with a text of somebody's in them."""
    if issubclass(kind, Plain | Drawing) and dataclasses.is_dataclass(kind) and not inspect.isabstract(kind):
        fields = [one for one in dataclasses.fields(kind) if one.init]
        if any(one.type in {str, "str", "tuple[str, ...]", tuple[str, ...]} for one in fields):
            yield kind.__name__
    for below in kind.__subclasses__():
        yield from _with_text(below)


@pytest.mark.parametrize("program", ["evenhand", "avrae"])
async def test_no_command_reads_a_text_while_it_is_decided(
    program: str, t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a parser nor any regular expression runs then, whatever is typed into whatever option."""
    await t.slash(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.slash(t.mara, "roller luck", name="Fate")
    await t.slash(t.mara, "roller cards", name="Cards", cards="a 9, b 9")
    await t.slash(t.mara, "roller cards", name="Gifts", cards="c, d, e")
    await t.slash(t.mara, "campaign create", name="Owls")
    await t.slash(t.mara, "game use", game="wod")
    await t.slash(t.mara, "save", name="Keep", dice="2d6")
    await t.slash(t.mara, "campaign dialect", program=program)
    with tripwire(monkeypatch) as caught:
        for dice in ("1d20", "Luck", "Luck+1d4", "wod 3"):
            await _press(t, await t.slash(t.mara, "group call", check="Stealth", dice=dice))
        for dice in ("1d20+2", "Luck", "Luck+1d4 adv", "wod 3"):
            rolled = await t.slash(t.ann, "roll", dice=dice)
            await t.press(rolled, "Again", t.ann)
        await t.slash(t.mara, "deal", deck="Cards", hand=2)
        taken = await t.press(await t.slash(t.mara, "deal", deck="Gifts", offer=3), "d", t.mara)
        await t.press(taken, "Put the others back", t.mara)
        for done in ("Put back", "Play"):
            await plays(t, t.mara, done)
        await t.press(await t.slash(t.mara, "roller reset", name="Luck"), "Reset it", t.mara)
        await proof_on(t, t.mara)
        await salts(t, t.ann, HOSTILE[:80])
        await _type_everywhere(t, dice_alone=program != "evenhand")

    assert caught.reading == []
    assert program != "evenhand" or {*_with_text(Command)} - caught.decided == set()
