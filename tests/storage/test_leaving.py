"""Whoever is erased is gone from every table and every byte, whatever they and others did meanwhile."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import BigInteger, select

from bot.campaign.call_commands import OpenCall
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Terms
from bot.campaign.campaign_commands import ChangeMaster, SetRules
from bot.campaign.campaigns import Master, MasterKind, Remembers
from bot.campaign.characters import Character
from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import ReadAs, RollDice
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceError
from bot.services.privacy import Privacy
from bot.services.verifying import Verifying
from bot.stats.processes import BetState
from bot.stats.rigged import Subject
from bot.storage import belongings, schema
from bot.storage.campaigns import find_or_make
from bot.storage.erasing import begin_erasure, erase_some
from bot.storage.evidence import load_bets, store_bets
from bot.storage.queries import execute
from tests.storage.asking import Storage, audited, caller, deck, draw, fair, forget, gm, opened
from tests.storage.test_ledgers import commit
from tests.support.databases import sqlite_url

PERSON, OTHER, LABEL = 987_654_321_098_765_432, 123_456_789_012_345_678, "Zwielichtfeder"
TYPED = "17d6r2"
"""As Roll20 writes what is 17d6rr2 on record."""
OF_PEOPLE = {"user_id", "owner_id", "host"}
"""The columns in which people's ids stand, but for `master.id`."""
OF_NOBODY = {
    *("id", "guild_id", "channel_id", "campaign_id", "message_id", "roller_id", "interaction_id", "home"),
    *("seq", "used", "archived", "evening", "follows", "left_at", "epoch", "last", "part", "clock", "target"),
    *("drand", "level", "place", "events", "remind", "due", "next_at", "failures", "n", "upto", "campaigns"),
    *("first", "message", "newest", "unasked"),
}
CHANNELS = 1, 2


async def play(storage: Storage, channel: int) -> None:
    """All that leaves something about a person: what they do themselves, and what others do with them."""
    mine = caller(channel, PERSON)
    options = RollOptions(LABEL)
    await storage.writer.write(mine, RollDice("own", options=options))
    await storage.writer.write(gm(channel), MakeRoller("Cards", deck()))
    for command in (RollDice("2d6", options=options), roll_register(4), draw()):
        await storage.writer.write(caller(channel, PERSON), command)
    await storage.writer.write(gm(channel), SetRules(None, {"dialect": Dialect.ROLL20}))
    await storage.writer.write(caller(channel, PERSON), RollDice(TYPED, by=ReadAs(Dialect.ROLL20)))
    campaign_id = await storage.transact(find_or_make(mine))
    await storage.transact(belongings.save_roll((campaign_id, PERSON), LABEL, "2d6", 99))
    with suppress(DiceError):  # they may have it still
        labelled = Character(LABEL, {LABEL: "7"})
        await storage.transact(belongings.replace_character(mine, lambda _: (None, labelled)))
    named = ChangeMaster(None, Master(MasterKind.USER, PERSON), named=True)
    with suppress(DiceError):  # they may be named still
        await storage.writer.write(gm(channel), named)
    # Elsewhere, since who hosts has others throw for them.
    await storage.writer.write(gm(channel + 10), commit(host=PERSON))
    opening = OpenCall("1d20", Terms(), seats=frozenset({PERSON, OTHER}))
    call = (await storage.writer.write(gm(channel), opening)).event
    await storage.writer.write(caller(channel, PERSON), AnswerCall(call.campaign_id, call.seq))
    await storage.writer.write(caller(channel, OTHER), RollDice("own"))
    # By a process that read their rolls before they left.
    before = await storage.reader.do(load_bets(call.campaign_id))
    theirs = {Subject(PERSON, "d6"): BetState()}
    await storage.transact(store_bets(call.campaign_id, before, before.newest, theirs))


async def tables_with(storage: Storage) -> set[str]:
    """The tables in which the person's id or words are found."""
    found: set[str] = set()
    for table in schema.metadata.sorted_tables:
        for row in await storage.reader.do(execute(select(table))):
            if any(map(_tells, row)):
                found.add(table.name)
    return found


def _tells(value: object) -> bool:
    if isinstance(value, str):
        return any(one in value for one in (str(PERSON), LABEL, TYPED))
    return PERSON.to_bytes(8) in value if isinstance(value, bytes) else value == PERSON


def personal() -> Iterator[str]:
    """The tables that have a column for a person's id."""
    for table in schema.metadata.sorted_tables:
        columns = {column.name for column in table.c if isinstance(column.type, BigInteger)}
        assert columns <= OF_PEOPLE | OF_NOBODY, f"{table.name}: is there a person's id among {columns}?"
        if columns & OF_PEOPLE or table is schema.master:
            yield table.name


async def test_nothing_of_whoever_leaves_stays(storage: Storage, database_url: str, tmp_path: Path) -> None:
    """All that they do and that others do with them amid the erasure goes with them, rows, keys and bytes."""
    theirs = select(schema.person.c.secret).where(schema.person.c.user_id == PERSON)
    traces = {PERSON.to_bytes(8)}
    for channel in CHANNELS:
        await storage.writer.write(gm(channel), fair("own", Remembers.PLAYER))
        await play(storage, channel)
    await storage.transact(begin_erasure(caller(user=PERSON)))
    for channel in (*CHANNELS, *CHANNELS):
        await play(storage, channel)
        assert await tables_with(storage) >= {*personal()}
        traces |= {bytes(row[0]) for row in await storage.reader.do(execute(theirs))}
        await storage.transact(erase_some(PERSON))
    counted = await storage.numbers("SELECT sum(n) FROM tally")
    told = _told(tmp_path, *traces)
    await Privacy(storage.database, storage.reader).finish()

    assert (told, _told(tmp_path, *traces)) == (database_url.startswith("sqlite"), False)
    assert await tables_with(storage) == set()
    assert await storage.numbers("SELECT sum(n) FROM tally") == counted
    assert await storage.numbers("SELECT count(*) FROM event WHERE kind = 'erase'") == [len(CHANNELS)]
    for campaign_id in await Verifying(storage.reader).campaigns():
        await audited(storage, campaign_id)


async def test_a_journal_that_somebody_reads_is_emptied_later(tmp_path: Path) -> None:
    """With the next reply that is noted as delivered, and in the daily round at the latest."""
    async with opened(sqlite_url(tmp_path), idle_seconds=0) as storage:
        privacy = Privacy(storage.database, storage.reader)
        for later in (lambda: _settled(storage), privacy.finish):
            await storage.writer.write(caller(user=PERSON), RollDice("2d6", options=RollOptions(LABEL)))
            with closing(sqlite3.connect(tmp_path / "evenhand.db", isolation_level=None)) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT * FROM event").fetchall()
                await forget(storage, caller(user=PERSON))
                held = _told(tmp_path)
            await later()

            assert (held, _told(tmp_path)) == (True, False)


async def test_a_journal_is_emptied_while_rolls_come_in(tmp_path: Path) -> None:
    """A table that never pauses must not keep erased data on the disk."""
    async with opened(sqlite_url(tmp_path), idle_seconds=0.1) as storage:
        storage.database.unscrubbed.set()
        async with asyncio.timeout(10):
            while storage.database.unscrubbed.is_set():
                storage.writer.delivered(await storage.writer.write(caller(user=OTHER), RollDice("2d6")))
                await asyncio.sleep(0.01)


async def _settled(storage: Storage) -> None:
    storage.writer.delivered(await storage.writer.write(caller(user=OTHER), RollDice("2d6")))
    while storage.database.unscrubbed.is_set():  # noqa: ASYNC110 (it is told to nobody)
        await asyncio.sleep(0)


def _told(folder: Path, *traces: bytes) -> bool:
    data = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
    return any(one in data for one in (LABEL.encode(), TYPED.encode(), *traces))
