"""A card's plain text says what the card says, in the same order, and both keep the limits of a message."""

from bot.words.cards import (
    CARD_LIMIT,
    Beside,
    Card,
    CardButton,
    CardRow,
    CardRows,
    Divider,
    Head,
    Picture,
    Small,
    Text,
    fitted,
    in_rows,
    plain,
    text_card,
)
from bot.words.languages import language, speaking

AGAIN = CardButton("again", (1, 2))


def test_plain_text_says_all_blocks_in_their_order() -> None:
    """Rules and pictures say nothing, and buttons stand below."""
    rows = CardRows((CardRow("<@1>", "27", "<:d20_20:1> + 7", "passes by 13"), CardRow("<@2>", "9")))
    beside = Beside((Head("22", "1d20 (17)", "natural 20"), Small("Stealth · #2\nof a moment ago")), AGAIN)

    text = plain(Card((beside, Divider(), rows, Picture("chart.png", "Totals"), Text("**All in.**"))))

    assert text.splitlines() == [
        *("**22** ← 1d20 (17) · natural 20", "-# Stealth · #2", "-# of a moment ago"),
        *("<@1> **27** <:d20_20:1> + 7 · passes by 13", "<@2> **9**", "**All in.**"),
    ]


def test_buttons_are_found_from_top_to_bottom() -> None:
    """Those beside a text come first, say what they are for, and give way where there is no room."""
    rows = [(CardRow(str(n)), CardButton("again", (n,), "Again", apart=f"Again {n}")) for n in range(12)]
    card = Card(in_rows([(CardRow("None"), None), *rows]), (CardButton("reveal"),))

    assert [press.label or press.name for press in card.below(5)] == [
        *(f"Again {n}" for n in range(9)),
        "reveal",
    ]
    assert len(card.below(1)) == 5
    assert plain(card).splitlines() == ["None", *map(str, range(12))]


def test_a_text_becomes_a_card_with_its_last_lines_small() -> None:
    """A small line in the middle stays where it is."""
    assert text_card("**3**\n-# a\nb\n-# #1\n-# c").blocks == (Text("**3**\n-# a\nb"), Small("#1\nc"))


def test_many_rows_are_shortened_step_by_step() -> None:
    """They lose what came of them, then stand together by it, then lose their dice."""
    rows = [CardRow(f"<@{n}>", str(n), "(d) + 1", "passes by 2", passed=n > 30) for n in range(60)]
    whole, twenty = CardRows((*rows,)), CardRows((*rows[:20],))

    assert twenty.within(600).splitlines()[:2] == ["<@0> **0** ← (d) + 1", "<@1> **1** ← (d) + 1"]
    first, second = whole.within(CARD_LIMIT).splitlines()
    assert first.startswith("**Pass (29)**: <@31> **31** ← (d) + 1, <@32>")
    assert second.startswith("**Fail (31)**: <@0> **0** ← (d) + 1, ")
    assert "(d)" not in whole.within(1_000)
    assert whole.within(200).endswith("more")


def test_who_passes_and_who_fails_is_said_in_the_language_that_is_spoken() -> None:
    """Where many rolls stand together, as elsewhere."""
    rows = CardRows(tuple(CardRow(f"p{n}", str(n), passed=n > 12) for n in range(25)))
    with speaking(language("de")):
        said = rows.within(1_000).split("\n")

    assert [line.partition(":")[0] for line in said] == ["**Bestanden (12)**", "**Nicht bestanden (13)**"]


def test_no_card_is_longer_than_a_message_may_be() -> None:
    """Rows give way first, then the longest text; dice before a total."""
    rows = CardRows(
        tuple(CardRow(f"<@{n}>", str(n), "(dice)", "fails by 2", passed=False) for n in range(400))
    )
    card = Card((Head("22", "1, " * 900), Text("x" * 3_000), rows, Small("#1")))
    blocks = fitted(card.blocks)

    assert sum(len(str(block)) + 1 for block in blocks) <= CARD_LIMIT
    assert blocks[-1] == Small("#1")
    assert str(blocks[0]).startswith("**22**")
    assert len(plain(card)) <= 2_000
