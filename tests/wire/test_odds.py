"""/odds: the chances told are those of the memory that the rolls made, as text and as a picture."""

import re
from collections.abc import Sequence
from fractions import Fraction

import pytest
from simcord import MemberActor

from bot.dice.system import System
from bot.systems.odds import after, odds
from bot.systems.registry import read_spec
from bot.words.text import percent
from tests.support.groups import labels
from tests.support.table import Table, totals
from tests.support.wire import reply

_ROW = re.compile(r"^(\d+) +(\S+)% +(\S+)%$", re.MULTILINE)
FAIR = read_spec({"system": "fair", "base": "2d6", "tightness": "1"})


def expected(system: System, faces: Sequence[str]) -> list[tuple[str, str, str]]:
    """Each face with both chances, worked out from the faces that were told."""
    start = odds(system, system.start())
    now = odds(system, after(system, faces))
    return [(face, percent(b), percent(n)) for face, b, n in zip(system.faces, start, now, strict=True)]


async def told(t: Table) -> list[tuple[str, str, str]]:
    """The rows of the table that /odds shows."""
    return _ROW.findall(await details(t, t.ann, what="luck"))


async def details(t: Table, actor: MemberActor, **options: object) -> str:
    """What *Details* under an answer tells who asked."""
    return await t.pressed(await t.slash(actor, "odds", **options), "Details", actor)


async def test_fair_odds_are_those_of_the_rolls_so_far(t: Table) -> None:
    """The odds after any rolls equal the core's, replayed from the faces that the replies told."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    fresh = await told(t)
    faces: list[str] = []
    for times in (1, 20):
        faces += totals(await t.says(t.bob, "roll", dice="luck", times=times))
        assert await told(t) == expected(FAIR, faces)

    assert fresh == expected(FAIR, [])
    assert [base for _, base, _ in fresh] == [percent(Fraction(6 - abs(7 - n), 36)) for n in range(2, 13)]


@pytest.mark.drawn
async def test_the_picture_comes_with_words(t: Table) -> None:
    """The attachment is a PNG, and its description tells the most and the least likely face."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.says(t.bob, "roll", dice="luck")
    answer = reply(await t.slash(t.ann, "odds", what="luck"))
    (picture,) = answer.attachments

    assert not answer.ephemeral
    assert (picture.filename, picture.content_type) == ("odds.png", "image/png")
    assert (t.env.backend.cdn.get(picture.url) or b"").startswith(b"\x89PNG\r\n\x1a\n")
    assert picture.description is not None
    assert picture.description.startswith("Luck: fair 2d6, tightness 1: chances of the next roll, 11 faces.")
    assert "Highest: " in picture.description


async def test_a_players_own_memory_makes_their_odds(t: Table) -> None:
    """Where each player has a memory, Ann's rolls change Ann's odds and nobody else's."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6", memory="player")
    faces = totals(await t.says(t.ann, "roll", dice="luck", times=9))
    anns, bobs = await details(t, t.ann, what="luck"), await details(t, t.bob, what="luck")

    assert _ROW.findall(anns) == expected(FAIR, faces)
    assert _ROW.findall(bobs) == expected(FAIR, [])
    assert "your own memory" in anns


async def test_odds_are_offered_rollers_by_name(t: Table) -> None:
    """What is typed is looked for in the names of the channel's rollers."""
    for name in ("Luck", "Cards"):
        await t.says(t.mara, "roller deck", refill=1, name=name)

    assert await t.offered(t.ann, "odds", "what", "u") == ["Luck"]


async def test_dice_are_asked_by_their_notation(t: Table) -> None:
    """Nothing has to be made first: the chance of 15 or more with 4d6kh3, shaded in a picture."""
    answer = reply(await t.slash(t.ann, "odds", what="4d6kh3", at_least=15))
    (picture,) = answer.attachments

    assert answer.content == "**23.1%** · 15 or more on `4d6kh3`\n-# mean 12.24"
    assert picture.description is not None
    assert "15 or more, shaded: 23.1%" in picture.description
    more = reply(await t.press(answer, "Details", t.bob))
    assert more.ephemeral
    assert "Mean 12.24, standard deviation 2.85." in more.content
    assert "**15 or more: 23.1% (25/108)**" in more.content


async def test_details_are_of_what_the_asker_meant(t: Table) -> None:
    """Names in dice are the asker's, whoever presses; a long text has all in one message."""
    await t.slash(t.ann, "save", name="Sneak", dice="1d20+7")
    anns = await t.slash(t.ann, "odds", what="Sneak+2", at_least=-3, at_most=15, versus="1d4")
    long = await t.says(t.ann, "odds", what="+".join(["1d4"] * 25))

    assert "`1d20+7+2`" in await t.pressed(anns, "Details", t.bob)
    assert "-3 to 15: 30.0%" in await t.pressed(anns, "Details", t.bob)
    assert "standard deviation" in long


async def test_a_roller_stands_beside_dice(t: Table) -> None:
    """Each side is dice or a roller with what it remembers."""
    await t.says(t.mara, "roller fair", name="Luck", dice="1d2", tightness="1")
    (face,) = totals(await t.says(t.ann, "roll", dice="luck"))
    said = await t.says(t.ann, "odds", what="1d2", versus="Luck")
    table = await details(t, t.ann, what="1d2", versus="Luck")

    # After a 1, Luck has it with 1/3 and 2 with 2/3: 1d2 is higher in 1/6, lower in 1/3 of all pairs.
    higher, lower = ("16.7", "33.3") if face == "1" else ("33.3", "16.7")
    assert said.startswith(f"**{higher}%** · `1d2` is higher than **Luck**\n")
    assert f"`1d2` is higher with {higher}%, equal with 50.0%, lower with {lower}%." in table


async def test_the_worked_example_is_one_command(t: Table) -> None:
    """2d6 after 2, 4, 7 and 7, tighter and tighter: the figures are those of the formula in floats."""
    said = await t.says(t.ann, "odds", what="2d6", after="2,4,7,7", tightness="0.5, 1, 5")
    rows = {row[0]: row[1:] for line in said.splitlines() if (row := line.replace("%", "").split())}

    assert rows["face"] == ["plain", "0.5", "1", "5"]
    for column, tightness in enumerate((0.5, 1.0, 5.0), start=1):
        ways = {total: 6 - abs(7 - total) for total in range(2, 13)}
        errors = {total: [2, 4, 7, 7].count(total) - 4 * way / 36 for total, way in ways.items()}
        weights = {total: way * 2 ** (-tightness * errors[total]) for total, way in ways.items()}
        for total, weight in weights.items():
            chance = 100 * weight / sum(weights.values())
            assert float(rows[str(total)][column]) == pytest.approx(chance, abs=0.0501), (total, tightness)


async def test_a_roller_is_asked_what_if(t: Table) -> None:
    """What if a 7 came next: as if it had been rolled, and nothing is remembered of the question."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6 1", after="2,4,7")
    before = await told(t)
    asked = _ROW.findall(await t.says(t.ann, "odds", what="Luck", after="7"))
    tighter = await t.says(t.ann, "odds", what="Luck", tightness="0,5")

    assert before == expected(FAIR, ["2", "4", "7"])
    assert asked == expected(FAIR, ["2", "4", "7", "7"])
    assert await told(t) == before
    assert "fair 2d6, tightness 0.5" in tighter
    assert "Plain dice remember nothing" in await t.whispers(t.ann, "odds", what="2d6", after="7")
    assert "'13' is no face" in await t.whispers(t.ann, "odds", what="Luck", after="13")
    assert "'x' doesn't work. Give 0 or more, such as 0.5" in await t.whispers(
        t.ann, "odds", what="Luck", tightness="x"
    )


async def test_counts_hold_dice_thrown_by_hand_and_no_practice(t: Table) -> None:
    """What a roller remembers has come, whoever threw it; each face is told with what was expected."""
    await t.says(t.mara, "roller fair", name="Luck", dice="1d4")
    await t.says(t.ann, "roll", dice="Luck", practice=True)
    counts = await t.pressed(await t.slash(t.ann, "roll", dice="Luck", thrown="3"), "Counts", t.ann)

    assert "The table's rolls since it was made or reset: 1." in counts
    assert re.search(r"^3 +1 +0\.2  0\.8 ahead$", counts, re.MULTILINE), counts


async def test_counts_say_who_is_ahead_and_who_is_due(t: Table) -> None:
    """Under a fair roll and under /odds, what came before its first roll too; a reset begins anew."""
    await t.says(t.mara, "roller fair", name="Luck", dice="1d4", after="1, 1")
    rolled = await t.slash(t.ann, "roll", dice="Luck", times=2)
    came = [int(face) for face in ["1", "1", *totals(reply(rolled).content)]]
    counts = await t.pressed(rolled, "Counts", t.bob)
    details = await t.whispers(t.ann, "details", number=2)
    await t.press(await t.slash(t.mara, "roller reset", name="Luck"), "Reset it", t.mara)
    fresh = await t.pressed(await t.slash(t.ann, "odds", what="Luck"), "Counts", t.ann)

    assert (
        "The table's rolls since it was made or reset: 2. 2 more count from before its first roll." in counts
    )
    for face in range(1, 5):
        ahead = came.count(face) - 1
        stands = f"{abs(ahead)}.0 {'ahead' if ahead > 0 else 'due'}" if ahead else "even"
        assert re.search(rf"^{face} +{came.count(face)} +1\.0  {stands}$", counts, re.MULTILINE), counts
    assert "Its memory before: `1` 1.5 ahead, `2` 0.5 due" in details
    assert re.search(r"^1 +2 +0\.5  1\.5 ahead$", fresh, re.MULTILINE), fresh


async def test_what_makes_no_sense_is_refused(t: Table) -> None:
    """In private: what can't be read, a span that holds nothing, words that are asked to be numbers."""
    await t.says(t.mara, "roller cards", name="Cards", cards="elk 3, owl 3")

    assert "don't know `lukc`" in await t.whispers(t.ann, "odds", what="lukc")
    assert "don't know `stelth`" in await t.whispers(t.ann, "odds", what="1d20+stelth")
    assert "swap the two" in await t.whispers(t.ann, "odds", what="1d6", at_least=5, at_most=2)
    assert "doesn't come out as a number" in await t.whispers(t.ann, "odds", what="cards", at_least=2)


async def test_a_roller_takes_what_is_added(t: Table) -> None:
    """The chances are those of its memory and of the dice beside it; a DC is what is asked for."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    faces = totals(await t.says(t.bob, "roll", dice="luck"))
    expected = dict(zip(FAIR.faces, odds(FAIR, after(FAIR, faces)), strict=True))

    plus = await details(t, t.ann, what="Luck+5")
    asked = await t.slash(t.ann, "odds", what="Luck + 1d4 dc 15")
    against = await t.pressed(asked, "Details", t.bob)

    assert {face: now for face, _, now in _ROW.findall(plus)} == {
        str(int(face) + 5): percent(p) for face, p in expected.items()
    }
    passes = sum(p * max(0, min(4, int(face) - 10)) / 4 for face, p in expected.items())
    assert f"15 or more: {percent(Fraction(passes))}%" in against
    assert f"**{percent(Fraction(passes))}%** · 15 or more on **Luck + 1d4 dc 15**" in reply(asked).content
    assert "one roll" in await t.whispers(t.ann, "odds", what="2#Luck+5")


async def test_named_faces_are_the_results(t: Table) -> None:
    """Of one die; several dice have a total."""
    for what, said in (
        ("coin", "**50.0%** · each result of **coin**"),
        ("d{wood 4, brick 3}", "**57.1%** · wood, likeliest on **d{wood 4, brick 3}**"),
        ("choose 2 of a, b, c", "**4** · `2d3u`, on average"),
        ("2d{elk, owl}", "**3** · `2d{1,2}`, on average"),
        ("d20-30 # 1 a, 2 b", "**-19.5** · `1d20-30`, on average"),
    ):
        assert (await t.says(t.ann, "odds", what=what)).startswith(said), what


async def test_a_games_odds_begin_with_the_chance_to_succeed(t: Table) -> None:
    """That of a success or better, not of the likeliest class; a game without a success has its likeliest."""
    for what, said in (
        ("cod 4", "**76.0%** · success or better on `pool 4`"),
        ("cthulhu 50", "**50.0%** · regular or better on `skill 50`"),
        ("cthulhu 50 hard", "**25.0%** · hard or better on `skill 50 hard`"),
        ("cyberpunk death 4", "success on `death 4`"),
        ("drawsteel +2", "tier 2, likeliest on `power +2`"),
    ):
        assert said in (await t.says(t.ann, "odds", what=what)).partition("\n")[0], what


async def test_refused_odds_have_the_advice_of_a_roll(t: Table) -> None:
    """What dice look like where nothing can be meant, and the readings of a comparison."""
    for what in ("fireball", "crit", "2d6 >= 7"):
        roll = await t.slash(t.ann, "roll", dice=what)
        odds = await t.slash(t.ann, "odds", what=what)

        assert reply(odds).content == reply(roll).content
        assert [label.split()[-1] for label in labels(odds)] == [label.split()[-1] for label in labels(roll)]


async def test_a_bonus_alone_stands_on_the_games_dice(t: Table) -> None:
    """In odds, on keys and in saved rolls, as when it is rolled."""
    await t.says(t.mara, "game use", game="traveller")
    await t.whispers(t.ann, "save", name="Gun", dice="+2")
    keys = await t.slash(t.mara, "buttons", rolls="+5")

    assert "`2d6+5`, on average" in await t.says(t.ann, "odds", what="+5")
    assert "← 2d6 " in await t.pressed(keys, labels(keys)[0], t.ann)
    assert "← 2d6 " in await t.says(t.ann, "roll", dice="Gun")


async def test_each_option_is_heeded_or_refused(t: Table) -> None:
    """None is left out in silence: of a luck account, beside a DC, with several tightnesses."""
    await t.says(t.mara, "roller luck", name="Luck")
    await t.says(t.mara, "roller fair", name="Even", dice="1d6")
    no_dice = "Luck is a luck account and has no dice"
    one_dc, takes_dice = "A check has one DC.", "A luck account takes dice. Even is a roller"
    side_by_side = "Several tightnesses stand side by side with all results."
    for options, says in (
        ({"what": "Luck", "at_least": 15}, no_dice),
        ({"what": "Luck", "versus": "d6"}, no_dice),
        ({"what": "d6", "versus": "Luck"}, no_dice),
        ({"what": "Luck+5 dc 15"}, no_dice),
        ({"what": "d20+5 on Luck dc 15", "at_least": 12}, one_dc),
        ({"what": "d20+5 vs 15", "account": "Luck", "at_least": 12}, one_dc),
        ({"what": "Even+5 vs 8", "at_least": 12}, one_dc),
        ({"what": "d20", "account": "Luck", "at_least": 12, "versus": "d6"}, "A check on a luck account has"),
        ({"what": "Even", "account": "Luck", "at_least": 3}, takes_dice),
        ({"what": "Even+1 on Luck dc 3"}, takes_dice),
        ({"what": "Even", "tightness": "0,1,5", "at_least": 3}, side_by_side),
        ({"what": "Even", "tightness": "0,1,5", "versus": "d6"}, side_by_side),
    ):
        assert (await t.whispers(t.ann, "odds", **options)).startswith(says), options

    aimed = [
        await t.says(t.ann, "odds", what="d20+5", account="Luck", at_least=15),
        await t.says(t.ann, "odds", what="d20+5 vs 15", account="Luck"),
        await t.says(t.ann, "odds", what="d20+5 on Luck dc 15"),
    ]
    assert len(set(aimed)) == 1
