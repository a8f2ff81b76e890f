"""The words of /me: a character, and what was read of a sheet."""

import re
from collections.abc import Sequence

from bot.campaign.characters import Character
from bot.campaign.sheets import Sheet
from bot.words.text import code, escape, plural

_SHOWN, _READ = 1_600, 1_500
EMPTY = "You have no numbers here yet. *Edit* takes them, such as str 3, dex +2."
KEPT_IN = re.compile(r"```\n(.*)\n```", re.DOTALL)
"""What a message shows of a sheet, as it may be typed."""
READ_ON = "I find no numbers in this message. Give the file to `/me` again."


def shown(character: Character | None) -> str:
    """Return a character with what each number is."""
    if character is None:
        return EMPTY
    title = f"**{escape(character.name)}**" if character.name else "**Your numbers**"
    numbers = [
        f"{code(name)} **{character.values[name.casefold()]:+d}**"
        + ("" if _plain(text) else f" ({code(text)})")
        for name, text in character.numbers.items()
    ]
    kept = _within(numbers, _SHOWN, " · ")
    more = f" and {len(numbers) - len(kept)} more" if len(kept) < len(numbers) else ""
    return f"{title}\n{' · '.join(kept)}{more}" if kept else f"{title}\n{EMPTY}"


def read(sheet: Sheet) -> str:
    """Return what was read, to be kept or not."""
    lines = [f"{name} {text}" for name, text in sheet.numbers]
    kept = _within(lines, _READ, "\n")
    left = sheet.left + len(lines) - len(kept)
    said = f"I read {plural(len(kept), 'number')}. Keep them?"
    if left:
        said += f" I left {left:,} out: too many, or too large."
    return "\n".join([said, "```", *kept, "```"])


def removed(name: str) -> str:
    """Return that a character is gone."""
    return f"Removed {code(name)}." if name else "Removed your numbers."


def confirm(name: str) -> str:
    """Return the question before a character goes."""
    return f"Remove {code(name)} and its numbers?" if name else "Remove your numbers?"


def _plain(text: str) -> bool:
    return text.lstrip("+-").isdecimal()


def _within(texts: Sequence[str], room: int, between: str) -> list[str]:
    """Return the first texts that fit."""
    kept = list[str]()
    for text in texts:
        room -= len(text) + len(between)
        if room < 0:
            break
        kept.append(text)
    return kept
