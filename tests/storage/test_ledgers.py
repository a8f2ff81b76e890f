"""The secrets of proof mode: where they are, who reads them, and when they go."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.campaign.command import NOBODY
from bot.campaign.events import Event
from bot.campaign.proof import FEWEST, KEYS, CommittedKeys, ProofMode, round_after
from bot.campaign.proof_commands import CommitKeys, DropKeys, GiveRound, GiveSalt, ShowKeys
from bot.campaign.rolls import RollDice
from bot.dice.draws import Source
from bot.dice.errors import DiceError
from bot.record.proof_mode import Epoch, keys_root, salted
from bot.services.privacy import Privacy
from bot.storage import ledgers
from bot.storage.queries import execute
from tests.storage.asking import Storage, caller, gm, nobody, opened
from tests.support.databases import sqlite_url

SECRET, OTHER = bytes(range(32)), bytes(range(32, 64))


def commit(
    secret: bytes = SECRET, follows: int | None = None, host: int | None = None, *, drand: bool = False
) -> CommitKeys:
    """Keys that follow from a secret."""
    root = keys_root(Epoch(secret).leaves()).hex()
    return CommitKeys(None, root, secret, Source.LOCAL, host, drand, follows=follows)


async def secrets(storage: Storage) -> list[bytes]:
    """The secrets that the database holds."""
    rows = await storage.reader.do(execute(text("SELECT secrets FROM epoch")))
    return [row[0][place : place + 32] for row in rows for place in range(0, len(row[0]), 32)]


async def keyed(storage: Storage, asked: CommitKeys | None = None) -> Event:
    """The commit of keys, once a message of that moment has shown them."""
    who = gm()
    event = (await storage.writer.write(who, asked or commit())).event
    await storage.writer.write(nobody(), ShowKeys(event.campaign_id, event.seq, who.interaction_id or 0))
    return event


async def test_a_roll_has_the_key_of_its_number(storage: Storage) -> None:
    """Each has its own, also in one batch, until the end; none where the press is older than the message."""
    await storage.writer.write(gm(), RollDice("2d6"))
    early = caller()
    commit_event = await keyed(storage)
    older = (await storage.writer.write(early, RollDice("2d6"))).event
    batch = (storage.writer.write(caller(), RollDice("2d6")) for _ in range(3))
    rolled = [written.event for written in await asyncio.gather(*batch)]
    await storage.writer.write(caller(), GiveSalt("owl", 1_000_000_000_000_000))
    await storage.writer.write(gm(), DropKeys())
    after = (await storage.writer.write(caller(), RollDice("2d6"))).event

    first = commit_event.seq + 1
    assert [event.roll.key for event in rolled] == [Epoch(SECRET).key(e.seq - first).hex() for e in rolled]
    assert [event.seq - first for event in rolled] == [2, 3, 4]
    assert (older.roll.key, older.roll.source) == ("", Source.TRUE)
    assert {event.roll.source for event in rolled} == {Source.KEYED}
    assert (after.roll.key, after.roll.source) == ("", Source.TRUE)


async def test_keys_that_are_used_up_leave_plain_rolls(storage: Storage) -> None:
    """After the last key a roll says that its bits are not a key's."""
    await keyed(storage)
    rolls = (storage.writer.write(caller(), RollDice("1d6")) for _ in range(KEYS))
    *with_keys, last = [written.event for written in await asyncio.gather(*rolls)]

    assert all(event.roll.key for event in with_keys)
    assert (last.roll.key, last.roll.source) == ("", Source.TRUE)


async def test_a_secret_goes_when_it_is_not_needed(storage: Storage) -> None:
    """New keys wait until the old ones are used up; the end of proof mode, or of the server, takes all."""
    first = await keyed(storage)
    held = await secrets(storage)
    second = await keyed(storage, commit(OTHER, follows=first.seq))
    waiting = await secrets(storage)
    rolls = (storage.writer.write(caller(), RollDice("1d6")) for _ in range(KEYS))
    await asyncio.gather(*rolls)
    taken_over = await secrets(storage)
    hashes = await storage.reader.do(ledgers.key_hashes(first.campaign_id))
    await storage.writer.write(gm(), DropKeys())
    ended = await secrets(storage)
    await storage.writer.write(gm(), commit())
    await Privacy(storage.database, storage.reader).delete_home(gm())

    assert (held, waiting, taken_over, ended) == ([SECRET], [SECRET, OTHER], [OTHER], [])
    assert hashes == {first.seq: Epoch(SECRET).leaves(), second.seq: Epoch(OTHER).leaves()}
    assert await secrets(storage) == []


async def test_keys_are_left_alone_while_enough_are_left(storage: Storage) -> None:
    """Other keys are refused while some are left, and new ones where people could not see them in time."""
    first = await keyed(storage)
    with pytest.raises(DiceError, match="not used up"):
        await storage.writer.write(gm(), commit(OTHER))
    late = ProofMode((CommittedKeys(1, 2, 9),)).next_first(2 + KEYS - FEWEST)
    await keyed(storage, commit(OTHER, follows=first.seq))
    with pytest.raises(DiceError, match="not used up"):
        await storage.writer.write(gm(), commit(SECRET, follows=3))

    assert late is None


async def test_a_round_of_drand_is_taken_once(storage: Storage) -> None:
    """Only the awaited round becomes salt, once; keys that follow await their own, and others none."""
    first = await keyed(storage, commit(drand=True))
    due = round_after(first.milliseconds)
    waiting = await storage.reader.do(ledgers.keys_awaiting_drand(due - 1))
    given_up = await storage.reader.do(ledgers.keys_awaiting_drand(due))
    with pytest.raises(DiceError, match="Nobody waits"):
        await storage.writer.write(gm(), GiveRound(first.campaign_id, (due + 1, "", "")))
    await storage.writer.write(gm(), GiveRound(first.campaign_id, (due, "ab", "cd")))
    with pytest.raises(DiceError, match="Nobody waits"):
        await storage.writer.write(gm(), GiveRound(first.campaign_id, (due, "ab", "cd")))
    taken = await storage.reader.do(ledgers.keys_awaiting_drand(0))
    standing = await storage.reader.do(ledgers.proof_status(first.campaign_id))
    next_keys = (await storage.writer.write(gm(), commit(OTHER, follows=first.seq))).event
    renewed = await storage.reader.do(ledgers.keys_awaiting_drand(0))
    await storage.writer.write(gm(), DropKeys())
    without = await storage.reader.do(ledgers.keys_awaiting_drand(0))

    assert [(one.campaign_id, one.drand) for one in waiting] == [(first.campaign_id, due)]
    assert given_up == taken == without == []
    assert standing
    assert standing[0].drand == 0
    assert standing[1] == salted("", {"drand": [due, "ab", "cd"]})
    assert [one.drand for one in renewed] == [round_after(next_keys.milliseconds)]


async def test_new_keys_follow_only_those_in_use(storage: Storage) -> None:
    """Of two processes that both give new keys, one is told that it came too late."""
    first = await keyed(storage)
    follows = (commit(OTHER, follows=first.seq), commit(SECRET, follows=first.seq))
    tries = await asyncio.gather(
        *(storage.writer.write(gm(), one) for one in follows), return_exceptions=True
    )

    assert [isinstance(one, Exception) for one in tries] == [False, True]
    assert await secrets(storage) == [SECRET, OTHER]


async def test_who_hosts_is_forgotten_with_them(storage: Storage) -> None:
    """Nothing of an erased host is left but that there is one: they are not to roll alone now."""
    await storage.writer.write(gm(), commit(host=5))
    await Privacy(storage.database, storage.reader).forget(caller(user=5))
    hosts = await storage.reader.do(execute(text("SELECT host FROM epoch")))

    assert [row[0] for row in hosts] == [NOBODY]


async def test_no_secret_leaves_by_a_copy_of_the_words(tmp_path: Path) -> None:
    """Neither the command nor what it makes shows the secret where it is printed."""
    async with opened(sqlite_url(tmp_path)) as storage:
        written = await storage.writer.write(gm(), commit())

    for shown in (repr(commit()), repr(written), repr(written.event.body)):
        assert str(SECRET) not in shown
        assert SECRET.hex() not in shown
