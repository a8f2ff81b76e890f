"""/hand: cards that a player keeps, plays, discards and puts back; nobody else sees them.

What is stored agrees with the history at the end of each test, down to each column: its table looks.
"""

import re

import pytest
from discord import InteractionType
from simcord import InteractionResult, MemberActor

from tests.support.groups import cards, moves
from tests.support.pressing import arrives
from tests.support.restart import Run
from tests.support.table import Table
from tests.support.wire import Wire, reply

CARDS = {"bee", "elk", "fox", "jay", "owl"}
NONE_HELD = "You hold no cards. `/deal` with a deck and `hand:5` draws five."
_FACES = re.compile(r"\*\*([^*]+)\*\*")


async def make(t: Table, **options: object) -> None:
    """A deck of five cards."""
    await t.says(t.mara, "roller cards", name="Cards", cards=",".join(sorted(CARDS)), **options)


async def draw(t: Wire, who: MemberActor, size: int) -> InteractionResult:
    """Fill a hand."""
    return await t.slash(who, "deal", deck="Cards", hand=size)


def held(shown: InteractionResult) -> list[str]:
    """The cards that a hand's message tells."""
    return [*cards(shown)]


def dealt_in(said: str) -> set[str]:
    """The cards that a public answer shows, without the deck's name."""
    return {card for bold in _FACES.findall(said) for card in bold.split(" · ")} - {"Cards"}


async def does(t: Wire, who: MemberActor, card: str, what: str) -> tuple[InteractionResult, str]:
    """Do something with a card: the private message after it, and what everybody is told."""
    hand, done = await moves(t, who, what, card)
    return hand, done.followups[-1].content if done.followups else reply(done).content


async def test_a_hand_is_drawn_for_its_owner_alone(t: Table) -> None:
    """Filled up to a size, each card its own event, and out of the deck for all others."""
    await make(t)
    first, again = await draw(t, t.ann, 3), await draw(t, t.ann, 4)
    rest = await t.says(t.bob, "deal", deck="Cards")
    history = await t.whispers(t.bob, "history")

    assert reply(first).ephemeral
    assert held(again)[:3] == held(first)
    assert {*held(again), *dealt_in(rest)} == CARDS
    assert history.count("*hidden*") == 4


async def test_a_card_goes_back_to_its_players_own_deck(t: Table) -> None:
    """Where each player has a deck, it is drawn again from there."""
    await make(t, memory="player")
    drawn = held(await draw(t, t.ann, 5))
    await does(t, t.ann, drawn[0], "Put back")
    again = held(await draw(t, t.ann, 5))

    assert sorted(again) == sorted(CARDS)


async def test_a_played_card_is_told_to_all(t: Table) -> None:
    """With its number; the hand has one fewer, and the history shows what was drawn."""
    await make(t)
    card, *others = held(await draw(t, t.ann, 3))
    hand, told = await does(t, t.ann, card, "Play")
    history = await t.whispers(t.bob, "history")

    assert told == f"{t.ann.mention} plays **{card}** (`Cards`).\n-# #5"
    assert held(hand) == others
    assert f"played **{card}** of #2 (`Cards`)" in history
    assert history.count("*hidden*") == 2


async def test_a_discarded_card_is_told_to_nobody(t: Table) -> None:
    """That it left is told, and no place names it."""
    await make(t)
    card = held(await draw(t, t.ann, 1))[0]
    hand, told = await does(t, t.ann, card, "Discard")

    assert told == f"{t.ann.mention} discards a card (`Cards`).\n-# #3"
    assert reply(hand).content == NONE_HELD
    assert card not in "".join(t.seen_by(t.bob)[1:])
    assert card not in await t.whispers(t.bob, "history")


async def test_a_card_goes_back_into_its_deck(t: Table) -> None:
    """It can be drawn once more; an undo of that gives it back to who held it."""
    await make(t)
    drawn = held(await draw(t, t.ann, 4))
    _, told = await does(t, t.ann, drawn[0], "Put back")
    dealt = await t.says(t.bob, "deal", deck="Cards", cards=2)
    _, undone = [await t.says(t.mara, "roller undo", name="Cards") for _ in range(2)]
    hand = await t.slash(t.ann, "hand")

    assert f"undid #6, the card that {t.ann.mention} put back. " in undone
    assert told == f"{t.ann.mention} puts a card back into `Cards`.\n-# #6"
    assert dealt_in(dealt) == CARDS - {*drawn[1:]}
    assert held(hand) == drawn


async def test_cards_are_shown_and_kept(t: Table) -> None:
    """As many as one likes, at once; they can still be played, and no other card is told."""
    await make(t)
    first, second, third = held(await draw(t, t.ann, 3))
    hand = await t.slash(t.ann, "hand")
    ids = [custom_id.rpartition(":")[2] for custom_id in cards(hand).values()]
    await t.press(hand, "Reveal…", t.ann)
    shown = (await t.ann.select(reply(hand), ids[:2])).followups[-1].content
    _, played = await does(t, t.ann, first, "Play")

    assert shown.splitlines() == [
        f"{t.ann.mention} shows from their hand:",
        *(f"**{card}** · `Cards`" for card in (first, second)),
        "-# #2 · #3",
    ]
    assert played.startswith(f"{t.ann.mention} plays **{first}**")
    assert third not in "".join(t.seen_by(t.bob)[1:])


async def test_a_forged_choice_is_refused(t: Table) -> None:
    """What is no number of a card, and nothing at all, changes nothing."""
    await make(t)
    hand = reply(await draw(t, t.ann, 1))
    for values in (["x"], ["٣"], [str(10**30)]):
        for deed in ("discard", "return", "show"):
            answer = await arrives(t, t.ann, InteractionType.component, f"cards:1:{deed}", hand, values)
            assert reply(answer).content == "That button is too old for me. Use the command again."

    assert len(cards(await t.slash(t.ann, "hand"))) == 1


async def test_a_large_hand_is_played_from_a_list(t: Table) -> None:
    """Ten cards have their button beside them, the others are in the list under *Play…*."""
    await t.says(t.mara, "roller cards", name="Cards", cards=",".join(f"c{n}" for n in range(12)))
    hand = await draw(t, t.ann, 12)
    last = reply(hand).content.splitlines()[-1]
    _, told = await does(t, t.ann, "", "Play")

    assert len(cards(hand)) == 10
    assert told.startswith(f"{t.ann.mention} plays **c")
    await t.press(hand, "Play…", t.ann)
    listed = await t.ann.select(reply(hand), ["13"])
    assert listed.followups[-1].content.startswith(f"{t.ann.mention} plays **{last}**")


async def test_what_left_a_hand_is_taken_back(t: Table) -> None:
    """Once, by the button that comes with it; and the card can be played again."""
    await make(t)
    card = held(await draw(t, t.ann, 1))[0]
    hand, _ = await does(t, t.ann, card, "Play")
    taken = await t.press(hand, "Take it back", t.ann)
    _, told = await does(t, t.ann, card, "Discard")

    assert taken.followups[-1].content == f"{t.ann.mention} takes #3 back into their hand.\n-# #4"
    assert told.startswith(f"{t.ann.mention} discards")


async def test_an_undone_draw_leaves_the_hand(t: Table) -> None:
    """A game master's undo takes the newest card back into the deck."""
    await make(t)
    drawn = held(await draw(t, t.ann, 2))
    await t.says(t.mara, "roller undo", name="Cards")

    assert held(await t.slash(t.ann, "hand")) == drawn[:1]


async def test_a_card_whose_draw_is_undone_is_not_taken_back(t: Table) -> None:
    """It was played before that, and is in its deck again."""
    await make(t)
    card = held(await draw(t, t.ann, 1))[0]
    hand, _ = await does(t, t.ann, card, "Play")
    await t.says(t.mara, "roller undo", name="Cards")
    refused = reply(await t.press(hand, "Take it back", t.ann))

    assert refused.ephemeral
    assert refused.content == "You can't take that card back: its draw was undone, or is too old."
    assert (await t.whispers(t.ann, "hand")).startswith(NONE_HELD)


async def test_no_card_leaves_twice(t: Table) -> None:
    """A message that is out of date refuses, and so does somebody else's press on it."""
    await make(t)
    card = held(await draw(t, t.ann, 1))[0]
    old = await t.slash(t.ann, "hand")
    await does(t, t.ann, card, "Play")
    refused = reply(await t.press(old, "Play", t.ann))

    assert (refused.ephemeral, refused.content) == (
        True,
        "You don't hold that card any more. `/hand` shows what you hold.",
    )


async def test_more_is_drawn_by_a_button(t: Table) -> None:
    """One card of the same deck."""
    await make(t)
    hand = await draw(t, t.ann, 1)
    await t.press(hand, "Draw", t.ann)

    assert len(held(hand)) == 2


async def test_hands_are_filled_up_where_the_campaign_says_so(t: Table) -> None:
    """After a play and a discard, to the size that is set; a card that goes back is not replaced."""
    await make(t)
    await t.says(t.mara, "admin settings", hand=3)
    first = held(await draw(t, t.ann, 3))
    hand, _ = await does(t, t.ann, first[0], "Play")
    await t.deliver_again()
    second = held(hand)
    hand, _ = await does(t, t.ann, second[0], "Discard")
    third = held(hand)
    hand, _ = await does(t, t.ann, third[0], "Put back")
    history = await t.whispers(t.bob, "history")

    assert second[:2] == first[1:]
    assert third[:2] == second[1:]
    assert {first[0], second[0], *third} == CARDS
    assert held(hand) == third[1:]
    assert history.count("*hidden*") == 4


async def test_each_deck_is_filled_up_by_itself(t: Table) -> None:
    """Cards of another deck take no room; a deck of which few are held is filled too."""
    await make(t)
    await t.says(t.mara, "roller cards", name="Omens", cards="Crow, Owl, Elk, Fox")
    await t.says(t.mara, "admin settings", hand=2)
    await draw(t, t.ann, 2)
    both = held(await t.slash(t.ann, "deal", deck="Omens", hand=2))
    after = held((await does(t, t.ann, both[0], "Play"))[0])

    assert after[:3] == both[1:]
    assert after[3] not in both
    assert [card.partition(" ")[0] in CARDS for card in after] == [True, False, False, True]


async def test_a_play_stands_where_nothing_can_be_drawn(t: Table) -> None:
    """The deck was removed meanwhile."""
    await make(t)
    await t.says(t.mara, "admin settings", hand=3)
    card, *rest = held(await draw(t, t.ann, 3))
    await t.says(t.mara, "roller remove", name="Cards")
    hand, told = await does(t, t.ann, card, "Play")

    assert told.startswith(f"{t.ann.mention} plays **{card}**")
    assert held(hand) == rest


async def test_the_game_master_sees_sizes(t: Table) -> None:
    """And no cards; players see their own hand alone."""
    await make(t)
    drawn = held(await draw(t, t.ann, 2))
    mara, bob = await t.whispers(t.mara, "hand"), await t.whispers(t.bob, "hand")

    assert mara == f"{NONE_HELD}\n-# At the table: {t.ann.mention} 2"
    assert bob == NONE_HELD
    assert not any(card in mara for card in drawn)


async def test_a_reset_and_a_session_leave_hands(t: Table) -> None:
    """Both say so; a card of before the reset can't go back into a deck that has it."""
    await make(t)
    card = held(await draw(t, t.ann, 1))[0]
    await t.says(t.mara, "session start")
    reset = await t.press(await t.slash(t.mara, "roller reset", name="Cards"), "Reset it", t.mara)
    ended = await t.slash(t.mara, "session end")
    _, refused = await does(t, t.ann, card, "Put back")

    assert reset.followups[-1].content.endswith("-# 1 card stays in players' hands.")
    assert "1 card stays in players' hands." in reply(ended).content
    assert refused == "Cards was shuffled since then, and is whole. Discard the card instead."


async def test_what_cannot_be_held(t: Table) -> None:
    """A private sentence says why, and nothing is drawn."""
    await make(t)
    await t.says(t.mara, "roller decks", name="Both", decks="a: x, y; b: z, w")
    for options, says in (
        ({"hand": 2, "cards": 2}, "Only you see your hand. Leave out cards, offer, visibility and practice."),
        (
            {"hand": 2, "deck": "Both"},
            "A hand is dealt from one deck, and Both is several. Leave `hand` out.",
        ),
        (
            {"hand": 2, "deck": "nope"},
            "There is no deck `nope` here. A game master makes one with `/roller cards`.",
        ),
    ):
        assert await t.whispers(t.ann, "deal", **{"deck": "Cards", **options}) == says, says

    assert await t.whispers(t.ann, "hand") == NONE_HELD


async def test_a_deck_without_repeats_takes_nothing_back(t: Table) -> None:
    """Its rule could not be kept."""
    await make(t, no_repeat=True)
    _, refused = await does(t, t.ann, held(await draw(t, t.ann, 1))[0], "Put back")

    assert refused == "Cards takes no card back, by its rule. Discard the card instead."


async def test_where_only_called_cards_count_the_gm_deals(t: Table) -> None:
    """A hand of one's own is refused; one that was called for is kept."""
    await make(t)
    await t.says(t.mara, "admin settings", called_only=True)
    refused = await t.whispers(t.ann, "deal", deck="Cards", hand=2)
    dealt = await t.slash(t.mara, "group deal", deck="Cards", cards=2)
    taken = await t.press(dealt, "My hand", t.ann)

    assert refused == "In this campaign the GM deals: `/group deal` gives everybody a hand."
    assert len(held(taken)) == 2


async def test_an_evening_with_hands_of_five_goes_on_after_a_restart(run: Run) -> None:
    """Messages from before it play their cards, each hand is what it was, and no card is in two hands.

    The game master, who holds none, sees how many each of the three has.
    """
    t = run.wire
    players = t.ann, t.bob, t.guild.add_member(t.env.create_user("cid"))
    await run.says(t.mara, "roller cards", name="Cards", cards=", ".join(f"c{n}" for n in range(60)))
    hands = [await draw(t, who, 5) for who in players]
    drawn = [held(hand) for hand in hands]
    for who, five in zip(players, drawn, strict=True):
        await does(t, who, five[4], "Play")
    await run.restart()
    sizes = await run.says(t.mara, "hand")
    for who, hand, (card, *kept, _) in zip(players, hands, tuple(drawn), strict=True):
        assert held(await t.slash(who, "hand")) == [card, *kept]
        played = await who.click(reply(hand), custom_id=cards(hand)[card])
        assert played.followups[-1].content.startswith(f"{who.mention} plays **{card}**")
        filled = held(await draw(t, who, 5))
        assert (filled[:3], len(filled)) == (kept, 5)
        drawn.append(filled[3:])

    dealt = [card for some in drawn for card in some]
    assert len({*dealt}) == len(dealt) == 7 * len(hands)
    assert sizes.endswith(", ".join(f"{who.mention} 4" for who in players))


@pytest.mark.parametrize("who", ["mara", "bob", "ann"])
async def test_an_export_tells_no_hand_to_others(t: Table, who: str) -> None:
    """Of a hidden draw and a card that went back nothing is told but to its owner, also no game master."""
    await make(t)
    drawn = held(await draw(t, t.ann, 2))
    await does(t, t.ann, drawn[0], "Put back")
    answer = await t.slash(getattr(t, who), "export", format="json")
    [file] = [one for message in (reply(answer), *answer.followups) for one in message.attachments]
    lines = (await file.read()).decode().splitlines()
    told = {card for card in drawn for line in lines if f'"results":["{card}"]' in line}

    assert sum('"kind":"roll"' in line for line in lines) == 2
    assert told == ({*drawn} if who == "ann" else set())
    assert any('"place"' in line for line in lines) is (who == "ann")
