"""What is said in other languages: from catalogues, with numbers and lists as each writes them."""

from fractions import Fraction
from gettext import NullTranslations

import pytest

from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.words.languages import PSEUDO, SIGNS, SPOKEN, Language, accented, language, speaking
from bot.words.saying import either, join_with_and, refusal, say, say_many
from bot.words.text import decimal, in_percent, ordinal


def tongue(code: str, **said: str) -> Language:
    """A language whose catalogue has a few sentences, by their English ones."""

    class Catalogue(NullTranslations):
        def gettext(self, message: str) -> str:
            return said.get(message, message)

    return Language(code, Catalogue(), SIGNS[code])


@pytest.mark.parametrize(
    ("code", "number", "listed", "place", "share"),
    [
        ("en", "1,234.50", "a, b and c", "1st", "5%"),
        ("de", "1.234,50", "a, b und c", "1.", "5\u00a0%"),
        ("pt-BR", "1.234,50", "a, b e c", "1º", "5%"),
        ("fr", "1\u202f234,50", "a, b et c", "1er", "5\u00a0%"),
        ("es", "1.234,50", "a, b y c", "1.º", "5\u00a0%"),
    ],
)
def test_numbers_and_lists_are_written_as_each_language_does(
    code: str, number: str, listed: str, place: str, share: str
) -> None:
    """Whatever kind of number it is."""
    with speaking(tongue(code)):
        for value in (1234.5, Fraction(2469, 2)):
            assert say("{value:,.2f}", value=float(value)) == number
        assert say("{n}", n="1,234.50") == "1,234.50"
        assert join_with_and(["a", "b", "c"]) == listed
        assert ordinal(1) == place
        assert in_percent("5") == share
        assert decimal(Fraction(3, 2)) == f"1{number[-3]}5"


def test_a_sentence_that_is_missing_is_english() -> None:
    """And so is every one once the block has ended."""
    with speaking(tongue("de", **{"a {thing}": "ein {thing}"})):
        assert say("a {thing}", thing="W6") == "ein W6"
        assert say("the {thing}", thing="W6") == "the W6"
        assert say_many("{n} die", "{n} dice", 2) == "2 dice"
        assert say("") == ""
    assert SPOKEN.get() is None
    assert say("a {thing}", thing="d6") == "a d6"


def test_a_refusal_is_said_in_the_language_that_is_spoken() -> None:
    """Its text for the log stays English."""
    error = SpecError("At most {most:,} cards.", most=1_000)
    with speaking(tongue("de", **{"At most {most:,} cards.": "Höchstens {most:,} Karten."})):
        assert refusal(error) == "Höchstens 1.000 Karten."
        assert str(error) == "At most 1,000 cards."
        unread = NotationError("No.", readings=(DiceReading("1d6"), DiceReading("2d6")))
        assert either(["`1d6`", "`2d6`"]) in refusal(unread)


def test_languages_go_by_discords_locales() -> None:
    """A language without a catalogue is English."""
    assert [language(locale) for locale in ("en-US", "en-GB", "ja", "")] == [None] * 4
    assert (found := language(PSEUDO))
    assert found.code == PSEUDO


def test_the_language_for_looking_changes_letters_alone() -> None:
    """Values, code, mentions and links stay."""
    said = accented("Roll `2d6` for {name} <@12>: https://a.b")

    assert said.startswith("⟦Ŕółł `2d6` ƒóŕ {name} <@12>: https://a.b~")
    assert len(accented("Everybody rolls")) >= 1.4 * len("Everybody rolls")
    with speaking(language(PSEUDO)):
        assert say_many("{n} die", "{n} dice", 2) == accented("{n} dice").format(n=2)
