"""One evening with every kind of event means what it always meant, whatever the bot keeps it in.

Where a change is meant, write the file anew and read its diff: `python -m tests.golden.test_evening`.
"""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from bot.services.retention import Retention
from bot.storage.queries import Reader
from tests.golden.company import Company, gather
from tests.golden.evening import play, play_on
from tests.golden.meaning import KINDS, RULES, Meaning, Reading
from tests.support.drand import Prompt, asking, drand_server
from tests.support.groups import group_table
from tests.support.table import Table

EXPECTED = Path(__file__).with_name("evening.json")
DAY = 86_400
START = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""Where the simulated clock stands at first."""
_PRETTY_DEPTH = 4


async def test_the_evening_means_what_it_always_meant(tmp_path: Path) -> None:
    """Every roll, memory, right, verdict, count and export of it, line by line."""
    assert printed(await meaning(tmp_path)).splitlines() == EXPECTED.read_text("utf-8").splitlines()


def test_the_evening_has_everything() -> None:
    """Every kind of event, every system and every way to a d100 is in it."""
    campaigns = [one for act in json.loads(EXPECTED.read_text("utf-8")).values() for one in act.values()]
    events: list[Meaning] = [event for one in campaigns for event in one["events"]]

    assert {event["kind"] for event in events} == KINDS
    assert any("drand" in event for event in events)
    assert {event["by"] for event in events if "by" in event} == RULES - {"method"}


async def meaning(folder: Path) -> Meaning:
    """What the evening means, and what is left of it after a restart and a month, when it was cut."""
    clock = Prompt()
    async with drand_server() as server, group_table(folder, **asking(server, clock)) as t:
        clock.env = t.env
        company = gather(t)
        names = _names(t, company)
        await play(t, company)
        channels = (t.channel, company.tavern, company.cellar, company.attic)
        evening = await Reading(t, names, channels).everything()
    async with group_table(folder, later=40 * DAY) as t:
        await _let_go(t, START + 35 * DAY)
        await play_on(t)
        left = await Reading(t, names, (t.channel,)).everything()
    return {"the evening": evening, "a month later": left}


async def _let_go(t: Table, seconds: float) -> None:
    """Do the daily round of retention as if it were that time, in seconds since 1970."""
    await Retention(t.database, Reader(t.database.reader)).tidy(seconds)


def printed(value: Any, depth: int = 0) -> str:
    """JSON with one event a line."""
    if depth == _PRETTY_DEPTH or not value or not isinstance(value, dict | list):
        return _line(value)
    if isinstance(value, dict):
        (first, last), named = "{}", cast("Meaning", value)
        inside = [f"{_line(key)}: {printed(one, depth + 1)}" for key, one in named.items()]
    else:
        first, last = "[]"
        inside = [printed(one, depth + 1) for one in cast("list[Any]", value)]
    margin = "\n" + " " * depth
    return f"{first}{margin} {f',{margin} '.join(inside)}{margin}{last}"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _names(t: Table, company: Company) -> dict[int, str]:
    people = {who.id: who.name for who in (*t.world.actors, company.dan)}
    channels = {one.id: f"#{one.name}" for one in (t.channel, company.tavern, company.cellar, company.attic)}
    return {**people, **channels, company.keepers.id: "Keepers"}


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        EXPECTED.write_text(printed(asyncio.run(meaning(Path(folder)))) + "\n", "utf-8")
