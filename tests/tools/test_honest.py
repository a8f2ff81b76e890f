"""Honest histories of every kind, made by the real bot: all verifiers say alike that they hold, and how far.

What each of them says of each is kept in tests/data/honest.json, so that a changed verdict is seen in a
diff. Where a change is meant, write the file anew and read its diff: `python -m tests.tools.test_honest`.
"""

import asyncio
import json
import re
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.storage.files import read_address
from bot.storage.migrating import migrate
from tests.support.browsing import browsing
from tests.support.chromium import needs_chromium
from tests.support.databases import postgresql_database
from tests.support.honest import HISTORIES, Told, processes
from tests.support.verdicts import Verifiers

EXPECTED = Path(__file__).parents[1] / "data" / "honest.json"
PROCESSES = "two processes"
_ANY = re.compile(r"(?<=evenhand/)[0-9a-f]{32}|\b[0-9]{17,19}\b")
"""What chance and time put into a verdict: the log's name, and Discord's ids."""


@needs_chromium
@pytest.mark.parametrize("name", HISTORIES)
def test_an_honest_history_holds(name: str, tmp_path: Path, verifiers: Verifiers) -> None:
    """The three say what they always said of it, with a checkpoint that a player kept."""
    told = asyncio.run(HISTORIES[name](tmp_path))

    assert said(told, verifiers) == json.loads(EXPECTED.read_text("utf-8"))[name]


@needs_chromium
def test_two_processes_hold(tmp_path: Path, postgresql_url: str, verifiers: Verifiers) -> None:
    """One of them commits to keys, and both roll."""
    told = asyncio.run(processes(tmp_path, postgresql_url))

    assert said(told, verifiers) == json.loads(EXPECTED.read_text("utf-8"))[PROCESSES]


def test_they_say_alike_what_follows() -> None:
    """The two that know fewer rules say the same; the bot's differs in what it makes again alone."""
    for name, files in json.loads(EXPECTED.read_text("utf-8")).items():
        for title, verdicts in files.items():
            tools, bot = ([*map(_unmade, verdicts[which])] for which in ("tools", "bot"))

            assert verdicts["js"] == verdicts["tools"], (name, title)
            assert verdicts["tools"][0].startswith("Holds: everything shown up to #")
            assert [line for line in tools if "rules that this tool" not in line] == bot, (name, title)


def said(told: Told, verifiers: Verifiers) -> dict[str, dict[str, list[str]]]:
    """What each verifier says of each export, but for names and ids."""
    return {
        title: {
            which: _ANY.sub(
                "…", verifiers.named(which)(file, checkpoints=(told.kept[title],)).words
            ).splitlines()
            for which in ("tools", "bot", "js")
        }
        for title, file in told.files.items()
    }


def _unmade(line: str) -> str:
    """A line without how many rolls were made again, which hangs on the rules that a verifier knows."""
    return re.sub(r"[0-9]+ (made again, |not made again, |rolls follow)", "", line)


def renewed() -> dict[str, dict[str, dict[str, list[str]]]]:
    """What they say today."""
    found: dict[str, dict[str, dict[str, list[str]]]] = {}
    with browsing() as script, postgresql_database() as url:
        asyncio.run(migrate(read_address(url), None))
        makers = {**HISTORIES, PROCESSES: partial(processes, url=url)}
        for name, make in makers.items():
            with TemporaryDirectory() as folder:
                told = asyncio.run(make(Path(folder)))
                found[name] = said(told, Verifiers(Path(folder), lambda: script))
    return found


if __name__ == "__main__":
    sys.path.insert(0, "tools")
    EXPECTED.write_text(json.dumps(renewed(), indent=1, ensure_ascii=False) + "\n", "utf-8")
