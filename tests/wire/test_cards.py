"""Cards in Discord: what is sent and edited, in both looks, and what happens where Discord refuses it."""

from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

import discord
import pytest
from simcord import InteractionResult

from bot.campaign.campaigns import Looks
from bot.words.cards import (
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
    Tone,
    text_card,
)
from cogs.kit.cards import edit, send
from cogs.kit.interactions import Interaction, buttons_on
from cogs.kit.layout import lay_out
from cogs.kit.replies import AGAIN, REVEAL
from tests.support.shown import texts
from tests.support.table import REPLIES, Table
from tests.support.wire import reply

V2 = 1 << 15
ROLL = Card(
    (Beside((Head("22", "<:d20_17:1> + 5"), Small("Stealth · #2")), CardButton("again", (1, 2))),),
    (CardButton("reveal", (1, 2)),),
)


def chart() -> discord.File:
    """A file that a card's picture shows."""
    return discord.File(BytesIO(b"png"), "odds.png")


def test_texts_without_room_beside_a_button_follow_the_third() -> None:
    """Discord takes three beside a button."""
    beside = Beside(tuple(Text(str(n)) for n in range(5)), CardButton("again", (1, 2)))
    (section,) = lay_out(Card((beside,))).parts

    assert [text["content"] for text in section["components"]] == ["0", "1", "2\n3\n4"]


def shape(card: Card, file: str | None = None) -> list[Any]:
    """The types and texts of a card's components, inner ones in lists."""

    def told(part: dict[str, Any]) -> Any:
        inner = [*part.get("components", ()), *([part["accessory"]] if "accessory" in part else ())]
        return [part["type"], *map(told, inner)] if inner else part.get("content", part["type"])

    return [told(part) for part in lay_out(card, file=file).to_components()]


def test_a_plain_roll_is_one_section_without_a_container() -> None:
    """Its total is a large line, and the button stands beside it."""
    assert shape(ROLL) == [[9, "# **22** <:d20_17:1> + 5", "-# Stealth · #2", 2], [1, 2]]


def test_a_card_with_a_tone_has_a_container() -> None:
    """Rules, rows and pictures stand within, buttons below; texts are numbered by what they are."""
    rows = CardRows((CardRow("<@1>", "6"), CardRow("<@2>", "27")))
    card = Card(
        (Head("Stealth"), Divider(), rows, Picture("a.png", "Totals"), Small("#1"), Small("#2")),
        (CardButton("again", (1, 2)),),
        Tone.BAD,
    )
    container, _ = lay_out(card, file="a.png").to_components()

    assert shape(card, "a.png") == [
        [17, "# **Stealth**", 14, "<@1> **6**\n<@2> **27**", 12, "-# #1", "-# #2"],
        [1, 2],
    ]
    assert [part.get("id") for part in container["components"]] == [1000, None, 2000, None, 3000, 3001]
    assert container["accent_color"] == 0xF0A092


def test_a_file_that_no_picture_shows_has_a_line_of_its_own() -> None:
    """Discord would not show it at all; a picture without its file is left out."""
    assert shape(text_card("Here it is."), "proof.txt") == ["Here it is.", 13]
    assert shape(Card((Text("a"), Picture("a.png", "")))) == ["a"]


def test_no_message_has_too_many_parts_or_letters() -> None:
    """Buttons beside texts give way, then rows and texts are cut."""
    many = tuple(Beside((Text("x" * 300), Small("y")), CardButton("again", (n, 1))) for n in range(20))
    rows = CardRows(tuple(CardRow(f"<@{10**18 + n}>", "17", "🎲" * 12, "passes by 3") for n in range(100)))
    parts = lay_out(Card((*many, rows), ROLL.buttons, Tone.GOOD)).to_components()

    (container, row) = parts
    kinds = [part["type"] for part in container["components"]]
    assert kinds.count(9) == 5
    assert 1 + len(kinds) + 3 * 5 + 1 + len(row["components"]) <= 40
    assert len(texts(parts)) <= 4_000


class Probe:
    """Has a command of the bot answered by a test's own function."""

    def __init__(self, t: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self._t, self._patch = t, monkeypatch
        (command,) = (found for found in t.bot.tree.get_commands() if found.name == "help")
        self._command: Any = command

    async def __call__(self, answer: Callable[[Interaction], Awaitable[object]]) -> InteractionResult:
        """Run it."""

        async def run(_: object, interaction: Interaction) -> None:
            await answer(interaction)

        self._patch.setattr(self._command, "_callback", run)
        return await self._t.slash(self._t.ann, "help")


@pytest.fixture
def probe(t: Table, monkeypatch: pytest.MonkeyPatch) -> Probe:
    """A command that does what a test wants."""
    return Probe(t, monkeypatch)


async def test_a_card_is_sent_edited_and_followed(probe: Probe) -> None:
    """An answer, what follows it, and the answer changed; buttons beside texts are found."""

    async def answer(interaction: Interaction) -> None:
        await send(interaction, ROLL, private=True)
        await send(interaction, text_card("More"))
        await edit(interaction, text_card("Changed", CardButton("again", (3, 4))))

    done = await probe(answer)

    assert reply(done).content == "Changed"
    assert reply(done).ephemeral
    assert reply(done).flags.value & V2
    assert [each.content for each in done.followups] == ["More"]
    assert [values for _, values in buttons_on(reply(done).message, AGAIN.custom_id)] == [[3, 4]]


async def test_buttons_beside_texts_are_found(probe: Probe) -> None:
    """From top to bottom."""
    done = await probe(lambda interaction: send(interaction, ROLL))

    found = buttons_on(reply(done).message, AGAIN.custom_id, REVEAL.custom_id)
    assert [button.label for button, _ in found] == ["Again", "Reveal"]


async def test_a_campaign_chooses_plain_text(t: Table, probe: Probe) -> None:
    """Messages are text from then on, and a card that stands there stays one."""
    before = await probe(lambda interaction: send(interaction, ROLL))
    changed = await t.says(t.mara, "admin settings", looks="text")
    after = await probe(lambda interaction: send(interaction, ROLL))
    await edit(reply(before).message, text_card("Still a card"), looks=Looks.TEXT)

    assert "messages are plain text" in changed
    assert not reply(after).flags.value & V2
    assert reply(after).content == "**22** <:d20_17:1> + 5\n-# Stealth · #2"
    assert [each.label for each, _ in buttons_on(reply(after).message, AGAIN.custom_id)] == ["Again"]
    assert reply(before).content == "Still a card"
    assert reply(before).flags.value & V2


async def test_a_plain_message_becomes_a_card(t: Table, probe: Probe) -> None:
    """What it said before is gone."""
    await t.says(t.mara, "admin settings", looks="text")
    plain = await probe(lambda interaction: send(interaction, ROLL))
    await edit(reply(plain).message, text_card("A card"))

    assert reply(plain).content == "A card"
    assert reply(plain).flags.value & V2


async def test_what_is_refused_as_a_card_is_sent_as_text(t: Table, probe: Probe) -> None:
    """With its buttons and its file."""
    t.env.inject_error("POST", REPLIES, status=400, code=50035, message="Invalid Form Body")
    card = Card((Text("Odds"), Picture("odds.png", "Chances")), ROLL.buttons)
    done = await probe(lambda interaction: send(interaction, card, file=chart()))

    assert not reply(done).flags.value & V2
    assert reply(done).content == "Odds"
    assert [file.filename for file in reply(done).attachments] == ["odds.png"]


async def test_a_refused_file_is_a_sentence(t: Table, probe: Probe) -> None:
    """In the place of the picture; a reason given from the start stands there too."""
    card = Card((Picture("odds.png", "Chances"), Text("Odds")))
    given = await probe(lambda interaction: send(interaction, card, file="Too many."))
    t.env.inject_error("POST", REPLIES, status=413, code=40005, message="too large")
    file = chart()
    refused = await probe(lambda interaction: send(interaction, card, file=file))

    assert reply(given).content == "-# Too many.\nOdds"
    assert reply(refused).content == "-# Discord did not take the file that goes with this.\nOdds"
    assert reply(refused).flags.value & V2


async def test_a_file_that_is_refused_at_an_edit_is_a_sentence(t: Table, probe: Probe) -> None:
    """The card has all else, stays a card, and takes the next file."""
    card = Card((Text("Odds"), Picture("odds.png", "Chances")))
    done = await probe(lambda interaction: send(interaction, card))
    message = reply(done).message
    t.env.inject_error("PATCH", "/channels/*", status=413, code=40005, message="too large")
    await edit(message, card, file=chart())
    refused = reply(done).content, bool(reply(done).flags.value & V2)
    await edit(message, card, file=chart())

    assert refused == ("Odds\n-# Discord did not take the file that goes with this.", True)
    assert reply(done).content == "Odds"
    assert [part["type"] for part in reply(done).components] == [10, 12]


async def test_whom_a_card_calls_hears_its_text(t: Table, probe: Probe) -> None:
    """It is sent as text, which rings with all of it, and is a card a moment later."""
    calls = discord.AllowedMentions(users=[discord.Object(t.bob.id)])
    done = await probe(
        lambda interaction: send(interaction, text_card(f"{t.bob.mention}, roll!"), calls=calls)
    )

    sent: Any = t.env.backend.http_requests[-2].json
    assert sent["data"]["content"] == f"{t.bob.mention}, roll!"
    assert sent["data"]["allowed_mentions"]["users"] == [t.bob.id]
    assert reply(done).flags.value & V2
    assert reply(done).content == f"{t.bob.mention}, roll!"
