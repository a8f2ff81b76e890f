"""Which language is spoken: privately one's own, to all that of the campaign, else of the server."""

from typing import Any

import pytest

from bot.client import Translations
from bot.words.languages import accented
from tests.support.table import Table
from tests.support.tongues import speak, translated
from tests.support.wire import reply


async def test_a_private_answer_is_in_the_language_of_who_asks(t: Table) -> None:
    """A refusal, and a list; what all see stays in the server's."""
    speak(t, person="xx")

    refused = await t.whispers(t.ann, "roll", dice="2d")
    rolled = await t.says(t.ann, "roll", dice="2d6")
    changed = await t.says(t.mara, "admin settings", language="en")

    assert translated(refused)
    assert not translated(rolled)
    assert not translated(changed)


async def test_what_all_see_is_in_the_language_of_the_server(t: Table) -> None:
    """Unless the campaign has chosen its own."""
    speak(t, server="xx")
    before = await t.says(t.mara, "admin settings", looks="text")
    refused = await t.whispers(t.ann, "roll", dice="2d")
    after = await t.says(t.mara, "admin settings", language="en", looks="cards")

    assert [translated(text) for text in (before, refused, after)] == [True, False, False]


async def test_a_board_keeps_its_language(t: Table) -> None:
    """Whoever presses, and whatever is set meanwhile."""
    speak(t, server="xx")
    call = await t.slash(t.mara, "group call", check="Stealth", dice="1d20")
    await t.slash(t.mara, "admin settings", language="en")
    pressed = await t.press(call, accented("Roll"), t.ann)
    await t.env.settle()
    board = reply(call).content

    assert (translated(reply(pressed).content), translated(board)) == (False, True)


async def test_dice_are_read_as_a_language_writes_them(t: Table) -> None:
    """By who speaks it, and by nobody else; what is recorded is notation."""
    die, vs, adv = accented("d"), accented("vs"), accented("adv")
    refused = await t.whispers(t.ann, "roll", dice=f"1{die}20 {vs} 1")
    speak(t, person="xx")
    check = await t.says(t.ann, "roll", dice=f"1{die}20+5 {vs} 1")
    twice = await t.says(t.ann, "check", dice=f"1{die}20 {adv} {vs} 1")
    call = await t.slash(t.mara, "group call", check="Stealth", dice=f"1{die}20 {adv}")
    odds = await t.slash(t.ann, "odds", what=f"1{die}1+5 {vs} 1")

    assert "can't read" in refused
    assert " + 5 vs 1" in check
    assert "2d20kh1" in twice
    assert "2d20kh1" in reply(call).content
    assert "100%" in reply(odds).content


@pytest.mark.parametrize(
    ("code", "dice", "said"),
    [
        ("es", "ventaja 1d20", "¿Querías decir `2d20kh1`?"),
        ("es", "tirada Sabiduría +3 CD 14", "¿Querías decir `1d20+3 dc 14 # tirada Sabiduría`?"),
        ("es", "d20+5 contra 15 con ventaja", "«ventaja» va con un solo d20"),
        ("pt-BR", "1d20 em segredo", "Nenhuma palavra esconde uma rolagem."),
        ("fr", "2d8+4 critique", "« 2d8+4 critique »"),
        ("de", "Wahrnehmung SG 15 mit Vorteil", "Meinst du `(2d20kh1)>=15 # Wahrnehmung`"),
    ],
)
async def test_a_refusal_quotes_what_was_typed_and_offers_what_was_meant(
    t: Table, code: str, dice: str, said: str
) -> None:
    """Also where the word for advantage starts some game, or a word begins like an English one."""
    speak(t, person=code, server=code)
    assert said in (await t.whispers(t.ann, "roll", dice=dice)).replace("\N{NARROW NO-BREAK SPACE}", " ")


async def test_results_are_read_as_they_are_shown(t: Table) -> None:
    """By who speaks the language, and in English: what came before, owners of results, sides of a coin."""
    speak(t, person="xx", server="xx")
    await t.says(t.mara, "roller renewal", name="Pity", chance="0.25")
    await t.says(t.ann, "roll", dice="Pity", times=2)
    event, nothing, heads, tails = map(accented, ("event", "nothing", "heads", "tails"))
    asked = await t.says(t.ann, "odds", what="Pity", after=f"{nothing}, {nothing}")
    english = await t.says(t.ann, "odds", what="Pity", after="nothing, nothing")
    owners = await t.says(t.ann, "stats", roller="Pity", owners=f"Ann: {event}; Bob: {nothing}")
    odd, even = [
        await t.says(t.ann, "destination", where="*", dice=f"5 2 {side}") for side in (heads, "tails")
    ]
    coins = [await t.says(t.ann, "roll", dice="coin", thrown=side) for side in ("Heads", tails)]

    assert asked.replace(nothing, "nothing") == english.replace(nothing, "nothing")
    assert event in asked
    assert "Bob" in owners
    assert (" 20" in odd, " 56" in even) == (True, True)
    assert [one.partition("\n")[0] for one in coins] == [f"**{heads}**", f"**{tails}**"]


async def test_a_face_named_as_a_coins_side_is_that_face(t: Table) -> None:
    """A coin's side is read in the reader's language where a coin is thrown, and no name of a face is."""
    speak(t, person="de", server="de")

    assert (await t.says(t.ann, "roll", dice="d{Kopf 4, Rand}", thrown="Kopf")).startswith("**Kopf**")


def _size(node: Any) -> int:
    """How many characters Discord counts: of each text its longest translation."""
    texts: list[list[str]] = [
        [node.get(name, ""), *(node.get(f"{name}_localizations") or {}).values()]
        for name in ("name", "description")
    ]
    own = sum(max(map(len, each)) for each in texts) + len(str(node.get("value", "")))
    return own + sum(_size(part) for name in ("options", "choices") for part in node.get(name) or ())


async def test_commands_fit_in_every_language(t: Table) -> None:
    """Discord takes 8,000 characters for a command with all that is below it."""
    tree: Any = t.bot.tree
    payloads: list[Any] = [
        await one.get_translated_payload(tree, Translations()) for one in tree.get_commands()
    ]

    assert sum("de" in (one.get("description_localizations") or {}) for one in payloads) > 20
    assert [payload["name"] for payload in payloads if _size(payload) > 8_000] == []
