"""The destinator: 72 slots to a region, 72 slots to a city, exactly."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from bot.dice.by_hand import ByHand
from bot.dice.draws import Recorder, Replayer, seeded
from bot.dice.errors import SpecError
from bot.dice.system import step
from bot.dice.throws import Pool
from bot.systems.destinator import COINS, THROWS, Destinator, numbers, read_map, read_throws
from bot.systems.registry import load_spec, print_spec
from tests.support.tapes import law

TEXT = (Path(__file__).parents[2] / "bot/maps/longmarch.csv").read_text(encoding="utf-8")
MAP = read_map(TEXT)


def looked_up(coin: str, total: int, region: str) -> str:
    """The place that the map's own lines give, read here anew."""
    for line in TEXT.splitlines()[1:]:
        where, side, totals, place = line.split(",")
        first, _, last = totals.partition("-")
        if (where, side) == (region, coin) and int(first) <= total <= int(last or first):
            return place
    raise AssertionError


def test_the_weights_are_those_of_throwing_all_dice() -> None:
    """Each city has the chance it gets from all 72 x 72 throws of dice and coin, looked up in the file."""
    slots = [(coin, a + b) for coin in COINS for a, b in product(range(1, 7), repeat=2)]
    regions = Counter(looked_up(*slot, "") for slot in slots)
    expected: Counter[str] = Counter()
    for region, ways in regions.items():
        for city, more in Counter(looked_up(*slot, region) for slot in slots).items():
            expected[f"{region}: {city}"] += ways * more

    assert dict(zip(MAP.faces, MAP.weights(()), strict=True)) == expected
    assert sum(expected.values()) == 72 * 72


def test_the_dice_shown_lead_to_the_city() -> None:
    """Dice and coins shown beside a city give its region and it, and a record gives the same again."""
    for seed in range(50):
        record = Recorder(seeded(seed))
        outcome, memory = step(MAP, MAP.start(), record)
        throw = outcome.throw
        assert throw is not None
        first, _, coin, region, second, _, last = throw.parts
        assert isinstance(first, Pool)
        assert isinstance(second, Pool)
        assert isinstance(coin, str)
        assert isinstance(last, str)
        found = looked_up(coin, first.total, "")

        assert region == f" → {found}, "
        assert outcome.face == f"{found}: {looked_up(last, second.total, found)}"
        assert step(MAP, MAP.start(), Replayer(record.drawn)) == (outcome, memory)


def test_the_dice_shown_are_uniform_among_those_that_fit() -> None:
    """Every draw that can follow a city shows other dice, and all have the same chance."""
    city = 0
    shown = law(lambda draws: MAP.show((), city, draws))

    assert len(shown) == MAP.weights(())[city]
    assert {*shown.values()} == {Fraction(1, len(shown))}


@pytest.mark.parametrize(
    ("number", "thrown"),
    [
        *((1, (1, 1, "heads")), (2, (1, 2, "heads")), (3, (2, 1, "heads")), (4, (1, 3, "heads"))),
        *((5, (2, 2, "heads")), (6, (3, 1, "heads")), (7, (1, 4, "heads")), (36, (6, 6, "heads"))),
        *((37, (1, 1, "tails")), (38, (1, 2, "tails")), (72, (6, 6, "tails"))),
    ],
)
def test_the_texts_numbers(number: int, thrown: tuple[int, int, str]) -> None:
    """Each of the 72 throws has its number, in the text's order."""
    assert THROWS[number - 1] == (thrown[2], *thrown[:2])
    assert len({*THROWS}) == len(THROWS) == 72


def test_every_number_leads_where_the_file_says() -> None:
    """The region of all 72 throws, and in each region its city."""
    for number, (coin, first, second) in enumerate(THROWS, start=1):
        thrown = read_throws(str(number))
        came, there = MAP.part("*").by_hand((), ByHand(thrown))
        assert MAP.part("*").faces[came] == looked_up(coin, first + second, "")
        assert numbers(there) == [number]
        for region, _ in MAP.cities:
            known = MAP.part(region)
            came, there = known.by_hand((), ByHand(thrown))
            assert known.faces[came] == f"{region}: {looked_up(coin, first + second, region)}"
            assert numbers(there) == [number]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("47", 47), (" 1 ", 1), ("72", 72), ("5 2 heads", 20), ("2 5 odd", 17), ("6,6,tails", 72)),
        *(("1, 1, EVEN", 37), ("5 2 3", 20), ("5 2 6", 56)),
    ],
)
def test_thrown_by_hand(text: str, number: int) -> None:
    """A number, or two dice and a coin or a third die."""
    coin, first, second = THROWS[number - 1]

    assert read_throws(text) == (first, second, 1 + COINS.index(coin))


@pytest.mark.parametrize(
    "text", ["68 15", "68, 15", "5 5 even 5 1 odd", "5 5 tails, 5 1 heads", "5 5 2 5 1 3"]
)
def test_two_throws_by_hand(text: str) -> None:
    """One for the region and one for its city, as numbers or as dice."""
    first, second = (1 + THROWS.index(("tails", 5, 5)), 1 + THROWS.index(("heads", 5, 1)))
    thrown = read_throws(text.replace("68", str(first)).replace("15", str(second)))
    came, throw = MAP.by_hand((), hand := ByHand(thrown))
    hand.finish()
    region = looked_up("tails", 10, "")

    assert thrown == (5, 5, 2, 5, 1, 1)
    assert MAP.faces[came] == f"{region}: {looked_up('heads', 6, region)}"
    assert numbers(throw) == [first, second]


@pytest.mark.parametrize(
    "text", ["", "0", "73", "5 73", "7 2 odd", "5 2 edge", "5 2 heads 1", "²", "5 2 7", "9" * 99]
)
def test_what_is_no_throw(text: str) -> None:
    """The sentence says how to write one."""
    with pytest.raises(SpecError, match="1 to 72, or two dice and a coin"):
        read_throws(text)


def test_a_city_in_a_known_region() -> None:
    """Its cities have the chances of one throw, and no dice for the region are shown."""
    region, cities = MAP.cities[0]
    there = MAP.part(f" {region.upper()} ")
    ways = Counter(
        looked_up(coin, a + b, region) for coin in COINS for a, b in product(range(1, 7), repeat=2)
    )
    chances = dict(zip(there.faces, there.weights(()), strict=True))

    assert {face: Fraction(w, sum(chances.values())) for face, w in chances.items()} == {
        f"{region}: {city}": Fraction(n, 72) for city, n in ways.items()
    }
    throw = step(there, there.start(), seeded(1))[0].throw
    assert throw
    assert len(throw.pools) == 1
    assert load_spec(print_spec(there)) == there
    assert {*cities} == {*ways}


def test_a_region_that_is_not_there() -> None:
    """Those that are there are named."""
    with pytest.raises(SpecError, match=r"Nowhere is no region\. There are: Northmark"):
        MAP.part("Nowhere")


def test_the_coin_may_be_odd_or_even() -> None:
    """A map reads the same where it calls its heads odd and its tails even, in any case."""
    assert read_map(TEXT.replace(",heads,", ",Odd,").replace(",tails,", ",even,")) == MAP


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (",heads,7,Lakelands\n", "", "The chart region has nothing for heads 7"),
        (",heads,7,", ",heads,7-8,", "has heads 8 in line 4 and again in line 5"),
        ("Northmark,heads,6,", "Northmark,heads,1,", "Line 14 of the chart Northmark has heads 1"),
        (",heads,7,Lakelands", ",heads,7,Nowhere", "The region Nowhere has no chart"),
        ("Northmark,heads,6,", "Northmark,edge,6,", "the coin 'edge'; it is heads or tails"),
        ("region,coin", "area,coin", "first line is region,coin,2d6,place"),
        (",tails,8,Northmark", ",tails,8", "four cells"),
    ],
)
def test_bad_maps_are_refused(old: str, new: str, words: str) -> None:
    """Gaps, overlaps, unknown slots and regions without a chart are named."""
    assert old in TEXT

    with pytest.raises(SpecError, match=re.escape(words)):
        read_map(TEXT.replace(old, new, 1))


def test_a_chart_that_nothing_leads_to_is_refused() -> None:
    """A region of the map has to be reachable."""
    extra = "".join(f"Island,{coin},2-12,Rock\n" for coin in COINS)

    with pytest.raises(SpecError, match="There is a chart for Island, but no slot leads to it"):
        read_map(TEXT + extra)
    with pytest.raises(SpecError, match="22 names"):
        Destinator.from_spec({"regions": ["a"], "cities": {}})
