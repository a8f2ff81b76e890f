"""Dice as they are typed in a language: the die's letter, advantage, and what a number is held against."""

from gettext import NullTranslations

import pytest

from bot.campaign.campaigns import USUAL, Remembers, Roller
from bot.dice.naming import Vocabulary
from bot.dice.notation import reads
from bot.parsing.names import CampaignNames
from bot.parsing.texts import split_dc
from bot.words.languages import Language, codes, language, speaking
from bot.words.notation import PHRASE, SEPARATOR, in_notation

WORDS = {
    "de": {
        "d": "w",
        "adv": "vorteil",
        "dis": "nachteil",
        "vs": "gegen",
        "dc": "sg",
        "ac": "rk",
        "with": "mit",
        "difficulty": "schwierigkeit",
    },
    "fr": {"adv": "avantage", "dis": "désavantage", "vs": "contre", "dc": "dd"},
    "es": {"adv": "vent", "advantage": "ventaja", "vs": "contra"},
}


class Spoken(NullTranslations):
    """The words of a language."""

    def __init__(self, words: dict[str, str]) -> None:
        super().__init__()
        self.words = words

    def pgettext(self, context: str, message: str) -> str:
        """Return a word that is typed."""
        return self.words.get(message, message) if context == "typed" else message


LANGUAGES = {code: Language(code, Spoken(words)) for code, words in WORDS.items()}


@pytest.mark.parametrize(
    ("code", "typed", "ours"),
    [
        ("de", "1w20+3", "1d20+3"),
        ("de", "W20 Vorteil", "d20 adv"),
        ("de", "1w20+3 mit Vorteil gegen 15", "1d20+3 adv vs 15"),
        ("de", "1w20 mit Gift", "1d20 mit Gift"),
        ("de", "2w6+w4 gegen 15", "2d6+d4 vs 15"),
        ("de", "6#4W6kh3 # Wurf gegen 15 mit 1w20", "6#4d6kh3 # Wurf gegen 15 mit 1w20"),
        ("de", "1d20+5 sg: 15", "1d20+5 dc: 15"),
        ("de", "1d20 [gegen Gift]", "1d20 [gegen Gift]"),
        ("de", "1d20+5 contra 15", "1d20+5 contra 15"),
        ("fr", "1d20 désavantage", "1d20 dis"),
        ("fr", "1d20 Desavantage contre 12", "1d20 dis vs 12"),
        ("es", "1d20 vent contra 12", "1d20 adv vs 12"),
        ("es", "1d20 ventaja contra 12", "1d20 advantage vs 12"),
        ("es", "1w20", "1w20"),
    ],
)
def test_words_of_a_language_are_notation_there(code: str, typed: str, ours: str) -> None:
    """With and without marks, not in a comment, and nowhere else."""
    assert in_notation(typed) == typed
    with speaking(LANGUAGES[code]):
        assert in_notation(typed) == ours


@pytest.mark.parametrize(
    ("code", "typed", "ours"),
    [
        ("de", "die Hälfte von 8w6", "half 8d6"),
        ("de", "8w6 Feuer halbiert", "8d6 Feuer halved"),
        ("de", "zwei w6", "two d6"),
        ("de", "6 mal 4w6", "6 times 4d6"),
        ("de", "2w10 und 1w8", "2d10 and 1d8"),
        ("de", "w% unter 45", "d% under 45"),
        ("de", "w20+7 gegen RK 16", "d20+7 vs ac 16"),
        ("de", "5w10 Schwierigkeit 7", "5d10 difficulty 7"),
        ("de", "Schwierigkeit 2w6", "Schwierigkeit 2d6"),
        ("de", "Münzwurf", "coin"),
        ("de", "2w6 mindestens 9", "2d6 at least 9"),
        ("de", "w20+5 über den Zaun", "d20+5 über den Zaun"),
        ("de", "ja oder nein", "ja or nein"),
        ("de", "d20 oder d12", "d20 oder d12"),
        ("de", "würfle w20", "roll d20"),
        ("de", "wähle Tee oder Kaffee", "choose Tee or Kaffee"),
        ("de", "wähle 2 aus a, b, c", "choose 2 of a, b, c"),
        ("de", "wähle zwischen Tee und Kaffee", "choose of Tee and Kaffee"),
        ("de", "mische Ann, Bob und Mara", "shuffle Ann, Bob and Mara"),
        ("de", "2w+1", "2d+1"),
        ("de", "4wF+3", "4dF+3"),
        ("de", "2 Würfel", "2 dice"),
        ("de", "8w6 halber Schaden", "8d6 halved"),
        ("de", "3w6 der beste", "3d6 highest"),
        ("fr", "choisis entre thé et café", "choose of thé and café"),
        ("de", "halb und halb +5", "halb und halb +5"),
        ("de", "2w6 # halbiert", "2d6 # halbiert"),
        ("fr", "4d6 sans le plus bas", "4d6 drop lowest"),
        ("fr", "8d6 moitie", "8d6 halved"),
        ("fr", "d20 deux fois", "d20 twice"),
        ("fr", "d20+5 plus de 12", "d20+5 over 12"),
        ("es", "8d6 mitad", "8d6 halved"),
        ("es", "cara o cruz", "coin"),
        ("es", "2d6 justo 7", "2d6 exactly 7"),
        ("pt-BR", "d100 abaixo de 45", "d100 under 45"),
        ("de", "würfle zwei w6", "roll two d6"),
        ("de", "der beste von 2w20", "best of 2d20"),
        ("de", "4w6 die 3 besten", "4d6 take 3 highest"),
        ("de", "7w10 Erfolge ab 8", "7d10 successes at least 8"),
        ("de", "w20+5 mit einem Vorteil", "d20+5 adv"),
        ("fr", "4d6 garde les 3 meilleurs", "4d6 keep 3 highest"),
        ("fr", "le double de 2d6", "double 2d6"),
        ("fr", "2d6 relance les 1 et 2", "2d6 reroll 1 and 2"),
        ("es", "4d6 descarta el más bajo", "4d6 drop lowest"),
        ("es", "tira un dado de 20", "roll die 20"),
        ("es", "el peor de 2d20", "worst of 2d20"),
        ("es", "d100 menor o igual a 45", "d100 at most 45"),
        ("pt-BR", "4d6 os 3 maiores", "4d6 take 3 highest"),
        ("pt-BR", "d20+5 com uma vantagem", "d20+5 advantage"),
        ("pt-BR", "2d6 maior que 7", "2d6 over 7"),
        ("de", "vier mal 3w6", "four times 3d6"),
        ("de", "w20 ohne Vorteil", "d20 ohne Vorteil"),
        ("es", "número entre 1 y 10", "random 1 and 10"),
        ("fr", "jet de pourcentage", "percent"),
        ("pt-BR", "role 2d6", "roll 2d6"),
        ("pt-BR", "2d6 no máximo 5", "2d6 at most 5"),
    ],
)
def test_words_around_dice_are_english_ones(code: str, typed: str, ours: str) -> None:
    """In each language that comes with the bot; no label in front of dice and no comment changes."""
    with speaking(language(code)):
        assert in_notation(typed) == ours


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("de", "d20+5 Angriff ohne Waffe"),
        ("de", "d20+Resistenz"),
        ("de", "d20+5 [doppelt]"),
        ("fr", "d20+5 sans armure"),
        ("fr", "d20+5 jet de résistance"),
        ("es", "d20+5 ataque sin escudo + 2"),
        ("es", "d20 + resistencia - 1"),
        ("es", "d20+golpe crítico"),
        ("pt-BR", "d20+5 teste de resistência"),
        ("pt-BR", "d20+5 sem armadura"),
        ("pt-BR", "d20+5 resistência de Destreza"),
        ("fr", "d20+5 sous pression"),
        ("fr", "d20+5 frappe les gobelins"),
        ("es", "d20+5 bajo presión"),
        ("pt-BR", "1d6[fogo em dobro] + 1d4"),
    ],
)
def test_labels_and_names_of_numbers_stay(code: str, typed: str) -> None:
    """A label "without armour", a saving throw, a text in brackets, and a name behind a sign."""
    with speaking(language(code)):
        assert in_notation(typed) == typed


@pytest.mark.parametrize(
    ("code", "typed", "ours"),
    [
        ("de", "4w6 ohne den niedrigsten", "4d6 drop lowest"),
        ("fr", "4d6 sans les 2 plus bas", "4d6 drop 2 lowest"),
        ("es", "4d6 sin el menor", "4d6 drop lowest"),
        ("pt-BR", "4d6 sem os 2 menores", "4d6 drop 2 lowest"),
        ("pt-BR", "escolha 1d8 em dobro ou sem dado", "choose 1d8 em dobro or sem dado"),
    ],
)
def test_without_is_drop_before_dice_to_drop(code: str, typed: str, ours: str) -> None:
    """And the words of a list are its results, whatever they mean behind dice."""
    with speaking(language(code)):
        assert in_notation(typed) == ours


@pytest.mark.parametrize("code", sorted(codes()))
def test_no_word_around_dice_is_a_label(code: str) -> None:
    """What may change a roll there is refused, and never rolled as it is."""
    behind = (
        *("twice", "halved", "doubled", "under", "drop", "keep", "lowest", "highest", "without"),
        *("reroll", "exploding", "crit", "resistance", "vulnerability", "successes"),
    )
    current = language(code)
    assert current
    for word in behind:
        for spelling in current.word(PHRASE, word).split(SEPARATOR):
            with speaking(current):
                assert not reads(in_notation(f"8d6 {spelling}")), spelling


@pytest.mark.parametrize("code", sorted(codes()))
def test_each_spelling_in_front_or_alone_is_its_word(code: str) -> None:
    """No word takes the beginning of another one's: "lanza" is to roll, and "lanza una moneda" a coin."""
    lines = {"coin": "", "stats": "", "roll": " 2d6", "half": " 8d6", "choose": " a, b", "shuffle": " a, b"}
    current = language(code)
    assert current
    for word, behind in lines.items():
        for spelling in current.word(PHRASE, word).split(SEPARATOR):
            with speaking(current):
                assert in_notation(f"{spelling}{behind}") == f"{word}{behind}", spelling


def test_names_keep_their_letters() -> None:
    """A roller is called as it is, and a game's words have others of their own."""
    known = CampaignNames(
        {"w20": Roller("W20", "", Remembers.TABLE, epoch=0)}, USUAL, Vocabulary(saved={"w6 feuer": "2d6"})
    )
    with speaking(LANGUAGES["de"]):
        assert known.in_notation("W20 gegen 15") == "W20 gegen 15"
        assert known.in_notation("w6 feuer + 1w4") == "w6 feuer + 1d4"
        assert known.in_notation("2w8 gegen 9") == "2d8 vs 9"
        assert known.in_notation("dnd5 attack sg 5 2w6") == "dnd5 attack sg 5 2d6"
        assert known.in_notation("dnd5 attack gegen RK 15") == "dnd5 attack vs RK 15"


def test_a_dc_behind_dice_is_read() -> None:
    """In /check too."""
    with speaking(LANGUAGES["de"]):
        assert split_dc("1d20+5 gegen 15") == ("1d20+5", 15)
        assert split_dc("Schleichen sg 12") == ("Schleichen", 12)
        assert split_dc("1w20+5 gegen RK 16") == ("1w20+5", 16)
    assert split_dc("1d20+5 vs ac 16") == ("1d20+5", 16)
