"""Two losses of a check, `san 1/1d6`: which of them is rolled is asked."""

import pytest

from tests.support.shown import labels
from tests.support.table import Table
from tests.support.wire import reply

SAID = "The first loss is for a success, the second for a failure. Did you mean "


async def test_the_loss_is_asked_for_wherever_it_is_typed(t: Table) -> None:
    """Each command offers the dice; a number is that of the check."""
    await t.says(t.mara, "game use", game="cthulhu")
    for command, options, offers in (
        ("roll", {"dice": "san 1/1d6"}, ["Roll 1d6 # san 1/1d6"]),
        ("roll", {"dice": "SAN 45% 0/1d4"}, ["Roll skill 45 # SAN", "Roll 1d4 # SAN 0/1d4"]),
        ("roll", {"dice": "1d3/1d20"}, ["Roll 1d3 # 1d3/1d20", "Roll 1d20 # 1d3/1d20"]),
        (
            "check",
            {"dice": "san 1/1d6", "dc": 45},
            ["Roll skill 45 # san 1/1d6", "Roll 1d6 # san 1/1d6"],
        ),
        ("odds", {"what": "san 1/1d6"}, ["Odds of 1d6"]),
        ("group npc", {"dice": "san 1/1d6", "count": 2}, ["Roll 1d6 # san 1/1d6"]),
        ("save", {"name": "Fright", "dice": "san 1/1d6"}, ["Save 1d6 # san 1/1d6"]),
    ):
        asked = await t.slash(t.mara, command, **options)

        assert reply(asked).content.startswith(SAID), options
        assert labels(reply(asked).components) == offers, options
        for label in offers:
            assert reply(await t.press(asked, label, t.mara)).ephemeral == (command == "save"), label


@pytest.mark.parametrize(("game", "roll"), [("cthulhu", "skill"), ("deltagreen", "test")])
async def test_a_number_of_ones_own_is_the_check(t: Table, game: str, roll: str) -> None:
    """It is offered first."""
    await t.says(t.mara, "game use", game=game)
    await t.whispers(t.ann, "me", set="san 60")
    asked = await t.slash(t.ann, "roll", dice="san 1/1d6")

    assert labels(reply(asked).components) == [f"Roll {roll} 60 # san", "Roll 1d6 # san 1/1d6"]


async def test_elsewhere_only_sanity_is_lost(t: Table) -> None:
    """Other dice may be divided."""
    assert (await t.whispers(t.ann, "roll", dice="sanity 1/1d6")).startswith(SAID)
    for dice in ("1/1d6", "fireball 8d6/4d6"):
        assert not (await t.whispers(t.ann, "roll", dice=dice)).startswith(SAID)
