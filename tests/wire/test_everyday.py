"""What people type every evening, through /roll: each line is rolled as the table says, or asked about."""

import re
from itertools import islice

import pytest

from bot.campaign.rolled import OfDice
from bot.dice.naming import resolve
from bot.dice.notation import parse, without_comment
from bot.storage import reading
from tests.dice.test_naming_laws import LAWS, NAMES
from tests.support.everyday import ASKED, READ
from tests.support.shown import labels
from tests.support.table import Table
from tests.support.tongues import speak
from tests.support.wire import reply


async def _rolled(t: Table) -> str:
    """The dice of the newest roll, as they are recorded."""
    (row,) = await t.app._store.reader.do(reading.page(1, limit=1))
    of = row.event.roll.of
    assert isinstance(of, OfDice)
    return of.text


async def test_a_line_that_is_asked_about_has_buttons(t: Table) -> None:
    """One for each of its readings, the longest too; a press rolls that one."""
    longest = max(ASKED, key=lambda text: max(map(len, ASKED[text]), default=0))
    most = max(ASKED, key=lambda text: len(ASKED[text]))
    for text in (*islice(ASKED, 9), longest, most):
        asked = await t.slash(t.ann, "roll", dice=text)
        assert reply(asked).ephemeral, text
        for ours in ASKED[text]:
            await t.press(asked, f"Roll {ours}", t.ann)

            assert await _rolled(t) == without_comment(ours), (text, ours)


async def test_blanks_change_no_reading(t: Table) -> None:
    """However many a telephone writes, and of whatever kind."""
    for text, ours in islice(READ.items(), 9):
        await t.says(t.ann, "roll", dice=f" {text} ".replace(" ", " \u00a0"))

        assert await _rolled(t) == without_comment(ours), text


async def test_each_line_with_names_is_rolled(t: Table) -> None:
    """With what the names mean to who types them."""
    await t.says(t.mara, "campaign create", name="Keep")
    numbers = ", ".join(f"{name} {value}" for name, value in NAMES.numbers.items())
    await t.whispers(t.ann, "me", set=numbers)
    for name, dice in NAMES.saved.items():
        await t.whispers(t.ann, "save", name=name, dice=dice)
    for text in LAWS:
        found = resolve(text, NAMES)
        await t.says(t.ann, "roll", dice=text)

        assert found
        assert await _rolled(t) == str(parse(found.text)), text


async def test_a_bonus_by_name_alone_stands_on_a_d20(t: Table) -> None:
    """Where the game that is played rolls one; elsewhere it is asked."""
    await t.says(t.mara, "campaign create", name="Keep")
    await t.whispers(t.ann, "me", set="str 3")
    asked = await t.slash(t.ann, "roll", dice="+str")

    assert reply(asked).content == "That has no dice. Did you mean `1d20+str` (on a d20)?"
    await t.press(asked, "Roll 1d20+str", t.ann)
    assert await _rolled(t) == "1d20+3"
    await t.press(await t.slash(t.ann, "roll", dice="Str"), "Roll 1d20+Str", t.ann)
    assert await _rolled(t) == "1d20+3"

    await t.says(t.mara, "game use", game="dnd5")
    await t.says(t.ann, "roll", dice="str")
    assert await _rolled(t) == "1d20+3"
    await t.says(t.ann, "roll", dice="- str")
    assert await _rolled(t) == "1d20-3"


async def test_ones_own_number_goes_before_a_games_short_name(t: Table) -> None:
    """SR is a spell's resistance here, and elsewhere a game."""
    await t.says(t.mara, "game use", game="dnd5")
    await t.whispers(t.ann, "me", set="sr 3")
    await t.says(t.ann, "roll", dice="sr +2")

    assert await _rolled(t) == "1d20+3+2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("coin", r"\*\*(heads|tails)\*\*\n-# heads / tails · #1$"),
        ("flip 2", r"\*\*(heads|tails)\*\*\n\*\*(heads|tails)\*\*\n"),
        ("choose tea, coffee", r"\*\*(tea|coffee)\*\*\n-# tea / coffee · #1$"),
        ("d{wood 4, brick 3}", r"\*\*(wood|brick)\*\*\n-# wood / brick · #1$"),
        ("2d{elk, owl}", r"\*\*(elk|owl), (elk|owl)\*\*\n"),
        ("shuffle Ann, Bob", r"\*\*(Ann, Bob|Bob, Ann)\*\*\n"),
        ("coin # who begins", r"\*\*(heads|tails)\*\*\n-# who begins · heads / tails · #1$"),
        ("choose 2 of a b c # dinner", r"\*\*[abc], [abc]\*\*\n-# dinner · a / b / c · #1$"),
        ("choose 2 of a b c", r"\*\*[abc], [abc]\*\*\n"),
    ],
)
async def test_what_has_names_is_told_by_name(t: Table, text: str, shown: str) -> None:
    """Rolled again, too."""
    rolled = await t.slash(t.ann, "roll", dice=text)

    assert re.search(shown, reply(rolled).content), reply(rolled).content
    assert re.match(shown.partition(r"\n")[0], await t.pressed(rolled, "Again", t.ann))


async def test_a_label_of_its_own_keeps_the_names_of_faces(t: Table) -> None:
    """In a saved roll too, and in the history."""
    rolled = await t.slash(t.ann, "roll", dice="coin", label="Who begins")
    await t.whispers(t.ann, "save", name="Toss", dice="coin")

    assert "-# Who begins · heads / tails" in reply(rolled).content
    assert " · Who begins · heads / tails" in await t.pressed(rolled, "Again", t.ann)
    assert "-# heads / tails" in await t.says(t.ann, "roll", dice="Toss")
    assert "-# later · heads / tails" in await t.says(t.ann, "roll", dice="Toss # later")
    assert "-# Lab · heads / tails" in await t.says(t.ann, "roll", dice="Toss", label="Lab")
    assert re.search(r" · Lab · \*\*(heads|tails)\*\* \(", await t.whispers(t.ann, "history"))


async def test_named_faces_are_told_by_name(t: Table) -> None:
    """In the history too, whatever language they were asked for in."""
    for text in ("choose tea, tea", "shuffle owl, owl", "3#d{elk, elk}", "2d6 # 1 fire"):
        await t.says(t.ann, "roll", dice=text)
    speak(t, person="de")
    coin = await t.says(t.ann, "roll", dice="Münze")
    history = await t.whispers(t.ann, "history")

    assert "heads / tails" in coin
    assert "· **tea** (`1d2`)" in history
    assert "· **owl, owl** (`2d2u`)" in history
    assert "· **elk · elk · elk** (`3#1d{1,2}`)" in history
    assert "· 1 fire · **" in history


@pytest.mark.parametrize(
    ("code", "text", "dice"),
    [
        ("de", "Wahrnehmungsprobe", "1d20"),
        ("de", "Rettungswurf", "1d20"),
        ("fr", "jet de perception", "1d20"),
        ("es", "prueba de fuerza", "1d20"),
        ("de", "3W6 einzeln", "3#1d6"),
        ("de", "2W20 der höhere", "2d20kh1"),
        ("de", "6x4W6 ohne den niedrigsten", "6#4d6dl1"),
        ("de", "zehn W6", "10d6"),
        ("fr", "2d6 moins 1", "2d6-1"),
        ("fr", "trois fois d20", "3#1d20"),
        ("es", "d20 más 5", "1d20+5"),
        ("pt-BR", "3d6 um por um", "3#1d6"),
    ],
)
async def test_words_around_dice_are_never_a_label(t: Table, code: str, text: str, dice: str) -> None:
    """In each language the first button rolls what they say, and a check by its name is on a d20."""
    speak(t, person=code)
    asked = await t.slash(t.ann, "roll", dice=text)
    await t.press(asked, labels(reply(asked).components)[0], t.ann)

    assert await _rolled(t) == dice


async def test_a_name_that_is_no_check_is_not_offered(t: Table) -> None:
    """Nobody knows what it rolls."""
    speak(t, person="de")

    assert labels(reply(await t.slash(t.ann, "roll", dice="Feuerball")).components) == []
