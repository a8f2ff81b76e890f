"""A name that nobody knows is a number that is asked for, in games without usual dice too."""

from simcord import InteractionResult

from bot.rulebooks.book import Game
from bot.words.games import shipped
from tests.support.groups import labels
from tests.support.table import Table
from tests.support.wire import reply

NO_SKILL = {"cortex", "dsa", "fabula", "genesys", "starwars", "trophy"}
"""Games whose rolls take dice of several kinds, or several numbers, and none under a name."""
GAMES = [game for game in shipped().values() if not game.usual]


async def filled_in(t: Table, form: InteractionResult, number: int) -> str:
    """What Ann's number for "brawl" makes of a form's roll."""
    assert form.modal
    fields = [each["component"] for each in form.modal["components"]]
    typed = {"number:brawl": str(number), "keep": False}
    typed |= {field["custom_id"]: field["value"] for field in fields if field["custom_id"] == "dice"}
    return reply(await t.ann.submit_modal(form, typed)).content


def number_for(game: Game, button: str) -> int:
    """Return a number that the roll of a button takes."""
    roll = game.roll(button.split()[1]) or game.rolls[0]
    return max(3, roll.options[0].low)


async def test_a_name_alone_is_a_roll_of_the_game(t: Table) -> None:
    """One button rolls it with the number that its form asks for, under its name."""
    offering: set[str] = set()
    for game in GAMES:
        await t.says(t.mara, "game use", game=game.key)
        asked = await t.slash(t.ann, "roll", dice="brawl")
        for button in labels(asked):
            assert button.endswith(("brawl", "+brawl")), (game.key, button)
            number = number_for(game, button)
            told = await filled_in(t, await t.press(asked, button, t.ann), number)

            assert f" · brawl · **{button.split()[1]} " in told, (game.key, told)
            assert f"{number}" in told.rpartition("brawl")[2], (game.key, told)
            offering.add(game.key)

    assert {game.key for game in GAMES} - offering == NO_SKILL


async def test_options_stay_behind_the_name(t: Table) -> None:
    """Also typed behind the word of the roll, where the form comes at once; a sum of names is one number."""
    for game, dice, roll in (
        ("cthulhu", "dodge hard", "skill dodge hard"),
        ("cthulhu", "hard dodge", "skill dodge hard"),
        ("cthulhu", "spot hidden", "skill spot hidden"),
        ("vampire", "brawl hunger 2", "pool brawl hunger 2"),
        ("vampire", "dex+brawl hunger 2", "pool dex+brawl hunger 2"),
        ("pbta", "cool adv", "move +cool adv"),
        ("fate", "fight vs 3", "fate fight vs 3"),
        ("hero", "stealth", "skill stealth"),
    ):
        await t.says(t.mara, "game use", game=game)
        asked = await t.slash(t.ann, "roll", dice=dice)

        assert labels(asked) == [f"Roll {roll}"], dice
        assert (await t.slash(t.ann, "roll", dice=roll)).modal, roll


async def test_a_check_has_its_number_too(t: Table) -> None:
    """With its DC in the game's words, where its roll takes one."""
    for game, buttons in (("cyberpunk", ["Roll check brawl vs 15"]), ("cthulhu", [])):
        await t.says(t.mara, "game use", game=game)

        assert labels(await t.slash(t.ann, "check", dice="brawl", dc=15)) == buttons, game


async def test_a_name_and_a_word_that_hides_nothing(t: Table) -> None:
    """The word is no part of the name; that of a skill is."""
    await t.says(t.mara, "game use", game="cthulhu")
    asked = await t.slash(t.ann, "roll", dice="dodge hidden")
    pressed = await t.press(asked, "Roll skill dodge # hidden", t.ann)

    assert "No word hides a roll" in reply(asked).content
    assert pressed.modal
    again = await t.slash(t.ann, "roll", dice="spot hidden hidden")
    assert labels(again) == ["Roll skill spot hidden # hidden"]


async def test_an_own_number_is_no_label_at_an_advantage(t: Table) -> None:
    """Without a game it is offered on a d20, not left out."""
    await t.whispers(t.ann, "me", set="stealth 7")
    for dice, button in (
        ("stealth adv", "1d20+stealth adv"),
        ("adv stealth", "1d20+stealth adv"),
        ("stealth with advantage", "1d20+stealth with advantage"),
    ):
        asked = await t.slash(t.ann, "roll", dice=dice)

        assert labels(asked) == [f"Roll {button}"], dice
        assert "+ 7" in reply(await t.press(asked, f"Roll {button}", t.ann)).content, dice


async def test_what_may_lack_a_bonus_is_asked_about(t: Table) -> None:
    """An advantage before a name, a number that may be a DC, a sum; words beside dice stay a label."""
    await t.says(t.mara, "game use", game="dnd5")
    for dice, buttons in (
        ("adv perception", ["Roll d20+perception adv", "Roll adv # perception"]),
        ("dis con save", ["Roll d20+con save dis", "Roll dis # con save"]),
        ("adv athletics vs 15", ["Roll d20+athletics adv vs 15", "Roll adv vs 15 # athletics"]),
        ("con save 14", ["Roll d20+14 # con save", "Roll d20+con save dc 14"]),
        ("dex+prof", ["Roll d20+dex+prof"]),
        ("adv +3 arcana", ["Again"]),
        ("d20 adv perception", ["Again"]),
    ):
        assert labels(await t.slash(t.ann, "roll", dice=dice)) == buttons, dice


async def test_a_bonus_without_its_sign_may_be_the_target(t: Table) -> None:
    """From ten on it is asked about in each roll that takes both; with its sign it is a bonus."""
    for game, dice, buttons in (
        ("dnd5", "attack 14", ["Roll attack +14", "Roll attack vs 14"]),
        ("dnd5", "check 15 # stealth", ["Roll check +15 # stealth", "Roll check vs 15 # stealth"]),
        ("dnd5", "death save 10", ["Roll death save +10", "Roll death save"]),
        ("traveller", "check 10", ["Roll check +10", "Roll check vs 10"]),
        ("daggerheart", "14", ["Roll duality +14", "Roll duality vs 14"]),
        ("dnd5", "attack 9", ["Again"]),
        ("dnd5", "attack +14", ["Again"]),
        ("dnd5", "attack 12 vs 15", ["Again"]),
        ("rolemaster", "maneuver 65", ["Again"]),
    ):
        await t.says(t.mara, "game use", game=game)

        assert labels(await t.slash(t.ann, "roll", dice=dice)) == buttons, dice
