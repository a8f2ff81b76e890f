"""/deal: cards by name, offers of several decks, and nothing but cards."""

import re
from itertools import pairwise

from bot.systems.typed import read_deck
from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply

_OFFER = re.compile(r"^(?:\d+\. )?attack: \*\*(\w+)\*\* · other: \*\*(\w+)\*\*$", re.MULTILINE)
_CARD = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]|Joker")
DECKS = {"decks": "attack: sword 2, bow 2; other: spy 2, thief 2"}


async def test_a_deck_is_dealt_whole_before_any_card_comes_again(t: Table) -> None:
    """Nine draws of three cards with three copies each give each card three times, by name and tagged."""
    await t.says(t.mara, "roller cards", name="Trick", cards="attack 3, defense 3, other 3")
    first = await t.says(t.ann, "deal", deck="trick", cards=4)
    rest = [totals(await t.says(t.bob, "deal", deck="Trick"))[0] for _ in range(5)]

    assert sorted(totals(first) + rest) == ["attack"] * 3 + ["defense"] * 3 + ["other"] * 3
    assert "**Trick** · deck · " in first


async def test_playing_cards_are_offered_by_their_number(t: Table) -> None:
    """The list shows what each is; all 54 of the one with jokers are dealt once."""
    offered = await t.offered(t.mara, "roller cards", "cards", "5")
    await t.says(t.mara, "roller cards", name="Action", cards="54")
    shown = [await t.says(t.ann, "deal", deck="Action", cards=n) for n in (20, 20, 14)]
    dealt = [card for each in shown for card in _CARD.findall(each)]

    assert offered == ["52 · A♠, 2♠, 3♠ … K♣", "54 · A♠, 2♠, 3♠ … Joker"]
    assert sorted(dealt) == sorted([*read_deck("52"), "Joker", "Joker"])


async def test_several_decks_offer_a_card_of_each(t: Table) -> None:
    """Four offers of two decks of four cards deal both decks out, a line for each offer."""
    await t.says(t.mara, "roller decks", name="Offer", **DECKS)
    one = _OFFER.findall(await t.says(t.ann, "deal", deck="Offer"))
    three = _OFFER.findall(await t.says(t.ann, "deal", deck="Offer", cards=3))

    assert (len(one), len(three)) == (1, 3)
    attacks, others = zip(*one, *three, strict=True)
    assert sorted(attacks) == ["bow", "bow", "sword", "sword"]
    assert sorted(others) == ["spy", "spy", "thief", "thief"]


async def test_odds_of_several_decks_show_each_decks_own(t: Table) -> None:
    """After three of four cards of each deck, the last card of each is certain, and no other is left."""
    await t.says(t.mara, "roller decks", name="Offer", **DECKS)
    await t.says(t.ann, "deal", deck="Offer", cards=3)
    shown = await t.pressed(await t.slash(t.ann, "odds", what="offer"), "Details", t.bob)
    (last,) = _OFFER.findall(await t.says(t.ann, "deal", deck="Offer"))

    assert sorted(re.findall(r"^(\w+) .* 100%$", shown, re.MULTILINE)) == sorted(last)
    assert "Each deck deals one card." in shown


async def test_no_repeats_hold_across_a_refill(t: Table) -> None:
    """Sixty cards of a deck without repeats, dealt by twenties, never give one twice in a row."""
    await t.says(t.mara, "roller cards", name="Trick", cards="a 2, b 2, c 2", no_repeat=True)
    dealt = [c for _ in range(3) for c in totals(await t.says(t.ann, "deal", deck="Trick", cards=20))]

    assert len(dealt) == 60
    assert all(one != other for one, other in pairwise(dealt))


async def test_a_hidden_hand_is_for_who_drew_it(t: Table) -> None:
    """Cards dealt to oneself are whispered, and revealed to everybody by a press."""
    await t.says(t.mara, "roller decks", name="Offer", **DECKS)
    hand = await t.slash(t.ann, "deal", deck="Offer", cards=2, visibility="self")
    before = len(t.seen_by(t.bob))
    shown = await t.pressed(hand, "Reveal", t.ann)

    assert reply(hand).ephemeral
    assert before == 1
    assert _OFFER.findall(shown) == _OFFER.findall(reply(hand).content)
    assert len(_OFFER.findall(shown)) == 2


async def test_roll_again_deals_as_many_again(t: Table) -> None:
    """The button under a deal takes the next cards of the same deck."""
    await t.says(t.mara, "roller cards", name="Trick", cards="a, b, c, d")
    first = await t.slash(t.ann, "deal", deck="Trick", cards=2)
    again = await t.pressed(first, "Again", t.ann)

    assert sorted(totals(reply(first).content) + totals(again)) == ["a", "b", "c", "d"]
    assert numbered(again) == numbered(reply(first).content) + 1


async def test_a_slip_in_a_decks_name_is_asked_about(t: Table) -> None:
    """A button deals from the deck with nearly that name; with options it only says the name."""
    await t.says(t.mara, "roller cards", name="Trick", cards="a, b, c, d")
    refused = await t.slash(t.ann, "deal", deck="trcik")
    dealt = await t.pressed(refused, "Deal", t.ann)
    offered = await t.whispers(t.ann, "deal", deck="trcik", offer=2)
    filled = await t.whispers(t.ann, "deal", deck="trcik", hand=2)
    counted = reply(await t.slash(t.ann, "deal", deck="Trick 3"))

    assert reply(refused).ephemeral
    assert reply(refused).content.endswith("Did you mean `Trick`?")
    assert totals(dealt)[0] in "abcd"
    assert offered == filled == reply(refused).content
    assert counted.content.endswith("Did you mean `Trick`?")
    assert labels(counted.components) == []


async def test_only_decks_are_dealt(t: Table) -> None:
    """What has no cards is refused in private, and nothing is written."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    for deck, reason in (
        ("nope", "There is no deck `nope` here. A game master makes one with `/roller cards`."),
        ("luck", "Luck has no cards to deal. Roll it with `/roll`."),
        ("2d6", "There is no deck `2d6` here. A game master makes one with `/roller cards`."),
    ):
        assert await t.whispers(t.ann, "deal", deck=deck) == reason

    assert numbered(await t.says(t.ann, "roll", dice="luck")) == 2


async def test_only_decks_are_offered(t: Table) -> None:
    """While somebody types, the channel's decks come, and no other roller."""
    await t.says(t.mara, "roller fair", name="Tricky", dice="2d6")
    await t.says(t.mara, "roller cards", name="Trick", cards="a, b")
    await t.says(t.mara, "roller blocks", name="Track", categories="x: a; y: b", block=2)

    assert await t.offered(t.ann, "deal", "deck", "tr") == ["Track", "Trick"]
