"""/roller: who may make and change a channel's rollers, and what comes of it."""

from simcord.components import walk_components

from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.tongues import speak
from tests.support.wire import reply

DECK = ["1", "2", "3", "4", "5", "6"]


async def drawn(t: Table, times: int = 1) -> list[str]:
    """Ann draws from the deck."""
    return totals(await t.says(t.ann, "roll", dice="Cards", times=times))


async def test_an_empty_list_says_how_to_begin(t: Table) -> None:
    """Where there is no roller, the list names the command that makes one."""
    assert "`/roller fair`" in await t.whispers(t.ann, "roller list")


async def test_a_taken_name_is_asked_about(t: Table) -> None:
    """Another system, other dice or another owner of the memory change nothing before an answer."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    asked = [
        await t.whispers(t.mara, "roller deck", name="Luck"),
        await t.whispers(t.mara, "roller fair", name="LUCK", dice="1d20"),
        await t.whispers(t.mara, "roller fair", name="Luck", dice="2d6", memory="player"),
    ]

    for said in asked:
        assert said.startswith("`Luck` is fair 2d6, tightness 1, shared by the table. Make it ")
        assert "instead?" in said


async def test_a_name_that_would_confuse_is_refused(t: Table) -> None:
    """A roller can't be called what would read as dice, nothing at all, or the register's name."""
    for name, reason in (
        ("2d6", "already rolls plain dice"),
        ("ADV", "already rolls plain dice"),
        ("d100 Register", "the d100's own register"),
        ("@\u200b", "needs a name"),
    ):
        assert reason in await t.whispers(t.mara, "roller fair", name=name, dice="2d6")


async def test_a_name_loses_what_misleads(t: Table) -> None:
    """Mentions, backticks and characters that turn the writing round are taken out of a name."""
    made = await t.says(t.mara, "roller deck", refill=1, name="`<@&7>\u202eLuck`")

    assert made.startswith("**&7Luck** is ready: ")


async def test_nothing_is_reset_before_the_second_question(t: Table) -> None:
    """The command only asks; the press resets, tells everybody who did it, and takes the button away."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    first = await drawn(t, 5)
    question = await t.slash(t.mara, "roller reset", name="cards")
    sixth = await drawn(t)
    done = await t.press(question, "Reset it", t.mara)
    afresh = await drawn(t, 6)

    assert reply(question).ephemeral
    assert sorted(first + sixth) == DECK
    assert sorted(afresh) == DECK
    assert (reply(done).content, labels(reply(done).components)) == ("Done.", [])
    assert t.seen_by(t.bob)[-2].startswith(f"{t.mara.mention} reset `Cards`: it starts afresh.")


async def test_a_roller_removed_meanwhile_can_not_be_reset(t: Table) -> None:
    """The old button says in private that the roller is gone."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    question = await t.slash(t.mara, "roller reset", name="cards")
    await t.says(t.mara, "roller remove", name="cards")
    gone = reply(await t.press(question, "Reset it", t.mara))

    assert gone.ephemeral
    assert gone.content == "There is no roller `Cards` here. `/roller list` shows them."


async def test_undo_takes_back_one_thing_after_another(t: Table) -> None:
    """Reset, roll, roll, making: each undo takes back the newest that is left, until nothing is."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    first = await drawn(t, 4)
    second = await drawn(t)
    question = await t.slash(t.mara, "roller reset", name="Cards")
    await t.press(question, "Reset it", t.mara)
    undone = [await t.says(t.mara, "roller undo", name="cards") for _ in range(2)]
    again = await drawn(t, 2)
    undone += [await t.says(t.mara, "roller undo", name="cards") for _ in range(3)]
    nothing = await t.whispers(t.mara, "roller undo", name="cards")

    assert sorted(first + again) == DECK
    assert second[0] in again
    assert [numbered(text) for text in undone] == [5, 6, 8, 9, 10]
    assert [text.split(" undid ")[1].split(".")[0] for text in undone] == [
        "#4, the reset",
        f"#3, {t.ann.mention}'s roll",
        f"#7, {t.ann.mention}'s roll",
        f"#2, {t.ann.mention}'s roll",
        "#1, making or changing it",
    ]
    rests = [text.split(". ")[1].partition("\n")[0] for text in undone]
    assert rests == [*["`Cards` is as it was before."] * 4, "`Cards` is not here any more."]
    assert nothing == "There is nothing left to undo for Cards."
    assert "`/roller fair`" in await t.whispers(t.ann, "roller list")


async def test_a_removed_roller_comes_back_with_its_memory(t: Table) -> None:
    """Removed, it can't be rolled and isn't offered; undone, it goes on where it was."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    first = await drawn(t, 4)
    await t.says(t.mara, "roller remove", name="cards")
    refused = await t.whispers(t.ann, "roll", dice="cards")
    offered = await t.offered(t.ann, "roll", "dice", "")
    await t.says(t.mara, "roller undo", name="cards")
    rest = await drawn(t, 2)

    assert "The roller Cards was removed." in refused
    assert offered == []
    assert sorted(first + rest) == DECK


async def test_a_name_is_free_after_a_removal(t: Table) -> None:
    """A new roller of an old name begins with no memory."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await drawn(t, 5)
    await t.says(t.mara, "roller remove", name="Cards")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")

    assert sorted(await drawn(t, 6)) == DECK


async def test_rollers_are_found_and_offered_by_name(t: Table) -> None:
    """By a part of it, in any case; a name without a roller is answered with the command that shows them."""
    for name in ("Luck", "Cards", "Ludo"):
        await t.says(t.mara, "roller deck", refill=1, name=name)

    for command in ("roller reset", "roller undo", "roller remove"):
        said = await t.whispers(t.mara, command, name="`Lu@cky`")
        assert said == "There is no roller `Lucky` here. `/roller list` shows them."
        assert await t.offered(t.mara, command, "name", "") == ["Cards", "Luck", "Ludo"]
        assert await t.offered(t.mara, command, "name", "LU") == ["Luck", "Ludo"]


async def test_the_register_is_found_by_the_name_that_is_shown(t: Table) -> None:
    """A German game master undoes, resets, exports and removes it as it stands there, and in English."""
    await t.says(t.mara, "d100 roll")
    await t.says(t.mara, "d100 roll")
    speak(t, "de", "de")
    undone = await t.says(t.mara, "roller undo", name="d100-Register")
    again = await t.says(t.mara, "roller undo", name="d100 register")
    await t.says(t.mara, "d100 roll")
    asked = await t.slash(t.mara, "roller reset", name="D100-register")
    offers = [await t.offered(t.mara, *of, "100-r") for of in (("roller undo", "name"), ("stats", "roller"))]
    rolls = await t.whispers(t.mara, "history", roller="d100-Register")
    judged = await t.says(t.mara, "stats", roller="d100-Register")
    exported = await t.whispers(t.mara, "roller export", name="d100-Register")
    removed = await t.whispers(t.mara, "roller remove", name="d100-Register")

    assert offers == [["d100-Register"]] * 2
    assert rolls.startswith("#5 ")
    assert "· `d100-Register` · 1 Wurf" in judged
    assert exported.startswith("`d100-Register`: ")
    assert "gehört zu jeder Kampagne" in removed
    assert [numbered(undone), numbered(again)] == [3, 4]
    assert any(
        part["custom_id"].endswith(":d100 register")
        for part in walk_components(reply(asked).components)
        if "custom_id" in part
    )
