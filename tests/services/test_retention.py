"""What is older than a campaign keeps is cut off, and what is left can be used and checked as before."""

import asyncio
import logging
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bot.campaign.campaign_commands import MarkSession, SetRules
from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller, RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.histories import Filter
from bot.campaign.kinds import Kind, Mark, Visibility
from bot.campaign.roller_commands import ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import SpecError, Unknown
from bot.record.lines import EventRecord
from bot.services.campaigns import Campaigns
from bot.services.dice_questions import DiceQuestions, StatsQuery
from bot.services.histories import Histories
from bot.services.privacy import Privacy
from bot.services.reports import Reports
from bot.services.retention import Retention
from bot.services.sessions import Sessions
from bot.stats.luck import Report
from bot.storage import cutting, reading, schema
from bot.storage.engine import transact
from bot.storage.erasing import begin_erasure, count_of_person
from bot.storage.queries import Queries, Query
from tests.services.test_exports import exported
from tests.storage.asking import Storage, audited, caller, fair, forget, gm, opened, player
from tests.support.databases import sqlite_url
from tests.support.exporting import audit_of, told_in

DAY = 86_400


async def play(storage: Storage, days: int, rounds: int = 1) -> None:
    """So many days ago: rolls of everything by two players, and a hidden one."""
    owl, blind = RollOptions("Owl"), RollOptions(visibility=Visibility.BLIND)
    rolls = [RollDice(text, 1, owl) for text in ("evil", "own", "2d6")]
    commands = (*rolls, roll_register(4, 1, owl), RollDice("evil", 1, blind))
    writing = [
        storage.writer.write(caller(user=user, ago=days * DAY), command)
        for user in (1, 2) * rounds
        for command in commands
    ]
    await asyncio.gather(*writing)


async def old_and_new(storage: Storage, retention: int = 30) -> None:
    """24 events of 35 days ago and more, and 10 of now; the history is to be kept for 30 days."""
    await storage.writer.write(caller(user=9, ago=41 * DAY), SetRules(None, {"retention": retention}))
    await storage.writer.write(caller(user=9, ago=41 * DAY), fair("evil"))
    await storage.writer.write(caller(user=9, ago=41 * DAY), fair("own", Remembers.PLAYER))
    await play(storage, 40)
    await storage.writer.write(caller(user=9, ago=39 * DAY), ResetRoller("own"))
    await play(storage, 35)
    await play(storage, 0)


async def checked(storage: Storage, folder: Path, who: Caller | None = None) -> list[EventRecord]:
    """The whole history, which has been checked, and so has the database."""
    export = await exported(storage, folder, who or gm(), room=10_000_000)
    assert audit_of(export.files).tree.root == export.checkpoint.root
    await audited(storage)
    return told_in(export.files)


async def tidied(storage: Storage, later: float = 0, limit: int = 0) -> int:
    """How many events the job removes, so many days later."""
    return await Retention(storage.database, storage.reader, limit).tidy(time.time() + later * DAY)


async def test_what_is_too_old_goes_and_the_rest_holds(storage: Storage, tmp_path: Path) -> None:
    """The job cuts once; what is left is exported and checked, and so is what comes after it."""
    await old_and_new(storage)
    removed = [await tidied(storage) for _ in range(2)]
    part = await checked(storage, tmp_path)
    players = await checked(storage, tmp_path, player())
    await play(storage, 0)
    await storage.writer.write(caller(user=9), UndoRoller("own"))
    more = await checked(storage, tmp_path)
    seqs = await storage.numbers("SELECT seq FROM event ORDER BY seq")

    assert removed == [24, 0]
    assert seqs == [*range(25, 47)]
    assert [len(one) for one in (part, players, more)] == [11, 11, 22]
    assert players[0].closed == {"how"}
    assert part[0].seq == more[0].seq == 25


async def test_a_cut_history_is_cut_again(storage: Storage, tmp_path: Path) -> None:
    """Later the next part goes, with the first cut; at last nothing but a cut is left, and that stays."""
    await old_and_new(storage)
    removed = [await tidied(storage, later) for later in (0, 5, 31, 99, 999)]
    part = await checked(storage, tmp_path)

    assert removed == [24, 0, 11, 0, 0]
    assert [item.seq for item in part] == [36]


async def test_a_thousand_events_go_in_several_steps(tmp_path: Path) -> None:
    """However many there are, all go in one round."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await old_and_new(storage)
        await play(storage, 0, 120)
        await storage.writer.write(caller(), RollDice("2d6"))
        removed = await tidied(storage, 31)
        kept = await storage.numbers("SELECT count(*) FROM event")

    assert (removed, kept) == (1_235, [1])


async def test_a_cut_that_was_begun_is_finished(storage: Storage, tmp_path: Path) -> None:
    """In between the history begins after the cut, whatever is still there."""
    await old_and_new(storage)
    saved = await storage.transact(_events())
    await tidied(storage)
    await transact(storage.database, _put_back(saved, 20))
    part = await checked(storage, tmp_path)
    with pytest.raises(Unknown, match=r"#24 was removed\. The history begins with #25"):
        await Histories(storage).around(gm(), Filter(), 24)
    removed = await tidied(storage)

    assert part[0].seq == 25
    assert removed == 5


async def test_the_history_says_where_it_begins(tmp_path: Path) -> None:
    """On its last page alone, under any filter."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await old_and_new(storage)
        await tidied(storage)
        histories = Histories(storage)
        first = await histories.page(gm(), Filter())
        last = await histories.page(gm(), Filter(before=first.older or 0))
        mine = await histories.page(gm(), Filter(user_id=1, roller="own"))

    assert first.beginning is None
    assert last.beginning
    assert (last.beginning.upto, last.beginning.cut.days) == (24, 30)
    assert mine.beginning == last.beginning
    assert first.entries[0].event.kind is Kind.CUT


async def test_an_undo_stops_at_the_cut(storage: Storage) -> None:
    """What is left is undone as ever; then it is said why there is no more."""
    await old_and_new(storage)
    await tidied(storage)
    before = (await storage.reader.do(reading.find_roller(1, "own", 2)))[1]
    for _ in range(2):
        await storage.writer.write(caller(user=9), UndoRoller("own"))
    with pytest.raises(Unknown, match="before was removed from the history, so it can't be undone"):
        await storage.writer.write(caller(user=9), UndoRoller("own"))
    after = (await storage.reader.do(reading.find_roller(1, "own", 2)))[1]

    assert before != after
    assert after is not None


async def test_memories_from_before_a_reset_go_with_it(storage: Storage) -> None:
    """Those that count now stay."""
    await old_and_new(storage)
    epochs = await storage.numbers("SELECT epoch FROM memory WHERE owner_id = 1 ORDER BY epoch")
    await tidied(storage)
    left = await storage.numbers("SELECT epoch FROM memory WHERE owner_id = 1 ORDER BY epoch")

    assert epochs == [3, 7, 14]
    assert left == [7, 14]


async def test_counts_stay(storage: Storage) -> None:
    """/stats goes on with what was removed."""
    await old_and_new(storage)
    reports = Reports(DiceQuestions(storage.reader, Sessions(storage)))
    before = await reports.report(await reports.questions.ask(caller(), StatsQuery(user_id=1)))
    await tidied(storage)
    after = await reports.report(await reports.questions.ask(caller(), StatsQuery(user_id=1)))

    assert isinstance(before, Report)
    assert isinstance(after, Report)
    assert before.luck == after.luck
    assert (before.rolls, before.true) == (after.rolls, after.true)


async def test_an_evening_that_began_before_the_cut_goes_on(storage: Storage) -> None:
    """It keeps its beginning, says what is missing, and ends as any other."""
    await storage.writer.write(caller(user=9, ago=41 * DAY), SetRules(None, {"retention": 30}))
    await storage.writer.write(caller(user=9, ago=41 * DAY), MarkSession(Mark.START))
    for ago in (40, 40, 0, 0, 0):
        await storage.writer.write(caller(ago=ago * DAY), RollDice("2d6"))
    sessions = Sessions(storage)
    (whole,) = await sessions.latest(caller())
    saved = (await storage.transact(_events()))[:4]
    await tidied(storage)
    (running,) = await sessions.latest(caller())
    await transact(storage.database, _put_back(saved, 2))
    (meanwhile,) = await sessions.latest(caller())
    campaign_id, ended = await sessions.end(gm())
    rolls = await sessions.rolls(campaign_id, ended)
    latest = await sessions.latest(caller())
    await tidied(storage, 31)
    none = await sessions.latest(caller())

    assert meanwhile == running == replace(whole, cut=4)
    assert (ended.start, ended.began, ended.end, ended.cut) == (2, whole.began, 9, 4)
    assert [row.event.seq for row in rolls] == [5, 6, 7]
    assert latest == [ended]
    assert none == []


async def test_an_erased_player_is_gone_from_the_cut_too(storage: Storage, tmp_path: Path) -> None:
    """Also one of whom nothing but a memory is left; the rest still holds, and they can come back."""
    await old_and_new(storage)
    await storage.writer.write(caller(user=5, ago=0), RollDice("own"))
    await tidied(storage, 31)
    held = await storage.reader.do(count_of_person(5))
    await forget(storage, caller(user=5))
    keys = await storage.numbers("SELECT count(*) FROM person WHERE user_id = 5")
    gone = await storage.reader.do(count_of_person(5))
    for user in (1, 5, 6):
        await storage.writer.write(caller(user=user), RollDice("own"))
    part = await checked(storage, tmp_path)
    again = await tidied(storage, 62)
    await storage.writer.write(caller(user=1), RollDice("own"))
    await checked(storage, tmp_path)

    assert (held.events, held.counts, held.memories) == (0, 1, 1)
    assert (gone.events, gone.counts, gone.memories) == (0, 0, 0)
    assert keys == [0]
    assert [item.kind for item in part][:2] == [Kind.CUT, Kind.ERASE]
    assert again == 5


async def test_a_history_that_does_not_hold_is_not_cut(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is evidence, and the operator is told."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await old_and_new(storage)
        await transact(storage.database, _damage())
        with caplog.at_level(logging.ERROR):
            removed = await tidied(storage)

    assert removed == 0
    assert "campaign 1 does not hold and is not cut: #6" in caplog.text


async def test_nothing_goes_on_the_day_of_the_change(tmp_path: Path) -> None:
    """Who set it has a day to think twice; another rule's change is no reason to wait."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await old_and_new(storage, retention=0)
        never = await tidied(storage, 900)
        await storage.writer.write(caller(user=9), SetRules(None, {"retention": 30}))
        soon = await tidied(storage)
        await storage.writer.write(caller(user=9), SetRules(None, {"retention": 30, "pace": 3}))
        later = await tidied(storage, 1.5)

    assert (never, soon, later) == (0, 0, 24)


@pytest.mark.parametrize(("own", "limit", "removed"), [(0, 30, 24), (3_650, 30, 24), (40, 365, 13)])
async def test_the_shorter_time_counts(tmp_path: Path, own: int, limit: int, removed: int) -> None:
    """The campaign's own, or that of whoever runs the bot."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await old_and_new(storage, own)

        assert await tidied(storage, limit=limit) == removed


async def test_a_longer_time_than_all_have_is_refused(tmp_path: Path) -> None:
    """Whoever runs the bot has the last word."""
    async with opened(sqlite_url(tmp_path)) as storage:
        administration = Campaigns(storage, 90)
        with pytest.raises(SpecError, match="stay for 90 days at most"):
            await administration.set_rules(gm(), {"retention": 365})

        assert (await administration.set_rules(gm(), {"retention": 60})).seq == 1


async def test_who_is_erased_meanwhile_stops_the_cut(tmp_path: Path) -> None:
    """Else the cut would remember what was just erased."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await old_and_new(storage)
        (aged,) = await storage.reader.do(cutting.next_campaigns(0))
        await forget(storage, caller(user=1))
        stopped = await Retention(storage.database, storage.reader)._begin(aged, 24, 30, time.time())

        assert (stopped, await storage.reader.do(cutting.beginning(1))) == (0, None)
        assert await tidied(storage) == 24


async def test_a_cut_during_an_erasure_leaves_nothing_of_the_person(storage: Storage, tmp_path: Path) -> None:
    """What was to be erased next is cut; the erasure goes on with the rest, and the history holds."""
    await old_and_new(storage)
    await transact(storage.database, begin_erasure(caller(user=1)))
    removed = await tidied(storage)
    await audited(storage)
    await Privacy(storage.database, storage.reader).finish()
    told = await checked(storage, tmp_path)

    assert removed == 24
    assert {one.event.user_id for one in told if one.event} == {None, 2}
    assert await storage.numbers("SELECT count(*) FROM person WHERE user_id = 1") == [0]


def _events() -> Queries[list[dict[str, object]]]:
    names = [column.name for column in schema.event.c]
    return [{name: row[name] for name in names} for row in (yield Query(schema.event.select()))]


def _put_back(rows: list[dict[str, object]], after: int) -> Queries[None]:
    """As if the bot had stopped while it removed them."""
    old = [row for row in rows if isinstance(row["seq"], int) and after <= row["seq"] <= 24]
    yield Query(schema.event.insert(), old)


def _damage() -> Queries[None]:
    """Another result than was rolled."""
    damaged = schema.event.update().where(schema.event.c.seq == 6)
    yield Query(damaged.values(what='{"results":["1"],"text":"2d6"}'))
