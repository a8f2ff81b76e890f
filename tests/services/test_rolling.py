import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.campaign.campaigns import REGISTER, Remembers
from bot.campaign.command import Caller, RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.kinds import Visibility
from bot.campaign.replay import replay
from bot.campaign.roller_commands import RemoveRoller
from bot.dice.errors import DiceError, NotAllowed, Unknown
from bot.services.histories import Histories
from bot.services.rolling import Rolling
from bot.services.saved import Saved
from bot.services.targets import Targets
from bot.storage import reading
from bot.systems.registry import load_spec
from tests.storage.asking import Storage, audited, caller, fair, gm, opened


def player() -> Caller:
    """Ann asks for something."""
    return caller(manages=False)


def other() -> Caller:
    """Bob asks for something."""
    return caller(user=2, manages=False)


def rolling_on(storage: Storage) -> Rolling:
    """The service on an open database."""
    saved = Saved(storage)
    return Rolling(storage, saved, Targets(storage, saved))


async def test_again_is_the_same_roll(storage: Storage) -> None:
    """Plain dice, a roller or the register are rolled once more as they were, label and hiding included."""
    rolling = rolling_on(storage)
    await storage.writer.write(caller(), fair("Evil"))
    options = RollOptions("for Ann", Visibility.GM)
    for first in (
        await rolling.roll(caller(), "2d6+1", 3, options),
        await rolling.roll(caller(), "evil", 2, options),
        await rolling.ask(caller(), roll_register(7, 2, options)),
    ):
        event = first.rolled.event
        again = (await rolling.repeat(caller(), event.campaign_id, event.seq)).rolled.event

        assert again.seq > event.seq
        assert (again.roll.text, again.roll.spec) == (event.roll.text, event.roll.spec)
        assert again.roller == event.roller
        assert (again.label, again.visibility) == ("for Ann", Visibility.GM)
        assert len(again.roll.results) == len(event.roll.results)


async def test_again_is_for_who_rolled(storage: Storage) -> None:
    """Somebody else, a number that is no roll, and a roller that is gone are refused with a word each."""
    rolling = rolling_on(storage)
    made = (await storage.writer.write(caller(), fair("evil"))).event
    rolled = (await rolling.roll(caller(user=1), "evil")).rolled.event
    with pytest.raises(NotAllowed, match="somebody else's"):
        await rolling.repeat(caller(user=2), rolled.campaign_id, rolled.seq)
    for number in (made.seq, 0, -1, 99, 10**30):
        with pytest.raises(Unknown, match="no roll #"):
            await rolling.repeat(caller(user=1), rolled.campaign_id, number)
    await storage.writer.write(caller(), RemoveRoller("evil"))
    with pytest.raises(Unknown, match="The roller evil is not here any more"):
        await rolling.repeat(caller(user=1), rolled.campaign_id, rolled.seq)

    assert await storage.numbers("SELECT max(seq) FROM event") == [3]


@pytest.mark.parametrize(
    ("visibility", "seen_by"),
    [(Visibility.SELF, [player]), (Visibility.GM, [player, gm]), (Visibility.BLIND, [gm])],
)
async def test_hidden_rolls_are_looked_at_and_revealed(
    storage: Storage, visibility: Visibility, seen_by: list[Callable[[], Caller]]
) -> None:
    """Who may see a roll may look and reveal, nobody else; once revealed, everybody may look."""
    rolling = rolling_on(storage)
    histories = Histories(storage)
    rolled = (await rolling.roll(caller(), "2d6", options=RollOptions(visibility=visibility))).rolled
    campaign_id = rolled.event.campaign_id
    for who in (player, gm, other):
        if who in seen_by:
            assert await histories.look(who(), campaign_id, 1) == rolled
            continue
        with pytest.raises(NotAllowed, match="#1 is hidden from you"):
            await histories.look(who(), campaign_id, 1)
        with pytest.raises(NotAllowed, match="#1 is hidden from you"):
            await histories.reveal(who(), campaign_id, 1)
    press = seen_by[0]()
    for _ in range(2):
        assert await histories.reveal(press, campaign_id, 1) == rolled
    with pytest.raises(DiceError, match="revealed already"):
        await histories.reveal(seen_by[0](), campaign_id, 1)

    shown = replace(rolled, event=replace(rolled.event, visibility=Visibility.PUBLIC))
    assert await histories.look(other(), campaign_id, 1) == shown
    assert await storage.numbers("SELECT count(*) FROM event") == [2]


async def test_suggestions_are_what_may_be_meant(storage: Storage) -> None:
    """What reads as dice comes first, then the channel's rollers by name, then one's own newest rolls."""
    rolling = rolling_on(storage)
    for name in ("zeal", "Evil2d"):
        await storage.writer.write(caller(), fair(name))
    await storage.writer.write(caller(channel=2), fair("elsewhere"))
    for text in ("2d6", "d20+5", "2d6"):
        await rolling.roll(caller(user=1), text)
    await rolling.roll(caller(user=2), "4d6")
    await rolling.roll(caller(user=1), "+".join(["d6"] * 40))

    assert await rolling.suggest(player(), "") == ["Evil2d", "zeal", "2d6", "1d20+5"]
    assert await rolling.suggest(player(), " 2D ") == ["Evil2d", "2d6"]
    assert await rolling.suggest(player(), " d20") == ["d20", "1d20+5"]
    assert await rolling.suggest(player(), "2d6") == ["2d6"]
    assert await rolling.suggest(other(), "") == ["Evil2d", "zeal", "4d6"]
    assert await rolling.suggest(caller(3), "evil") == []
    for typed in ("\0", "x" * 6_000, "d6+" * 60 + "d6", "(" * 100):
        assert await rolling.suggest(player(), typed) == []


@pytest.mark.parametrize("memory", Remembers)
async def test_callers_on_one_roller_never_share_a_number(storage: Storage, memory: Remembers) -> None:
    """Of many rolls at once, of two players and the register too, each has its number, memory and head."""
    rolling = rolling_on(storage)
    await storage.writer.write(caller(), fair("evil", memory))
    users = [1 + n % 2 for n in range(40)]
    answers = await asyncio.gather(
        *(
            rolling.roll(caller(user=user), "evil", 1 + n % 3)
            if n % 5
            else rolling.ask(caller(user=user), roll_register(4))
            for n, user in enumerate(users)
        )
    )
    await check_history(storage)

    assert sorted(a.rolled.event.seq for a in answers) == [*range(2, 42)]


async def test_two_processes_never_share_a_number(postgresql_url: str) -> None:
    """Two processes on one roller, half of the clicks delivered to both: each is rolled once, in turn."""
    async with opened(postgresql_url) as one, opened(postgresql_url, seed=1) as other:
        await one.writer.write(caller(), fair("evil"))
        processes = [rolling_on(one), rolling_on(other)]
        asked = [caller(user=1 + n % 3) for n in range(30)]
        answers = await asyncio.gather(
            *(
                process.roll(a, "evil")
                for n, a in enumerate(asked)
                for process in (processes if n % 2 else processes[n // 2 % 2 :][:1])
            )
        )
        await check_history(one)

        numbers = {(a.rolled.event.interaction_id, a.rolled.event.seq) for a in answers}
        assert sorted(seq for _, seq in numbers) == [*range(2, 32)]
        assert len({interaction for interaction, _ in numbers}) == 30


async def check_history(storage: Storage) -> None:
    """The stored history is numbered without a gap, chained, and each memory goes on from the one before."""
    events = [row.event for row in await storage.reader.do(reading.page(1, limit=100))][::-1]
    assert [event.seq for event in events] == [*range(1, len(events) + 1)]
    await audited(storage)
    evil, _ = await storage.reader.do(reading.find_roller(1, "evil", 1))
    assert evil
    memories = dict[tuple[str, int], tuple[int, ...]]()
    for event in events[1:]:
        own = event.roller == REGISTER or evil.memory is Remembers.PLAYER
        key = (event.roller, (event.user_id or 0) * own)
        assert event.roll.before == memories.get(key, load_spec(event.roll.spec).start())
        memories[key] = replay(event)[1] or ()
    for user in (1, 2):
        for name in ("evil", REGISTER):
            roller, memory = await storage.reader.do(reading.find_roller(1, name, user))
            if roller:
                assert memory == memories[name, roller.memory.owner(user)]
