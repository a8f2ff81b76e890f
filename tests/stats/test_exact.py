"""What is usual, worked out exactly: against all sequences, and against longer ways to the same."""

from collections import defaultdict
from math import isclose

import pytest

from bot.dice.system import Memory, System
from bot.stats.bands import CountLaw
from bot.stats.exact import ways
from bot.stats.played import play, usual
from bot.stats.stretches import MemorySpan, Stretch
from tests.support.coverage import after
from tests.support.stretches import fresh
from tests.support.systems import cards, make

SYSTEMS: list[System] = [
    make("dynamic", "1d3", factor="0.355"),
    make("fair", cards((1, 2, 1)), tightness="1.5"),
    make("fair", cards((1, 2, 3)), tightness="inf"),
    make("deck", "1d4"),
    make("deck", cards((1, 2, 2)), refill=4),
    make("deck", "1d3", size=2, refill=4, mode="reset"),
]


def agree(stretch: Stretch, off: float) -> None:
    """Going through all memories, roll by roll by the systems' own functions, gives the same chances."""
    found = ways(stretch)
    counts = (0,) * len(stretch.system.faces)
    wanted: dict[tuple[Memory, tuple[int, ...]], float] = {((), counts): 1.0}
    for span in stretch.spans:
        begun: defaultdict[tuple[Memory, tuple[int, ...]], float] = defaultdict(float)
        for (memory, counts), chance in wanted.items():
            begun[memory if span.memory is None else span.memory, counts] += chance
        wanted = begun
        for _ in range(span.steps):
            after: defaultdict[tuple[Memory, tuple[int, ...]], float] = defaultdict(float)
            for (memory, counts), chance in wanted.items():
                weights = span.system.weights(memory)
                for face, weight in enumerate(weights):
                    if weight:
                        more = (*counts[:face], counts[face] + 1, *counts[face + 1 :])
                        after[span.system.advance(memory, face), more] += chance * weight / sum(weights)
            wanted = {at: chance for at, chance in after.items() if chance > 1e-18}
    summed: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for (_, counts), chance in wanted.items():
        summed[counts] += chance

    assert found
    counted: list[list[int]] = found.counts.tolist()
    rows = {tuple(row): float(chance) for row, chance in zip(counted, found.chances, strict=True)}
    assert len(rows) == len(found.chances)
    assert rows.keys() <= summed.keys()
    assert all(isclose(rows.get(counts, 0.0), chance, abs_tol=off) for counts, chance in summed.items())


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_all_memories_agree(system: System) -> None:
    """Fresh, from a memory, and with a reset half way."""
    agree(fresh(system, 7), 1e-12)
    agree(Stretch((MemorySpan(system, after(system, 5, seed=1), (7,)),)), 1e-12)
    agree(Stretch((*fresh(system, 3).spans, *fresh(system, 4).spans)), 1e-7)


def test_a_tuned_roller_goes_on() -> None:
    """The memory stays, and the chances are those of the new tightness."""
    loose, tight = (make("fair", "1d3", tightness=t) for t in ("0.5", "2"))

    agree(Stretch((MemorySpan(loose, loose.start(), (3,)), MemorySpan(tight, None, (4,)))), 1e-12)
    agree(Stretch((MemorySpan(loose, loose.start(), (301,)), MemorySpan(tight, None, (4,)))), 1e-6)


@pytest.mark.parametrize("system", [s for s in SYSTEMS if s.evens_out], ids=lambda system: system.name)
def test_a_long_stretch_is_walked_through_until_it_settles(system: System) -> None:
    """What is said of 302 rolls is what walking through them all says, to one in a million."""
    agree(fresh(system, 302), 1e-6)


def test_it_says_what_playing_says() -> None:
    """Bands, the furthest face and the mean of a d6 after a first session: 8,000 evenings say the same."""
    dynamic = make("dynamic", "1d6", factor="0.355")
    stretch = Stretch((MemorySpan(dynamic, after(dynamic, 47, seed=2), (100,)),))
    exact, simulated = usual(stretch), play(stretch)
    counts = [17, 16, 17, 16, 17, 17]

    assert (exact.runs, simulated.runs) == (0, 8_000)
    assert exact.bands() == simulated.bands()
    assert isclose(exact.worst(counts).chance, simulated.worst(counts).chance, abs_tol=0.02)
    one, other = (law.sum(range(1, 7), 350) for law in (exact, simulated))
    assert isclose(one.at_most, other.at_most, abs_tol=0.02)
    assert abs(one.low - other.low) <= 1


@pytest.mark.parametrize(
    "stretch",
    [
        fresh(make("fair", "2d6", tightness="0.5"), 100),
        fresh(make("recency", "1d6"), 30),
        fresh(make("deck", "1d6", refill=4, mode="reset"), 2_000),
        Stretch((MemorySpan(make("deck", "1d6"), (1,) * 6, (3, 2, 3)),)),
    ],
    ids=["many faces", "another system", "too long", "others in between"],
)
def test_the_rest_is_played(stretch: Stretch) -> None:
    """Where there are too many ways, and where others roll in between."""
    assert ways(stretch) is None


def test_parts_of_a_long_stretch_keep_counts_whole() -> None:
    """One of three who share a deck, over 6,000 rolls of which a part is played: all add up to 2,000."""
    deck = make("deck", "1d6", refill=4, mode="reset")
    law = play(Stretch((MemorySpan(deck, deck.start(), (1,) + (2, 1) * 1_999),)))

    assert {*law.counts.sum(axis=1).tolist()} == {2_000}
    assert isinstance(law, CountLaw)
