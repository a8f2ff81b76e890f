"""Exact laws against icepool, a library by others: a second derivation of what it can say."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool as untyped  # pyright: ignore[reportMissingTypeStubs] (it has none)
import pytest

from bot.dice.distribution import distribution
from bot.dice.notation import parse
from tests.support.tapes import chances

icepool: Any = untyped
D4, D6, D8, D10 = (icepool.d(sides) for sides in (4, 6, 8, 10))


def changed(die: Any, value: Callable[[int], int]) -> Any:
    """A die whose faces count as others."""
    return die.map({face: value(face) for face in die.outcomes()})


def exploded(die: Any, faces: set[int]) -> Any:
    """A die that explodes on these faces, ten times at most."""
    return die.explode(faces, depth=10)


LAWS: list[tuple[str, Callable[[], Any]]] = [
    ("4d6kh3", lambda: D6.highest(4, 3)),
    ("4d6km2", lambda: D6.middle(4, 2)),
    ("5d6dl1dh2", D6.pool(5)[1:-2].sum),
    ("4d6rr<3kh3", lambda: D6.reroll({1, 2}, depth="inf").highest(4, 3)),
    ("3d6ro<3", lambda: 3 @ D6.reroll({1, 2}, depth=1)),
    ("3d6r4{1}", lambda: 3 @ D6.reroll({1}, depth=4)),
    ("2d6!", lambda: 2 @ exploded(D6, {6})),
    ("2d6!{>=5}", lambda: 2 @ exploded(D6, {5, 6})),
    ("2d10!{1,2,3}kh1", lambda: exploded(D10, {1, 2, 3}).highest(2)),
    ("3d6!o", lambda: 3 @ D6.explode(depth=1)),
    ("8d6min2", lambda: 8 @ changed(D6, lambda face: max(face, 2))),
    ("4d6min2kh3", lambda: changed(D6, lambda face: max(face, 2)).highest(4, 3)),
    ("5d10>=7f{1}", lambda: 5 @ changed(D10, lambda face: (face >= 7) - (face == 1))),
    ("5d10>=7x2{10}", lambda: 5 @ changed(D10, lambda face: (face >= 7) + (face == 10))),
    ("4d6k{>3}", lambda: 4 @ changed(D6, lambda face: face if face > 3 else 0)),
    ("3d{1,1,2}", lambda: 3 @ icepool.Die([1, 1, 2])),
    ("3d6u", lambda: icepool.Deck(range(1, 7)).deal(3).sum()),
    ("{2d6,1d10}kh1", lambda: icepool.highest(2 @ D6, D10)),
    ("{2d6,1d8,3d4}dl1", lambda: icepool.highest(2 @ D6, D8, 3 @ D4, keep=2)),
    ("{4d6+3d8}k4", lambda: icepool.Pool([D6] * 4 + [D8] * 3).highest(4).sum()),
    ("(1d4)d6", lambda: D4 @ D6),
    ("(2d6+1)>=8", lambda: (2 @ D6 + 1 >= 8).map({True: 1, False: 0})),
    ("2d6 vs 1d10", lambda: 2 @ D6 - D10),
    ("60//1d6", lambda: changed(D6, lambda face: 60 // face)),
]


@pytest.mark.parametrize(("text", "other"), LAWS, ids=[text for text, _ in LAWS])
def test_a_law_is_icepools(text: str, other: Callable[[], Any]) -> None:
    """The chance of each total is the same fraction."""
    die = other()
    theirs = {int(total): Fraction(weight, die.denominator()) for total, weight in die.items() if weight}

    assert chances(distribution(parse(text))) == theirs
