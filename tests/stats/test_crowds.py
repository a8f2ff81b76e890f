"""A crowd is the system itself, many times: the same weights after the same faces."""

import numpy as np
import pytest

from bot.dice.system import Spec
from bot.stats.crowds import choose, crowd
from bot.systems.registry import read_spec
from tests.support.systems import make, played
from tests.systems.test_all import EVERY


@EVERY
def test_it_weighs_what_the_system_weighs(spec: Spec) -> None:
    """Along two histories at once, from a memory in the middle, in proportion and to a millionth."""
    system = read_spec(spec)
    _, memory = played(system, range(7))
    copies = crowd(system, memory, 2)
    memories = [memory, memory]

    for step in range(25):
        weights = copies.weights()
        chosen: list[int] = []
        for row, before in enumerate(memories):
            exact = system.weights(before)
            assert weights[row] / weights[row].sum() == pytest.approx(
                [w / sum(exact) for w in exact], abs=1e-6
            )
            possible = [face for face, w in enumerate(exact) if w]
            chosen.append(possible[(step * (row + 1)) % len(possible)])
        copies.advance(np.array(chosen))
        memories = [system.advance(before, face) for before, face in zip(memories, chosen, strict=True)]


def test_it_is_tuned_with_its_memories() -> None:
    """A fair crowd goes on under another tightness, a register with other dice; a deck can't."""
    for one, other in (
        (make("fair", "2d6", tightness="1"), make("fair", "2d6", tightness="inf")),
        (make("dynamic", "1d6", factor="0.5"), make("dynamic", "1d6", factor="0.9")),
        (read_spec({"system": "register", "dice": 3}), read_spec({"system": "register", "dice": 2})),
    ):
        copies, (chosen, memory) = crowd(one, one.start(), 1), played(one, [3, 1, 4, 1])
        for face in chosen:
            copies.advance(np.array([face]))
        copies.tune(other)
        exact = other.weights(memory)
        assert copies.weights()[0] / copies.weights().sum() == pytest.approx([w / sum(exact) for w in exact])

    deck = make("deck", "1d6")
    with pytest.raises(TypeError, match="is not tuned"):
        crowd(deck, deck.start(), 1).tune(deck)


def test_no_face_without_weight_is_chosen() -> None:
    """Whatever rounding does; and in proportion, to four standard errors."""
    weights = np.tile([0.0, 0.1, 0.2, 0.0], (40_000, 1))
    chosen = choose(weights, np.random.Generator(np.random.Philox(key=1)))
    counts = np.bincount(chosen, minlength=4)

    assert counts[[0, 3]].tolist() == [0, 0]
    assert abs(counts[1] / 40_000 - 1 / 3) < 4 * (2 / 9 / 40_000) ** 0.5


def test_registers_are_rolled_as_they_weigh() -> None:
    """The quick way gives every value as often as its weights say, to five standard errors."""
    register = read_spec({"system": "register", "dice": 2, "sides": 6, "values": 10})
    copies = crowd(register, (3,), 60_000)
    shares = copies.weights()[0] / copies.weights()[0].sum()
    found = np.bincount(copies.roll(np.random.Generator(np.random.Philox(key=2))), minlength=10) / 60_000

    assert np.abs(found - shares).max() < 5 * (0.1 / 60_000) ** 0.5
