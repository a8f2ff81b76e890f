"""Where calls are shown, who was named and what time brings: kept on both engines, and erased with people."""

import asyncio

from bot.campaign.call_commands import CloseCall, OpenCall, RevealCall
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Form, Terms
from bot.campaign.campaigns import USUAL
from bot.campaign.kinds import Visibility
from bot.campaign.turns import EntryAt, Turn
from bot.storage import boards
from bot.storage.boards import Board
from bot.storage.engine import transact
from bot.storage.erasing import hide_home
from tests.storage.asking import Storage, caller, forget

_BLIND = Visibility.BLIND
DUE, REMIND = 1_900_000_000_000, 1_899_999_700_000
TURN = Turn(EntryAt(3, 1), 2, 1, (EntryAt(3, 1), EntryAt(2, 0)), (EntryAt(2, 0),))


async def called(storage: Storage, *seats: int, channel: int = 1, due: int | None = None) -> tuple[int, int]:
    """The campaign and number of a new call for 1d20."""
    opening = OpenCall("1d20", Terms(Form.CHECK), due, seats=frozenset(seats))
    return (await storage.writer.write(caller(channel), opening)).event.at


async def test_a_board_is_read_as_it_was_kept(storage: Storage) -> None:
    """With its times, its turn and each seat; what there is none of is None, and nobody."""
    at = await called(storage, 11, 12, due=DUE)
    await storage.transact(boards.set_turn(*at, TURN))
    reader = storage.reader

    assert (await reader.do(boards.find_board(*at)))[0] == Board(*at, 1, remind=REMIND, due=DUE, turn=TURN)
    assert await reader.do(boards.find_seats(*at)) == {11, 12}
    assert await reader.do(boards.find_board(at[0], at[1] + 1)) == (None, USUAL)
    assert await reader.do(boards.find_seats(at[0], at[1] + 1)) == frozenset()


async def test_a_second_delivery_changes_nothing(storage: Storage) -> None:
    """Neither the board that is there, where its message is by then, nor who was named."""
    who, opening = caller(), OpenCall("1d20", Terms(Form.CHECK), seats=frozenset({11}))
    at = (await storage.writer.write(who, opening)).event.at
    await storage.transact(boards.place_board(*at, 7, 99, "de"))
    await storage.transact(boards.set_seats(*at, {12}))
    await storage.writer.write(who, opening)

    board = Board(*at, 7, message_id=99, language="de")
    assert (await storage.reader.do(boards.find_board(*at)))[0] == board
    assert await storage.reader.do(boards.find_seats(*at)) == {12}


async def test_time_brings_something_until_it_is_done(storage: Storage) -> None:
    """The next deadline first; not to a call without one, or whose time was taken, or that is closed."""
    late, soon, closed = [await called(storage, due=due) for due in (DUE + 1, DUE, DUE)]
    await called(storage)
    await storage.writer.write(caller(), CloseCall(*closed))
    before = [board.seq for board in await storage.reader.do(boards.boards_with_deadline())]
    await storage.transact(boards.end_times([soon]))
    after = [board.seq for board in await storage.reader.do(boards.boards_with_deadline())]

    assert (before, after) == ([soon[1], late[1]], [late[1]])


async def test_one_alone_takes_the_reminder(storage: Storage) -> None:
    """Of several at once; the deadline stays. Where there was none to take, nobody does."""
    at, none = await called(storage, due=DUE), await called(storage)
    reader = storage.reader
    taken = await asyncio.gather(
        *(transact(storage.database, boards.take_reminder(*one)) for one in [at] * 5 + [none])
    )

    assert sorted(taken) == [False] * 5 + [True]
    assert taken[-1] is False
    assert (await reader.do(boards.find_board(*at)))[0] == Board(*at, 1, due=DUE)


async def test_the_erased_and_the_deleted_leave_nothing(storage: Storage) -> None:
    """A person's seats go everywhere, others' stay; a server's boards and seats go with its data."""
    here, there = await called(storage, 11, 12), await called(storage, 11, channel=2)
    reader = storage.reader
    await forget(storage, caller(user=11))
    seats = [await reader.do(boards.find_seats(*at)) for at in (here, there)]
    await transact(storage.database, hide_home(7))

    assert seats == [{12}, frozenset()]
    assert await storage.numbers("SELECT count(*) FROM board") == [0]
    assert await storage.numbers("SELECT count(*) FROM seat") == [0]


async def test_what_follows_a_call_is_found_with_what_became_of_it(storage: Storage) -> None:
    """Its rolls and deeds in order, without other events; a reveal shows the rolls, also later ones."""
    campaign_id, number = await called(storage)
    for user in (1, 2):
        await storage.writer.write(caller(user=user), AnswerCall(campaign_id, number))
    await called(storage)
    before = await storage.reader.do(boards.with_followers(campaign_id, number))
    hidden = OpenCall("1d20", Terms(Form.CHECK, visibility=_BLIND))
    secret = (await storage.writer.write(caller(), hidden)).event.seq
    for command in (
        AnswerCall(campaign_id, secret),
        RevealCall(campaign_id, secret),
        CloseCall(campaign_id, secret),
    ):
        await storage.writer.write(caller(), command)
    after = await storage.reader.do(boards.with_followers(campaign_id, secret))

    assert [row.event.kind for row in before] == ["call", "roll", "roll"]
    assert [(row.event.user_id, row.revealed) for row in before[1:]] == [(1, False), (2, False)]
    assert [row.event.kind for row in after] == ["call", "roll", "reveal", "close"]
    assert after[1].revealed
