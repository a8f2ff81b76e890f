"""Who is asked, and when: the refill's decisions on a clock that the test moves."""

import asyncio

from bot.entropy.feed import LOW_WATER, Refill
from bot.entropy.health import BLOCK, RecentBlocks
from bot.entropy.service import Fetched, ServiceState
from bot.entropy.supply import Kernel, Lane
from bot.entropy.web import Refused
from tests.entropy.clocks import FakeClock
from tests.entropy.feeds import Scripted, Tags, feed

BLOCK_BITS = 8 * BLOCK


def good() -> Scripted:
    """A source that always has a block."""
    tags = Tags("good")
    return Scripted(lambda: Fetched(tags.block()))


def failing(error: Exception | None = None) -> Scripted:
    """A source that never has one."""

    def fail() -> Fetched:
        raise error or Refused("nothing today")

    return Scripted(fail)


def refill(lane: Lane, clock: FakeClock, *sources: Scripted) -> Refill:
    """A refill of the lane from these sources, the first choice first."""
    return Refill(lane, [feed(source, clock) for source in sources], clock, lambda: None)


async def drain(refilling: Refill) -> None:
    """Ask for as long as somebody is due."""
    while await refilling.step():
        pass


async def test_a_full_lane_asks_nobody() -> None:
    """At the low-water mark no request is made, and one word below it one is."""
    lane, source = Lane(Kernel()), good()
    lane.add(bytes(LOW_WATER // 8))
    refilling = refill(lane, FakeClock(), source)

    assert not await refilling.step()
    lane.take()
    assert await refilling.step()
    assert lane.bits == LOW_WATER - 64 + BLOCK_BITS


async def test_the_interval_is_kept() -> None:
    """However low the lane, the source rests between two answers."""
    lane, source, clock = Lane(Kernel()), good(), FakeClock()
    refilling = refill(lane, clock, source)
    await drain(refilling)
    await clock.advance(599.0)
    await drain(refilling)

    assert source.asked == 1
    await clock.advance(1.0)
    await drain(refilling)
    assert source.asked == 2


async def test_the_second_choice_is_left_alone_while_the_first_is_well() -> None:
    """While the lane lives on the first source, the second is not asked."""
    lane, first, second, clock = Lane(Kernel()), good(), good(), FakeClock()
    refilling = refill(lane, clock, first, second)
    for _ in range(12):
        await drain(refilling)
        lane.take()
        await clock.advance(60.0)

    assert (first.asked, second.asked) == (2, 0)


async def test_the_second_choice_steps_in_when_the_lane_is_dry() -> None:
    """A first source that rests does not keep a dry lane dry."""
    lane, first, clock = Lane(Kernel()), good(), FakeClock()
    tags = Tags("second")
    second = Scripted(lambda: Fetched(tags.block()))
    refilling = refill(lane, clock, first, second)
    await drain(refilling)
    while lane.fed:
        lane.take()
    await drain(refilling)

    assert (first.asked, second.asked) == (1, 1)
    assert lane.fed


async def test_the_second_choice_steps_in_when_the_first_fails() -> None:
    """A failing first source is tried again when its back-off is over, the second meanwhile."""
    lane, first, second, clock = Lane(Kernel()), failing(), good(), FakeClock()
    refilling = refill(lane, clock, first, second)
    await drain(refilling)

    assert (first.asked, second.asked) == (1, 1)
    await clock.advance(60.0)
    await drain(refilling)
    assert (first.asked, second.asked) == (2, 1)


async def test_two_sources_that_send_the_same_block_are_not_both_believed() -> None:
    """The XOR of equal blocks would be nothing: the second one is refused, and says why."""
    clock, seen = FakeClock(), RecentBlocks()
    block = Tags("same").block()
    one, other = (feed(Scripted(lambda: Fetched(block)), clock, seen) for _ in range(2))
    first, second = await one.ask(), await other.ask()

    assert first.block == block
    assert second.block is None
    assert second.alarm
    assert str(other.status().error) == "failed its health test: bytes that had come before"


async def test_what_is_kept_of_a_refusal_is_its_words() -> None:
    """Its traceback would keep what came in memory."""
    refused = feed(failing(Refused("it sent {sent} bytes", sent=7)), FakeClock())
    await refused.ask()
    error = refused.status().error

    assert error is not None
    assert (str(error), error.__traceback__) == ("it sent 7 bytes", None)


async def test_an_unforeseen_fault_fails_the_source_and_not_the_lane() -> None:
    """A fault in a client is a failure like any other, and its text, which may hold bytes, is not kept."""
    clock = FakeClock()
    fault = feed(failing(ValueError("secret bytes")), clock)
    await fault.ask()

    assert str(fault.status().error) == "unforeseen: ValueError"
    assert fault.status().state is ServiceState.FAILING


async def test_run_goes_on_for_ever_and_looks_again_every_few_seconds() -> None:
    """Left to itself it keeps the lane fed while time passes and words are used."""
    lane, source, clock = Lane(Kernel()), good(), FakeClock()
    task = asyncio.create_task(refill(lane, clock, source).run())
    await clock.advance(3 * 600.0 + 30.0)
    task.cancel()

    assert source.asked == 4
    assert lane.bits == 4 * BLOCK_BITS
