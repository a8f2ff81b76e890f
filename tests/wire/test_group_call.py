"""/group call: one message that fills in, and one roll for each."""

import re

import discord
import pytest

from tests.support.groups import MARK, SECRET, adds, call, ids, labels, leads, named, rolls, text
from tests.support.table import Table, entries, numbered, totals
from tests.support.tongues import speak
from tests.support.wire import reply
from tests.wire.test_group_show import EDITS


async def test_the_message_fills_in(t: Table) -> None:
    """Who rolled stands in it with total, dice and margin, who is missing by name, at the end the verdict."""
    called = await call(
        t, "1d1+14", dc=15, rule="half", players=named(t.mara, t.ann, t.bob), check="Sneak *past* it"
    )
    first = text(called).splitlines()
    await rolls(t, called, t.ann)
    second = text(called).splitlines()
    await adds(t, called, t.bob, "-1")
    await adds(t, called, t.mara, "-20")
    last = text(called).splitlines()

    head = "**Sneak \\*past\\* it** · `1d1+14` against DC 15, at least half must pass"
    seal = f"-# #1 · called by {t.mara.mention}"
    anns = f"{t.ann.mention} **15** ← 1d1 (1) + 14 · just passes"
    assert first == [head, f"Missing: {t.mara.mention}, {t.ann.mention}, {t.bob.mention}", seal]
    assert second == [
        head,
        anns,
        f"Missing: {t.mara.mention}, {t.bob.mention}",
        "So far: 1 of 1 pass.",
        f"{seal}",
    ]
    assert last == [
        head,
        anns,
        f"{t.bob.mention} **14** ← 1d1 (1) + 14 - 1 · fails by 1",
        f"{t.mara.mention} **-5** ← 1d1 (1) + 14 - 20 · fails by 20",
        "**The group fails**: 1 of 3 pass.",
        "All in.",
        f"{seal}",
    ]
    assert labels(called) == ["Chart", "Roll", "+ bonus…", "My dice…", "GM…"]


async def test_who_presses_is_answered_alone(t: Table) -> None:
    """Their own roll with its number, as an ordinary roll with the call's name, and how it meets the DC."""
    called = await call(t, "1d1+14", dc=12)
    answer = await rolls(t, called, t.ann)
    seen = t.seen_by(t.bob)
    found = await t.whispers(t.bob, "history", label="stealth")
    anns, bobs = [
        reply(await who.context_menu(t.channel, "Roll details", reply(called))) for who in (t.ann, t.bob)
    ]

    assert answer.content.startswith("**15** ← 1d1 (1) + 14\n**Passes by 3**\n-# Stealth · ")
    assert numbered(answer.content) == 2
    assert seen == [text(called)]
    assert f"{t.ann.mention} · Stealth · **15** (`1d1+14`)" in found.splitlines()[0]
    assert "called for `1d1+14`" in found.splitlines()[1]
    assert anns.content.startswith(f"**15** ← 1d1 (1) + 14\n-# {t.ann.mention} · Stealth · ")
    assert "Leaf `" in anns.content
    assert bobs.content == "You have no roll here. `/history` shows all rolls of a call."
    assert anns.ephemeral
    assert bobs.ephemeral


@pytest.mark.parametrize("label", ["Roll", "+ bonus…"])
async def test_pressed_twice_is_rolled_once(t: Table, label: str) -> None:
    """The second press tells the same roll and says so; the history has one, and nothing is edited.

    So does a form that was open before.
    """
    called = await call(t, "1d1000000")
    form = await t.press(called, "+ bonus…", t.ann)
    first = (await rolls(t, called, t.ann)).content
    shown = text(called)
    again = await rolls(t, called, t.ann, label)
    sent = reply(await t.ann.submit_modal(form, {"added": "adv +5"}))
    history = await t.whispers(t.bob, "history")

    assert again.content == sent.content == f"You already rolled:\n{first}"
    assert text(called) == shown
    assert len(entries(history)) == 2


@pytest.mark.refusing
async def test_delivered_twice_is_done_once(t: Table) -> None:
    """The call itself, a press and a form: the same words again, and no event more."""
    called = await call(t, "20d20", players=named(t.ann, t.bob))
    await t.deliver_again()
    await rolls(t, called, t.ann)
    await t.deliver_again()
    await adds(t, called, t.bob, "+3")
    await t.deliver_again()
    history = await t.whispers(t.bob, "history")

    assert [t.replies[n] == t.replies[n + 1] for n in (0, 2, 4)] == [True, True, True]
    assert len(entries(history)) == 3
    assert len(t.channel.history(viewer=t.mara)) == 1


async def test_a_call_whose_reply_is_refused_is_shown_all_the_same(t: Table) -> None:
    """The call stands, so its message comes without the command's reply, and fills in as any other."""
    t.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, message="no")
    await call(t, "1d1+14")
    (message,) = t.channel.history(viewer=t.bob)
    answer = reply(await t.press(message, "Roll", t.ann))
    (message,) = t.channel.history(viewer=t.bob)

    assert totals(answer.content) == ["15"]
    assert f"{t.ann.mention} **15**" in message.content


async def test_only_who_is_called_may_answer(t: Table) -> None:
    """Those who are named, and members of the role; others are refused, and everybody may where none is."""
    nothing = discord.Permissions.none()
    rogues, clerics = (t.guild.create_role(name, permissions=nothing) for name in ("Rogues", "Clerics"))
    cid, dan, eve = (
        t.guild.add_member(t.env.create_user(name), roles=roles)
        for name, roles in (("cid", [rogues]), ("dan", [clerics]), ("eve", []))
    )
    called = await call(t, "1d1", players=named(t.ann), role=rogues)
    answers = {who.name: (await rolls(t, called, who)).content for who in (t.ann, cid, dan, eve, t.mara)}
    anyone = await call(t, "1d1")
    everybody = [(await rolls(t, anyone, who)).content for who in (dan, eve)]

    refused = "This call is for others. Ask a game master to add you."
    assert [name for name, said in answers.items() if said == refused] == ["dan", "eve", "mara"]
    assert f"for <@&{rogues.id}>" in text(called)
    assert ids(text(called).splitlines()[1]) == [t.ann.id]
    assert all(totals(said) == ["1"] for said in everybody)


@pytest.mark.parametrize("label", ["+ bonus…", "My dice…"])
async def test_a_form_opens_for_who_may_send_it(t: Table, label: str) -> None:
    """Others hear at once what would be said behind it, and an old board shows that the call is over."""
    called = await call(t, players=named(t.ann, t.mara))
    others = await t.press(called, label, t.bob)
    await rolls(t, called, t.ann)
    again = await t.press(called, label, t.ann)
    opened = await t.press(called, label, t.mara)
    t.env.inject_error("PATCH", EDITS, status=403, code=50001, message="no", times=None)
    await leads(t, called, "Close")
    late = await t.press(called, label, t.mara)

    assert opened.modal
    assert reply(others).content == "This call is for others. Ask a game master to add you."
    assert reply(again).content.startswith("You already rolled:")
    assert late.followups[-1].content == "This call is closed. A game master can reopen it."
    assert "Closed." in text(called)


async def test_a_call_to_a_role_is_never_all_in(t: Table) -> None:
    """Nobody knows who has the role: rolls stay held, and the named and the role are reminded."""
    rogues = t.guild.create_role("Rogues", permissions=discord.Permissions.none())
    cid = t.guild.add_member(t.env.create_user("cid"), roles=[rogues])
    called = await call(
        t, SECRET, rule="all", dc=1, players=named(t.ann, t.bob), role=rogues, hold=True, minutes=8
    )
    await rolls(t, called, t.ann)
    await t.env.advance_time(6 * 60)
    reminder = t.channel.history()[-1].content
    await rolls(t, called, t.bob)
    early = text(called)
    late = await rolls(t, called, cid)
    await leads(t, called, "Close")

    assert "held until it is closed" in early
    assert f"Rolled: {t.ann.mention}, {t.bob.mention}" in early
    assert ("All in." in early, f"**{MARK}" in early, MARK in late.content) == (False, False, True)
    assert reminder.startswith(f"{t.bob.mention}, <@&{rogues.id}>: **Stealth** closes")
    assert "**The group succeeds**: 3 of 3 pass.\nClosed." in text(called)


async def test_what_can_not_be_called_for(t: Table) -> None:
    """A private sentence, and no call in the history."""
    for options, says in (
        ({"players": "Ann and Bob"}, "Name players by mentioning them: type @ and choose each of them."),
        ({"players": "<@0>"}, "Name players by mentioning them: type @ and choose each of them."),
        (
            {"players": "".join(f"<@{n}>" for n in range(1, 102))},
            "You can name 100 players at most, not 101.",
        ),
        ({"rule": "half"}, "This rule needs a DC. Add `dc`."),
        ({"dice": "3#d6"}, "Everybody rolls once for a call. Take 1d6 instead of 3#1d6."),
        ({"dice": "owls"}, "Which dice are for `owls`?"),
    ):
        answer = reply(await call(t, **{"dice": "1d20", **options}))
        history = await t.whispers(t.bob, "history")

        assert says in answer.content, says
        assert answer.ephemeral, says
        assert "Nothing here yet" in history, says


@pytest.mark.parametrize(
    ("dice", "heading", "face"),
    [
        ("coin", "heads / tails", "heads|tails"),
        ("choose tea, coffee # dinner", "tea / coffee", "tea|coffee"),
        ("2d{elk 2, owl}", "elk / owl", "(?:elk|owl), (?:elk|owl)"),
    ],
)
async def test_results_with_names_are_told_by_name(t: Table, dice: str, heading: str, face: str) -> None:
    """Each player's, on the board and in the history, and a game master's too; the title stays."""
    called = await call(t, dice, check="Toss")
    answer = (await rolls(t, called, t.ann)).content
    await rolls(t, called, t.bob)
    title, *rows, _ = text(called).splitlines()
    monsters = text(await t.slash(t.mara, "group npc", dice=dice, count=2, names="Orc, Wolf"))

    assert title == f"**Toss** · {heading}"
    assert all(re.fullmatch(rf"<@\d+> \*\*(?:{face})\*\*", row) for row in rows)
    assert re.match(rf"\*\*(?:{face})\*\*\n-# Toss · {heading} · ", answer)
    assert re.match(rf"Orc \*\*(?:{face})\*\*\nWolf \*\*(?:{face})\*\*\n", monsters)
    assert "· Toss · called for" in await t.whispers(t.ann, "history")
    assert text(await call(t, "1d1", check="1 fire")).startswith("**1 fire** · `1d1`")
    speak(t, person="de")
    german = text(await t.slash(t.mara, "group npc", dice="Münze", count=1))
    assert german.splitlines()[1].startswith("-# heads / tails · ")


@pytest.mark.parametrize("dice", ["coin", "choose tea, coffee", "d{elk 2, owl}", "choose 1, 2, 3 # way"])
async def test_names_are_held_against_no_number(t: Table, dice: str) -> None:
    """Neither a DC nor a rule nor an account takes the place of a name for a number; plain calls go on."""
    await t.says(t.mara, "roller luck", name="Fate")
    refused = [
        await t.whispers(t.mara, "group call", check="Way", dice=dice, **more)
        for more in ({"dc": 2}, {"rule": "highest"}, {"rule": "sum"}, {"dc": 2, "roller": "Fate"})
    ]
    refused += [
        await t.whispers(t.ann, "check", dice=dice, **more)
        for more in ({"dc": 2}, {"against": "1d20"}, {"dc": 2, "roller": "Fate"})
    ]
    called = await call(t, dice, check="Way")
    await rolls(t, called, t.ann)

    assert all("are no numbers, so no DC or rule fits them" in said for said in refused), refused
    assert labels(called)


async def test_a_board_of_contests_says_who_won(t: Table) -> None:
    """As the private answers do; a margin alone would be the total of no dice."""
    called = await call(t, "1d1+4 vs 1d1", check="Arms")
    anns = await rolls(t, called, t.ann)

    assert "**wins by 4** ← 1d1 (1) + 4 = 5 vs 1d1 (1) = 1" in anns.content
    assert f"{t.ann.mention} **wins by 4** ← 1d1 (1) + 4 = 5 vs 1d1 (1) = 1" in text(called)


async def test_a_call_is_offered_with_what_was_meant(t: Table) -> None:
    """Its title and its DC stay; a call with more than these is not offered, for a button has no room."""
    refused = await call(t, dice="1w1", check="Climb", dc=-2)
    pressed = text(await t.press(reply(refused), "Call for 1d1", t.mara))
    hidden = await call(t, dice="1w1", hidden="gm")

    assert pressed.startswith("**Climb** · `1d1` against DC -2")
    assert text(hidden).endswith("Did you mean `1d1`?")
    assert labels(hidden) == []


async def test_dice_with_a_dc_take_no_other(t: Table) -> None:
    """They only pass or fail, so that no total is left to hold against it; checks refuse them too."""
    await t.says(t.mara, "roller luck", name="Luck")
    said = [
        await t.whispers(t.mara, "group call", check="Climb", dice="1d20 vs 12", dc=15),
        await t.whispers(t.mara, "group call", check="Climb", dice="1d20 vs 12", dc=15, roller="Luck"),
        await t.whispers(t.ann, "check", dice="(1d20)>=12", dc=15),
        await t.whispers(t.ann, "check", dice="(1d20)>=12", dc=15, roller="Luck"),
    ]

    assert set(said) == {"A check has one DC. Leave one of them out."}
    assert "**Climb**" in await t.says(t.mara, "group call", check="Climb", dice="4d6>=5", dc=2)


async def test_a_dc_behind_the_dice_is_that_of_the_call(t: Table) -> None:
    """Its rolls keep their totals, and take what is added; with numbers of one's own too."""
    await t.whispers(t.ann, "me", set="str 3")
    dice = "1d1+5 vs 12", "1d1+5 dc 12 climb", "(1d1+5)<=12", "1d1+2+str vs 12"
    boards = list[str]()
    for typed in dice:
        called = await call(t, dice=typed)
        await rolls(t, called, t.ann)
        await adds(t, called, t.bob, "+30") if "str" not in typed else None
        boards.append(text(called))

    for board in boards[:2]:
        assert board.startswith("**Stealth** · `1d1+5` against DC 12\n")
        assert "**6** ← 1d1 (1) + 5 · fails by 6\n" in board
        assert "**36** ← 1d1 (1) + 5 + 30 · passes by 24\n" in board
        assert "1 of 2 pass." in board
    assert boards[2].startswith("**Stealth** · `1d1+5`, at most 12 passes\n")
    assert "**6** ← 1d1 (1) + 5 · passes by 6\n" in boards[2]
    assert boards[3].startswith("**Stealth** · `1d1+2+str` against DC 12\n")
    assert "**6** ← 1d1 (1) + 2 + 3 · fails by 6\n" in boards[3]
    under = text(await call(t, dice="1d1+5 vs 12", under=True))
    assert under.startswith("**Stealth** · `1d1+5`, at most 12 passes\n")
    twice = await t.whispers(t.mara, "group call", check="Climb", dice="1d20+str vs 12", dc=15)
    assert twice == "A check has one DC. Leave one of them out."
