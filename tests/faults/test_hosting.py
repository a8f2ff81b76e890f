"""What docs/hosting.md tells a host is what the bot has: commands, settings, permissions and sentences."""

import re
from pathlib import Path

from bot.__main__ import COMMANDS
from bot.client import PERMISSIONS
from bot.settings import names, secret_files

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
SHORTEST = 12
"""A piece of a quoted sentence of fewer letters could stand anywhere."""


def test_every_command_is_there() -> None:
    """`evenhand COMMAND` in the page is a command."""
    named = set(re.findall(r"evenhand ([a-z]+)\b", TEXT)) - {"restore"}

    assert named >= {"run", "backup", "check", "move", "migrate"}
    assert named - set(COMMANDS) <= {"docker"}


def test_every_setting_is_there() -> None:
    """`EVENHAND_...` in the page is a setting."""
    named = set(re.findall(r"EVENHAND_[A-Z_]+", TEXT))

    assert named
    assert named <= {*names().values(), *secret_files()}


def test_the_permissions_are_those_of_the_link() -> None:
    """The integer that a host may compare with what Discord shows."""
    assert f"**{PERMISSIONS.value}**" in TEXT


def test_every_sentence_is_one_of_the_bots() -> None:
    """What the table quotes stands in the code, but for the names in between."""
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "bot").rglob("*.py"))
    # Sentences go over several lines.
    spoken = re.sub(r'"\s*\n\s*f?"', "", code)
    table = TEXT.split("## When it says")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    quoted = [said for row in rows for said in re.findall(r"`([^`]+)`", row)]
    pieces = [piece.strip() for said in quoted for piece in re.split(r"\.\.\.|\bN\b", said)]
    missing = [piece for piece in pieces if len(piece) >= SHORTEST and piece not in spoken]

    assert len(quoted) > 15
    assert missing == []
