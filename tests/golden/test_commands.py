"""docs/commands.md is what the commands say of themselves.

`python -m tests.golden.test_commands` writes the page anew.
"""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from discord import app_commands

from tests.support.table import Table, table

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
ORDER = {
    "Everyday": "roll check save odds deal hand me buttons help",
    "The table": "group session game",
    "Making": "roller campaign admin",
    "Looking back": "history details stats rigged export verify proof",
    "More": "lab d100 destination data",
}
"""The commands of each heading, the most used ones first."""
_BEGINNING = """\
# Commands

Type `/` in Discord or at the table, and choose. An option with a * is needed. Brackets say what happens
without it. `/r` is `/roll`.

In a message's menu, *Roll details* shows the dice, the odds and the proof of that roll. In a person's menu,
*Luck so far* shows how lucky they were.

Game masters of a campaign are the person who made it, whoever `/campaign gm add` names, and people with
*Manage Server*. Alone with the bot, you are one. Rolls are `public`, `self` (only you), `gm` (you and the
game masters) or `blind` (only the game masters). *Reveal* shows a hidden roll to everybody.
"""
Leaf: TypeAlias = app_commands.Command[Any, ..., Any]


def page(commands: Iterable[object]) -> str:
    """Return the page about these commands, and those below them."""
    leaves: list[Leaf] = [c for c in commands if isinstance(c, app_commands.Command)]
    leaves.sort(key=_name)
    listed = {"r", *" ".join(ORDER.values()).split()}
    if unlisted := {leaf.qualified_name.split()[0] for leaf in leaves} - listed:
        raise ValueError(f"ORDER lacks {', '.join(sorted(unlisted))}")
    lines = [_BEGINNING]
    for heading, names in ORDER.items():
        lines.append(f"## {heading}\n\n| command | what it does |\n|---|---|")
        for name in names.split():
            lines += [
                line for leaf in leaves if leaf.qualified_name.split()[0] == name for line in _rows(leaf)
            ]
        lines.append("")
    return "\n".join(lines)


def _name(leaf: Leaf) -> str:
    # The order in the tree is that in which features were imported, which other tests change.
    return leaf.qualified_name


def _rows(leaf: Leaf) -> Iterator[str]:
    yield f"| **`/{leaf.qualified_name}`** | {leaf.description} |"
    for option in leaf.parameters:
        needed = "*" if option.required else ""
        yield f"| `{option.display_name}`{needed} | {str(option.description).replace('|', '/')} |"


async def test_the_page_is_what_the_commands_say(t: Table) -> None:
    """Every command and option has its line, under one of the headings."""
    assert page(t.bot.tree.walk_commands()) == PAGE.read_text("utf-8")


async def _write() -> None:
    with TemporaryDirectory() as folder:
        async with table(Path(folder)) as t:
            PAGE.write_text(page(t.bot.tree.walk_commands()), "utf-8")


if __name__ == "__main__":
    asyncio.run(_write())
