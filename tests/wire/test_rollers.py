"""/roller: who may make and change a channel's rollers, and what comes of it."""

import pytest
from simcord.components import walk_components

from tests.support.realm import LIMITS
from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.tongues import speak
from tests.support.wire import reply

DECK = ["1", "2", "3", "4", "5", "6"]
CHANGES: list[tuple[str, dict[str, object]]] = [
    ("roller fair", {"name": "New", "dice": "2d6"}),
    ("roller dynamic", {"name": "New"}),
    ("roller deck", {"name": "New"}),
    ("roller dice", {"name": "New", "dice": "1d20+5"}),
    ("roller reset", {"name": "Cards"}),
    ("roller undo", {"name": "Cards"}),
    ("roller remove", {"name": "Cards"}),
]


async def drawn(t: Table, times: int = 1) -> list[str]:
    """Ann draws from the deck."""
    return totals(await t.says(t.ann, "roll", dice="Cards", times=times))


@pytest.mark.parametrize(("command", "options"), CHANGES)
async def test_changes_are_for_game_masters(t: Table, command: str, options: dict[str, object]) -> None:
    """A player is told in private whose right it is, and nothing has changed."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    before = await t.whispers(t.ann, "roller list")
    refused = await t.whispers(t.ann, command, **options)

    assert LIMITS in refused
    assert await t.whispers(t.ann, "roller list") == before
    assert len(t.seen_by(t.bob)) == 1


@pytest.mark.parametrize(
    ("command", "options", "tag"),
    [
        ("fair", {"dice": "2d6"}, "fair 2d6, tightness 1, shared by the table"),
        ("fair", {"dice": "1d20", "tightness": "2.5"}, "fair 1d20, tightness 2.5,"),
        ("fair", {"dice": "2d6", "tightness": "inf"}, "hat of 2d6,"),
        ("fair", {"dice": "2d6", "memory": "player"}, "each player's own"),
        ("dynamic", {}, "dynamic 1d6, factor 0.355, shared by the table"),
        ("dynamic", {"dice": "1d20", "factor": "0.5", "memory": "player"}, "dynamic 1d20, factor 0.5,"),
        ("deck", {}, "deck of 1d6, 6 cards, refilled below 4 cards,"),
        ("deck", {"size": 2, "refill": 3, "mode": "reset"}, "12 cards, refilled below 3 cards, reshuffled"),
        ("deck", {"dice": "1d4", "memory": "player"}, "each player's own"),
        ("dice", {"dice": "1d20+5"}, "plain dice 1d20+5."),
    ],
)
async def test_each_kind_says_openly_what_it_is(
    t: Table, command: str, options: dict[str, object], tag: str
) -> None:
    """Everybody reads the making, the list shows the roller, and it can be rolled."""
    made = await t.says(t.mara, f"roller {command}", name="Mine", **options)
    listed = await t.whispers(t.bob, "roller list")
    said = await t.says(t.ann, "roll", dice="mine")

    assert tag in made
    assert listed.startswith("**Rollers**\n**Mine** · ")
    assert numbered(said) == numbered(made) + 1
    assert "**Mine** · " in said


async def test_an_empty_list_says_how_to_begin(t: Table) -> None:
    """Where there is no roller, the list names the command that makes one."""
    assert "`/roller fair`" in await t.whispers(t.ann, "roller list")


async def test_tuning_keeps_the_memory(t: Table) -> None:
    """Twelve rolls of a hat, then a looser tightness, then the hat again: it never forgot what came."""
    await t.says(t.mara, "roller fair", name="Cards", dice="1d6", tightness="inf")
    first = await drawn(t, 4)
    tuned = await t.says(t.mara, "roller fair", name="cards", dice="1d6", tightness="3")
    await t.says(t.mara, "roller fair", name="Cards", dice="1d6", tightness="inf")
    rest = await drawn(t, 2)

    assert "changed: fair 1d6, tightness 3," in tuned
    assert sorted(first + rest) == DECK


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("roller deck", {"name": "Luck"}),
        ("roller fair", {"name": "LUCK", "dice": "1d20"}),
        ("roller fair", {"name": "Luck", "dice": "2d6", "memory": "player"}),
    ],
)
async def test_a_taken_name_is_asked_about(t: Table, command: str, options: dict[str, object]) -> None:
    """Another system, other dice or another owner of the memory change nothing before an answer."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    refused = await t.whispers(t.mara, command, **options)

    assert refused.startswith("`Luck` is fair 2d6, tightness 1, shared by the table. Make it ")
    assert "instead?" in refused


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("2d6", "already rolls plain dice"),
        ("ADV", "already rolls plain dice"),
        ("d100 Register", "the d100's own register"),
        ("@\u200b", "needs a name"),
    ],
)
async def test_a_name_that_would_confuse_is_refused(t: Table, name: str, reason: str) -> None:
    """A roller can't be called what would read as dice, nothing at all, or the register's name."""
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

    assert "don't know `cards`" in refused
    assert offered == []
    assert sorted(first + rest) == DECK


async def test_a_name_is_free_after_a_removal(t: Table) -> None:
    """A new roller of an old name begins with no memory."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await drawn(t, 5)
    await t.says(t.mara, "roller remove", name="Cards")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")

    assert sorted(await drawn(t, 6)) == DECK


async def test_players_may_have_a_memory_each(t: Table) -> None:
    """From a deck with a memory for each player, everybody draws all six cards."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards", memory="player")
    hands: dict[int, list[str]] = {}
    for _ in range(6):
        for actor in (t.ann, t.bob):
            hands.setdefault(actor.id, []).extend(totals(await t.says(actor, "roll", dice="Cards")))

    assert [sorted(hand) for hand in hands.values()] == [DECK, DECK]


async def test_a_channel_has_its_own_rollers(t: Table) -> None:
    """The next channel knows nothing of this one's rollers and numbers its events by itself."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    other = t.guild.create_text_channel("other")
    refused = reply(await t.ann.slash(other, "roll", dice="cards"))
    said = reply(await t.ann.slash(other, "roll", dice="1d6")).content

    assert "don't know `cards`" in refused.content
    assert numbered(said) == 1


@pytest.mark.parametrize("command", ["roller reset", "roller undo", "roller remove"])
async def test_what_is_not_there_is_said_so(t: Table, command: str) -> None:
    """A name without a roller is answered in private, with the command that shows them."""
    said = await t.whispers(t.mara, command, name="`Lu@ck`")

    assert said == "There is no roller `Luck` here. `/roller list` shows them."


@pytest.mark.parametrize("command", ["roller reset", "roller undo", "roller remove"])
async def test_rollers_are_offered_by_name(t: Table, command: str) -> None:
    """Who types part of a name, in any case, is offered the channel's rollers that have it."""
    for name in ("Luck", "Cards", "Ludo"):
        await t.says(t.mara, "roller deck", refill=1, name=name)

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
