"""The destinator: two dice and a coin draw a region, and again two dice and a coin a city in it.

Heads or tails and 2 to 12: 72 equal slots on each chart. All charts are part of the spec, so that a roll
can be replayed from its record alone. See docs/fairness.md, "The destinator".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import ClassVar, NamedTuple

from bot.dice.by_hand import ByHand
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.expressions import Dice
from bot.dice.names import clean
from bot.dice.system import FACES_LIMIT, Memory, Memoryless, Spec, is_list
from bot.dice.throws import Part, Remark, Throw, single_faces
from bot.systems.charts import ChartRow, lay_out, read_label, read_lines, read_range

COINS = ("heads", "tails")
_SHOWN = (Remark("heads"), Remark("tails"))
SLOTS = tuple(f"{coin} {total}" for coin in COINS for total in range(2, 13))
WEIGHTS = (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1) * 2
THROWS = tuple(sorted(product(COINS, range(1, 7), range(1, 7)), key=lambda t: (t[0], t[1] + t[2])))
"""The 72 throws in the order of their numbers: 1 is heads, 1, 1; 72 is tails, 6, 6."""
_HEADER = ["region", "coin", "2d6", "place"]
_SIDES = {"heads": "heads", "odd": "heads", "tails": "tails", "even": "tails"}
"""The words for the coin's sides in a map."""
_WORDS = {"heads": ("heads", "odd", *"135"), "tails": ("tails", "even", *"246")}
THROWN = 3
"""The number of dice in a throw; the last one is odd for heads or even for tails."""
REGIONS = "*"
"""The name of the map part that draws regions without cities."""
_NUMBERS: dict[tuple[str, ...], int] = {
    **{(str(n),): n for n in range(1, 73)},
    **{(str(a), str(b), word): n for n, (c, a, b) in enumerate(THROWS, start=1) for word in _WORDS[c]},
}
"""The typed words of each throw to its number."""


@dataclass(frozen=True, slots=True)
class Destinator(Memoryless):
    """The region of each slot, and for each region the city of each slot."""

    regions: tuple[str, ...]
    cities: tuple[tuple[str, tuple[str, ...]], ...]

    name: ClassVar[str] = "destinator"

    @property
    def faces(self) -> tuple[str, ...]:
        """Every city with its region, such as "Northmark: Aldhaven"."""
        return tuple(_ways(self))

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (there is none)
        """Return how many of the 72 x 72 pairs of slots lead to each city."""
        return tuple(sum(w for _, _, w in ways) for ways in _ways(self).values())

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw:  # noqa: ARG002 (the protocol's)
        """Draw dice and coins that lead to the city, uniform among all that do."""
        ways = _ways(self)[self.faces[chosen]]
        first, second, _ = ways[draws.choose([w for _, _, w in ways])]
        slots = (first, second) if self.throws > 1 else (second if self.cities else first,)
        return self._show_landings([_draw_landing(slot, draws) for slot in slots])

    def by_hand(self, memory: Memory, hand: ByHand) -> tuple[int, Throw]:  # noqa: ARG002 (the protocol's)
        """Return the city's index and the dice thrown by hand: two and one for the coin in each throw."""
        faces = [[1 + hand.below(6) for _ in range(THROWN)] for _ in range(self.throws)]
        landings = [_Landing(first, second, 1 - coin % 2) for first, second, coin in faces]
        region = self.regions[landings[0].slot if len(self.cities) != 1 else 0]
        city = dict(self.cities)[region][landings[-1].slot] if self.cities else ""
        return self.faces.index(_city_name(region, city)), self._show_landings(landings)

    def _show_landings(self, landings: Sequence["_Landing"]) -> Throw:
        """Return the dice and coins as a throw, with the region between them."""
        parts: list[Part] = []
        for place, landing in enumerate(landings):
            parts += [f" → {self.regions[landings[0].slot]}, "] if place else []
            parts += [single_faces(Dice(2, 6), [landing.first, landing.second]), ", ", _SHOWN[landing.coin]]
        return Throw(landings[-1].first + landings[-1].second, tuple(parts))

    @property
    def throws(self) -> int:
        """The number of throws: one for the region unless there is only one, and one for a city."""
        return (len(self.cities) != 1) + bool(self.cities)

    @property
    def part_name(self) -> str:
        """The name of this map part: its only region, or `REGIONS`."""
        return REGIONS if not self.cities else self.cities[0][0]

    def part(self, part: str) -> "Destinator":
        """Return the map of one region, which draws its cities, or the map of the regions only.

        SpecError if there is no such region.
        """
        if part.strip() == REGIONS:
            return Destinator(self.regions, ())
        region = {name.casefold(): name for name, _ in self.cities}.get(part.strip().casefold())
        if region is None:
            raise SpecError(
                "{region} is no region. There are: {regions}.",
                region=clean(part),
                regions=", ".join(dict(self.cities)),
            )
        return Destinator((region,) * len(SLOTS), ((region, dict(self.cities)[region]),))

    def as_spec(self) -> Spec:
        """Return {"system": "destinator", "regions": [22 names], "cities": {"North": [22 names], ...}}."""
        return {
            "system": self.name,
            "regions": [*self.regions],
            "cities": {region: [*cities] for region, cities in self.cities},
        }

    @classmethod
    def from_spec(cls, spec: Spec) -> "Destinator":
        """Read `regions` and `cities`, 22 of each: heads 2 to heads 12, then tails 2 to tails 12."""
        cities = spec.get("cities")
        if not isinstance(cities, Mapping):
            raise SpecError("cities is an object with a list of 22 cities for each region.")
        regions = _names("regions", spec.get("regions"))
        charts = {name: _names(name, value) for name, value in cities.items()}
        return _checked(regions, charts)


def read_throws(text: str) -> tuple[int, ...]:
    """Read typed throws, each a number, "47", or its dice: "5 2 heads", "5, 2, tails", "5 2 3".

    Return three faces for each: two dice, and one that is odd for heads and even for tails. SpecError for
    other text.
    """
    words = text.casefold().replace(",", " ").split()
    are_numbers = all(word.isascii() and word.isdecimal() for word in words)
    size = 1 if are_numbers and len(words) < THROWN else THROWN
    faces: list[int] = []
    for place in range(0, len(words), size):
        number = _NUMBERS.get(tuple(words[place : place + size]))
        if number is None:
            break
        coin, first, second = THROWS[number - 1]
        faces += [first, second, 1 + COINS.index(coin)]
    if len(faces) * size != len(words) * THROWN or not faces:
        raise SpecError("Write a number of 1 to 72, or two dice and a coin, such as 5 2 heads.")
    return tuple(faces)


def numbers(throw: Throw) -> list[int]:
    """Return the number, 1 to 72, of each throw of two dice and a coin."""
    dice = [(pool.dice[0].value, pool.dice[1].value) for pool in throw.pools]
    coins = [_SHOWN.index(part) for part in throw.parts if isinstance(part, Remark)]
    return [_Landing(*pair, coin).number for pair, coin in zip(dice, coins, strict=True)]


def read_map(text: str) -> Destinator:
    """Read the CSV text of a map, with the columns region, coin, 2d6 and place.

    Lines with an empty region form the chart of regions, the others the chart of their region. SpecError
    names missing, duplicate or unknown entries.
    """
    lines = read_lines(text)
    if not lines or [cell.casefold() for cell in lines[0][1]] != _HEADER:
        raise SpecError("A map's first line is {header}.", header=",".join(_HEADER))
    charts: dict[str, list[ChartRow]] = {"": []}
    for line, cells in lines[1:]:
        if len(cells) != len(_HEADER):
            raise SpecError(
                "Line {line} of the map needs four cells: {header}.", line=line, header=", ".join(_HEADER)
            )
        region, coin, totals, place = cells
        name = read_label("region", line, region) if region else ""
        side = _SIDES.get(coin.casefold())
        if side is None:
            raise SpecError(
                "Line {line} of the map has the coin {coin!r}; it is heads or tails.", line=line, coin=coin
            )
        faces = tuple(f"{side} {total}" for total in read_range("region", line, totals))
        charts.setdefault(name, []).append(ChartRow(line, faces, read_label("region", line, place)))
    laid = {name: lay_out(name or "region", SLOTS, WEIGHTS, rows) for name, rows in charts.items()}
    regions = laid.pop("")
    return _checked(regions.labels, {name: chart.labels for name, chart in laid.items()})


def _checked(regions: tuple[str, ...], cities: Mapping[str, tuple[str, ...]]) -> Destinator:
    for region in regions:
        if region not in cities:
            raise SpecError("The region {region} has no chart of cities.", region=region)
    for region in cities:
        if region not in regions:
            raise SpecError("There is a chart for {region}, but no slot leads to it.", region=region)
    destinator = Destinator(regions, tuple(cities.items()))
    if len(destinator.faces) > FACES_LIMIT:
        raise SpecError(
            "{count:,} cities are too many: at most {most:,}.", count=len(destinator.faces), most=FACES_LIMIT
        )
    return destinator


def _names(name: str, value: object) -> tuple[str, ...]:
    if not is_list(value) or len(value) != len(SLOTS):
        raise SpecError(
            "The chart {name} has {count:,} names: heads 2 to heads 12, then tails 2 to tails 12.",
            name=name,
            count=len(SLOTS),
        )
    return tuple(read_label(name, line, str(place_name)) for line, place_name in enumerate(value, start=1))


class _Landing(NamedTuple):
    """Two dice, and a coin that shows heads (0) or tails (1)."""

    first: int
    second: int
    coin: int

    @property
    def slot(self) -> int:
        return 11 * self.coin + self.first + self.second - 2

    @property
    def number(self) -> int:
        return 1 + THROWS.index((COINS[self.coin], self.first, self.second))


def _draw_landing(slot: int, draws: Draws) -> _Landing:
    """Draw two dice and the coin of a slot, uniform among the dice that make its total."""
    coin, offset = divmod(slot, 11)
    total = offset + 2
    first = max(1, total - 6) + draws.below(WEIGHTS[slot])
    return _Landing(first, total - first, coin)


def _city_name(region: str, city: str) -> str:
    return f"{region}: {city}" if city else region


@lru_cache(maxsize=16)
def _ways(destinator: Destinator) -> dict[str, list[tuple[int, int, int]]]:
    """Return, for each city, its (region's slot, own slot, number of ways)."""
    charts = dict(destinator.cities)
    ways: dict[str, list[tuple[int, int, int]]] = {}
    for first, region in enumerate(destinator.regions):
        for second, city in enumerate(charts.get(region, ("",))):
            weight = WEIGHTS[first] * (WEIGHTS[second] if city else 1)
            ways.setdefault(_city_name(region, city), []).append((first, second, weight))
    return ways
