import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Command, RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError, Unknown
from bot.storage import reading
from bot.storage.transactions import Written
from tests.storage.asking import Storage, caller, fair, opened
from tests.support.databases import sqlite_url

COMMANDS: list[Command] = [
    fair("evil"),
    fair("evil", tightness="2"),
    fair("evil", Remembers.PLAYER),
    RollDice("evil"),
    RollDice("Evil", times=2),
    ResetRoller("evil"),
    RemoveRoller("evil"),
    UndoRoller("evil"),
    roll_register(4),
    UndoRoller("d100 register"),
    Reveal(None, 3),
]


async def memory(storage: Storage, user: int = 1, key: str = "evil") -> tuple[int, ...] | None:
    """What the roller of channel 1 remembers now."""
    return (await storage.reader.do(reading.find_roller(1, key, user)))[1]


async def test_undo_takes_back_one_thing_after_the_other(storage: Storage) -> None:
    """Roll, reset, roll, tune, remove: undone one by one, every state before comes back, down to nothing."""
    commands: list[Command] = [
        fair(),
        RollDice("evil"),
        ResetRoller("evil"),
        RollDice("evil"),
        fair(tightness="2"),
        RemoveRoller("evil"),
    ]
    states = [await storage.reader.do(reading.find_roller(1, "evil", 1))]
    for command in commands:
        await storage.writer.write(caller(), command)
        states.append(await storage.reader.do(reading.find_roller(1, "evil", 1)))
    undone: list[int | None] = []
    for before in reversed(states[1:-1]):
        undone.append((await storage.writer.write(caller(), UndoRoller("evil"))).event.target)
        roller, left = await storage.reader.do(reading.find_roller(1, "evil", 1))
        assert (roller, left or (0, 0)) == (before[0], before[1] or (0, 0))
    await storage.writer.write(caller(), UndoRoller("evil"))
    with pytest.raises(Unknown, match="nothing left to undo"):
        await storage.writer.write(caller(), UndoRoller("evil"))

    assert undone == [6, 5, 4, 3, 2]
    assert await storage.reader.do(reading.rollers(1)) == []


async def test_players_have_memories_of_their_own(storage: Storage) -> None:
    """A roller that remembers per player moves that player's memory; one of the table moves for all."""
    await storage.writer.write(caller(), fair("evil", Remembers.PLAYER))
    await storage.writer.write(caller(), fair("shared"))
    await asyncio.gather(
        *(
            storage.writer.write(caller(user=user), RollDice(name))
            for user in (1, 2)
            for name in ("evil", "shared")
        )
    )

    assert await memory(storage, 3) is None
    assert await memory(storage, 1) is not None
    assert await memory(storage, 1, "shared") == await memory(storage, 3, "shared")
    assert sum(await storage.numbers("SELECT owner_id FROM memory")) == 1 + 2 + 0


async def test_channels_have_rollers_of_their_own(storage: Storage) -> None:
    """Two channels' rollers of one name know nothing of each other; a name is found in any case."""
    await storage.writer.write(caller(channel=1), fair("Straße"))
    rolled = await storage.writer.write(caller(channel=1), RollDice("STRASSE"))
    with pytest.raises(DiceError):
        await storage.writer.write(caller(channel=2), RollDice("Straße"))

    assert rolled.event.roller == "Straße"


async def test_reveal_counts_within_its_batch(storage: Storage) -> None:
    """Of two reveals of one roll that come together, the second one finds it revealed."""
    blind = RollOptions(visibility=Visibility.BLIND)
    hidden = await storage.writer.write(caller(), RollDice("2d6", options=blind))
    number = hidden.event.seq
    reveals = await asyncio.gather(
        *(storage.writer.write(caller(), Reveal(None, number)) for _ in range(2)),
        return_exceptions=True,
    )
    row = await storage.reader.do(reading.event(1, number))

    assert [type(result) for result in reveals] == [Written, DiceError]
    assert row
    assert (row.revealed, row.undone) == (True, False)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from(COMMANDS), st.integers(1, 2)), max_size=14))
def test_together_is_as_one_by_one(story: list[tuple[Command, int]]) -> None:
    """A story decided in one batch comes to the same events and states as one decided command by command."""
    with tempfile.TemporaryDirectory() as folder:
        apart = asyncio.run(tell(Path(folder) / "apart", story, together=False))
        together = asyncio.run(tell(Path(folder) / "together", story, together=True))

    assert together == apart


async def tell(folder: Path, story: list[tuple[Command, int]], *, together: bool) -> list[object]:
    """What a story comes to: each command's event or error, and the states at the end."""
    async with opened(sqlite_url(folder)) as storage:
        calls = [storage.writer.write(caller(user=user), command) for command, user in story]
        if together:
            results = await asyncio.gather(*calls, return_exceptions=True)
        else:
            results = [(await asyncio.gather(call, return_exceptions=True))[0] for call in calls]
        states = [
            await storage.reader.do(reading.find_roller(1, key, user))
            for key in ("evil", "d100 register")
            for user in (1, 2)
        ]
    return [*map(outline, results), *states]


def outline(result: Written | BaseException) -> object:
    """What a result says, apart from the numbers that no two calls share."""
    if isinstance(result, BaseException):
        return (type(result), str(result))
    event = result.event
    return (event.seq, event.visibility, event.body)
