"""A batch asks the database as often for many jobs as for a few."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from bot.campaign.call_commands import OpenCall
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Terms
from bot.campaign.campaign_commands import MarkSession
from bot.campaign.command import Caller, Command
from bot.campaign.followups import PushRoll
from bot.campaign.kinds import Mark
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from tests.storage.asking import Storage, deck, draw, gm, opened, player
from tests.support.databases import sqlite_url
from tests.support.plans import Plans

FEW, MANY = 2, 20
Asked: TypeAlias = Callable[[int], tuple[Caller, Command]]
JOBS: Mapping[str, tuple[Asked, Asked]] = {
    "cards for hands": (
        lambda n: (gm(), MakeRoller(f"Cards {n}" if n else "Cards", deck())),
        lambda n: (player(user=n), draw()),
    ),
    "answers to calls of named players": (
        lambda n: (gm(), OpenCall("1d6", Terms(named=True), seats=frozenset({n}))),
        lambda n: (player(user=n), AnswerCall(1, n + 1)),
    ),
    "pushes": (
        lambda n: (player(user=n), RollDice("1d6")),
        lambda n: (player(user=n), PushRoll(1, n + 1, None)),
    ),
    "sessions, of which every second is open": (
        lambda n: (gm(n + 1), MarkSession(Mark.START) if n % 2 else RollDice("1d6")),
        lambda n: (gm(n + 1), MarkSession(Mark.START)),
    ),
}
"""By kind: what comes before, and the jobs of one batch."""


async def test_statements_do_not_grow_with_the_jobs(tmp_path: Path) -> None:
    """Each kind of job takes as many statements for twenty callers as for two, and none reads a table."""
    plans: set[tuple[str, str]] = set()
    for folder, (kind, (before, job)) in enumerate(JOBS.items()):
        counts: list[int] = []
        for number in (FEW, MANY):
            path = tmp_path / f"{folder}-{number}"
            path.mkdir()
            async with opened(sqlite_url(path)) as storage:
                for n in range(number):
                    await storage.writer.write(*before(n))
            watched = Plans()
            async with opened(sqlite_url(path), watched=watched) as storage:
                await _write_at_once(storage, [job(n) for n in range(number)])
                assert storage.writer.pulse.batches == 1
            counts.append(len(watched.asked))
            plans.update(watched.steps(path / "evenhand.db"))
        assert counts[0] == counts[1], kind

    tables = ("event", "hand", "seat", "campaign", "mark", "cut", "pushed")
    assert [step for step in plans if step[0].startswith("SCAN") and step[0].split()[1] in tables] == []


async def _write_at_once(storage: Storage, requests: list[tuple[Caller, Command]]) -> None:
    """Some of them are refused."""
    await asyncio.gather(*(storage.writer.write(*request) for request in requests), return_exceptions=True)
