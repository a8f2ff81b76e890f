"""Every card and every request of the whole-command tests, held against what holds for all of them.

Importing this module has each card looked at as it is sent or edited, in whatever look; `faults` are what was
found since they were last asked for.
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
_shown: Any = cards._Message
_found: list[str] = []


def messages_held(requests: Iterable[Any]) -> list[str]:
    """Return what Discord's description has against the messages and forms that were sent."""
    sent = (request for request in requests if _SENT.match(f"{request.method} {request.path}"))
    faults = (fault_of(request.method, request.path, request.json) for request in sent)
    return [fault for fault in faults if fault]


def cards_held() -> list[str]:
    """Return what was found about the cards, once."""
    faults = _found[:]
    _found.clear()
    return faults


def faults_of_card(card: Card, parts: Iterable[Any], text: str) -> list[str]:
    """Return what is wrong with a card as components and as text."""
    walked = list(walk_components([*parts]))
    texts = [part["content"] for part in walked if part["type"] == 10]
    size, whole = sum(map(len, texts)), "\n".join(map(str, card.blocks))
    names = {
        f"{len(walked)} components": len(walked) > PARTS,
        f"{size} characters of components": size > CARD_LIMIT,
        f"{len(text)} characters of text": len(text) > MESSAGE_LIMIT,
    }
    if len(whole) <= MESSAGE_LIMIT:  # longer ones are cut where each look has to
        names[f"components say {texts}, text says {text!r}"] = words(text) != words("\n".join(texts))
    return [*(fault for fault, wrong in names.items() if wrong), *too_wide("\n".join(texts))]


def too_wide(text: str) -> list[str]:
    """Return the lines of tables that a phone cuts; a line of one word is there to be copied."""
    lines = [line for block in text.split("```")[1::2] for line in block.splitlines()]
    return [f"wider than a phone: {line}" for line in lines if len(line) > PHONE and " " in line]


def words(text: str) -> list[str]:
    """Return the words of a text without Markdown's marks and the signs between a total and its dice."""
    return _MARKS.sub(" ", text).split()


def _watch() -> None:
    original = _shown.body

    def body(self: Any, look: Looks) -> dict[str, Any]:
        message = original(self, look)
        card = cards._without_picture(self.card, self.file) if isinstance(self.file, str) else self.card
        both = [message if look is style else original(self, style) for style in (Looks.CARDS, Looks.TEXT)]
        _found.extend(faults_of_card(card, both[0]["view"].parts, both[1]["content"]))
        return message

    _shown.body = body


_watch()
