"""People and servers with a language: what Discord says of them is changed on its way to the bot."""

from typing import Any

from bot.words.pseudo import accented
from tests.support.simulated import GUILD_ID
from tests.support.table import Table


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


def translated(text: str) -> bool:
    """Whether a text has a sentence in the language of looking."""
    return accented("x")[0] in text
