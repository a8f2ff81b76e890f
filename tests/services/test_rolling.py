import asyncio
from itertools import pairwise

import pytest

from bot.campaign.events import Visibility
from bot.campaign.replay import memory_before, replay
from bot.campaign.roller_requests import RemoveRoller
from bot.campaign.rollers import Remembers
from bot.campaign.rolls import REGISTER
from bot.dice.errors import DiceError, NotAllowed, NotationError, Unknown
from bot.record.chain import START, link
from bot.services.access import Person
from bot.services.rolling import Answer, Rolling
from bot.storage import reading
from bot.systems.registry import load_spec
from tests.storage.asking import Storage, ask, fair, opened

GM = Person(9, manages=True)
PLAYER = Person(1, manages=False)
OTHER = Person(2, manages=False)


def rolling_on(storage: Storage) -> Rolling:
    """The service on an open database."""
    return Rolling(storage.writer, storage.reader)


async def test_a_roll_delivered_twice_is_rolled_once(database_url: str) -> None:
    """The second delivery, at once or later, gets the same answer and writes nothing; nor does a third."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        asked = ask(label="fire")
        first, second = await asyncio.gather(rolling.roll(asked, "8d6!", 3), rolling.roll(asked, "8d6!", 3))
        third = await rolling_on(storage).roll(asked, "8d6!", 3)
        register = ask()
        one, two = await asyncio.gather(rolling.register(register, 4), rolling.register(register, 4))

        assert first.rolled == second.rolled == third.rolled
        assert [a.receipt.new for a in (first, second, third)].count(True) == 1
        assert one.rolled == two.rolled
        assert await storage.numbers("SELECT count(*) FROM event") == [2]


async def test_a_refused_roll_writes_nothing(database_url: str) -> None:
    """What is neither a roller nor notation leaves no trace, and its number is the next roll's."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        with pytest.raises(NotationError):
            await rolling.roll(ask(), "evil")
        with pytest.raises(DiceError):
            await rolling.register(ask(), 10)
        answer = await rolling.roll(ask(), "2d6")

        assert answer.rolled.event.seq == 1


async def test_again_is_the_same_roll(database_url: str) -> None:
    """Plain dice, a roller or the register are rolled once more as they were, label and hiding included."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        await storage.writer.write(ask(), fair("Evil"))
        asked = ask(label="for Ann", visibility=Visibility.GM)
        for first in (
            await rolling.roll(asked, "2d6+1", 3),
            await rolling.roll(ask(label="for Ann", visibility=Visibility.GM), "evil", 2),
            await rolling.register(ask(label="for Ann", visibility=Visibility.GM), 7, 2),
        ):
            event = first.rolled.event
            again = (await rolling.again(ask(), event.campaign_id, event.seq)).rolled.event

            assert again.seq > event.seq
            assert (again.text, again.roller, again.spec) == (event.text, event.roller, event.spec)
            assert (again.label, again.visibility) == ("for Ann", Visibility.GM)
            assert len(again.results) == len(event.results)


async def test_again_is_for_who_rolled(database_url: str) -> None:
    """Somebody else, a number that is no roll, and a roller that is gone are refused with a word each."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        made = (await storage.writer.write(ask(), fair("evil"))).event
        rolled = (await rolling.roll(ask(user=1), "evil")).rolled.event
        with pytest.raises(NotAllowed, match="Only who rolled"):
            await rolling.again(ask(user=2), rolled.campaign_id, rolled.seq)
        for number in (made.seq, 0, -1, 99, 10**30):
            with pytest.raises(Unknown, match="no roll #"):
                await rolling.again(ask(user=1), rolled.campaign_id, number)
        await storage.writer.write(ask(), RemoveRoller("evil"))
        with pytest.raises(Unknown, match="The roller evil is not here any more"):
            await rolling.again(ask(user=1), rolled.campaign_id, rolled.seq)

        assert await storage.numbers("SELECT max(seq) FROM event") == [3]


async def test_again_pressed_twice_is_two_rolls_and_delivered_twice_is_one(database_url: str) -> None:
    """Each press rolls; a press that Discord delivers twice rolls once."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        event = (await rolling.roll(ask(), "2d6")).rolled.event
        press = ask()
        answers = [await rolling.again(a, event.campaign_id, 1) for a in (press, press, ask())]

        assert [a.rolled.event.seq for a in answers] == [2, 2, 3]


@pytest.mark.parametrize(
    ("visibility", "seen_by"),
    [
        (Visibility.SELF, [PLAYER]),
        (Visibility.GM, [PLAYER, GM]),
        (Visibility.BLIND, [GM]),
    ],
)
async def test_hidden_rolls_are_looked_at_and_revealed(
    database_url: str, visibility: Visibility, seen_by: list[Person]
) -> None:
    """Who may see a roll may look and reveal, nobody else; once revealed, everybody may look."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        rolled = (await rolling.roll(ask(user=1, visibility=visibility), "2d6")).rolled
        campaign_id = rolled.event.campaign_id
        for person in (PLAYER, GM, OTHER):
            if person in seen_by:
                assert await rolling.look(ask(), person, campaign_id, 1) == rolled
                continue
            with pytest.raises(NotAllowed, match="#1 is hidden from you"):
                await rolling.look(ask(), person, campaign_id, 1)
            with pytest.raises(NotAllowed, match="#1 is hidden from you"):
                await rolling.reveal(ask(user=person.user_id), person, campaign_id, 1)
        press = ask(user=seen_by[0].user_id)
        for _ in range(2):
            assert await rolling.reveal(press, seen_by[0], campaign_id, 1) == rolled
        with pytest.raises(DiceError, match="revealed already"):
            await rolling.reveal(ask(), seen_by[0], campaign_id, 1)

        assert await rolling.look(ask(), OTHER, campaign_id, 1) == rolled
        assert await storage.numbers("SELECT count(*) FROM event") == [2]


async def test_public_rolls_have_nothing_to_reveal(database_url: str) -> None:
    """A public roll can be looked at by all, and is refused as no hidden one."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        rolled = (await rolling.roll(ask(), "2d6")).rolled

        assert await rolling.look(ask(), OTHER, rolled.event.campaign_id, 1) == rolled
        with pytest.raises(Unknown, match="no hidden roll"):
            await rolling.reveal(ask(), GM, rolled.event.campaign_id, 1)


async def test_suggestions_are_what_may_be_meant(database_url: str) -> None:
    """What reads as dice comes first, then the channel's rollers by name, then one's own newest rolls."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        for name in ("zeal", "Evil2d"):
            await storage.writer.write(ask(), fair(name))
        await storage.writer.write(ask(channel=2), fair("elsewhere"))
        for text in ("2d6", "d20+5", "2d6"):
            await rolling.roll(ask(user=1), text)
        await rolling.roll(ask(user=2), "4d6")
        await rolling.roll(ask(user=1), "+".join(["d6"] * 40))

        assert await rolling.suggest(1, 1, "") == ["Evil2d", "zeal", "2d6", "1d20+5"]
        assert await rolling.suggest(1, 1, " 2D ") == ["Evil2d", "2d6"]
        assert await rolling.suggest(1, 1, " d20") == ["d20", "1d20+5"]
        assert await rolling.suggest(1, 1, "2d6") == ["2d6"]
        assert await rolling.suggest(1, 2, "") == ["Evil2d", "zeal", "4d6"]
        assert await rolling.suggest(3, 1, "evil") == []
        for typed in ("\0", "x" * 6_000, "d6+" * 60 + "d6", "(" * 100):
            assert await rolling.suggest(1, 1, typed) == []


async def test_at_most_25_are_suggested(database_url: str) -> None:
    """Discord takes 25 choices."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        await asyncio.gather(*(storage.writer.write(ask(), fair(f"roller {n}")) for n in range(20)))
        await asyncio.gather(*(rolling.roll(ask(), f"{n}d6") for n in range(1, 20)))

        assert len(await rolling.suggest(1, 1, "")) == 25


async def test_a_lost_reply_shows_at_the_next_roll(database_url: str) -> None:
    """A roll whose reply Discord refused comes with the next one, and after that with none."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        lost = await rolling.roll(ask(user=1), "2d6")
        rolling.lost(lost)
        answers: list[Answer] = []
        for _ in range(2):
            answers.append(await rolling.roll(ask(user=2), "2d6"))
            rolling.delivered(answers[-1])

        assert [answer.late for answer in answers] == [(lost.rolled.event,), ()]


@pytest.mark.parametrize("memory", Remembers)
async def test_callers_on_one_roller_never_share_a_number(database_url: str, memory: Remembers) -> None:
    """Of many rolls at once, of two players and the register too, each has its number, memory and head."""
    async with opened(database_url) as storage:
        rolling = rolling_on(storage)
        await storage.writer.write(ask(), fair("evil", memory))
        users = [1 + n % 2 for n in range(40)]
        answers = await asyncio.gather(
            *(
                rolling.roll(ask(user=user), "evil", 1 + n % 3)
                if n % 5
                else rolling.register(ask(user=user), 4)
                for n, user in enumerate(users)
            )
        )
        await check_history(storage)

        assert sorted(a.rolled.event.seq for a in answers) == [*range(2, 42)]


async def test_two_processes_never_share_a_number(postgresql_url: str) -> None:
    """Two processes on one roller, half of the clicks delivered to both: each is rolled once, in turn."""
    async with opened(postgresql_url) as one, opened(postgresql_url, seed=1) as other:
        await one.writer.write(ask(), fair("evil"))
        processes = [rolling_on(one), rolling_on(other)]
        asked = [ask(user=1 + n % 3) for n in range(30)]
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
    assert events[0].head == link(START, events[0])
    assert all(b.head == link(a.head, b) for a, b in pairwise(events))
    roller = await storage.reader.do(reading.scene(1, "evil", 1))
    assert roller.roller
    memories = dict[tuple[str, int], tuple[int, ...]]()
    for event in events[1:]:
        own = event.roller == REGISTER or roller.roller.memory is Remembers.PLAYER
        key = (event.roller, (event.user_id or 0) * own)
        assert memory_before(event) == memories.get(key, load_spec(event.spec).start())
        memories[key] = replay(event)[1]
    for user in (1, 2):
        for name in ("evil", REGISTER):
            scene = await storage.reader.do(reading.scene(1, name, user))
            if scene.roller:
                assert scene.memory == memories[name, scene.roller.owner(user)]
