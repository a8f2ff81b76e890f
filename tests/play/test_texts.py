"""The texts of the page: in whose language a request is answered, and what the page is told of it."""

from typing import Any

import pytest
from aiohttp.test_utils import make_mocked_request

from bot.play.page import page_texts, request_language, script_texts
from bot.words.languages import PSEUDO, accented, codes, language


@pytest.mark.parametrize(
    ("usual", "browser", "chosen", "code"),
    [
        ("en-US", "de-AT,de;q=0.9,en;q=0.8", "", "de"),
        ("en-US", "ja,pt-BR;q=0.9", "", "pt-BR"),
        ("fr", "ja", "", "fr"),
        ("fr", "en-GB,en", "", "en"),
        ("fr", 'en-"><b>', "", "en"),
        ("fr", 'de-"><b>', "", "de"),
        ("fr", "de", "es", "es"),
        ("fr", "de", "../de", "de"),
        (PSEUDO, "de", "", PSEUDO),
        (PSEUDO, "de", "es", "es"),
        ("fr", "", "", "fr"),
    ],
)
def test_the_language_is_the_chosen_one_the_browsers_or_the_tables(
    usual: str, browser: str, chosen: str, code: str
) -> None:
    """The first of these that is spoken."""
    headers = {"Accept-Language": browser, "Cookie": f"language={chosen}"}

    assert request_language(make_mocked_request("GET", "/", headers=headers), usual) == code


def test_a_language_is_read_once_for_all_its_variants() -> None:
    """A browser may name any, and reading one takes long."""
    assert language("de-AT") is language("de-1996-x") is language("de")


def test_a_page_is_told_its_texts_alone() -> None:
    """Each in its language, with the form for every number; what has no translation stays English."""
    told: Any = page_texts(PSEUDO)

    assert told["texts"]["Your name"] == accented("Your name")
    assert "Roll dice." not in told["texts"]
    assert told["counted"]["{n} new below"][1] == "0" * 200
    for code in codes():
        forms, places = page_texts(code)["counted"]["It is good once, for {n} hour."]
        spoken = language(code)
        assert spoken
        for n in (0, 1, 2, 21, 100, 199):
            assert forms[int(places[n])] == spoken.catalogue.ngettext(
                "It is good once, for {n} hour.", "It is good once, for {n} hours.", n
            )
    assert page_texts("en-GB")["texts"] == {}
    assert page_texts(PSEUDO)["languages"] == {**page_texts("en")["languages"], PSEUDO: PSEUDO}


def test_texts_of_a_script_are_found() -> None:
    """With their form for more, and the signs that a string writes with a stroke."""
    script = r'tell(say("So \"{n}\"", { n })); const sayMany = (one) => one; sayMany("{n} is", "{n} are", n)'

    assert [*script_texts(script)] == [('So "{n}"', ""), ("{n} is", "{n} are")]
