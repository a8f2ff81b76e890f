"""People and servers with a language: what Discord says of them is changed on its way to the bot."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from bot.dice.system import is_list, is_object
from bot.words.languages import SHIPPED, accented
from tests.support.simulated import GUILD_ID
from tests.support.table import Table
from tools import catalogues

_KEPT = re.compile(
    r"\bd20 (adv|dis)\b|^\*\*[a-z0-9_/ ]+\*\* ·|`[^`]*`|<[^<> ]*>|https?://\S+|\bd?\d+(d\d+)?\b|[+-]?\d*d\d+\S*"
    r"|Ann|Bob|Mara|Stealth|Initiative|Evenhand|Luck|Tarot|Storm",
    re.MULTILINE,
)
"""Texts that are no sentences: code, mentions, links, dice, and the names of these tests."""
_READ = {"content", "label", "placeholder", "description", "title"}
KEYS = re.compile(r"\b(dnd5|cthulhu|daggerheart|genesys|yearzero)\b|\(([a-z–]{1,2}(, |\)))+")
"""Words that are the same in all languages: the keys of games, and the symbols on dice."""
NAMES = {
    *re.findall(r"[A-Za-z]+", (Path("bot") / "maps" / "longmarch.csv").read_text("utf-8")),
    *("Destination", "register"),
    *("ANU", "Outshift", "io", "de", "lfdr", "org", "qrandom", "random"),
    *("Roll", "Orc", "str"),
}
"""A map's places, the rollers that each campaign has, sources, and what is recorded as it was made."""


def speak(t: Table, person: str = "en-US", server: str = "en-US") -> None:
    """Have whoever does something read that language in Discord, and the server be a community of another."""

    def told(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload |= {"locale": person}
            payload |= {"guild_locale": server} if "guild_locale" in payload else {}

    t.env.backend.subscribers.insert(0, told)
    guild = t.bot.get_guild(GUILD_ID)
    assert guild
    guild.features = ["COMMUNITY"]


@cache
def given() -> frozenset[str]:
    """Return what translators are given, behind its context: tests/tools holds each file against the code."""
    messages = catalogues.texts(catalogues.read((SHIPPED / "de.po").read_bytes(), "de"))
    contexts = ((f"{message.context}\4" if message.context else "", message) for message in messages)
    return frozenset(f"{context}{catalogues.forms(message.id)[0]}" for context, message in contexts)


def translated(text: str) -> bool:
    """Whether a text has a sentence in the language of looking."""
    return accented("x")[0] in text


def english(text: str) -> list[str]:
    """Return the words that are neither translated nor somebody's own."""
    return re.findall(r"[A-Za-z]{2,}", _KEPT.sub(" ", text))


def read(part: Any) -> list[str]:
    """Return all texts for people in a payload to Discord."""
    if is_list(part):
        return [text for item in part for text in read(item)]
    if not is_object(part):
        return []
    own = [value for name, value in part.items() if name in _READ and isinstance(value, str)]
    return own + [text for value in part.values() for text in read(value)]


def told(t: Table, since: int = 0) -> list[str]:
    """All that the bot has sent since it runs, or since so many of its requests."""
    requests = [
        request for request in t.env.backend.http_requests[since:] if request.method in {"POST", "PATCH"}
    ]
    return [text for request in requests for text in read(request.json) if "commands" not in request.path]
