"""The 164 things that the texts name: each done by the bot's own command, or refused by a line of the docs.

A row of rows.json says what to `call` and what the bot then `says` (patterns), what `docs` tell, or which
line of them has it `refused`, with the reason. What is `open` is missing, and the row says what.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from simcord import InteractionResult

from bot.charts import style
from tests.support.table import Table

ROOT = Path(__file__).parents[2]
ROWS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "rows.json").read_text("utf-8"))
THINGS = {"0": 36, "1": 25, "2": 22, "3": 21, "4": 54, "C": 6}
"""How many things each text names, and the card that began it."""
NAMES = [f"{text}.{n}" for text, most in THINGS.items() for n in range(1, most + 1)]


def told(result: InteractionResult) -> str:
    """All that an answer says, and the names of its files."""
    messages = [*([result.response] if result.response else []), *result.followups]
    files = [file.filename for message in messages for file in message.attachments]
    return "\n".join(["", *(message.content for message in messages), *files])


def given(value: Any) -> Any:
    """What an option is given: a name and a text are a file."""
    if not isinstance(value, list):
        return value
    name, text = cast("list[str]", value)
    return name, text.encode()


async def called(t: Table, steps: list[list[Any]]) -> str:
    """What the bot says to these commands and presses, one after the other."""
    said, last = "", None
    for who, command, options in steps:
        actor = getattr(t, who)
        if command == "press":
            assert last is not None
            last = await t.press(last, options["label"], actor)
        else:
            last = await t.slash(actor, command, **{name: given(one) for name, one in options.items()})
        said += told(last)
    return said


def lacks(row: dict[str, Any], said: str) -> list[str]:
    """What a row should have said, and what its docs should have told."""
    missing = [pattern for pattern in row.get("says", ()) if not re.search(pattern, said)]
    for file, line in (row[key] for key in ("docs", "refused") if key in row):
        text = " ".join((ROOT / file).read_text("utf-8").split())
        missing += [f"{file}: {line}"] * (" ".join(line.split()) not in text)
    return missing


def _undrawn(*_figure: object) -> bytes:
    """A chart that nobody looks at."""
    return b"PNG"


async def test_every_thing_of_the_texts(t: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows are there, and each does what it says, at one table; of charts only their names are seen."""
    monkeypatch.setattr(style, "png", _undrawn)
    wrong: dict[str, str] = {}
    for name, row in ROWS.items():
        assert row.keys() & {"call", "docs", "refused", "open"}, name
        try:
            said = await called(t, row.get("call", []))
        except Exception as error:  # noqa: BLE001 (it is told with its row)
            wrong[name] = repr(error)
            continue
        if missing := lacks(row, said):
            wrong[name] = f"{missing} not in: {said}"
    refused, missing = (sum(key in row for row in ROWS.values()) for key in ("refused", "open"))
    work = len(ROWS) - refused - missing - len(wrong)
    sys.stdout.write(f"\nOf {len(NAMES)} things {work} work, {refused} are refused, {missing} are missing.\n")

    assert not wrong, "\n".join(f"{name}: {why}" for name, why in wrong.items())
    assert [*ROWS] == NAMES
