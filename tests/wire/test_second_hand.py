"""Second hand: in proof mode somebody else throws for whoever hosts the bot."""

from pathlib import Path

import discord
import pytest
from discord import InteractionType
from simcord import InteractionResult

from bot.answers import OUT_OF_DATE
from bot.campaign.command import Caller
from bot.dice.errors import DiceError, NotAllowed
from tests.support.groups import call, labels
from tests.support.pressing import arrives
from tests.support.proving import proof_off, proof_on
from tests.support.table import Table, entries, numbered, table, totals
from tests.support.wire import reply


async def asked(t: Table, **options: object) -> InteractionResult:
    """Mara, who hosts the bot, asks for a roll."""
    await proof_on(t, t.mara, host=t.mara.user)
    return await t.slash(t.mara, "roll", **options)


async def test_another_player_throws_for_the_host(t: Table) -> None:
    """The host's roll waits for somebody's press; it is the host's roll, and follows from that press."""
    waiting = await asked(t, dice="1d1+4", label="Plot")
    refused = reply(await t.press(waiting, "Throw for them", t.mara))
    press = await t.press(waiting, "Throw for them", t.bob)
    thrown = press.followups[-1].content
    history = await t.whispers(t.ann, "history")
    checked = await t.whispers(t.ann, "verify")

    assert f"{t.mara.mention} wants to roll `1d1+4`" in reply(waiting).content
    assert refused.ephemeral
    assert "Somebody else has to throw for you" in refused.content
    assert totals(thrown) == ["5"]
    assert f"{t.mara.mention} · Plot · #3 · from committed keys" in thrown
    assert f"{t.mara.mention} · Plot · **5**" in history
    assert "I replayed 1 roll." in checked


async def test_a_throw_counts_once(tmp_path: Path) -> None:
    """The second of two presses is too late, though it was on its way; one delivered twice is one."""
    async with table(tmp_path, expected=(DiceError, discord.HTTPException)) as t:
        waiting = await asked(t, dice="1d20")
        press = await t.press(waiting, "Throw for them", t.ann)
        message = reply(waiting).id
        base = t.bob.id  # an id as large as an interaction's
        late = Caller(base, t.guild.id, t.channel.id, t.mara.id, hand=t.bob.id)
        with pytest.raises(NotAllowed, match="already"):
            await t.app.rolling.throw(late, message, "1d20")
        await t.deliver_again()
        history = await t.whispers(t.ann, "history")

        assert numbered(press.followups[-1].content) == 3
        assert len(entries(history)) == 3
        assert "wants to roll" in reply(waiting).content
        assert labels(waiting) == []


async def test_a_hidden_throw_is_the_hosts_to_see(t: Table) -> None:
    """Whoever throws sees no more than everybody; the host looks behind it."""
    waiting = await asked(t, dice="1d9+1000000", visibility="self")
    await t.press(waiting, "Throw for them", t.bob)
    hidden = t.channel.history()[-1]
    looked = reply(await t.press(hidden, "Look", t.mara))
    seen = [*t.seen_by(t.bob), reply(await t.press(hidden, "Look", t.bob)).content]

    assert "rolled, hidden." in hidden.content
    assert "**100000" in looked.content
    assert not any("**100000" in text for text in seen)


async def test_other_ways_to_roll_are_refused(t: Table) -> None:
    """The host's deals, checks, calls and d100s draw nothing, and say why; the others' rolls are as ever."""
    await asked(t, dice="1d20")
    await t.says(t.mara, "roller deck", name="Cards")
    refused = [
        await t.whispers(t.mara, "deal", deck="cards"),
        await t.whispers(t.mara, "d100 roll"),
        await t.whispers(t.mara, "d100 reset", start="random"),
        await t.whispers(t.mara, "check", dice="1d20", dc=11),
        await t.whispers(t.mara, "group npc", dice="1d20", count=2),
        (await t.pressed(await call(t, dice="1d20"), "Roll", t.mara)),
    ]

    assert all("so in proof mode others throw for you. Ask with `/roll" in text for text in refused)
    assert totals(await t.says(t.bob, "roll", dice="1d1"))


async def test_what_fits_no_button_is_refused(t: Table) -> None:
    """A long roll is to be saved under a short name first."""
    refused = reply(await asked(t, dice="1d20", label="x" * 80))

    assert refused.ephemeral
    assert "too long for others to throw" in refused.content


async def test_a_host_who_is_erased_does_not_roll_alone(t: Table) -> None:
    """Nobody knows then who hosts the bot, so nobody rolls until proof mode is switched on anew."""
    await proof_on(t, t.mara, host=t.bob.user)
    await t.press(await t.slash(t.bob, "data forget"), "Erase me", t.bob)
    refused = [
        await t.whispers(who, "roll", dice="1d20", **thrown)
        for who in (t.bob, t.ann)
        for thrown in ({}, {"thrown": "20"})
    ]
    await proof_off(t, t.mara)
    plain = await t.says(t.ann, "roll", dice="1d1")

    assert {text.partition(",")[0] for text in refused} == {"The host of the bot is erased"}
    assert totals(plain) == ["1"]


async def test_nobody_throws_what_nobody_asked_for(t: Table) -> None:
    """A press with an id that somebody made up rolls nothing in another's name."""
    under = reply(await t.slash(t.ann, "roll", dice="1d20"))
    made_up = f"throw:{t.bob.id}:1:u:1d20@Plot"
    answer = reply(await arrives(t, t.ann, InteractionType.component, made_up, under))
    history = await t.whispers(t.ann, "history")

    assert (answer.ephemeral, answer.content) == (True, OUT_OF_DATE)
    assert len(entries(history)) == 1
