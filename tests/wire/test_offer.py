"""/deal offer: cards of which one is taken; the others stay out of the deck, or go back."""

from discord import InteractionType

from tests.support.pressing import arrives
from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply

CARDS = {"bee", "elk", "fox", "jay", "owl"}


async def test_one_card_is_taken_and_the_others_go_back(t: Table) -> None:
    """Whoever dealt chooses, once; the two others are in the deck again, once, and everybody is told."""
    await t.says(t.mara, "roller cards", name="Cards", cards=",".join(sorted(CARDS)))
    offer = await t.slash(t.ann, "deal", deck="Cards", offer=3)
    offered = labels(reply(offer).components)
    bobs = await t.pressed(offer, offered[0], t.bob)
    taken = await t.press(offer, offered[1], t.ann)
    twice = await t.pressed(offer, offered[2], t.ann)
    left = await t.says(t.ann, "odds", what="Cards")
    back = await t.pressed(taken, "Put the others back", t.ann)
    again = await t.pressed(taken, "Put the others back", t.ann)
    rest = await t.says(t.bob, "deal", deck="Cards", cards=4)
    history = await t.whispers(t.bob, "history")
    for _ in range(3):
        await t.says(t.mara, "roller undo", name="Cards")

    assert len(offered) == 3
    assert set(offered) <= CARDS
    assert bobs == "Somebody else chooses here."
    assert f"{t.ann.mention} takes **{offered[1]}** (`Cards`)." in reply(taken).content
    assert twice == "One card of this offer was taken already."
    assert "50.0%" in left
    assert back.startswith("2 cards go back into `Cards`.")
    assert again == "These cards are back already."
    assert {card for total in totals(rest) for card in total.split(" · ")} == CARDS - {offered[1]}
    assert "took card 2 of #2 (`Cards`)" in history
    assert "You hold no cards" in await t.whispers(t.ann, "hand")


async def test_a_button_names_a_card_as_it_is_called(t: Table) -> None:
    """Discord reads no markup on a button, so no sign has a backslash before it there."""
    await t.says(t.mara, "roller cards", name="Cards", cards="sun_ray 2, moon*beam 2")
    offer = await t.slash(t.ann, "deal", deck="Cards", offer=4)

    assert set(labels(reply(offer).components)) == {"sun_ray", "moon*beam"}


async def test_several_decks_offer_a_card_of_each(t: Table) -> None:
    """Each has a button; what is not taken stays out, for several decks take no card back."""
    await t.says(t.mara, "roller decks", name="Offer", decks="x: a 3, b 3; y: c 3, d 3")
    offer = await t.slash(t.ann, "deal", deck="Offer")
    first, second = labels(reply(offer).components)
    taken = await t.press(offer, second, t.ann)

    assert first in "ab"
    assert f"takes **{second}**" in reply(taken).content
    assert not labels(reply(taken).components)


async def test_an_offer_is_for_itself(t: Table) -> None:
    """Not with what makes no sense beside it; nothing is dealt."""
    await t.says(t.mara, "roller cards", name="Cards", cards=",".join(sorted(CARDS)))
    for more in ({"cards": 2}, {"practice": True}, {"hand": 3}):
        assert "Leave out" in await t.whispers(t.ann, "deal", deck="Cards", offer=3, **more), more


async def test_a_hidden_offer_stays_hidden(t: Table) -> None:
    """Nobody else learns what was offered, taken or put back; but that something happened."""
    await t.says(t.mara, "roller cards", name="Cards", cards=",".join(sorted(CARDS)))
    offer = await t.slash(t.ann, "deal", deck="Cards", offer=2, visibility="self")
    _, card, _ = labels(reply(offer).components)
    taken = await t.press(offer, card, t.ann)
    back = await t.press(taken, "Put the others back", t.ann)

    assert all(reply(answer).ephemeral for answer in (offer, taken, back))
    assert not any(name in said for said in t.seen_by(t.bob) for name in CARDS)


async def test_an_offer_that_its_player_may_not_see_tells_no_card(t: Table) -> None:
    """A blind offer has no buttons; a press that somebody made up is refused, and changes nothing."""
    await t.says(t.mara, "roller cards", name="Cards", cards=",".join(sorted(CARDS)))
    offer = reply(await t.slash(t.ann, "deal", deck="Cards", offer=3, visibility="blind"))
    at = numbered(offer.content)
    pressed = [
        reply(await arrives(t, t.ann, InteractionType.component, made_up, offer)).content
        for made_up in (f"take:1:{at}:0", f"offer-back:1:{at}")
    ]

    assert labels(offer.components) == ["Look", "Reveal"]
    assert pressed == [f"#{at} is hidden from you. Who may see it can reveal it."] * 2
