"""The texts of the page: extract them from its scripts, and translate them."""

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
_SAY_CALL = re.compile(r'\bsay(?:Many)?\(("(?:[^"\\\n]|\\.)*")(?:, ("(?:[^"\\\n]|\\.)*"))?')
_NUMBERS = range(200)
"""Numbers with their own plural form; a larger one has the form of 100 and its last two digits."""


def script_texts(script: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a script, and its plural or ""."""
    for text, plural in _SAY_CALL.findall(script):
        yield json.loads(text), json.loads(plural or '""')


def request_language(request: web.Request, usual: str) -> str:
    """Return the language of a request: the one chosen in its page, the browser's, or the table's `usual`.

    At a table in the pseudo language the browser's is ignored.
    """
    header = request.headers.get("Accept-Language", "") if usual != PSEUDO else ""
    accepted = (part.split(";")[0].strip() for part in header.split(","))
    return next(filter(speaks, (request.cookies.get("language", ""), *accepted)), usual)


@lru_cache(maxsize=16)
def page_texts(locale: str) -> Object:
    """Return the page's texts in a language, and the names of all languages.

    A text with a plural has its forms, and a digit for each number: the index of the number's form.
    """
    spoken = language(locale)
    code = spoken.code if spoken else "en"
    names = {key: NAMES.get(key, key) for key in dict.fromkeys(("en", *sorted(codes()), code))}
    catalogue: Object = {"language": code, "texts": {}, "counted": {}, "languages": names}
    if spoken is None:
        return catalogue
    for path in sorted(SITE.glob("*.js")):
        for text, plural in script_texts(path.read_text("utf-8")):
            if plural:
                forms = [spoken.catalogue.ngettext(text, plural, n) for n in _NUMBERS]
                distinct = [*dict.fromkeys(forms)]
                indices = "".join(str(distinct.index(form)) for form in forms)
                catalogue["counted"][text] = distinct, indices
            else:
                catalogue["texts"][text] = spoken.catalogue.gettext(text)
    return catalogue
