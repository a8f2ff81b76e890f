"""/check, and calls on a luck account: what players are told, and what they are not."""

import re
from itertools import pairwise

from bot.dice.draws import seeded
from tests.support.groups import call, named, rolls, text
from tests.support.shown import labels
from tests.support.table import Table, numbered
from tests.support.wire import reply

_FIGURES = re.compile(r"luck (?P<luck>\d+)% · plain (?P<plain>\d+)%")


def figures(content: str) -> tuple[int, int]:
    """The chances on the account and with plain dice."""
    found = _FIGURES.search(content)
    assert found, content
    return int(found["luck"]), int(found["plain"])


async def misses(t: Table, roller: str) -> None:
    """Ann misses a called check, as the seed has it."""
    t.supply._register = seeded("a miss")
    called = await call(t, dc=20, roller=roller, players=named(t.ann))
    assert "Fails" in (await rolls(t, called, t.ann)).content


async def test_a_check_says_how_it_went(t: Table) -> None:
    """By how much, or which degree; again with its button."""
    plain = await t.slash(t.ann, "check", dice="1d20", dc=30, label="Climb")
    again = await t.pressed(plain, "Again", t.ann)
    degrees = "fumble, -9 miss, 0 pass, 10 critical"
    named_one = await t.says(t.ann, "check", dice="1d4+18", dc=30, degrees=degrees)
    low = await t.says(t.ann, "check", dice="1d1+39", dc=30, under=True, degrees=degrees)
    under = await t.says(t.ann, "check", dice="1d4", dc=4, under=True)
    contest = await t.says(t.ann, "check", dice="1d4+10", against="1d4")
    history = await t.whispers(t.ann, "history")

    for content in (reply(plain).content, again):
        assert re.search(
            r"\*\*\d+\*\* ← 1d20 \(\d+\) vs DC 30(?: · .*)?\n\*\*Fails by \d+\*\*\n-# .*Climb",
            content,
        )
    assert re.search(r"\n\*\*(Miss|Fumble), \d+ short\*\*\n", named_one)
    assert "\n**Fumble, by 10**\n" in low
    assert re.search(r"\n\*\*(Just passes|Passes by \d)\*\*\n", under)
    assert re.match(r"\*\*wins by \d+\*\* ← 1d4 \(\d\) \+ 10 = \d+ vs 1d4 \(\d\) = \d\n", contest)
    assert "(`1d20 vs 30`)" in history
    assert "(`1d4+10 vs 1d4`)" in history


async def test_advantage_is_what_helps(t: Table) -> None:
    """Where low passes, the lower die is kept; pressed again, too."""
    for typed, kept in (("adv", "2d20kl1"), ("disadvantage", "2d20kh1")):
        check = await t.slash(t.ann, "check", dice=f"1d20 {typed}", dc=12, under=True)

        assert f"← {kept} (" in reply(check).content
        assert f"← {kept} (" in await t.pressed(check, "Again", t.ann)
    assert "← 2d20kh1 (" in await t.says(t.ann, "check", dice="1d20 adv", dc=12)


async def test_what_is_said_behind_the_dice_is_the_label(t: Table) -> None:
    """It keeps neither the DC nor the other side of a contest from being read; no DC is left unread."""
    dc = [await t.says(t.ann, "check", dice=f"1d20 dc 15{said}") for said in (" # Climb", " Climb")]
    both = await t.says(t.ann, "check", dice="1d4+10 # Climb", against="1d4 # Bite")
    theirs = await t.says(t.ann, "check", dice="1d20+50 adv Climb", against="1d20 adv Bite", label="Run")
    person = await t.whispers(t.ann, "check", dice="1d20 vs 15", against=t.ann.mention)
    number = await t.slash(t.ann, "check", dice="1d20+str", against="1d20")
    await t.says(t.mara, "game use", game="traveller")
    easy = await t.whispers(t.ann, "check", dice="2d6+1 dc 8 easy")

    assert all(" vs DC 15" in content and "\n-# Climb · " in content for content in dc)
    assert re.match(r"\*\*wins by \d+\*\* ← 1d4 .* vs 1d4 .*\n-# Climb · ", both)
    assert re.match(r"\*\*wins by \d+\*\* ← 2d20kh1 .* vs 2d20kh1 .*\n-# Run · ", theirs)
    assert person.startswith("A contest is against somebody's roll, so it has no DC")
    assert number.modal is not None
    assert easy.startswith("In Traveller")
    assert "`2d6+1 dc 8 # easy`" in easy


async def test_a_contest_with_somebodys_roll(t: Table) -> None:
    """Their newest roll, or one by its number; a hidden one is left out, and again keeps it."""
    nothing = await t.whispers(t.ann, "check", dice="1d20", against=t.bob.mention)
    first = numbered(await t.says(t.bob, "roll", dice="1d1+11"))
    await t.says(t.bob, "roll", dice="2#1d20")
    await t.whispers(t.bob, "roll", dice="1d1+40", visibility="self")
    beats = await t.slash(t.ann, "check", dice="1d1+16", against=t.bob.mention)
    again = await t.pressed(beats, "Again", t.ann)
    ties = await t.says(t.ann, "check", dice="1d1+11", against=f"#{first}")
    loses = await t.says(t.ann, "check", dice="1d4", against=f" {t.bob.mention} ")
    gone = await t.whispers(t.ann, "check", dice="1d4", against="#999999")
    unread = [await t.whispers(t.ann, "check", dice="1d20", against=what) for what in ("hello", "@bob", "15")]
    history = await t.whispers(t.ann, "history")

    assert "rolled no open number here" in nothing or "Nobody rolled here yet" in nothing
    theirs = f"{t.bob.mention}'s 12 (#{first})"
    for content in (reply(beats).content, again):
        assert f"**17** ← 1d1 (1) + 16\n**Beats {theirs} by 5**\n" in content
    assert f"\n**Ties with {theirs}**\n" in ties
    assert re.search(rf"\n\*\*Loses to {re.escape(theirs)} by \d+\*\*\n", loses)
    assert "There is no roll #999999 here." in gone
    assert all("a roll's number such as #41, or dice such as 1d20+3. A number alone" in one for one in unread)
    assert f"**17** (`1d1+16 vs 12 of #{first}`)" in history


async def test_a_contest_is_with_the_number_that_shows(t: Table) -> None:
    """However somebody's roll was typed: against their DC, against dice, with a roller, by a check."""
    await t.says(t.mara, "roller dice", name="Bow", dice="1d1+11 vs 15")
    for command, options in (
        ("roll", {"dice": "1d1+11 vs 15"}),
        ("roll", {"dice": "1d1+11 vs 1d20"}),
        ("roll", {"dice": "1d1+11 <= 9"}),
        ("roll", {"dice": "Bow"}),
        ("check", {"dice": "1d1+11", "dc": 15}),
        ("check", {"dice": "1d1+11", "against": "1d20"}),
    ):
        number = numbered(await t.says(t.bob, command, **options))
        contest = await t.says(t.ann, "check", dice="1d1+16", against=t.bob.mention)

        assert f"**Beats {t.bob.mention}'s 12 (#{number}) by 5**" in contest, options
    for dice in ("coin", "choose tea, coffee", "d{elk 3, owl}"):
        await t.says(t.bob, "roll", dice=dice)
        contest = await t.says(t.ann, "check", dice="1d1+16", against=t.bob.mention)

        assert f"**Beats {t.bob.mention}'s 12 (#{number}) by 5**" in contest, dice


async def test_dice_against_dice_say_who_may_be_rolled_so(t: Table) -> None:
    """Dice on a luck account are; a roller is not, and hears what it takes."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.says(t.mara, "roller luck", name="Fate", own="minor")
    on_account = await t.says(t.ann, "check", dice="1d1+4 on Fate", against="1d1+1")
    refused = await t.whispers(t.ann, "check", dice="Luck", against="1d20+1")

    assert on_account.startswith("**wins by 3** ← 1d1 (1) + 4 = 5 vs 1d1 (1) + 1 = 2")
    assert "**Fate**" in on_account
    assert refused == (
        "Only dice are rolled against dice at once. Roll `1d20+1` first, and name that roll: `against:#41`."
    )


async def test_a_number_of_ones_own_is_offered_on_a_d20(t: Table) -> None:
    """The DC goes with it."""
    await t.whispers(t.ann, "me", set="str=3")
    asked = await t.slash(t.ann, "check", dice="str", dc=12)
    unknown = await t.whispers(t.ann, "check", dice="perception", dc=12)
    await t.says(t.mara, "game use", game="cthulhu")
    other = await t.whispers(t.ann, "check", dice="perception", dc=12)
    rolled = await t.pressed(asked, "Roll 1d20+str vs 12", t.ann)

    assert unknown == "I don't know `perception`. Did you mean `1d20+perception vs 12` (with your bonus)?"
    assert "1d20" not in other
    assert "That has no dice. Did you mean `1d20+str vs 12` (on a d20)?" in reply(asked).content
    assert "+ 3 vs 12" in rolled


async def test_a_number_is_offered_as_the_games_roll(t: Table) -> None:
    """The DC is its target."""
    await t.says(t.mara, "game use", game="cyberpunk")
    asked = await t.whispers(t.ann, "check", dice="14", dc=15)

    assert asked.endswith("Did you mean `check 14 vs 15`?")


async def test_both_chances_are_told(t: Table) -> None:
    """Plain dice on an even account; after a miss a little more, and of one's own checks nothing counts."""
    await t.says(t.mara, "roller luck", name="Luck")
    own = await t.says(t.ann, "check", dice="1d20+5", dc=15, roller="luck")
    first = await call(t, "1d20+5", dc=15, roller="luck", players=named(t.bob))
    told = (await rolls(t, first, t.bob)).content
    await misses(t, "luck")
    called = await call(t, "1d20+5", dc=15, roller="luck", players=named(t.ann))
    behind = (await rolls(t, called, t.ann)).content

    assert "**Luck** for practice: only called checks count · #" in own
    assert "luck" not in own.split("\n")[0]
    assert figures(told) == (55, 55)
    assert figures(behind)[0] > figures(behind)[1] == 55
    assert "**Luck** · luck account" in behind
    assert "`1d20+5` on `Luck` against DC 15" in text(called)
    assert figures(text(called)) == figures(behind)


async def test_certain_checks_are_told_as_such(t: Table) -> None:
    """And those that are nearly so never read as 0 or 100."""
    await t.says(t.mara, "roller luck", name="Luck")
    told = [
        await t.says(t.mara, "check", dice=dice, dc=dc, roller="luck")
        for dice, dc in (("1d20", 1), ("1d20", 21), ("1d1000", 2), ("1d1000", 1_000))
    ]

    assert "luck 100% · plain 100%" in told[0]
    assert "luck 0% · plain 0%" in told[1]
    assert "luck over 99% · plain over 99%" in told[2]
    assert "luck under 1% · plain under 1%" in told[3]


async def test_a_hidden_check_does_not_betray_itself(t: Table) -> None:
    """The next line shows the account without it, until it is revealed."""
    await t.says(t.mara, "roller luck", name="Luck", tightness="1")
    hidden = await t.slash(t.mara, "check", dice="1d20", dc=11, roller="luck", visibility="blind")
    after = await t.says(t.mara, "check", dice="1d20", dc=11, roller="luck")
    await t.press(hidden, "Reveal", t.mara)
    await t.says(t.mara, "roller undo", name="luck")
    shown = await t.says(t.mara, "check", dice="1d20", dc=11, roller="luck")

    assert figures(after) == (50, 50)
    assert "without 1 hidden check" in after
    assert "hidden" not in shown
    assert figures(shown)[0] != 50


async def test_a_session_ends_an_account(t: Table) -> None:
    """Unless it is to be kept; and a retuned account goes on."""
    for name, keep in (("Ends", "session"), ("Stays", "always")):
        await t.says(t.mara, "roller luck", name=name, keep=keep, whose="table")
        await misses(t, name)
        await t.says(t.mara, "roller luck", name=name, keep=keep, whose="table", feel="strict")
    await t.says(t.mara, "session start")
    ends, stays = [
        figures(await t.says(t.mara, "check", dice="1d20", dc=11, roller=name)) for name in ("ends", "stays")
    ]

    assert ends == (50, 50)
    assert stays[0] > 50


REFUSED: list[tuple[str, dict[str, object], str]] = [
    ("check", {"dice": "1d20", "dc": 15, "roller": "nobody"}, "There is no luck account `nobody` here"),
    ("check", {"dice": "1d20", "dc": 15, "roller": "evil"}, "evil is no luck account"),
    ("check", {"dice": "1d20"}, "What must it beat?"),
    ("check", {"dice": "1d20", "dc": 1, "against": "1d20"}, "A contest is against somebody's roll"),
    ("check", {"dice": "1d20", "dc": 1, "degrees": "pass"}, "Degrees of success are written worst first"),
    ("roll", {"dice": "luck"}, "Luck is a luck account"),
    ("group call", {"check": "Jump", "dice": "luck"}, "Luck is a luck account and has no dice"),
    ("group call", {"check": "Jump", "dice": "1d20", "dc": 9, "needed": 3}, "'enough successes'"),
    ("group initiative", {"dice": "luck"}, "Luck is a luck account and has no dice"),
    ("roller luck", {"name": "New", "counts": "rank", "degrees": "a, 0 b"}, "without one"),
    ("roller luck", {"name": "New", "tightness": "1001"}, "`tightness` is 0 to 1,000"),
    ("roller renewal", {"name": "New"}, "Give a `chance`, with `latest` or without, or a `table`."),
    ("roller recency", {"name": "New", "dice": "2d6"}, "equally likely"),
    (
        "group call",
        {"check": "Jump", "dice": "1d20", "dc": 9, "rule": "sum", "roller": "luck"},
        "makes one number",
    ),
]


async def test_what_can_not_be_checked(t: Table) -> None:
    """A private sentence says why."""
    await t.says(t.mara, "roller luck", name="Luck")
    await t.says(t.mara, "roller fair", name="evil", dice="1d20")
    for command, options, sentence in REFUSED:
        assert sentence in await t.whispers(t.mara, command, **options)


async def test_pity_and_not_again(t: Table) -> None:
    """Rolled like every roller, with a tag that says what they are."""
    made = [
        await t.says(t.mara, "roller renewal", name="Storm", chance="0.25", event="storm", nothing="calm"),
        await t.says(t.mara, "roller renewal", name="Pity", table="0.25, 0.5 1"),
        await t.says(t.mara, "roller renewal", name="Late", chance="0.25", latest=12),
        await t.says(t.mara, "roller recency", name="Never"),
        await t.says(t.mara, "roller recency", name="Bag", dice="1d7", last=4, tries=4),
    ]
    rolled = [await t.says(t.ann, "roll", dice=name, times=20) for name in ("storm", "pity", "late", "bag")]
    never = (await t.says(t.ann, "roll", dice="never", times=20)).split("**")[1].split(" · ")

    assert "storm 25.0%, likelier the longer it stays away, the 12th try at the latest" in made[0]
    assert "the 3rd try at the latest" in made[1]
    assert all(one != other for one, other in pairwise(never))
    assert "storm" in rolled[0]


async def test_the_odds_of_an_account(t: Table) -> None:
    """Both chances, how far behind, and what comes next, with a picture; hidden checks stay hidden."""
    await t.says(t.mara, "roller luck", name="Luck")
    await t.says(t.mara, "roller luck", name="Hits", counts="rank")
    await misses(t, "luck")
    asked = await t.slash(t.ann, "odds", what="1d20+5", at_least=15, account="luck")
    answer, more = reply(asked), await t.pressed(asked, "Details", t.ann)
    even = await t.says(t.ann, "odds", what="luck")
    refused = [
        await t.whispers(t.ann, "odds", what="1d20", account="luck"),
        await t.whispers(t.ann, "odds", what="1d20", at_least=5, account="hits"),
        await t.whispers(t.ann, "odds", what="1d20", at_least=5, account="nobody"),
    ]
    await t.slash(t.ann, "check", dice="1d20", dc=11, roller="luck", visibility="blind")
    await t.says(t.mara, "admin settings", odds="gms")
    private = await t.whispers(t.ann, "odds", what="luck")
    await t.slash(t.mara, "check", dice="1d20", dc=11, roller="luck", visibility="blind")
    last = await t.slash(t.mara, "odds", what="luck")
    hidden, left_out = reply(last).content, await t.pressed(last, "Details", t.mara)

    assert answer.content.startswith(
        "**56%** · `1d20+5` against 15 on **Luck**\n"
        f"Plain dice: 55%. Now {t.ann.mention} is 0.05 passes behind."
    )
    assert more.startswith("After a pass: 0.4 passes ahead, then 48%.\nAfter a miss: 0.6 passes behind, then")
    usual = "0 of 1 check passed, 0.1 expected: usually 0 on this account, 0 with plain"
    assert usual in more
    assert [file.filename for file in answer.attachments] == ["odds.png"]
    assert even.startswith("**51%** · An even check on **Luck**\nPlain dice: 50%.")
    assert "at_least" in refused[0]
    assert "no chance to pass" in refused[1]
    assert "no luck account `nobody`" in refused[2]
    assert "Only game masters" in private
    assert " is even." in hidden
    assert all("1 hidden check not shown." in said for said in (hidden, left_out))


async def test_what_an_account_has_counted(t: Table) -> None:
    """/stats tells passes against expected and how it stands; /rigged bets against the very chances."""
    await t.says(t.mara, "roller luck", name="Luck", feel="kind")
    await t.says(t.mara, "roller luck", name="Hits", counts="rank", whose="table")
    for n in range(30):
        await t.says(t.mara, "check", dice="1d20+5", dc=15 + n % 3, roller="luck")
    for _ in range(6):
        await t.says(t.mara, "check", dice="2d6", roller="hits")
    await t.says(t.mara, "check", dice="1d20", dc=1, roller="luck")
    await t.says(t.ann, "check", dice="1d20", dc=9, roller="luck")
    mine = await t.says(t.ann, "stats", roller="luck", player=t.mara)
    everybody = await t.says(t.ann, "stats", roller="Luck")
    hits = await t.says(t.ann, "stats", roller="hits")
    rigged = await t.pressed(await t.slash(t.ann, "rigged", roller="luck"), "Details", t.ann)
    few = await t.says(t.ann, "rigged", roller="hits", player=t.mara)

    assert mine.startswith(f"**Luck so far** · {t.mara.mention} · `Luck` · 30 checks\n")
    told = re.search(r"(\d+) of 30 checks passed, 15.0 expected: usually 13 to 16 on this account", mine)
    assert told
    assert "10 to 20 with plain dice.\nNow: " in mine
    assert "\n-# Evened out on purpose: luck account, tightness 0.5, drought 1." in mine
    behind = int(told[1]) - 15
    assert f"Now: {abs(behind) or 'even'}" in mine
    assert "Now" not in everybody
    assert everybody.startswith("**Luck so far** · Everybody · `Luck` · 30 checks\n")
    assert re.search(r"The scores of 6 checks add up to \d.\d, 3.0 expected: usually 1.6 to 4.4 with", hits)
    assert re.search(r"\nNow: (even|[\d.]+ (ahead|behind))\.\n", hits)
    assert rigged.startswith("Everybody · `Luck` · 30 checks\n")
    assert "memory included" in rigged
    assert "Too few to say anything" in few


async def test_a_check_of_an_unknown_name_asks_for_the_bonus(t: Table) -> None:
    """With the DC that was typed, where the game has usual dice."""
    await t.says(t.mara, "game use", game="dnd5")
    asked = await t.slash(t.ann, "check", dice="stealth", dc=15)

    assert labels(reply(asked).components) == ["Roll d20+stealth vs 15"]
    assert (await t.press(asked, "Roll d20+stealth vs 15", t.ann)).modal


async def test_a_check_of_added_dice_asks_about_the_d20(t: Table) -> None:
    """Where the game that is played has usual dice; elsewhere it is what it says."""
    assert (await t.says(t.ann, "check", dice="+5+1d1", dc=6)).startswith("**6** ← 5 + 1d1 (1) vs DC 6")
    await t.says(t.mara, "game use", game="dnd5")
    asked = reply(await t.slash(t.ann, "check", dice="+5+1d4", dc=15))

    assert labels(asked.components) == ["Roll d20+5+1d4 vs 15", "Roll 5+1d4 vs 15"]


async def test_a_bonus_has_the_degrees_of_the_game(t: Table) -> None:
    """In Pathfinder, also one of the player's own numbers; dice that are typed stay dice."""
    await t.says(t.mara, "game use", game="pathfinder")
    await t.whispers(t.ann, "me", set="stealth 5")
    said = [await t.says(t.ann, "check", dice=dice, dc=20) for dice in ("+9", "stealth", "d20+9")]

    expected = "check +9 dc 20", "check +5 dc 20", "vs DC 20\n"
    assert all(text in one for text, one in zip(expected, said, strict=True))


async def test_whoever_rolls_once_is_told_what_stands_beside_it(t: Table) -> None:
    """No command speaks of repeats where nothing repeats."""
    for command, options in (
        ("check", {"dice": "d20; d6", "dc": 12}),
        ("check", {"dice": "d20; 2#d6", "dc": 12}),
        ("check", {"dice": "d20", "against": "d20; d6"}),
        ("group call", {"dice": "d20; d6"}),
        ("group initiative", {"dice": "d20; d6"}),
        ("group npc", {"dice": "d20; d6", "count": 2}),
        ("odds", {"what": "d20; d6"}),
        ("roller fair", {"name": "Luck", "dice": "d20; d6"}),
    ):
        said = await t.whispers(t.mara, command, **options)

        assert not re.search("repeat|#", said), (command, said)
        assert re.search("once|several|Several", said), (command, said)
