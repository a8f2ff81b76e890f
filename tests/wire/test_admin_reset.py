"""/admin reset: one roller or all of the campaign, with a reason, and back again."""

from simcord import InteractionResult, MemberActor

from tests.support.table import Table, totals
from tests.support.wire import reply

DECK = ["1", "2", "3", "4", "5", "6"]


async def submitted(
    t: Table, actor: MemberActor, scope: str, why: str = "A new season", who: str = "", **options: str
) -> InteractionResult:
    """Somebody asks for a reset, presses the button and sends the form."""
    question = await t.slash(actor, "admin reset", scope=scope, **options)
    form = await t.press(question, "Reset…", actor)
    return await actor.submit_modal(form, {"why": why, "who": who})


async def drawn(t: Table, dice: str, times: int) -> list[str]:
    """Ann draws from a deck."""
    return totals(await t.says(t.ann, "roll", dice=dice, times=times))


async def test_all_rollers_are_reset_with_a_reason_and_back(t: Table) -> None:
    """Both decks start afresh; the reason is told and stands in the history; one press brings both back."""
    for name in ("Cards", "Tiles"):
        await t.says(t.mara, "roller deck", refill=1, name=name)
    first = {name: await drawn(t, name, 4) for name in ("Cards", "Tiles")}
    done = await submitted(t, t.mara, "campaign", who="Ann")
    told = reply(done).content
    history = await t.whispers(t.bob, "history")
    refused = reply(await t.press(done, "Undo", t.ann))
    undone = await t.pressed(done, "Undo", t.mara)
    rest = {name: await drawn(t, name, 2) for name in ("Cards", "Tiles")}

    assert told.startswith(
        f"{t.mara.mention} reset `Cards`, `Tiles`: a fresh start. Why: `Ann: A new season`."
    )
    assert history.count("Ann: A new season · reset") == 2
    assert refused.ephemeral
    assert undone.startswith(f"{t.mara.mention} undid the reset of `Cards`, `Tiles`.\n-# #7 to #8")
    assert all(sorted(first[name] + rest[name]) == DECK for name in first)


async def test_one_roller_is_reset_alone(t: Table) -> None:
    """The other deck keeps its memory."""
    for name in ("Cards", "Tiles"):
        await t.says(t.mara, "roller deck", refill=1, name=name)
    tiles = await drawn(t, "tiles", 5)
    await drawn(t, "cards", 5)
    await submitted(t, t.mara, "roller", roller="cards")
    nobody = await t.whispers(t.mara, "admin reset", scope="roller")

    assert nobody == "Say which roller, or choose all rollers of the campaign."
    assert sorted(await drawn(t, "cards", 6)) == DECK
    assert sorted(tiles + await drawn(t, "tiles", 1)) == DECK


async def test_a_campaign_is_reset_in_all_its_channels(t: Table) -> None:
    """A deck made in the other channel forgets too; one of another campaign does not."""
    other, third = (t.guild.create_text_channel(name) for name in ("other", "third"))
    await t.says(t.mara, "campaign create", name="Dragons")
    await t.mara.slash(other, "campaign use", name="Dragons")
    for channel in (other, third):
        await t.mara.slash(channel, "roller deck", refill=1, name="Cards")
        await t.ann.slash(channel, "roll", dice="cards", times=5)
    await t.says(t.mara, "roller deck", refill=1, name="Tiles")
    done = await submitted(t, t.mara, "campaign")
    afresh = reply(await t.ann.slash(other, "roll", dice="cards", times=6)).content
    kept = reply(await t.ann.slash(third, "roll", dice="cards", times=6)).content

    assert "`Cards`" in reply(done).content
    assert "`Tiles`" in reply(done).content
    assert sorted(totals(afresh)) == DECK
    assert len(totals(kept)) == 6


async def test_all_cards_in_hands_are_counted_where_all_rollers_are_reset(t: Table) -> None:
    """Each player's, of every deck."""
    for name in ("Cards", "Tiles"):
        await t.says(t.mara, "roller deck", refill=1, name=name)
        await t.whispers(t.ann, "deal", deck=name, hand=1)
    done = await submitted(t, t.mara, "campaign")

    assert "`Cards`, `Tiles`" in reply(done).content
    assert "2 cards stay in players' hands." in reply(done).content


async def test_a_reset_is_not_undone_over_later_rolls(t: Table) -> None:
    """Once the roller was rolled again, the button says so and changes nothing."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    done = await submitted(t, t.mara, "campaign")
    await drawn(t, "cards", 1)

    assert "Cards was used since then" in await t.pressed(done, "Undo", t.mara)


async def test_a_reset_is_undone_once(t: Table) -> None:
    """The second press says so, and points at nothing else to undo."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await drawn(t, "cards", 1)
    done = await submitted(t, t.mara, "roller", roller="cards")
    await t.pressed(done, "Undo", t.mara)

    assert await t.pressed(done, "Undo", t.mara) == "That is undone already."


async def test_a_reset_says_how_many_cards_stay_in_hands(t: Table) -> None:
    """Of one deck or of all; of a deck without hands nothing is said."""
    for name in ("Cards", "Tiles"):
        await t.says(t.mara, "roller cards", name=name, cards="sun 3, moon 3")
    await t.whispers(t.ann, "deal", deck="Cards", hand=2)
    done = [await submitted(t, t.mara, "roller", roller=name) for name in ("Cards", "Tiles")]
    done.append(await submitted(t, t.mara, "campaign"))
    one, other, both = (reply(each).content.splitlines()[-1] for each in done)

    assert one == both == "-# 2 cards stay in players' hands."
    assert other.startswith("-# #")


async def test_there_must_be_something_to_reset(t: Table) -> None:
    """Without rollers, or of another name, there is nothing."""
    nothing = await t.whispers(t.mara, "admin reset", scope="campaign")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")

    assert nothing == "There are no rollers to reset here."
    assert "no roller `Owls` here" in await t.whispers(t.mara, "admin reset", scope="roller", roller="Owls")
