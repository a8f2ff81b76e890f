"""/group npc: a game master rolls for several of their own at once."""

from tests.support.groups import labels, text
from tests.support.table import Table, entries, numbered, totals
from tests.support.wire import reply


async def test_one_name_or_all_of_them(t: Table) -> None:
    """A line for each, in order, after what it is for; one event in the history."""
    lines = {
        "": ["No. 1", "No. 2", "No. 3"],
        "Orc": ["Orc 1", "Orc 2", "Orc 3"],
        "Orc, Wolf,  *Boss* ": ["Orc", "Wolf", "\\*Boss\\*"],
        "Orc x2, Boss": ["Orc 1", "Orc 2", "Boss"],
        "2x Orc, Boss": ["Orc 1", "Orc 2", "Boss"],
        "2 × Orc, Boss": ["Orc 1", "Orc 2", "Boss"],
    }
    for names, shown in lines.items():
        options = {"names": names} if names else {}
        answer = await t.says(t.mara, "group npc", dice="1d1+4", count=3, label="Ambush", **options)
        history = await t.whispers(t.bob, "history", label="ambush")

        assert answer.splitlines()[:4] == ["**Ambush**", *(f"{name} **5** ← 1d1 (1) + 4" for name in shown)]
        assert numbered(answer) == len(entries(history))
        assert entries(history)[0].endswith("Ambush · **5 · 5 · 5** (`3#1d1+4`)"), names


async def test_what_is_said_behind_the_dice_is_the_label(t: Table) -> None:
    """Behind a sign, or behind an advantage; a label of one's own goes before it."""
    for dice, label, shown in (
        ("1d1+4 # Ambush", "", "Ambush"),
        ("1d20 adv Ambush", "", "Ambush"),
        ("1d1+4 # Ambush", "Bite", "Bite"),
    ):
        options = {"label": label} if label else {}
        answer = await t.says(t.mara, "group npc", dice=dice, count=2, **options)
        assert answer.startswith(f"**{shown}**\nNo. 1 ")


async def test_a_roller_remembers_them(t: Table) -> None:
    """Three monsters' cards are gone from the deck."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    answer = await t.says(t.mara, "group npc", dice="cards", count=3, names="Orc")
    faces = [line.split("**")[1] for line in answer.splitlines()[:3]]
    rest = totals(await t.says(t.ann, "roll", dice="cards", times=3))

    assert sorted(faces + rest) == ["1", "2", "3", "4", "5", "6"]


async def test_rolled_again_for_the_same(t: Table) -> None:
    """The button keeps the names."""
    answer = await t.slash(t.mara, "group npc", dice="1d20", count=2, names="Orc, Wolf")
    again = text(await t.press(answer, "Again", t.mara))

    assert [line.split(" **")[0] for line in again.splitlines()[:2]] == ["Orc", "Wolf"]
    assert numbered(again) == 2


async def test_a_button_that_cannot_keep_all_names_is_not_offered(t: Table) -> None:
    """Else the last monsters would lose theirs."""
    lists = (
        "Orc, Wolf, Boss",
        "Orc of the Northern Marches, Wolf of the Northern Marches, Boss of the Northern Marches",
    )
    dice = {"dice": "8d6 halved", "count": 3}
    asked = [await t.slash(t.mara, "group npc", **dice, names=names) for names in lists]
    rolled = text(await t.press(asked[0], "Roll 8d6//2", t.mara))

    assert [line.split(" **")[0] for line in rolled.splitlines()[:3]] == ["Orc", "Wolf", "Boss"]
    assert labels(asked[1]) == []


async def test_hidden_from_the_players(t: Table) -> None:
    """The game master alone sees the results, everybody that there were some."""
    answer = await t.slash(t.mara, "group npc", dice="1d9+700000", count=2, names="Orc", visibility="gm")

    assert reply(answer).ephemeral
    assert labels(answer) == ["Reveal"]
    assert t.seen_by(t.bob)[-1].startswith(f"{t.mara.mention} rolled, hidden.")
    assert not any("70000" in seen for seen in t.seen_by(t.bob))


async def test_what_does_not_go(t: Table) -> None:
    """A private sentence, and nothing rolled."""
    for options, says in (
        (
            {"names": "a, b, c"},
            "Those are 3 names, and the count is 2. Give one name, or one for each.",
        ),
        ({"dice": "2#d6"}, "Each rolls once. Leave the repeats out."),
        ({"dice": "1d20+4 to hit; 1d6+2"}, "those are 2 rolls. Roll `(1d20+4)[to hit]` first,"),
        ({"dice": "owls"}, "don't know `owls`"),
    ):
        answer = await t.whispers(t.mara, "group npc", **{"dice": "1d20", "count": 2, **options})

        assert says in answer, says

    assert "Nothing here yet" in await t.whispers(t.bob, "history")


async def test_how_many_hit(t: Table) -> None:
    """Held against one number each says how it does; the same again is held against it too."""
    answer = await t.slash(t.mara, "group npc", dice="1d1+{14,15}kh1 ac 15", count=2, names="Orc, Wolf")
    said = text(answer)
    again = text(await t.press(answer, "Again", t.mara))

    assert said.splitlines()[2] == "**2 of 2 pass.**"
    assert [line.rpartition(" · ")[2] for line in said.splitlines()[:2]] == ["passes by 1"] * 2
    assert again.splitlines()[:3] == said.splitlines()[:3]


async def test_what_a_games_attacks_add_up_to(t: Table) -> None:
    """So many of each class, the best first, and the damage together; without a target nobody knows."""
    answer = await t.says(t.mara, "group npc", dice="dnd5 attack +30 2d1+1 ac 1", count=9, names="Orc")
    rolls = [line for line in answer.splitlines() if line.startswith("Orc")]
    together = answer.splitlines()[len(rolls)]
    open_end = await t.says(t.mara, "group npc", dice="dnd5 attack +30 2d1+1", count=9)
    damage = [int(line.rpartition("damage ")[2].split()[0]) for line in rolls if "damage" in line]

    assert len(rolls) == 9
    assert together.startswith("**")
    assert together.endswith(f", {sum(damage)} damage** in all.")
    assert "in all" not in open_end
