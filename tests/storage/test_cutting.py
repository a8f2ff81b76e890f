"""A history's old part is removed in small steps, by indexes, and by one process alone."""

from pathlib import Path

from bot.campaign.campaign_commands import SetRules
from bot.campaign.events import HistoryCut
from bot.campaign.rolls import RollDice
from bot.storage import cutting, schema
from bot.storage.boards import Board, make_boards
from bot.storage.cutting import CampaignAge, append_cut, drop_loose_ends, remove_some
from bot.storage.engine import transact
from bot.storage.erasing import CHUNK
from bot.storage.queries import Queries, Query
from tests.storage.asking import Storage, caller, fair, opened
from tests.support.databases import sqlite_url
from tests.support.plans import Plans

NOW = 1_800_000_000_000


async def fill(storage: Storage, events: int) -> CampaignAge:
    """A history of one roll, many times."""
    await storage.writer.write(caller(), RollDice("2d6"))
    await transact(storage.database, _multiply(events))
    (aged,) = await storage.reader.do(cutting.next_campaigns(0))
    return aged


async def test_no_step_removes_more_than_a_few(storage: Storage) -> None:
    """500 in one transaction, and what hangs on them goes with them."""
    aged = await fill(storage, 1_205)
    made = [(Board(aged.campaign_id, seq, 1), {5}) for seq in (7, 1_204)]
    await transact(storage.database, make_boards(made))
    steps = [await transact(storage.database, remove_some(aged.campaign_id, 1_203)) for _ in range(4)]
    left = await storage.numbers("SELECT seq FROM event ORDER BY seq")
    boards = await storage.numbers("SELECT seq FROM board")
    seats = await storage.numbers("SELECT seq FROM seat")

    assert steps == [CHUNK, CHUNK, 203, 0]
    assert left == [1_204, 1_205]
    assert boards == seats == [1_204]


async def test_rules_that_were_set_meanwhile_come_first(storage: Storage) -> None:
    """Somebody may just have asked to keep the history for longer."""
    aged = await fill(storage, 9)
    await storage.writer.write(caller(), SetRules(None, {"retention": 365}))
    cut = HistoryCut(target=5, days=30, frontier=("00" * 32,) * 2)

    assert not await transact(storage.database, append_cut(aged, 1, cut, NOW))


async def test_one_process_cuts(storage: Storage) -> None:
    """Who comes second finds another beginning, and leaves it."""
    aged = await fill(storage, 9)
    cut = HistoryCut(target=5, days=30, frontier=("00" * 32,) * 2)
    done = await transact(storage.database, append_cut(aged, 1, cut, NOW))
    await transact(storage.database, remove_some(aged.campaign_id, 5))
    again = await transact(storage.database, append_cut(aged, 1, cut, NOW))
    seqs = await storage.numbers("SELECT seq FROM event ORDER BY seq")
    beginning = await storage.reader.do(cutting.beginning(aged.campaign_id))

    assert (done, again) == (True, False)
    assert seqs == [6, 7, 8, 9, 10]
    assert beginning
    assert beginning.cut == cut


async def test_nothing_is_searched_for_what_is_old(tmp_path: Path) -> None:
    """SQLite finds every row by an index, and sorts none."""
    watched = Plans()
    async with opened(sqlite_url(tmp_path)) as storage:
        await storage.writer.write(caller(), fair("evil"))
        aged = await fill(storage, 600)
    async with opened(sqlite_url(tmp_path), watched=watched) as storage:
        cut = HistoryCut(target=300, days=30, frontier=("00" * 32,) * 4)
        await storage.reader.do(cutting.next_campaigns(0))
        await storage.reader.do(cutting.last_older(aged, 0))
        await storage.reader.do(cutting.retention_changed_since(aged.campaign_id, 0))
        await transact(storage.database, append_cut(aged, 1, cut, NOW))
        await transact(storage.database, remove_some(aged.campaign_id, 300))
        await transact(storage.database, drop_loose_ends(aged.campaign_id, 300, {"evil": 1}))
        await storage.reader.do(cutting.beginning(aged.campaign_id))
    plans = watched.steps(tmp_path / "evenhand.db")

    assert len(plans) > 10
    assert [one for one in plans if one[0].startswith("SCAN") or "TEMP B-TREE" in one[0]] == []
    # The cut is found by its target, however long the history is.
    assert [step for step, _ in plans if "ix_event_target" in step and "target>?" in step] != []


def _multiply(events: int) -> Queries[None]:
    """Make so many events out of the newest one, and a ledger that knows them."""
    newest = (yield Query(schema.event.select().order_by(schema.event.c.seq.desc())))[0]
    row = {column.name: newest[column.name] for column in schema.event.c}
    seq, interaction_id = row["seq"], row["interaction_id"]
    rows = [{**row, "seq": n, "interaction_id": interaction_id + n} for n in range(seq + 1, events + 1)]
    yield Query(schema.event.insert(), rows)
    yield Query(schema.campaign.update().values(seq=events, frontier=bytes(32 * events.bit_count())))
