"""/admin settings, and what each setting does; rolls for practice."""

from pathlib import Path

from tests.support.table import Table, numbered, table, totals
from tests.support.wire import reply


async def test_settings_are_shown_and_changed_openly(t: Table) -> None:
    """Everybody may read them in private; a change is told to all, with only what changed."""
    usual = await t.whispers(t.ann, "admin settings")
    changed = await t.says(t.mara, "admin settings", makers="everyone", pace=3)
    same = await t.whispers(t.mara, "admin settings", makers="everyone")

    assert "**visibility** · all see a roll" in usual
    assert len(usual.splitlines()) == 19
    assert changed.splitlines()[1:3] == [
        "**makers** · all make rollers",
        "**pace** · 3 rolls per player in five seconds",
    ]
    assert numbered(changed) == 1
    assert "**makers** · all make rollers" in same
    assert "changed the settings: `makers`, `pace`" in await t.whispers(t.bob, "history")


async def test_the_history_names_the_settings_that_changed(t: Table) -> None:
    """By their options; a game that is chosen once more changes none."""
    await t.says(t.mara, "game use", game="dnd")
    await t.says(t.mara, "game use", game="dnd")
    await t.slash(
        t.mara, "admin settings", log=t.channel, makers="everyone", odds="gms", pace=3, d100_zero=True
    )
    lines = (await t.whispers(t.mara, "history")).splitlines()

    assert lines[0].endswith("changed the settings: `makers`, `odds`, `pace`, `d100_zero` and 1 more")
    assert lines[1].endswith("left the settings as they were")
    assert lines[2].endswith("changed the settings: `game`")


async def test_the_usual_visibility_is_the_campaigns(t: Table) -> None:
    """A roll that says nothing is hidden where the campaign says so; one that says public is not."""
    await t.says(t.mara, "admin settings", visibility="blind")
    await t.slash(t.ann, "roll", dice="1d9+1000000")
    shown = await t.says(t.ann, "roll", dice="1d9+1000000", visibility="public")

    assert "for the GM's eyes" in t.seen_by(t.bob)[-2]
    assert totals(shown)


async def test_the_line_under_a_roll_is_as_long_as_the_campaign_wants(t: Table) -> None:
    """Discord names who used a command, so the line names who pressed a button; it can be less, or all."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6", tightness="1.5")
    short = await t.slash(t.ann, "roll", dice="luck")
    pressed = await t.pressed(short, "Again", t.ann)
    changed = await t.says(t.mara, "admin settings", footer="number")
    least = await t.says(t.ann, "roll", dice="luck")
    plain = await t.says(t.ann, "roll", dice="2d6")
    await t.says(t.mara, "admin settings", footer="full")
    full = await t.says(t.ann, "roll", dice="luck")

    foot = "**Luck** · fair 2d6"
    assert reply(short).content.endswith(f"\n-# {foot} · #2")
    assert pressed.endswith(f"\n-# {t.ann.mention} · {foot} · #3")
    assert "**footer** · under a roll: the roller and the number\n" in changed
    assert least.endswith(f"\n-# {foot} · #5")
    assert plain.endswith("\n-# #6")
    assert full.endswith(f"{t.ann.mention} · {foot}, tightness 1.5 · #8 · computer-random bits")


async def test_odds_may_be_the_game_masters_alone(t: Table) -> None:
    """A player is refused; the GM sees them in private."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "admin settings", odds="gms")
    await t.slash(t.mara, "odds", what="cards")

    assert await t.whispers(t.ann, "odds", what="cards") == ("Only game masters see the odds here.")
    assert not any("Cards" in text for text in t.seen_by(t.bob)[2:])


async def test_only_called_rolls_may_count(t: Table) -> None:
    """Where only called rolls count, a player's own roll is practice, and an undo finds the one before."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    first = totals(await t.says(t.ann, "roll", dice="cards", times=5))
    await t.says(t.mara, "admin settings", called_only=True)
    burnt = await t.says(t.ann, "roll", dice="cards", times=20)
    await t.says(t.mara, "admin settings", called_only=False)
    last = totals(await t.says(t.ann, "roll", dice="cards"))

    assert "for practice" in burnt
    assert sorted(first + last) == ["1", "2", "3", "4", "5", "6"]


async def test_who_rolls_too_fast_is_asked_to_wait(tmp_path: Path) -> None:
    """The sixth roll is refused in private and leaves no trace; the campaign may allow fewer."""
    async with table(tmp_path, user_rolls=5) as t:
        for _ in range(5):
            await t.says(t.ann, "roll", dice="1d6")
        refused = await t.whispers(t.ann, "roll", dice="1d6")
        others = await t.says(t.bob, "roll", dice="1d6")
        await t.says(t.mara, "admin settings", pace=1)
        for _ in range(2):
            await t.says(t.mara, "roll", dice="1d6")

        assert refused.startswith("That is too fast: 5 rolls in 5 seconds.")
        assert numbered(others) == 6
        assert "That is too fast: 1 roll in 5 seconds." in await t.whispers(t.mara, "roll", dice="1d6")


async def test_the_settings_hold_for_every_way_of_rolling(tmp_path: Path) -> None:
    """Cards, maps and ways to a d100 are hidden where the campaign says so, and too many are refused."""
    rolls: list[tuple[str, dict[str, object]]] = [
        ("deal", {"deck": "cards"}),
        ("destination", {}),
        ("d100 roll", {}),
        ("d100 roll", {"method": "table"}),
        ("d100 physical", {"dice": "3 5 1 6"}),
    ]
    async with table(tmp_path) as t:
        await t.says(t.mara, "roller deck", refill=1, name="Cards")
        await t.says(t.mara, "admin settings", visibility="blind")
        for name, options in rolls:
            assert "for the GM's eyes" in await t.says(t.ann, name, **options), name
        await t.says(t.mara, "admin settings", pace=1)
        shown = [await t.says(t.ann, "deal", deck="cards", visibility="public") for _ in range(2)]

        assert all(map(totals, shown))
        for name, options in rolls:
            assert "too fast" in await t.whispers(t.ann, name, **options), name


async def test_everybody_may_make_rollers_where_it_says_so(t: Table) -> None:
    """Of dice, of cards, of charts and of JSON; resetting stays with the game masters."""
    await t.says(t.mara, "admin settings", makers="everyone")
    deck = await t.says(t.ann, "roller deck", refill=1, name="Cards")
    cards = await t.says(t.ann, "roller cards", name="Spies", cards="spy 3, thief 3")
    chart = await t.says(t.ann, "roller chart", name="Woods", dice="1d6", chart="1-3 elk; 4-6 nothing")
    brought = await t.says(t.bob, "roller import", name="Even", json='{"system": "dice", "base": "2d6"}')

    assert [numbered(text) for text in (deck, cards, chart, brought)] == [2, 3, 4, 5]
    assert "Only game masters can do that" in await t.whispers(t.ann, "roller reset", name="Cards")
