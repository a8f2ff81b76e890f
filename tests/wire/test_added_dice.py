"""A die beside a game's roll that may be damage, a bonus, or one of the roll's own is asked about."""

import pytest

from bot.dice.errors import SpecError
from bot.rulebooks.book import Game
from bot.rulebooks.own_dice import find_sizes
from bot.rulebooks.words import understand
from bot.words.games import shipped
from tests.support.shown import labels
from tests.support.table import Table
from tests.support.wire import reply

ATTACKS = [
    (game.key, roll.word) for game in shipped().values() if game.usual for roll in game.rolls if roll.thrown
]


async def test_a_die_behind_a_word_is_damage_or_a_bonus(t: Table) -> None:
    """In each game with attacks on usual dice, with a target, an advantage and damage behind it."""
    assert ("dnd5", "attack") in ATTACKS
    for game, attack in ATTACKS:
        usual = shipped()[game].usual
        await t.says(t.mara, "game use", game=game)
        for text, on_dice in (
            ("+5 guidance 1d4", "+5+1d4"),
            ("+5 inspiring word d8 ac 15", "+5+d8 ac 15"),
            ("+5 guidance 1d4 ac 15 1d8+3", "+5+1d4 ac 15; 1d8+3"),
        ):
            asked = await t.slash(t.ann, "roll", dice=f"{attack} {text}")
            damage, added = labels(reply(asked).components)

            assert damage.startswith(f"Roll {attack} +5 "), text
            assert added.startswith(f"Roll {usual}{on_dice} # {attack}, "), text
            for label in (damage, added):
                assert not reply(await t.press(asked, label, t.ann)).ephemeral, label


async def test_an_added_die_is_no_die_of_the_roll(t: Table) -> None:
    """The wild die is thrown anyway: with a sign it may be more."""
    await t.says(t.mara, "game use", game="savage")
    for dice, wild in (
        ("trait d8 +1d6", "trait d8 1d6"),
        ("trait d8+d6", "trait d8 d6"),
        ("trait d8 + d6 vs 6", "trait d8 d6 vs 6"),
        ("fighting d8 +1d6", "trait d8 1d6 # fighting"),
        ("trait d8 joker +1d6", "trait d8 1d6 # joker"),
        ("d8+d6 vs 4", "trait d8 d6 vs 4"),
    ):
        asked = await t.slash(t.ann, "roll", dice=dice)

        assert f"Roll {wild}" in labels(reply(asked).components), dice
        assert "wild" in await t.pressed(asked, f"Roll {wild}", t.ann), dice


@pytest.mark.parametrize("game", shipped().values(), ids=lambda game: game.key)
def test_no_roll_leaves_an_added_die_out(game: Game) -> None:
    """But for the usual ones, where the size of a die is typed."""
    usual = {game.usual.removeprefix("1"), game.usual}
    for roll in (roll for roll in game.rolls if find_sizes(roll)):
        for added in {f"d{sides}" for sides in (4, 6, 8, 10, 12, 20)} - usual:
            read = [read_values(f"{roll.word} d8{more}", game) for more in ("", f" +{added}", f"+{added}")]

            assert read[1] is None or read[1] != read[0], (roll.word, added)
            assert read[2] is None or read[2] != read[0], (roll.word, added)


def read_values(text: str, game: Game) -> tuple[tuple[str, int], ...] | None:
    """The numbers of a game's roll; None where it can't be read."""
    try:
        request = understand(text, {}, game)
    except SpecError:
        return None
    return request.given if request else None
