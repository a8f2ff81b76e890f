"""Answers to a call: what each player's press reads of the call, and that each of them rolls once."""

import asyncio
from itertools import chain

import pytest

from bot.campaign.call_commands import CloseCall, OpenCall, ReopenCall, RevealCall
from bot.campaign.call_rolls import AnswerCall, Answered, CallOver
from bot.campaign.call_terms import Terms
from bot.campaign.command import Caller, Command
from bot.campaign.events import Event, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import UndoRoller
from bot.storage.batch import Batch
from bot.storage.jobs import EventAt, Job
from bot.storage.loading import load_ledgers, load_missing
from bot.storage.queries import Queries
from bot.storage.reading import faces
from bot.storage.transactions import Written
from tests.storage.asking import Storage, caller, fair, forget

PLAYERS = range(1, 21)


async def call(storage: Storage, dice: str = "1d20", terms: Terms | None = None) -> int:
    """The number of a new call."""
    return (await storage.writer.write(caller(user=99), OpenCall(dice, terms or Terms()))).event.seq


async def answer(storage: Storage, number: int, user: int) -> Event:
    """A player's roll for it."""
    return (await storage.writer.write(caller(user=user), AnswerCall(1, number))).event


def _looked_at(who: Caller, command: Command) -> Queries[Batch]:
    """All that a command loads to be decided."""
    batch, jobs = Batch(), [Job.of(who, command)]
    yield from load_ledgers(batch, jobs, "nobody's", alone=False)
    while more := batch.missing(jobs):
        yield from load_missing(batch, more)
    return batch


async def test_each_player_answers_once(storage: Storage) -> None:
    """Who presses several times at once, or again later, has one roll, and is told its number."""
    number = await call(storage)
    presses = [caller(user=user) for user in PLAYERS for _ in range(3)]
    results = await asyncio.gather(
        *(storage.writer.write(one, AnswerCall(1, number)) for one in presses),
        return_exceptions=True,
    )
    with pytest.raises(Answered) as later:
        await answer(storage, number, 7)
    rolled = {one.event.user_id: one.event.seq for one in results if isinstance(one, Written)}
    refused = [one.number for one in results if isinstance(one, Answered)]

    assert len(results) == len(rolled) + len(refused)
    assert rolled.keys() == {*PLAYERS}
    assert sorted(refused) == sorted([*rolled.values()] * 2)
    assert later.value.number == rolled[7]


async def test_an_answer_reads_no_other_players_rolls(storage: Storage) -> None:
    """Of what became of the call it loads the player's own roll and what its game master did."""
    number = await call(storage)
    mine = [await answer(storage, number, user) for user in PLAYERS][4]
    deeds = [
        (await storage.writer.write(caller(user=99), one(1, number))).event.seq
        for one in (CloseCall, ReopenCall)
    ]
    press = caller(user=5)
    batch = await storage.reader.do(_looked_at(press, AnswerCall(1, number)))
    led = await storage.reader.do(_looked_at(press, CloseCall(1, number)))

    at = EventAt(1, number)
    assert sorted(chain.from_iterable(batch.followers[at].values())) == [mine.seq, *deeds]
    assert sorted(chain.from_iterable(led.followers[at].values())) == [*range(number + 1, deeds[-1] + 1)]


async def test_an_answer_sees_what_the_game_master_did(storage: Storage) -> None:
    """In one batch: after the call was closed it is refused, after it was reopened it is taken."""
    number = await call(storage)
    await answer(storage, number, 1)
    results = await asyncio.gather(
        storage.writer.write(caller(user=99), CloseCall(1, number)),
        storage.writer.write(caller(user=2), AnswerCall(1, number)),
        storage.writer.write(caller(user=99), ReopenCall(1, number)),
        storage.writer.write(caller(user=3), AnswerCall(1, number)),
        return_exceptions=True,
    )
    with pytest.raises(Answered):
        await answer(storage, number, 1)

    assert [type(one) for one in results] == [Written, CallOver, Written, Written]


async def test_who_was_undone_or_erased_may_answer_again(storage: Storage) -> None:
    """An undone roll is none of the call's, and an erased player's is nobody's."""
    await storage.writer.write(caller(user=99), fair("evil"))
    number = await call(storage, "evil")
    for user in (1, 2):
        await answer(storage, number, user)
    await storage.writer.write(caller(user=99), UndoRoller("evil"))
    undone = await answer(storage, number, 2)
    await forget(storage, caller(user=1))
    erased = await answer(storage, number, 1)

    assert (undone.target, erased.target) == (number, number)


async def test_an_answer_to_a_revealed_call_counts_at_once(storage: Storage) -> None:
    """Hidden answers join the counts when the call is revealed; later ones when they are made."""
    number = await call(storage, terms=Terms(visibility=Visibility.BLIND))
    events: list[Event] = []
    counts: list[int] = []
    for user in (1, 2, 3):
        command = AnswerCall(1, number)
        events.append((await storage.writer.write(caller(user=user), command)).event)
        if user == 2:
            counts.append((await storage.reader.do(faces(1, "d20"))).total())
            await storage.writer.write(caller(user=99), RevealCall(1, number))
        counts.append((await storage.reader.do(faces(1, "d20"))).total())

    assert counts == [0, 0, 2, 3]
    assert all(isinstance(event.body, Rolled) for event in events)
