"""/history: ten at a time, newest first, in both directions, and only what the reader may see."""

import re

from simcord import InteractionResult
from simcord.components import walk_components

from tests.support.table import Table, entries
from tests.support.wire import reply

_LINE = re.compile(r"^(?:~~)?#(\d+) ·", re.MULTILINE)


def shown(result: InteractionResult) -> list[int]:
    """The numbers on a page, from the top."""
    return [int(number) for number in _LINE.findall(reply(result).content)]


def disabled(result: InteractionResult) -> dict[str, bool]:
    """Which of the page's buttons can't be pressed."""
    parts = [part for part in walk_components(reply(result).components) if part["type"] == 2]
    return {button["label"]: bool(button.get("disabled")) for button in parts}


async def some_rolls(t: Table, count: int) -> None:
    """Ann rolls so many times."""
    for _ in range(count):
        await t.says(t.ann, "roll", dice="1d6")


async def test_an_empty_history_says_how_to_begin(t: Table) -> None:
    """Before anything happened there is a word for it, and no page to turn to."""
    page = await t.slash(t.ann, "history")

    assert reply(page).ephemeral
    assert "`/roll 2d6`" in reply(page).content
    assert disabled(page) == {}


async def test_pages_turn_in_both_directions(t: Table) -> None:
    """23 rolls are pages of ten, ten and three; rolls made meanwhile don't shift the page that is read."""
    await some_rolls(t, 23)
    page = await t.slash(t.bob, "history")
    pages = [(shown(page), disabled(page))]
    await some_rolls(t, 2)
    for label in ("Older", "Older", "Newer", "Newer", "Newer"):
        page = await t.press(page, label, t.bob)
        pages.append((shown(page), disabled(page)))

    assert [numbers for numbers, _ in pages] == [
        list(range(23, 13, -1)),
        list(range(13, 3, -1)),
        [3, 2, 1],
        list(range(13, 3, -1)),
        list(range(23, 13, -1)),
        [25, 24],
    ]
    assert [off["Older"] for _, off in pages] == [False, False, True, False, False, False]
    assert [off["Newer"] for _, off in pages] == [True, False, False, False, False, True]


async def test_a_full_last_page_is_the_last(t: Table) -> None:
    """Twenty rolls are two pages: after the second there is no empty third."""
    await some_rolls(t, 20)
    first = await t.slash(t.ann, "history")
    second = await t.press(first, "Older", t.ann)

    assert shown(second) == list(range(10, 0, -1))
    assert disabled(second) == {"Newer": False, "Older": True}


async def test_filters_hold_over_the_pages(t: Table) -> None:
    """A player's rolls of one roller are found, and turning the page keeps to them."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    for _ in range(6):
        await t.says(t.ann, "roll", dice="cards")
        await t.says(t.ann, "roll", dice="1d6")
        await t.says(t.bob, "roll", dice="cards")
        await t.says(t.bob, "roll", dice="cards")
    anns = await t.slash(t.mara, "history", player=t.ann)
    cards = await t.slash(t.mara, "history", roller=" CARDS ")
    page = await t.slash(t.mara, "history", player=t.bob, roller="cards")
    turned = [shown(page)]
    for label in ("Older", "Newer"):
        page = await t.press(page, label, t.mara)
        turned.append(shown(page))

    assert shown(anns) == [n for n in range(25, 1, -1) if n % 4 in {2, 3}][:10]
    assert shown(cards) == [n for n in range(25, 1, -1) if n % 4 != 3][:10]
    bobs = [n for n in range(25, 1, -1) if n % 4 in {0, 1}]
    assert turned == [bobs[:10], bobs[10:], bobs[:10]]


async def test_a_filter_that_fits_no_button_turns_no_page(t: Table) -> None:
    """A part of it would find other rolls, or none."""
    roller, label, character = "R" * 32, "l" * 25, "C" * 32
    await t.says(t.mara, "roller fair", name=roller, dice="1d6")
    await t.whispers(t.ann, "me", new=character)
    for _ in range(11):
        await t.says(t.ann, "roll", dice=roller, label=label)
    page = await t.slash(t.ann, "history", roller=roller, label=label, character=character)
    fewer = await t.slash(t.ann, "history", roller=roller, label=label, player=t.ann)

    assert len(shown(page)) == 10
    assert disabled(page) == {}
    assert len(shown(await t.press(fewer, "Older", t.ann))) == 1


async def test_every_kind_of_event_has_a_line(t: Table) -> None:
    """Making, rolling, resetting, undoing, removing and revealing stand in it; what was undone is struck."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.ann, "roll", dice="cards", label="Owl")
    await t.press(await t.slash(t.mara, "roller reset", name="Cards"), "Reset it", t.mara)
    await t.says(t.mara, "roller undo", name="cards")
    await t.press(await t.slash(t.ann, "roll", dice="1d6", visibility="gm"), "Reveal", t.ann)
    await t.says(t.mara, "roller remove", name="cards")
    lines = entries(await t.whispers(t.bob, "history"))[::-1]

    assert "made or tuned `Cards`" in lines[0]
    assert re.search(r"Owl · \*\*[1-6]\*\* \(`Cards`\)", lines[1])
    assert lines[2].startswith("~~#3 ·")
    assert lines[2].endswith("reset `Cards`~~ (undone)")
    assert lines[3].endswith("undid #3")
    assert re.search(r"\*\*[1-6]\*\* \(`1d6`\)", lines[4])
    assert lines[5].endswith("revealed #5")
    assert lines[6].endswith("removed `Cards`")
    assert all(t.mara.mention in lines[n] for n in (0, 2, 3, 6))
    assert all(t.ann.mention in lines[n] for n in (1, 4, 5))


async def test_a_page_is_read_by_who_asked(t: Table) -> None:
    """Rows of one page differ with the reader: hidden from Bob is what Mara and Ann may see."""
    for visibility in ("self", "gm", "blind", "public"):
        await t.slash(t.ann, "roll", dice="1d6", visibility=visibility)
    hidden = {
        actor.name: ["*hidden*" in line for line in entries(await t.whispers(actor, "history"))[::-1]]
        for actor in t.world.actors
    }

    assert hidden == {
        "mara": [True, False, False, False],
        "ann": [False, False, True, False],
        "bob": [True, True, True, False],
    }


async def test_labels_are_found_by_a_part(t: Table) -> None:
    """In any case, over pages, and with no sign taken for a wildcard; other filters hold as well."""
    for n in range(12):
        await t.says(t.ann, "roll", dice="1d6", label=f"Fire 100% {n}")
        await t.says(t.bob, "roll", dice="1d6", label="Fire_1000")
    page = await t.slash(t.mara, "history", label="E 100%")
    first = shown(page)
    older = shown(await t.press(page, "Older", t.mara))
    bobs = await t.slash(t.mara, "history", label="fire_", player=t.bob)
    nothing = await t.whispers(t.mara, "history", label="water")

    assert first == [*range(23, 3, -2)]
    assert older == [3, 1]
    assert shown(bobs) == [*range(24, 4, -2)]
    assert nothing.startswith("Nothing here fits. Leave out the player, the character, the roller or")


async def test_one_jumps_to_a_number(t: Table) -> None:
    """The page begins with that number and can be turned both ways; beyond the newest there is a word."""
    await some_rolls(t, 23)
    page = await t.slash(t.bob, "history", number=15)
    numbers = shown(page)
    newer = shown(await t.press(page, "Newer", t.bob))

    assert numbers == [*range(15, 5, -1)]
    assert newer == [*range(23, 15, -1)]
    assert shown(await t.slash(t.bob, "history", number=23)) == [*range(23, 13, -1)]
    assert await t.whispers(t.bob, "history", number=99) == "There is no #99 here; the newest is #23."


async def test_the_last_few_are_enough(t: Table) -> None:
    """Three are asked for, three are shown, and the older ones come behind them."""
    await some_rolls(t, 6)
    page = await t.slash(t.bob, "history", last=3)

    assert shown(page) == [6, 5, 4]
    assert shown(await t.press(page, "Older", t.bob)) == [3, 2, 1]


async def test_bursts_are_marked(t: Table) -> None:
    """Eight results with a memory in a moment are a burst; plain dice and a few rolls are none."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await some_rolls(t, 10)
    await t.says(t.bob, "roll", dice="cards", times=3)
    before = await t.whispers(t.mara, "history")
    await t.says(t.ann, "roll", dice="cards", times=5)
    await t.says(t.ann, "roll", dice="cards", times=3)
    await t.says(t.bob, "roll", dice="cards", practice=True, times=9)
    await t.says(t.bob, "roll", dice="wod 5", times=9)
    lines = entries(await t.whispers(t.mara, "history"))

    assert "many" not in before
    marked = [line.endswith(" · many in a short time") for line in lines]
    assert marked == [False, False, True, True, *[False] * 6]


async def test_words_are_found_in_any_alphabet_and_case(t: Table) -> None:
    """A capital letter with a mark is one, and a German ß stays what it is."""
    await t.whispers(t.ann, "me", new="Émile")
    await t.says(t.ann, "roll", dice="1d6", label="ÄRGER auf der Straße")
    await t.says(t.ann, "roll", dice="1d6", label="Čaj")
    labels = ("Ärger", "Straße", "čAJ")
    found = {label: shown(await t.slash(t.mara, "history", label=label)) for label in labels}
    by_character = shown(await t.slash(t.mara, "history", character="éMILE"))

    assert found == {"Ärger": [1], "Straße": [1], "čAJ": [2]}
    assert by_character == [2, 1]
