"""/group initiative: a sorted order, ties broken by lots, whose turn it is, and who comes late."""

from simcord import InteractionResult
from simcord.components import walk_components

from tests.support.groups import adds, call, ids, labels, leads, live, named, rolls, text
from tests.support.realm import LIMITS
from tests.support.table import Table, entries, totals
from tests.support.wire import reply


async def begun(t: Table, **plus: int) -> InteractionResult:
    """An initiative in which Mara, Ann and Bob have what is said for them."""
    called = await t.slash(t.mara, "group initiative", dice="1d1+10")
    for actor in t.world.actors:
        if actor.name in plus:
            await adds(t, called, actor, f"+{plus[actor.name]}")
    return called


def order(called: InteractionResult) -> list[str]:
    """The lines of the order, without those before and after."""
    return [line for line in text(called).splitlines() if " **" in line and not line.startswith("**")]


def at_turn(called: InteractionResult) -> list[str]:
    """The lines with the mark."""
    return [line.removeprefix("➤ ").split(" ")[0] for line in order(called) if line.startswith("➤ ")]


async def test_the_highest_goes_first(t: Table) -> None:
    """Whoever rolled first; a late joiner takes their place in the order."""
    called = await begun(t, mara=1, bob=3)
    two = [ids(line)[0] for line in order(called)]
    await adds(t, called, t.ann, "+2")

    assert two == [t.bob.id, t.mara.id]
    assert [ids(line)[0] for line in order(called)] == [t.bob.id, t.ann.id, t.mara.id]
    assert order(called)[0] == f"{t.bob.mention} **14** ← 1d1 (1) + 10 + 3"
    assert "tie" not in text(called)


async def test_ties_are_broken_by_lots(t: Table) -> None:
    """The rows say so, without the lots; these are drawn with the rolls, so nothing changes them later."""
    called = await begun(t, mara=0, ann=0, bob=0)
    lines = order(called)
    for label in ("Close", "Reopen"):
        await leads(t, called, label)

    assert [line.rpartition(" · ")[2] for line in lines] == ["tie, placed by lot"] * 3
    assert order(called) == lines


async def test_turns_go_round(t: Table) -> None:
    """From the highest to the lowest and on to the next round; the mark is at one line alone."""
    called = await begun(t, mara=1, ann=2)
    fresh = at_turn(called), "Round" in text(called), labels(called)[-1]
    seen: list[tuple[list[str], bool]] = []
    for label in ("Begin", "Next turn", "Next turn"):
        await t.press(called, label, t.mara)
        seen.append((at_turn(called), "Round 2:" in text(called)))

    assert fresh == ([], False, "Begin")
    assert seen == [([t.ann.mention], False), ([t.mara.mention], False), ([t.ann.mention], True)]


async def test_an_edit_that_a_press_may_have_overtaken_is_made_again(t: Table) -> None:
    """The bot edited the message shortly before, and its edit may reach Discord after that of the press."""
    live(t).seconds = 10
    called = await begun(t, ann=2)
    await t.press(called, "Begin", t.mara)
    before = live(t).edits
    await t.env.advance_time(10)

    assert live(t).edits == before + 1


async def test_a_late_joiner_is_not_left_out_of_the_round(t: Table) -> None:
    """Who comes in after the one at turn has theirs in the same round; before it, in the next."""
    called = await begun(t, ann=5)
    await t.press(called, "Begin", t.mara)
    await adds(t, called, t.bob, "+1")
    await adds(t, called, t.mara, "+9")
    turns: list[list[str]] = []
    for _ in range(3):
        await t.press(called, "Next turn", t.mara)
        turns.append(at_turn(called))

    assert turns == [[t.bob.mention], [t.mara.mention], [t.ann.mention]]
    assert "Round 2:" in text(called)


async def test_who_may_end_a_turn(t: Table) -> None:
    """Whose it is, and the game master; others are refused."""
    called = await begun(t, ann=2, bob=1)
    begin = await rolls(t, called, t.bob, "Begin")
    await t.press(called, "Begin", t.mara)
    refused = await rolls(t, called, t.bob, "Next turn")
    await t.press(called, "Next turn", t.ann)

    assert begin.content.startswith(LIMITS)
    assert refused.content == "It is not your turn. Only game masters press that for others."
    assert at_turn(called) == [t.bob.mention]


async def test_monsters_join(t: Table) -> None:
    """The form brings the call's dice, which may be changed; each has a line and a turn of their own."""
    called = await begun(t, ann=5)
    form = await leads(t, called, "Add monsters…")
    panel = reply(await t.mara.submit_modal(form, {"names": "Goblin x2, *Boss*", "dice": "1d1+20"}))
    await t.deliver_again()
    await t.press(called, "Begin", t.mara)
    history = await t.whispers(t.bob, "history", label="initiative")

    assert sorted(line.removeprefix("➤ ").split(" **")[0] for line in order(called)[:3]) == [
        "Goblin 1",
        "Goblin 2",
        "\\*Boss\\*",
    ]
    assert ids(order(called)[3]) == [t.ann.id]
    assert at_turn(called)[0].startswith(("Goblin", "\\*Boss"))
    assert "1d1+10" in panel.content
    assert "\\*Boss\\* **21**" in text(called)
    assert entries(history)[0].endswith("Initiative · **21 · 21 · 21** (`3#1d1+20`)")
    assert len(entries(history)) == 3


async def test_a_form_of_somebody_who_may_not(t: Table) -> None:
    """Who lost the right while the form was open adds nobody."""
    called = await begun(t, ann=5)
    form = await leads(t, called, "Add monsters…")
    t.env.backend.get_guild(t.guild.id).members[t.mara.id].role_ids.clear()
    before = text(called)
    answer = reply(await t.mara.submit_modal(form, {"names": "Goblin", "dice": "1d20"}))

    assert answer.content.startswith(LIMITS)
    assert text(called) == before


async def test_monsters_of_a_check_stay_out_of_its_verdict(t: Table) -> None:
    """Each is held against the DC, but the group is its players; they are nobody's mention."""
    called = await call(t, "1d1+14", dc=15, rule="half", players=named(t.ann))
    form = await leads(t, called, "Add monsters…")
    await t.mara.submit_modal(form, {"names": "Goblin x3", "dice": "1d1"})
    await rolls(t, called, t.ann)

    assert "Goblin 2 **1** ← 1d1 (1) · fails by 14" in text(called)
    assert "**The group succeeds**: 1 of 1 pass." in text(called)


async def test_closed_the_order_goes_on(t: Table) -> None:
    """Nobody joins any more, turns pass; cancelled there are none."""
    called = await begun(t, mara=1, ann=2)
    await leads(t, called, "Close")
    closed = labels(called)
    await t.press(called, "Begin", t.mara)
    turn = at_turn(called)
    late = await rolls(t, called, t.bob, "My roll")
    await leads(t, called, "Call it off")

    assert closed == ["My roll", "GM…", "Begin"]
    assert turn == [t.ann.mention]
    assert late.content == "This call is closed. A game master can reopen it."
    assert "Closed to newcomers." not in text(called)
    assert labels(called) == ["GM…"]


async def test_an_undone_roll_leaves_the_order(t: Table) -> None:
    """With a roller of numbers; whose turn was undone is not waited for, and they may roll again."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    called = await t.slash(t.mara, "group initiative", dice="cards")
    for who in (t.ann, t.bob):
        await rolls(t, called, who)
    await t.says(t.mara, "roller undo", name="Cards")
    one = [ids(line)[0] for line in order(called)]
    again = await rolls(t, called, t.bob)

    assert one == [t.ann.id]
    assert len(totals(again.content)) == 1
    assert len(order(called)) == 2


async def test_one_button_is_green_and_it_is_the_next_thing_to_do(t: Table) -> None:
    """To roll while somebody is missing, to begin once all are in, then to pass the turn."""
    called = await t.slash(t.mara, "group initiative", players=named(t.ann, t.bob))
    seen = [green(called)]
    await rolls(t, called, t.ann)
    seen.append(green(called))
    await rolls(t, called, t.bob)
    seen.append(green(called))
    await t.press(called, "Begin", t.mara)
    seen.append(green(called))

    assert seen == [["Roll"], ["Roll"], ["Begin"], ["Next turn"]]


def green(called: InteractionResult) -> list[str]:
    """The labels of the primary buttons."""
    parts = walk_components(reply(called).components)
    return [part["label"] for part in parts if part["type"] == 2 and part["style"] == 1]


async def test_two_taps_on_next_pass_the_turn_once(t: Table) -> None:
    """Whoever's turn it is may press twice: the second press shows the order as it is, and is no fault.

    So it is where it begins.
    """
    called = await t.slash(t.mara, "group initiative")
    await t.press(called, "Roll", t.ann)
    await t.press(called, "Roll", t.bob)
    await t.press(called, "Begin", t.mara)
    begun_once = text(called)
    first = t.ann if f"{t.ann.mention}'s turn" in begun_once else t.bob
    await t.deliver_again()
    begun_twice = text(called)
    await t.press(called, "Next turn", first)
    once = text(called)
    await t.deliver_again()

    assert begun_twice == begun_once
    assert f"Round 1: {(t.bob if first is t.ann else t.ann).mention}'s turn." in once
    assert text(called) == once
    assert [said for said in t.replies if "Only game masters can do that" in said] == []


async def test_who_waits_goes_behind_the_next(t: Table) -> None:
    """Whose turn it is presses, or the game master; others are refused."""
    called = await begun(t, mara=3, ann=2, bob=1)
    for _ in range(2):
        await t.press(called, "Begin" if not at_turn(called) else "Next turn", t.mara)
    refused = await rolls(t, called, t.bob, "Delay")
    await t.press(called, "Delay", t.ann)

    assert refused.content == "It is not your turn. Only game masters press that for others."
    assert at_turn(called) == [t.bob.mention]
    assert [ids(line)[0] for line in order(called)] == [t.mara.id, t.bob.id, t.ann.id]


async def place(t: Table, called: InteractionResult, number: int) -> InteractionResult:
    """The game master's buttons for a place in the order."""
    asked = await leads(t, called, "Order…")
    menu = next(part for part in walk_components(reply(asked).components) if part["type"] == 3)
    return await t.mara.select(reply(asked), [menu["options"][number]["value"]])


async def test_places_in_the_order_are_chosen_by_name(t: Table) -> None:
    """A list can't mention anybody, so it has the names that the server gives to people."""
    called = await begun(t, mara=3, ann=2, bob=1)
    asked = await leads(t, called, "Order…")
    menu = next(part for part in walk_components(reply(asked).components) if part["type"] == 3)

    names = [one["label"].partition(":")[0] for one in menu["options"]]
    assert [name.casefold() for name in names] == ["mara", "ann", "bob"]


async def test_places_beyond_a_list_are_in_the_next(t: Table) -> None:
    """Discord's lists end at 25; nobody is out of a game master's reach."""
    called = await begun(t, ann=2)
    for names in ("Goblin x20", "Orc x10"):
        form = await leads(t, called, "Add monsters…")
        await t.mara.submit_modal(form, {"names": names, "dice": "1d1"})
    asked = await leads(t, called, "Order…")
    menus = [part for part in walk_components(reply(asked).components) if part["type"] == 3]
    last = menus[-1]["options"][-1]
    chosen = await t.mara.select(reply(asked), [last["value"]], custom_id=menus[-1]["custom_id"])
    await t.press(chosen, "Take out", t.mara)

    assert [len(menu["options"]) for menu in menus] == [25, 6]
    assert f"~~{last['label'].partition(':')[0]} **1**~~ (out)" in text(called)


async def test_an_order_in_which_everybody_is_out_has_nobodys_turn(t: Table) -> None:
    """It stays an order; who presses for the next turn is told why there is none, and how to go on."""
    called = await begun(t, ann=2, bob=1)
    await t.press(called, "Begin", t.mara)
    for n in (0, 1):
        await t.press(await place(t, called, n), "Take out", t.mara)
    out = text(called)
    refused = await rolls(t, called, t.mara, "Next turn")
    await t.press(await place(t, called, 1), "Put back", t.mara)
    await t.press(called, "Next turn", t.mara)

    assert [line.endswith("(out)") for line in out.splitlines()[1:3]] == [True, True]
    assert "\nRound 1.\n" in out
    assert refused.content == "Everybody is out. A game master puts somebody back: *GM…*, then *Order…*."
    assert at_turn(called) == [t.bob.mention]


async def test_a_game_master_changes_the_order(t: Table) -> None:
    """They set the turn, take somebody out and put them back, and note what is to be seen beside a name."""
    called = await begun(t, mara=3, ann=2, bob=1)
    await t.press(await place(t, called, 1), "Set turn", t.mara)
    given = at_turn(called)
    form = await t.press(await place(t, called, 2), "Note…", t.mara)
    await t.mara.submit_modal(form, {"note": "*prone*"})
    await t.press(await place(t, called, 2), "Take out", t.mara)
    out = order(called)[2]
    await t.press(called, "Next turn", t.mara)
    after = at_turn(called)
    await t.press(await place(t, called, 2), "Put back", t.mara)

    assert given == [t.ann.mention]
    assert out.startswith(f"~~{t.bob.mention} **12**~~ (out)")
    assert out.endswith(" · \\*prone\\*")
    assert after == [t.mara.mention]
    assert "Round 2:" in text(called)
    assert not order(called)[2].startswith("~~")
