"""/stats and /session: rolls against expectation, for everybody or one player."""

import re

import pytest
from simcord import InteractionResult

from bot.campaign.command import Caller
from bot.campaign.replay import tosses
from tests.support.shown import labels
from tests.support.table import Table
from tests.support.wire import reply


async def shown(result: InteractionResult) -> tuple[str, int]:
    """The words of an answer, and how many pictures came with it."""
    answer = reply(result)
    for attachment in answer.attachments:
        assert await attachment.read()
        assert attachment.description
    return answer.content, len(answer.attachments)


async def rolls(t: Table) -> None:
    """Ann rolls twice as many d20s as Bob, and all of them a few d6s."""
    for who, dice in ((t.ann, "30d20"), (t.ann, "10d20"), (t.bob, "20d20"), (t.bob, "5d6")):
        await t.says(who, "roll", dice=dice)


@pytest.mark.drawn
async def test_the_dice_rolled_most_are_told_first(t: Table) -> None:
    """Everybody's d20s with a chart, in words that name what is usual; a player's alone are fewer."""
    await rolls(t)
    result = await t.slash(t.bob, "stats")
    everybody, pictures = await shown(result)
    (picture,) = reply(result).attachments
    more = reply(await t.press(result, "Details", t.ann))
    anns, _ = await shown(await t.slash(t.bob, "stats", player=t.ann))
    few = await shown(await t.slash(t.bob, "stats", roller="D6"))

    assert everybody.splitlines()[0].endswith("** · Everybody · `d20` · 60 dice")
    assert pictures == 1
    assert (await picture.read()).startswith(b"\x89PNG")
    assert everybody.splitlines()[1].startswith("Average **")
    assert more.ephemeral
    assert more.content.startswith("Everybody · `d20` · 60 dice\n")
    assert "expected 10.50 (usual: " in more.content
    assert f"<@{t.ann.id}> · `d20` · 40 dice" in anns
    assert few[1] == 0
    assert "Too few to say anything yet." in few[0]


async def test_monsters_are_no_game_masters_luck(t: Table) -> None:
    """Mara's own die alone is hers, in the counts, on an evening and in the evidence; everybody's are all."""
    await t.says(t.mara, "session start")
    await t.says(t.mara, "roll", dice="1d20")
    await t.says(t.mara, "group npc", dice="1d20", count=3, names="Goblin")
    for session in ({}, {"session": "1"}):
        for whose, dice in (({"player": t.mara}, "1 die"), ({}, "4 dice")):
            assert f"`d20` · {dice}" in await t.says(t.ann, "stats", **whose, **session)

    assert "`d20` · 1 die" in await t.says(t.ann, "rigged", player=t.mara)
    assert "`d20` · 4 dice" in await t.says(t.ann, "rigged")


async def test_owners_of_results_see_how_often_theirs_came(t: Table) -> None:
    """With what is expected, and from thirty rolls on what is usual; a result named twice counts twice."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6", tightness="inf")
    await t.says(t.ann, "roll", dice="Luck", times=18)
    owners = "Ann: 6, 8; *Bob*: 7, 7"
    few = await t.says(t.ann, "stats", roller="Luck", owners=owners)
    await t.says(t.ann, "roll", dice="Luck", times=18)
    asked = await t.slash(t.ann, "stats", roller="Luck", owners=owners)
    told = reply(asked).content
    more = await t.pressed(asked, "Details", t.bob)
    names = ", ".join([*map(str, range(2, 13))] * 4)
    long = reply(await t.slash(t.ann, "stats", roller="Luck", owners=f"Ann: {names}"))
    nobody = reply(await t.slash(t.ann, "stats", roller="Luck", owners="6, 8")).content
    thirteen = reply(await t.slash(t.ann, "stats", roller="Luck", owners="Ann: 13"))

    assert re.search(r"\n\*\*Ann\*\* \(6, 8\): \*\*\d+\*\*, expected 5.0.\n", few)
    assert "\n**Ann** (6, 8): **10**, expected 10.0 (usual: 10 to 10).\n" in told
    assert "\n**\\*Bob\\*** (7, 7): **12**, expected 12.0 (usual: 12 to 12)." in told
    assert [line for line in more.splitlines() if "expected 1" in line] == told.splitlines()[2:4]
    assert "Details" not in labels(long.components)
    assert long.content.count("**Ann** (2, 3") == 1
    assert nobody == "6, 8 is nobody's. Write it so: Ann: 6, 8; Bob: 5, 9."
    assert thirteen.ephemeral
    assert thirteen.content == "13 can't come out here. These can: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12."


async def test_a_persons_menu_has_their_luck(t: Table) -> None:
    """The same as /stats of them, to whoever chose it alone; and who rolled nothing has none."""
    await rolls(t)
    anns, _ = await shown(await t.slash(t.bob, "stats", player=t.ann))
    chosen = await t.bob.context_menu(t.channel, "Luck so far", t.ann)
    nothing = await t.bob.context_menu(t.channel, "Luck so far", t.mara)

    assert await shown(chosen) == (anns, 1)
    assert reply(chosen).ephemeral
    assert reply(nothing).ephemeral
    assert (
        reply(nothing).content
        == f"<@{t.mara.id}> has rolled no dice here yet that count: plain ones, or a roller."
    )


async def test_a_fair_roller_is_measured_by_its_own_measure(t: Table) -> None:
    """All rolls of a shared memory are, and so is one player's part of it, whoever rolled in between."""
    await t.says(t.mara, "roller fair", name="evil", dice="1d6")
    for who in (t.ann, t.bob, t.ann, t.bob):
        await t.says(who, "roll", dice="evil", times=20)
    table_says = await t.pressed(await t.slash(t.ann, "stats", roller="evil"), "Details", t.bob)
    anns = await t.pressed(await t.slash(t.ann, "stats", roller="evil", player=t.ann), "Details", t.bob)

    assert "evens out on purpose" in table_says
    assert "80 dice" in table_says
    assert f"<@{t.ann.id}> · `evil` · 40 dice" in anns
    assert "0 of 2 rolls used true-random bits" in anns
    assert "simulated" not in table_says
    assert anns.endswith("Usual ranges are simulated.")
    assert "compare with plain dice" not in table_says + anns


async def test_a_session_that_nobody_ended_ends_with_the_next(t: Table) -> None:
    """After twelve hours a start begins a new one; the old one can be looked back at."""
    await t.says(t.mara, "session start")
    await t.says(t.ann, "roll", dice="1d6")
    await t.env.advance_time(11 * 3_600)
    early = await t.whispers(t.mara, "session start")
    await t.env.advance_time(3_600)
    begun = await t.says(t.mara, "session start")
    offered = await t.offered(t.ann, "session show", "session", "")

    assert "has been on since" in early
    assert begun.startswith("A session begins at #3.")
    assert re.search(r"\nThat ends the one since <t:\d+:f>, which nobody had ended\. `/session show` ", begun)
    assert len(offered) == 2
    assert "1 roll" in reply(await t.slash(t.ann, "session show", session="1")).content


@pytest.mark.drawn
async def test_an_evening_is_begun_and_looked_back_on(t: Table) -> None:
    """Only what was rolled in it counts; hidden rolls don't; it is told with a chart."""
    await t.says(t.ann, "roll", dice="50d6")
    began = await t.says(t.mara, "session start")
    await rolls(t)
    # One of so many dice is in the better half, but for one time in 10^15.
    for dice in ("20#1d10", "20#1d10", "10#1d10"):
        await t.says(t.bob, "roll", dice=dice)
    await t.slash(t.bob, "roll", dice="90d20", visibility="self")
    again = await t.whispers(t.mara, "session start")
    await t.says(t.mara, "group npc", dice="1d20+100000", count=1, names="Goblin")
    result = await t.slash(t.mara, "session end")
    recap, pictures = await shown(result)
    each = reply(await t.press(result, "Each player", t.ann))
    offered = await t.offered(t.ann, "stats", "session", "")
    evening, _ = await shown(await t.slash(t.ann, "stats", session="2"))
    ended = await t.whispers(t.mara, "session end")

    assert "A session begins at #2." in began
    assert re.fullmatch(r"A session has been on since <t:\d+:f>\. `/session end` ends it\.", again)
    assert " night** · <t:" in recap.splitlines()[0]
    assert " · 8 rolls\n" in recap
    assert "luck stood out" in recap or "uckiest: <@" in recap
    assert "Best roll: <@" in recap
    assert f"Best roll: <@{t.mara.id}>" not in recap
    assert each.ephemeral
    assert f"\n· <@{t.ann.id}>: " in each.content
    assert f"<@{t.mara.id}>" not in each.content
    assert pictures == 1
    assert len(offered) == 1
    assert offered[0].startswith("#2: ")
    assert "Everybody · `d20` · 61 dice, session from <t:" in evening
    assert ended == "No session is on. `/session start` begins one."


async def test_an_evening_is_looked_back_on_once_more(t: Table) -> None:
    """The latest or another one, also while it is on, and by whoever wants to know."""
    none = await t.whispers(t.ann, "session show")
    await t.says(t.mara, "session start")
    await t.says(t.ann, "roll", dice="12d6")
    ended, _ = await shown(await t.slash(t.mara, "session end"))
    once_more, _ = await shown(await t.slash(t.ann, "session show"))
    await t.says(t.mara, "session start")
    await t.says(t.ann, "roll", dice="1d6")
    running, _ = await shown(await t.slash(t.bob, "session show"))
    (first,) = await t.offered(t.ann, "session show", "session", "#1:")
    before, _ = await shown(await t.slash(t.ann, "session show", session=first))
    other = await t.whispers(t.ann, "session show", session="2")

    assert none == "There was no session here yet. `/session start` begins one."
    assert "A short night" in ended
    assert [text.partition("-# Checkpoint")[0] for text in (once_more, before)] == [
        ended.partition("-# Checkpoint")[0]
    ] * 2
    assert re.search(r"\*\*A short night\*\* · since <t:\d+:f> · 1 roll\n", running)
    assert other == "There is no such session. Choose one from the list."


async def test_dice_of_games_count_as_the_dice_that_they_are(t: Table) -> None:
    """In the counts, of a session too, and in the evidence; a die that shows no numbers is none of them."""
    await t.says(t.mara, "session start")
    for words in ("dnd5 attack +5 ac 12 adv", "wod 7 diff 8", "genesys 2 1 2", "1d20"):
        await t.says(t.ann, "roll", dice=words, times=2)
    for session in ({}, {"session": "1"}):
        assert "`d20` · 6 dice" in await t.says(t.bob, "stats", roller="d20", **session)
        assert "`d10` · 14 dice" in await t.says(t.bob, "stats", player=t.ann, **session)
    assert "`d20` · 6 dice" in await t.says(t.bob, "rigged", roller="d20")
    assert await t.offered(t.ann, "stats", "roller", "") == ["d10", "d20"]


async def test_natural_twenties_of_games_count(t: Table) -> None:
    """Those of attacks too, and each of two dice."""
    await t.says(t.mara, "game use", game="dnd5")
    await t.says(t.mara, "session start")
    for dice in ("attack +5 ac 12", "attack +5 adv", "1d20") * 9:
        await t.says(t.ann, "roll", dice=dice)
    caller = Caller(1, t.guild.id, t.channel.id, t.ann.id)
    campaign_id, running = await t.app.sessions.past(caller)
    rows = await t.app.sessions.rolls(campaign_id, running)
    faces = [face for row in rows for die, face in tosses(row.event) if die == "d20"]
    (ann,) = (await t.app.sessions.look_back(campaign_id, running)).players

    assert len(faces) == 36
    assert (ann.highs, ann.lows) == (faces.count("20"), faces.count("1"))


async def test_only_game_masters_mark_evenings(t: Table) -> None:
    """A player is told who may; an evening without rolls has no chart."""
    refused = await t.whispers(t.ann, "session start")
    await t.says(t.mara, "session start")
    recap = await shown(await t.slash(t.mara, "session end"))

    assert "game masters" in refused
    assert recap[1] == 0


async def test_what_is_not_there_gets_a_sentence(t: Table) -> None:
    """No rolls, an unknown roller, an unknown session."""
    first = await t.whispers(t.ann, "stats")
    await t.says(t.ann, "roll", dice="d20")
    unknown = await t.whispers(t.ann, "stats", roller="evil")
    session = await t.whispers(t.ann, "stats", session="first")
    number = await t.whispers(t.ann, "stats", session="#9")
    names = await t.offered(t.ann, "stats", "roller", "D")

    assert first.startswith("Nobody rolled here yet.")
    assert unknown.startswith("Nothing that counts was rolled with evil here yet.")
    assert session.startswith("There is no such session.")
    assert number.startswith("There is no such session.")
    assert names == ["d20"]


async def test_what_nobody_rolled_is_told_apart_from_what_one_did_not(t: Table) -> None:
    """Whose dice were asked for is named; where several things were asked for, they can be left out."""
    await t.says(t.ann, "roll", dice="d%")
    bobs = await t.whispers(t.ann, "stats", roller="d20", player=t.bob)
    percent = await t.says(t.ann, "stats", roller="d%")
    several = await t.whispers(t.ann, "stats", roller="2d%")
    nobodys = await t.slash(t.ann, "stats", character="Lia")

    assert bobs == f"{t.bob.mention} has rolled nothing that counts with d20 here yet."
    assert "`d100` · 1 die" in percent
    assert several == "Plain dice count one by one. Take `d100`."
    assert nobodys.followups[-1].content.startswith("No roll that counts fits all of that.")


async def test_a_session_of_more_than_a_day_says_on_which_it_ended(t: Table) -> None:
    """A time alone is that of the next time the clock shows it."""
    ends: list[str] = []
    for hours in (5, 30):
        await t.says(t.mara, "session start")
        t.env.backend.advance_clock(hours * 3_600)
        ends += (await t.says(t.mara, "session end")).partition(" · ")[2].split(" · ")[:1]

    assert [end[-3:] for end in ends] == [":t>", ":f>"]
