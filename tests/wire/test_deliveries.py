"""Delivered twice is rolled once; a reply that Discord refuses is told later, once; late is refused."""

import pytest

from tests.support.table import REPLIES, Table, entries, numbered, totals
from tests.support.wire import reply

LOST = "It was rolled, but its reply may be lost."


def refuse_next(t: Table, code: int = 10062) -> None:
    """Have Discord refuse the next reply."""
    status = 404 if code == 10062 else 400
    t.env.inject_error("POST", REPLIES, status=status, code=code, message="no")


async def lost_roll(t: Table, code: int = 10062, **options: object) -> None:
    """Ann rolls #1, and Discord refuses the reply."""
    refuse_next(t, code)
    result = await t.slash(t.ann, "roll", **{"dice": "1d20+1000", **options})
    assert result.response is None


def told_late(t: Table, text: str) -> bool:
    """Whether a text tells roll #1 as one whose reply was lost."""
    return f"-# #1 of {t.ann.mention}, <t:" in text and LOST in text


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("roll", {"dice": "20d20"}),
        ("roll", {"dice": "20d20", "visibility": "self"}),
        ("d100 roll", {"dice": 9}),
        ("roller fair", {"name": "Luck", "dice": "2d6"}),
        ("group npc", {"dice": "20d20", "count": 5}),
        ("campaign create", {"name": "Dragons"}),
    ],
)
@pytest.mark.refusing
async def test_a_command_delivered_twice_is_done_once(
    t: Table, command: str, options: dict[str, object]
) -> None:
    """The second delivery is answered with the same words, and the next event has the next number."""
    await t.slash(t.mara, command, **options)
    await t.deliver_again()
    after = await t.says(t.bob, "roll", dice="1d6")

    first, second, _ = t.replies
    assert first == second
    assert numbered(first) == 1
    assert numbered(after) == 2
    assert LOST not in after


@pytest.mark.refusing
async def test_an_evening_is_begun_and_ended_once(t: Table) -> None:
    """A second delivery is answered as the first one is: with the same begin, and with the same look back."""
    for command in ("session start", "session end", "session start"):
        await t.says(t.ann, "roll", dice="d20")
        refuse_next(t)
        await t.slash(t.mara, command)
        await t.deliver_again()
    said = t.seen_by(t.bob)
    history = await t.whispers(t.bob, "history")

    assert [text.split("\n")[0][:22] for text in said[1::2]] == [
        "A session begins at #2", "**A short night** · <t", "A session begins at #6",
    ]  # fmt: skip
    assert not any("session is already on" in text for text in t.replies)
    assert len(entries(history)) == 6


async def test_a_press_delivered_twice_is_done_once(t: Table) -> None:
    """Rolling again and resetting happen once, however often Discord brings the press."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    rolled = await t.slash(t.ann, "roll", dice="cards")
    await t.press(rolled, "Again", t.ann)
    await t.deliver_again()
    question = await t.slash(t.mara, "roller reset", name="cards")
    await t.press(question, "Reset it", t.mara)
    await t.deliver_again()
    public = t.seen_by(t.bob)
    history = await t.whispers(t.bob, "history")

    assert t.replies[2] == t.replies[3]
    assert len(entries(history)) == 4
    assert sum("reset `Cards`" in text for text in public) == 1


@pytest.mark.refusing
async def test_a_second_delivery_answers_where_the_first_reply_was_refused(t: Table) -> None:
    """The roll is told by the second delivery, as it fell, and is not told again later."""
    await lost_roll(t, dice="20d20")
    await t.deliver_again()
    after = await t.says(t.bob, "roll", dice="1d6")

    assert t.replies[0] == t.replies[1] == t.seen_by(t.bob)[0]
    assert numbered(after) == 2
    assert LOST not in after


@pytest.mark.refusing
async def test_a_refused_reply_shows_once_at_the_next_roll(t: Table) -> None:
    """The roll stands and is not rolled again; the next public roll in the channel tells it, and no other."""
    await lost_roll(t)
    (refused,) = t.replies
    following = [await t.says(t.bob, "roll", dice="1d6") for _ in range(2)]
    history = await t.whispers(t.ann, "history")

    assert [told_late(t, text) for text in following] == [True, False]
    assert f"**{totals(refused)[0]}** (`1d20+1000`)" in following[0]
    assert [numbered(text) for text in following] == [2, 3]
    assert len(entries(history)) == 3


async def test_a_refused_press_shows_at_the_next_roll_too(t: Table) -> None:
    """A roll by the button is kept and told like any other."""
    first = await t.slash(t.ann, "roll", dice="1d6")
    refuse_next(t)
    await t.press(first, "Again", t.ann)
    after = await t.says(t.ann, "roll", dice="1d6")

    assert f"-# #2 of {t.ann.mention}" in after
    assert numbered(after) == 3


@pytest.mark.refusing
async def test_what_is_no_public_roll_leaves_it_to_the_next(t: Table) -> None:
    """A reset, a private and a blind roll in between neither tell the lost roll nor use it up."""
    await lost_roll(t)
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.press(await t.slash(t.mara, "roller reset", name="Cards"), "Reset it", t.mara)
    private = await t.whispers(t.bob, "roll", dice="1d6", visibility="self")
    blind = await t.says(t.bob, "roll", dice="1d6", visibility="blind")
    after = await t.says(t.bob, "roll", dice="1d6")

    assert LOST not in private + blind
    assert told_late(t, after)


@pytest.mark.refusing
async def test_a_lost_hidden_roll_stays_hidden(t: Table) -> None:
    """The next roll says that there was a hidden one, and no more."""
    await lost_roll(t, visibility="gm")
    after = await t.says(t.bob, "roll", dice="1d6")

    assert told_late(t, after)
    assert "a hidden roll" in after
    assert totals(t.replies[0])[0] not in after


@pytest.mark.refusing
async def test_two_lost_replies_show_together(t: Table) -> None:
    """When the reply that would tell a lost roll is lost itself, the next one tells both, the older first."""
    for _ in range(2):
        await lost_roll(t)
    after = await t.says(t.bob, "roll", dice="1d6")
    last = await t.says(t.bob, "roll", dice="1d6")

    assert [after.index(f"-# #{n} of") for n in (1, 2)] == sorted(after.index(f"-# #{n} of") for n in (1, 2))
    assert LOST not in last


@pytest.mark.refusing
async def test_another_fault_of_discord_is_called_so_and_told_later(t: Table) -> None:
    """On a 500 the asker is told that the roll stands, and it shows at the next one all the same."""
    t.env.inject_error("POST", REPLIES, status=500)
    said = await t.whispers(t.ann, "roll", dice="1d20")
    after = await t.says(t.bob, "roll", dice="1d6")

    assert "What was done stands" in said
    assert told_late(t, after)


async def test_a_call_that_nobody_waits_for_is_posted_once(t: Table) -> None:
    """Discord brings the command twice and takes neither reply; the call must be seen all the same."""
    refuse_next(t)
    await t.slash(t.mara, "group call", check="climb", dice="1d20")
    refuse_next(t)
    await t.deliver_again()
    calls = [text for text in t.seen_by(t.bob) if "climb" in text]

    assert len(calls) == 1


@pytest.mark.refusing
async def test_a_lost_roll_of_another_channel_is_not_told_here(t: Table) -> None:
    """A lost roll shows where it was rolled."""
    await lost_roll(t)
    other = t.guild.create_text_channel("other")
    elsewhere = reply(await t.bob.slash(other, "roll", dice="1d6")).content
    here = await t.says(t.bob, "roll", dice="1d6")

    assert LOST not in elsewhere
    assert told_late(t, here)


@pytest.mark.parametrize("seconds", [2.4, 2.7])
async def test_what_comes_too_late_is_not_rolled(t: Table, seconds: float) -> None:
    """An interaction that was more than 2.5 s on its way is refused in private, command and press alike."""
    first = await t.slash(t.ann, "roll", dice="1d6")
    held_up = t.env._register_dispatch_observer(lambda _: t.env.backend.advance_clock(seconds))
    command = reply(await t.slash(t.ann, "roll", dice="1d6"))
    press = reply(await t.press(first, "Again", t.ann))
    held_up()
    after = await t.says(t.ann, "roll", dice="1d6")

    late = seconds > 2.5
    assert [command.ephemeral, press.ephemeral] == [late, late]
    assert ("too late" in command.content) is late
    assert numbered(after) == (2 if late else 4)


@pytest.mark.refusing
async def test_a_lost_roll_of_somebody_erased_is_nobodys(t: Table) -> None:
    """It is told with the next roll as the history has it then, without who rolled it."""
    await lost_roll(t)
    await t.press(await t.slash(t.ann, "data forget"), "Erase me", t.ann)
    said = await t.says(t.bob, "roll", dice="1d20")

    assert "#1 of an erased player" in said
    assert t.ann.mention not in said
