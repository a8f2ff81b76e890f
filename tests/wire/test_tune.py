"""/lab tune: figures and a chart for everybody, and buttons with which a game master makes what was found."""

import re
from typing import Any

import pytest
from simcord.components import walk_components

from bot.words.tuning import BURNING
from cogs.kit import throttle
from cogs.lab.tuning import MAKE_DECK
from tests.support.shown import labels, texts
from tests.support.table import Table
from tests.support.turns import turns
from tests.support.wire import reply
from tests.texts.test_rows import told


async def test_the_published_figures(t: Table) -> None:
    """Six values, 25 rolls, 90%: deck (1, 6) with 0.509, dynamic dice with 0.451, as the spec has them."""
    said = await t.says(t.ann, "lab tune", values=6, samples=25, unpredictability=90)
    rows = {line[:16].strip(): line[16:].split() for line in said.split("```")[1].splitlines()[2:]}

    assert said.startswith("**Take the dynamic dice** · 6 values, 25 rolls, at least 90% unpredictable\n")
    assert rows["deck (1, 6)"][:2] == ["90.2%", "0.509"]
    assert rows["dynamic 0.348095"][:2] == ["90.0%", "0.451"]
    assert rows["plain dice"][:2] == ["100.0%", "3.472"]
    assert BURNING not in said


@pytest.mark.drawn
async def test_the_chart_comes_with_words(t: Table) -> None:
    """The attachment is a PNG whose description tells every figure."""
    answer = reply(await t.slash(t.ann, "lab tune"))
    (picture,) = answer.attachments

    assert not answer.ephemeral
    assert (t.env.backend.cdn.get(picture.url) or b"").startswith(b"\x89PNG\r\n\x1a\n")
    assert picture.description is not None
    assert "deck (1, 6): entropy 90.2%, variance 0.509" in picture.description


async def test_what_a_roller_costs(t: Table) -> None:
    """A roller's figures from its first roll on, beside plain dice and the plain deck; nothing is made."""
    await t.says(t.mara, "roller dynamic", name="Luck", dice="1d6", factor="0.355")
    answer = reply(await t.slash(t.ann, "lab tune", roller="luck", samples=25))

    assert (
        "**dynamic 1d6, factor 0.355** · entropy **90.2%** · roll 25 **88.5%** · variance **0.459**"
        in answer.content
    )
    assert re.search(r"^\*\*plain deck\*\* · .* · variance \*\*0\.139\*\*$", answer.content, re.MULTILINE)
    assert "These figures are exact." in answer.content
    assert answer.attachments[0].filename == "evening.png"
    assert not labels(answer.components)
    assert "There is no roller" in await t.whispers(t.ann, "lab tune", roller="nothing")
    for name, value in (("values", 6), ("unpredictability", 90)):
        assert "Leave `values` and" in await t.whispers(t.ann, "lab tune", roller="luck", **{name: value})


async def test_two_rollers_side_by_side(t: Table) -> None:
    """Each has a line of its own, in the table and in the picture's description."""
    for name, refill in (("Four", 4), ("Six", 6)):
        await t.says(t.mara, "roller deck", name=name, dice="1d6", refill=refill)
    answer = reply(await t.slash(t.ann, "lab tune", roller="four", beside="six"))
    found = re.findall(r"^\*\*(\w+): deck .* \*\*(\S+)\*\*$", answer.content, re.MULTILINE)

    assert found == [("Four", "0.442"), ("Six", "0.509")]
    assert "**Four: deck of 1d6, 6 cards, refilled be…**" in answer.content
    assert await t.offered(t.ann, "lab tune", "beside", "si") == ["Six"]
    assert "There is no roller" in await t.whispers(t.ann, "lab tune", roller="four", beside="nothing")


async def test_any_dice_and_an_evening_of_any_length(t: Table) -> None:
    """Unequal totals, named results, and a range of rolls: the best deck and fair roller, with a picture."""
    answer = reply(await t.slash(t.ann, "lab tune", dice="wood 4, brick 3, grain 3", samples=5, to=8))
    equal = await t.says(t.ann, "lab tune", values=3, samples=4, to=6)
    backwards = await t.whispers(t.ann, "lab tune", dice="1d6", samples=8, to=5)
    wrong = await t.whispers(t.ann, "lab tune", dice="wood 4")
    one = await t.slash(t.ann, "lab tune", dice="1d1")
    long = await t.says(t.ann, "lab tune", dice="2d20", samples=200)

    assert answer.content.startswith("**Tuned** · wood 4, brick 3, grain 3, 5 to 8 rolls, at least 90%")
    assert "fair wood/brick/grain, tightness" in answer.content
    assert "Take the " in answer.content
    assert answer.attachments[0].filename == "tune.png"
    assert equal.startswith("**Tuned** · 1d3, 4 to 6 rolls")
    assert backwards == "`samples` is the fewest rolls and `to` the most. Swap them."
    assert wrong.startswith("I don't know `wood`.")
    assert "Tuning needs two different results or more." in told(one)
    assert "no time to search all decks for so many rolls; take the fair roller" in long
    assert "dice:wood 4, brick 3, grain 3 tightness:" in answer.content


async def test_a_bar_says_how_far_it_is(t: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the answer takes its place."""
    monkeypatch.setattr(throttle, "EVERY_SECONDS", -1.0)
    found = reply(await t.slash(t.ann, "lab tune", dice="1d3+1d2", samples=12))
    bodies: list[Any] = [request.json for request in t.env.backend.http_requests]
    sent: list[dict[str, Any]] = [body for body in bodies if isinstance(body, dict)]
    told = [body.get("content") or "" for body in sent]

    assert any("Working out the best fair roller and the best deck …\n▰" in text for text in told)
    assert found.content.startswith("**Tuned** · 1d3+1d2, 12 rolls")


async def test_what_is_typed_makes_no_markup(t: Table) -> None:
    """Names of results are shown as they are, sign for sign."""
    told = await t.says(t.ann, "lab tune", dice="wo`od* 2, <@1> 1", samples=4)

    assert told.startswith(r"**Tuned** · wo\`od\* 2, \<\@1\> 1, 4 rolls")
    assert "`/roller fair name:Luck dice:wo'od* 2, <@1> 1 tightness:" in told


async def test_what_fits_into_no_button_is_made_by_hand(t: Table) -> None:
    """A list longer than a button's id."""
    dice = ", ".join(f"a long result {n}" for n in "abcdefgh")
    found = reply(await t.slash(t.ann, "lab tune", dice=dice, samples=4))

    assert labels(found.components) == []
    assert f"`/roller fair name:Luck dice:{dice} tightness:" in found.content


async def test_something_is_said_before_the_search_is_over(t: Table) -> None:
    """The deck is told first, and the same message then gets all the rest; the loop stays free meanwhile."""
    await t.slash(t.ann, "lab tune", values=2, samples=3)
    async with turns() as seen:
        await t.slash(t.ann, "lab tune", values=4, samples=30)
    bodies: list[Any] = [request.json for request in t.env.backend.http_requests]
    sent: list[dict[str, Any]] = [body for body in bodies if isinstance(body, dict)]
    told = [body.get("content") or texts(body.get("components") or ()) for body in sent]
    told = [text for text in told if "deck (8, 1)" in text]

    assert "The best deck is deck (8, 1): variance 0.363. Working out the best dice …" in told[0]
    assert "dynamic 0.42122" in told[-1]
    assert len(t.seen_by(t.bob)) == 2
    assert seen.longest < 0.15


FOUR, WOOD, UNEVEN = (
    {"values": 4, "samples": 30},
    {"dice": "wood 2, brick 1", "samples": 6},
    {"dice": "1d3+1d2", "samples": 6},
)


@pytest.mark.parametrize(
    ("asked", "label", "name", "rule", "plus"),
    [
        (FOUR, "dice", "Dynamic d4", "dynamic 1d4, factor 0.42122", "+5"),
        (FOUR, "deck", "Deck d4 8 1", "deck of 1d4, 32 cards, refilled when empty", "+5"),
        (WOOD, "fair roller", "Fair wood brick", "fair wood/brick, tightness ", ""),
        (WOOD, "deck", "Deck wood brick", "deck, 3 cards, ", ""),
        (UNEVEN, "deck", "Deck 1d3 1d2", "deck of 1d3+1d2, ", "+5"),
    ],
)
async def test_a_game_master_makes_what_was_found(
    t: Table, asked: dict[str, object], label: str, name: str, rule: str, plus: str
) -> None:
    """The button holds all that the roller needs, which can then be rolled; a player's press is refused."""
    found = await t.slash(t.ann, "lab tune", **asked)
    refused = reply(await t.press(found, f"Make the {label} (GM)", t.ann))
    told = await t.pressed(found, f"Make the {label} (GM)", t.mara)
    rolled = await t.says(t.bob, "roll", dice=name.casefold() + plus)

    assert (refused.ephemeral, refused.content[:17]) == (True, "Only game masters")
    assert told.startswith(f"**{name}** is ready: {rule}")
    assert f"**{name}** · {rule.partition(',')[0]} · " in rolled
    assert plus in rolled


async def test_the_buttons_outlive_a_restart(t: Table) -> None:
    """The button's id holds all that the roller needs: a fresh bot reads it back."""
    found = reply(await t.slash(t.ann, "lab tune", values=20, samples=25, unpredictability=95))
    ids = [part["custom_id"] for part in walk_components(found.components) if part["type"] == 2]

    assert ids == ["tune-dice:20:0.330265", "tune-deck:20:2:18"]


def test_the_largest_deck_fits_its_button() -> None:
    """A refill constant of four digits is read back."""
    assert MAKE_DECK.custom_id.read(MAKE_DECK.custom_id.write(100, 10, 1_000)) == [100, 10, 1_000]


async def test_burning_is_warned_of(t: Table) -> None:
    """A deck that is dealt to its last card comes with the warning, and with the better choice."""
    said = await t.says(t.ann, "lab tune", values=4, samples=30, unpredictability=90)

    assert BURNING in said
    assert "The deck is the more even one if there are exactly 30 rolls." in said
    assert "Over 20 to 40 rolls, take the dynamic dice" in said


async def test_no_deck_may_be_left(t: Table) -> None:
    """Where no deck is unpredictable enough, that is said, and there is only the dice's button."""
    found = reply(await t.slash(t.ann, "lab tune", values=2, samples=60, unpredictability=99))

    assert "No deck that I know is that unpredictable" in found.content
    assert labels(found.components) == ["Make the dice (GM)"]
