"""The texts of the page, as its scripts say them, and what they are in the language of whoever reads."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from aiohttp import web

from bot.play.store import Object
from bot.words.languages import NAMES, codes, language, speaks
from bot.words.pseudo import PSEUDO

SITE = Path(__file__).parent / "site"
_SAID = re.compile(r'\bsay(?:Many)?\(("(?:[^"\\\n]|\\.)*")(?:, ("(?:[^"\\\n]|\\.)*"))?')
_NUMBERS = range(200)
"""The form of a number above these is that of its last two digits behind 1."""


def script_texts(script: str) -> Iterator[tuple[str, str]]:
    """Yield each text that a script says, and its form for more or ""."""
    for one, many in _SAID.findall(script):
        yield json.loads(one), json.loads(many or '""')


def heard(request: web.Request, usual: str) -> str:
    """Return the language of a request: the one chosen in its page, the browser's, or the table's `usual`.

    At a table in the language for looking the browser's counts for nothing.
    """
    given = request.headers.get("Accept-Language", "") if usual != PSEUDO else ""
    asked = [request.cookies.get("language", ""), *(part.split(";")[0].strip() for part in given.split(","))]
    return next((code for code in asked if speaks(code)), usual)


@lru_cache(maxsize=16)
def page_texts(locale: str) -> Object:
    """Return what the page is told: its texts in a language, and the languages that it can speak.

    A text that counts has its forms, and a digit for each number that says which of them it takes.
    """
    spoken = language(locale)
    code = spoken.code if spoken else "en"
    told: Object = {"language": code, "texts": {}, "counted": {}}
    told["languages"] = {one: NAMES.get(one, one) for one in dict.fromkeys(("en", *sorted(codes()), code))}
    if spoken is None:
        return told
    for path in sorted(SITE.glob("*.js")):
        for one, many in script_texts(path.read_text("utf-8")):
            if many:
                forms = [spoken.catalogue.ngettext(one, many, n) for n in _NUMBERS]
                own = [*dict.fromkeys(forms)]
                told["counted"][one] = own, "".join(str(own.index(form)) for form in forms)
            else:
                told["texts"][one] = spoken.catalogue.gettext(one)
    return told
