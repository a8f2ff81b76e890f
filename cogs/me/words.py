"""Texts and cards of /me: a character, and the numbers read from a sheet."""

import re
from collections.abc import Sequence

from bot.campaign.characters import Character
from bot.campaign.sheets import Sheet
from bot.words.cards import Card, CardButton, Head, Text, Tone, text_card
from bot.words.saying import phrase, say, say_many
from bot.words.text import and_more, code, escape, fit_items

_SHOWN, _READ, _ROLLS = 1_600, 1_500, 10
EXPORTED = phrase("Your numbers, as `/me file:` reads them.")
EMPTY = phrase("You have no numbers here yet. *Edit* takes them, such as str 3, dex +2.")
NUMBERS_BLOCK = re.compile(r"```\n(.*)\n```", re.DOTALL)
"""Matches the numbers in the message of `read`."""
READ_ON = phrase("I find no numbers in this message. Give the file to `/me` again.")


def character_card(
    character: Character | None,
    saved: Sequence[str],
    campaign_id: int,
    *,
    scored: bool,
    signed: bool = True,
) -> Card:
    """Return a character with its numbers, and a button for each of the first saved rolls.

    If some numbers are `scored`, another makes bonuses of them. Without `signed` they are no bonuses.
    """
    own = character or Character()
    numbers = [_number(own, name, text, signed=signed) for name, text in own.numbers.items()]
    visible = fit_items(numbers, _SHOWN, " · ")
    text = and_more(" · ".join(visible), len(numbers) - len(visible))
    title = (
        Head(escape(own.name), aside=say("your character here")) if own.name else Head(say("Your numbers"))
    )
    rolls = [CardButton("me-roll", (name,)) for name in saved[:_ROLLS]]
    rolls += [CardButton("me-bonuses")] if scored else []
    kinds = ("me-edit", "me-export", "me-remove") if character else ("me-edit",)
    buttons = (*rolls, *(CardButton(kind, (campaign_id, own.name)) for kind in kinds), CardButton("me-new"))
    return Card((title, Text(text if visible else say(EMPTY))), buttons, Tone.QUIET)


def _number(own: Character, name: str, text: str, *, signed: bool) -> str:
    number = own.values[name.casefold()]
    value = f"{number:+d}" if signed else str(number)
    return f"**{escape(name)}** {value if _plain(text) else f'{escape(text)} = {value}'}"


def read(sheet: Sheet, *, scored: bool) -> Card:
    """Return the numbers of a sheet with buttons to keep them, as bonuses too if some are `scored`."""
    lines = [f"{name} {text}" for name, text in sheet.numbers]
    visible = fit_items(lines, _READ, "\n")
    omitted = sheet.skipped + len(lines) - len(visible)
    question = say_many("I read {n} number. Keep them?", "I read {n:,} numbers. Keep them?", len(visible))
    if omitted:
        question += " " + say("I left {left:,} out: too many, or too large.", left=omitted)
    buttons = CardButton("me-keep"), *([CardButton("me-bonuses")] if scored else ())
    return Card((Text("\n".join([question, "```", *visible, "```"])),), buttons)


def removed(name: str) -> str:
    """Return the message of a removed character."""
    return say("Removed {name}.", name=code(name)) if name else say("Removed your numbers.")


def confirm(name: str, campaign_id: int) -> Card:
    """Return the question before a character is removed."""
    question = say("Remove {name} and its numbers?", name=code(name)) if name else say("Remove your numbers?")
    return text_card(question, CardButton("me-gone", (campaign_id, name)))


def _plain(text: str) -> bool:
    return text.lstrip("+-").isdecimal()
