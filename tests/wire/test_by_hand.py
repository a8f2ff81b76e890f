"""Dice thrown by hand, typed into /roll and /check and under calls: what counts and what is told."""

from tests.support.groups import call, rolls, text
from tests.support.shown import labels
from tests.support.table import Table, entries, totals
from tests.support.wire import reply


async def test_plain_dice(t: Table) -> None:
    """The total is that of the typed dice, they are shown and marked, and can't be rolled again."""
    rolled = await t.slash(t.ann, "roll", dice="2d6+3", thrown="5 2")
    said = reply(rolled).content
    twice = await t.says(t.ann, "roll", dice="1d20", times=2, thrown="20, 1")

    assert said.startswith("**10** ← 2d6 (5, 2) + 3")
    assert "thrown by hand" in said
    assert labels(reply(rolled).components) == []
    assert totals(twice) == ["20", "1"]
    assert entries(await t.whispers(t.bob, "history"))[1].endswith("**10** (`2d6+3`, dice thrown by hand)")


async def test_wrong_dice_change_nothing(t: Table) -> None:
    """A seven, a die too few and one too many are refused in private, with what would fit."""
    seven = await t.whispers(t.ann, "roll", dice="2d6+3", thrown="5 7")
    few = await t.whispers(t.ann, "roll", dice="2d6+3", thrown="5")
    many = await t.whispers(t.ann, "roll", dice="2d6+3", thrown="5 2 1")
    word = await t.whispers(t.ann, "roll", dice="2d6+3", thrown="five")

    assert seven == "A d6 shows 1 to 6, not 7."
    assert few == "After 5 comes one more d6. Type every die as it fell."
    assert many == "You typed 3 dice, but this roll has 2. Leave 1 out."
    assert word == "'five' is no face. Type what your dice show, such as 5 2."
    assert "Nothing here yet" in await t.whispers(t.ann, "history")


async def test_named_faces_are_typed_by_their_names(t: Table) -> None:
    """In any case, and by their places too; another name is refused with those that there are."""
    faces = "2d{fire wood 4, brick}"
    named = await t.says(t.ann, "roll", dice=faces, thrown="Brick fire Wood")
    placed = await t.says(t.ann, "roll", dice=faces, thrown="2 1")
    other = await t.whispers(t.ann, "roll", dice=faces, thrown="brick stone")
    beyond = await t.whispers(t.ann, "roll", dice=faces, thrown="2 3")

    assert named.startswith("**brick, fire wood**")
    assert placed.startswith("**brick, fire wood**")
    assert other == "'stone' is none of the faces: fire wood, brick."
    assert beyond == "'3' is none of the faces: fire wood, brick."


async def test_named_faces_of_a_saved_roll(t: Table) -> None:
    """Its results stand by their names, thrown by the bot or typed, as those of the dice themselves."""
    await t.whispers(t.ann, "save", name="Spoils", dice="2d{fire wood 4, brick}")
    rolled = await t.says(t.ann, "roll", dice="spoils")
    named = await t.says(t.ann, "roll", dice="Spoils", thrown="Brick fire Wood")

    assert rolled.startswith(("**fire wood", "**brick"))
    assert named.startswith("**brick, fire wood**")


async def test_a_roller_remembers_them_unless_the_game_master_minds(t: Table) -> None:
    """A deck without its 6 takes no second one; a setting keeps memories free of typed dice."""
    await t.says(t.mara, "roller deck", name="Luck", dice="1d6", refill=1)
    six = await t.says(t.ann, "roll", dice="Luck", thrown="6")
    again = await t.whispers(t.ann, "roll", dice="Luck", thrown="6")
    beside = await t.says(t.ann, "roll", dice="Luck + 1d4", thrown="5 3")
    changed = await t.says(t.mara, "admin settings", by_hand=False)
    refused = await t.whispers(t.ann, "roll", dice="Luck", thrown="1")
    practice = await t.says(t.ann, "roll", dice="Luck", thrown="6", practice=True)
    plain = await t.says(t.ann, "roll", dice="1d6", thrown="1")

    assert six.startswith("**6** ← 1d6 (6)")
    assert "thrown by hand" in six
    assert again == "6 can't come out now. These can: 1, 2, 3, 4, 5."
    assert beside.startswith("**8** ← 5 (1d6 (5)), +3 (`1d4`)")
    assert "rollers take no dice thrown by hand" in changed
    assert refused == (
        "Here no roller remembers dice thrown by hand. Roll it with the bot, or add `practice:True` to "
        "`/roll`."
    )
    assert practice.startswith("**6** ←")
    assert plain.startswith("**1** ←")


async def test_games_and_cards(t: Table) -> None:
    """A game's roll takes the dice of its rule; cards have none."""
    await t.says(t.mara, "roller cards", name="Spies", cards="spy 3, thief 3")
    await t.says(t.mara, "game use", game="blades")
    action = await t.says(t.ann, "roll", dice="action 2", thrown="6 6")
    cards = await t.whispers(t.ann, "roll", dice="Spies", thrown="1")

    assert "critical" in action
    assert cards == "Nobody can throw that by hand. Roll it with the bot."


async def test_a_check_by_the_form(t: Table) -> None:
    """*My dice…* under a check makes the same check with typed dice, and keeps what is wrong private."""
    first = await t.slash(t.ann, "check", dice="d20+5", dc=15, thrown="9")
    check = await t.slash(t.ann, "check", dice="d20+5", dc=15, label="Climb")
    wrong = await t.ann.submit_modal(await t.press(check, "My dice…", t.ann), {"thrown": "21"})
    right = await t.ann.submit_modal(await t.press(check, "My dice…", t.ann), {"thrown": "10"})
    other = await t.press(check, "My dice…", t.bob)

    assert labels(reply(first).components) == []
    assert "Fails by 1" in reply(first).content
    assert labels(reply(check).components) == ["Again", "My dice…"]
    assert reply(wrong).content == "A d20 shows 1 to 20, not 21."
    assert "Just passes" in reply(right).content
    assert "Climb" in reply(right).content
    assert "thrown by hand" in reply(right).content
    assert "somebody else's" in reply(other).content


async def test_a_call_by_the_form(t: Table) -> None:
    """*My dice…* answers a call with one's own dice and a bonus; the board marks them, and once is enough."""
    called = await call(t, dc=15)
    form = await t.press(called, "My dice…", t.ann)
    wrong = reply(await t.ann.submit_modal(form, {"thrown": "5 5", "added": ""}))
    form = await t.press(called, "My dice…", t.ann)
    right = reply(await t.ann.submit_modal(form, {"thrown": "12", "added": "+5"}))
    again = await rolls(t, called, t.ann)

    assert wrong.content == "You typed 2 dice, but this roll has 1. Leave 1 out."
    assert right.content.startswith("**17** ← 1d20 (12) + 5")
    assert "thrown by hand" in right.content
    assert again.content.startswith("You already rolled:")
    assert "thrown by hand" in text(called)


async def test_an_initiative_with_ones_own_dice(t: Table) -> None:
    """Ties are broken by lots, which nobody throws."""
    order = await t.slash(t.mara, "group initiative", dice="1d20")
    for who in (t.ann, t.bob):
        form = await t.press(order, "My dice…", who)
        await who.submit_modal(form, {"thrown": "12", "added": ""})

    assert text(order).count("tie, placed by lot") == 2


async def test_bets_on_the_dice_leave_them_out(t: Table) -> None:
    """/rigged counts the bot's dice alone; /verify makes typed ones again, and counts them by player."""
    await t.says(t.ann, "roll", dice="1d20", times=20)
    for face in range(20):
        await t.says(t.bob, "roll", dice="1d20", thrown=str(face % 2 + 19))
    await t.says(t.ann, "roll", dice="1d20", times=10)
    rigged = await t.slash(t.ann, "rigged", roller="d20")
    details = await t.pressed(rigged, "Details", t.ann)
    bobs = await t.whispers(t.ann, "rigged", roller="d20", player=t.bob)
    verified = await t.whispers(t.ann, "verify")

    assert "· 30 dice" in reply(rigged).content.splitlines()[0]
    assert "dice thrown by hand don't" in details
    assert bobs == f"{t.bob.mention} has rolled nothing that counts with d20 here yet."
    assert "I replayed 22 rolls." in verified
    assert "Proof mode" not in verified
    assert f"20 rolls were typed in ({t.bob.mention} 20): #2 to #21." in verified


async def test_judgements_leave_them_out(t: Table) -> None:
    """/stats counts the bot's dice alone and says how many rolls were typed; so does a recap."""
    await t.says(t.mara, "session start")
    for _ in range(3):
        await t.says(t.ann, "roll", dice="1d20", thrown="20")
    await t.says(t.ann, "roll", dice="1d20")
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.says(t.ann, "roll", dice="Luck")
    await t.says(t.ann, "roll", dice="Luck", thrown="5 2")
    luck = await t.says(t.ann, "stats", roller="Luck")
    evening = await t.says(t.ann, "stats", roller="d20", session="1")
    await t.says(t.mara, "roller undo", name="Luck")
    stats = await t.says(t.ann, "stats", roller="d20")
    ended = await t.says(t.mara, "session end")

    assert "1 roll was thrown by hand and left out." in luck
    assert "3 rolls were thrown by hand and left out." in evening
    assert "3 rolls were thrown by hand and left out." in stats
    assert "3 rolls were thrown by hand and left out." in ended
    assert "natural 20s" not in ended
