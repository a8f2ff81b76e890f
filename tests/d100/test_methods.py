"""Every way played with all throws there are, and its figures against what comes out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.d100.conversion import expected
from bot.d100.method import WAYS, Method
from bot.dice.by_hand import ByHand
from bot.dice.draws import Recorder, Replayer, seeded
from bot.dice.errors import SpecError
from bot.dice.system import step
from bot.dice.throws import Pool
from bot.systems.registry import read_spec

SIX = (6,)
THREES = {"again": 200, "first": 100, "folded": 200}
"""How many of the 216 throws of three dice count."""
PIECES = {"5x5x4": (5, 5, 4), "5x5x2x2": (5, 5, 6, 6), "digits": (5, 6, 5, 6)}
"""How many faces of each die count."""


class Over(Exception):
    """More dice are wanted than are looked at."""


class Few:
    """Draws that follow faces, and end with Over."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = iter(faces)
        self.used = 0

    def below(self, n: int) -> int:
        """The next face less one."""
        assert n == 6
        self.used += 1
        try:
            return next(self._faces) - 1
        except StopIteration:
            raise Over from None

    def choose(self, weights: Sequence[int]) -> int:
        """Never."""
        raise AssertionError(weights)


def plays(way: str, dice: int) -> Iterator[tuple[int, int]]:
    """Every throw of at most so many dice that ends the way, or does not yet (-1): the value and the dice."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        faces = waiting.pop()
        draws = Few(faces)
        try:
            throw = WAYS[way].play(draws, SIX, 100)
        except Over:
            if len(faces) < dice:
                waiting += [(*faces, face) for face in range(1, 7)]
            else:
                yield -1, dice
        else:
            yield throw.total % 100, draws.used


def by_dice(way: str, dice: int) -> dict[int, dict[int, Fraction]]:
    """For each number of dice up to a limit, the chance of each value to come out just then."""
    laws: dict[int, dict[int, Fraction]] = {}
    for value, used in plays(way, dice):
        if value >= 0:
            at = laws.setdefault(used, dict.fromkeys(range(100), Fraction(0)))
            at[value] += Fraction(1, 6**used)
    return laws


@pytest.mark.parametrize("way", [*THREES, *PIECES, "table", "stream"])
def test_exact_ways_are_even_at_every_number_of_dice(way: str) -> None:
    """However many dice it took, every value has the same chance: so all of them together have it too."""
    laws = by_dice(way, 5)

    assert laws
    assert all(len(set(chances.values())) == 1 for chances in laws.values())
    assert Method(way).figures.exact


@pytest.mark.parametrize("way", THREES)
def test_ways_that_throw_all_again(way: str) -> None:
    """So many of the 216 throws count, the others begin anew: 3 dice, times 216 over those that count."""
    counted = sum(value >= 0 for value, _ in plays(way, 3))

    assert counted == THREES[way]
    assert Method(way).figures.expected == 3 * Fraction(216, counted)
    assert Method(way).figures.most is None


@pytest.mark.parametrize("way", PIECES)
def test_ways_that_throw_single_dice_again(way: str) -> None:
    """The dice used are those of independent waits, one for each piece, and so is their mean."""
    waits = [Fraction(faces, 6) for faces in PIECES[way]]
    chances = {0: Fraction(1)}
    for p in waits:
        chances = {
            n: sum((c * p * (1 - p) ** (n - m - 1) for m, c in chances.items() if m < n), Fraction(0))
            for n in range(1, 6)
        }
    totals = {n: sum(values.values()) for n, values in by_dice(way, 5).items()}

    assert totals == {n: c for n, c in chances.items() if c}
    assert Method(way).figures.expected == sum(1 / p for p in waits)


@pytest.mark.parametrize("way", ["table", "stream"])
def test_the_best_ways_are_over_as_soon_as_can_be(way: str) -> None:
    """After k dice only (6^k mod 100) results are open, and the mean is the published one."""
    counts = Counter(used for value, used in plays(way, 6) if value >= 0)
    still = Fraction(1)
    for k in range(1, 7):
        still -= Fraction(counts[k], 6**k)

        assert still == Fraction(6**k % 100, 6**k)
    assert Method(way).figures.expected == Fraction(14738, 4665)


def test_the_worked_example() -> None:
    """6, 1, 5, 4, 6 is 44 by the table; of the stream, 6, 1, 5 is 11 already."""
    table = WAYS["table"].play(ByHand((6, 1, 5, 4, 6)), SIX, 100)
    stream = WAYS["stream"].play(ByHand((6, 1, 5)), SIX, 100)

    assert table.total == 44
    parts = [part if isinstance(part, str) else str([d.value for d in part.dice]) for part in table.parts]
    assert "".join(parts) == (
        "[6, 1, 5] reads 11, under 16; [4, 6] behind 11 reads 420, less 76 is 344, mod 100 is 44"
    )
    assert stream.total == 11


@pytest.mark.parametrize(
    ("way", "faces", "value"),
    [
        ("digits", (3, 1, 5, 5), 80),
        ("digits", (5, 1, 5, 3), 100),
        ("digits", (2, 4, 4, 6), 24),
        ("5x5x4", (5, 4, 1), 93),
        ("5x5x4", (1, 1, 1), 1),
        ("5x5x4", (5, 5, 4), 100),
        ("5x5x2x2", (5, 4, 3, 1), 93),
        ("5x5x2x2", (2, 3, 4, 3), 31),
        ("5x5x2x2", (5, 5, 4, 6), 100),
        ("ranges", (1, 1, 1, 1), 4),
        ("ranges", (4, 3, 3, 4), 62),
        ("ranges", (6, 5, 5, 6), 2),
    ],
)
def test_dice_are_read_as_the_text_reads_them(way: str, faces: tuple[int, ...], value: int) -> None:
    """Who checks a throw by hand gets the same number."""
    assert WAYS[way].play(ByHand(faces), SIX, 100).total == value


def fixed(way: str, throws: Iterator[Sequence[int]]) -> Counter[int]:
    """How often each value comes out of these throws."""
    return Counter(WAYS[way].play(ByHand(faces), SIX, 100).total % 100 for faces in throws)


def sums() -> dict[int, int]:
    """In how many ways twenty dice make each sum."""
    ways = {0: 1}
    for _ in range(20):
        grown: Counter[int] = Counter()
        for total, count in ways.items():
            for face in range(1, 7):
                grown[total + face] += count
        ways = dict(grown)
    return ways


def throw_of(total: int) -> list[int]:
    """Twenty dice with that sum."""
    high, rest = divmod(total - 20, 5)
    return [6] * high + ([1 + rest] if high < 20 else []) + [1] * (19 - high)


@pytest.mark.parametrize(
    ("way", "score", "missing"),
    [
        ("wrapped", "6.3100e-04", 0),
        ("table4", "2.2862e-06", 0),
        ("table5", "3.0166e-07", 0),
        ("parity7", "1.2305e-03", 0),
        ("parity10", "1.7395e-05", 0),
        ("20d6", "2.6788e-02", 0),
        ("20d6-20", "2.6788e-02", 0),
        ("ranges", "5.4762e-03", 5),
    ],
)
def test_uneven_ways(way: str, score: str, missing: int) -> None:
    """The law is what all throws give; the score rounds to the published one, and values may be missing."""
    figures = Method(way).figures
    match way:
        case "wrapped":
            counted = fixed(way, product(range(1, 7), repeat=3))
        case "table4" | "table5":
            counted = fixed(way, product(range(1, 7), repeat=int(way[5:])))
        case "ranges":
            counted = fixed(way, product(range(1, 7), repeat=4))
        case "parity7" | "parity10":
            # Odd and even have three faces each, so one of each stands for all.
            counted = fixed(way, product((1, 2), repeat=int(way[6:])))
        case _:
            counted = Counter[int]()
            for total, count in sums().items():
                counted[WAYS[way].play(ByHand(throw_of(total)), SIX, 100).total % 100] += count
    share = Fraction(sum(counted.values()), sum(figures.weights))

    assert [counted[v] for v in range(100)] == [w * share for w in figures.weights]
    assert f"{float(figures.score):.4e}" == score
    assert figures.missing == missing
    assert figures.most is not None
    assert figures.expected == (expected(SIX, 100, figures.most) if way[:5] == "table" else figures.most)


def test_parity_is_floor_of_100_x_over_128() -> None:
    """Even is one, as the text has it: 2 1 2 1 1 1 1 is 80 of 128, and 100·80 // 128 is 62."""
    throw = WAYS["parity7"].play(ByHand((2, 1, 2, 1, 1, 1, 1)), SIX, 100)

    assert throw.total == 62
    assert WAYS["parity7"].play(ByHand((6,) * 7), SIX, 100).total == 100 * 127 // 128
    assert WAYS["parity7"].play(ByHand((5,) * 7), SIX, 100).total == 100


def test_a_table_that_ends_sooner_is_not_cut() -> None:
    """Two d10 make a d100, whatever the limit is."""
    figures = Method("table5", (10,), 100).figures

    assert (figures.exact, figures.expected, figures.most) == (True, 2, 2)


@pytest.mark.parametrize("way", WAYS)
@given(seed=st.integers(0, 10**6))
def test_what_is_thrown_is_what_is_recorded(way: str, seed: int) -> None:
    """One draw a die, all of them shown in order, and replay gives the same throw."""
    record = Recorder(seeded(seed))
    outcome, _ = step(Method(way), (), record)
    replayer = Replayer(record.drawn)
    throw = outcome.throw
    assert throw
    faces = [
        face.value
        for part in throw.parts
        if isinstance(part, Pool)
        for die in part.dice
        for face in die.faces
    ]

    assert record.drawn == [(6, face - 1) for face in faces]
    assert step(Method(way), (), replayer) == (outcome, ())
    assert outcome.face == str(throw.total)
    assert 1 <= throw.total <= 100


@pytest.mark.parametrize(("way", "dice", "values"), [("table", (4,), 10), ("again", (3, 2), 5)])
def test_general_ways_with_other_dice(way: str, dice: tuple[int, ...], values: int) -> None:
    """A first round of other dice, thrown in turn, gives all values alike, and leaves the rest open."""
    law = Counter[int]()
    for faces in product(*(range(s) for s in (dice * 2)[:2])):
        draws = Replayer([*zip((dice * 2)[:2], faces, strict=True)])
        try:
            law[WAYS[way].play(draws, dice, values).total] += 1
        except ValueError:
            law[0] += 1
    equal = dice[0] * (dice * 2)[1]

    assert {law[v] for v in range(1, values + 1)} == {equal // values}
    assert law[0] == equal % values


@pytest.mark.parametrize(
    "spec",
    [
        {"system": "method", "method": "table"},
        {"system": "method", "method": "stream", "sides": 20, "values": 7},
        {"system": "method", "method": "again", "sides": [6, 4], "values": 24},
        {"system": "method", "method": "20d6-20"},
    ],
)
def test_specs_come_back(spec: dict[str, object]) -> None:
    """A method read from its spec prints one that has all of it, and reads as the same method."""
    method = read_spec(spec)

    assert read_spec(method.as_spec()) == method
    assert method.as_spec().items() >= spec.items()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"method": "magic"}, "no method 'magic'"),
        ({}, "There are: table, stream"),
        ({"method": "digits", "sides": 8}, "out of six-sided dice, and nothing else"),
        ({"method": "first", "values": 10}, "nothing else"),
        ({"method": "table", "sides": []}, "not 0"),
        ({"method": "table", "sides": ["6"]}, "sides is an integer"),
        ({"method": "table", "values": 1}, "values is an integer of 2"),
    ],
)
def test_what_is_no_method(spec: dict[str, object], words: str) -> None:
    """The sentence says what is wrong."""
    with pytest.raises(SpecError, match=words):
        read_spec({"system": "method", **spec})
