"""Rolls for practice with every command that rolls, asked for or since only called rolls count."""

from pathlib import Path

import pytest

from tests.support.cli import evenhand
from tests.support.table import Table, table, totals
from tests.support.wire import reply

ASKED, RULED = "asked for", "only called rolls count"


async def begin(t: Table, why: str) -> dict[str, object]:
    """A deck of six and its options; where only called rolls count, no option is needed."""
    await t.says(t.mara, "roller cards", name="Cards", cards="a, b, c, d, e, f")
    if why == RULED:
        await t.says(t.mara, "admin settings", called_only=True)
    return {"practice": True} if why == ASKED else {}


@pytest.mark.parametrize("why", [ASKED, RULED])
async def test_cards_for_practice_come_from_one_fresh_deck(t: Table, why: str) -> None:
    """Six cards are the six there are, again and again, and the channel's deck keeps all of its own.

    Two offers of two decks of two cards deal both decks out.
    """
    options = await begin(t, why)
    await t.says(t.mara, "roller decks", name="Offer", decks="one: a, b; two: c, d")
    before = len(t.seen_by(t.bob))
    hand = await t.slash(t.ann, "deal", deck="cards", cards=6, **options)
    again = await t.pressed(hand, "Again", t.ann)
    rolled = await t.says(t.ann, "roll", dice="cards", times=6, **options)
    offers = await t.says(t.ann, "deal", deck="offer", cards=2, **options)
    await t.slash(t.mara, "admin settings", called_only=False)
    dealt = await t.says(t.ann, "deal", deck="cards", cards=6)

    for text in (t.seen_by(t.bob)[before], again, rolled, dealt):
        assert sorted(totals(text)) == ["a", "b", "c", "d", "e", "f"]
    assert "for practice" in again
    assert "for practice" not in dealt
    assert all(f"**{card}**" in offers for card in "abcd")


@pytest.mark.parametrize("why", [ASKED, RULED])
@pytest.mark.parametrize("method", ["register", "pool", "leftovers"])
async def test_a_d100_for_practice_leaves_what_is_kept(t: Table, method: str, why: str) -> None:
    """Practice begins at nothing, whatever the register holds, and its "Again" does too."""
    options = await begin(t, why)
    practised = await t.slash(t.ann, "d100 roll", method=method, **options)
    again = await t.pressed(practised, "Again", t.ann)
    await t.slash(t.mara, "admin settings", called_only=False)
    history = await t.whispers(t.bob, "history")
    first = totals(await t.says(t.ann, "d100 roll", method=method))[0]
    await t.says(t.ann, "d100 roll", method=method, practice=True)
    second = await t.says(t.ann, "d100 roll", method=method)

    assert "for practice, no memory" in again
    assert history.count(f"(`d100 {method}`, for practice)") == 2
    if method == "register":
        assert ", start 0 → " in again
        assert f", start {int(first) % 100} → " in second


async def test_real_dice_are_practice_too_where_nobody_called(t: Table) -> None:
    """They are read and recorded, and leave the register as it was."""
    await t.says(t.ann, "d100 physical", dice="3 5 1 6")
    await t.says(t.mara, "admin settings", called_only=True)
    practised = await t.says(t.ann, "d100 physical", dice="6 1 5")
    await t.says(t.mara, "admin settings", called_only=False)
    counted = await t.says(t.ann, "d100 physical", dice="6 1 5")

    assert practised.startswith("**84** ← 3d6 (6, 1, 5)\n-# dice 6-1-5 read 184, start 0 → 84 · ")
    assert "for practice, no memory" in practised
    assert "thrown by hand" in practised
    assert counted.startswith("**65** ← 3d6 (6, 1, 5)\n-# dice 6-1-5 read 184, start 81 → 65 · ")


async def test_practice_can_be_checked_offline(tmp_path: Path) -> None:
    """Between rolls that count, practice of cards, offers and the d100 leaves a history that holds."""
    async with table(tmp_path) as t:
        await begin(t, ASKED)
        await t.says(t.mara, "roller decks", name="Offer", decks="one: a, b; two: c, d")
        for practice in (False, True, False):
            for deck in ("cards", "offer"):
                await t.says(t.ann, "deal", deck=deck, cards=3, practice=practice)
            for method in ("register", "pool", "leftovers", "table"):
                await t.says(t.ann, "d100 roll", method=method, practice=practice)
        answer = reply(await t.slash(t.bob, "export", format="json"))
        text = (await answer.attachments[0].read()).decode()
    file = tmp_path / "export.json"
    file.write_text(text, encoding="utf-8")
    done = evenhand("verify", str(file))

    assert done.exit_code == 3, done.output
    assert "Rolls: 18 made again, 0 not made again" in done.output


async def test_ways_that_keep_nothing_can_be_practised_as_well(t: Table) -> None:
    """The result is only marked, for there is nothing to leave alone."""
    assert "for practice" in await t.says(t.ann, "d100 roll", method="table", practice=True)
