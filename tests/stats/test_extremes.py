"""Every system at the ends of its ranges goes through every judgement, and keeps to the shares it says."""

from collections.abc import Generator, Mapping

import numpy as np
import pytest

from bot.dice.die_distribution import TooLong
from bot.dice.system import System
from bot.record.codec import encode
from bot.stats import chi_square, evenings, played
from bot.systems.odds import shares
from bot.systems.registry import SYSTEMS, print_spec, read_spec
from tests.support.extremes import EXTREMES, HEAVIEST, JUDGEMENTS, rolled, tuned

EVERY = [
    pytest.param(spec, id=f"{name}-{n}") for name, specs in EXTREMES.items() for n, spec in enumerate(specs)
]
_ROLLS = 720
_LIKELY = 1e-9


@pytest.fixture
def few_evenings(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Play one of forty evenings: how many there are changes no judgement's steps, only its accuracy."""
    for module, *names in (
        (played, "_MOST_RUNS", "_FEWEST_RUNS", "_SLOW_RUNS", "_COUNTS", "_CELLS"),
        (chi_square, "RUNS", "_CELLS"),
        (evenings, "_RUNS"),
    ):
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name) // 40)
    played.usual.cache_clear()
    yield
    played.usual.cache_clear()


def test_no_system_is_left_out() -> None:
    """Each of the registry has its ends: two or more."""
    assert {*EXTREMES} == {*SYSTEMS}
    assert min(map(len, EXTREMES.values())) > 1


@pytest.mark.usefixtures("few_evenings")
@pytest.mark.parametrize("spec", EVERY)
def test_it_is_judged(spec: Mapping[str, object]) -> None:
    """As it was made, and after it was tuned half way to what may go on from its memory."""
    system = read_spec(spec)

    assert hash(system) == hash(read_spec(spec))
    assert sum(shares(system)) <= 2**53 + len(system.faces)
    assert len(str(sum(system.shares()))) <= 4_300
    events = rolled(system)
    assert all(encode(event.body) for event in events)
    for name, judge in JUDGEMENTS.items():
        assert judge(system, events), name
    others = (read_spec(other) for other in EXTREMES[str(spec["system"])])
    tunable = (other for other in others if other != system and other.continues(system))
    if len(system.faces) < 20 and system.has_state and (other := next(tunable, None)):
        events = tuned(system, other)
        for name in ("/stats", "/rigged", "recap"):
            assert JUDGEMENTS[name](other, events), (name, print_spec(other))


def test_the_heaviest_dice_are_written() -> None:
    """Plain or fair; with one die more they are refused, also where all totals but one are left out."""
    for rule in ({"system": "dice"}, {"system": "fair", "tightness": "1000"}):
        events = rolled(read_spec({**rule, "base": HEAVIEST}), dice=2)
        assert all(encode(event.body) for event in events)
        more = f"{HEAVIEST} + 1d500r10{{1}}!o{{1}}#{{>=2}}"
        for base in (more, f"({more}) >= 0"):
            with pytest.raises(TooLong, match="numbers of its exact odds"):
                read_spec({**rule, "base": base})


def test_shares_are_those_that_come_out() -> None:
    """Each system's share is the mean of its own chances, over all memories that 720 rolls can come to."""
    checked: set[str] = set()
    for name, specs in EXTREMES.items():
        for spec in specs:
            system = read_spec(spec)
            found = _mean_chances(system) if len(system.faces) <= 40 else None
            if found is not None:
                table = np.array(shares(system), dtype=float)
                assert found == pytest.approx(table / table.sum(), abs=2e-3), print_spec(system)[:200]
                checked.add(name)

    assert checked == {*SYSTEMS}


def _mean_chances(system: System) -> list[float] | None:
    """The mean chance of each face over the later half of the rolls; None for too many memories."""
    memories, numbers = [system.start()], {system.start(): 0}
    now, mean = np.ones(1), np.zeros(len(system.faces))
    known: set[int] = set()
    chances, after = np.zeros((64, len(mean))), np.zeros((64, len(mean)), dtype=int)
    for n in range(_ROLLS):
        here = np.flatnonzero(now)
        for number in {*here.tolist()} - known:
            memory = memories[number]
            weights = system.weights(memory)
            moved = [system.advance(memory, i) if w else memory for i, w in enumerate(weights)]
            for one in moved:
                if numbers.setdefault(one, len(memories)) == len(memories):
                    memories.append(one)
            while len(chances) < len(memories):
                chances, after = (np.concatenate([each, np.zeros_like(each)]) for each in (chances, after))
            whole = sum(weights)
            chances[number] = [weight / whole for weight in weights]
            after[number] = [numbers[one] for one in moved]
            known.add(number)
        flow = now[here][:, None] * chances[here]
        if 2 * n >= _ROLLS:
            mean += flow.sum(axis=0)
        flow[flow <= _LIKELY] = 0
        now = np.bincount(after[here].ravel(), flow.ravel())
        if np.count_nonzero(now) > 300:
            return None
    return (mean / mean.sum()).tolist()
