"""/d100 by other ways than the register, /lab methods, /d100 reset and /lab convert, as whole commands."""

import re

import pytest
from simcord import SetupError

from bot.campaign.d100_rolls import METHODS
from tests.support.table import Table, entries, numbered, totals
from tests.support.wire import reply


async def test_every_method_shows_its_dice(t: Table) -> None:
    """A value of 1 to 100 comes first, then the dice and what is done with them, and the method's name."""
    for number, method in enumerate(METHODS, start=1):
        said = await t.says(t.ann, "d100 roll", method=method)
        history = await t.whispers(t.bob, "history", last=1)

        assert 1 <= int(totals(said)[0]) <= 100
        assert re.search(r"← .*\dd6 \([1-6]", said)
        assert f"**d100 {method}**" in said
        assert f"(`d100 {method}`)" in history
        assert numbered(said) == number


async def test_rolling_again_is_by_the_same_method(t: Table) -> None:
    """The button goes on with the method, and with what it kept."""
    for method in ("table", "pool", "20d6"):
        first = await t.slash(t.ann, "d100 roll", method=method)
        again = await t.pressed(first, "Again", t.ann)

        assert f"**d100 {method}**" in again, method
        if method == "pool":
            kept = re.search(r"; keep ([\d,]+ of [\d,]+)\n", reply(first).content)
            assert kept, method
            assert again.split("← ")[1].startswith(f"kept {kept[1]}; "), method


async def test_the_register_alone_takes_a_number_of_dice(t: Table) -> None:
    """Any other method refuses the option in private, and nothing is rolled; an unknown one can't be sent."""
    refused = await t.whispers(t.ann, "d100 roll", dice=3, method="table")
    with pytest.raises(SetupError):
        await t.slash(t.ann, "d100 roll", method="magic")

    assert "Leave `dice` out, or take the register." in refused
    assert "Nothing here yet" in await t.whispers(t.ann, "history")


async def test_the_pool_is_undone_as_the_register_is(t: Table) -> None:
    """A game master takes the newest roll back, and the next one starts from what was kept before."""
    first = await t.says(t.ann, "d100 roll", method="pool")
    second = await t.says(t.ann, "d100 roll", method="pool")
    undone = await t.says(t.mara, "roller undo", name="d100 pool")
    third = await t.says(t.ann, "d100 roll", method="pool")
    refused = await t.whispers(t.mara, "roller remove", name="d100 pool")
    kept = first.split("; keep ")[1].split("\n")[0]

    assert f"kept {kept}; " in second
    assert f"kept {kept}; " in third
    assert "undid #2" in undone
    assert "belongs to every campaign" in refused


async def test_methods_are_compared_in_words(t: Table) -> None:
    """The fairest comes first, then fewer dice; no score stands there without a press.

    Behind that every method is in one table with its score and its dice, the register's figures below it.
    """
    compared = await t.slash(t.ann, "lab methods")
    said, details = reply(compared).content, await t.pressed(compared, "Details", t.ann)
    names = re.findall(r"^(\S+(?:, \d dice)?) +\d+\.\d\d(?!\S)", said, re.MULTILINE)
    heads = re.findall(r"^([a-z ]+?)  +(dice(?: .*)?)$", said, re.MULTILINE)

    assert names[:3] == ["pool", "table", "stream"]
    assert names[-1] in {"20d6", "20d6-20"}
    assert len(names) == 21
    assert [(word, more.split()) for word, more in heads] == [
        ("exact", ["dice"]),
        ("very even", ["dice", "error"]),
        ("rough", ["dice", "error", "never"]),
    ]
    assert re.search(r"^table4 +3\.07 +1 in 338$", said, re.MULTILINE)
    assert re.search(r"^ranges +4\.00 +33\.5% +5$", said, re.MULTILINE)
    assert "e-" not in said
    assert len(details) <= 2_000
    assert all(re.search(rf"^{re.escape(name)} ", details, re.MULTILINE) for name in METHODS)
    assert re.search(r"^table +0 +3\.159 +-$", details, re.MULTILINE)
    assert re.search(r"^pool +0 +2\.579 +-$", details, re.MULTILINE)
    assert re.search(r"^ranges +5\.476e-3 +4\.000 +4$", details, re.MULTILINE)
    assert "2.286e-6, 1.469e-11, 1.138e-16" in details


async def test_a_rule_of_ones_own_is_scored(t: Table) -> None:
    """Its score, its dice, what never comes up and its place; a rule that can't be read is refused."""
    bell = await t.whispers(t.ann, "lab score", rule="20d6-20 mod 100")
    limited = await t.whispers(
        t.ann, "lab score", rule="36*(a-1)+6*(b-1)+c; reroll if total>200 at most 4 times, then 51"
    )
    other = await t.whispers(t.ann, "lab score", rule="a*20+b", dice=20, values=20)
    wrong = await t.whispers(t.ann, "lab score", rule="a+")

    assert bell.startswith("**20d6-20 mod 100: rough: ")
    assert "score 2.679e-2" in bell
    assert "Place 20 beside 21 known ways" in bell
    assert "score 4.924e-12" in limited
    assert "3.240 on average, 15 at most" in limited
    assert other.startswith("**a\\*20+b: exact, score 0")
    assert wrong


async def test_a_d100_against_a_dc(t: Table) -> None:
    """Roll over 68, or under; once for a check, several times without; Again makes the same check."""
    over = await t.slash(t.ann, "d100 roll", method="table", dc=69, label="Climb")
    again = reply(await t.press(over, "Again", t.ann)).content
    under = await t.says(t.ann, "d100 roll", dc=68, under=True)
    thrice = await t.says(t.ann, "d100 roll", times=3, visibility="public")
    refused = await t.whispers(t.ann, "d100 roll", times=3, dc=5)

    for said in (reply(over).content, again):
        passed = int(totals(said)[0]) >= 69
        assert "vs DC 69" in said
        assert ("passes" in said.casefold()) == passed
        assert "Climb" in said
    assert "passes" in under.casefold() or "fails" in under.casefold()
    assert len(totals(thrice)) == 3
    assert refused == "A check is one roll. Leave out what repeats it."


async def test_ones_own_register_is_shown(t: Table) -> None:
    """It begins at 0, stands where the last roll left it, and hides what the game master alone may see."""
    first = await t.whispers(t.ann, "d100 show")
    value = int(totals(await t.says(t.ann, "d100 roll"))[0]) % 100
    second = await t.whispers(t.ann, "d100 show")
    bobs = await t.whispers(t.bob, "d100 show")
    await t.slash(t.ann, "d100 roll", visibility="blind")
    blind = await t.whispers(t.ann, "d100 show")

    assert first == bobs == "Your d100 register is at **0**. Your next dice add to it."
    assert second == f"Your d100 register is at **{value}**. Your next dice add to it."
    assert blind == "A hidden roll is in your register, so I don't show it."


@pytest.mark.parametrize("start", ["0", "random"])
async def test_a_player_resets_their_own_register(t: Table, start: str) -> None:
    """Ann's begins where it is said openly, Bob's goes on, and an undo brings Ann's value back."""
    before = int(totals(await t.says(t.ann, "d100 roll"))[0]) % 100
    bobs = int(totals(await t.says(t.bob, "d100 roll"))[0]) % 100
    said = await t.says(t.ann, "d100 reset", start=start)
    found = re.search(r"begins at (\d+)", said)
    assert found, said
    value = int(found[1])
    after = await t.says(t.ann, "d100 roll")
    bob = await t.says(t.bob, "d100 roll")
    history = entries(await t.whispers(t.bob, "history"))
    for _ in range(3):
        await t.says(t.mara, "roller undo", name="d100 register")
    back = await t.says(t.ann, "d100 roll")

    assert value in ({0} if start == "0" else range(100))
    assert ("drawn at random" in said) == ("bits" in said) == (start == "random")
    assert f", start {value} → " in after
    assert f", start {bobs} → " in bob
    assert (
        f"reset `d100 register`: their own, to {'a random ' if start == 'random' else ''}{value}"
        in history[2]
    )
    assert f", start {before} → " in back


async def test_the_gm_resets_all_registers(t: Table) -> None:
    """A reset of the channel's register asks once more, and then everybody begins at 0."""
    for actor in (t.ann, t.bob):
        await t.says(actor, "d100 roll", dice=9)
    refused = await t.whispers(t.ann, "roller reset", name="d100 register")
    await t.press(await t.slash(t.mara, "roller reset", name="d100 register"), "Reset it", t.mara)
    said = [await t.says(actor, "d100 roll") for actor in (t.ann, t.bob)]

    assert "game masters" in refused
    assert all(", start 0 → " in text for text in said)


async def test_a_conversion_is_shown_and_rolled(t: Table) -> None:
    """The table and its cost in private; the button rolls it in the open, and can be pressed again."""
    shown = await t.slash(t.ann, "lab convert", **{"from": "d6", "to": 100})
    rolled = await t.press(shown, "Roll a d100", t.ann)
    again = await t.pressed(rolled, "Again", t.ann)
    mixed = await t.slash(t.ann, "lab convert", **{"from": "D6 + d4", "to": 20})
    other = await t.pressed(mixed, "Roll a d20", t.ann)

    assert reply(shown).ephemeral
    assert (
        "3.15927 (14738/4665) rolls on average, no number of rolls is always enough" in reply(shown).content
    )
    assert "1. throw 3d6: done from 16 on" in reply(shown).content
    assert not reply(rolled).ephemeral
    assert "**d100 table** · d6, exact" in again
    assert "d6 and d4 in turn" in reply(mixed).content
    assert 1 <= int(totals(other)[0]) <= 20
    assert "**d20 table** · d6 and d4, exact" in other


async def test_a_conversion_of_dice_thrown_by_hand(t: Table) -> None:
    """They make the die by its table, one more is asked for, and they go on record as typed in."""
    ways = {"from": "d8", "to": 20}
    made = await t.says(t.ann, "lab convert", **ways, thrown="3 8")
    mixed = await t.says(t.ann, "lab convert", **{"from": "d6 + d4", "to": 20}, thrown="5, 1")
    few = await t.whispers(t.ann, "lab convert", **ways, thrown="3")
    wrong = await t.whispers(t.ann, "lab convert", **ways, thrown="3 9")
    most = await t.whispers(t.ann, "lab convert", **ways, thrown="3 8", rolls=2)

    assert made.startswith("**20** ← 2d8 (3, 8) reads 24, less 4 is 20")
    assert "thrown by hand" in made
    assert mixed.startswith("**17** ← ")
    assert few == "After 3 comes one more d8. Type every die as it fell."
    assert wrong == "A d8 shows 1 to 8, not 9."
    assert most == "Your dice go by the whole table. Leave `rolls` out."


async def test_a_conversion_that_ends_and_ones_that_can_not(t: Table) -> None:
    """Two d10 are a d100 at most; with d6s no number of rolls is, and the best score is told instead."""
    ten = await t.whispers(t.ann, "lab convert", **{"from": "d10", "to": 100, "rolls": 2})
    same = await t.whispers(t.ann, "lab convert", **{"from": "d6", "to": 6})
    six = await t.whispers(t.ann, "lab convert", **{"from": "6", "to": 100, "rolls": 4})
    few = await t.whispers(t.ann, "lab convert", **{"from": "d10", "to": 100, "rolls": 1})

    assert "exact: 2 rolls on average, 2 at most" in ten
    assert "exact: 1 roll on average, 1 at most" in same
    assert "can't be exact in 4 rolls**: however often such dice are thrown" in six
    assert "no multiple of 25, and 100 is" in six
    assert six.endswith("96 values with 13 of the 1,296 throws and the others with 12: 2.286e-6.")
    assert "can't be exact in 1 roll**: 2 are needed" in few


async def test_dice_that_can_not_be_converted(t: Table) -> None:
    """One private sentence says what is wrong."""
    wrong = {"2d6": "written like d6", "d6 and d4": "written like", "d1": "2 to 100", "d6 " * 5: "One to 4"}
    for source, words in wrong.items():
        assert words in await t.whispers(t.ann, "lab convert", **{"from": source, "to": 20})
