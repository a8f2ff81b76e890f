"""Checks of every card and every request in tests of whole commands.

The import of this module starts the checks of cards: each is checked in every look when sent or edited.
"""

import re
from collections.abc import Iterable
from typing import Any

from simcord.components import walk_components

from bot.campaign.campaigns import Looks
from bot.words.cards import CARD_LIMIT, Card
from bot.words.tables import PHONE
from bot.words.text import MESSAGE_LIMIT
from cogs.kit import cards
from tests.support.openapi import fault_of

PARTS, PRESSES = 40, 25
_SENT = re.compile(r"(POST|PATCH) /(interactions/|webhooks/|channels/\d+/messages)")
_MARKS = re.compile(r"^-# |[*#←·]", re.MULTILINE)
_MESSAGE: Any = cards._Message
_faults: list[str] = []


def messages_held(requests: Iterable[Any]) -> list[str]:
    """Return where messages and forms violate Discord's API description."""
    sent = (request for request in requests if _SENT.match(f"{request.method} {request.path}"))
    faults = (fault_of(request.method, request.path, request.json) for request in sent)
    return [fault for fault in faults if fault]


def cards_held() -> list[str]:
    """Return the faults of cards since the last call, and forget them."""
    faults = _faults[:]
    _faults.clear()
    return faults


def faults_of_card(card: Card, parts: Iterable[Any], text: str) -> list[str]:
    """Return the faults of a card as components and as text."""
    walked = list(walk_components([*parts]))
    texts = [part["content"] for part in walked if part["type"] == 10]
    size, whole = sum(map(len, texts)), "\n".join(map(str, card.blocks))
    names = {
        f"{len(walked)} components": len(walked) > PARTS,
        f"{size} characters of components": size > CARD_LIMIT,
        f"{len(text)} characters of text": len(text) > MESSAGE_LIMIT,
    }
    if len(whole) <= MESSAGE_LIMIT:  # each look cuts longer cards differently
        names[f"components say {texts}, text says {text!r}"] = words(text) != words("\n".join(texts))
    return [*(fault for fault, wrong in names.items() if wrong), *too_wide("\n".join(texts))]


def too_wide(text: str) -> list[str]:
    """Return a fault for each line of a table too wide for a phone; single words are exempt."""
    lines = [line for block in text.split("```")[1::2] for line in block.splitlines()]
    return [f"wider than a phone: {line}" for line in lines if len(line) > PHONE and " " in line]


def words(text: str) -> list[str]:
    """Return the words of a text without Markdown and the signs between a total and its dice."""
    return _MARKS.sub(" ", text).split()


def _watch() -> None:
    original = _MESSAGE.body

    def body(self: Any, look: Looks) -> dict[str, Any]:
        message = original(self, look)
        card = cards._without_picture(self.card, self.file) if isinstance(self.file, str) else self.card
        both = [message if look is style else original(self, style) for style in (Looks.CARDS, Looks.TEXT)]
        _faults.extend(faults_of_card(card, both[0]["view"].parts, both[1]["content"]))
        return message

    _MESSAGE.body = body


_watch()
