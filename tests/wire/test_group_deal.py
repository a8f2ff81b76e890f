"""/group deal: a hand to each from one shared deck, for their own eyes."""

import pytest
from simcord import InteractionResult

from tests.support.groups import labels, leads, named, rolls, text
from tests.support.table import Table, entries, totals
from tests.support.wire import reply

DECK = ["1", "2", "3", "4", "5", "6"]


async def deal(t: Table, deck: str = "cards", **options: object) -> InteractionResult:
    """Mara deals."""
    return await t.slash(t.mara, "group deal", deck=deck, **options)


def hand(content: str) -> list[str]:
    """The cards that a private answer tells."""
    return [line for line in content.splitlines()[1:] if not line.startswith("-# ")]


async def test_a_hand_to_each_at_once(t: Table) -> None:
    """The deck is dealt out among those who are named: no card twice, each sees their own, no other any."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    dealt = await deal(t, cards=2, players=named(t.mara, t.ann, t.bob))
    shown = text(dealt).splitlines()
    hands = [hand((await rolls(t, dealt, who, "My hand")).content) for who in t.world.actors]
    history = await t.whispers(t.ann, "history", label="hand")

    assert shown[0] == "**Hand** · 2 cards of `Cards` each, for their own eyes"
    assert shown[1] == f"Dealt: {t.mara.mention}, {t.ann.mention}, {t.bob.mention}"
    assert sorted(card for cards in hands for card in cards) == DECK
    assert labels(dealt) == ["My hand", "GM…"]
    assert history.count("*hidden*") == 0
    assert all(f"**{card}**" in history for card in hands[1])


@pytest.mark.refusing
async def test_delivered_twice_is_dealt_once(t: Table) -> None:
    """The command and a press: the same words, the same cards."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    dealt = await deal(t, cards=2, players=named(t.ann, t.bob))
    await t.deliver_again()
    open_to_all = await deal(t, cards=2)
    await t.press(open_to_all, "My hand", t.mara)
    await t.deliver_again()
    hands = [hand((await rolls(t, dealt, who, "My hand")).content) for who in (t.ann, t.bob)]
    hands.append(hand((await rolls(t, open_to_all, t.mara, "My hand")).content))

    assert t.replies[1] == t.replies[2]
    assert t.replies[4] == t.replies[5]
    assert sorted(card for cards in hands for card in cards) == DECK


async def test_whoever_comes_takes_a_hand(t: Table) -> None:
    """Once each; closed, the hands stay to be looked at, and nobody takes another."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    dealt = await deal(t, cards=3)
    first = await rolls(t, dealt, t.ann, "My hand")
    again = await rolls(t, dealt, t.ann, "My hand")
    await leads(t, dealt, "Close")
    bobs, anns = [(await rolls(t, dealt, who, "My hand")).content for who in (t.bob, t.ann)]

    assert len(hand(first.content)) == 3
    assert again.content == anns == first.content
    assert bobs == "This call is closed. A game master can reopen it."
    assert f"Dealt: {t.ann.mention}\nClosed." in text(dealt)


async def test_hands_are_their_owners(t: Table) -> None:
    """The game master sees none and reveals none; who holds one may show it."""
    await t.says(t.mara, "roller cards", name="Cards", cards="elk 1, owl 1")
    dealt = await deal(t, players=named(t.ann, t.bob))
    panel = await t.press(dealt, "GM…", t.mara)
    held = await t.press(dealt, "My hand", t.ann)
    [card] = hand(text(held))
    shown = (await t.press(held, "Play", t.ann)).followups[-1]

    assert not any(card in text(panel) for card in ("elk", "owl"))
    assert labels(panel) == ["Close", "Call it off…"]
    assert entries(await t.whispers(t.mara, "history", player=t.bob))[-1].endswith("*hidden*")
    assert not shown.ephemeral
    assert f"plays **{card}**" in shown.content


@pytest.mark.parametrize("memory", ["table", "player"])
async def test_the_deck_is_shared_whoever_it_remembers(t: Table, memory: str) -> None:
    """Also where the roller keeps a deck for each player, a deal is from one deck, and leaves theirs full."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards", memory=memory)
    dealt = await deal(t, cards=3, players=named(t.ann, t.bob))
    hands = [hand((await rolls(t, dealt, who, "My hand")).content) for who in (t.ann, t.bob)]
    own = [totals(await t.says(who, "roll", dice="cards", times=6)) for who in (t.ann, t.bob)]

    assert sorted(card for cards in hands for card in cards) == DECK
    assert [sorted(cards) for cards in own] == [DECK, DECK]


async def test_an_undone_hand_is_dealt_anew(t: Table) -> None:
    """Card by card; then it is no part of the deal any more, and who held it takes another."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    dealt = await deal(t, cards=6, players=named(t.ann, t.bob))
    for _ in range(6):
        await t.says(t.mara, "roller undo", name="Cards")
    undone = text(dealt)
    anew = await rolls(t, dealt, t.bob, "My hand")

    assert f"Dealt: {t.ann.mention}\nMissing: {t.bob.mention}" in undone
    assert sorted(hand(anew.content)) == DECK
    assert f"Dealt: {t.ann.mention}, {t.bob.mention}" in text(dealt)


async def test_what_has_no_cards_is_not_dealt(t: Table) -> None:
    """A private sentence says what to do instead."""
    await t.says(t.mara, "roller fair", name="evil", dice="2d6")
    for deck, says in (
        ("2d6", "There is no deck `2d6` here. A game master makes one with `/roller cards`."),
        ("evil", "evil has no cards to deal. Call for it with `/group call`."),
    ):
        answer = reply(await deal(t, deck, players=named(t.ann)))

        assert (answer.ephemeral, answer.content) == (True, says), deck


async def test_decks_are_offered(t: Table) -> None:
    """And no roller that has no cards."""
    await t.says(t.mara, "roller cards", name="Cards", cards="elk 1, owl 1")
    await t.says(t.mara, "roller fair", name="evil", dice="2d6")

    assert await t.offered(t.mara, "group deal", "deck", "") == ["Cards"]
