"""Nothing that could foretell a roll, and no key, is in a text that leaves the process."""

import copy
import logging
import pickle
import traceback
from collections.abc import Callable

import pytest

from bot.dice.draws import RecyclingDraws
from bot.entropy.feed import Feed, FeedAnswer
from bot.entropy.health import RecentBlocks
from bot.entropy.opening import open_web, sources
from bot.entropy.service import Fetched, ServiceStatus
from bot.entropy.supply import ChainedBlake2, Kernel, Lane, Supply, WordPool
from bot.entropy.web import Reply
from tests.entropy.clocks import FakeClock
from tests.support.services import IMPATIENT, KEY, PATIENT, Mood, Service, services

REMOTE = bytes(range(1, 255)) * 8
OTHER = bytes(range(255, 1, -1)) * 8


def words(data: bytes) -> list[int]:
    """The bytes as words."""
    return [int.from_bytes(data[at : at + 8]) for at in range(0, len(data), 8)]


MIXED = [one ^ other for one, other in zip(words(REMOTE), words(OTHER), strict=True)]
WORDS = {*words(REMOTE), *words(OTHER), *MIXED}


def lane(data: bytes = REMOTE) -> Lane:
    """A lane with known words."""
    made = Lane(Kernel())
    made.add(data)
    return made


def supply() -> Supply:
    """A supply that has rolled once, so that its register holds bits."""
    made = Supply(WordPool(lane(), lane(OTHER)))
    made.open().below(6)
    return made


def register() -> RecyclingDraws:
    """A register that holds bits."""
    made = RecyclingDraws(iter(WORDS).__next__)
    made.below(6)
    return made


SECRETS: list[Callable[[], object]] = [
    lane,
    supply,
    register,
    ChainedBlake2,
    Kernel,
    lambda: supply().open(),
    lambda: WordPool(lane(), lane(OTHER)),
]


@pytest.mark.parametrize("make", SECRETS)
def test_what_holds_bits_does_not_show_them(make: Callable[[], object]) -> None:
    """Neither repr, str nor format has a digit of them."""
    secret = make()
    shown = f"{secret!r} {secret!s} {secret}"

    assert not any(str(word) in shown or f"{word:x}" in shown for word in WORDS)
    assert len(shown) < 200


@pytest.mark.parametrize("make", SECRETS)
def test_what_holds_bits_is_never_pickled_or_copied(make: Callable[[], object]) -> None:
    """Every protocol refuses it, and so does a copy, which would use the same bits twice."""
    secret = make()

    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError):
            pickle.dumps(secret, protocol)
    for duplicate in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            duplicate(secret)


def test_values_with_remote_bytes_hide_them() -> None:
    """An answer, a reply and an outcome show their size of things, never the bytes."""
    shown = repr([Fetched(REMOTE), Reply(200, "text/plain", REMOTE), FeedAnswer(REMOTE)])

    assert repr(REMOTE)[2:40] not in shown


class Broken(Exception):
    """Something that goes wrong in the middle of a draw."""


@pytest.mark.parametrize("good_words", range(4))
def test_a_traceback_with_all_local_variables_shows_no_bit(good_words: int) -> None:
    """Even a dump of every frame's variables, at any moment of a draw, has no word and no register in it."""
    left = iter(range(good_words))

    def kernel(size: int) -> bytes:
        if next(left, None) is None:
            raise Broken
        return bytes(size)

    roll = Supply(WordPool(lane(), lane(OTHER), kernel)).open()
    with pytest.raises(Broken) as caught:
        # More than any number of words holds, so that it fails after as many as there are.
        roll.below(1 << 250)
    dump = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())

    assert "_split" in dump
    assert "in word" in dump
    assert not any(str(word) in dump or f"{word:x}" in dump for word in WORDS)
    assert not any(str(MIXED[0] << 64 * n) in dump for n in range(4))
    assert str(MIXED[0] << 64 | MIXED[1]) not in dump


@pytest.mark.parametrize("mood", Mood)
async def test_no_mood_brings_a_byte_or_a_key_into_a_log(
    mood: Mood, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the services do, logs and statuses have our words only."""
    caplog.set_level(logging.DEBUG)
    within = IMPATIENT if mood in {Mood.SLOW, Mood.SILENT} else PATIENT
    async with services() as loopback:
        loopback.moods = dict.fromkeys(Service, mood)
        config = loopback.config(within)
        async with open_web(config, clock := FakeClock()) as web:
            seen = RecentBlocks()
            feeds = [
                Feed(source, web, seen) for source in sources(config) if not isinstance(source, ServiceStatus)
            ]
            for _ in range(2):
                for feed in feeds:
                    await feed.ask()
                await clock.advance(86_400.0)
    shown = caplog.text + repr([feed.status() for feed in feeds]) + repr(feeds) + repr(config)

    assert KEY not in shown
    assert "Too many requests" not in shown
    assert "may not" not in shown
    assert not any(sent.hex()[:12] in shown or repr(sent)[2:14] in shown for sent in loopback.sent)
    assert not any(str(list(sent))[1:20] in shown for sent in loopback.sent)
