"""Evidence against dice is carried for ever: through cuts, stops, erasures, and by several processes."""

import asyncio
import logging
import time
from dataclasses import replace
from math import inf

import pytest

from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import Remembers
from bot.campaign.command import RollOptions
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unknown
from bot.services import rigging
from bot.services.dice_questions import DiceQuestions, StatsQuery
from bot.services.retention import Retention
from bot.services.rigging import Rigging, advance_bets
from bot.services.sessions import Sessions
from bot.stats.processes import BetState
from bot.stats.rigged import EVERYBODY, Examined, Subject, carry_on
from bot.storage import reading, schema
from bot.storage.erasing import begin_erasure
from bot.storage.evidence import StoredBets, load_bets, store_bets
from bot.storage.queries import execute
from tests.storage.asking import Storage, caller, fair, forget, opened

DAY = 86_400
ROLLS = (RollDice("9d6"), RollDice("own", 3), RollDice("evil", 2), RollDice("evil"))
ASKED = [StatsQuery(user, roller) for user in (None, 1) for roller in ("d6", "evil", "own")]


def doubts(storage: Storage) -> Rigging:
    """The use case."""
    return Rigging(storage.database, storage.reader)


async def doubted(storage: Storage, wanted: StatsQuery) -> Examined:
    """What is said of what was asked for."""
    asked = await DiceQuestions(storage.reader, Sessions(storage)).ask(caller(), wanted)
    return (await doubts(storage).examine(asked))[1]


async def answers(storage: Storage) -> list[Examined]:
    """What is said of everybody's dice and of each player's."""
    return [await doubted(storage, wanted) for wanted in ASKED]


async def play(storage: Storage, rounds: int, days: float = 0) -> None:
    """So many days ago: dice of all kinds by two players, some undone, some hidden and then revealed."""
    hidden = RollOptions(visibility=Visibility.BLIND)
    for _ in range(rounds):
        writing = [
            storage.writer.write(caller(user=user, ago=days * DAY), command)
            for user in (1, 2)
            for command in (*ROLLS, UndoRoller("evil"))
        ]
        await asyncio.gather(*writing)
        closed = await storage.writer.write(caller(ago=days * DAY), RollDice("9d6", options=hidden))
        await storage.writer.write(caller(ago=days * DAY), Reveal(None, closed.event.seq))


async def begin(storage: Storage) -> None:
    """Two rollers, 50 days ago, and for how long the history is kept."""
    for command in (SetRules(None, {"retention": 30}), fair("evil"), fair("own", Remembers.PLAYER)):
        await storage.writer.write(caller(user=9, ago=50 * DAY), command)


async def kept(storage: Storage) -> StoredBets:
    """How all bets are stored to stand."""
    return await storage.reader.do(load_bets(1))


async def whole(storage: Storage) -> dict[Subject, BetState]:
    """How all bets stand by the events that are there, folded at once."""
    rows = await storage.reader.do(reading.page(1, limit=10_000))
    return carry_on({}, [row.event for row in reversed(rows)])


def alike(one: list[Examined], other: list[Examined]) -> bool:
    """Whether the same is said; floats may be rounded otherwise."""
    return all(
        (a.dice, a.test, a.needed) == (b.dice, b.test, b.needed)
        and a.evidence.log_now == pytest.approx(b.evidence.log_now, abs=1e-9)
        and a.evidence.log_most == pytest.approx(b.evidence.log_most, abs=1e-9)
        for a, b in zip(one, other, strict=True)
    )


async def test_what_a_cut_removed_still_counts(storage: Storage) -> None:
    """The answers are the same before and after, and go on from there; nobody had asked before the cut."""
    await begin(storage)
    await play(storage, 4, days=40)
    await play(storage, 2)
    before, events = await answers(storage), await whole(storage)
    removed = await Retention(storage.database, storage.reader).tidy(time.time())
    after = await answers(storage)
    left = await whole(storage)
    await play(storage, 1)
    later = await answers(storage)

    assert removed == 51
    assert alike(before, after)
    assert [one.dice for one in before] == [one.dice for one in after] == [108, 36, 36, 54, 18, 18]
    assert [sum(one[Subject(EVERYBODY, "d6")].counts) for one in (events, left)] == [108, 36]
    assert later[0].dice == 126


async def test_evidence_is_carried_in_steps_and_through_stops(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In steps of a few events, by two processes, with rolls and restarts between: as if at once."""
    for place, rounds in enumerate((2, 1, 1)):
        async with opened(database_url) as storage:
            if not place:
                await begin(storage)
            await play(storage, rounds)
            monkeypatch.setattr(rigging, "STEP", 1_000)
            asked, stale = await answers(storage), await kept(storage)
            monkeypatch.setattr(rigging, "STEP", 7)
            await doubts(storage).advance_all()
            await storage.transact(
                store_bets(1, stale, stale.upto + 7, {Subject(EVERYBODY, "d6"): BetState()})
            )
            told = await answers(storage)
            everything, upto = await whole(storage), await storage.numbers("SELECT max(seq) FROM event")

            assert alike(asked, told)
            assert [(await kept(storage)).upto] == upto
            assert (await kept(storage)).states.keys() == everything.keys()


async def test_a_question_after_many_rolls_goes_in_steps_too(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question never reads more than a step at once, and says the same."""
    await begin(storage)
    await play(storage, 3)
    at_once = await answers(storage)
    monkeypatch.setattr(rigging, "STEP", 7)
    in_steps = await answers(storage)

    assert alike(at_once, in_steps)
    assert [(await kept(storage)).upto] == await storage.numbers("SELECT max(seq) FROM event")


async def test_whoever_is_erased_leaves_their_rolls_in_the_sum(storage: Storage) -> None:
    """Their own bets go with the first step; what somebody works out meanwhile is not kept."""
    await begin(storage)
    await play(storage, 2)
    stale = await kept(storage)
    await advance_bets(storage.database, storage.reader, 1, 10)
    await storage.transact(begin_erasure(caller(user=1)))
    await advance_bets(storage.database, storage.reader, 1, 20)
    leaving = {user for user, _ in (await kept(storage)).states}
    await forget(storage, caller(user=1))
    now = await kept(storage)
    mine = {Subject(1, "d6"): BetState()}
    await storage.transact(store_bets(1, replace(stale, upto=now.upto), now.upto + 1, mine))
    await play(storage, 1)
    await advance_bets(storage.database, storage.reader, 1, 1_000)
    rows = await storage.numbers("SELECT count(*) FROM evidence WHERE user_id = 1")
    again = await doubted(storage, StatsQuery(1, "d6"))
    states, events = (await kept(storage)).states, await whole(storage)

    assert leaving == {EVERYBODY, 2}
    assert rows == [3]
    assert again.dice == 9
    assert states.keys() == events.keys()
    assert all(states[subject].counts == events[subject].counts for subject in events)


async def test_what_can_not_be_stays_a_sign(storage: Storage) -> None:
    """An infinite worth is kept as any other."""
    certain = {Subject(EVERYBODY, "~evil"): BetState(inf, inf, [1, 0], [inf, 0.5], expected=[0.0, 1.0])}
    await begin(storage)
    await storage.transact(store_bets(1, await kept(storage), 3, certain))

    assert (await kept(storage)).states == certain


async def test_only_what_all_saw_fall_is_asked_about(storage: Storage) -> None:
    """Hidden rolls that were revealed later are counted by /stats, and refused here."""
    hidden = RollOptions(visibility=Visibility.GM)
    closed = await storage.writer.write(caller(), RollDice("9d8", options=hidden))
    await storage.writer.write(caller(), Reveal(None, closed.event.seq))
    with pytest.raises(Unknown, match="Nothing can be judged yet"):
        await doubted(storage, StatsQuery())


async def test_a_campaign_that_can_not_be_judged_bars_no_other(
    database_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said to the operator; what the others told is carried."""
    monkeypatch.setattr(rigging, "STEP", 3)
    async with opened(database_url) as storage:
        await begin(storage)
        await play(storage, 1, days=40)
        damaged = schema.event.update().where(schema.event.c.seq == 4).values(how='{"draws":[[6,7]]}')
        for channel in (1, 2, 2, 2):
            await storage.writer.write(caller(channel), RollDice("2d6"))
        await storage.transact(execute(damaged))
        with caplog.at_level(logging.ERROR):
            await doubts(storage).advance_all()
        ups = await storage.numbers("SELECT upto FROM evidence WHERE die = '' ORDER BY campaign_id")

    assert ups == [3, 3]
    assert "The dice of campaign 1 can't be judged" in caplog.text
