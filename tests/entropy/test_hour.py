"""Hours of play at 100 rolls a minute, on services that fail half of the time."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from bot.dice.draws import Source
from bot.entropy.feed import Refill
from bot.entropy.health import RecentBlocks
from bot.entropy.service import Fetched
from bot.entropy.supply import Lane, Supply, WordPool
from bot.entropy.web import Refused
from tests.entropy.clocks import FakeClock
from tests.entropy.feeds import Fixed, Noise, Scripted, Tags, feed

ROLLS = 6000
SECONDS_PER_ROLL = 0.6


class Watched(Lane):
    """A lane that writes down every word it gives."""

    __slots__ = ("given",)

    def __init__(self) -> None:
        super().__init__(Fixed())
        self.given: list[int] = []

    def take(self) -> int:
        """The next word, written down."""
        word = super().take()
        self.given.append(word)
        return word


@dataclass
class Evening:
    """What an hour of play came to."""

    labels: Counter[Source] = field(default_factory=Counter[Source])
    requests: int = 0
    failures: int = 0
    used: list[str] = field(default_factory=list[str])
    """The tag of every remote word that was used, in order."""


async def play(seed: int, chance_of_failure: float) -> Evening:
    """An hour of d20s, from a cold start, with one source for the one lane and two for the other."""
    evening, clock, random = Evening(), FakeClock(), Random(seed)  # noqa: S311
    atmospheric, quantum, seen = Watched(), Watched(), RecentBlocks()
    supply = Supply(WordPool(atmospheric, quantum))
    every_tag = [Tags("noise"), Tags("first"), Tags("second")]

    def script(tags: Tags) -> Callable[[], Fetched]:
        def answer() -> Fetched:
            evening.requests += 1
            if random.random() < chance_of_failure:
                evening.failures += 1
                raise Refused("one of its days")
            return Fetched(tags.block())

        return answer

    makes = (Noise, Scripted, Scripted)
    noise, *others = (
        feed(make(script(tags)), clock, seen) for make, tags in zip(makes, every_tag, strict=True)
    )
    tasks = [
        asyncio.create_task(Refill(lane, feeds, clock, supply.clear).run())
        for lane, feeds in ((atmospheric, [noise]), (quantum, others))
    ]
    for _ in range(ROLLS):
        roll = supply.open()
        roll.below(20)
        evening.labels[roll.source] += 1
        await clock.advance(SECONDS_PER_ROLL)
    for task in tasks:
        task.cancel()
    known = {word: tag for tags in every_tag for word, tag in tags.known.items()}
    evening.used = [known[word] for lane in (atmospheric, quantum) for word in lane.given if word in known]
    return evening


async def test_services_that_fail_half_of_the_time_still_feed_most_rolls() -> None:
    """All rolls are answered, no bit is used twice, and after eight cold starts 80 % of them are true."""
    evenings = [await play(seed, 0.5) for seed in range(8)]
    labels = sum((evening.labels for evening in evenings), Counter[Source]())

    assert all(evening.labels.total() == ROLLS for evening in evenings)
    assert all(len(evening.used) == len(set(evening.used)) for evening in evenings)
    assert sum(e.failures for e in evenings) * 3 > sum(e.requests for e in evenings)
    assert labels[Source.TRUE] * 100 > 80 * labels.total()
    assert labels[Source.LOCAL] * 100 < labels.total()


async def test_services_that_never_fail_feed_every_roll_but_the_first() -> None:
    """The first roll comes before the first answer; all the others are true."""
    evening = await play(1, 0.0)

    assert evening.labels == Counter({Source.TRUE: ROLLS - 1, Source.LOCAL: 1})
    assert len(evening.used) == len(set(evening.used)) > 2 * 400


async def test_services_that_always_fail_stop_no_roll() -> None:
    """Every roll is local, and the services are asked ever more seldom."""
    evening = await play(1, 1.0)

    assert evening.labels == Counter({Source.LOCAL: ROLLS})
    assert evening.requests < 20
    assert not evening.used
