"""Numbers in dice are each person's own: who has said theirs rolls, who hasn't is asked once."""

from simcord import InteractionResult, MemberActor

from tests.support.groups import call, ids, leads, named, text
from tests.support.table import Table
from tests.support.wire import reply


async def asked(t: Table, called: InteractionResult, actor: MemberActor) -> InteractionResult | None:
    """The form that a press opens; None where it rolls."""
    pressed = await t.press(called, "Roll", actor)
    return pressed if pressed.modal else None


async def sends(
    actor: MemberActor, form: InteractionResult, name: str, number: str, *, keep: bool = True
) -> str:
    """The answer to a form whose dice are left as they come."""
    assert form.modal
    first, *_, last = (each["component"] for each in form.modal["components"])
    assert first["custom_id"] == f"number:{name}"
    dice = last["value"]
    typed = {"dice": dice, f"number:{name}": number, "keep": keep}
    return reply(await actor.submit_modal(form, typed)).content


async def test_five_players_and_two_forms(t: Table) -> None:
    """Three have the number and press; two are asked, and press as well for the next call."""
    players = [
        t.mara,
        t.ann,
        t.bob,
        *(t.guild.add_member(t.env.create_user(name)) for name in ("cid", "dee")),
    ]
    for bonus, player in enumerate(players[:3]):
        await t.whispers(player, "me", set=f"stealth {bonus}")
    first = await call(t, "1d1+stealth", dc=3)
    forms = [await asked(t, first, player) for player in players]
    for player, form in zip(players[3:], forms[3:], strict=True):
        assert form
        await player.submit_modal(form, {"number:stealth": "+7", "keep": True})
    second = await call(t, "1d1+stealth")
    again = [await asked(t, second, player) for player in players]

    assert [form is None for form in forms] == [True, True, True, False, False]
    assert again == [None] * 5
    for called in (first, second):
        rolls = [line.split("**")[1] for line in text(called).splitlines() if line.startswith("<@")]
        assert rolls == ["8", "8", "3", "2", "1"]
    assert "`1d1+stealth` against DC 3" in text(first)


async def test_a_number_on_a_roller_is_asked_too(t: Table) -> None:
    """Whoever has it presses, who hasn't is asked; monsters join with dice of their own."""
    await t.says(t.mara, "roller fair", name="Luck", dice="d{5,5}")
    await t.whispers(t.ann, "me", set="str 3")
    called = await call(t, "Luck+{str}d1 dis")
    forms = [await asked(t, called, player) for player in (t.ann, t.bob)]
    assert forms[0] is None
    assert forms[1]
    await t.bob.submit_modal(forms[1], {"number:str": "+7", "keep": True})

    assert "`Luck+{str}d1 dis`" in text(called)
    assert f"{t.ann.mention} **8** ← the lower of 5 and 5, +3 (`3d1`)" in text(called)
    assert f"{t.bob.mention} **12** ← the lower of 5 and 5, +7 (`7d1`)" in text(called)


async def test_a_roll_asks_and_keeps(t: Table) -> None:
    """The form comes with the dice; once kept, the same is rolled at once, by its owner alone."""
    form = await t.slash(t.ann, "roll", dice="1d1+str", label="Lift", times=2)
    rolled = await sends(t.ann, form, "str", "+3")
    again = await t.says(t.ann, "roll", dice="1d1 + {STR} + $str")
    other = await t.slash(t.bob, "roll", dice="1d1+str")
    named = [await t.slash(t.bob, "roll", dice=f"1d1+{'supercali' * n}") for n in (3, 7)]
    labels = [form.modal["components"][0]["label"] for form in named if form.modal]

    assert labels == [f"Your {'supercali' * 3} bonus?", f"{'supercali' * 5}"[:44] + "…"]
    assert (await t.slash(t.ann, "roll", dice="1d1 vs pluck # hold on")).modal
    assert rolled.startswith("**Lift**\n**4** ← 1d1 (1) + 3\n**4** ← 1d1 (1) + 3")
    assert again.startswith("**7**")
    assert other.modal


async def test_what_is_not_kept_is_asked_again(t: Table) -> None:
    """A formula may use what is known; what is none is refused, and nothing rolled."""
    await t.whispers(t.ann, "me", set="dex 2")
    form = await t.slash(t.ann, "roll", dice="1d1+stealth")
    wrong = await sends(t.ann, form, "stealth", "many")
    form = await t.slash(t.ann, "roll", dice="1d1+stealth")
    rolled = await sends(t.ann, form, "stealth", "dex+3", keep=False)

    assert wrong == "stealth uses many, and you have no such number."
    assert rolled.startswith("**6**")
    assert (await t.slash(t.ann, "roll", dice="1d1+stealth")).modal
    assert await t.whispers(t.ann, "me") == "**Your numbers**\n**dex** +2"


async def test_a_shared_roll_has_each_persons_numbers(t: Table) -> None:
    """Also as a key of a keyboard."""
    await t.whispers(t.mara, "me", set="str 1")
    await t.whispers(t.mara, "save", name="Smash", dice="1d1+str", shared=True)
    await t.whispers(t.ann, "me", set="str 5")
    keys = await t.slash(t.ann, "buttons", set="saved")

    assert (await t.says(t.mara, "roll", dice="Smash")).startswith("**2** ← 1d1 (1) + 1\n-# Smash")
    assert (await t.pressed(keys, "Smash", t.ann)).startswith("**6** ← 1d1 (1) + 5")
    assert (await t.press(keys, "Smash", t.bob)).modal


async def test_initiative_takes_its_number(t: Table) -> None:
    """Where there is one, unless something else is added; nobody is asked."""
    await t.whispers(t.ann, "me", set="Init 4")
    await t.whispers(t.mara, "me", set="initiative 6, init 1")
    called = await t.slash(t.mara, "group initiative", dice="1d1")
    for player in (t.ann, t.bob, t.mara):
        assert await asked(t, called, player) is None
    second = await t.slash(t.mara, "group initiative", dice="1d1")
    form = await t.press(second, "+ bonus…", t.ann)
    await t.ann.submit_modal(form, {"added": "+9"})

    assert [line.split("**")[1] for line in text(called).splitlines() if line.startswith("<@")] == [
        "7",
        "5",
        "1",
    ]
    assert f"{t.ann.mention} **10**" in text(second)


async def test_initiative_on_a_roller_takes_it_too(t: Table) -> None:
    """On top of what is added to the roller; a game's own words take nothing."""
    await t.says(t.mara, "roller fair", name="Luck", dice="d{5,5}")
    await t.whispers(t.ann, "me", set="init 4-1")
    called = await t.slash(t.mara, "group initiative", dice="Luck+1d1")
    words = await t.slash(t.mara, "group initiative", dice="dnd5 check +2")
    for player in (t.ann, t.bob):
        assert await asked(t, called, player) is None
        assert await asked(t, words, player) is None

    assert f"{t.ann.mention} **9** ← 5, +4 (`1d1+3`)" in text(called)
    assert f"{t.bob.mention} **6** ← 5, +1 (`1d1`)" in text(called)
    assert f"{t.ann.mention} **" in text(words)


async def test_who_is_missing_is_rolled_for_with_their_numbers(t: Table) -> None:
    """What they never said counts 0; advantage goes with one's number too."""
    await t.whispers(t.ann, "me", set="stealth 4")
    await t.whispers(t.mara, "me", set="stealth 2")
    called = await call(t, "1d1+stealth", players=named(t.ann, t.bob, t.mara))
    form = await t.press(called, "+ bonus…", t.mara)
    await t.mara.submit_modal(form, {"added": "adv +1"})
    await leads(t, called, "Roll for the missing")
    lines = {ids(line)[0]: line.split("**")[1] for line in text(called).splitlines() if "<@" in line[:2]}

    assert lines == {t.mara.id: "4", t.ann.id: "5", t.bob.id: "1"}


async def test_an_unknown_word_of_the_game_asks_for_its_bonus(t: Table) -> None:
    """The refusal has a button that asks once; then the word alone rolls."""
    await t.says(t.mara, "game use", game="dnd5")
    refused = await t.slash(t.ann, "roll", dice="perception")
    form = await t.press(refused, "Roll d20+perception", t.ann)
    rolled = await sends(t.ann, form, "perception", "+3")
    again = await t.says(t.ann, "roll", dice="perception adv")

    assert reply(refused).content.startswith("I don't know `perception`. Did you mean `d20+perception` (")
    assert ") + 3\n" in rolled
    assert ") + 3\n" in again


async def test_a_call_takes_a_word_alone(t: Table) -> None:
    """On the usual dice of the game, whether the game master has a number of that name or not."""
    await t.says(t.mara, "game use", game="dnd5")
    await t.whispers(t.mara, "me", set="climb 2")
    called = [await call(t, word, dc=5) for word in ("stealth", "climb")]
    form = await asked(t, called[0], t.ann)

    assert form
    assert ["`d20+stealth` against DC 5" in text(called[0]), "`d20+climb`" in text(called[1])] == [True] * 2
    assert await asked(t, called[1], t.mara) is None


async def test_a_check_asks_as_a_roll_does(t: Table) -> None:
    """For a number that nobody knows, and with a button for what was meant; the DC stays."""
    form = await t.slash(t.ann, "check", dice="1d1+stealth", dc=9)
    rolled = await sends(t.ann, form, "stealth", "+7")
    again = await t.says(t.ann, "check", dice="1d1+stealth", dc=9)
    refused = await t.slash(t.ann, "check", dice="1w1", dc=2, label="Climb")
    meant = reply(await t.press(reply(refused), "Roll 1d1 vs 2 # Climb", t.ann)).content
    bare = await t.slash(t.ann, "check", dice="1w1", dc=2, degrees="miss, 0 pass")
    without_dc = await t.whispers(t.ann, "check", dice="1d1+climb")

    for content in (rolled, again):
        assert "**Fails by 1**" in content
    assert "**1** ← 1d1 (1) vs 2\n**Fails by 1**" in meant
    assert "Climb" in meant
    assert reply(bare).components == []
    assert without_dc == "What must it beat? Add `dc:15` or `against:@Ann`."


async def test_who_was_not_called_is_asked_for_no_number(t: Table) -> None:
    """They are told at once that the call is for others."""
    called = await call(t, "1d20+stealth", players=named(t.ann))
    pressed = await t.press(called, "Roll", t.bob)

    assert pressed.modal is None
    assert reply(pressed).content == "This call is for others. Ask a game master to add you."
