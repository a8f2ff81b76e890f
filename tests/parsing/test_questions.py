"""Words that change a roll of the game that is played are never taken for a label of dice."""

from contextlib import suppress

import pytest

from bot.campaign.campaigns import Rules
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import NotationError
from bot.dice.naming import Vocabulary
from bot.parsing.names import CampaignNames
from bot.parsing.questions import ask_about_game
from bot.parsing.texts import is_standard, reads_as_game
from bot.rulebooks.book import Game
from bot.rulebooks.played import for_first_roll, on_usual
from bot.words.games import shipped
from bot.words.languages import codes, language, speaking
from bot.words.notation import in_notation

PLACES = (
    "{dice} {word}",
    "{dice} vs 12 {word}",
    "{dice} dc 12, {word}",
    "{dice} {word} vs 12",
    "{dice} ac 12 with {word}",
)
GAMES = [game for game in shipped().values() if game.usual]


def playing(game: Game) -> CampaignNames:
    """Return the names of a campaign of the game, without rollers and characters."""
    return CampaignNames({}, Rules(game=game.key), Vocabulary())


def changing(game: Game) -> set[str]:
    """Return the words that change a game's first roll: options that are no targets, and short forms."""
    first = game.rolls[0]
    options = {option.word for option in first.options if option.usual is not None and option.low >= 0}
    short = {form.word for form in first.shorthands if form.option in options and form.word.isalpha()}
    return {word for word in (options - {*first.dice}) | short if len(word) > 2}


def label_of(text: str, game: Game) -> str:
    """Return the words that `/roll` takes for a label of dice; "" where it asks, or rolls the game's roll."""
    dice = on_usual(text, game)
    with suppress(NotationError):
        ask_about_game(dice, playing(game))
        return "" if reads_as_game(dice, game) else f"{notation.parse(dice)} {notation.comment(dice)}"
    return ""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("place", PLACES)
def test_a_word_that_changes_the_roll_is_no_label(game: Game, place: str) -> None:
    """Behind dice, behind a target and between them, it is the game's roll or asked about."""
    texts = {
        place.format(dice=dice, word=word): word
        for word in changing(game)
        for dice in ("+3", f"{game.usual}+3")
    }
    assert [text for text, word in texts.items() if word in label_of(text, game)] == []


def test_a_comment_behind_a_sign_is_no_word_of_the_roll() -> None:
    """`# easy` is what a player says of the roll, and other words stay a label."""
    game = shipped()["traveller"]
    for text in ("2d6+1 vs 8 # easy", "2d6+1 vs 8 climb", "2d6+1 # very difficult"):
        assert text.split()[-1] in label_of(text, game)


STANDARD = "d20", "2d6+3", "3d6 - 2", "1d100", "10d10", "4d8+1+2"


def test_standard_dice_are_alike_everywhere() -> None:
    """No game, dialect or language has another meaning for them, and no other text is taken for such dice."""
    for text in STANDARD:
        own_text = str(notation.read_own(text))
        for game in shipped().values():
            ask_about_game(text, playing(game))
            assert not reads_as_game(text, game), (text, game.key)
        for dialect in Dialect:
            assert str(notation.read_in(dialect, text)) == own_text, (text, dialect)
        for code in codes():
            with speaking(language(code)):
                assert in_notation(text) == text, (text, code)

    assert all(map(is_standard, STANDARD))
    others = (
        "d66",
        "d616",
        "2d6 fire",
        "+2d6",
        "0d6",
        "2d6 vs 8",
        "d20+1d4",
        "2d6 #x",
        "d20 adv",
        "2d6\n",
        "٢d6",
    )
    assert not any(map(is_standard, others))


@pytest.mark.parametrize("game", [game for game in shipped().values() if not game.usual], ids=lambda g: g.key)
def test_own_dice_against_a_number_are_no_plain_sum(game: Game) -> None:
    """Whatever dice the first roll takes, it is offered beside the sum, with the number or this as label."""
    pools = [f"{count}d{sides}" for count in ("", 2, 3, 5) for sides in (6, 8, 10, 12, 20, 100)]
    for dice in (pool for pool in pools if for_first_roll(pool, game)):
        with pytest.raises(NotationError) as asked:
            ask_about_game(f"{dice} vs 9 # why", playing(game))
        own, *others = (reading.text for reading in asked.value.readings)

        assert reads_as_game(own.partition(" #")[0], game), dice
        assert "9" in own, own
        assert own.endswith("why"), own
        assert others, dice
        assert all(map(notation.reads, others)), others


def test_a_number_that_a_pool_reaches_may_be_its_target() -> None:
    """In the 2d20 game the number comes first."""
    with pytest.raises(NotationError) as asked:
        ask_about_game("3d20 vs 12", playing(shipped()["modiphius"]))

    assert [reading.text for reading in asked.value.readings] == ["test 12 3d20", "(3d20)>=12"]
