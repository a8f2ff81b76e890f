"""A crowd is the system itself, many times: the same weights after the same faces."""

import numpy as np
import pytest

from bot.dice.system import Spec
from bot.stats.crowds import MANY, choose, crowd
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


@pytest.mark.parametrize(
    ("name", "terms"),
    [("fair", {"tightness": "1.5"}), ("fair", {"tightness": "inf"}), ("deck", {"size": 2, "refill": 40})],
)
@pytest.mark.parametrize("copies_of_one", [1, 3], ids=["equal", "unequal"])
def test_many_faces_are_rolled_as_they_weigh(name: str, terms: Spec, copies_of_one: int) -> None:
    """Also where 16 throws of the table may keep none, in an uneven memory; to five standard errors."""
    base = {str(face): 1 + (copies_of_one - 1) * (face < 20) for face in range(MANY + 6)}
    system = read_spec({"system": name, "base": base, **terms})
    _, memory = played(system, range(0, 280, 3))
    copies = crowd(system, memory, 40_000)
    weights = system.weights(memory)
    chances = np.array([w / sum(weights) for w in weights])
    found = np.bincount(copies.roll(np.random.Generator(np.random.Philox(key=4))), minlength=len(base))

    assert (np.abs(found / 40_000 - chances) <= 5 * (chances / 40_000) ** 0.5).all()


@pytest.mark.parametrize("tightness", ["1.5", "inf"])
def test_many_faces_go_on_as_they_weigh(tightness: str) -> None:
    """Each roll of a long evening is one that the system can make, and its memory is the system's."""
    system = make("fair", f"1d{MANY + 6}", tightness=tightness)
    generator = np.random.Generator(np.random.Philox(key=5))
    copies, memories = crowd(system, system.start(), 2), [system.start()] * 2
    for _ in range(3 * MANY):
        rolled: list[int] = copies.roll(generator).tolist()
        assert all(system.weights(memory)[face] for memory, face in zip(memories, rolled, strict=True))
        memories = [system.advance(memory, face) for memory, face in zip(memories, rolled, strict=True)]

    for weights, memory in zip(copies.weights(), memories, strict=True):
        exact = system.weights(memory)
        assert weights / weights.sum() == pytest.approx([w / sum(exact) for w in exact], abs=1e-6)


def test_registers_are_rolled_as_they_weigh() -> None:
    """The quick way gives every value as often as its weights say, to five standard errors."""
    register = read_spec({"system": "register", "dice": 2, "sides": 6, "values": 10})
    copies = crowd(register, (3,), 60_000)
    shares = copies.weights()[0] / copies.weights()[0].sum()
    found = np.bincount(copies.roll(np.random.Generator(np.random.Philox(key=2))), minlength=10) / 60_000

    assert np.abs(found - shares).max() < 5 * (0.1 / 60_000) ** 0.5
