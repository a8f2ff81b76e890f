"""The counts of faces follow the history, whatever happens to its rolls."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from bot.campaign.command import Command, RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.replay import SOURCES, count, is_roller
from bot.campaign.roller_commands import ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.storage.erasing import forget_tallies
from bot.storage.reading import dice, faces
from tests.storage.asking import Storage, caller, fair, opened
from tests.support.databases import sqlite_url


async def write(storage: Storage, command: Command, user: int = 1) -> Event:
    """The event of a command."""
    return (await storage.writer.write(caller(user=user), command)).event


def total(events: Iterable[Event]) -> Counter[tuple[str, str]]:
    """What all these rolls add."""
    tally: Counter[tuple[str, str]] = Counter()
    for event in events:
        tally += count(event)
    return tally


async def counted(storage: Storage, user: int | None = None) -> Counter[tuple[str, str]]:
    """All counts of a player, or of everybody."""
    found: Counter[tuple[str, str]] = Counter()
    for die in await storage.reader.do(dice(1, user)):
        for face, n in (await storage.reader.do(faces(1, die, user))).items():
            found[die, face] = n
    return +found


async def test_counts_are_those_of_the_rolls_that_stand(storage: Storage) -> None:
    """Undone rolls are taken back, hidden ones join when they are revealed, and then can be undone too."""
    await write(storage, fair("evil"))
    plain = [await write(storage, RollDice("8d6!"), user=1 + i % 2) for i in range(6)]
    stays = await write(storage, RollDice("evil", 2))
    undone = await write(storage, RollDice("evil"), user=2)
    await write(storage, UndoRoller("evil"))
    hidden = await write(storage, RollDice("3d20", options=RollOptions(visibility=Visibility.BLIND)))
    before = await counted(storage)
    await write(storage, Reveal(None, hidden.seq))
    revealed = await write(storage, RollDice("evil", options=RollOptions(visibility=Visibility.GM)))
    await write(storage, Reveal(None, revealed.seq))
    await write(storage, UndoRoller("evil"))
    veiled = await write(storage, RollDice("evil", options=RollOptions(visibility=Visibility.BLIND)))
    await write(storage, UndoRoller("evil"))
    await write(storage, Reveal(None, veiled.seq))
    await write(storage, ResetRoller("evil"))

    assert undone.kind is Kind.ROLL
    assert before == total([*plain, stays])
    assert await counted(storage) == before + count(hidden)
    assert await counted(storage, 2) == total(e for e in plain if e.user_id == 2)
    assert await counted(storage, 3) == Counter()


async def test_dice_are_told_by_how_often_they_were_rolled(storage: Storage) -> None:
    """The most rolled first, rollers and sources among them."""
    await write(storage, fair("evil"))
    await write(storage, RollDice("9d8"))
    await write(storage, RollDice("evil", 3))
    rolled = await storage.reader.do(dice(1))

    assert [*rolled.values()] == [9, 3, 2]
    assert [die if not is_roller(die) else "evil" for die in rolled] == ["d8", "evil", SOURCES]


async def test_a_player_who_is_forgotten_leaves_only_sums(tmp_path: Path) -> None:
    """Their counts are nobody's then, and the table's stay the same; a second one's join them."""
    async with opened(sqlite_url(tmp_path)) as storage:
        for user in (1, 2, 3):
            await write(storage, RollDice("20d6"), user=user)
        before = await counted(storage)
        for user in (1, 2):
            await storage.transact(forget_tallies(1, user))

        assert await counted(storage) == before
        assert await counted(storage, 1) == await counted(storage, 2) == Counter()
        assert await counted(storage, 0) == before - await counted(storage, 3)
