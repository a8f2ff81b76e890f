"""Hidden rolls: what each person sees in the channel, behind the buttons and in the history."""

import pytest
from discord import InteractionType
from simcord import InteractionResult, MemberActor

from tests.support.pressing import arrives
from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply


async def rolled(t: Table, visibility: str) -> InteractionResult:
    """Ann rolls a die that can only show 1,000,001 or more, so that its result is found anywhere."""
    return await t.slash(t.ann, "roll", dice="1d9+1000000", visibility=visibility, label="Sneak")


def sees(t: Table, actor: MemberActor) -> bool:
    """Whether the result shows in the channel."""
    return any("100000" in text for text in t.seen_by(actor))


async def looks(t: Table, actor: MemberActor) -> str:
    """What somebody gets who presses the public Look button."""
    hidden = next(m for m in reversed(t.channel.history()) if "rolled" in m.content)
    answer = reply(await t.press(hidden, "Look", actor))
    assert answer.ephemeral
    return answer.content


async def test_public_is_for_everybody(t: Table) -> None:
    """A public roll needs no saying so, and can't be revealed."""
    result = await rolled(t, "public")

    assert not reply(result).ephemeral
    assert all(sees(t, actor) for actor in t.world.actors)
    assert labels(reply(result).components) == ["Again"]


async def test_self_is_for_the_roller_alone(t: Table) -> None:
    """Nobody else sees that there was a roll, and in the history it is hidden from the GM too."""
    result = await rolled(t, "self")

    assert reply(result).ephemeral
    assert "only you see this" in reply(result).content
    assert [sees(t, actor) for actor in (t.ann, t.mara, t.bob)] == [True, False, False]
    assert t.seen_by(t.mara) == t.seen_by(t.bob) == []
    assert "**100000" in await t.whispers(t.ann, "history")
    assert "*hidden*" in await t.whispers(t.mara, "history")


async def test_gm_is_for_the_roller_and_the_gm(t: Table) -> None:
    """Everybody sees that something was rolled; the GM looks behind it, a player may not."""
    hidden = await rolled(t, "gm")

    assert [sees(t, actor) for actor in (t.ann, t.mara, t.bob)] == [True, False, False]
    assert "rolled, hidden." in t.seen_by(t.bob)[-1]
    assert labels(hidden.followups[-1].components) == ["Look", "Reveal"]
    assert "**100000" in await looks(t, t.mara)
    assert "**100000" in await looks(t, t.ann)
    assert await looks(t, t.bob) == "#1 is hidden from you. Who may see it can reveal it."
    assert "**100000" in await t.whispers(t.mara, "history")
    assert "*hidden*" in await t.whispers(t.bob, "history")


async def test_blind_is_for_the_gm_alone(t: Table) -> None:
    """Not even who rolled sees the result, in the channel, at a look or in the history."""
    await rolled(t, "blind")

    assert not any(sees(t, actor) for actor in t.world.actors)
    assert "rolled, for the GM's eyes." in t.seen_by(t.bob)[-1]
    assert await looks(t, t.ann) == "#1 is hidden from you. Who may see it can reveal it."
    assert "**100000" in await looks(t, t.mara)
    assert "*hidden*" in await t.whispers(t.ann, "history")
    assert "**100000" in await t.whispers(t.mara, "history")


async def test_who_may_see_it_may_reveal_it_once(t: Table) -> None:
    """The GM reveals a blind roll; then all see it, also in the history, and it can't be revealed again."""
    result = await rolled(t, "blind")
    refused = reply(await t.press(result, "Reveal", t.ann))
    shown = reply(await t.press(result, "Reveal", t.mara))
    twice = reply(await t.press(result, "Reveal", t.mara))

    assert (refused.ephemeral, refused.content) == (
        True,
        "#1 is hidden from you, so you can't reveal it.",
    )
    assert (twice.ephemeral, twice.content) == (True, "#1 is revealed already.")
    assert not shown.ephemeral
    assert shown.content.startswith(f"{t.mara.mention} reveals {t.ann.mention}'s roll.\n**100000")
    assert all(sees(t, actor) for actor in t.world.actors)
    assert "hidden" not in await t.whispers(t.bob, "history")
    assert "see" not in (await t.whispers(t.bob, "details", number=1)).partition("\nRolled")[0]


async def test_a_roller_reveals_a_roll_of_their_own(t: Table) -> None:
    """The button under a private roll shows it to all, with the number it always had."""
    result = await rolled(t, "self")
    shown = await t.pressed(result, "Reveal", t.ann)

    assert numbered(shown) == numbered(reply(result).content) == 1
    assert shown in t.seen_by(t.bob)
    assert "only you" not in shown


async def test_a_hidden_roll_counts_in_the_memory(t: Table) -> None:
    """Five cards drawn in secret leave only the sixth for the next who draws."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards", dice="1d6")
    secret = await t.whispers(t.ann, "roll", dice="cards", times=5, visibility="self")
    last = await t.says(t.bob, "roll", dice="cards")

    assert sorted(totals(secret) + totals(last)) == ["1", "2", "3", "4", "5", "6"]


async def test_a_hidden_roll_is_rolled_again_as_hidden(t: Table) -> None:
    """It has *Reveal* alone, and a press on an older *Again* lets nothing slip out."""
    first = reply(await rolled(t, "self"))
    again = reply(await arrives(t, t.ann, InteractionType.component, "again:1:1", first))

    assert labels(first.components) == labels(again.components) == ["Reveal"]
    assert again.ephemeral
    assert t.seen_by(t.bob) == []


async def test_a_memory_that_begins_with_a_hidden_roll_is_hidden(t: Table) -> None:
    """Where that very roll makes the roller too, and where a block begins with nothing."""
    await t.says(t.mara, "roller blocks", name="Watch", categories="a: a1, a2; b: b1, b2", block=2)
    for command, options in (
        ("d100 roll", {"method": "register"}),
        ("d100 roll", {"method": "pool"}),
        ("d100 roll", {"method": "leftovers"}),
        ("deal", {"deck": "Watch"}),
    ):
        await t.slash(t.ann, command, visibility="blind", **options)
        odds = await t.whispers(t.ann, "odds", what=options.get("deck") or f"d100 {options['method']}")

        assert "A hidden roll is in the memory of" in odds, command


@pytest.mark.parametrize("method", ["register", "pool"])
async def test_a_reset_ends_what_a_hidden_roll_hides(t: Table, method: str) -> None:
    """The dice of later rolls are shown, and their details; an undo of the reset hides them again."""
    await t.slash(t.ann, "d100 roll", method=method, visibility="blind")
    before = await t.says(t.ann, "d100 roll", method=method)
    await t.press(await t.slash(t.mara, "roller reset", name=f"d100 {method}"), "Reset it", t.mara)
    after = await t.says(t.ann, "d100 roll", method=method)
    details = await t.whispers(t.ann, "details", number=numbered(after))
    for _ in range(2):
        await t.says(t.mara, "roller undo", name=f"d100 {method}")
    undone = await t.says(t.ann, "d100 roll", method=method, dc=1)

    assert ["d6 (" in text for text in (before, after, undone)] == [False, True, False]
    assert "** ← vs DC 1\n" in undone
    assert "a hidden roll is in them" not in details


async def test_a_players_own_reset_ends_it_too(t: Table) -> None:
    """Of their register, and of nobody else's."""
    for who in (t.ann, t.bob):
        await t.says(who, "d100 roll")
        await t.slash(who, "d100 roll", visibility="blind")
    await t.says(t.ann, "d100 reset")
    anns, bobs = [await t.whispers(who, "d100 show") for who in (t.ann, t.bob)]

    assert anns == "Your d100 register is at **0**. Your next dice add to it."
    assert bobs == "A hidden roll is in your register, so I don't show it."
