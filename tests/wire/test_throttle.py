"""Work that many things make due, on timers that the test lets go off."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.words.languages import SPOKEN, language, speaking
from cogs.kit.throttle import Cooldown, Throttle


@dataclass
class Clock:
    """Timers that go off when they are told to."""

    waiting: list[tuple[float, Callable[[], None]]] = field(
        default_factory=list[tuple[float, Callable[[], None]]]
    )

    def later(self, seconds: float, what: Callable[[], None]) -> "Waiting":
        """Take up a timer."""
        self.waiting.append((seconds, what))
        return Waiting(self, what)

    async def ring(self) -> None:
        """Let all that wait go off, and what they begin be done."""
        waiting, self.waiting = self.waiting, []
        for _, what in waiting:
            what()
        await settled()


@dataclass
class Waiting:
    """A timer."""

    clock: Clock
    what: Callable[[], None]

    def cancel(self) -> None:
        """Take it out."""
        self.clock.waiting = [one for one in self.clock.waiting if one[1] is not self.what]


@dataclass
class Work:
    """Notes what it is done for, and can be held up."""

    rest: Cooldown = field(default_factory=lambda: Cooldown(1))
    done: list[str] = field(default_factory=list[str])
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    async def __call__(self, key: str) -> Cooldown:
        """Once the gate is open."""
        self.done.append(key)
        await self.gate.wait()
        return self.rest


async def settled() -> None:
    """Every task has come as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_many_touches_are_two_pieces_of_work() -> None:
    """The first is done at once, all that come in its rest together after it; then it is at ease."""
    clock, work = Clock(), Work()
    paced = Throttle(work, clock.later)
    for _ in range(50):
        paced.touch("a")
        await settled()
    first = list(work.done)
    await clock.ring()
    second = list(work.done)
    await clock.ring()

    assert (first, second, work.done) == (["a"], ["a", "a"], ["a", "a"])
    assert clock.waiting == []
    paced.touch("a")
    await settled()
    assert len(work.done) == 3


async def test_what_comes_while_it_is_done_is_not_lost() -> None:
    """A touch during slow work leads to another piece, after the rest and not beside the first."""
    clock, work = Clock(), Work()
    paced = Throttle(work, clock.later)
    work.gate.clear()
    paced.touch("a")
    await settled()
    paced.touch("a")
    await settled()
    assert work.done == ["a"]
    work.gate.set()
    await settled()
    assert work.done == ["a"]
    await clock.ring()

    assert work.done == ["a", "a"]


async def test_each_key_has_its_own_pace() -> None:
    """What rests holds up nothing else."""
    clock, work = Clock(), Work()
    paced = Throttle(work, clock.later)
    paced.touch("a")
    paced.touch("b")
    await settled()

    assert sorted(work.done) == ["a", "b"]
    assert [seconds for seconds, _ in clock.waiting] == [1, 1]


async def test_work_may_ask_to_be_done_again() -> None:
    """After the rest it asked for, until it is content; without a rest, at once."""
    clock, work = Clock(), Work(Cooldown(4, must_repeat=True))
    paced = Throttle(work, clock.later)
    paced.touch("a")
    await settled()
    assert [seconds for seconds, _ in clock.waiting] == [4]
    work.rest = Cooldown(0)
    await clock.ring()

    assert work.done == ["a", "a"]
    assert clock.waiting == []


async def test_overtaken_work_is_repeated_but_not_begun() -> None:
    """Where it is being done, or rests, it is done once more; else nothing is done."""
    clock, work = Clock(), Work()
    paced = Throttle(work, clock.later)
    idle = paced.mark_due("a")
    await settled()
    assert not idle
    assert work.done == []
    work.gate.clear()
    paced.touch("a")
    await settled()
    busy = paced.mark_due("a")
    work.gate.set()
    await settled()
    await clock.ring()

    assert busy
    assert work.done == ["a", "a"]


async def test_hastened_work_does_not_rest() -> None:
    """What rests is done at once, and once; what is being done is done again behind it; else it begins."""
    clock, work = Clock(), Work()
    paced = Throttle(work, clock.later)
    paced.hasten("a")
    await settled()
    for _ in range(2):
        paced.hasten("a")
    await settled()
    rested = list(work.done), len(clock.waiting)
    work.gate.clear()
    for _ in range(2):
        paced.hasten("a")
        await settled()
    held = list(work.done)
    work.gate.set()
    await settled()

    assert rested == (["a"] * 2, 1)
    assert (held, work.done) == (["a"] * 3, ["a"] * 4)
    assert len(clock.waiting) == 1


async def test_closing_leaves_nothing_behind() -> None:
    """No timer and no task is left, what is under way ends, and nothing begins any more."""
    clock, work = Clock(), Work()
    paced = Throttle(work, clock.later)
    paced.touch("rests")
    await settled()
    work.gate.clear()
    paced.touch("busy")
    await settled()
    tasks = len(asyncio.all_tasks())
    await paced.close()
    paced.touch("new")
    await settled()

    assert clock.waiting == []
    assert len(asyncio.all_tasks()) == tasks - 1
    assert work.done == ["rests", "busy"]


async def test_work_does_not_speak_the_language_of_whoever_began_it() -> None:
    """What is done for all is not done in the language of one."""
    clock, heard = Clock(), list[object]()

    async def work(_: str) -> Cooldown:
        heard.append(SPOKEN.get())
        return Cooldown(1)

    paced = Throttle(work, clock.later)
    with speaking(language("de")):
        paced.touch("a")
        await settled()
        paced.touch("a")
        await clock.ring()

    assert heard == [None, None]
