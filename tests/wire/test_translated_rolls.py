"""Rolls typed in other languages are what they are in English: bonuses, advantage, opponents, "roll"."""

import pytest

from tests.support.shown import labels
from tests.support.table import Table
from tests.support.tongues import speak
from tests.support.wire import reply

TONGUES = {
    "de": ("angriff", "rk", "mit Vorteil", "gegen", "w"),
    "es-ES": ("ataque", "ca", "con ventaja", "contra", "d"),
    "fr": ("attaque", "ca", "avec avantage", "contre", "d"),
    "pt-BR": ("ataque", "ca", "com vantagem", "contra", "d"),
}
"""Language to its words for attack, armour class, with advantage, against, and its letter of a die."""


@pytest.mark.parametrize("tongue", TONGUES)
async def test_a_bonus_behind_a_saved_roll_is_added_to_its_own(t: Table, tongue: str) -> None:
    """It is no armour class, with advantage and a target too."""
    attack, ac, advantage, _, die = TONGUES[tongue]
    await t.slash(t.mara, "game use", game="dnd5")
    speak(t, person=tongue, server=tongue)
    await t.whispers(t.ann, "save", name="sword", dice=f"{attack} +5 1{die}8+3")
    await t.whispers(t.ann, "save", name="axe", dice=f"{attack} +5 {ac} 15 {advantage}")
    sword = await t.says(t.ann, "roll", dice="sword +2")
    axe = await t.says(t.ann, "roll", dice="axe +2")

    assert f"{attack} +7 1{die}8+3" in sword.replace("1d8", f"1{die}8")
    assert ac.upper() not in sword
    assert f"{attack} +7 {ac} 15" in axe


@pytest.mark.parametrize("tongue", TONGUES)
async def test_with_advantage_is_advantage_in_games_too(t: Table, tongue: str) -> None:
    """Also where the word for "with" is the name of a number: Spanish "con" is constitution."""
    attack, ac, advantage, _, _ = TONGUES[tongue]
    word = advantage.split()[0]
    await t.slash(t.mara, "game use", game="dnd5")
    await t.slash(t.ann, "me", set=f"{word} 2")
    speak(t, person=tongue, server=tongue)
    aimed = await t.says(t.ann, "roll", dice=f"{attack} +5 {ac} 15 {advantage}")
    bare = await t.says(t.ann, "roll", dice=f"{attack} +5 {advantage.split()[1]}")

    assert "← 2d20" in aimed
    assert f"{ac.upper()} 15" in aimed
    assert "← 2d20" in bare


@pytest.mark.parametrize("tongue", TONGUES)
async def test_dice_against_a_name_or_dice_are_a_check_or_a_contest(t: Table, tongue: str) -> None:
    """As `d20 vs str` and `d20+5 vs d20+3` are."""
    *_, against, die = TONGUES[tongue]
    await t.slash(t.ann, "me", set="str 30")
    speak(t, person=tongue, server=tongue)
    check = await t.says(t.ann, "roll", dice=f"{die}20 {against} str")
    contest = await t.says(t.ann, "roll", dice=f"{die}20+5 {against} {die}20+3")

    assert f"{against} 30" in check
    assert contest.count("1d20") == 2
    assert "[" not in contest


@pytest.mark.parametrize(("tongue", "game", "word"), [("fr", "dnd5", "lancer"), ("pt-BR", "alien", "rolar")])
async def test_the_word_for_roll_wins_over_a_game_before_dice(
    t: Table, tongue: str, game: str, word: str
) -> None:
    """LANCER is a game, and French for "to roll"; behind it a bonus is still the game's."""
    speak(t, person=tongue, server=tongue)
    alone = await t.says(t.ann, "roll", dice=f"{word} d20")
    await t.slash(t.mara, "game use", game=game)
    played = await t.says(t.ann, "roll", dice=f"{word} 2d20+1")
    lancer = await t.says(t.ann, "roll", dice="lancer +2")

    assert "← 1d20 (" in alone
    assert "← 2d20 (" in played
    assert "10" in lancer


@pytest.mark.parametrize(
    ("tongue", "roll", "shown"),
    [
        ("de", "cthulhu fertigkeit 50 schwierig", "gegen 25"),
        ("fr", "cthulhu comp 50 majeure", "contre 25"),
        ("fr", "cthulhu comp 50 réussite extrême", "contre 10"),
        ("es-ES", "cthulhu 50 éxito extremo", "contra 10"),
        ("pt-BR", "cthulhu 50 sólido", "contra 25"),
        ("de", "dsa probe 12 13 14 5 erschwert um 2", "mod -2"),
        ("de", "dsa probe 12 13 14 erleichtert 1", "mod 1"),
    ],
)
async def test_difficulties_are_read_as_they_are_called(t: Table, tongue: str, roll: str, shown: str) -> None:
    """By the words of results, and by those of The Dark Eye for a modifier."""
    speak(t, person=tongue, server=tongue)

    assert shown in await t.says(t.ann, "roll", dice=roll)


@pytest.mark.parametrize(
    ("tongue", "advantage", "repeats", "halved", "hidden"),
    [
        ("en-US", ["with advantage", "advantage"], ["twice", "2 times"], "halved", "secretly"),
        ("de", ["mit Vorteil", "Vorteil"], ["zweimal", "2 mal"], "halbiert", "geheim"),
        ("es-ES", ["con ventaja", "ventaja"], ["dos veces", "2 veces"], "a la mitad", "oculta"),
        ("fr", ["avec avantage", "avantage"], ["deux fois", "2 fois"], "moitié", "caché"),
        ("pt-BR", ["com vantagem", "vantagem"], ["duas vezes", "2 vezes"], "metade", "escondida"),
    ],
)
async def test_words_behind_a_roller_are_what_they_are_behind_dice(
    t: Table, tongue: str, advantage: list[str], repeats: list[str], halved: str, hidden: str
) -> None:
    """None that may change the roll is its label, one that would hide it only for all to see; others are."""
    await t.says(t.mara, "roller dice", name="Bolt", dice="1d20")
    speak(t, person=tongue)
    for words in (*advantage, f"+5 {advantage[0]}"):
        assert "1d20 (" in (rolled := await t.says(t.ann, "roll", dice=f"Bolt {words}"))
        assert rolled.count("1d20") == 3, rolled
        assert advantage[-1] not in rolled
    for words in repeats:
        (button,) = labels(reply(await t.slash(t.ann, "roll", dice=f"Bolt {words}")).components)
        assert "2#Bolt" in button
    for words in (halved, hidden):
        for command, options in (("roll", {}), ("check", {"dc": 9}), ("save", {"name": "saved"})):
            refused = reply(await t.slash(t.ann, command, dice=f"Bolt {words}", **options))
            assert refused.ephemeral
            offered = labels(refused.components)
            assert all(words == hidden and f" # {hidden}" in label for label in offered), refused.content
        await t.whispers(t.mara, "group call", check="Aim", dice=f"Bolt {words}")
    await t.whispers(t.ann, "roll", dice="saved")
    await t.whispers(t.ann, "save", name="Axe", dice="1d20+5")
    assert "← 2d20kh1 (" in await t.says(t.ann, "roll", dice=f"Axe {advantage[0]}")
    assert "\n-# xyzzy · " in await t.says(t.ann, "roll", dice="Bolt xyzzy")


async def test_a_refusal_marks_the_word_and_not_its_letters_before(t: Table) -> None:
    """The 6 behind the dice, and not that of the die."""
    speak(t, person="de")

    assert "`4W6 ▸6◂ mal`" in await t.whispers(t.ann, "roll", dice="4W6 6 mal")
