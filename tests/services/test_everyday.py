"""What people type every evening, through what `/roll` stands on: rolled, or asked about."""

from collections.abc import AsyncGenerator
from itertools import cycle, islice
from pathlib import Path

import pytest

from bot.campaign.rolled import OfDice
from bot.dice.errors import DiceError, NotationError
from bot.dice.names import with_single_blanks
from bot.dice.naming import UnknownName
from bot.dice.notation import reads, without_comment
from bot.parsing.texts import reads_as_game
from bot.rulebooks.book import Game
from bot.services.characters import Characters
from bot.services.rolling import Rolling
from bot.services.saved import Saved
from bot.services.targets import Targets
from bot.words.games import shipped
from bot.words.languages import language, speaking
from cogs.kit.prompts import READ as BUTTON
from tests.storage.asking import Storage, caller, opened
from tests.support.databases import sqlite_url
from tests.support.everyday import ASKED, OFFERED, READ, TRANSLATED


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Storage]:
    """Return a database of the test's own, on the engine that is at hand."""
    async with opened(sqlite_url(tmp_path)) as storage:
        yield storage


async def rolled(storage: Storage, text: str, *, typed: bool = True) -> str:
    """Return the dice that are recorded for a text."""
    saved = Saved(storage)
    answer = await Rolling(storage, saved, Targets(storage, saved)).roll(caller(), text, typed=typed)
    of = answer.rolled.roll.of
    return of.text if isinstance(of, OfDice) else ""


async def offered(storage: Storage, text: str, *, typed: bool = True) -> list[str] | None:
    """Return what is offered for a text; None where it is rolled, or where a form asks for a number."""
    try:
        await rolled(storage, text, typed=typed)
    except NotationError as refused:
        asks = isinstance(refused, UnknownName) and not refused.readings
        return None if asks else [reading.text for reading in refused.readings]
    except DiceError:
        return []
    return None


async def test_a_line_is_rolled_however_it_is_written(store: Storage) -> None:
    """As it is in the table, without a question, in capitals too; the client takes blanks together."""
    for text, ours in READ.items():
        dice = without_comment(ours)

        assert (await rolled(store, text), text) == (dice, text)
        assert (await rolled(store, text.upper())).lower() == dice.lower(), text
        assert with_single_blanks(f" {text} ".replace(" ", " \u00a0")) == text
    for text in ASKED:
        assert not reads(text.upper()), text
        assert not reads_as_game(text.upper(), None), text


async def test_a_line_that_is_asked_about_has_buttons(store: Storage) -> None:
    """One for each of its readings, which fits into a button and rolls that one."""
    for text, readings in ASKED.items():
        assert await offered(store, text) == readings, text
        for ours in readings:
            assert BUTTON.custom_id.fits(1, "u", ours), ours
    for ours in {ours: ours for readings in ASKED.values() for ours in readings}:
        assert await rolled(store, ours) == without_comment(ours), ours


_AROUND = "{}", "{} foo", "{} foo 3", "{} hidden", "{} twice", "stealth {}", "foo {}", "+2 {}", "{} vs foo"
"""A line as it is typed, and with more beside it."""


def share(place: int, game: Game | None) -> list[str]:
    """Return a game's share of all lines, and one of those with the dice that it rolls usually."""
    lines = [*ASKED, *READ]
    usual = game.usual.lstrip("1234567890") if game else ""
    fitting = [line for line in lines if usual and usual in line]
    return [*lines[place :: len(shipped()) + 1], *fitting[place % 20 :: 20]]


async def test_what_is_offered_is_rolled_without_a_question(store: Storage) -> None:
    """Each line in a game or in none; a form may ask for a number that nobody knows."""
    asked: list[tuple[str | None, str, str]] = []
    await Characters(store).set(caller(), "stealth 5, str 3")
    for place, game in enumerate((None, *shipped().values())):
        if game:
            await store.set_rules(caller(), {"game": game.key})
        for around, line in zip(islice(cycle(_AROUND), place, None), share(place, game), strict=False):
            text = around.format(line)
            offers = await offered(store, text) or ()
            asked += [
                (game and game.key, text, ours) for ours in offers if await offered(store, ours) is not None
            ]

    assert asked == []


async def test_a_game_without_usual_dice_offers_its_first_roll(store: Storage) -> None:
    """Also with its own dice, and with words; no game is offered another one's d20, or a DC as a bonus."""
    for game, text, offers in OFFERED:
        if game:
            await store.set_rules(caller(), {"game": game})

        assert await offered(store, text) == offers, (game, text)
        assert all(BUTTON.custom_id.fits(1, "u", ours) for ours in offers)


async def test_a_tidied_check_keeps_a_persons_own_number(store: Storage) -> None:
    """`make a stealth check` is offered with the number of stealth, as `stealth check` is."""
    await Characters(store).set(caller(), "stealth 5")

    assert await offered(store, "stealth check") == ["1d20+stealth # stealth check"]
    assert await offered(store, "make a stealth check") == ["1d20+stealth # stealth check"]
    behind = ["d20+5 # stealth check # stealth", "(stealth)d20+5 # stealth check"]
    assert await offered(store, "stealth d20+5 # stealth check") == behind


async def test_a_persons_own_name_comes_before_another_games(store: Storage) -> None:
    """A saved roll is rolled without a question, and a number counts where the game is asked about."""
    await Characters(store).set(caller(), "heart 4")
    await Saved(store).save(caller(), "fate", "2d6+1")
    await store.set_rules(caller(), {"game": "ironsworn"})

    assert await rolled(store, "fate +2") == "2d6+1+2"
    assert await offered(store, "heart +1") == ["action +4 +1 # heart", "heart roll +1"]
    assert await offered(store, "heart 3") == ["action 3 # heart", "heart roll 3"]


async def test_other_languages_offer_what_english_does(store: Storage) -> None:
    """Words beside dice, sides of dice, and targets are read as they are typed there."""
    for code, game, text, offers in TRANSLATED:
        if game:
            await store.set_rules(caller(), {"game": game})
        with speaking(language(code)):
            assert await offered(store, text) == offers, (code, text)


async def test_what_is_offered_for_a_line_is_rolled(store: Storage) -> None:
    """A button rolls what it says, in its game; a form may ask for a number."""
    for game, text, offers in OFFERED:
        if game:
            await store.set_rules(caller(), {"game": game})
        for ours in offers:
            assert await offered(store, ours, typed=False) is None, (game, text, ours)
