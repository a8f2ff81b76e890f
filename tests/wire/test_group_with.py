"""Roll with …: what a player adds to a called roll, and what is refused."""

from tests.support.groups import adds, call, text
from tests.support.table import Table, entries

NAME = "A saved roll of yours or a game's words will do too."


async def test_what_is_added_counts(t: Table) -> None:
    """A modifier, a bare number, further dice."""
    for added, shown in (
        ("+5", "**25** ← 20d1 ("),
        ("5", "**25** ← 20d1 ("),
        ("-25", "**-5** ← 20d1 ("),
        ("+1d1", "**21** ← 20d1 ("),
    ):
        called = await call(t, "20d1")
        answer = await adds(t, called, t.ann, added)

        assert answer.content.startswith(shown), added
        assert f"{t.ann.mention} **" in text(called), added


async def test_advantage_and_saved_rolls(t: Table) -> None:
    """The history says what was rolled: the call's die doubled, a saved roll in their place, or as called."""
    await t.whispers(t.ann, "save", name="Fang", dice="3d6+1")
    for added, text_of in (
        ("adv", "2d20kh1+2"),
        (" DIS -1 ", "2d20kl1+2-1"),
        ("adv +1d4", "2d20kh1+2+1d4"),
        ("fang", "3d6+1"),
    ):
        called = await call(t, "1d20+2")
        await adds(t, called, t.ann, added)
        newest = entries(await t.whispers(t.bob, "history"))[0]

        assert newest.endswith(f"(`{text_of}`)"), added


async def test_what_can_not_be_added_is_told_and_nothing_rolled(t: Table) -> None:
    """A private sentence without columns that nobody typed; another's saved roll is none of one's own."""
    await t.whispers(t.bob, "save", name="Fang", dice="3d6+1")
    await t.whispers(t.ann, "save", name="Thrice", dice="3#d6")
    called = await call(t, "1d20+2")
    for added, says in (
        ("nonsense", "Type something like +5, +1d4, adv, dis or adv +5. " + NAME),
        ("+", "I can't roll that with + added. Something is missing after `"),
        ("+1000d6", "I can't roll that with +1000d6 added. At most 100 dice"),
        ("fang", NAME),
        ("thrice", "Everybody rolls once for a call."),
    ):
        answer = (await adds(t, called, t.ann, added)).content
        history = await t.whispers(t.bob, "history")

        assert says in answer, added
        assert "column" not in answer, added
        assert "already" not in answer, added
        assert len(entries(history)) == 1, added
