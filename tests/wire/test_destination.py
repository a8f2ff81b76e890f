"""/destination: a region, then a city of it, on the shipped map or on one that a game master brought."""

import re
from pathlib import Path

from bot.campaign.deals import MAP
from bot.services.rolling import longmarch
from bot.systems.destinator import Destinator
from tests.support.table import Table, numbered
from tests.support.wire import reply

LONGMARCH = Path("bot/maps/longmarch.csv").read_bytes()
_SLOT = r"2d6 \((\d), (\d)\), (heads|tails)"
_TOLD = re.compile(rf"^\*\*(\w+): ([\w ]+)\*\*\n-# (?:<@\d+> · )?{_SLOT} → (\w+), {_SLOT} · ", re.MULTILINE)


def place(there: Destinator, chart: tuple[str, ...], one: str, other: str, coin: str) -> str:
    """What stands at that slot of a chart: heads 2 to 12, then tails 2 to 12."""
    assert len(chart) == len(there.regions)
    return chart[int(one) + int(other) - 2 + (11 if coin == "tails" else 0)]


async def test_the_dice_lead_where_the_reply_says(t: Table) -> None:
    """Every told region and city is the one that its dice and coins have on the shipped map."""
    there = longmarch()
    said = [await t.says(t.ann, "destination") for _ in range(8)]

    for text in said:
        found = _TOLD.match(text)
        assert found, text
        region, city, a, b, coin, through, c, d, second = found.groups()
        assert region == through == place(there, there.regions, a, b, coin)
        assert city == place(there, dict(there.cities)[region], c, d, second)


async def test_a_map_of_the_game_masters_own(t: Table) -> None:
    """An imported map takes the shipped one's place, and an undo brings that back."""
    ways = [",heads,2-12,Here", ",tails,2-12,Here", "Here,heads,2-12,Home", "Here,tails,2-12,Home"]
    csv = "\n".join(["region,coin,2d6,place", *ways])
    before = await t.says(t.ann, "destination")
    brought = await t.slash(t.mara, "roller import", name=MAP, file=("map.csv", csv.encode()))
    home = await t.says(t.ann, "destination")
    for _ in range(2):
        await t.says(t.mara, "roller undo", name="destination")
    after = await t.says(t.ann, "destination")

    assert "**Destination** changed: destinator of 1 city. Roll it with `/destination`." in " ".join(
        message.content for message in brought.followups
    )
    assert home.startswith("**Here: Home**\n-# 2d6 (")
    assert (_TOLD.match(before) is None, _TOLD.match(after) is None) == (False, False)
    assert "destinator of 48 cities" in after


async def test_a_removed_map_comes_back_as_the_shipped_one(t: Table) -> None:
    """Where the channel's map was removed, the next roll makes it anew."""
    await t.says(t.ann, "destination")
    await t.says(t.mara, "roller remove", name="Destination")
    again = await t.says(t.ann, "destination")

    assert _TOLD.match(again)
    assert numbered(again) == 3


async def test_other_maps_by_name(t: Table) -> None:
    """A second map is rolled by its name and offered; what is no map is refused in private."""
    await t.says(t.mara, "roller fair", name="South wind", dice="2d6")
    await t.slash(t.mara, "roller import", name="South", file=("south.csv", LONGMARCH))
    said = await t.says(t.bob, "destination", map="south")

    assert "**South** · destinator of 48 cities" in said
    assert await t.offered(t.bob, "destination", "map", "so") == ["South"]
    assert "is no map" in await t.whispers(t.bob, "destination", map="South wind")
    assert "There is no map `North` here." in await t.whispers(t.bob, "destination", map="North")


async def test_a_hidden_journey(t: Table) -> None:
    """A destination for the game masters' eyes shows nothing to others until it is revealed."""
    hidden = await t.slash(t.ann, "destination", visibility="blind")
    shown = await t.pressed(hidden, "Reveal", t.mara)

    assert "for the GM's eyes" in reply(hidden).content
    assert _TOLD.search(shown)


_PART = re.compile(rf"^\*\*(\w+)(?:: ([\w ]+))?\*\*\n-# (?:<@\d+> · )?{_SLOT} · ", re.MULTILINE)


async def test_a_city_of_a_known_region_and_a_region_alone(t: Table) -> None:
    """One throw each, its number in small print, and Again rolls the same part; another region is refused."""
    there = longmarch()
    known = await t.slash(t.ann, "destination", region=there.cities[1][0].upper())
    again = reply(await t.press(known, "Again", t.ann)).content
    alone = await t.says(t.ann, "destination", where="*")
    wrong = await t.whispers(t.ann, "destination", region="Atlantis")
    both = await t.says(t.ann, "destination")

    for text in (reply(known).content, again):
        found = _PART.match(text)
        assert found, text
        region, city, a, b, coin = found.groups()
        assert region == there.cities[1][0]
        assert city == place(there, there.cities[1][1], a, b, coin)
        assert re.search(r"slot \d{1,2} · #", text)
    found = _PART.match(alone)
    assert found
    assert found[2] is None
    assert found[1] == place(there, there.regions, *found.groups()[2:])
    assert "destinator of 6 regions" in alone
    assert wrong.startswith("Atlantis is no region. There are: ")
    assert re.search(r"slot \d{1,2} and \d{1,2} · #", both)


async def test_throws_by_hand(t: Table) -> None:
    """A number or dice give the place on the map, marked; too few throws are refused."""
    there = longmarch()
    region, cities = there.cities[0]
    city = await t.says(t.ann, "destination", region=region, dice="5 2 heads")
    number = await t.says(t.ann, "destination", where="*", number="47")
    two = await t.says(t.ann, "destination", dice="5 2 heads 6 6 tails")
    few = await t.whispers(t.ann, "destination", number="47")
    many = await t.whispers(t.ann, "destination", region=region, number="47 12")
    both = await t.whispers(t.ann, "destination", region=region, number="47", dice="5 2 heads")

    assert city.startswith(f"**{region}: {cities[5]}**\n-# 2d6 (5, 2), heads · **Destination** · ")
    assert "slot 20 · #1 · thrown by hand" in city
    assert "slot 47" in number
    assert "slot 20 and 72 · #3 · thrown by hand" in two
    assert few.startswith("Type two throws, for the region and its city.")
    assert many == "That takes one throw: two dice and a coin, or its number."
    assert both.startswith("Give `number` or `dice`")
