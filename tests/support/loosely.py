"""Texts on a page found by their English, also in the accented letters of the language for looking.

Playwright is told patterns in place of the texts: each letter may have its accent, and brackets may be round.
"""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache, wraps
from string import ascii_letters
from typing import Any

import pytest
from playwright.async_api import Locator, Page
from playwright.async_api._generated import LocatorAssertions, PageAssertions

from bot.words.languages import PSEUDO, accented
from tests.support import chromium

_SIGN = re.compile(r"\\ |\s+|\{[\d,]+\}|\\.|\[(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_AS = {
    **{letter: f"[{letter}{accented(letter)[1]}]" for letter in ascii_letters},
    "^": r"^[\s⟦]*",
    "$": r"[\s~⟧]*$",
    **{sign: rf"[~⟧]*{sign}" for sign in (",", r"\.", r"\?")},
    r"\s": r"[\s~⟦⟧]",
    "/": r"\/",  # Playwright reads a slash at the beginning as a pattern's
}
_BETWEEN = r"[\s~⟦⟧]+"
_WHOLE = {"to_have_text", "to_have_accessible_name", "to_have_accessible_description", "to_have_title"}
_SAID = {*_WHOLE, "to_contain_text", "get_by_text", "get_by_label"}


@cache
def loosely(text: str | re.Pattern[str], *, whole: bool, any_case: bool) -> re.Pattern[str]:
    """Return a pattern that finds a text in English and in the language for looking."""
    pattern = re.escape(text) if isinstance(text, str) else text.pattern
    flags = (re.IGNORECASE if any_case else 0) if isinstance(text, str) else text.flags & ~re.UNICODE
    if whole and isinstance(text, str):
        pattern = f"^{pattern}$"
    return re.compile(_SIGN.sub(_loose, pattern), flags)


def _loose(match: re.Match[str]) -> str:
    sign = match[0]
    return _BETWEEN if sign.isspace() or sign == "\\ " else _AS.get(sign, sign)


def _loosened(act: Callable[..., Any]) -> Callable[..., Any]:
    """Have a method of Playwright's find texts so."""
    name = act.__name__.removeprefix("not_")

    def every(texts: Any, *, whole: bool) -> Any:
        if isinstance(texts, list | tuple):
            return [every(text, whole=whole) for text in texts]  # pyright: ignore[reportUnknownVariableType]
        return loosely(texts, whole=whole, any_case=not (whole or name.startswith("to_")))

    @wraps(act)
    def found(self: Any, *given: Any, **named: Any) -> Any:
        whole = name in _WHOLE or bool(named.get("exact"))
        if name in _SAID:
            given = (every(given[0], whole=whole), *given[1:])
        options = {key: every(named[key], whole=whole) for key in ("name", "has_text") if key in named}
        return act(self, *given, **named | options)

    return found


@contextmanager
def speaking_at_tables(tongue: str) -> Generator[None]:
    """Have tables and the pages at them speak a language, and tests find all by its English."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chromium, "SPOKEN", tongue)
        if tongue == PSEUDO:
            for of in (Page, Locator, LocatorAssertions, PageAssertions):
                for name in ("get_by_role", "filter", *_SAID, *(f"not_{method}" for method in _SAID)):
                    if hasattr(of, name):
                        patch.setattr(of, name, _loosened(getattr(of, name)))
        yield
